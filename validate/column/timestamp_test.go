package column

import "testing"

func TestTimestampRule(t *testing.T) {
	tests := map[string]bool{
		"2024-01-02":                 true,
		"2024-02-29":                 true,
		"2000-02-29":                 true,
		"2024-12-31 23":              true,
		"2024-12-31T23":              true,
		"2024-12-31 23:59":           true,
		"2024-12-31T23:59:59":        true,
		"2024-01-02T03:04:05Z":       true,
		"2024-01-02T03:04Z":          true,
		"2024-01-02T03:04:05+02":     true,
		"2024-01-02T03:04:05-0230":   true,
		"2024-01-02T10:00:00+02:00":  true,
		"2024-01-02 03-05":           true,
		"0000-01-01":                 true,
		"2023-02-29":                 false,
		"1900-02-29":                 false,
		"2024-13-01":                 false,
		"2024-00-01":                 false,
		"2024-01-00":                 false,
		"2024-04-31":                 false,
		"2024-01-02T24":              false,
		"2024-01-02T23:60":           false,
		"2024-01-02T23:59:60":        false,
		"2024-01-02T03:04:05.0":      false,
		"2024-01-02T03:04:05.123Z":   false,
		"2024-01-02T03:04:05+24:00":  false,
		"2024-01-02T03:04:05+02:60":  false,
		"2024-01-02T03:04:05 +02:00": false,
		"2024-01-02T03:04:05+2":      false,
		"2024-01-02T":                false,
		"2024-01-02T3":               false,
		"2024-01-02Z":                false,
		"2024-01-02+02:00":           false,
		"2024-01-02t03:04:05":        false,
		"2024/01/02":                 false,
		"2024-1-2":                   false,
		"2024":                       false,
		"2024-01":                    false,
		"03:04:05":                   false,
		" 2024-01-02":                false,
		"2024-01-02 ":                false,
		"20x4-01-02":                 false,
		"2024-01-02T+1:00":           false,
		"":                           false,
		"unknown":                    false,
	}
	for text, want := range tests {
		if got := isTimestamp([]byte(text)); got != want {
			t.Errorf("isTimestamp(%q) is %v, want %v", text, got, want)
		}
	}
}

func FuzzTimestamp(f *testing.F) {
	f.Add([]byte("2024-01-02T03:04:05+02:00"))
	f.Add([]byte("2024-01-02 03-05"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if isTimestamp(text) && (len(text) < 10 || len(text) > 25) {
			t.Errorf("%q is longer or shorter than any timestamp", text)
		}
	})
}
