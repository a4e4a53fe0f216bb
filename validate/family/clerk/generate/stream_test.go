package generate

import "testing"

func TestStreams(t *testing.T) {
	zero := stream(0)
	for i, want := range []uint64{0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F} {
		if got := zero.word(); got != want {
			t.Errorf("word %d from state 0 is %#x, want %#x", i, got, want)
		}
	}
	p := Params{Seed: 137, Split: "train"}
	events := p.stream(0, 0, "events")
	if events != 0x00E1716B4AA991A9 {
		t.Errorf("the stream of the first events starts at %#x, want 0xE1716B4AA991A9", uint64(events))
	}
	for i, want := range []uint64{0x5DD09E6C6D369F3C, 0xF67D29E6D6F30A88} {
		if got := events.word(); got != want {
			t.Errorf("word %d is %#x, want %#x", i, got, want)
		}
	}
	if got, want := p.stream(none, none, "names"), newStream([]byte("clerkgen/1/train/137/-/-/names")); got != want {
		t.Errorf("the stream of the names starts at %#x, want %#x", uint64(got), uint64(want))
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{"a < b & c": "a < b & c", `say "ok" \ "`: `say \"ok\" \\ \"`, "é": "é"} {
		if got := escape(in); got != want {
			t.Errorf("%s is written %s, want %s", in, got, want)
		}
	}
}
