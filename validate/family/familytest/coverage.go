package familytest

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hfpub/hfpub/schemas"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
)

// Mutations is how many broken releases the tests of an artifact hold at least.
const Mutations = 3

// Family says what the tests of a family have to show.
type Family struct {
	// Name is the first part of the names of its artifacts and codes.
	Name string
	// Repos are codes about model repos, which have no artifact: each is a row of the table of artifacts of its own.
	Repos []finding.Code
	// Open lists artifacts and codes that the tests do not show yet. What they show has to leave the list.
	Open []string
}

// Main runs the tests of a family's package. When all of them were run it looks at every release that [Files.Findings] and
// [Files.Found] validated: each artifact of the family needs a release in which nothing is wrong and at least [Mutations] in
// which something is found in its rows, and each code of the family one in which no other code of the family is found.
func Main(m *testing.M, family Family) {
	status := m.Run()
	for _, part := range []string{"run", "skip", "list", "fuzz"} {
		if f := flag.Lookup("test." + part); f != nil && f.Value.String() != "" {
			os.Exit(status)
		}
	}
	if wrong := seen.missing(family); len(wrong) > 0 {
		fmt.Fprintf(os.Stderr, "the tests of %s do not show what they have to:\n\t%s\n", family.Name, strings.Join(wrong, "\n\t"))
		status = max(status, 1)
	}
	os.Exit(status)
}

// seen is what the tests of this process showed: [Main] looks at it when they are over.
var seen = coverage{valid: map[string]bool{}, broken: map[string]map[[sha256.Size]byte]bool{}, alone: map[finding.Code]bool{}}

type coverage struct {
	lock sync.Mutex
	// valid are the artifacts in which nothing was wrong, broken the releases by the artifact in whose rows something was.
	valid  map[string]bool
	broken map[string]map[[sha256.Size]byte]bool
	// models says that nothing was wrong in a release with a model repo.
	models bool
	// alone are the codes that were found with no other code of their area.
	alone map[finding.Code]bool
}

// note takes in what was found in a release.
func (c *coverage) note(f Files, rel *release.Release, report *validate.Report) {
	c.lock.Lock()
	defer c.lock.Unlock()
	codes := map[string]map[finding.Code]bool{}
	sum := f.sum()
	clean := true
	for _, found := range report.Findings {
		area, _, _ := strings.Cut(string(found.Code), "/")
		if area == "claim" || !slices.Contains(areas(), area) && found.Severity != finding.Error {
			continue // says nothing of the rows of an artifact
		}
		rows := artifactsOf(rel, report, found)
		clean = clean && found.Severity == finding.Note
		if codes[area] == nil {
			codes[area] = map[finding.Code]bool{}
		}
		codes[area][found.Code] = true
		for _, row := range append(rows, string(found.Code)) {
			if c.broken[row] == nil {
				c.broken[row] = map[[sha256.Size]byte]bool{}
			}
			c.broken[row][sum] = true
		}
	}
	for _, of := range codes {
		if len(of) == 1 {
			maps.Copy(c.alone, of)
		}
	}
	if clean {
		for _, repo := range rel.Repos {
			c.models = c.models || repo.Type == release.Model
			for _, config := range repo.Configs {
				for _, split := range config.Splits {
					c.valid[split.Artifact] = true
				}
			}
		}
	}
}

// areas are those of what is wrong with the rows of an artifact, whatever its severity.
func areas() []string {
	return []string{"clerk", "memgym", "racktic", "umb", "schema", "json", "csv", "rule"}
}

// artifactsOf are the artifacts of the rows that a finding is about: those of its split, or of all splits with its file.
func artifactsOf(rel *release.Release, report *validate.Report, f finding.Finding) (artifacts []string) {
	for _, repo := range report.Repos {
		if f.Repo != "" && f.Repo != repo.ID {
			continue
		}
		for _, config := range repo.Configs {
			for _, split := range config.Splits {
				isOf := f.Path == "" && f.Config == config.Name && f.Split == split.Name
				for _, file := range split.Files {
					isOf = isOf || f.Path != "" && file.Path == f.Path
				}
				if isOf {
					artifacts = append(artifacts, artifactOf(rel, repo.ID, config.Name, split.Name)...)
				}
			}
		}
	}
	return artifacts
}

func artifactOf(rel *release.Release, repo, config, split string) []string {
	for _, c := range rel.Repo(repo).Configs {
		for _, s := range c.Splits {
			if c.Name == config && s.Name == split && s.Artifact != "" {
				return []string{s.Artifact}
			}
		}
	}
	return nil
}

// sum tells releases apart.
func (f Files) sum() (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(h, "%q", name)
		_, _ = io.WriteString(h, f[name])
	}
	h.Sum(sum[:0])
	return sum
}

// missing says what the tests do not show, and what stands on the list of what they do not show although they do.
func (c *coverage) missing(family Family) (wrong []string) {
	judge := func(name, problem string) {
		switch open := slices.Contains(family.Open, name); {
		case problem != "" && !open:
			wrong = append(wrong, name+": "+problem)
		case problem == "" && open:
			wrong = append(wrong, name+": is shown, and stands on the list of what is not")
		}
	}
	row := func(name string, valid bool) {
		switch n := len(c.broken[name]); {
		case !valid:
			judge(name, "no release in which nothing is wrong")
		case n < Mutations:
			judge(name, fmt.Sprintf("%d releases in which something is found in it, want at least %d", n, Mutations))
		default:
			judge(name, "")
		}
	}
	for _, name := range schemas.Artifacts() {
		if strings.HasPrefix(name, family.Name+"/") {
			row(name, c.valid[name])
		}
	}
	for _, info := range finding.Codes() {
		if !strings.HasPrefix(string(info.Code), family.Name+"/") {
			continue
		}
		if slices.Contains(family.Repos, info.Code) {
			row(string(info.Code), c.models)
			continue
		}
		problem := ""
		if !c.alone[info.Code] {
			problem = "no release in which it is found and no other code of " + family.Name
		}
		judge(string(info.Code), problem)
	}
	return wrong
}
