package finding

// The codes of the rules of MemGym.
const (
	MemgymLabel            Code = "memgym/label"
	MemgymPrompt           Code = "memgym/prompt"
	MemgymInput            Code = "memgym/input"
	MemgymJudgment         Code = "memgym/judgment"
	MemgymCounts           Code = "memgym/counts"
	MemgymIDs              Code = "memgym/ids"
	MemgymSource           Code = "memgym/source"
	MemgymForkTwice        Code = "memgym/fork-twice"
	MemgymSplitField       Code = "memgym/split-field"
	MemgymRepoLeak         Code = "memgym/repo-leak"
	MemgymSplitRule        Code = "memgym/split-rule"
	MemgymChecksum         Code = "memgym/split-checksum"
	MemgymManifest         Code = "memgym/manifest"
	MemgymManifestIDs      Code = "memgym/manifest-ids"
	MemgymDelta            Code = "memgym/delta"
	MemgymRewardLabel      Code = "memgym/reward-label"
	MemgymUnion            Code = "memgym/union"
	MemgymBundle           Code = "memgym/bundle"
	MemgymProjection       Code = "memgym/projection"
	MemgymEvalRows         Code = "memgym/eval-rows"
	MemgymPrediction       Code = "memgym/prediction"
	MemgymMetrics          Code = "memgym/metrics"
	MemgymGate             Code = "memgym/gate"
	MemgymHops             Code = "memgym/hops"
	MemgymSeedQuestion     Code = "memgym/seed-question"
	MemgymTurnIndex        Code = "memgym/turn-index"
	MemgymRetentionSpan    Code = "memgym/retention-span"
	MemgymFactID           Code = "memgym/fact-id"
	MemgymRequiredFacts    Code = "memgym/required-facts"
	MemgymPerTurn          Code = "memgym/per-turn-retention"
	MemgymContextTokens    Code = "memgym/context-tokens"
	MemgymTotalTokens      Code = "memgym/total-tokens"
	MemgymVerification     Code = "memgym/verification"
	MemgymNearMiss         Code = "memgym/near-miss"
	MemgymInstanceTwice    Code = "memgym/instance-twice"
	MemgymExternalFacts    Code = "memgym/external-facts"
	MemgymLinkedFacts      Code = "memgym/linked-facts"
	MemgymDifficulty       Code = "memgym/difficulty"
	MemgymQuestions        Code = "memgym/questions"
	MemgymNotReleased      Code = "memgym/not-released"
	MemgymLeaderboardDelta Code = "memgym/leaderboard-delta"
	MemgymBaseline         Code = "memgym/leaderboard-baseline"
	MemgymHeadline         Code = "memgym/headline"
	MemgymPublished        Code = "memgym/published"
	MemgymAdapter          Code = "memgym/adapter"
	MemgymSummary          Code = "memgym/summary"
	MemgymStrategyName     Code = "memgym/strategy-name"
	MemgymNotListed        Code = "memgym/not-listed"
	MemgymReevaluation     Code = "memgym/reevaluation"
	MemgymTrueLabel        Code = "memgym/true-label"
	MemgymIDTwice          Code = "memgym/id-twice"
	MemgymTargetTurn       Code = "memgym/target-turn"
	MemgymLongContext      Code = "memgym/long-context"
	MemgymWikipedia        Code = "memgym/wikipedia"
	MemgymCriticalFacts    Code = "memgym/critical-facts"
	MemgymRequires         Code = "memgym/requires"
	MemgymQuestionID       Code = "memgym/question-id"
	MemgymAdapterFolder    Code = "memgym/adapter-folder"
	MemgymDiverged         Code = "memgym/diverged"
)

