// Package coverage finds the numbers in the hand-written part of a card that nobody measures again: neither a claim nor a block
// that hfpub writes covers them.
package coverage

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/cards/marked"
	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/claim/number"
	"github.com/hfpub/hfpub/validate/finding"
)

var (
	// noProse are parts of a line in which numbers say nothing of the data: code, addresses, comments, the marks of lists.
	noProse = lazyregexp.New("`[^`]*`|https?://[^\\s)>]+|\\]\\([^)]*\\)|<!--.*?-->|^\\s*[0-9]+[.)]\\s")
	fence   = lazyregexp.New("^\\s*(```|~~~)")
	heading = lazyregexp.New(`^\s*#`)
	year    = lazyregexp.New(`^(?:19|20)[0-9]{2}$`)
)

// Notes returns a note for each number of a card that no claim covers. said are the texts of the claims: a number is covered when one
// of them gives the same. Front matter, code, addresses, headings, years and the blocks of hfpub are left out.
func Notes(path string, readme []byte, said []string) []finding.Finding {
	var known []number.Printed
	for _, text := range said {
		known = append(known, number.Find(text)...)
	}
	body := readme
	if block, ok := frontmatter.Split(readme); ok {
		body = block.Body()
	}
	line := 1 + strings.Count(string(readme[:len(readme)-len(body)]), "\n")
	blocks, err := marked.Parse(body, "\n")
	var notes []finding.Finding
	inCode := false
	at := 0
	for text := range strings.SplitAfterSeq(string(body), "\n") {
		if fence.MatchString(text) {
			inCode = !inCode
		} else if !inCode && !heading.MatchString(text) && (err != nil || !blocks.Covers(at)) {
			notes = append(notes, ofLine(path, text, line, known)...)
		}
		at += len(text)
		line++
	}
	return notes
}

// ofLine returns the notes of a line.
func ofLine(path, text string, line int, known []number.Printed) []finding.Finding {
	prose := noProse.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	var notes []finding.Finding
	for _, p := range number.Find(prose) {
		if year.MatchString(p.Text) || slices.ContainsFunc(known, func(k number.Printed) bool { return same(k, p) }) {
			continue
		}
		column := utf8.RuneCountInString(text[:p.Start]) + 1
		f := finding.New(finding.ClaimNumber, "no claim covers %q", strings.TrimSpace(p.Text)).AtColumn(path, line, column)
		notes = append(notes, f.Hinting("add a claim for it to hfpub.yaml, or leave it to the blocks that hfpub writes"))
	}
	return notes
}

// same says that two printed numbers are one, in whatever unit of size.
func same(a, b number.Printed) bool {
	return a.Percent == b.Percent && inBytes(a).Cmp(inBytes(b)) == 0
}

func inBytes(p number.Printed) *big.Rat {
	if p.Bytes == nil {
		return p.Value
	}
	return new(big.Rat).Mul(p.Value, p.Bytes)
}
