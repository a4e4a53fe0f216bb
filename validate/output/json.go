package output

import (
	"encoding/json"
	"fmt"
	"io"
)

// writeJSON prints the one object of the command. HTML is not escaped: the report is for programs, not for pages.
func writeJSON(w io.Writer, r Result, _ Options) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r.JSON); err != nil {
		return fmt.Errorf("write the JSON report: %w", err)
	}
	return nil
}
