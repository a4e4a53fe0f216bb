package digest

import (
	"crypto/sha256"
	"fmt"
	"math"

	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

// maxRows is more rows than any split has.
const maxRows = math.MaxInt64 >> 16

// MarshalBinary writes what the observer saw, for another process to merge: 32 bytes for each row, unless the observer was
// made by [NewFirst].
func (o *Observer) MarshalBinary() ([]byte, error) {
	o.Hash()
	var w record.Writer
	w.Uint(uint64(o.rows))
	for _, word := range o.set {
		w.Uint(word)
	}
	w.Bool(o.sequence != nil)
	if o.sequence == nil {
		w.Raw(o.hashes)
		return w.Bytes(), nil
	}
	o.flush()
	state, err := o.sequence.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("digest: %w", err)
	}
	w.Raw(state)
	return w.Bytes(), nil
}

// First says that the observer is one made by [NewFirst], or was read from one.
func (o *Observer) First() bool { return o.sequence != nil }

// UnmarshalBinary makes the observer one that has seen what MarshalBinary wrote. It is [record.ErrDamaged] when data is
// anything else.
func (o *Observer) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	out := Observer{rows: int64(min(r.Uint(), maxRows))}
	for i := range out.set {
		out.set[i] = r.Uint()
	}
	first := r.Bool()
	rest := r.Rest()
	if r.Err() != nil {
		return r.Err()
	}
	if !first {
		if int64(len(rest)) != out.rows*sha256.Size {
			return record.ErrDamaged
		}
		out.hashes = rest
		*o = out
		return nil
	}
	out.sequence = sha256pair.NewStream()
	if err := out.sequence.UnmarshalBinary(rest); err != nil {
		return record.ErrDamaged
	}
	*o = out
	return nil
}
