package tape

type parser struct{}
