package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is how far the heap may grow, in percent of the four MiB that Go allows, before garbage is first collected. A run
// gets to this size anyway; the collections before that took a tenth of the time in which it starts.
const firstCollection = 300

// collectLater puts the first collection of garbage off. From the second one on Go decides as always, by what is in use. It does
// nothing where the user has decided.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(firstCollection)
	runtime.AddCleanup(new(*byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}
