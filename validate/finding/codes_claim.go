package finding

// The codes of numbers that were printed of a release.
const (
	ClaimDiffers       Code = "claim/differs"
	ClaimKnown         Code = "claim/known-difference"
	ClaimAgreesAgain   Code = "claim/agrees-again"
	ClaimNotMeasured   Code = "claim/not-measured"
	ClaimContradiction Code = "claim/contradiction"
	ClaimNumber        Code = "claim/number-not-covered"
)

var claimTable = []Info{
	{ClaimDiffers, Error, "a printed number differs from what the data says"},
	{ClaimKnown, Note, "a difference between print and data that has a reason"},
	{ClaimAgreesAgain, Note, "a claim that is marked as a difference, and agrees"},
	{ClaimNotMeasured, Warning, "a claim whose measure gives no number"},
	{ClaimContradiction, Warning, "the same quantity is printed differently in two places"},
	{ClaimNumber, Note, "a number in hand-written text that no claim covers"},
}
