package lazyregexp

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMethodsAreThoseOfTheExpression(t *testing.T) {
	const source, text = `(\w+)-(\d+)`, "tea-7, leaves-12"
	lazy, real := New(source), regexp.MustCompile(source)
	upper := func(s string) string { return "<" + s + ">" }
	for name, pair := range map[string][2]any{
		"Match":                       {lazy.Match([]byte(text)), real.Match([]byte(text))},
		"MatchString":                 {lazy.MatchString("tea"), real.MatchString("tea")},
		"Find":                        {lazy.Find([]byte(text)), real.Find([]byte(text))},
		"FindString":                  {lazy.FindString(text), real.FindString(text)},
		"FindStringIndex":             {lazy.FindStringIndex(text), real.FindStringIndex(text)},
		"FindSubmatchIndex":           {lazy.FindSubmatchIndex([]byte(text)), real.FindSubmatchIndex([]byte(text))},
		"FindSubmatch":                {lazy.FindSubmatch([]byte(text)), real.FindSubmatch([]byte(text))},
		"FindStringSubmatch":          {lazy.FindStringSubmatch(text), real.FindStringSubmatch(text)},
		"FindStringSubmatchIndex":     {lazy.FindStringSubmatchIndex(text), real.FindStringSubmatchIndex(text)},
		"FindAllString":               {lazy.FindAllString(text, -1), real.FindAllString(text, -1)},
		"FindAllStringIndex":          {lazy.FindAllStringIndex(text, -1), real.FindAllStringIndex(text, -1)},
		"FindAllStringSubmatch":       {lazy.FindAllStringSubmatch(text, -1), real.FindAllStringSubmatch(text, -1)},
		"FindAllStringSubmatchIndex":  {lazy.FindAllStringSubmatchIndex(text, 1), real.FindAllStringSubmatchIndex(text, 1)},
		"ReplaceAll":                  {lazy.ReplaceAll([]byte(text), []byte("$2")), real.ReplaceAll([]byte(text), []byte("$2"))},
		"ReplaceAllString":            {lazy.ReplaceAllString(text, "$2"), real.ReplaceAllString(text, "$2")},
		"ReplaceAllStringFunc":        {lazy.ReplaceAllStringFunc(text, upper), real.ReplaceAllStringFunc(text, upper)},
		"the text of what it is made": {lazy.Compiled().String(), source},
	} {
		if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
			t.Errorf("%s differs from that of package regexp (-want +got):\n%s", name, diff)
		}
	}
}

func TestTestsFindWhatCannotBeCompiled(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an expression that cannot be compiled was taken in a test")
		}
	}()
	New("(")
}
