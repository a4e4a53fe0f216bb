package card

import (
	"maps"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/release"
)

// form is what the Hub takes as the value of a key.
type form int

const (
	// free values are not judged by their form.
	free form = iota
	oneText
	// textOrNull may also be blank.
	textOrNull
	// textList is a list of texts; textOrList is one text as well.
	textList
	textOrList
	trueOrFalse
	mapping
)

// field is a key of a card.
type field struct {
	form form
	// check judges one text of the value, list the whole of it; both may be nil.
	check func(c *checker, n *yaml.Node, at, text string)
	whole func(c *checker, n *yaml.Node, at string)
}

// common are the keys of every card, from the Hub's documentation and its clients' types.
var common = map[string]field{
	"license":                    {},
	"license_name":               {form: oneText},
	"license_link":               {form: oneText},
	"language":                   {form: textOrList, check: (*checker).language},
	"language_bcp47":             {form: textList},
	"language_details":           {form: textOrList},
	"pretty_name":                {form: oneText},
	"tags":                       {form: textList},
	"thumbnail":                  {form: textOrNull},
	"extra_gated_prompt":         {form: oneText},
	"extra_gated_heading":        {form: oneText},
	"extra_gated_description":    {form: oneText},
	"extra_gated_button_content": {form: oneText},
	"extra_gated_fields":         {form: free, whole: (*checker).gateFields},
	"extra_gated_eu_disallowed":  {form: trueOrFalse},
	"viewer":                     {form: trueOrFalse},
	"dataset_card_authors":       {},
	"model_card_authors":         {},
	"model_card_contact":         {},
	"dataset_card_contact":       {},
	"description":                {form: textOrNull},
	"paperswithcode_id":          {form: textOrNull},
	"train-eval-index":           {},
	"widget":                     {},
	"viewer_display_urls":        {form: trueOrFalse},
}

// ofDatasets are the keys of a data set's card alone.
var ofDatasets = map[string]field{
	"license_details":      {form: oneText},
	"size_categories":      {form: textOrList, whole: (*checker).sizeCategories},
	"task_categories":      {form: textList, check: (*checker).taskCategory},
	"task_ids":             {form: textList, check: (*checker).taskID},
	"annotations_creators": {form: textList, check: (*checker).creator},
	"language_creators":    {form: textList, check: (*checker).languageCreator},
	"multilinguality":      {form: textList, check: (*checker).multilinguality},
	"source_datasets":      {form: textList, check: (*checker).sourceDataset},
	"config_names":         {form: textList},
	"configs":              {whole: (*checker).configWords},
	"dataset_info":         {whole: (*checker).datasetInfo},
	"benchmark":            {form: oneText},
}

// ofModels are the keys of a model's card alone.
var ofModels = map[string]field{
	"base_model":          {form: textOrList, check: (*checker).repoID},
	"base_model_relation": {form: oneText, check: (*checker).relation},
	"library_name":        {form: oneText},
	"pipeline_tag":        {form: oneText, check: (*checker).pipelineTag},
	"datasets":            {form: textOrList, check: (*checker).repoID},
	"metrics":             {form: textOrList},
	"model-index":         {whole: (*checker).modelIndex},
	"new_version":         {form: oneText, check: (*checker).repoID},
	"buckets":             {},
	"co2_eq_emissions":    {},
	"inference":           {},
}

// fieldsOf are the keys that the card of a repo may have.
func fieldsOf(t release.Type) map[string]field {
	fields := maps.Clone(common)
	own := ofDatasets
	if t == release.Model {
		own = ofModels
	}
	maps.Copy(fields, own)
	return fields
}

// HoldsText tells whether the values of a key are texts, alone or in a list, in the card of a data set or of a model.
func HoldsText(key string) bool {
	for _, fields := range []map[string]field{common, ofDatasets, ofModels} {
		switch fields[key].form {
		case oneText, textOrNull, textList, textOrList:
			return true
		}
	}
	return key == "license"
}
