package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/schemas/atomicfile"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
)

// stateName is the file beside hfpub.yaml that says how far a push of several repos came. It is there while one is under way
// and after one that did not end well, whatever ended it; a push that ends well takes it away.
const stateName = ".hfpub-push.json"

// maxState bounds the bytes that are read of a state file.
const maxState = 16 << 20

// pushState is how far a push of several repos came.
type pushState struct {
	State   int            `json:"state"`
	Release string         `json:"release"`
	Version string         `json:"version,omitempty"`
	Repos   []pushedState  `json:"repos"`
	path    string         // of the file
	at      map[string]int // where the repos stand in Repos
}

// pushedState is how far one repo is: not-tried, pushing, failed, in-doubt or published. Commit is there for a published one,
// Branch, too, once a pull request is open for it.
type pushedState struct {
	Repo   string `json:"repo"`
	State  string `json:"state"`
	Branch string `json:"branch,omitempty"`
	Commit string `json:"commit,omitempty"`
}

// beginState writes that the push of several repos begins. A push of one repo is all or nothing, and needs no state. With pull, the
// pull requests that an earlier push has opened are taken over: what it left open is not proposed twice.
func beginState(rel *release.Release, repos []*release.Repo, pull bool) (*pushState, error) {
	if len(repos) < 2 {
		return nil, nil
	}
	opened := map[string]string{}
	if pull {
		earlier, err := readState(rel)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s cannot be read: %w; an earlier push may have opened pull requests: close them on the Hub, remove the file, and push again",
				filepath.Join(rel.Dir, stateName), err)
		}
		if err == nil {
			opened = earlier.pulls()
		}
	}
	s := &pushState{State: 1, Release: rel.Name, Version: rel.Version, path: filepath.Join(rel.Dir, stateName), at: map[string]int{}}
	for i, repo := range repos {
		s.Repos = append(s.Repos, pushedState{Repo: repo.ID, State: "not-tried", Branch: opened[repo.ID]})
		s.at[repo.ID] = i
	}
	return s, s.write()
}

func (s *pushState) write() error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(s.path, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("%w; a push of several repos says there how far it is; without that, push the repos one by one with --only", err)
	}
	return nil
}

// set writes how far a repo is. Result is nil unless it is published.
func (s *pushState) set(repo *release.Repo, state string, result *publish.Result) error {
	if s == nil {
		return nil
	}
	now := &s.Repos[s.at[repo.ID]]
	now.State = state
	if result != nil {
		now.Branch, now.Commit = result.Branch, result.Commit
	}
	return s.write()
}

// propose writes that a pull request is open for a repo, by its ref.
func (s *pushState) propose(repo *release.Repo, ref string) error {
	if s == nil {
		return nil
	}
	s.Repos[s.at[repo.ID]].Branch = ref
	return s.write()
}

// proposed is the ref of the pull request that an earlier push has opened for a repo; "" for none.
func (s *pushState) proposed(repo *release.Repo) string {
	if s == nil {
		return ""
	}
	return s.Repos[s.at[repo.ID]].Branch
}

// pulls are the refs of the pull requests by their repos.
func (s *pushState) pulls() map[string]string {
	found := map[string]string{}
	for _, repo := range s.Repos {
		if strings.HasPrefix(repo.Branch, pullRef) {
			found[repo.Repo] = repo.Branch
		}
	}
	return found
}

// end takes the file away: all repos are published.
func (s *pushState) end() error {
	if s == nil {
		return nil
	}
	if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) { // the same push, made twice at once
		return err
	}
	return nil
}

// readState reads what an earlier push has left. Without one the error is [fs.ErrNotExist].
func readState(rel *release.Release) (*pushState, error) {
	text, err := regularfile.Read(filepath.Join(rel.Dir, stateName), maxState)
	if err != nil {
		return nil, err
	}
	var s pushState
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.State != 1 {
		return nil, fmt.Errorf("%s has a form that this version does not know", stateName)
	}
	return &s, nil
}

// interrupted says how far an earlier push came that did not end well; "" where there is none.
func interrupted(rel *release.Release) string {
	s, err := readState(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		return fmt.Sprintf("%s cannot be read; every repo is compared with its remote anew", stateName)
	}
	var published, left []string
	for _, repo := range s.Repos {
		if repo.State == "published" {
			published = append(published, fmt.Sprintf("%s at %.12s", repo.Repo, repo.Commit))
		} else {
			left = append(left, fmt.Sprintf("%s (%s)", repo.Repo, repo.State))
		}
	}
	return fmt.Sprintf("an earlier push stopped. Published: %s. Not: %s. This one goes on: what is there is not sent again",
		orNone(published), orNone(left))
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
