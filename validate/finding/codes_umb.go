package finding

// The codes of the UnifiedMemBench family.
const (
	UMBNameRepeated      Code = "umb/name-repeated"
	UMBCharacterUnknown  Code = "umb/character-unknown"
	UMBPersonaDiffers    Code = "umb/persona-differs"
	UMBPeriodOrder       Code = "umb/period-order"
	UMBYearOrder         Code = "umb/year-order"
	UMBEventYear         Code = "umb/event-year"
	UMBEventDate         Code = "umb/event-date"
	UMBEventRepeated     Code = "umb/event-repeated"
	UMBEventNumber       Code = "umb/event-number"
	UMBEventOrder        Code = "umb/event-order"
	UMBCauseUnknown      Code = "umb/cause-unknown"
	UMBCauseLater        Code = "umb/cause-later"
	UMBEventUnknown      Code = "umb/event-unknown"
	UMBEventSummary      Code = "umb/event-summary"
	UMBOldState          Code = "umb/old-state-event"
	UMBTemporalLeak      Code = "umb/temporal-leak"
	UMBTemporalDuration  Code = "umb/temporal-duration"
	UMBTemporalSources   Code = "umb/temporal-sources"
	UMBPremiseYear       Code = "umb/premise-year"
	UMBRate              Code = "umb/rate"
	UMBMargin            Code = "umb/margin"
	UMBRowRepeated       Code = "umb/row-repeated"
	UMBAnswerCount       Code = "umb/answer-count"
	UMBTaskCode          Code = "umb/task-code"
	UMBRelation          Code = "umb/matrix-relation"
	UMBDiagonal          Code = "umb/diagonal"
	UMBRetention         Code = "umb/retention"
	UMBOverall           Code = "umb/overall"
	UMBOverallDefinition Code = "umb/overall-definition"
	UMBFigureDiffers     Code = "umb/figure-differs"
	UMBLattice           Code = "umb/lattice"
	UMBStageMean         Code = "umb/stage-mean"
	UMBStageMissing      Code = "umb/stage-missing"
	UMBModelName         Code = "umb/model-name"
	UMBSourceOverride    Code = "umb/source-override"
	UMBIDRepeated        Code = "umb/id-repeated"
	UMBDialogueCount     Code = "umb/dialogue-count"
	UMBSegment           Code = "umb/segment"
	UMBTaskUnknown       Code = "umb/task-unknown"
	UMBCleaning          Code = "umb/cleaning"
	UMBCleaningRate      Code = "umb/cleaning-rate"
	UMBCleaningRecount   Code = "umb/cleaning-recount"
	UMBStageSize         Code = "umb/stage-size"
	UMBStageOrder        Code = "umb/stage-order"
	UMBAssignedTwice     Code = "umb/assigned-twice"
	UMBAssignmentMissing Code = "umb/assignment-missing"
	UMBAssignmentDiffers Code = "umb/assignment-differs"
	UMBDialogueUnknown   Code = "umb/dialogue-unknown"
	UMBEntityOverlap     Code = "umb/entity-overlap"
	UMBEntityRatio       Code = "umb/entity-ratio"
	UMBEntitySeed        Code = "umb/entity-seed"
	UMBEntityOrder       Code = "umb/entity-order"
	UMBEntityStage       Code = "umb/entity-stage"
	UMBStageFile         Code = "umb/stage-file"
	UMBStageDiffers      Code = "umb/stage-differs"
	UMBChunkTokens       Code = "umb/chunk-tokens"
	UMBChunkHeader       Code = "umb/chunk-header"
	UMBChunkCover        Code = "umb/chunk-cover"
	UMBChunkText         Code = "umb/chunk-text"
	UMBChunkMissing      Code = "umb/chunk-missing"
	UMBSFTInput          Code = "umb/sft-input"
	UMBSFTOutput         Code = "umb/sft-output"
	UMBSFTCharacter      Code = "umb/sft-character"
	UMBSFTCount          Code = "umb/sft-count"
	UMBEvalID            Code = "umb/eval-id"
	UMBEvalPrompt        Code = "umb/eval-prompt"
	UMBEvalDialogue      Code = "umb/eval-dialogue"
	UMBEvalSeen          Code = "umb/eval-seen"
	UMBEvalLeak          Code = "umb/eval-leak"
	UMBEvalCount         Code = "umb/eval-count"
	UMBEvalAll           Code = "umb/eval-all"
	UMBDatasetInfo       Code = "umb/dataset-info"
	UMBDatasetInfoFile   Code = "umb/dataset-info-file"
	UMBFactKeys          Code = "umb/fact-keys"
	UMBFactDate          Code = "umb/fact-date"
	UMBFactNumber        Code = "umb/fact-number"
	UMBFactOrder         Code = "umb/fact-order"
	UMBLadderName        Code = "umb/ladder-name"
	UMBLadderLevel       Code = "umb/ladder-level"
	UMBLadderSamples     Code = "umb/ladder-samples"
	UMBLadderPrompt      Code = "umb/ladder-prompt"
	UMBLadderPeople      Code = "umb/ladder-people"
	UMBLadderSchemas     Code = "umb/ladder-schemas"
	UMBLadderCharacter   Code = "umb/ladder-character"
	UMBLadderStats       Code = "umb/ladder-stats"
	UMBLadderBounds      Code = "umb/ladder-bounds"
	UMBLadderTruth       Code = "umb/ladder-truth"
	UMBLadderSummary     Code = "umb/ladder-summary"
	UMBLadderFact        Code = "umb/ladder-fact"
)

