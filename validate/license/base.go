package license

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// base is a model that weights were trained on from, and where it is named.
type base struct {
	name  string
	place finding.Place
}

const (
	// adapterConfig is the file in which PEFT says what an adapter is for, in its key base_model_name_or_path.
	adapterConfig = "adapter_config.json"
	// maxConfig bounds the bytes that are read of it.
	maxConfig = 1 << 20
	// maxBases bounds the base models taken from one list.
	maxBases = 100
)

// basesOfCard reads base_model of a front matter: an id or a list of ids.
func basesOfCard(matter *frontmatter.Matter) []base {
	_, node := matter.Get("base_model")
	if node == nil {
		return nil
	}
	list := strictyaml.Items(node)
	if list == nil {
		list = append(list, node)
	}
	var out []base
	for _, n := range list[:min(len(list), maxBases)] {
		if name, ok := strictyaml.String(n); ok && name != "" {
			out = append(out, base{name, finding.Place{Path: readme, Line: n.Line, Column: n.Column}})
		}
	}
	return out
}

// basesOfManifest are the base models that hfpub.yaml gives for a card that does not name them yet.
func basesOfManifest(rel *release.Release, repo *release.Repo) []base {
	var out []base
	for _, name := range repo.Card.Model.BaseModel {
		out = append(out, base{name, placeIn(rel, repo.Pos)})
	}
	return out
}

// basesOfAdapters reads which models the adapters of a repo are for. A path of the machine that trained is no name of a model
// on the Hub, and is left to those who look for such paths.
func basesOfAdapters(root *os.Root, tree []release.TreeFile) ([]base, error) {
	var out []base
	for _, f := range tree {
		if path.Base(f.Path) != adapterConfig || !f.Mode.IsRegular() || f.Size > maxConfig {
			continue
		}
		text, err := regularfile.ReadIn(root, filepath.FromSlash(f.Path), maxConfig)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Path, err)
		}
		var config struct {
			Base string `json:"base_model_name_or_path"`
		}
		if json.Unmarshal(text, &config) != nil || config.Base == "" || path.IsAbs(config.Base) {
			continue
		}
		place := finding.Place{Path: f.Path, Pointer: "/base_model_name_or_path"}
		out = append(out, base{config.Base, place})
	}
	return out, nil
}
