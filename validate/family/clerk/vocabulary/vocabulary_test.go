package vocabulary_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/clerk/vocabulary"
)

func TestSizes(t *testing.T) {
	v := vocabulary.Shipped()
	if v.Version != 1 || len(v.Predicates) != 24 || len(v.Chatter) != 24 || len(v.Acks) != 8 {
		t.Errorf("version %d with %d predicates, %d lines of chatter and %d acknowledgements, want version 1 with 24, 24 and 8",
			v.Version, len(v.Predicates), len(v.Chatter), len(v.Acks))
	}
	for _, split := range []string{"train", "val", "test"} {
		if p := v.Names[split]; len(p.Given) != 64 || len(p.Family) != 32 {
			t.Errorf("the pool of %s has %d given and %d family names, want 64 and 32", split, len(p.Given), len(p.Family))
		}
	}
	for _, p := range v.Predicates {
		if len(p.Values) != 8 || len(p.Add) != 2 || len(p.Update) != 2 || len(p.Negate) != 2 || p.Importance < 1 || p.Importance > 5 {
			t.Errorf("%s has not 8 values, 2 sentences of each kind and an importance of 1 to 5: %+v", p.ID, p)
		}
	}
}

func TestNamesAreDistinctOverAllPools(t *testing.T) {
	given, family := map[string]string{}, map[string]string{}
	for split, pool := range vocabulary.Shipped().Names {
		for seen, names := range map[*map[string]string][]string{&given: pool.Given, &family: pool.Family} {
			for _, name := range names {
				if other, twice := (*seen)[strings.ToLower(name)]; twice {
					t.Errorf("%s stands in the pools of %s and %s", name, other, split)
				}
				(*seen)[strings.ToLower(name)] = split
			}
		}
	}
}

// These make "does the text mention the value" an exact question.
func TestValuesCanBeToldApart(t *testing.T) {
	v := vocabulary.Shipped()
	var values, texts, labels []string
	for _, p := range v.Predicates {
		values = append(values, p.Values...)
		labels = append(labels, p.Label)
		for _, template := range slices.Concat(p.Add, p.Update) {
			if strings.Count(template, "{v}") != 1 || strings.Contains(template, "{o}") {
				t.Errorf("%q of %s has not exactly one {v}", template, p.ID)
			}
			texts = append(texts, template)
		}
		for _, template := range p.Negate {
			if strings.Count(template, "{o}") != 1 || strings.Contains(template, "{v}") {
				t.Errorf("%q of %s has not exactly one {o}", template, p.ID)
			}
			texts = append(texts, template)
		}
	}
	texts = slices.Concat(texts, v.Chatter, v.Acks)
	names := map[string]bool{}
	for _, pool := range v.Names {
		for _, name := range slices.Concat(pool.Given, pool.Family) {
			names[strings.ToLower(name)] = true
		}
	}
	for i, a := range values {
		for j, b := range values {
			if i != j && strings.Contains(strings.ToLower(b), strings.ToLower(a)) {
				t.Errorf("value %q is part of value %q", a, b)
			}
		}
		for _, text := range texts {
			if strings.Contains(strings.ToLower(text), strings.ToLower(a)) {
				t.Errorf("value %q is part of %q", a, text)
			}
		}
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(strings.ToLower(a), -1) {
			if names[word] {
				t.Errorf("value %q holds the name %q", a, word)
			}
		}
	}
	slices.Sort(labels)
	if len(slices.Compact(labels)) != len(v.Predicates) {
		t.Error("two predicates have the same label")
	}
}

func TestPredicate(t *testing.T) {
	v := vocabulary.Shipped()
	if p := v.Predicate("pet"); p == nil || p.Label != "pet" {
		t.Errorf("the predicate pet is %+v", p)
	}
	if p := v.Predicate("shoe"); p != nil {
		t.Errorf("the predicate shoe is %+v, want none", p)
	}
}
