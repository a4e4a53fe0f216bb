package statistics

// verdict is what python-dateutil does with texts.
type verdict int

const (
	accepts verdict = iota
	refuses
	overflows
)

// verdict is what becomes of the opening texts, one after another up to the first that is refused.
func (o *opening) verdict() verdict {
	for _, text := range o.texts {
		if v := judge(text); v != accepts {
			return v
		}
	}
	if o.broken {
		return refuses
	}
	return accepts
}

// judge says what python-dateutil does with a text.
func judge(text string) verdict {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return accepts
		}
	}
	return judgeDigits(text)
}

func judgeDigits(digits string) verdict {
	if len(digits) >= 10 && len(digits) != 12 && len(digits) != 14 && digits > "2147483647" {
		return overflows
	}
	return accepts
}
