package cards

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// described is a declared repo whose card has croissant.json.
func described(t *testing.T) (Input, string) {
	t.Helper()
	in := declared()
	in.WantCroissant = true
	return in, string(render(t, in).file(t, CroissantPath))
}

// has tells whether croissant.json is among the files.
func (o *Output) has(path string) bool {
	for _, f := range o.Files {
		if f.Path == path {
			return true
		}
	}
	return false
}

func TestCroissantIsPartOfTheCard(t *testing.T) {
	in, document := described(t)
	foreign := strings.Replace(document, `"name": "hfpub"`, `"name": "Ada"`, 1)
	for _, c := range []struct {
		name   string
		change func(in *Input)
		want   bool
	}{
		{"it is asked for", func(*Input) {}, true},
		{"it is not asked for", func(in *Input) { in.WantCroissant = false }, false},
		{"hfpub wrote one before", func(in *Input) { in.WantCroissant, in.Croissant = false, []byte(document) }, true},
		{"somebody else wrote one", func(in *Input) { in.WantCroissant, in.Croissant = false, []byte(foreign) }, false},
		{"it is a model", func(in *Input) { in.Repo.Type = release.Model }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := in
			c.change(&in)
			out := render(t, in)
			if got := out.has(CroissantPath); got != c.want {
				t.Errorf("croissant.json is part of the card: %v, expected %v", got, c.want)
			}
		})
	}
}

// TestCroissantGoesStale: a document of hfpub is compared like the rest of the card, whether it is asked for or not.
func TestCroissantGoesStale(t *testing.T) {
	in, document := described(t)
	first := render(t, in)
	in.README, in.SchemaMD = first.file(t, ReadmePath), first.file(t, SchemaPath)
	in.Croissant, in.WantCroissant = []byte(document), false
	out := render(t, in)
	if found := out.Check(); len(found) != 0 {
		t.Errorf("Check right after rendering finds %v", found)
	}
	in.Measured.Configs[0].Splits[0].Files[0].SHA256 = strings.Repeat("cd", 32)
	out = render(t, in)
	for _, f := range out.Check() {
		if f.Code == finding.CardOutOfDate && f.Path == CroissantPath && strings.Contains(f.Message, "cdcd") {
			return
		}
	}
	t.Errorf("Check after a file has changed finds %v, expected the new checksum in %s among it", out.Check(), CroissantPath)
}

func TestCroissantSaysWhatIsMissing(t *testing.T) {
	in, _ := described(t)
	if out := render(t, in); len(out.Missing) != 1 || out.Missing[0] != "datePublished" {
		t.Errorf("missing is %v, expected datePublished alone", out.Missing)
	}
	in.Published = time.Unix(1767312000, 0)
	if out := render(t, in); len(out.Missing) != 0 {
		t.Errorf("missing is %v although a date is given", out.Missing)
	}
}

func TestCroissantRefused(t *testing.T) {
	_, document := described(t)
	patterns := func(list ...string) func(in *Input) {
		return func(in *Input) {
			in.Repo.Configs[0].Splits[0].Patterns = list
			in.Repo.Configs[0].Splits[0].PosFile, in.Repo.Configs[0].Splits[0].Pos.Line = "hfpub.yaml", 9
		}
	}
	for _, c := range []struct {
		name   string
		change func(in *Input)
		// says is the finding, "" for none.
		says string
	}{
		{"somebody else's", func(in *Input) { in.Croissant = []byte(`{"name": "mine"}`) }, "croissant.json: croissant.json was not written by hfpub"},
		{"broken", func(in *Input) { in.Croissant = []byte(document[:len(document)-3] + "\n,\n") },
			"croissant.json:END: the document is no JSON object: "},
		{"loaded by a pattern", patterns("*.json"), "hfpub.yaml:9: croissant.json is loaded as data of this split"},
		{"loaded by a deep pattern", patterns("**/*.json"), "hfpub.yaml:9: croissant.json is loaded as data of this split"},
		{"a pattern of a folder", patterns("data/*.json"), ""},
		{"loaded for want of configs", func(in *Input) {
			in.Repo.Configs[0].Splits[0].Patterns, in.Repo.Configs[0].Splits[0].Files = nil, []string{CroissantPath}
		}, "croissant.json is loaded as data of this split"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, _ := described(t)
			c.change(&in)
			_, err := Render(in)
			var refusal *Refusal
			if c.says == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if !errors.As(err, &refusal) || len(refusal.Findings) != 1 {
				t.Fatalf("the error is %v, expected one refusal", err)
			}
			f := refusal.Findings[0]
			before, after, _ := strings.Cut(c.says, "END")
			says := f.Where() + ": " + f.Message
			if f.Code != finding.CardCroissant || f.Hint == "" || !strings.Contains(says, before) || !strings.Contains(says, after) {
				t.Errorf("the finding is %s %q with hint %q, expected %q", f.Code, says, f.Hint, c.says)
			}
		})
	}
}
