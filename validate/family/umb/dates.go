package umb

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
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
	isoDate = lazyregexp.New(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b`)
	// yearMonth and monthName are what gives the date away in a question about time. Months count with a capital only: may is a
	// word, and so is march.
	yearMonth = lazyregexp.New(`[0-9]{4}-[0-9]{2}`)
	monthName = lazyregexp.New(`\b(January|February|March|April|May|June|July|August|September|October|November|December)\b`)
	// span is a number with a unit of time.
	span = lazyregexp.New(`(?i)\b([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:\.[0-9]+)?)\s*(day|week|month|year)s?\b`)
	// joined is what stands between two durations that make one: 2 years and 3 days.
	joined = lazyregexp.New(`(?i)^\s*(?:,|and|plus|,\s*and)?\s*$`)
	// notYear is a year that an answer takes back.
	notYear = lazyregexp.New(`(?i)\bnot (?:in |on )?((?:19|20)[0-9]{2})\b`)
)

// duration is a number of days, weeks, months or years.
type duration struct {
	n    float64
	unit string
}

// durationIn returns the duration that a text gives: the first that it names, which others may say again in other words, as in
// "731 days (2 years)". ok is false when there is none, or when it is put together of several.
func durationIn(text string) (d duration, ok bool) {
	found := span.FindAllStringSubmatchIndex(text, 2)
	if len(found) == 0 || len(found) == 2 && joined.MatchString(text[found[0][1]:found[1][0]]) {
		return duration{}, false
	}
	at := found[0]
	n, err := strconv.ParseFloat(strings.ReplaceAll(text[at[2]:at[3]], ",", ""), 64)
	return duration{n, strings.ToLower(text[at[4]:at[5]])}, err == nil
}

// daysBetween is the time between the two dates that texts name; ok is false when they name more dates than two, or fewer.
func daysBetween(texts ...string) (days int, ok bool) {
	var found []int
	for _, text := range texts {
		for _, date := range isoDate.FindAllString(text, -1) {
			day, ok := dayOf(date)
			if !ok {
				return 0, false
			}
			if !slices.Contains(found, day) {
				found = append(found, day)
			}
		}
	}
	if len(found) != 2 {
		return 0, false
	}
	return max(found[0], found[1]) - min(found[0], found[1]), true
}
