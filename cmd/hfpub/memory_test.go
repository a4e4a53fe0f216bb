package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// The first collection of garbage comes late, and the next ones when Go wants them; a user who sets GOGC has the say.
func TestCollectLater(t *testing.T) {
	const usual = 100
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	t.Setenv("GOGC", "50")
	if collectLater(); gcPercent() != usual {
		t.Errorf("%d percent, although GOGC is set", gcPercent())
	}
	t.Setenv("GOGC", "")
	if collectLater(); gcPercent() != firstCollection {
		t.Errorf("%d percent at first, want %d", gcPercent(), firstCollection)
	}
	runtime.GC()
	for end := time.Now().Add(time.Minute); gcPercent() != usual; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still %d percent after a collection, want %d", gcPercent(), usual)
		}
	}
}

func gcPercent() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
