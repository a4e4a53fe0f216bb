package statistics

import (
	"testing"
	"time"
)

func TestFirstFormatOfATextIsTheOneOfTheViewer(t *testing.T) {
	for text, want := range map[string]dateFormat{
		"2024-01-02T10:00:00Z":            "%Y-%m-%dT%H:%M:%S%z",
		"2024-01-02T10:00:00+02:00":       "%Y-%m-%dT%H:%M:%S%z",
		"2024-01-02T10:00:00-0330":        "%Y-%m-%dT%H:%M:%S%z",
		"2024-01-02T10:00:00":             "%Y-%m-%dT%H:%M:%S",
		"2024-01-02T10:00:00.25":          "%Y-%m-%dT%H:%M:%S.%f",
		"2024-01-02":                      "%Y-%m-%d",
		"2024-1-2":                        "%Y-%m-%d",
		"01-02-2024":                      "%d-%m-%Y",
		"01-13-2024":                      "%m-%d-%Y",
		"2024/01/02 10:00":                "%Y/%m/%d %H:%M",
		"13/01/2024 10:00:59":             "%d/%m/%Y %H:%M:%S",
		"01/13/2024 10:00:59+01:00":       "%m/%d/%Y %H:%M:%S%z",
		"September 3, 2024":               "%B %d, %Y",
		"3 september 2024":                "%d %B %Y",
		"2024":                            "",
		"2024-01":                         "",
		"24-01-02":                        "",
		"2024-02-30":                      "",
		"2024-01-02T10:00:60":             "",
		"2024-01-02T10:00":                "",
		"2024-01-02T10:00:00UTC":          "",
		"2024-01-02T10:00:00.25Z":         "",
		"2024-01-02T10:00:00+02":          "",
		"2024-01-02 ":                     "",
		"2024-01-02  10:00":               "%Y-%m-%d %H:%M",
		"Sep 3, 2024":                     "",
		"a":                               "",
		"2024-01-02T10:00:00.1234567":     "",
		"0000-01-02":                      "",
		"  2024-01-02":                    "",
		"2024-01-02T10:00:00+02:00 extra": "",
	} {
		if got, _, _ := formatOf(text); got != want {
			t.Errorf("%q has format %q, want %q", text, got, want)
		}
	}
}

func TestInstants(t *testing.T) {
	at := func(text string) int64 {
		when, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return when.UnixMicro()
	}
	for _, test := range []struct {
		format dateFormat
		text   string
		want   int64
		offset int
	}{
		{"%Y-%m-%dT%H:%M:%S%z", "2024-02-29T10:00:00+02:30", at("2024-02-29T07:30:00Z"), 9000},
		{"%Y-%m-%dT%H:%M:%S.%f", "1969-12-31T23:59:59.25", -750_000, 0},
		{"%d/%m/%Y", "01/12/0001", at("0001-12-01T00:00:00Z"), 0},
		{"%m-%d-%Y %H:%M", "12-31-9999 23:59", at("9999-12-31T23:59:00Z"), 0},
		{"%B %d, %Y", "MAY 1, 2000", at("2000-05-01T00:00:00Z"), 0},
		{isoFormat, "2024-01-02", at("2024-01-02T00:00:00Z"), 0},
		{isoFormat, "2024-01-02 10", at("2024-01-02T10:00:00Z"), 0},
		{isoFormat, "2024-01-02T10:30-01", at("2024-01-02T11:30:00Z"), -3600},
		{isoFormat, "2024-01-02T10:30:05.123456789Z", at("2024-01-02T10:30:05.123456Z"), 0},
	} {
		got, ok := test.format.read([]byte(test.text), false)
		if !ok || got.micros != test.want || got.offset != test.offset {
			t.Errorf("%q by %s is %d with offset %d (%v), want %d and %d", test.text, test.format, got.micros, got.offset, ok, test.want, test.offset)
		}
	}
	for _, text := range []string{"2024-1-02", "2024-01-02T", "2024-01-02T1", "2024-01-02T10:3", "2024-01-02T10:30:05.", "2024-01-02Z", "2024-13-01", "2024-01-02T24"} {
		if got, ok := isoFormat.read([]byte(text), false); ok {
			t.Errorf("%q is taken for a timestamp: %+v", text, got)
		}
	}
}

// Behind the first hundred rows polars alone reads, which lets numbers be short.
func TestPolarsReadsMoreThanPython(t *testing.T) {
	for _, test := range []struct {
		format dateFormat
		text   string
	}{{"%Y-%m-%d", "24-1-2"}, {"%Y-%m-%d %H:%M", "2024-01-0210:00"}, {"%d %B %Y", "3 Sep 2024"}} {
		if _, ok := test.format.read([]byte(test.text), true); ok {
			t.Errorf("Python does not read %q by %s", test.text, test.format)
		}
		if _, ok := test.format.read([]byte(test.text), false); !ok {
			t.Errorf("polars reads %q by %s", test.text, test.format)
		}
	}
}