// umbTable is the part of the table about UnifiedMemBench.
var umbTable = []Info{
	{UMBNameRepeated, Error, "a character has a second row where there is one each"},
	{UMBCharacterUnknown, Error, "a character of whom an earlier file knows nothing"},
	{UMBPersonaDiffers, Error, "a story holds another persona than the file of personas"},
	{UMBPeriodOrder, Error, "the periods of a persona are out of order"},
	{UMBYearOrder, Error, "the years of a story are not 2020 to 2025 in order"},
	{UMBEventYear, Error, "an event whose id or date belongs to another year"},
	{UMBEventDate, Error, "an event is dated by a day that no calendar has"},
	{UMBEventRepeated, Error, "an event id stands twice in a story"},
	{UMBEventNumber, Warning, "the events of a year are not numbered from 1 on"},
	{UMBEventOrder, Warning, "an event stands behind a later one"},
	{UMBCauseUnknown, Error, "a cause that the story does not tell"},
	{UMBCauseLater, Error, "an event is caused by itself or by a later one"},
	{UMBEventUnknown, Error, "a task rests on an event that its character's list does not have"},
	{UMBEventSummary, Error, "the listed events are not those of the story"},
	{UMBOldState, Error, "the old state of a task comes from an event that is not there"},
	{UMBTemporalLeak, Error, "a question about time gives a date away"},
	{UMBTemporalDuration, Error, "the dates and durations of an answer do not agree"},
	{UMBTemporalSources, Error, "an answer about time does not fit the timestamps of its events"},
	{UMBPremiseYear, Warning, "an answer corrects a year that the question does not name"},
	{UMBRate, Error, "a rate of invalid answers is not count / total"},
	{UMBMargin, Error, "a table of invalid answers is no margin of the table by model and task"},
	{UMBRowRepeated, Error, "a result table has two rows of one thing"},
	{UMBAnswerCount, Error, "a table counts other answers than there are questions"},
	{UMBTaskCode, Error, "the code of a task family is that of another one"},
	{UMBRelation, Error, "a row of the retention matrix is of the wrong kind"},
	{UMBDiagonal, Error, "a current-stage score is not on the diagonal of the retention matrix"},
	{UMBRetention, Error, "a retention rate does not follow from the matrix"},
	{UMBOverall, Error, "an overall score is not the mean of its parts"},
	{UMBOverallDefinition, Warning, "overall means two things in one figure"},
	{UMBFigureDiffers, Error, "a figure shows another number than the table it comes from"},
	{UMBLattice, Error, "a score that no such number of answers can have"},
	{UMBStageMean, Error, "means over stages and over task families do not agree"},
	{UMBStageMissing, Note, "scores of some stages are missing"},
	{UMBModelName, Note, "a table calls a model by another name than other tables"},
	{UMBSourceOverride, Note, "one score of a series comes from another file"},
	{UMBIDRepeated, Error, "an id stands twice"},
	{UMBDialogueCount, Error, "the statistics of a dialogue do not count what it holds"},
	{UMBSegment, Error, "the plan of a dialogue is out of order"},
	{UMBTaskUnknown, Error, "a task that the file it comes from does not have"},
	{UMBCleaning, Error, "raw - removed is not valid"},
	{UMBCleaningRate, Error, "a rate of the cleaning summary is not valid / raw"},
	{UMBCleaningRecount, Error, "the cleaning summary does not count the released dialogues"},
	{UMBStageSize, Error, "the stages are not of one size"},
	{UMBStageOrder, Warning, "the stages are not those that the seed draws"},
	{UMBAssignedTwice, Error, "a dialogue or character is assigned twice"},
	{UMBAssignmentMissing, Error, "a dialogue is in no stage"},
	{UMBAssignmentDiffers, Error, "an assignment says other than its dialogue"},
	{UMBDialogueUnknown, Error, "a dialogue that is not there"},
	{UMBEntityOverlap, Error, "a character stands in two places of the split"},
	{UMBEntityRatio, Error, "the split of a stage does not have the declared share"},
	{UMBEntitySeed, Error, "the seed of a stage's split is another one"},
	{UMBEntityOrder, Warning, "the split of a stage is not the one that its seed draws"},
	{UMBEntityStage, Error, "the split of a stage does not have the stage's characters"},
	{UMBStageFile, Error, "a row in the file of another stage"},
	{UMBStageDiffers, Error, "a row says other of its dialogue than the assignments"},
	{UMBChunkTokens, Error, "approx_tokens is not a quarter of the characters"},
	{UMBChunkHeader, Error, "the header of a chunk does not name the character"},
	{UMBChunkCover, Error, "the chunks of a dialogue leave something out"},
	{UMBChunkText, Error, "a chunk does not hold the turns that it says it holds"},
	{UMBChunkMissing, Error, "a dialogue of a stage has no chunk"},
	{UMBSFTInput, Error, "the input of a row is not its question"},
	{UMBSFTOutput, Error, "an answer for fine-tuning lacks what its task family needs"},
	{UMBSFTCharacter, Error, "a question for fine-tuning is about a test character"},
	{UMBSFTCount, Error, "a training character has too many or too few rows"},
	{UMBEvalID, Error, "the id of a row of evaluation is not made of its task"},
	{UMBEvalPrompt, Error, "a prompt does not end with its question"},
	{UMBEvalDialogue, Error, "a prompt of evaluation holds text of the dialogue"},
	{UMBEvalSeen, Error, "evaluation on unseen characters asks about a seen one"},
	{UMBEvalLeak, Error, "a question of evaluation is trained on"},
	{UMBEvalCount, Error, "a test character is not asked all its questions"},
	{UMBEvalAll, Error, "the file of all stages is not the files of the stages"},
	{UMBDatasetInfo, Error, "an entry of dataset_info.json is about another file"},
	{UMBDatasetInfoFile, Error, "a registered training file is missing"},
	{UMBFactKeys, Error, "the keys of a fact stand in another order"},
	{UMBFactDate, Error, "the date of a fact is in no calendar"},
	{UMBFactNumber, Error, "facts are not numbered without gaps"},
	{UMBFactOrder, Error, "the facts of a character are not numbered in the order of time"},
	{UMBLadderName, Error, "a file of the ladder is not what its name says"},
	{UMBLadderLevel, Error, "a level of the ladder has another size"},
	{UMBLadderSamples, Error, "the samples of a file are not counted up"},
	{UMBLadderPrompt, Error, "a prompt of the ladder without facts"},
	{UMBLadderPeople, Error, "the chosen characters of a sample are not sorted"},
	{UMBLadderSchemas, Error, "the chosen clusters of a sample are not those of its prompt"},
	{UMBLadderCharacter, Error, "a prompt is about a character with too few facts"},
	{UMBLadderStats, Error, "the size of a prompt is not what its sample says"},
	{UMBLadderBounds, Error, "a sample shows more than its level allows"},
	{UMBLadderTruth, Error, "the ground truth does not follow from the prompt"},
	{UMBLadderSummary, Error, "the summary of the ladder differs from its files"},
	{UMBLadderFact, Error, "a prompt shows a fact that the file of facts does not have"},
}
