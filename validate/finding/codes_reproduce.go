package finding

// The codes of data that is made anew.
const (
	ReproduceFailed  Code = "reproduce/failed"
	ReproduceMissing Code = "reproduce/missing"
	ReproduceDiffers Code = "reproduce/differs"
	ReproduceExtra   Code = "reproduce/extra"
)

var reproduceTable = []Info{
	{ReproduceFailed, Error, "the command that makes a file fails"},
	{ReproduceMissing, Error, "the command makes no file, or the repo has none"},
	{ReproduceDiffers, Error, "a file is not what its command makes"},
	{ReproduceExtra, Note, "a command makes files that nobody asks for"},
}
