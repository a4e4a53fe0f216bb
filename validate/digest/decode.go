package digest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// again is what to do about a lock that is damaged.
const again = "fetch hfpub.lock again, or write a new one with hfpub lock"

// parseLock reads the text of a lock strictly: unknown, missing and repeated keys, wrong types and values are errors.
func parseLock(path string, text []byte) (*Lock, error) {
	d := &decoder{path: path, text: text}
	var doc tape.Tape
	if problems := doc.Parse(text); len(problems) > 0 {
		d.fail(problems[0].Offset, again, "%s", problems[0].Message)
		return nil, d.err
	}
	if v, ok := doc.Root().At("/version"); ok && v.IsInteger() {
		if n, err := strconv.Atoi(string(v.Raw())); err == nil && n > LockVersion {
			d.fail(v.Offset(), "update hfpub", "the lock has version %d, and this hfpub reads %d", n, LockVersion)
			d.err.Newer = true
			return nil, d.err
		}
	}
	var lock Lock
	d.lock(&lock)(doc.Root())
	if d.err != nil {
		return nil, d.err
	}
	return &lock, nil
}

// decoder turns the values of a lock into Go ones and keeps the first error.
type decoder struct {
	path string
	text []byte
	err  *LockError
}

// field reads one value into the variable it was made for.
type field = func(tape.Value)

// lockKey is the field of a key, and whether the key may be left out.
type lockKey struct {
	name     string
	read     field
	optional bool
}

func (d *decoder) lock(l *Lock) field {
	return d.object(
		lockKey{name: "version", read: d.version(&l.Version)},
		lockKey{name: "release", read: d.object(
			lockKey{name: "name", read: d.anyText(&l.Release.Name)},
			lockKey{name: "version", read: d.anyText(&l.Release.Version)},
		)},
		lockKey{name: "repos", read: list(d, &l.Repos, d.repo, func(r LockedRepo) string { return strings.TrimSpace(r.Type + " " + r.ID) })},
	)
}

func (d *decoder) repo(r *LockedRepo) field {
	return d.object(
		lockKey{name: "id", read: d.name(&r.ID)},
		lockKey{name: "type", read: d.name(&r.Type), optional: true},
		lockKey{name: "status", read: d.status(&r.Status), optional: true},
		lockKey{name: "configs", read: list(d, &r.Configs, d.config, func(c LockedConfig) string { return c.Name })},
		lockKey{name: "files", read: list(d, &r.Files, d.file, func(f LockedFile) string { return f.Path })},
	)
}

func (d *decoder) config(c *LockedConfig) field {
	return d.object(
		lockKey{name: "name", read: d.name(&c.Name)},
		lockKey{name: "splits", read: list(d, &c.Splits, d.split, func(s LockedSplit) string { return s.Name })},
	)
}

func (d *decoder) split(s *LockedSplit) field {
	return d.object(
		lockKey{name: "name", read: d.name(&s.Name)},
		lockKey{name: "rows", read: d.optionalCount(&s.Rows), optional: true},
		lockKey{name: "digest", read: d.digest(&s.Digest), optional: true},
		lockKey{name: "files", read: list(d, &s.Files, d.file, nil)}, // a split may read a file twice
	)
}

func (d *decoder) file(f *LockedFile) field {
	return d.object(
		lockKey{name: "path", read: d.name(&f.Path)},
		lockKey{name: "bytes", read: d.count(&f.Bytes)},
		lockKey{name: "rows", read: d.optionalCount(&f.Rows), optional: true},
		lockKey{name: "sha256", read: d.hash(&f.SHA256)},
	)
}

func (d *decoder) digest(to **Digest) field {
	return func(v tape.Value) {
		*to = &Digest{}
		d.object(lockKey{name: "sequence", read: d.hash(&(*to).Sequence)}, lockKey{name: "set", read: d.hash(&(*to).Set)})(v)
	}
}

// fail keeps the first error, with the line and column of an offset.
func (d *decoder) fail(offset int, hint, format string, args ...any) {
	if d.err != nil {
		return
	}
	before := string(d.text[:offset])
	d.err = &LockError{Path: d.path, Line: 1 + strings.Count(before, "\n"), Message: fmt.Sprintf(format, args...), Hint: hint}
	d.err.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

func (d *decoder) wrong(v tape.Value, expected string) {
	d.fail(v.Offset(), again, "expected %s", expected)
}

// object reads the members of an object by their keys.
func (d *decoder) object(keys ...lockKey) field {
	return func(v tape.Value) {
		if v.Kind() != tape.Object {
			d.wrong(v, "an object")
			return
		}
		for key, value := range v.Members() {
			i := slices.IndexFunc(keys, func(k lockKey) bool { return k.name == key.Text() })
			if i < 0 {
				d.fail(key.Offset(), again, "unknown key %q", key.Text())
				return
			}
			keys[i].read(value)
		}
		for _, k := range keys {
			if _, ok := v.Get(k.name); !ok && !k.optional {
				d.fail(v.Offset(), again, "the key %q is missing", k.name)
			}
		}
	}
}

// list reads the elements of an array. name tells what may not stand in it twice; nil for nothing.
func list[T any](d *decoder, to *[]T, read func(*T) field, name func(T) string) field {
	return func(v tape.Value) {
		if v.Kind() != tape.Array {
			d.wrong(v, "an array")
			return
		}
		seen := map[string]bool{}
		*to = make([]T, 0, v.Len())
		for _, element := range v.Elements() {
			var one T
			if read(&one)(element); d.err != nil {
				return
			}
			if name != nil {
				if seen[name(one)] {
					d.fail(element.Offset(), again, "%q stands twice", name(one))
					return
				}
				seen[name(one)] = true
			}
			*to = append(*to, one)
		}
	}
}

func (d *decoder) anyText(to *string) field {
	return func(v tape.Value) {
		if v.Kind() != tape.String {
			d.wrong(v, "a text")
			return
		}
		*to = v.Text()
	}
}

func (d *decoder) name(to *string) field {
	return func(v tape.Value) {
		if d.anyText(to)(v); *to == "" {
			d.wrong(v, "a text that is not empty")
		}
	}
}

func (d *decoder) status(to *string) field {
	return func(v tape.Value) {
		if d.anyText(to)(v); *to != "pending" && *to != "withheld" {
			d.wrong(v, "pending or withheld, or no status for a repo that is public")
		}
	}
}

func (d *decoder) hash(to *string) field {
	return func(v tape.Value) {
		if d.anyText(to)(v); len(*to) != 64 || strings.Trim(*to, "0123456789abcdef") != "" {
			d.wrong(v, "64 hex digits in small letters")
		}
	}
}

func (d *decoder) count(to *int64) field {
	return func(v tape.Value) {
		n, err := strconv.ParseInt(string(v.Raw()), 10, 64)
		if v.Kind() != tape.Number || err != nil || n < 0 {
			d.wrong(v, "a count")
			return
		}
		*to = n
	}
}

func (d *decoder) optionalCount(to **int64) field {
	return func(v tape.Value) {
		*to = new(int64)
		d.count(*to)(v)
	}
}

func (d *decoder) version(to *int) field {
	return func(v tape.Value) {
		if v.Kind() != tape.Number || string(v.Raw()) != strconv.Itoa(LockVersion) {
			d.wrong(v, fmt.Sprintf("version %d", LockVersion))
			return
		}
		*to = LockVersion
	}
}
