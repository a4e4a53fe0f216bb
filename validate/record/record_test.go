package record

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

// write writes one of everything.
func write() []byte {
	var w Writer
	w.Uint(0)
	w.Uint(math.MaxUint64)
	w.Int(-1)
	w.Int(math.MinInt64)
	w.Bool(true)
	w.Bool(false)
	w.Text("tea, thé, 茶")
	w.Text("")
	w.Raw([]byte{1, 2, 3})
	w.Part([]byte("part"))
	w.Uint(2)
	w.Raw([]byte{8, 9})
	return w.Bytes()
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	r := NewReader(write())
	if r.Uint() != 0 || r.Uint() != math.MaxUint64 || r.Int() != -1 || r.Int() != math.MinInt64 || !r.Bool() || r.Bool() {
		t.Error("the numbers are not those that were written")
	}
	if r.Text() != "tea, thé, 茶" || r.Text() != "" || !bytes.Equal(r.Raw(3), []byte{1, 2, 3}) || string(r.Part()) != "part" {
		t.Error("the texts are not those that were written")
	}
	if n := r.Count(2); n != 2 || len(r.Raw(n)) != 2 {
		t.Error("the count is not the one that was written")
	}
	if err := r.End(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsDamagedFailsOnce(t *testing.T) {
	long := bytes.Repeat([]byte{0xFF}, 11)
	tests := map[string]struct {
		data []byte
		read func(*Reader)
	}{
		"nothing there":              {nil, func(r *Reader) { r.Uint() }},
		"a number that never ends":   {long, func(r *Reader) { r.Int() }},
		"a number that is too large": {long, func(r *Reader) { r.Uint() }},
		"a truth value of 2":         {[]byte{2}, func(r *Reader) { r.Bool() }},
		"a text that is cut short":   {[]byte{5, 'a'}, func(r *Reader) { r.Text() }},
		"a length beyond all memory": {append(bytes.Repeat([]byte{0xFF}, 9), 1), func(r *Reader) { r.Part() }},
		"more than allowed":          {[]byte{3, 1, 1, 1}, func(r *Reader) { r.Count(2) }},
		"more than can be":           {[]byte{3, 1, 1}, func(r *Reader) { r.Count(10) }},
		"something left":             {[]byte{3, 1}, func(r *Reader) { r.Uint() }},
		"not what was expected":      {[]byte{3}, func(r *Reader) { r.Fail() }},
	}
	for name, test := range tests {
		r := NewReader(test.data)
		test.read(r)
		if err := r.End(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v, want ErrDamaged", name, err)
		}
		if r.Uint() != 0 || r.Int() != 0 || r.Bool() || r.Text() != "" || r.Part() != nil || r.Count(9) != 0 {
			t.Errorf("%s: something was read behind the fault", name)
		}
	}
}
