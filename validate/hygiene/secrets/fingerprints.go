package secrets

import (
	"cmp"
	"math/bits"
	"slices"
)

// place says which bytes of a pattern are its fingerprint, depth of them from at on, and in which set of begin they are.
type place struct{ at, set int }

// chooseFingerprints gives each pattern, a text of at least depth sets of bytes, a fingerprint, and adds it to begin. Fingerprints in one
// set are mixed up: the first byte of one goes with the second of another. So each pattern, that of the most common bytes
// first, takes the bytes and the set that add least to what is found in vain. Once all have theirs, each chooses again.
func (t *tables) chooseFingerprints(patterns []pattern) []place {
	seen := newSampled()
	order := make([]int, len(patterns))
	alone := make([]cost, len(patterns))
	none := make([]fingerprints, 1)
	for i := range patterns {
		order[i] = i
		_, alone[i] = seen.cheapest(&patterns[i], none)
	}
	slices.SortStableFunc(order, func(a, b int) int { return alone[b].compare(alone[a]) })
	places := make([]place, len(patterns))
	sets := make([]fingerprints, 8)
	for _, i := range order {
		places[i], _ = seen.cheapest(&patterns[i], sets)
		seen.add(&sets[places[i].set], &patterns[i], places[i].at)
	}
	for _, i := range order {
		of := places[i].set
		sets[of] = fingerprints{}
		for j, p := range places {
			if j != i && p.set == of {
				seen.add(&sets[of], &patterns[j], p.at)
			}
		}
		places[i], _ = seen.cheapest(&patterns[i], sets)
		seen.add(&sets[places[i].set], &patterns[i], places[i].at)
	}
	for i, p := range places {
		for k, bytes := range patterns[i].bytes[p.at : p.at+depth] {
			for b := range 256 {
				if bytes.has(byte(b)) {
					t.add(k, p.set, byte(b))
				}
			}
		}
	}
	return places
}

// sample shows which bytes stand beside each other in JSON: words of English, code, paths, differences between files, numbers, and
// escapes of characters of many languages.
const sample = `{"id": 10427, "messages": [{"role": "user", "content": "There are other ways that could work, but would you please make sure ` +
	`the answer is clear?\n\nWhat people have learned about their world before, they should understand better when something changes here. ` +
	`Use the first three lines and start where the last part ends: it never takes longer than those people think. Perhaps her brother's ` +
	`friend knows why we always use large words near small homes. Several languages support current programs: superior columns, a pair ` +
	`of chairs in fresh air, the second example.\n"}], "created_at": "2025-11-04T10:30:59Z", "score": 0.7318, "manager_id": ` +
	`["more", "next_step"], "ok": true, "source": null, "url": "https://www.tea-house.org/blog/index.html?page=2&sort=asc#top"}` +
	`import os, sys\nfrom collections import OrderedDict\n\nclass Parser(object):\n    def test_parse(self, name=None):\n        for item in ` +
	`self.items:\n            if item is not None and len(item) > 0:\n\t\treturn os.path.join(root, \"src/main.py\")\n        raise ValueError(` +
	`\"unknown argument: %s\" % key)\n    const result = await request.get(url); // function () { console.log(this.state); }\n` +
	`def run():\nreturn\nraise\nThen\nSee\nList\nRead\nFiles\nSum up\nOf all\nLet\nSince\nOut\nFew\nRight\nPerhaps\nPick\nPut\nFull\nSmall\nfunc` +
	`\nlist\nfile\nset\nThe nature of a school: choose a table, close the flags, encode the category, avoid tuples, check whether to ignore ` +
	`algorithms. Future pictures, structure, mutable integers, abort, cookies.\n` +
	`diff --git a/lib/core.py b/lib/core.py\nindex 83db48f..bf2a1c9 100644\n@@ -117,12 +119,8 @@ class Error:\n-    print(f'{x}')\n+    pass\n` +
	`Traceback (most recent call last):\n  File \"/usr/lib/python3/some/module.py\", line 631, in <module>\n3/the/form.py 2/home/after 1/2000 ` +
	`d4b0c6a5-7e39-41f8-9a02-5c3e8bd71f60 caf\u00e9 na\u00efve M\u00fcller \u2019s \u201cso\u201d \u2014 \u2026 \u4e2d\u6587 \u0441\u043b\u043e\u0432` +
	`\u0430 \ud83d\ude00 \ud83c\udf89 \u3053\u308c \u30c6\u30b9 \u05d0\u05d5 \u03b1\u03c9 \u0142\u0144 \u1ea5 \u00a0 \u00b7 \u20ac \uac00 \ufb01`

