package license

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// legalText recognises the full text of a license by a sentence that stands in no other.
type legalText struct {
	// has holds words that must stand in the text one after another, as plain writes them; lacks those that must not.
	has, lacks string
	id         string
}

const (
	bsdGrant       = "redistribution and use in source and binary forms with or without modification are permitted"
	bsdEndorse     = "to endorse or promote products derived from"
	bsdAdvertising = "all advertising materials mentioning"
	bsdPatents     = "no express or implied licenses to any party s patent rights are granted by this license"
)

var legalTexts = []legalText{
	{has: "permission is hereby granted free of charge to any person obtaining a copy of this software and associated", id: "mit"},
	{has: "apache license version 2.0 january 2004", id: "apache-2.0"},
	{has: "licensed under the apache license version 2.0", id: "apache-2.0"},
	{has: "gnu general public license version 2 june 1991", id: "gpl-2.0"},
	{has: "gnu general public license version 3 29 june 2007", id: "gpl-3.0"},
	{has: "gnu lesser general public license version 2.1 february 1999", id: "lgpl-2.1"},
	{has: "gnu lesser general public license version 3 29 june 2007", id: "lgpl-3.0"},
	{has: "gnu affero general public license version 3 19 november 2007", id: "agpl-3.0"},
	{has: "gnu free documentation license version", id: "gfdl"},
	{has: "mozilla public license version 2.0 1 definitions", id: "mpl-2.0"},
	{has: "permission to use copy modify and or distribute this software for any purpose with or without fee", id: "isc"},
	{has: "this is free and unencumbered software released into the public domain", id: "unlicense"},
	{has: "cc0 1.0 universal statement of purpose", id: "cc0-1.0"},
	{has: "cc0 1.0 universal creative commons corporation is not a law firm", id: "cc0-1.0"},
	{has: "verbatim or modified copies of this license document and changing it is allowed as long as the name", id: "wtfpl"},
	{has: "eclipse public license v 1.0 the accompanying program", id: "epl-1.0"},
	{has: "eclipse public license v 2.0 the accompanying program", id: "epl-2.0"},
	{has: "boost software license version 1.0 august 17th 2003", id: "bsl-1.0"},
	{has: "sil open font license version 1.1 26 february 2007", id: "ofl-1.1"},
	{has: "computational use of data agreement c uda", id: "c-uda"},
	{has: "open database license odbl preamble", id: "odbl"},
	{has: "odc open database license odbl", id: "odbl"},
	{has: "open data commons attribution license preamble", id: "odc-by"},
	{has: "odc attribution license odc by", id: "odc-by"},
	{has: "odc public domain dedication and licence pddl", id: "pddl"},
	{has: "community data license agreement permissive version 1.0", id: "cdla-permissive-1.0"},
	{has: "community data license agreement permissive version 2.0", id: "cdla-permissive-2.0"},
	{has: "community data license agreement sharing version 1.0", id: "cdla-sharing-1.0"},
	{has: "without any express or implied warranty in no event will the authors be held liable for any damages arising", id: "zlib"},
	{has: bsdGrant, lacks: bsdEndorse, id: "bsd-2-clause"},
	{has: "educational community license version 2.0 april 2007", id: "ecl-2.0"},
	{has: "llama 2 community license agreement", id: "llama2"},
	{has: "llama 3 community license agreement", id: "llama3"},
	{has: "llama 3.1 community license agreement", id: "llama3.1"},
	{has: "llama 3.2 community license agreement", id: "llama3.2"},
	{has: "llama 3.3 community license agreement", id: "llama3.3"},
	{has: "llama 4 community license agreement", id: "llama4"},
	{has: "gemma terms of use last modified", id: "gemma"},
}

// creativeCommonsTitle is how the legal codes of Creative Commons begin, as plain writes them: "Creative Commons
// Attribution-NonCommercial 4.0 International Public License", or, up to 3.0, "Creative Commons Legal Code
// Attribution-ShareAlike 3.0 Unported".
var creativeCommonsTitle = lazyregexp.New(`creative commons (?:legal code )?attribution` +
	`((?: (?:non ?commercial|share ?alike|no ?derivatives|no ?derivs))*) (\d\.\d) ` +
	`(?:international public license|(?:(?:unported|generic) )?creative commons corporation|(?:unported|generic) license)`)

// shortFile is the length in bytes below which a file may name its license instead of holding the text.
const shortFile = 2000

// InFile recognises the license of a LICENSE file, by the sentences of its text or, in a short file, by the names in it.
// It returns the ids of all that it finds: the Hub's ids, and for licenses the Hub has none for, ids built in the same
// way; none for a text it does not know.
func InFile(text []byte) []string {
	words := plain(text)
	var ids []string
	add := func(id string) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, t := range legalTexts {
		if strings.Contains(words, t.has) && (t.lacks == "" || !strings.Contains(words, t.lacks)) {
			add(t.id)
		}
	}
	if strings.Contains(words, bsdGrant) && strings.Contains(words, bsdEndorse) {
		switch {
		case strings.Contains(words, bsdAdvertising):
			add("bsd")
		case strings.Contains(words, bsdPatents):
			add("bsd-3-clause-clear")
		default:
			add("bsd-3-clause")
		}
	}
	for _, m := range creativeCommonsTitle.FindAllStringSubmatch(words, -1) {
		add(creativeCommons(m))
	}
	if len(ids) > 0 || len(text) > shortFile {
		return ids
	}
	if whole := wholeName(string(text)); whole != "" {
		return []string{whole}
	}
	return distinct(mentions(string(text), names()))
}

// plain writes a text as its words: lower case, single spaces, no marks but the points inside numbers.
func plain(text []byte) string {
	var b strings.Builder
	space := true
	runes := []rune(norm.NFKC.String(strings.ToValidUTF8(string(text), " ")))
	for i, r := range runes {
		pointInNumber := r == '.' && i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || pointInNumber:
			b.WriteRune(unicode.ToLower(r))
			space = false
		case !space:
			b.WriteByte(' ')
			space = true
		}
	}
	return strings.TrimRight(b.String(), " ")
}
