package digest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// The canonical bytes in the plainest way, to hold the fast one against: members gathered and sorted in every object, every
// string decoded and escaped anew, every number with a point or exponent read and written by strconv.

// plainCanon writes canonical bytes; its buffers are reused from row to row.
type plainCanon struct {
	out []byte
	// members are those of the objects being written, the innermost last, and keys the decoded text of their keys.
	members []plainMember
	keys    []byte
}

// plainMember is a member of an object; from and to bound the text of its key in plainCanon.keys.
type plainMember struct {
	key, value tape.Value
	from, to   int
}

// of returns the canonical bytes of a value; they are valid until the next call.
func (c *plainCanon) of(v tape.Value) []byte {
	c.out = c.out[:0]
	c.value(v)
	return c.out
}

func (c *plainCanon) value(v tape.Value) {
	switch v.Kind() {
	case tape.Null, tape.False, tape.True:
		c.out = append(c.out, v.Raw()...)
	case tape.Number:
		c.out = plainNumber(c.out, v.Raw())
	case tape.String:
		c.text(v)
	case tape.Array:
		c.out = append(c.out, '[')
		for i, element := range v.Elements() {
			if i > 0 {
				c.out = append(c.out, ',')
			}
			c.value(element)
		}
		c.out = append(c.out, ']')
	case tape.Object:
		c.object(v)
	}
}

// object writes the members of an object sorted by key.
func (c *plainCanon) object(v tape.Value) {
	first, text := len(c.members), len(c.keys)
	sorted := true
	for key, value := range v.Members() {
		from := len(c.keys)
		c.keys = key.AppendText(c.keys)
		c.members = append(c.members, plainMember{key, value, from, len(c.keys)})
		if n := len(c.members); n-1 > first && sorted {
			sorted = c.compare(c.members[n-2], c.members[n-1]) < 0
		}
	}
	if !sorted {
		slices.SortFunc(c.members[first:], c.compare)
	}
	c.out = append(c.out, '{')
	for i := first; i < first+v.Len(); i++ {
		if i > first {
			c.out = append(c.out, ',')
		}
		m := c.members[i]
		c.text(m.key)
		c.out = append(c.out, ':')
		c.value(m.value)
	}
	c.out = append(c.out, '}')
	c.members, c.keys = c.members[:first], c.keys[:text]
}

func (c *plainCanon) compare(a, b plainMember) int {
	return compareUTF16(c.keys[a.from:a.to], c.keys[b.from:b.to])
}

// text writes a string.
func (c *plainCanon) text(v tape.Value) {
	c.out = append(c.out, '"')
	from := len(c.keys)
	c.keys = v.AppendText(c.keys)
	for _, ch := range c.keys[from:] {
		switch escapes := `btn fr`; {
		case ch == '"' || ch == '\\':
			c.out = append(c.out, '\\', ch)
		case ch >= 0x20:
			c.out = append(c.out, ch)
		case ch >= '\b' && ch <= '\r' && ch != '\v':
			c.out = append(c.out, '\\', escapes[ch-'\b'])
		default:
			c.out = fmt.Appendf(c.out, `\u%04x`, ch)
		}
	}
	c.out = append(c.out, '"')
	c.keys = c.keys[:from]
}

func plainNumber(dst, number []byte) []byte {
	if string(number) == "-0" {
		return append(dst, '0')
	}
	if !bytes.ContainsAny(number, ".eE") {
		return append(dst, number...)
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return appendExact(dst, number)
	}
	return appendFloat(dst, f)
}

func TestCanonicalEqualsThePlainOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var fast canon
	var plain plainCanon
	tapes := make([]tape.Tape, 2)
	for i := range 20_000 {
		doc := &tapes[i/500%2]
		// What stands behind a text is nothing, or some bytes that do not matter.
		buffer := []byte(randomText(random, 4) + strings.Repeat("#", i%2*random.IntN(100)))
		text := bytes.TrimRight(slices.Clip(buffer), "#")
		if problems := doc.Parse(text); problems != nil {
			if problems[0].Code == finding.JSONDuplicateKey {
				continue
			}
			t.Fatalf("the test's own text %s is not strict: %+v", text, problems)
		}
		// Room for all of the text is enough, unless numbers grow, and nothing behind it is touched.
		room := bytes.Repeat([]byte("!"), 2*len(text)+10*overrun)
		end := len("before") + len(text) + overrun
		got := string(fast.appendRow(append(room[:0:end], "before"...), doc))
		if want := "before" + string(plain.of(doc.Root())); got != want {
			t.Fatalf("canonical bytes of %s are\n%s, want\n%s", text, got, want)
		}
		if behind := bytes.Trim(room[end:], "!"); len(behind) > 0 {
			t.Fatalf("%s: %q was written behind the room for it", text, behind)
		}
	}
}

// randomText writes values with few different keys, so that shapes come again, and numbers and strings of every form.
func randomText(random *rand.Rand, depth int) string {
	list := func(open, end string, item func() string) string {
		var out []string
		for range random.IntN(7) {
			out = append(out, item())
		}
		return open + strings.Join(out, ", ") + end
	}
	str := func(most int) string {
		parts := []string{strings.Repeat("steamed ", 1+random.IntN(2)*random.IntN(50)), "a", "tea", "é", "茶", "🍵", "\ufb33", `\n`, `\"`, `\\`, `\/`, `\u00e9`, `\ud83c\udf75`, `\uFB33`, `\u0000`, `\u001f`, `\u000a`, `\u0022`, `\u005C`}
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return `"` + b.String() + `"`
	}
	digits := func(most int) string {
		text := ""
		for range 1 + random.IntN(most) {
			text += string("0012345679"[random.IntN(10)])
		}
		return text
	}
	switch kind := random.IntN(10); {
	case depth > 0 && kind < 4:
		return list("{", "}", func() string { return str(4) + ": " + randomText(random, depth-1) })
	case depth > 0 && kind < 6:
		return list("[", "]", func() string { return randomText(random, depth-1) })
	case depth > 0 && kind == 9:
		var keys []string
		for i := range 1 + random.IntN(4) {
			keys = append(keys, fmt.Sprintf("%q: ", strings.Repeat(string(rune('z'-i)), 1+random.IntN(2)*random.IntN(40))))
		}
		return list("[", "]", func() string {
			object := ""
			for _, key := range keys {
				object += ", " + key + randomText(random, random.IntN(20)/19)
			}
			return "{" + object[2:] + "}"
		})
	case kind == 6:
		number := []string{"", "-"}[random.IntN(2)] + []string{"0", "7" + digits(18)}[random.IntN(2)]
		if random.IntN(2) == 0 {
			number += "." + digits(12)
		}
		if random.IntN(4) == 0 {
			number += []string{"e", "E", "e-", "E+"}[random.IntN(4)] + digits(3)
		}
		return number
	case kind == 7:
		return []string{"true", "false", "null"}[random.IntN(3)]
	}
	return str(8)
}

// BenchmarkPlain is what BenchmarkCanonical is measured against.
func BenchmarkPlain(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			var doc tape.Tape
			if doc.Parse([]byte(s.text)) != nil {
				b.Fatal("the sample must be strict JSON")
			}
			var plain plainCanon
			b.SetBytes(int64(len(s.text)))
			for b.Loop() {
				sha256.Sum256(plain.of(doc.Root()))
			}
		})
	}
}
