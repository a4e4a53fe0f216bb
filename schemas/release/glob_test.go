package release

import (
	"slices"
	"strings"
	"testing"
)

func TestGlob(t *testing.T) {
	tests := []struct {
		pattern  string
		yes, not []string
	}{
		{"data/train.jsonl", []string{"data/train.jsonl"}, []string{"train.jsonl", "data/train.jsonl.gz",
			"x/data/train.jsonl"}},
		{"./data//train.jsonl", []string{"data/train.jsonl"}, nil},
		{"*.csv", []string{"a.csv", "a b.csv"}, []string{"x/a.csv", ".csv", "a.csv.gz"}},
		{"data/*", []string{"data/a", "data/a.csv"}, []string{"data/x/a", "data/.a"}},
		{"*/a", []string{"x/a"}, []string{"a", "x/y/a"}},
		{"**", []string{"a", "x/a", "x/y/a"}, []string{".a", "x/.y/a", "__x/a"}},
		{"**/a", []string{"a", "x/a", "x/y/a"}, []string{"xa", "x/ba"}},
		{"data/**/x-*.parquet", []string{"data/x-1.parquet", "data/a/b/x-1.parquet"}, []string{"x-1.parquet",
			"data/ax-1.parquet"}},
		{"data/**", []string{"data/a", "data/x/a"}, []string{"data", "dataa"}},
		{"a?.csv", []string{"ab.csv", "aé.csv"}, []string{"a.csv", "abc.csv", "a/.csv"}},
		{"a[0-9].csv", []string{"a0.csv", "a5.csv"}, []string{"ax.csv", "a10.csv"}},
		{"a[!0-9].csv", []string{"ax.csv"}, []string{"a0.csv", "a/.csv"}},
		{"a[]x].csv", []string{"a].csv", "ax.csv"}, []string{"a.csv"}},
		{"a[!]].csv", []string{"ax.csv"}, []string{"a].csv"}},
		{"a[^b].csv", []string{"a^.csv", "ab.csv"}, []string{"ac.csv"}},
		{"a[z-a].csv", nil, []string{"az.csv", "a-.csv", "aa.csv"}},
		{"a[a-].csv", []string{"a-.csv", "aa.csv"}, []string{"ab.csv"}},
		{"a[.csv", []string{"a[.csv"}, []string{"a.csv"}},
		{"a[*].csv", []string{"a*.csv"}, []string{"ab.csv"}},
		{"{a,b}.csv", []string{"{a,b}.csv"}, []string{"a.csv"}},
		{"a+(b).csv", []string{"a+(b).csv"}, []string{"aab.csv"}},
		{".h/*", []string{".h/a"}, []string{".h/.a", "h/a"}},
		{"*/.a", []string{"x/.a"}, []string{".x/.a"}},
		{"**/.*/*", []string{".x/a", "y/.x/a"}, []string{".x/.y/a"}},
		{"__*/*", []string{"__x/a"}, []string{"x/a"}},
		{"**/config.json", []string{"config.json", "x/config.json"}, nil},
		{"**/*.json", []string{"x.json"}, []string{"config.json", "x/dataset_info.json", "dataset_dict.json"}},
	}
	for _, test := range tests {
		g, err := compileGlob(test.pattern)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		for _, file := range test.yes {
			if !g.covers(file) {
				t.Errorf("%s does not cover %s", test.pattern, file)
			}
		}
		for _, file := range test.not {
			if g.covers(file) {
				t.Errorf("%s covers %s", test.pattern, file)
			}
		}
	}
}

func TestGlobsThatAreRefused(t *testing.T) {
	for _, pattern := range []string{"", ".", "./", "/a", "../a", "a/../../b", "a/..", "**.csv", "a**/b", "data/",
		`a\b`, "hf://x/y", "a\xff", "a\x00"} {
		if _, err := compileGlob(pattern); err == nil {
			t.Errorf("%q is taken", pattern)
		}
	}
}

func TestBuilder(t *testing.T) {
	tests := []struct {
		files []string
		want  string
	}{
		{nil, ""},
		{[]string{"LICENSE", "a.md"}, ""},
		{[]string{"a.jsonl", "b.txt", "c.txt"}, "text"},
		{[]string{"a.jsonl", "b.csv"}, "json"},
		{[]string{"a.jsonl", "b.parquet"}, "parquet"},
		{[]string{"a.csv", "b.txt"}, "csv"},
		{[]string{"a.txt", "b.xml"}, "xml"},
		{[]string{"a.tsv"}, "csv"},
		{[]string{"a.jsonl.gz"}, "json"},
		{[]string{"a.zip"}, ""},
		{[]string{"a.JPG", "metadata.jsonl", "x/metadata.jsonl"}, "imagefolder"},
		{[]string{"metadata.csv"}, "csv"},
		{[]string{"a.h5"}, "hdf5"},
		{[]string{"a.mpeg"}, "videofolder"},
		{append(slices.Repeat([]string{"a.csv"}, 100), slices.Repeat([]string{"b.txt"}, 900)...), "csv"},
	}
	for _, test := range tests {
		if got := Builder(test.files); got != test.want {
			t.Errorf("Builder(%.3q…) = %q, want %q", test.files, got, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	ids := map[string]bool{
		"a/b": true, "A_1/b.c-d_e": true, "_/_": true, "a/" + strings.Repeat("x", 96): true, "MemGym/memgym-rm-train": true,
		"a": false, "/b": false, "a/": false, "a/b/c": false, "datasets/a/b": false, "a/b--c": false, "a..b/c": false, "a/b.git": false, "-a/b": false,
		"a/b-": false, "a/.b": false, "a/b c": false, "ä/b": false, "a/" + strings.Repeat("x", 97): false, "": false,
	}
	for id, want := range ids {
		if fault := CheckRepoID(id); (fault == "") != want {
			t.Errorf("repo id %q: %q, want it allowed: %v", id, fault, want)
		}
	}
	names := map[string]bool{"train": true, "v1.0": true, "a_b.c": true, "train2": true, "größe": true,
		"train-clean": false, "a b": false, "": false, "a.": false, ".a": false, "a..b": false, "a/b": false, "all": false}
	for name, want := range names {
		if fault := checkSplitName(name); (fault == "") != want {
			t.Errorf("split name %q: %q, want it allowed: %v", name, fault, want)
		}
		if mended := mendSplitName(name); checkSplitName(mended) != "" {
			t.Errorf("%q is mended to %q, which is no name either", name, mended)
		}
	}
}

func FuzzGlob(f *testing.F) {
	for _, s := range []string{"data/*.jsonl", "**/a", "a[b-c]", "[!]", "[", "{a}", "**", "a?", "[a-", ".x/*", "[]",
		"[!a-]b]"} {
		f.Add(s, "data/a.jsonl")
	}
	f.Fuzz(func(t *testing.T, pattern, file string) {
		g, err := compileGlob(pattern)
		if err != nil {
			return
		}
		g.covers(file)
		whole, err := compileGlob(literal(file))
		if err == nil && !strings.ContainsAny(file,
			"\n") && whole.pattern == literal(file) && !slices.Contains(neverData, file) && !whole.match.MatchString(file) {
			t.Errorf("the literal pattern %q does not match %q", literal(file), file)
		}
	})
}
