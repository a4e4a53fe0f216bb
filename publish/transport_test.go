package publish

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// liar is a server that says of every upload that it has the object already.
type liar struct{}

func (liar) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.URL.Path, "/objects/batch") {
		return answer, err
	}
	defer answer.Body.Close()
	var batch struct {
		Objects []map[string]any `json:"objects"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&batch); err != nil {
		return nil, err
	}
	for _, o := range batch.Objects {
		if actions, _ := o["actions"].(map[string]any); actions["upload"] != nil {
			delete(o, "actions")
		}
	}
	text, err := json.Marshal(batch)
	answer.Header.Set("Content-Length", strconv.Itoa(len(text)))
	answer.ContentLength, answer.Body = int64(len(text)), io.NopCloser(bytes.NewReader(text))
	return answer, err
}
