// Package digest turns rows into hashes that do not depend on how a file was written, and keeps them in hfpub.lock.
package digest

// Digest is the content hash of a split, both forms as 64 hex digits: Sequence depends on the order of rows, Set does not.
type Digest struct {
	Sequence string `json:"sequence"`
	Set      string `json:"set"`
}
