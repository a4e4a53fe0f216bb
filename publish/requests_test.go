package publish

import (
	"fmt"
	"testing"

	"github.com/hfpub/hfpub/publish/hubtest"
)

// What a plan says of the requests to come is what the Hub sees of a push without faults.
func TestRequestsArePlanned(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	for i, files := range []map[string]string{
		usual(),
		{"data/train.jsonl": noise(2 << 20), "data/train-2.jsonl": noise(1<<20 + 1)},
		{"data/test.jsonl": "{\"id\": 9}\n"},
		{},
	} {
		w.write(files)
		p := w.publisher(nil)
		plan, err := p.Plan(t.Context(), meta)
		if err != nil {
			t.Fatal(err)
		}
		before := len(w.hub.Log())
		if _, err := p.Publish(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, r := range w.hub.Log()[before:] {
			if r.Origin == "hub" {
				seen = append(seen, fmt.Sprint(r.Method, " ", r.Path))
			}
		}
		if len(seen) != plan.Requests {
			t.Errorf("push %d: planned %d requests, made %d:\n%q", i, plan.Requests, len(seen), seen)
		}
	}
}
