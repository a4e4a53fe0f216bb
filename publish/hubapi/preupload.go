package hubapi

import (
	"context"
	"net/http"
	"net/url"
	"slices"
)

// Candidate is a file that is to be pushed.
type Candidate struct {
	Path string `json:"path"`
	// Size is that of the content in bytes.
	Size int64 `json:"size"`
	// Sample are the first bytes of the content, [SampleSize] where there are as many.
	Sample []byte `json:"sample"`
}

// SampleSize is how many bytes of a file the Hub wants to see to tell text from binary content.
const SampleSize = 512

// preuploadMax is how many files the Hub answers for in one request.
const preuploadMax = 256

// WantsLFS asks which of some files the Hub wants in Git LFS on a branch, and returns their paths. It is the only source for
// the Hub's rule on binary files, which is not published. attributes are the .gitattributes of the root as they will be.
func (c *Client) WantsLFS(ctx context.Context, repo Repo, rev string, attributes []byte, files []Candidate) (map[string]bool, error) {
	wanted := map[string]bool{}
	for some := range slices.Chunk(files, preuploadMax) {
		q := call{
			op: "ask which files of " + repo.String() + " belong into LFS", repo: repo, rev: rev, method: http.MethodPost,
			url: c.api(repo.APIPath(), "preupload", url.PathEscape(rev)),
			body: struct {
				Files         []Candidate `json:"files"`
				GitAttributes string      `json:"gitAttributes"`
			}{some, string(attributes)},
		}
		var a struct {
			Files []struct {
				Path       string `json:"path"`
				UploadMode string `json:"uploadMode"`
			} `json:"files"`
		}
		if err := c.ask(ctx, q, &a); err != nil {
			return nil, err
		}
		for _, f := range a.Files {
			if f.UploadMode == "lfs" {
				wanted[f.Path] = true
			}
		}
	}
	return wanted, nil
}
