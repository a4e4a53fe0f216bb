package statistics

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/column"
)

func TestFloatsAreWrittenAsPythonDoes(t *testing.T) {
	for x, want := range map[Float]string{
		0: "0.0", 1: "1.0", -2.5: "-2.5", 0.0001: "0.0001", 0.00001: "1e-05", 1e15: "1000000000000000.0", 1e16: "1e+16",
		1.5e300: "1.5e+300", 123456.78901: "123456.78901", 0.1: "0.1",
	} {
		if got := asJSON(t, x); got != want {
			t.Errorf("%g is written %s, want %s", float64(x), got, want)
		}
	}
}

func TestRoundingIsThatOfNumpy(t *testing.T) {
	// In the last two the product with 1e5 is rounded to a half, which goes to the even neighbour.
	for x, want := range map[float64]float64{0.333333: 0.33333, 0.000005: 0, 0.000015: 0.00002, 2.675005: 2.675, 1.000025: 1.00002} {
		if got := round5(x); got != want {
			t.Errorf("round5(%v) is %v, want %v", x, got, want)
		}
	}
}

func TestDurationsAreWrittenAsPythonDoes(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0:00:00", 59.5: "0:00:59.500000", 86_400: "1 day, 0:00:00", 123_388.05179: "1 day, 10:16:28.051790", 200_000: "2 days, 7:33:20"} {
		if got := showDuration(seconds); got != want {
			t.Errorf("%v seconds are written %q, want %q", seconds, got, want)
		}
	}
}

func TestSparklines(t *testing.T) {
	for _, test := range []struct {
		counts []int64
		want   string
	}{{[]int64{0, 1, 50, 100}, " ▁▅█"}, {[]int64{3}, "█"}, {nil, ""}} {
		if got := Sparkline(test.counts); got != test.want {
			t.Errorf("%v is drawn %q, want %q", test.counts, got, test.want)
		}
	}
}

func TestFrequenciesKeepTheirOrder(t *testing.T) {
	if got, want := asJSON(t, Frequencies{{"b<\"", 2}, {"a", 1}}), `{"b<\"":2,"a":1}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBalances(t *testing.T) {
	rows := []string{
		`{"kind": "x", "ok": true, "label": 1, "stars": 5, "id": 1, "name": "n1", "score": 0.5}`,
		`{"kind": "y", "ok": false, "label": -1, "stars": 4, "id": 2, "name": "n2", "score": 0.25}`,
		`{"kind": "x", "ok": true, "label": 1, "stars": 2, "id": 3, "name": "n3", "score": 0.5}`,
		`{"kind": "x", "ok": null, "label": null, "stars": 5, "id": 4, "name": "n4", "score": 0.25}`,
		`{"kind": "y", "ok": true, "label": 0, "stars": 4, "id": 5, "name": "n5", "score": 0.5}`,
		`{"kind": "x", "ok": true, "label": 1, "stars": 2, "id": 6, "name": "n6", "score": 0.5}`,
	}
	features := column.Features{
		{Name: "kind", Type: scalar("string")}, {Name: "ok", Type: scalar("bool")}, {Name: "stars", Type: scalar("int64")},
		{Name: "label", Type: column.Type{ClassLabel: []string{"neg", "pos", "mixed"}}}, {Name: "id", Type: scalar("int64")},
		{Name: "name", Type: scalar("string")}, {Name: "score", Type: scalar("float64")},
	}
	columns, _ := seen(t, 1, false, rows...).Finish(features)
	want := []Balance{
		{"kind", Label, Frequencies{{"x", 4}, {"y", 2}}, 6, 0},
		{"label", ClassLabel, Frequencies{{"neg", 1}, {"pos", 3}, {"mixed", 0}}, 4, 2},
		{"ok", Bool, Frequencies{{"False", 1}, {"True", 4}}, 5, 1},
		{"stars", Int, Frequencies{{"2", 2}, {"4", 2}, {"5", 2}}, 6, 0},
	}
	if diff := cmp.Diff(want, Balances(columns, 10)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Balances(columns, 2); len(got) != 2 {
		t.Errorf("with at most two labels there are two columns, got %v", got)
	}
}
