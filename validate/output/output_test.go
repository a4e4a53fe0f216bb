package output_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is a result that holds what is hard to write: folded findings, pipes, percent signs, control characters.
func sample() output.Result {
	var s finding.Set
	s.Add(finding.New(finding.JSONSyntax, "expected a value, found %q", '}').AtColumn("data/train.jsonl", 3, 12).Hinting("remove the comma"))
	s.Add(finding.New(finding.JSONDuplicateKey, "the key a|b stands twice: 100%%").At("data/train.jsonl", 2).In("/a|b"))
	s.Add(finding.New(finding.JSONDuplicateKey, "the key a|b stands twice: 100%%").At("data/train.jsonl", 7).In("/a|b"))
	s.Add(finding.New(finding.JSONCRLF, "lines end\nwith \x1b[31mCR LF").At("data/test.jsonl", 1))
	s.Add(finding.New(finding.LoaderDefaultConfig, "two configs and no default").OfSplit("main", ""))
	return output.Result{
		Command: "validate",
		JSON:    map[string]any{"report": 1, "note": "<&>"},
		Tables: []output.Table{{
			Title:   "acme/tea",
			Header:  []string{"split", "rows", "sequence_digest"},
			Rows:    [][]string{{"train", "7,473", "ab|c"}, {"a_very_long_split_name that would wrap if tables wrapped their cells at some width", "2", ""}},
			Numbers: []int{1},
		}},
		Findings: s.All(),
		Lines:    []string{"3 errors, 1 warning, 1 note"},
	}
}

func TestFormatsMatchGoldenFiles(t *testing.T) {
	for _, format := range output.Formats() {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			locate := func(_ *finding.Finding, path string) string { return "repo/" + path }
			if err := output.Write(&b, format, sample(), output.Options{Version: "0.0.0", Locate: locate}); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", format+".golden")
			if *update {
				if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, b.Bytes()) {
				t.Errorf("%s differs from %s; got:\n%s", format, golden, b.Bytes())
			}
		})
	}
}

func TestNoFormatPrintsControlCharacters(t *testing.T) {
	for _, format := range []string{"table", "github", "junit", "markdown"} {
		var b bytes.Buffer
		if err := output.Write(&b, format, sample(), output.Options{}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsRune(b.String(), 0x1b) {
			t.Errorf("%s lets an escape character of the data through to the terminal or log:\n%q", format, b.String())
		}
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nb\tc":         "a  b c",
		"esc \x1b[31m":      "esc �[31m",
		"C1 \u009b31m":      "C1 �31m",
		"line\u2028end":     "line end",
		"back\u202eward":    "back�ward",
		"not \xff UTF-8":    "not � UTF-8",
		"tea | 茶 😀 a\u0301": "tea | 茶 😀 a\u0301",
	} {
		if got := output.OneLine(text); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", text, got, want)
		}
	}
}

