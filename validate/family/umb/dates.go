package umb

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// dayOf returns the day of a timestamp, YYYY-MM-DD with or without a time, counted from 1970-01-01. It is false for a day that
// no calendar has.
func dayOf(stamp string) (day int, ok bool) {
	if len(stamp) < len(time.DateOnly) {
		return 0, false
	}
	t, err := time.Parse(time.DateOnly, stamp[:len(time.DateOnly)])
	if err != nil {
		return 0, false
	}
	return int(t.Unix() / (24 * 60 * 60)), true
}

var (
	isoDate = regexp.MustCompile(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b`)
	// yearMonth and monthName are what gives the date away in a question about time. Months count with a capital only: may is a
	// word, and so is march.
	yearMonth = regexp.MustCompile(`[0-9]{4}-[0-9]{2}`)
	monthName = regexp.MustCompile(`\b(January|February|March|April|May|June|July|August|September|October|November|December)\b`)
	// span is a number with a unit of time.
	span = regexp.MustCompile(`(?i)\b([0-9]+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+)[ -](day|week|month|year)s?\b`)
	// notYear is a year that an answer takes back.
	notYear = regexp.MustCompile(`(?i)\bnot (?:in |on )?((?:19|20)[0-9]{2})\b`)
)

// duration is a number of days, weeks, months or years.
type duration struct {
	n    float64
	unit string
}

// durationIn returns the one duration that a text names; ok is false when there is none, or more than one.
func durationIn(text string) (d duration, ok bool) {
	found := span.FindAllStringSubmatch(text, 2)
	if len(found) != 1 {
		return duration{}, false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(found[0][1], ",", ""), 64)
	return duration{n, strings.ToLower(found[0][2])}, err == nil
}
