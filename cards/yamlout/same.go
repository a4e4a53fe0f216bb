package yamlout

import "gopkg.in/yaml.v3"

// Same tells whether a value that stands in a card means what want means, to readers of YAML 1.1 and 1.2 alike.
// Style, comments and the order of keys do not matter, with one exception: below a key `features` the order does, because the
// loader takes the first key of a feature, `name` aside, for its kind.
//
// Aliases of aliases can stand for more nodes than anybody has time for: after a million comparisons the answer is no.
func Same(have, want *yaml.Node) bool {
	c := comparison{budget: 1_000_000}
	return c.same(have, want, false)
}

type comparison struct{ budget int }

func (c *comparison) same(have, want *yaml.Node, ordered bool) bool {
	if have == want {
		return true
	}
	if c.budget--; c.budget < 0 {
		return false
	}
	have, want = target(have), target(want)
	if have == nil || want == nil || have.Kind != want.Kind {
		return have == want
	}
	switch want.Kind {
	case yaml.ScalarNode:
		return sameScalar(have, want)
	case yaml.SequenceNode:
		return c.sameItems(have.Content, want.Content, ordered)
	case yaml.MappingNode:
		return c.samePairs(have, want, ordered)
	}
	return false
}

func sameScalar(have, want *yaml.Node) bool {
	if have.ShortTag() != want.ShortTag() || have.Value != want.Value {
		return false
	}
	misread := have.ShortTag() == "!!str" && have.Style&quoted == 0 && !plain(have.Value)
	return !misread || bare(want)
}

func (c *comparison) sameItems(have, want []*yaml.Node, ordered bool) bool {
	if len(have) != len(want) {
		return false
	}
	for i := range want {
		if !c.same(have[i], want[i], ordered) {
			return false
		}
	}
	return true
}

func (c *comparison) samePairs(have, want *yaml.Node, ordered bool) bool {
	if len(have.Content) != len(want.Content) {
		return false
	}
	if ordered {
		return c.sameItems(nameFirst(have.Content), nameFirst(want.Content), true)
	}
	for i := 0; i+1 < len(want.Content); i += 2 {
		key := want.Content[i]
		at := c.indexOf(have, key)
		if at < 0 || !c.same(have.Content[at+1], want.Content[i+1], key.Value == "features") {
			return false
		}
	}
	return true
}

// indexOf finds the key of a mapping that means the same as key, -1 where there is none.
func (c *comparison) indexOf(m *yaml.Node, key *yaml.Node) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if c.same(m.Content[i], key, false) {
			return i
		}
	}
	return -1
}

// nameFirst moves the pair of the key `name` to the front.
func nameFirst(pairs []*yaml.Node) []*yaml.Node {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].Value != "name" {
			continue
		}
		moved := append([]*yaml.Node{}, pairs[i:i+2]...)
		moved = append(moved, pairs[:i]...)
		return append(moved, pairs[i+2:]...)
	}
	return pairs
}