// Twenty findings of a kind with one hint do not say it twenty times.
func TestHintsStandOnceForAKind(t *testing.T) {
	one := finding.New(finding.LeakNearRow, "q is nearly that of a.jsonl:1").At("a.jsonl", 2).Hinting("take the row out")
	two := finding.New(finding.LeakNearRow, "q is nearly that of a.jsonl:7").At("a.jsonl", 9).Hinting("take the row out")
	other := finding.New(finding.RuleUnique, "id 3 is not unique").At("a.jsonl", 4).Hinting("take the row out")
	var b bytes.Buffer
	if err := output.Write(&b, "table", output.Result{Findings: []finding.Finding{one, two, other}}, output.Options{Quiet: true}); err != nil {
		t.Fatal(err)
	}
	want := `error   leak/near-row  a.jsonl:2
        q is nearly that of a.jsonl:1
error   leak/near-row  a.jsonl:9
        q is nearly that of a.jsonl:7
        → take the row out
error   rule/unique  a.jsonl:4
        id 3 is not unique
        → take the row out
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTableKeepsNamesVerbatim(t *testing.T) {
	var b bytes.Buffer
	if err := output.Write(&b, "table", sample(), output.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sequence_digest", "a_very_long_split_name that would wrap if tables wrapped their cells at some width"} {
		if !strings.Contains(b.String(), name) {
			t.Errorf("the table does not hold %q as it is (tablewriter upper-cases and wraps unless told not to):\n%s", name, b.String())
		}
	}
}

func TestMarkdownTableRowsHaveAsManyCellsAsTheHeader(t *testing.T) {
	var b bytes.Buffer
	output.MarkdownTable(&b, output.Table{Header: []string{"a|b", "c"}, Rows: [][]string{{"x\ny", "p|q\\"}, {"", "|"}}})
	for line := range strings.Lines(b.String()) {
		bare := strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, "")
		if n := strings.Count(bare, "|"); n != 3 {
			t.Errorf("%q has %d cell borders, want 3: a pipe or line break of a cell broke the row", line, n)
		}
	}
}

func TestJUnitCountsWarningsAsFailuresOnlyWhenStrict(t *testing.T) {
	for _, c := range []struct {
		strict bool
		want   int
	}{{false, 2}, {true, 3}} {
		var b bytes.Buffer
		if err := output.Write(&b, "junit", sample(), output.Options{Strict: c.strict}); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Failures int `xml:"failures,attr"`
			Tests    int `xml:"tests,attr"`
		}
		if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatalf("JUnit output is not XML: %v\n%s", err, b.Bytes())
		}
		if doc.Failures != c.want || doc.Tests != 4 {
			t.Errorf("strict %v: %d failures of %d tests, want %d of 4", c.strict, doc.Failures, doc.Tests, c.want)
		}
	}
}

func TestSARIFIsValid(t *testing.T) {
	var b bytes.Buffer
	if err := output.Write(&b, "sarif", sample(), output.Options{Version: "0.0.0"}); err != nil {
		t.Fatal(err)
	}
	doc, err := sarif.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(); err != nil {
		t.Errorf("SARIF output does not meet the SARIF 2.1.0 schema: %v", err)
	}
}

func TestEverySARIFResultHasAFileAndALine(t *testing.T) {
	var b bytes.Buffer
	if err := output.Write(&b, "sarif", sample(), output.Options{}); err != nil {
		t.Fatal(err)
	}
	doc, err := sarif.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range doc.Runs[0].Results {
		if len(result.Locations) == 0 {
			t.Fatalf("%s has no location: GitHub refuses the whole report for one such result", *result.RuleID)
		}
		for _, l := range result.Locations {
			if place := l.PhysicalLocation; place.ArtifactLocation.URI == nil || *place.ArtifactLocation.URI == "" || place.Region == nil {
				t.Errorf("%s has a location without file or line: GitHub shows no such result", *result.RuleID)
			}
		}
	}
}

func TestSARIFNamesFilesByURI(t *testing.T) {
	r := output.Result{Findings: []finding.Finding{finding.New(finding.JSONSyntax, "m").At("my data/a#1.jsonl", 3)}}
	var b bytes.Buffer
	if err := output.Write(&b, "sarif", r, output.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := `"uri": "my%20data/a%231.jsonl"`; !strings.Contains(b.String(), want) {
		t.Errorf("the report lacks %s: a location is a URI, in which a blank or # stands for something else\n%s", want, b.String())
	}
}

func TestGitHubSaysTheTotalsBelowTheCommands(t *testing.T) {
	r := sample()
	r.Omitted, r.Lines = 2, []string{"::error::a folder can be called anything"}
	var b bytes.Buffer
	if err := output.Write(&b, "github", r, output.Options{}); err != nil {
		t.Fatal(err)
	}
	want := "2 more findings not shown: use --max-findings 0 to see all\nerror::a folder can be called anything\n"
	if !strings.HasSuffix(b.String(), want) {
		t.Errorf("got\n%s\nwant it to end with\n%s", b.String(), want)
	}
}

func TestJSONIsOneObject(t *testing.T) {
	var b bytes.Buffer
	if err := output.Write(&b, "json", sample(), output.Options{}); err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil || v["note"] != "<&>" {
		t.Errorf("got %s (%v), want one object with its texts as they are", b.Bytes(), err)
	}
}

func TestUnknownFormatNamesTheKnownOnes(t *testing.T) {
	err := output.Write(&bytes.Buffer{}, "xml", output.Result{}, output.Options{})
	if err == nil || !strings.Contains(err.Error(), "sarif") {
		t.Errorf("error %v, want one that lists the formats", err)
	}
}