// spots is a set of places of the sample.
type spots [(len(sample) - (depth - 1) + 63) / 64]uint64

func (s *spots) add(other *spots) {
	for i := range s {
		s[i] |= other[i]
	}
}

// sampled says for the k-th byte from each place of the sample which its lower and its upper half is.
type sampled struct{ low, high [depth][16]spots }

func newSampled() *sampled {
	s := &sampled{}
	for k := range depth {
		for at := range len(sample) - (depth - 1) {
			b := sample[at+k]
			s.low[k][b&15][at/64] |= 1 << (at % 64)
			s.high[k][b>>4][at/64] |= 1 << (at % 64)
		}
	}
	return s
}

// fingerprints says of those in one set at which places of the sample the lower and the upper half of each byte is one of theirs, as
// [nibbles] keeps them.
type fingerprints struct{ low, high [depth]spots }

// add adds the fingerprint that begins at a place of a pattern.
func (s *sampled) add(to *fingerprints, p *pattern, at int) {
	for k := range depth {
		of := p.bytes[at+k].halves()
		for h := range 16 {
			if of.low>>h&1 != 0 {
				to.low[k].add(&s.low[k][h])
			}
			if of.high>>h&1 != 0 {
				to.high[k].add(&s.high[k][h])
			}
		}
	}
}

// cheapest returns the fingerprint, of those that a pattern has by their places, that adds least to what sets find, and how much
// that is.
func (s *sampled) cheapest(p *pattern, sets []fingerprints) (best place, least cost) {
	least.hits = len(sample)
	var before [8]cost
	for set := range sets {
		before[set] = sets[set].cost(&fingerprints{})
	}
	for at := range len(p.bytes) - depth + 1 {
		var f fingerprints
		s.add(&f, p, at)
		for set := range sets {
			with := sets[set].cost(&f)
			if more := (cost{with.hits - before[set].hits, with.share - before[set].share}); more.compare(least) < 0 {
				best, least = place{at, set}, more
			}
		}
	}
	return best, least
}

// cost is how much is found in vain: at so many places of the sample, and at which share of the places of other texts, if bytes did not
// depend on each other.
type cost struct {
	hits  int
	share float64
}

func (c cost) compare(other cost) int {
	return cmp.Or(c.hits-other.hits, cmp.Compare(c.share, other.share))
}

// cost is that of two kinds of fingerprints in one set.
func (f *fingerprints) cost(with *fingerprints) cost {
	var counts [depth]int
	hits := 0
	for i := range len(spots{}) {
		all := ^uint64(0)
		for k := range depth {
			one := (f.low[k][i] | with.low[k][i]) & (f.high[k][i] | with.high[k][i])
			counts[k] += bits.OnesCount64(one)
			all &= one
		}
		hits += bits.OnesCount64(all)
	}
	share := 1.0
	for _, n := range counts {
		share *= float64(n) / float64(len(sample))
	}
	return cost{hits, share}
}

// half holds the lower and the upper halves that bytes have.
type half struct{ low, high uint16 }

func (s *byteSet) halves() (out half) {
	for i, word := range s {
		for part := range 4 {
			if low := uint16(word >> (16 * part)); low != 0 {
				out.low |= low
				out.high |= 1 << (4*i + part)
			}
		}
	}
	return out
}
