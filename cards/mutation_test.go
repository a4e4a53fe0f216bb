package cards

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mutations change one line of a card.
var mutations = map[string]func(lines []string, i int) []string{
	"line gone":    func(lines []string, i int) []string { return slices.Delete(slices.Clone(lines), i, i+1) },
	"line twice":   func(lines []string, i int) []string { return slices.Insert(slices.Clone(lines), i, lines[i]) },
	"blank line":   func(lines []string, i int) []string { return slices.Insert(slices.Clone(lines), i, "\n") },
	"comment line": func(lines []string, i int) []string { return slices.Insert(slices.Clone(lines), i, "# a remark\n") },
	"tab at the end": func(lines []string, i int) []string {
		return with(lines, i, strings.TrimSuffix(lines[i], "\n")+"\t\n")
	},
	"indented": func(lines []string, i int) []string { return with(lines, i, "  "+lines[i]) },
	"anchor": func(lines []string, i int) []string {
		return with(lines, i, strings.Replace(lines[i], ": ", ": &a ", 1))
	},
	"bare no": func(lines []string, i int) []string {
		return with(lines, i, strings.Replace(lines[i], "- ", "- no # ", 1))
	},
	"cut off": func(lines []string, i int) []string { return lines[:i] },
	"other end": func(lines []string, i int) []string {
		return with(lines, i, strings.Replace(lines[i], "\n", "\r\n", 1))
	},
	"no end":       func(lines []string, i int) []string { return with(lines[:i+1], i, strings.TrimSuffix(lines[i], "\n")) },
	"not UTF-8":    func(lines []string, i int) []string { return with(lines, i, "\xff"+lines[i]) },
	"another mark": func(lines []string, i int) []string { return with(lines, i, "---\n") },
}

func with(lines []string, i int, line string) []string {
	out := slices.Clone(lines)
	out[i] = line
	return out
}

// A card that somebody changed in any one place is refused, or keeps what people wrote and does not change when it is
// rendered again.
func TestMutatedCards(t *testing.T) {
	paths, err := filepath.Glob("testdata/cards/*.md")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cards to change: %v", err)
	}
	for _, path := range paths {
		readme, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.Collect(strings.Lines(string(readme)))
		for name, mutate := range mutations {
			t.Run(filepath.Base(path)+"/"+name, func(t *testing.T) {
				for i := range lines {
					in := folder("")
					if i%2 == 0 {
						in = declared()
					}
					in.README = []byte(strings.Join(mutate(lines, i), ""))
					out, err := Render(in)
					var refusal *Refusal
					if errors.As(err, &refusal) {
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					keepsHandWritten(t, in.README, out.file(t, ReadmePath), in.Repo.Declared)
					again(t, in, out)
					if t.Failed() {
						t.Fatalf("line %d", i+1)
					}
				}
			})
		}
	}
}

func TestOwnCards(t *testing.T) {
	for _, name := range []string{"full.md", "bare.md"} {
		readme, err := os.ReadFile(filepath.Join("testdata", "cards", name))
		if err != nil {
			t.Fatal(err)
		}
		in := folder(string(readme))
		out := render(t, in)
		golden(t, filepath.Join("existing", "folder", name), out.file(t, ReadmePath))
		again(t, in, out)
	}
}
