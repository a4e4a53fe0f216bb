package memgym

import (
	"math"
	"testing"
)

// The vector is that of the upstream tests: a ranking without a fault.
func TestMeasure(t *testing.T) {
	list := predictions(0.95, true, 0.80, true, 0.60, true, 0.10, false, 0.30, false)
	want := map[string]float64{"accuracy": 1, "auroc": 1, "safe_f1": 1, "harmful_f1": 1, "ece": (0.05 + 0.2 + 0.4 + 0.1 + 0.3) / 5}
	hold(t, measure(list), want)
	hold(t, covered(list, 0.88), map[string]float64{"coverage": 2.0 / 5, "n_covered": 2, "accuracy_at_threshold": 1})
}

// predictions are made of a probability and whether the row is SAFE, in turn.
func predictions(values ...any) (list []prediction) {
	for i := 0; i < len(values); i += 2 {
		list = append(list, prediction{prob: values[i].(float64), safe: values[i+1].(bool)})
	}
	return list
}

func TestMeasureWithFaults(t *testing.T) {
	list := predictions(0.9, true, 0.6, false, 0.4, true, 0.4, false, 0.2, false)
	hold(t, measure(list), map[string]float64{
		"total": 5, "correct": 3, "harmful_support": 3, "safe_support": 2,
		"accuracy": 3.0 / 5, "safe_precision": 1.0 / 2, "safe_recall": 1.0 / 2, "safe_f1": 1.0 / 2,
		"harmful_precision": 2.0 / 3, "harmful_recall": 2.0 / 3, "harmful_f1": 2.0 / 3,
		// Pairs of a HARMFUL and a SAFE row: against 0.9 all three are right; against 0.4 one is, one is a tie, one is wrong.
		"auroc": (3 + 1 + 0.5) / 6,
	})
}

func TestRankingWithoutOneClass(t *testing.T) {
	if area, ok := ranking(predictions(0.9, true, 0.8, true)); !ok || area != 0.5 {
		t.Errorf("the area without a HARMFUL row is %v %v, want 0.5", area, ok)
	}
	if _, ok := ranking(predictions(0.9, true, 0.9, false)); ok {
		t.Error("the area of equal certainties is defined")
	}
}

// A slice has a ranking and a calibration only with five rows of each class.
func TestMeasureSlice(t *testing.T) {
	small := predictions(0.9, true, 0.2, false, 0.3, false)
	for _, m := range measureSlice(small) {
		if m.name == "auroc" || m.name == "ece" {
			t.Errorf("a slice with one SAFE row has %s", m.name)
		}
	}
	hold(t, measureSlice(small), map[string]float64{"count": 3, "accuracy": 1, "harmful_f1": 1, "safe_f1": 1, "harmful_count": 2, "harmful_pct": 200.0 / 3})
	var large []prediction
	for i := range 5 {
		large = append(large, predictions(0.6+0.05*float64(i), true, 0.1+0.05*float64(i), false)...)
	}
	hold(t, measureSlice(large), map[string]float64{"auroc": 1, "count": 10})
	hold(t, measureSlice(predictions(0.7, true, 0.7, false, 0.7, true, 0.7, false, 0.7, true, 0.7, false, 0.7, true, 0.7, false, 0.7, true, 0.7, false)),
		map[string]float64{"auroc": 0.5})
}

// Of thresholds that are as good the first is taken; the bound on HARMFUL can leave none.
func TestSweep(t *testing.T) {
	list := predictions(0.9, true, 0.6, true, 0.55, false, 0.2, false, 0.1, false)
	threshold, at, ok := sweep(list, 0)
	if !ok || threshold != 0.55 || at != (confusion{tn: 2, tp: 3}) {
		t.Errorf("the best threshold is %v with %+v, want 0.55, where all are told apart", threshold, at)
	}
	mixed := predictions(0.9, true, 0.95, false, 0.2, false)
	if threshold, _, ok := sweep(mixed, floor); ok {
		t.Errorf("%v gives HARMFUL an F1 of 0.90, and one of two HARMFUL rows is more certain than the SAFE one", threshold)
	}
	if threshold, at, ok := sweep(mixed, 0); !ok || threshold != 0.2 || at.safeF1() != 2.0/3 {
		t.Errorf("without a bound the best threshold is %v with %+v, want 0.2", threshold, at)
	}
}

// The intervals are those of a program in Python; of the first list 997 of the 1,000 samples have an area.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		list      []prediction
		low, high float64
	}{
		{predictions(0.9, true, 0.6, false, 0.4, true, 0.4, false, 0.2, false, 0.75, true, 0.1, false), 0.5, 1},
		{predictions(0.32, true, 0.65, true, 0.54, true, 0.06, false, 0.04, true, 0.07, true, 0.42, false, 0.12, true, 0.63, false, 0.58, true, 0.98, true,
			0.86, true, 0.14, true, 0.31, false, 0.18, false, 0.64, true, 0.55, true, 0.06, true, 0.68, true, 0.31, false, 0.45, true, 0.79, false, 0.24, false),
			0.32142857142857145, 0.803030303030303},
	} {
		if low, high, ok := interval(c.list); !ok || !near(low, c.low) || !near(high, c.high) {
			t.Errorf("the interval is %v to %v (%v), want %v to %v", low, high, ok, c.low, c.high)
		}
	}
	if _, _, ok := interval(predictions(0.9, true, 0.9, false)); ok {
		t.Error("an interval is given where no sample has an area")
	}
}

func hold(t *testing.T, measured []metric, want map[string]float64) {
	t.Helper()
	got := map[string]float64{}
	for _, m := range measured {
		got[m.name] = m.value
	}
	for name, value := range want {
		if x, ok := got[name]; !ok || math.Abs(x-value) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, x, value)
		}
	}
}
