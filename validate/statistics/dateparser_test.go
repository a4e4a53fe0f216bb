package statistics

import "testing"

// The answers are those of python-dateutil 2.9, on a day in a month of 31 days.
func TestTheDateParserOfPython(t *testing.T) {
	for text, want := range map[string]verdict{
		"66024895386": overflows, "2147483647": refuses, "2147483648": overflows, "0123456789": refuses, "9999999999": overflows,
		"123456789012": refuses, "202401311200": accepts, "20240131120059": accepts, "20240199120059": refuses,
		"99999999999999999999": overflows, "may": accepts, "Sept. 3, 2024": accepts, "10": accepts, "1/2": accepts,
		"1/2/3/4": refuses, "31-Apr-2024": refuses, "2024-02-30": refuses, "12h30": accepts, "10 pm": accepts, "13 pm": accepts,
		"pm": refuses, "10:30:00.5": accepts, "10:61": refuses, "2024-01-02T10:00:00+02:00": accepts,
		"10:00 -03:00 (BRST)": accepts, "GMT+3": refuses, "10:00 GMT+3": accepts, "hello": refuses, "a": refuses,
		"x 66024895386": refuses, "66024895386 x": refuses, "1 66024895386": overflows, "66024895386-01-02": overflows,
		"10:66024895386": overflows, "nan": refuses, "Mon 66024895386": overflows, "Jan of 01": accepts, "Jan-01-99": accepts,
		"2024 Jan 1": accepts, "1.5": accepts, "id-66024895386": refuses, "66024895386.5": overflows, "6602-48-95-386": refuses,
		"+66024895386": refuses, "(660) 248-95386": refuses,
	} {
		if got := judge(text); got != want {
			t.Errorf("%q gets verdict %d, want %d", text, got, want)
		}
	}
}

// What is refused without a look at the parser's rules, they refuse too.
func TestSurelyNoDates(t *testing.T) {
	for _, text := range []string{"", " ", "a conversation about tea", "Novemberish 2024"} {
		if !surelyNoDate([]byte(text)) || judge(text) != refuses {
			t.Errorf("%q is surely no date: %v, and the parser says %d", text, surelyNoDate([]byte(text)), judge(text))
		}
	}
	for _, text := range []string{"September 3, 2024", "2024-01-02T10:00:00+02:00", "66024895386"} {
		if surelyNoDate([]byte(text)) {
			t.Errorf("%q may be a date", text)
		}
	}
}

// A number beyond 32 bits makes the viewer fail only where no text before it is refused.
func TestOpeningTexts(t *testing.T) {
	for name, test := range map[string]struct {
		texts []string
		want  verdict
	}{
		"ids":                      {[]string{"66024895386", "66024895387"}, overflows},
		"after a year":             {[]string{"2024", "66024895387"}, overflows},
		"after a word":             {[]string{"none", "66024895387"}, refuses},
		"after an empty text":      {[]string{"", "66024895387"}, accepts},
		"after a long text":        {[]string{"a conversation about nothing", "66024895387"}, accepts},
		"only short ones":          {[]string{"2024", "none"}, accepts},
		"with letters before them": {[]string{"id-66024895386"}, refuses},
	} {
		var o opening
		for _, text := range test.texts {
			o.add([]byte(text))
		}
		if got := o.verdict(); got != test.want {
			t.Errorf("%s: verdict %d, want %d", name, got, test.want)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, text := range []string{"10:00 -03:00 (BRST)", "Jan of 01", "31.12.2024", "1,5", "20240131120059", "12h", "a.", "0."} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !surelyNoDate([]byte(text)) && judge(text) == overflows && !hasLongDigits(text) && len(text) < 20 {
			t.Errorf("%q overflows without a long number", text)
		}
		for _, format := range dateFormats {
			if at, ok := format.read([]byte(text), true); ok {
				if lax, also := format.read([]byte(text), false); !also || lax != at {
					t.Errorf("%q is %+v by %s to Python, and %+v (%v) to polars", text, at, format, lax, also)
				}
			}
		}
	})
}