var memgymTable = []Info{
	{MemgymLabel, Error, "label, completion and target do not say the same"},
	{MemgymPrompt, Error, "the prompt is not that of the messages"},
	{MemgymInput, Error, "the input is not the prompt without its ending"},
	{MemgymJudgment, Error, "the last message does not ask for the judgment"},
	{MemgymCounts, Error, "a number does not count what it says"},
	{MemgymIDs, Error, "ids that are not made of each other"},
	{MemgymSource, Error, "a run of another reasoner"},
	{MemgymForkTwice, Error, "an event stands twice"},
	{MemgymSplitField, Error, "split does not name the file"},
	{MemgymRepoLeak, Error, "a repo is in both splits of the corpus"},
	{MemgymSplitRule, Error, "a repo is not in the split that the rule gives it"},
	{MemgymChecksum, Error, "the checksum of the split is not that of its assignment"},
	{MemgymManifest, Error, "the split manifest does not say what the data holds"},
	{MemgymManifestIDs, Error, "the lists of a split manifest are not those of the data"},
	{MemgymDelta, Error, "delta_r is not the difference of the rewards"},
	{MemgymRewardLabel, Error, "a label that the rewards contradict"},
	{MemgymUnion, Error, "a scored row is not in the union"},
	{MemgymBundle, Error, "the manifest of the strategy bundle counts otherwise"},
	{MemgymProjection, Error, "a row of a slice is not that of the combined file"},
	{MemgymEvalRows, Error, "an evaluation is not of as many rows as it says"},
	{MemgymPrediction, Error, "a prediction that contradicts its probability"},
	{MemgymMetrics, Error, "a metric is not that of the predictions"},
	{MemgymGate, Warning, "a checkpoint does not pass the gate"},
	{MemgymHops, Error, "num_hops is not the number of hops"},
	{MemgymSeedQuestion, Error, "original_question is not the seed question"},
	{MemgymTurnIndex, Error, "a turn is not numbered by its place"},
	{MemgymRetentionSpan, Error, "retention_span is not how long a fact is kept"},
	{MemgymFactID, Error, "a fact that is not there"},
	{MemgymRequiredFacts, Error, "memory_required_facts does not follow from the eviction policy"},
	{MemgymPerTurn, Error, "the retention of a turn does not follow from the eviction policy"},
	{MemgymContextTokens, Error, "the total is not the sum of its parts"},
	{MemgymTotalTokens, Note, "total_tokens is not that of the context"},
	{MemgymVerification, Error, "the verification does not follow from its scores"},
	{MemgymNearMiss, Error, "a near miss gives the answer away"},
	{MemgymInstanceTwice, Warning, "two instances have the same id"},
	{MemgymExternalFacts, Error, "num_external_facts does not count them"},
	{MemgymLinkedFacts, Error, "num_linked_facts does not count them"},
	{MemgymDifficulty, Error, "a difficulty that the linked facts do not give"},
	{MemgymQuestions, Error, "an instance that is not to be kept"},
	{MemgymNotReleased, Error, "mid-training rows in a repo that is not withheld"},
	{MemgymLeaderboardDelta, Error, "delta is not score less baseline"},
	{MemgymBaseline, Error, "a baseline that is not that of the track"},
	{MemgymHeadline, Error, "a headline that is not the best gain"},
	{MemgymPublished, Warning, "n is not the number of instances that were published"},
	{MemgymAdapter, Error, "files of an adapter are missing"},
	{MemgymSummary, Warning, "the numbers about the summary are not those of the one in view"},
	{MemgymStrategyName, Warning, "a strategy or run is named in two ways"},
	{MemgymNotListed, Warning, "a trajectory that is not on the list of those that were run"},
	{MemgymReevaluation, Error, "lists of a re-evaluation that contradict each other"},
	{MemgymTrueLabel, Error, "a prediction is held against another label than that of the row"},
	{MemgymIDTwice, Error, "an id stands twice in a list"},
	{MemgymTargetTurn, Warning, "a distractor of a turn that is not there"},
	{MemgymLongContext, Note, "an instance passes one of two bounds for long context"},
	{MemgymWikipedia, Warning, "a passage that names Wikipedia as its source"},
	{MemgymCriticalFacts, Warning, "num_critical_facts does not count them"},
	{MemgymRequires, Warning, "a question that requires otherwise than its facts say"},
	{MemgymQuestionID, Error, "a question that is not there"},
	{MemgymAdapterFolder, Note, "an adapter is not loaded by the name of its repo alone"},
	{MemgymDiverged, Note, "diverged is not what the row says otherwise"},
}
