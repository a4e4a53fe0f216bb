package finding

// The codes of declared rules, and of rows that stand more than once.
const (
	RuleUnique       Code = "rule/unique"
	RuleDisjoint     Code = "rule/disjoint"
	RuleReference    Code = "rule/reference"
	RuleSubset       Code = "rule/subset"
	RuleDetermines   Code = "rule/determines"
	RuleCounts       Code = "rule/counts"
	RuleSorted       Code = "rule/sorted"
	RuleMust         Code = "rule/must"
	RuleExpression   Code = "rule/expression"
	RuleNoKey        Code = "rule/no-key"
	LeakTrainRow     Code = "leak/train-row"
	LeakSharedRow    Code = "leak/shared-row"
	LeakRepeatedRow  Code = "leak/repeated-row"
	LeakNearTrainRow Code = "leak/near-train-row"
	LeakNearRow      Code = "leak/near-row"
	LeakNotCompared  Code = "leak/not-compared"
)

var ruleTable = []Info{
	{RuleUnique, Error, "a key that must be unique stands in two rows"},
	{RuleDisjoint, Error, "a key stands in two splits that must not share one"},
	{RuleReference, Error, "a key is not as often in other rows as it must be"},
	{RuleSubset, Error, "a key is not among those of other splits"},
	{RuleDetermines, Error, "rows with the same key have different values"},
	{RuleCounts, Error, "a value has another number of rows than the rule says"},
	{RuleSorted, Error, "a value goes back in a split that must be sorted"},
	{RuleMust, Error, "a row does not meet what it must"},
	{RuleExpression, Error, "the expression of a rule cannot be applied to a row"},
	{RuleNoKey, Warning, "a row has no value for the key of a rule"},
	{LeakTrainRow, Error, "a row of an evaluation split is in a train split"},
	{LeakSharedRow, Warning, "a row is in two splits of a config"},
	{LeakRepeatedRow, Warning, "a row repeats another one of its split"},
	{LeakNearTrainRow, Error, "a row of an evaluation split is a near duplicate of one in a train split"},
	{LeakNearRow, Error, "a row is a near duplicate of another one, against a rule"},
	{LeakNotCompared, Warning, "there are too many rows that may be near duplicates to compare them all"},
}
