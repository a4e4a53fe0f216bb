// Package vocabulary holds the words that generated CLERK timelines are made of: names, predicates with their values and the
// sentences that state them, chatter. They stand in vocabulary.json, and their order is part of the format: what is generated
// draws from the lists by index.
package vocabulary

import (
	_ "embed"
	"encoding/json"
)

//go:embed vocabulary.json
var shipped []byte

// Vocabulary is all the words of one version of the format.
type Vocabulary struct {
	// Version is the version of the generator's format that the words belong to.
	Version int `json:"version"`
	// Names holds a pool for each split: train, val, test. The pools have no name in common.
	Names      map[string]Pool `json:"names"`
	Predicates []Predicate     `json:"predicates"`
	// Chatter are sentences that state nothing, Acks what the assistant answers to any sentence.
	Chatter []string `json:"chatter"`
	Acks    []string `json:"acks"`
}

// Pool is the names of the personas of one split.
type Pool struct {
	Given  []string `json:"given"`
	Family []string `json:"family"`
}

// Predicate is something that can be known of a persona, such as the home city.
type Predicate struct {
	ID string `json:"pred"`
	// Importance goes from 1 to 5, and decides with other things which fact is forgotten first.
	Importance int `json:"importance"`
	// Label is the noun that questions use.
	Label  string   `json:"label"`
	Values []string `json:"values"`
	// Add and Update are sentences with {v} for the new value, Negate with {o} for the value that holds no more.
	Add    []string `json:"add"`
	Update []string `json:"update"`
	Negate []string `json:"negate"`
}

// Shipped returns the vocabulary that is part of hfpub.
func Shipped() *Vocabulary {
	v := &Vocabulary{}
	if err := json.Unmarshal(shipped, v); err != nil {
		panic("vocabulary.json is not what this version of hfpub was built with: " + err.Error()) // a test reads it
	}
	return v
}

// Predicate finds a predicate by its id; nil when there is none.
func (v *Vocabulary) Predicate(id string) *Predicate {
	for i := range v.Predicates {
		if v.Predicates[i].ID == id {
			return &v.Predicates[i]
		}
	}
	return nil
}
