package memgym

import (
	"math"
	"testing"
)

// The vector is that of the upstream tests: a ranking without a fault.
func TestMeasure(t *testing.T) {
	list := []prediction{{0.95, true}, {0.80, true}, {0.60, true}, {0.10, false}, {0.30, false}}
	want := map[string]float64{"accuracy": 1, "auroc": 1, "safe_f1": 1, "harmful_f1": 1, "ece": (0.05 + 0.2 + 0.4 + 0.1 + 0.3) / 5}
	hold(t, list, want)
}

func TestMeasureWithFaults(t *testing.T) {
	list := []prediction{{0.9, true}, {0.6, false}, {0.4, true}, {0.4, false}, {0.2, false}}
	hold(t, list, map[string]float64{
		"accuracy": 3.0 / 5, "safe_precision": 1.0 / 2, "safe_recall": 1.0 / 2, "safe_f1": 1.0 / 2,
		"harmful_precision": 2.0 / 3, "harmful_recall": 2.0 / 3, "harmful_f1": 2.0 / 3,
		// Pairs of a HARMFUL and a SAFE row: against 0.9 all three are right; against 0.4 one is, one is a tie, one is wrong.
		"auroc": (3 + 1 + 0.5) / 6,
	})
}

func TestRankingWithoutOneClass(t *testing.T) {
	if area, ok := ranking([]prediction{{0.9, true}, {0.8, true}}); !ok || area != 0.5 {
		t.Errorf("the area without a HARMFUL row is %v %v, want 0.5", area, ok)
	}
	if _, ok := ranking([]prediction{{0.9, true}, {0.9, false}}); ok {
		t.Error("the area of equal certainties is defined")
	}
}

func hold(t *testing.T, list []prediction, want map[string]float64) {
	t.Helper()
	got := map[string]float64{}
	for _, m := range measure(list) {
		got[m.name] = m.value
	}
	for name, value := range want {
		if x, ok := got[name]; !ok || math.Abs(x-value) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, x, value)
		}
	}
}
