package memgym

import (
	"io"
	"os"
	"path"
	"strings"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// The files of an adapter.
const (
	adapterConfig  = "adapter_config.json"
	adapterWeights = "adapter_model.safetensors"
)

// isAdapter says that a repo is the model repo of MemGym's reward model, or one of that layout.
func isAdapter(repo *release.Repo) bool {
	return repo.Type == release.Model && strings.Contains(path.Base(repo.ID), "memgym-rm")
}

// adapters judges the layout of the adapter. That its card names the model that it is an adapter of, is a matter of licenses.
func (c *check) adapters(say *observe.Findings) {
	for i := range c.release.Repos {
		repo := &c.release.Repos[i]
		if !isAdapter(repo) || repo.Status != release.Public || repo.Dir == "" {
			continue
		}
		a := adapter{repo: repo, say: say, files: map[string]bool{}}
		for _, f := range repo.Tree {
			a.files[f.Path] = true
		}
		a.judge()
	}
}

type adapter struct {
	repo  *release.Repo
	say   *observe.Findings
	files map[string]bool
}

func (a *adapter) add(file, format string, args ...any) {
	f := finding.New(finding.MemgymAdapter, format, args...).At(file, 0)
	f.Repo = a.repo.ID
	a.say.Add(nil, f.Hinting("an adapter is a folder with adapter_config.json, adapter_model.safetensors and the files of its tokenizer, such as checkpoint-500/"))
}

func (a *adapter) judge() {
	config := ""
	for _, f := range a.repo.Tree {
		if path.Base(f.Path) == adapterConfig {
			config = f.Path
			if weights := path.Join(path.Dir(f.Path), adapterWeights); !a.files[weights] {
				a.add(weights, "%s has no %s beside it", f.Path, adapterWeights)
			}
		}
	}
	switch {
	case config == "":
		a.add(adapterConfig, "%s holds no %s", a.repo.ID, adapterConfig)
	case !a.files[adapterConfig] && !a.tellsFolder():
		f := finding.New(finding.MemgymAdapterFolder, "the adapter is in %s, and loading it by the name of the repo alone fails", path.Dir(config)).At(config, 0)
		f.Repo = a.repo.ID
		a.say.Add(nil, f.Hinting("tell in the card that it is loaded with subfolder=%q", path.Dir(config)))
	}
}

// maxCard bounds how much of a card is read: far more than a card has.
const maxCard = 1 << 20

// tellsFolder says that the card, or what hfpub.yaml says for it, tells that the adapter is in a folder.
func (a *adapter) tellsFolder() bool {
	const word = "subfolder"
	for _, section := range a.repo.Card.Sections {
		if strings.Contains(section.Text, word) {
			return true
		}
	}
	root, err := os.OpenRoot(a.repo.Dir)
	if err != nil {
		return false // whoever reads the files reports it
	}
	defer root.Close()
	card, err := regularfile.OpenIn(root, "README.md")
	if err != nil {
		return false
	}
	defer card.Close()
	text, err := io.ReadAll(io.LimitReader(card, maxCard))
	return err == nil && strings.Contains(string(text), word)
}
