package publish

import (
	"cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
)

// Findings says every problem and note of a verification as a finding: problems are errors, data of a pending repo is a warning,
// and other files that are only on the remote are notes.
func (v *Verification) Findings() []finding.Finding {
	var found []finding.Finding
	for _, p := range v.Problems {
		found = append(found, v.finding(p, finding.Error))
	}
	for _, p := range v.Notes {
		found = append(found, v.finding(p, finding.Note))
	}
	return found
}

func (v *Verification) finding(p Problem, severity finding.Severity) finding.Finding {
	f := finding.New(finding.PublishRemoteDiffers, "%s on the remote", p.Kind).At(p.Path, 0).As(severity)
	f.Repo = v.Repo
	switch p.Kind {
	case Missing:
		f.Message = "the file is not on the remote"
		f.Hint = "hfpub push sends it"
	case Different:
		f.Message = "the remote has another content: want " + p.Want + ", found " + p.Have
		f.Hint = "hfpub push sends this one; if the remote is right, fetch it"
	case Extra:
		f.Message = "the file is on the remote only"
	case Early:
		f.Severity = finding.Warning
		f.Message = "the repo is pending, and this file of its data is on the remote"
		f.Hint = "delete it on the Hub if it should not be there yet, or make the repo public"
	case LFSMissing:
		f.Message = "a pointer is on the remote and its content is not in LFS: " + p.Want
		f.Hint = "hfpub push sends the content"
	case LFSCorrupt:
		f.Message = "LFS gives out another content than the pointer says: want " + p.Want + ", found " + p.Have
		f.Hint = "tell the server's support: its store has damaged the object"
	case Unlisted:
		f.Message = "the Hub lists the file otherwise than git has it: git " + p.Want + ", listed " + cmp.Or(p.Have, "not at all")
		f.Hint = "wait some minutes and verify again; if it stays so, tell the Hub's support"
	case Uncovered:
		f.Message = "the file is in LFS, and no line of the remote's .gitattributes says so: clones get the pointer in its place"
		f.Hint = "hfpub push adds the line"
	}
	return f
}

// LockedRepos makes repos of what a lock names, for those who have the lock and not the release. One whose status the lock does not
// say is taken for public; of a pending one it is known which files are its data, that may not be on the remote yet.
func LockedRepos(lock *digest.Lock) []release.Repo {
	var repos []release.Repo
	for _, r := range lock.Repos {
		kind := release.Type(r.Type)
		if kind == "" {
			kind = release.Dataset
		}
		status := release.Status(r.Status)
		if status == "" {
			status = release.Public
		}
		repo := release.Repo{ID: r.ID, Type: kind, Status: status, Declared: true}
		if status == release.Pending {
			repo.Configs = LockedConfigs(r)
			for _, config := range repo.Configs {
				for i, split := range config.Splits {
					config.Splits[i].Patterns = split.Files
				}
			}
		}
		repos = append(repos, repo)
	}
	return repos
}

// LockedConfigs are the configs and splits of a locked repo, with the files that are locked.
func LockedConfigs(r digest.LockedRepo) []release.Config {
	var configs []release.Config
	for _, config := range r.Configs {
		c := release.Config{Name: config.Name}
		for _, split := range config.Splits {
			s := release.Split{Name: split.Name}
			for _, f := range split.Files {
				s.Files = append(s.Files, f.Path)
			}
			c.Splits = append(c.Splits, s)
		}
		configs = append(configs, c)
	}
	return configs
}

// LockedFiles lists what a lock says of the files of a repo that are published by its status, for [Publisher.Verify]; nil
// without a lock or when the lock does not know the repo.
func LockedFiles(lock *digest.Lock, repo *release.Repo) []Locked {
	if lock == nil {
		return nil
	}
	var files []Locked
	add := func(f digest.LockedFile) {
		if publishes(repo.Status, f.Path) {
			files = append(files, Locked{Path: f.Path, Bytes: f.Bytes, SHA256: f.SHA256})
		}
	}
	for _, r := range lock.Repos {
		if r.ID != repo.ID {
			continue
		}
		for _, config := range r.Configs {
			for _, split := range config.Splits {
				for _, f := range split.Files {
					add(f)
				}
			}
		}
		for _, f := range r.Files {
			add(f)
		}
	}
	return files
}
