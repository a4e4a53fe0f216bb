package hygiene

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/fingerprint"
	"github.com/hfpub/hfpub/validate/hygiene/secrets"
)

// policy is what a repo allows and forbids in its files.
type policy struct {
	paths   []string
	secrets []string
	// forbidden is nil where nothing is.
	forbidden *fingerprint.List
}

// newPolicy reads what hfpub.yaml says of a repo. The error is for a list that cannot be read.
func newPolicy(rel *release.Release, repo *release.Repo) (*policy, error) {
	p := &policy{}
	for _, allowed := range repo.Hygiene.Allow {
		if hash, ok := strings.CutPrefix(allowed, "sha256:"); ok {
			p.secrets = append(p.secrets, strings.ToLower(hash))
			continue
		}
		p.paths = append(p.paths, allowed)
	}
	for _, path := range repo.Hygiene.Forbid {
		if p.forbidden == nil {
			p.forbidden = &fingerprint.List{}
		}
		f, err := os.Open(filepath.Join(rel.Dir, filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		err = p.forbidden.Read(path, f)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// allows says whether a path is on the allow-list: it is one of it, or inside of one.
func (p *policy) allows(path string) bool {
	return slices.ContainsFunc(p.paths, func(allowed string) bool {
		rest, ok := strings.CutPrefix(path, strings.TrimRight(allowed, `/\`))
		return ok && (rest == "" || rest[0] == '/' || rest[0] == '\\')
	})
}

// minAllowed is how many digits of a hash an allowed secret needs, so that it is one and not any.
const minAllowed = 12

func (p *policy) allowsSecret(hash string) bool {
	return slices.ContainsFunc(p.secrets, func(allowed string) bool {
		return len(allowed) >= minAllowed && strings.HasPrefix(hash, allowed)
	})
}

// trouble is something found in a text: the finding without its place, and where it begins.
type trouble struct {
	finding.Finding
	start int
}

// reader looks through texts. It serves one goroutine.
type reader struct {
	scanner *secrets.Scanner
	policy  *policy
	found   []trouble
}

// read returns what is wrong with a text, in its order; valid until the next call. path is the name of the file.
func (r *reader) read(text []byte, path string) []trouble {
	r.found = r.found[:0]
	hits := r.scanner.Scan(text, path, func(m secrets.Mark) {
		if mark, ok := readMark(text, m); ok {
			r.mark(mark)
		}
	})
	marks := len(r.found)
	for _, h := range hits {
		if f, ok := r.secret(text[h.Start:h.End], h); ok {
			r.found = append(r.found, trouble{f, h.Start})
		}
	}
	// An at sign inside of a secret, as in a URL with a password, is no address.
	for i := marks - 1; i >= 0; i-- {
		at := r.found[i].start
		if slices.ContainsFunc(hits, func(h secrets.Hit) bool { return h.Start <= at && at <= h.End }) {
			r.found = slices.Delete(r.found, i, i+1)
		}
	}
	if r.policy.forbidden != nil {
		for _, f := range r.policy.forbidden.Scan(text) {
			r.found = append(r.found, trouble{forbidden(f), f.Start})
		}
	}
	slices.SortStableFunc(r.found, func(a, b trouble) int { return cmp.Compare(a.start, b.start) })
	return r.found
}

func (r *reader) mark(m mark) {
	var f finding.Finding
	switch m.kind {
	case homePath:
		f = finding.New(finding.HygieneLocalPath, "a path of somebody's home folder: %s…", m.shown)
	case mountPath:
		f = finding.New(finding.HygieneLocalPath, "a path of some machine: %s…", m.shown)
	case mailAddress:
		f = finding.New(finding.HygienePersonal, "an e-mail address").Hinting("the first is %s; make sure that its owner agrees, or replace such addresses", m.shown)
	case phoneNumber:
		f = finding.New(finding.HygienePersonal, "a phone number").Hinting("the first begins with %s; make sure that its owner agrees, or replace such numbers", m.shown)
	}
	if m.kind == homePath || m.kind == mountPath {
		if r.policy.allows(m.path) {
			return
		}
		f = f.Hinting("write the path relative to a folder of the release; one that has to stand goes into `hygiene: {allow: [%s]}` of hfpub.yaml", m.shown)
	}
	r.found = append(r.found, trouble{f, m.start})
}

// secret is the finding about a secret, with no more of it than may be shown.
func (r *reader) secret(text []byte, h secrets.Hit) (finding.Finding, bool) {
	sum := sha256.Sum256(text)
	hash := hex.EncodeToString(sum[:])
	if r.policy.allowsSecret(hash) {
		return finding.Finding{}, false
	}
	start, length := secrets.Shown(text)
	f := finding.New(finding.HygieneSecret, "a secret of the kind %s (%s, %d characters)", h.Rule, start, length)
	f = f.Hinting("revoke it and take it out; if it is none, `hygiene: {allow: [\"sha256:%s\"]}` in hfpub.yaml says so", hash[:minAllowed])
	if h.Rule == secrets.Generic {
		f = f.As(finding.Warning)
		f.Message = fmt.Sprintf("a value that looks like a secret (%s, %d characters)", start, length)
	}
	return f, true
}

func forbidden(f fingerprint.Find) finding.Finding {
	out := finding.New(finding.HygieneForbidden, "text of %s, which must not be in any file", f.Source)
	return out.Hinting("take it out; %d words in a row are on the list of fingerprints", fingerprint.Window)
}
