package condition

import (
	"math"
	"reflect"
	"strconv"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// valueOf makes a value of a row one of CEL's. Objects stay on the tape.
func valueOf(row *rows.Row, v tape.Value) ref.Val {
	switch v.Kind() {
	case tape.False, tape.True:
		return types.Bool(v.Bool())
	case tape.Number:
		return numberOf(v.Raw())
	case tape.String:
		if text, ok := field.Number(row, v); ok {
			return numberOf(text)
		}
		if field.Missing(row, v) {
			return types.NullValue
		}
		return types.String(v.Text())
	case tape.Array:
		list := make([]ref.Val, 0, v.Len())
		for _, element := range v.Elements() {
			list = append(list, valueOf(row, element))
		}
		return types.NewRefValList(types.DefaultTypeAdapter, list)
	case tape.Object:
		return object{row, v}
	}
	return types.NullValue
}

// numberOf reads a number: an integer where it is written as one and 64 bits hold it, else a floating-point number.
func numberOf(text []byte) ref.Val {
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return types.Int(n)
	}
	if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
		return types.Uint(n)
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil && !math.IsInf(f, 0) {
		return types.NewErr("%s is no number", text)
	}
	return types.Double(f)
}

// object is a JSON object as CEL sees it: a map from strings, whose members are converted when they are asked for.
type object struct {
	row *rows.Row
	v   tape.Value
}

// Find implements traits.Mapper.
func (o object) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	member, ok := o.v.Get(string(name))
	if !ok {
		return nil, false
	}
	return valueOf(o.row, member), true
}

// Get implements traits.Indexer.
func (o object) Get(key ref.Val) ref.Val {
	v, ok := o.Find(key)
	if !ok {
		return types.NewErr("no such key: %v", key.Value())
	}
	return v
}

// Contains implements traits.Container.
func (o object) Contains(key ref.Val) ref.Val {
	_, ok := o.Find(key)
	return types.Bool(ok)
}

// Size implements traits.Sizer.
func (o object) Size() ref.Val { return types.Int(o.v.Len()) }

// Type implements ref.Val.
func (o object) Type() ref.Type { return types.MapType }

// Iterator implements traits.Iterable.
func (o object) Iterator() traits.Iterator { return o.whole().Iterator() }

// Equal implements ref.Val.
func (o object) Equal(other ref.Val) ref.Val { return o.whole().Equal(other) }

// ConvertToType implements ref.Val.
func (o object) ConvertToType(t ref.Type) ref.Val { return o.whole().ConvertToType(t) }

// ConvertToNative implements ref.Val.
func (o object) ConvertToNative(t reflect.Type) (any, error) { return o.whole().ConvertToNative(t) }

// Value implements ref.Val.
func (o object) Value() any { return o.whole().Value() }

// whole converts all members, for what needs them all.
func (o object) whole() traits.Mapper {
	members := make(map[ref.Val]ref.Val, o.v.Len())
	for key, member := range o.v.Members() {
		members[types.String(key.Text())] = valueOf(o.row, member)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, members)
}
