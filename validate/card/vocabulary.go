package card

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/validate/finding"
)

// oneOf reports a text that is not on a list of the Hub's.
func (c *checker) oneOf(n *yaml.Node, at, what, text string, list []string) {
	if slices.Contains(list, text) {
		return
	}
	hint := "known are " + strings.Join(list, ", ")
	if near, ok := nearest.Word(text, list); ok {
		hint = "did you mean " + near + "?"
	}
	c.unknown(n, at, hint, what, text)
}

func (c *checker) unknown(n *yaml.Node, at, hint, what, text string) {
	c.report(finding.CardValueUnknown, n, at, hint, "the Hub knows no %s %q", what, text)
}

func (c *checker) creator(n *yaml.Node, at, text string) {
	c.oneOf(n, at, "kind of annotations_creators", text,
		[]string{"found", "crowdsourced", "expert-generated", "machine-generated", "no-annotation", "other"})
}

func (c *checker) languageCreator(n *yaml.Node, at, text string) {
	c.oneOf(n, at, "kind of language_creators", text,
		[]string{"found", "crowdsourced", "expert-generated", "machine-generated", "other"})
}

func (c *checker) multilinguality(n *yaml.Node, at, text string) {
	c.oneOf(n, at, "multilinguality", text, []string{"monolingual", "multilingual", "translation", "other"})
}

func (c *checker) relation(n *yaml.Node, at, text string) {
	c.oneOf(n, at, "base_model_relation", text, []string{"adapter", "merge", "quantized", "finetune"})
}

// sourceDataset judges where data come from: original, extended, extended|name, or the id of a data set.
func (c *checker) sourceDataset(n *yaml.Node, at, text string) {
	name, _ := strings.CutPrefix(text, "extended|")
	c.repoID(n, at, name)
}

// repoName is the form of the Hub's repo ids. Old repos have no namespace.
var repoName = lazyregexp.New(`^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?/)?` +
	`[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$`)

// hubAddress is what comes before the id in the address of a repo's page.
var hubAddress = lazyregexp.New(`^(?:https?://)?(?:huggingface\.co|hf\.co)/(?:datasets/|models/)?|^datasets/`)

// repoID judges a text that names a repo on the Hub.
func (c *checker) repoID(n *yaml.Node, at, text string) {
	if repoName.MatchString(text) && !strings.Contains(text, "--") && !strings.Contains(text, "..") {
		return
	}
	hint := "write namespace/name"
	if id := strings.TrimSuffix(hubAddress.ReplaceAllString(text, ""), "/"); id != text && repoName.MatchString(id) {
		hint = "write " + id
	}
	c.report(finding.CardRepoID, n, at, hint, "%q is not the id of a repo on the Hub", text)
}

// taskCategories are the Hub's task categories, in its order. The last five are not offered as filters of data sets,
// but are ids all the same.
var taskCategories = strings.Fields(`
	text-classification token-classification table-question-answering question-answering zero-shot-classification
	translation summarization feature-extraction text-generation fill-mask sentence-similarity text-to-speech
	text-to-audio automatic-speech-recognition audio-to-audio audio-classification audio-text-to-text
	voice-activity-detection depth-estimation image-classification object-detection image-segmentation text-to-image
	image-to-text image-to-image image-to-video unconditional-image-generation video-classification
	reinforcement-learning robotics tabular-classification tabular-regression tabular-to-text table-to-text
	multiple-choice text-ranking text-retrieval time-series-forecasting text-to-video image-text-to-text
	image-text-to-image image-text-to-video visual-question-answering document-question-answering
	zero-shot-image-classification graph-ml mask-generation zero-shot-object-detection text-to-3d image-to-3d
	image-feature-extraction video-text-to-text keypoint-detection visual-document-retrieval any-to-any
	video-to-video other`)

// taskIDs are the Hub's task ids, by their category.
var taskIDs = []struct{ category, ids string }{
	{"text-classification",
		"acceptability-classification entity-linking-classification fact-checking intent-classification " +
			"language-identification multi-class-classification multi-label-classification multi-input-text-classification " +
			"natural-language-inference semantic-similarity-classification sentiment-classification topic-classification " +
			"semantic-similarity-scoring sentiment-scoring sentiment-analysis hate-speech-detection text-scoring"},
	{"token-classification", "named-entity-recognition part-of-speech parsing lemmatization word-sense-disambiguation " +
		"coreference-resolution"},
	{"question-answering", "extractive-qa open-domain-qa closed-domain-qa"},
	{"summarization", "news-articles-summarization news-articles-headline-generation"},
	{"text-generation", "dialogue-modeling dialogue-generation conversational language-modeling text-simplification " +
		"explanation-generation abstractive-qa open-domain-abstractive-qa closed-domain-qa open-book-qa closed-book-qa " +
		"text2text-generation"},
	{"fill-mask", "slot-filling masked-language-modeling"},
	{"audio-classification",
		"keyword-spotting speaker-identification audio-intent-classification audio-emotion-recognition " +
			"audio-language-identification"},
	{"image-classification", "multi-label-image-classification multi-class-image-classification"},
	{"object-detection", "face-detection vehicle-detection"},
	{"image-segmentation", "instance-segmentation semantic-segmentation panoptic-segmentation"},
	{"image-to-text", "image-captioning"},
	{"image-to-image", "image-inpainting image-colorization super-resolution"},
	{"robotics", "grasping task-planning"},
	{"tabular-classification", "tabular-multi-class-classification tabular-multi-label-classification"},
	{"tabular-regression", "tabular-single-column-regression"},
	{"tabular-to-text", "rdf-to-text"},
	{"multiple-choice", "multiple-choice-qa multiple-choice-coreference-resolution"},
	{"text-retrieval", "document-retrieval utterance-retrieval entity-linking-retrieval fact-checking-retrieval"},
	{"time-series-forecasting", "univariate-time-series-forecasting multivariate-time-series-forecasting"},
	{"visual-question-answering", "visual-question-answering"},
	{"document-question-answering", "document-question-answering"},
	{"keypoint-detection", "pose-estimation"},
}

// categoryOf is the first category that a task id belongs to, "" for one that is none.
func categoryOf(id string) string {
	for _, t := range taskIDs {
		if slices.Contains(strings.Fields(t.ids), id) {
			return t.category
		}
	}
	return ""
}

func (c *checker) taskCategory(n *yaml.Node, at, text string) {
	category := categoryOf(text)
	if category == "" || slices.Contains(taskCategories, text) {
		c.task(n, at, "task category", text, taskCategories)
		return
	}
	c.unknown(n, at, fmt.Sprintf("it is a task id: write it under task_ids, and %s here", category), "task category", text)
}

func (c *checker) taskID(n *yaml.Node, at, text string) {
	if categoryOf(text) == "" && slices.Contains(taskCategories, text) {
		c.unknown(n, at, "it is a task category: write it under task_categories", "task id", text)
		return
	}
	var ids []string
	for _, t := range taskIDs {
		ids = append(ids, strings.Fields(t.ids)...)
	}
	c.task(n, at, "task id", text, ids)
}

func (c *checker) pipelineTag(n *yaml.Node, at, text string) {
	c.task(n, at, "pipeline_tag", text, taskCategories)
}

// task reports a text that is no task of a list too long to show.
func (c *checker) task(n *yaml.Node, at, what, text string, list []string) {
	if slices.Contains(list, text) {
		return
	}
	hint := "choose one of https://huggingface.co/tasks, or write your own word under tags"
	if near, ok := nearest.Word(text, list); ok {
		hint = "did you mean " + near + "?"
	}
	c.unknown(n, at, hint, what, text)
}
