package statistics

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// Float is a float64 whose JSON is written as Python does: 1.0, 0.00012, 1e-05, 1e+16.
type Float float64

// MarshalJSON implements [json.Marshaler]. NaN and infinity have no JSON.
func (f Float) MarshalJSON() ([]byte, error) {
	x := float64(f)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, &json.UnsupportedValueError{Str: strconv.FormatFloat(x, 'g', -1, 64)}
	}
	return []byte(f.String()), nil
}

// String writes the number as its JSON.
func (f Float) String() string {
	x := float64(f)
	if size := math.Abs(x); x != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	out := strconv.AppendFloat(nil, x, 'f', -1, 64)
	if !bytes.ContainsRune(out, '.') {
		out = append(out, ".0"...)
	}
	return string(out)
}

// round5 is numpy.round(x, 5).
func round5(x float64) float64 { return math.RoundToEven(x*1e5) / 1e5 }

// proportion is the share of n in all as the viewer writes it.
func proportion(n, all int64) Float {
	if n == 0 {
		return 0
	}
	return Float(round5(float64(n) / float64(all)))
}

// Frequencies says how often each of some labels stands in a column; its JSON is an object in the same order.
type Frequencies []LabelCount

// LabelCount says how often a label stands in a column.
type LabelCount struct {
	Label string
	Count int64
}

// MarshalJSON implements [json.Marshaler].
func (f Frequencies) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, c := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encoder.Encode(c.Label); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // the line feed
		b.WriteByte(':')
		b.Write(strconv.AppendInt(nil, c.Count, 10))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
