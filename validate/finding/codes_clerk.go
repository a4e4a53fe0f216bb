package finding

// The codes of the rules of CLERK timelines.
const (
	ClerkSessionIndex  Code = "clerk/session-index"
	ClerkLedger        Code = "clerk/ledger"
	ClerkNotCanonical  Code = "clerk/not-canonical"
	ClerkChain         Code = "clerk/chain"
	ClerkFinalLedger   Code = "clerk/final-ledger"
	ClerkOpSubject     Code = "clerk/op-subject"
	ClerkOpAdd         Code = "clerk/op-add"
	ClerkOpUpdate      Code = "clerk/op-update"
	ClerkOpTombstone   Code = "clerk/op-tombstone"
	ClerkOpEvict       Code = "clerk/op-evict"
	ClerkOpTwice       Code = "clerk/op-twice"
	ClerkOpEvent       Code = "clerk/op-event"
	ClerkTouchedTwice  Code = "clerk/touched-twice"
	ClerkLedgerAfter   Code = "clerk/ledger-after"
	ClerkSlot          Code = "clerk/slot"
	ClerkBudget        Code = "clerk/budget"
	ClerkEvictCount    Code = "clerk/evict-count"
	ClerkEvictOrder    Code = "clerk/evict-order"
	ClerkEvictLast     Code = "clerk/evict-last"
	ClerkEvent         Code = "clerk/event"
	ClerkEventText     Code = "clerk/event-text"
	ClerkTurns         Code = "clerk/turns"
	ClerkAnswer        Code = "clerk/answer"
	ClerkQuestion      Code = "clerk/question"
	ClerkQuestionTwice Code = "clerk/question-twice"
	ClerkQuestionCount Code = "clerk/question-count"
	ClerkUnknownStated Code = "clerk/unknown-stated"
	ClerkNameTwice     Code = "clerk/name-twice"
	ClerkNameShared    Code = "clerk/name-shared"
	ClerkNameOverlap   Code = "clerk/name-overlap"
	ClerkQuestionText  Code = "clerk/question-text"
	ClerkSessionCount  Code = "clerk/session-count"
)

var clerkTable = []Info{
	{ClerkSessionIndex, Error, "a session is not numbered by its place"},
	{ClerkLedger, Error, "a ledger is not an array of slots"},
	{ClerkNotCanonical, Warning, "a ledger is not written in its one form"},
	{ClerkChain, Error, "a session does not begin with the ledger that the one before it left"},
	{ClerkFinalLedger, Error, "final_ledger is not the last ledger"},
	{ClerkOpSubject, Error, "an op is about somebody else"},
	{ClerkOpAdd, Error, "an ADD that cannot be executed"},
	{ClerkOpUpdate, Error, "an UPDATE that cannot be executed"},
	{ClerkOpTombstone, Error, "a TOMBSTONE that cannot be executed"},
	{ClerkOpEvict, Error, "an EVICT that cannot be executed"},
	{ClerkOpTwice, Error, "an op was applied twice"},
	{ClerkOpEvent, Error, "ops and events do not correspond"},
	{ClerkTouchedTwice, Error, "a session changes a predicate twice"},
	{ClerkLedgerAfter, Error, "the program does not give the ledger after the session"},
	{ClerkSlot, Error, "a slot that no program can leave"},
	{ClerkBudget, Error, "a ledger holds more slots than the budget"},
	{ClerkEvictCount, Error, "a program evicts too few or too many slots"},
	{ClerkEvictOrder, Error, "a slot is evicted that is not the least salient"},
	{ClerkEvictLast, Error, "an op stands behind an EVICT"},
	{ClerkEvent, Error, "an event of no known kind"},
	{ClerkEventText, Error, "the text of an event does not state its value"},
	{ClerkTurns, Error, "the turns do not repeat the events"},
	{ClerkAnswer, Error, "an answer is not what the memory says"},
	{ClerkQuestion, Error, "a question that the ledger cannot answer"},
	{ClerkQuestionTwice, Error, "a session asks the same twice"},
	{ClerkQuestionCount, Error, "a session asks too few or too many questions of a type"},
	{ClerkUnknownStated, Error, "a question takes for unknown what the timeline states"},
	{ClerkNameTwice, Error, "two rows have the same persona"},
	{ClerkNameShared, Error, "splits share a persona that must not"},
	{ClerkNameOverlap, Note, "the validation split has personas of the training split"},
	{ClerkQuestionText, Error, "a question is worded as another one"},
	{ClerkSessionCount, Error, "a persona has more or fewer sessions than others"},
}
