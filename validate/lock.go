package validate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
)

// LockOf makes the lock of a release: what the report measured, and the hashes of all other files of its repos.
func LockOf(ctx context.Context, rel *release.Release, report *Report) (*digest.Lock, error) {
	lock := &digest.Lock{Version: digest.LockVersion, Release: digest.LockedRelease{Name: rel.Name, Version: rel.Version}}
	for i, repo := range report.Repos {
		locked, err := lockRepo(ctx, &rel.Repos[i], repo)
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", repo.ID, err)
		}
		lock.Repos = append(lock.Repos, locked)
	}
	return lock, nil
}

func lockRepo(ctx context.Context, repo *release.Repo, measured Repo) (digest.LockedRepo, error) {
	out := digest.LockedRepo{ID: repo.ID, Type: string(repo.Type)}
	if repo.Status != release.Public {
		out.Status = string(repo.Status)
	}
	data := map[string]bool{}
	for _, config := range measured.Configs {
		locked := digest.LockedConfig{Name: config.Name}
		for _, split := range config.Splits {
			s := digest.LockedSplit{Name: split.Name, Rows: split.Rows, Digest: split.Digest}
			for _, f := range split.Files {
				data[f.Path] = true
				s.Files = append(s.Files, digest.LockedFile{Path: f.Path, Bytes: f.Bytes, Rows: f.Rows, SHA256: f.SHA256})
			}
			locked.Splits = append(locked.Splits, s)
		}
		out.Configs = append(out.Configs, locked)
	}
	for _, f := range repo.Tree {
		if data[f.Path] || f.Symlink() || f.Path == "hfpub.lock" {
			continue
		}
		locked, err := lockFile(ctx, repo, f.Path)
		if err != nil {
			return out, err
		}
		out.Files = append(out.Files, locked)
	}
	return out, nil
}

func lockFile(ctx context.Context, repo *release.Repo, path string) (digest.LockedFile, error) {
	f, err := open(repo, path)
	if err != nil {
		return digest.LockedFile{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, reader{ctx, f})
	if err != nil {
		return digest.LockedFile{}, fmt.Errorf("read %s: %w", path, err)
	}
	return digest.LockedFile{Path: path, Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// reader ends a copy when its context does.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// checkLock compares the release with its lock and says every drift. A lock that is not there, or is none, is a finding too: the
// user asked for the comparison.
func checkLock(ctx context.Context, path string, rel *release.Release, report *Report) ([]finding.Finding, error) {
	locked, err := digest.ReadLock(path)
	if errors.Is(err, fs.ErrNotExist) {
		f := finding.New(finding.LockMissing, "there is no hfpub.lock to compare with").At(release.LockName, 0)
		return []finding.Finding{f.Hinting("hfpub lock writes it")}, nil
	}
	if f, ok := UnreadableLock(err); ok {
		return []finding.Finding{f}, nil
	}
	if err != nil {
		return nil, err
	}
	now, err := LockOf(ctx, rel, report)
	if err != nil {
		return nil, err
	}
	return digest.Compare(locked, now), nil
}

// UnreadableLock is the finding about the lock of a release that stands there and is none: what [digest.ReadLock] says of its form. ok
// is false for any other error, and for none.
func UnreadableLock(err error) (f finding.Finding, ok bool) {
	var bad *digest.LockError
	switch {
	case errors.As(err, &bad):
		f = finding.New(finding.LockUnreadable, "%s", bad.Message).AtColumn(release.LockName, bad.Line, bad.Column)
		f.Hint = bad.Hint
		return f, true
	case errors.Is(err, regularfile.ErrNotRegular):
		f = finding.New(finding.LockUnreadable, "hfpub.lock is not a regular file").At(release.LockName, 0)
		return f.Hinting("move away what stands there, and write the lock with hfpub lock"), true
	}
	return finding.Finding{}, false
}
