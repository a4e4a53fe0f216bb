package secrets

// automaton finds many words in a text at once, whatever their case in ASCII (Aho and Corasick, 1975). It is a complete
// table: one look-up for each byte of the text, and no way back.
type automaton struct {
	// next holds for each state and byte the state that follows. States with a word that ends there are numbered from first on.
	next  []uint16
	first uint16
	// words are the numbers of the words that end in a state, by the state's number less first.
	words [][]int
}

// newAutomaton builds the automaton of some words in lower case. There may be as many as fit into 65,536 states.
func newAutomaton(words []string) *automaton {
	type node struct {
		next map[byte]int
		fail int
		ends []int
	}
	nodes := []node{{next: map[byte]int{}}}
	for i, word := range words {
		at := 0
		for j := range len(word) {
			to, ok := nodes[at].next[word[j]]
			if !ok {
				to = len(nodes)
				nodes = append(nodes, node{next: map[byte]int{}})
				nodes[at].next[word[j]] = to
			}
			at = to
		}
		nodes[at].ends = append(nodes[at].ends, i)
	}
	// Breadth first, so that the state to fall back to is complete before it is needed.
	full := make([][256]int, len(nodes))
	order := []int{0}
	for i := 0; i < len(order); i++ {
		at := order[i]
		for b := range 256 {
			to, ok := nodes[at].next[byte(b)]
			switch {
			case ok && at == 0:
				full[at][b] = to
			case ok:
				nodes[to].fail = full[nodes[at].fail][b]
				full[at][b] = to
			case at != 0:
				full[at][b] = full[nodes[at].fail][b]
			}
			if ok {
				order = append(order, to)
			}
		}
		if at != 0 {
			nodes[at].ends = append(nodes[at].ends, nodes[nodes[at].fail].ends...)
		}
	}
	number := make([]uint16, len(nodes))
	a := &automaton{}
	for _, last := range []bool{false, true} {
		if last {
			a.first = uint16(len(order)) // lowered below
		}
		for _, at := range order {
			if len(nodes[at].ends) > 0 == last {
				number[at] = uint16(len(a.words))
				a.words = append(a.words, nodes[at].ends)
			}
		}
	}
	for i, ends := range a.words {
		if len(ends) > 0 {
			a.first = min(a.first, uint16(i))
		}
	}
	a.next = make([]uint16, len(nodes)*256)
	for at := range nodes {
		for b := range 256 {
			low := b
			if 'A' <= b && b <= 'Z' {
				low += 'a' - 'A'
			}
			a.next[int(number[at])<<8|b] = number[full[at][low]]
		}
	}
	a.words = a.words[a.first:]
	return a
}

// find calls fn for every end of a word in the text: the offset behind it, and the numbers of the words that end there.
func (a *automaton) find(text []byte, fn func(end int, words []int)) {
	state, next, first := 0, a.next, int(a.first)
	for i, b := range text {
		state = int(next[state<<8|int(b)])
		if state >= first {
			fn(i+1, a.words[state-first])
		}
	}
}
