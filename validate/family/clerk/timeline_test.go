package clerk_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/clerk/generate"
	"github.com/hfpub/hfpub/validate/family/familytest"
)

// row is a timeline as tests read and change it. Its fields stand in the order in which they are written.
type row struct {
	Name        string    `json:"name"`
	Sessions    []session `json:"sessions"`
	FinalLedger any       `json:"final_ledger"`
}

type session struct {
	Index  int     `json:"session_idx"`
	Turns  []turn  `json:"turns"`
	Events []event `json:"events"`
	QAs    []qa    `json:"qas"`
	Ops    []op    `json:"gold_ops"`
	Before any     `json:"ledger_before"`
	After  any     `json:"ledger_after"`
}

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type event struct {
	Kind  string  `json:"kind"`
	Pred  *string `json:"pred"`
	Value *string `json:"value"`
	Text  string  `json:"text"`
}

type qa struct {
	Q     string  `json:"q"`
	A     string  `json:"a"`
	Type  string  `json:"type"`
	Pred  string  `json:"pred"`
	Value *string `json:"value"`
}

type op struct {
	Op string  `json:"op"`
	S  string  `json:"s"`
	P  string  `json:"p"`
	O  *string `json:"o"`
}

type slot struct {
	S   string  `json:"s"`
	P   string  `json:"p"`
	O   *string `json:"o"`
	St  string  `json:"st"`
	T   int     `json:"t"`
	Old *string `json:"old"`
	N   int     `json:"n"`
}

// compact writes JSON as the generator does.
func compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// slots reads a ledger.
func slots(ledger any) []slot {
	list := []slot{}
	if err := json.Unmarshal([]byte(ledger.(string)), &list); err != nil {
		panic(err)
	}
	return list
}

// lines generates timelines.
func lines(t testing.TB, p generate.Params) []string {
	t.Helper()
	var b bytes.Buffer
	if err := generate.Write(t.Context(), &b, p); err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(b.String(), "\n")[:p.Personas]
}

func decode(t testing.TB, line string) *row {
	t.Helper()
	r := &row{}
	if err := json.Unmarshal([]byte(line), r); err != nil {
		t.Fatal(err)
	}
	return r
}

// splits are the lines of a release's files by the names of their splits.
type splits map[string][]string

// params are those of the release that the tests break.
func params(split string, personas int) generate.Params {
	return generate.Params{Personas: personas, Sessions: 8, Budget: 12, Seed: 137, Split: split}
}

// valid is a release that keeps every promise.
func valid(t testing.TB) splits {
	t.Helper()
	return splits{"train": lines(t, params("train", 12)), "val": lines(t, params("val", 2)), "test": lines(t, params("test", 2))}
}

// findings validates a release and lists what is found.
func (s splits) findings(t testing.TB, reproduce string) []string {
	t.Helper()
	return s.files(reproduce).Findings(t)
}

// files are those of the release with these splits.
func (s splits) files(reproduce string) familytest.Files {
	manifest := "version: 1\nrelease: {name: clerk, version: 1.0.0}\nrepos:\n- id: acme/clerk\n  type: dataset\n  status: public\n  license: apache-2.0\n" +
		reproduce + "  configs:\n  - name: default\n    splits:\n"
	files := familytest.Files{"README.md": "---\nlicense: apache-2.0\n---\n"}
	for _, name := range []string{"train", "val", "test"} {
		if s[name] != nil {
			manifest += fmt.Sprintf("    - {name: %s, files: [%s.jsonl], artifact: clerk/timelines}\n", name, name)
			files[name+".jsonl"] = strings.Join(s[name], "")
		}
	}
	files["hfpub.yaml"] = manifest
	return files
}
