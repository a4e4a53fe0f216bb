package memgym

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// listName is the file of the ids that one of the reasoners was run on, one in a line.
const (
	listName  = "swegym_diverse_500.txt"
	listModel = "haiku45"
)

// listed says which trajectories of that reasoner are not on the list, if the release has it.
func (c *check) listed(ctx context.Context, splits []seen, say *observe.Findings) error {
	if len(splits) == 0 {
		return nil
	}
	known, err := c.list(ctx)
	if err != nil || known == nil {
		return err
	}
	for _, s := range splits {
		for i := range s.entries {
			e := &s.entries[i]
			if id := e.texts[keptTrajectory]; e.texts[keptModel] == listModel && !known[id] {
				f := finding.New(finding.MemgymNotListed, "%s is a trajectory of %s, and not in %s", id, listModel, listName)
				say.Add(s.split, placed(f, e.place("/trajectory_id")).Hinting("the list has every instance that the run of this reasoner was made of"))
			}
		}
	}
	return nil
}

// list reads the ids; nil when no repo has the file.
func (c *check) list(ctx context.Context) (map[string]bool, error) {
	for i := range c.release.Repos {
		repo := &c.release.Repos[i]
		for _, f := range repo.Tree {
			if path.Base(f.Path) == listName {
				return readList(ctx, repo, f.Path)
			}
		}
	}
	return nil, nil
}

func readList(ctx context.Context, repo *release.Repo, name string) (map[string]bool, error) {
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := regularfile.OpenIn(root, filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	defer file.Close()
	known := map[string]bool{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		known[strings.TrimSpace(lines.Text())] = true
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return known, nil
}
