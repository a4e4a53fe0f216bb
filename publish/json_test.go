package publish

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Other programs read these forms: fields may be added, never renamed.
func TestJSONForms(t *testing.T) {
	size := int64(0)
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"a plan", &Plan{Repo: "acme/rows", Remote: "https://hub.example/acme/rows", Branch: mainRef, Base: "b", Tree: "t",
			Commit: "c", LFSMissing: 1,
			LFSBytes: 2, PlainBytes: 3, Files: []File{{Path: "empty", Change: Added, Size: &size},
				{Path: "x", Change: Kept, LFS: true}}},
			`{"repo":"acme/rows","remote":"https://hub.example/acme/rows","branch":"refs/heads/main","base":"b","tree":"t","commit":"c","no_change":false,` +
				`"files":[{"path":"empty","change":"added","lfs":false,"size":0},{"path":"x","change":"kept","lfs":true}],` +
				`"lfs_missing":1,"lfs_bytes":2,"plain_bytes":3,"requests":0}`},
		{"a plan of a withheld repo", &Plan{Repo: "acme/rows", Branch: mainRef, Skipped: "withheld", Files: []File{}},
			`{"repo":"acme/rows","remote":"","branch":"refs/heads/main","skipped":"withheld","base":"","tree":"","commit":"","no_change":false,"files":[],` +
				`"lfs_missing":0,"lfs_bytes":0,"plain_bytes":0,"requests":0}`},
		{"a result", &Result{Repo: "acme/rows", Branch: mainRef, Message: "m", Base: "b", Commit: "c", Added: 1, Changed: 2,
			Removed: 3, LFSUploaded: 4, LFSSkipped: 5,
			LFSBytes: 6, PackBytes: 7, RemoteSaid: []string{"hello"}, Recovered: true},
			`{"repo":"acme/rows","remote":"","branch":"refs/heads/main","message":"m","base":"b","commit":"c","no_change":false,"added":1,"changed":2,"removed":3,` +
				`"lfs_uploaded":4,"lfs_skipped":5,"lfs_bytes":6,"pack_bytes":7,"remote_said":["hello"],"recovered":true}`},
		{"a verification", &Verification{Repo: "acme/rows", Branch: mainRef, Commit: "c", Checked: 2, LFSChecked: 1,
			Problems: []Problem{{Path: "x", Kind: Different, Want: "w", Have: "h"}}, Notes: []Problem{}},
			`{"repo":"acme/rows","remote":"","branch":"refs/heads/main","commit":"c","ok":false,"checked":2,"lfs_checked":1,` +
				`"problems":[{"path":"x","kind":"different","want":"w","have":"h"}],"notes":[]}`},
	} {
		got, err := json.Marshal(c.value)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
