package exchange

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// maxErrorBody is how much of the body of a failed answer is read.
const maxErrorBody = 8 << 10

// StatusError is an HTTP answer that is no success.
type StatusError struct {
	// Op says what was asked for, as in "LFS batch".
	Op string
	// URL is the address without credentials and query.
	URL  string
	Code int
	// Reason is the server's machine-readable name of the error, as in RepoNotFound; often "".
	Reason string
	// Message is what the server said, on one clean line; may be "".
	Message string
	// RequestID is what the server's operators ask for; may be "".
	RequestID string
	// After is how long the server asks to wait before the next try; 0 when it does not say.
	After time.Duration
}

func (e *StatusError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: HTTP %d", e.Op, e.Code)
	if text := http.StatusText(e.Code); text != "" {
		b.WriteString(" " + text)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.After > 0 {
		fmt.Fprintf(&b, " (asks to wait %s)", e.After.Round(time.Second))
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " [request %s]", e.RequestID)
	}
	return b.String()
}

// Code returns the HTTP status that an error came from, 0 when it came from none.
func Code(err error) int {
	var status *StatusError
	if errors.As(err, &status) {
		return status.Code
	}
	return 0
}

// Check returns nil for a 2xx answer and a [StatusError] for any other. It reads at most the beginning of a failed
// answer's body and leaves closing it to the caller.
func Check(op string, answer *http.Response) error {
	if answer.StatusCode/100 == 2 {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(answer.Body, maxErrorBody))
	e := &StatusError{
		Op:        op,
		Code:      answer.StatusCode,
		Reason:    Clean(answer.Header.Get("X-Error-Code")),
		Message:   message(answer.Header, body),
		RequestID: requestID(answer.Header),
		After:     wait(answer.Header),
	}
	if answer.Request != nil {
		e.URL = Bare(answer.Request.URL)
	}
	return e
}

// signIn matches what a refusal says when an organization has rules of its own for access.
var signIn = lazyregexp.New(`(?i)\b(sso|single sign-on|mfa|two-factor|ip (address|range)s?)\b`)

// WantsSignIn reports whether a server's words are about an organization's own rules for access: single sign-on, a second factor,
// or the networks that it allows.
func WantsSignIn(message string) bool { return signIn.MatchString(message) }

// requestID finds the id by which the Hub's support knows a request.
func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "X-Amzn-Trace-Id", "X-Amz-Cf-Id"} {
		if id := Clean(h.Get(name)); id != "" {
			return id
		}
	}
	return ""
}

// message finds the words for people in a failed answer: in the Hub's header, in a JSON object, in the XML of an object
// store, else in the text. Pages of HTML say nothing that helps.
func message(h http.Header, body []byte) string {
	if text := Clean(h.Get("X-Error-Message")); text != "" {
		return text
	}
	trimmed := strings.TrimSpace(string(body))
	switch {
	case strings.HasPrefix(trimmed, "{"):
		return fromJSON([]byte(trimmed))
	case strings.HasPrefix(trimmed, "<"):
		return fromXML([]byte(trimmed))
	}
	return Clean(trimmed)
}

func fromJSON(body []byte) string {
	var known struct {
		Message     string          `json:"message"`
		Error       json.RawMessage `json:"error"`
		Description string          `json:"error_description"`
		Errors      []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &known) != nil {
		return ""
	}
	words := []string{known.Message}
	var one string
	var many []string
	if json.Unmarshal(known.Error, &one) == nil {
		words = append(words, one)
	} else if json.Unmarshal(known.Error, &many) == nil {
		words = append(words, many...)
	}
	words = append(words, known.Description)
	for _, e := range known.Errors {
		words = append(words, e.Message)
	}
	return Clean(strings.Join(words, " "))
}

func fromXML(body []byte) string {
	var known struct {
		XMLName xml.Name `xml:"Error"`
		Code    string   `xml:"Code"`
		Message string   `xml:"Message"`
	}
	if xml.Unmarshal(body, &known) != nil {
		return ""
	}
	return Clean(known.Code + " " + known.Message)
}

// rateLimitReset matches the seconds until a window of the Hub's rate limit ends: "api";r=0;t=123.
var rateLimitReset = lazyregexp.New(`;\s*t=(\d{1,9})\b`)

// wait reads how long the server asks to wait: the Hub's RateLimit header, else Retry-After in seconds or as a date.
// A date counts from the server's own clock where it tells it.
func wait(h http.Header) time.Duration {
	if m := rateLimitReset.FindStringSubmatch(h.Get("RateLimit")); m != nil && strings.Contains(h.Get("RateLimit"), "r=0") {
		return seconds(m[1])
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if after == "" {
		return 0
	}
	if strings.Trim(after, "0123456789") == "" {
		return seconds(after)
	}
	until, err := http.ParseTime(after)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(until.Sub(now), 0)
}

// seconds reads a count of seconds; one beyond a year is as good as a year.
func seconds(digits string) time.Duration {
	const year = 365 * 24 * time.Hour
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > int64(year/time.Second) {
		return year
	}
	return time.Duration(n) * time.Second
}
