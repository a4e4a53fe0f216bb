package hubtest

import "net/http"

// serveAPI serves what lies below /api/.
func (h *Hub) serveAPI(w http.ResponseWriter, r *http.Request, segments []string) {
	switch {
	case len(segments) == 1 && segments[0] == "complete_multipart" && r.Method == http.MethodPost:
		h.complete(w, r)
	default:
		refuse(w, r, problem{http.StatusNotFound, "", "Not Found"})
	}
}
