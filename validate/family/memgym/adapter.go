package memgym

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/hfpub/hfpub/schemas/frontmatter"
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

// maxText bounds the bytes of a README.md or adapter_config.json that are read.
const maxText = 16 << 20

// adapters judges the layout of the adapter, and that its card names the model that it is an adapter of.
func (c *check) adapters(say *observe.Findings) error {
	for i := range c.release.Repos {
		repo := &c.release.Repos[i]
		if !isAdapter(repo) || repo.Status != release.Public || repo.Dir == "" {
			continue
		}
		a := adapter{repo: repo, say: say, files: map[string]bool{}}
		for _, f := range repo.Tree {
			a.files[f.Path] = true
		}
		if err := a.judge(); err != nil {
			return err
		}
	}
	return nil
}

type adapter struct {
	repo  *release.Repo
	say   *observe.Findings
	files map[string]bool
}

func (a *adapter) add(code finding.Code, file, pointer, hint, format string, args ...any) {
	f := finding.New(code, format, args...).At(file, 0).In(pointer).Hinting("%s", hint)
	f.Repo = a.repo.ID
	a.say.Add(nil, f)
}

func (a *adapter) judge() error {
	config := ""
	for _, f := range a.repo.Tree {
		if path.Base(f.Path) == adapterConfig {
			config = f.Path
			if weights := path.Join(path.Dir(f.Path), adapterWeights); !a.files[weights] {
				a.add(finding.MemgymAdapter, weights, "", adapterHint, "%s has no %s beside it", f.Path, adapterWeights)
			}
		}
	}
	if config == "" {
		a.add(finding.MemgymAdapter, adapterConfig, "", adapterHint, "%s holds no %s", a.repo.ID, adapterConfig)
		return nil
	}
	return a.base(config)
}

const adapterHint = "an adapter is a folder with adapter_config.json, adapter_model.safetensors and the files of its tokenizer, such as checkpoint-500/"

// base judges that the card names the base model, and the one of the adapter.
func (a *adapter) base(config string) error {
	root, err := os.OpenRoot(a.repo.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var of struct {
		Base string `json:"base_model_name_or_path"`
	}
	text, err := regularfile.ReadIn(root, config, maxText)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &of); err != nil {
		a.add(finding.MemgymAdapter, config, "", adapterHint, "%s is not JSON of an adapter", config)
		return nil
	}
	readme, err := regularfile.ReadIn(root, "README.md", maxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // that there is no card is found elsewhere
	}
	if err != nil {
		return err
	}
	matter, _ := frontmatter.Read("README.md", readme)
	const hint = "write base_model: with the id of the base model: the license of the weights is that of the base, and the Hub links to it"
	base, _ := matter.Strings("base_model")
	switch {
	case len(base) == 0:
		a.add(finding.MemgymBaseModel, "README.md", "/base_model", hint, "the card names no base_model")
	case of.Base != "" && base[0] != of.Base:
		a.add(finding.MemgymBaseModel, "README.md", "/base_model", hint, "base_model is %s, and %s is an adapter of %s", base[0], config, of.Base)
	}
	return nil
}
