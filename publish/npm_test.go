package publish

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/publish/hubtest"
)

// The Hub's own JavaScript client sees what was pushed: the same files, sizes, hashes and contents, the commit and the card. It is
// the npm package @huggingface/hub in the folder that HFPUB_NODE_MODULES names.
func TestTheHubsOwnClientSeesWhatWasPushed(t *testing.T) {
	modules := os.Getenv("HFPUB_NODE_MODULES")
	if modules == "" {
		t.Skip("HFPUB_NODE_MODULES is not set: npm install @huggingface/hub, and name its node_modules, to ask the Hub's own client")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("HFPUB_NODE_MODULES is set, and node is not there: %v", err)
	}
	w := newWorld(t, hubtest.Options{PageSize: 2})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20), "data/a b/ü.jsonl": "{\"id\": 3}\n"})
	result := w.mustPush(nil)

	client := exec.Command(node, "testdata/hub_client.mjs", w.hub.URL(), "acme/rows", "main")
	client.Env = append(os.Environ(), "MODULES="+modules, "HF_TOKEN="+w.hub.Token(hubtest.Read))
	var stderr bytes.Buffer
	client.Stderr = &stderr
	out, err := client.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	type file struct {
		Size             int64
		OID, LFS, SHA256 string
	}
	var got struct {
		SHA, License string
		Private      bool
		Files        map[string]file
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got.SHA != result.Commit || got.License != "mit" || got.Private {
		t.Errorf("the client sees commit %s, license %q, private %v; want %s, mit, public", got.SHA, got.License, got.Private, result.Commit)
	}
	want := map[string]file{}
	tree, err := w.repo.Tree("main")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tree {
		if e.Dir {
			continue
		}
		content, err := w.repo.Read("main", e.Path)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		f := file{Size: int64(len(content)), OID: e.OID, SHA256: hex.EncodeToString(sum[:])}
		if e.LFS != nil {
			f.LFS = e.LFS.OID
		}
		want[e.Path] = f
	}
	if diff := cmp.Diff(want, got.Files); diff != "" || len(want) < 6 {
		t.Errorf("files (-pushed +seen by the client):\n%s", diff)
	}
}
