package finding

// The codes of the UnifiedMemBench family.
const (
	UMBNameRepeated     Code = "umb/name-repeated"
	UMBCharacterUnknown Code = "umb/character-unknown"
	UMBPersonaDiffers   Code = "umb/persona-differs"
	UMBYearOrder        Code = "umb/year-order"
	UMBEventYear        Code = "umb/event-year"
	UMBEventRepeated    Code = "umb/event-repeated"
	UMBEventNumber      Code = "umb/event-number"
	UMBEventOrder       Code = "umb/event-order"
	UMBCauseUnknown     Code = "umb/cause-unknown"
	UMBCauseLater       Code = "umb/cause-later"
	UMBEventUnknown     Code = "umb/event-unknown"
	UMBEventSummary     Code = "umb/event-summary"
	UMBOldState         Code = "umb/old-state-event"
	UMBTemporalLeak     Code = "umb/temporal-leak"
	UMBTemporalDuration Code = "umb/temporal-duration"
	UMBTemporalSources  Code = "umb/temporal-sources"
	UMBPremiseYear      Code = "umb/premise-year"
)

// umbTable is the part of the table about UnifiedMemBench.
var umbTable = []Info{
	{UMBNameRepeated, Error, "a character has a second row where there is one each"},
	{UMBCharacterUnknown, Error, "a character of whom an earlier file knows nothing"},
	{UMBPersonaDiffers, Error, "a story holds another persona than the file of personas"},
	{UMBYearOrder, Error, "the years of a story are not 2020 to 2025 in order"},
	{UMBEventYear, Error, "an event whose id or date belongs to another year"},
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
}
