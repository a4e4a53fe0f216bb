package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is how far the heap may grow, in percent of the four MiB that Go allows, before garbage is first collected. Two workers
// on a large file take less, most of it for blocks of rows. A collection frees two MiB of it, and takes some milliseconds, most of them for
// lists of the collector that are touched for the first time; those in the first megabytes took a tenth of the time in which a run starts.
const firstCollection = 500

// collectLater puts the first collection of garbage off. From the second one on Go decides as always, by what is in use. It does
// nothing where the user has decided.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(firstCollection)
	runtime.AddCleanup(new(*byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}
