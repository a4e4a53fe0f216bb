package number

import (
	"math/big"
	"strings"
	"testing"
)

func rat(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatal(s)
	}
	return r
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		text, number, value, step string
		want                      Printed
	}{
		{"15,630", "15,630", "15630", "1", Printed{}},
		{"68,478 core rows", "68,478", "68478", "1", Printed{}},
		{"240 670 rows in all", "240 670", "240670", "1", Printed{}},
		{"2\u202f186\u202f683 clicks", "2\u202f186\u202f683", "2186683", "1", Printed{}},
		{"1'234'567", "1'234'567", "1234567", "1", Printed{}},
		{"1.234.567 rows", "1.234.567", "1234567", "1", Printed{}},
		{"1.234 seconds", "1.234", "1.234", "0.001", Printed{}},
		{"0,748", "0,748", "0.748", "0.001", Printed{}},
		{".748", ".748", "0.748", "0.001", Printed{}},
		{"12.97M questions", "12.97M", "12970000", "10000", Printed{}},
		{"1.5k dialogues", "1.5k", "1500", "100", Printed{}},
		{"about 73 K chars", "73 K", "73000", "1000", Printed{About: true}},
		{"2.5 million rows", "2.5 million", "2500000", "100000", Printed{}},
		{"two hundred thousand and five rows", "two hundred thousand and five rows", "200005", "1", Printed{}},
		{"two billion", "two billion", "2000000000", "1", Printed{}},
		{"1" + strings.Repeat("0", 199), "1" + strings.Repeat("0", 199), "1" + strings.Repeat("0", 199), "1", Printed{}},
		{"3.6e5 pairs", "3.6e5", "360000", "10000", Printed{}},
		{"3.6 × 10^5 pairs", "3.6 × 10^5", "360000", "10000", Printed{}},
		{"3.6·10⁵ pairs", "3.6·10⁵", "360000", "10000", Printed{}},
		{"87.8%", "87.8%", "87.8", "0.1", Printed{Percent: true}},
		{"87.8 % SAFE", "87.8 %", "87.8", "0.1", Printed{Percent: true}},
		{"12 percent", "12 percent", "12", "1", Printed{Percent: true}},
		{"~25.7 MB", "25.7 MB", "25.7", "0.1", Printed{About: true, Unit: "MB"}},
		{"≈24.5MiB", "24.5MiB", "24.5", "0.1", Printed{About: true, Unit: "MiB"}},
		{"512 bytes", "512 bytes", "512", "1", Printed{Unit: "byte"}},
		{"about 400 pictures", "400", "400", "1", Printed{About: true}},
		{"more than 1,000 rows", "1,000", "1000", "1", Printed{Bound: MoreThan}},
		{"at least 3", "3", "3", "1", Printed{Bound: AtLeast}},
		{"≥ 0.65", "0.65", "0.65", "0.01", Printed{Bound: AtLeast}},
		{"up to 20 steps", "20", "20", "1", Printed{Bound: AtMost}},
		{"fewer than 5", "5", "5", "1", Printed{Bound: LessThan}},
		{"no more than 5", "5", "5", "1", Printed{Bound: AtMost}},
		{"1,000+ rows", "1,000+", "1000", "1", Printed{Bound: AtLeast}},
		{"a moreover 5", "5", "5", "1", Printed{}},
		{"-0.5", "-0.5", "-0.5", "0.1", Printed{}},
		{"−0.5 points", "−0.5", "-0.5", "0.1", Printed{}},
		{"F1 0.849", "0.849", "0.849", "0.001", Printed{}},
		{"Qwen3-1.7B-Base has 24.5 MB", "24.5 MB", "24.5", "0.1", Printed{Unit: "MB"}},
		{"v1.2.3 on 2026-05-28: 67 passed", "67", "67", "1", Printed{}},
		{"The set has 12.", "12", "12", "1", Printed{}},
		{"0.60 ± 0.15", "0.60", "0.60", "0.01", Printed{}},
		{"535 +/- 12 rows", "535", "535", "1", Printed{}},
		{"2,926 of 3,007", "2,926", "2926", "1", Printed{}},
		{"2,926/3,007 right", "2,926", "2926", "1", Printed{}},
		{"12 out of 13", "12", "12", "1", Printed{}},
		{"ten thousand rows", "ten thousand rows", "10000", "1", Printed{}},
		{"two hundred and thirty-one", "two hundred and thirty-one", "231", "1", Printed{}},
	} {
		got, err := Read(c.text, false)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got.Text != c.number || got.Value.Cmp(rat(t, c.value)) != 0 || got.Step.Cmp(rat(t, c.step)) != 0 {
			t.Errorf("%q holds %q, which is %s to %s; expected %q, %s to %s", c.text, got.Text, Text(got.Value, 6), Text(got.Step, 6), c.number, c.value, c.step)
		}
		if got.About != c.want.About || got.Bound != c.want.Bound || got.Percent != c.want.Percent || got.Unit != c.want.Unit {
			t.Errorf("%q is read as %+v, expected %+v", c.text, got, c.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"", "none", "12 and 13", "12 rows of 13", "1,5", "1.2.3", "GPT-4", "2026-05-28", "12,34,567",
		"~1" + strings.Repeat("0", 1<<20), "~1" + strings.Repeat(",000", 1<<18), strings.Repeat("hundred ", 1000), "one" + strings.Repeat(" hundred", 1000)} {
		if got, err := Read(text, false); err == nil {
			t.Errorf("%.40q is read as %.40s", text, got.Text)
		}
	}
}

// A text of many numbers is read in a time that its length gives: each number looks at what is near.
func TestFindLooksNearby(t *testing.T) {
	text := strings.Repeat("12 of about 3.5%, ", 1<<12)
	if got := Find(text); len(got) != 2<<12 || !got[1].About || !got[1].Percent || got[1].Text != "3.5%" {
		t.Errorf("%d numbers, the second is %+v", len(got), got[1])
	}
	if got := lastOf(strings.Repeat("≈", 100)); len(got) < near || len(got) > near+3 {
		t.Errorf("%d bytes are looked at before a number, want %d and no piece of a rune", len(got), near)
	}
}

func TestReadChoosesByPercent(t *testing.T) {
	const text = "16,357 HARMFUL (87.8 %)"
	for percent, want := range map[bool]string{false: "16,357", true: "87.8 %"} {
		if got, err := Read(text, percent); err != nil || got.Text != want {
			t.Errorf("percent %t: %q (%v), expected %q", percent, got.Text, err, want)
		}
	}
}

func TestReadShares(t *testing.T) {
	for text, want := range map[string]string{"2,926 of 3,007": "2926/3007", "21/22": "21/22", "1 out of 8": "1/8", "97.3 % (2,926/3,007)": "97.3"} {
		if got, err := Read(text, true); err != nil || got.Value.Cmp(rat(t, want)) != 0 {
			t.Errorf("%q is read as %s (%v), expected %s", text, got.Text, err, want)
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		text, n       string
		fits, exactly bool
	}{
		{"15,630", "15630", true, true},
		{"15,630", "15631", false, false},
		{"87.8", "87.766", true, false},
		{"87.8", "87.85", true, false},
		{"87.8", "87.851", false, false},
		{"1.5k", "1473", true, false},
		{"1.5k", "1551", false, false},
		{"12.97M", "12974999", true, false},
		{"12.97M", "12976000", false, false},
		{"3.6e5", "358213", true, false},
		{"3.6e5", "366000", false, false},
		{"about 400", "400", true, true},
		{"about 400", "412", true, false},
		{"about 400", "450", false, false},
		{"about 25.7", "24.5", false, false},
		{"about 1,234", "1250", false, false},
		{"more than 1,000", "1234", true, true},
		{"more than 1,000", "1000", false, false},
		{"at least 1,000", "1000", true, true},
		{"under 5", "5", false, false},
		{"0", "0", true, true},
		{"0", "0.05", false, false},
		{"0.0", "0.04", true, false},
		{"0 %", "0.4", true, false},
		{"5-7 events", "6", true, true},
		{"5–7 events", "8", false, false},
	} {
		p, err := Read(c.text, false)
		if err != nil {
			t.Fatal(c.text, err)
		}
		if fits, exactly := p.Fits(rat(t, c.n)); fits != c.fits || exactly != c.exactly {
			t.Errorf("%s fits %q: %t, exactly: %t; expected %t, %t", c.n, c.text, fits, exactly, c.fits, c.exactly)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"15,630", "3.6 × 10^5", "~25.7 MB", "5-7", "ten thousand", "1,000+", "−0.5 %", "\xff1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, p := range Find(text) {
			if p.Start < last || p.End > len(text) || p.Text != text[p.Start:p.End] || p.Value == nil || p.Step.Sign() <= 0 {
				t.Fatalf("%q holds %+v", text, p)
			}
			p.Fits(p.Value)
			last = p.End
		}
		Read(text, true)
	})
}
