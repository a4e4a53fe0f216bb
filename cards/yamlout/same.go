package yamlout

import (
	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/strictyaml"
)

// Same tells whether a value that stands in a card means what want means, to readers of YAML 1.1 and 1.2 alike. Style,
// comments and the order of keys do not matter. The nodes hold no aliases.
func Same(have, want *yaml.Node) bool {
	if have == want {
		return true
	}
	if have == nil || want == nil || have.Kind != want.Kind {
		return false
	}
	switch want.Kind {
	case yaml.ScalarNode:
		return sameScalar(have, want)
	case yaml.SequenceNode:
		return sameItems(have.Content, want.Content)
	case yaml.MappingNode:
		return samePairs(have, want)
	}
	return false
}

// sameScalar holds for two ambiguous scalars only where want was read from a file too, and is to stay as it was.
func sameScalar(have, want *yaml.Node) bool {
	if typeOf(have) != typeOf(want) || have.Value != want.Value {
		return false
	}
	return !strictyaml.Ambiguous(have) || bare(want)
}

// typeOf is the tag of a scalar in YAML 1.2, which knows no dates and no merge keys.
func typeOf(n *yaml.Node) string {
	switch tag := n.ShortTag(); tag {
	case "!!timestamp", "!!merge":
		return "!!str"
	default:
		return tag
	}
}

func sameItems(have, want []*yaml.Node) bool {
	if len(have) != len(want) {
		return false
	}
	for i := range want {
		if !Same(have[i], want[i]) {
			return false
		}
	}
	return true
}

func samePairs(have, want *yaml.Node) bool {
	if len(have.Content) != len(want.Content) {
		return false
	}
	for i := 0; i+1 < len(want.Content); i += 2 {
		at := indexOf(have, want.Content[i])
		if at < 0 || !Same(have.Content[at+1], want.Content[i+1]) {
			return false
		}
	}
	return true
}

// indexOf finds the key of a mapping that means the same as key, -1 where there is none.
func indexOf(m, key *yaml.Node) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if Same(m.Content[i], key) {
			return i
		}
	}
	return -1
}
