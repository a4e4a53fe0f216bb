package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/clerk/generate"
	"github.com/hfpub/hfpub/validate/family/memgym/memgymtest"
)

// clerkManifest is the hfpub.yaml of the example release of CLERK.
const clerkManifest = `version: 1
release: {name: clerk, version: 1.0.0}
repos:
  - id: Falln87/clerk-synthetic-sessions
    type: dataset
    status: public
    root: sessions
    license: apache-2.0
    card:
      pretty_name: CLERK Synthetic Sessions (example)
      language: [en]
      tags: [memory, dialogue, synthetic]
      task_categories: [text-generation, question-answering]
      sections:
        What this is: |
          Timelines in the format of CLERK, made by the generator of hfpub: personas who tell an assistant facts over several
          sessions, the ledger it should keep of them, the programs that edit it, and questions about it.

          They are not rows of the CLERK data set, whose generator is not public: names, words, slots and the order in which facts
          are forgotten are hfpub's own. They have the shape of its rows and every property that its card states. No external
          data set is in them.
    configs:
      - name: default
        splits:
          - {name: train, files: [data/timelines_train.jsonl], artifact: clerk/timelines}
          - {name: validation, files: [data/timelines_val.jsonl], artifact: clerk/timelines}
          - {name: test, files: [data/timelines_test.jsonl], artifact: clerk/timelines}
    rules:
      - disjoint: {between: [train, test], key: [/name]}
      - unique: {in: [train], key: [/name]}
    claims:
      - {id: CLK-C05, said: {text: "0", where: "personas with other sessions than 0 to 4"}, measure: {count: {in: [train, validation, test], where: 'size(row.sessions) != 5 || row.sessions[4].session_idx != 4'}}}
      - {id: CLK-C08, said: {text: "8 names", where: "train and test share none: 6 and 2"}, measure: {distinct: {in: [train, test], key: /name}}}
      - {id: CLK-C09, said: {text: "5 types of questions", where: "card"}, measure: {distinct: {in: [train, validation, test], key: /sessions/*/qas/*/type}}}
    reproduce:
      run: [hfpub, generate, clerk, --personas, "6", --sessions, "5", --budget, "6", --seed, "137", --split, train]
      produces: data/timelines_train.jsonl
`

// clerkExample makes the files of the example release of CLERK.
func clerkExample(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{"hfpub.yaml": clerkManifest}
	for _, p := range []generate.Params{
		{Personas: 6, Sessions: 5, Budget: 6, Seed: 137, Split: "train"},
		{Personas: 2, Sessions: 5, Budget: 6, Seed: 991, Split: "val"},
		{Personas: 2, Sessions: 5, Budget: 6, Seed: 4242, Split: "test"},
	} {
		var b bytes.Buffer
		if err := generate.Write(t.Context(), &b, p); err != nil {
			t.Fatal(err)
		}
		files["sessions/data/timelines_"+p.Split+".jsonl"] = b.String()
	}
	return files
}

// memgymExample makes the files of the example release of MemGym.
func memgymExample(t *testing.T) map[string]string {
	t.Helper()
	files := memgymtest.Files()
	files["hfpub.yaml"] = memgymtest.Manifest()
	return files
}

// baseModel begins the card of the example's adapter: hfpub card adds what it measures.
const baseModel = "---\nbase_model: Qwen/Qwen3-1.7B-Base\n---\n"

// TestExampleMakers holds the example releases to their makers. With -update they are made again, with their cards and locks.
func TestExampleMakers(t *testing.T) {
	for name, make := range map[string]func(*testing.T) map[string]string{"clerk": clerkExample, "memgym": memgymExample} {
		t.Run(name, func(t *testing.T) {
			dir := repoPath(t, "testdata/releases/"+name)
			files := make(t)
			if *update {
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
				if name == "memgym" {
					files["rm-1p7b/README.md"] = baseModel
				}
				for path, text := range files {
					full := filepath.Join(dir, filepath.FromSlash(path))
					if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				delete(files, "rm-1p7b/README.md")
				succeed(t, "card", dir)
				succeed(t, "lock", dir)
			}
			for path, text := range files {
				got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
				if err != nil || string(got) != text {
					t.Errorf("%s is not what its maker makes (%v): run go test ./cmd/hfpub -run Example -update", path, err)
				}
			}
		})
	}
}

// succeed runs a command that must succeed.
func succeed(t *testing.T, args ...string) {
	t.Helper()
	var out, problems strings.Builder
	if code := run(t.Context(), args, &out, &problems); code != 0 {
		t.Errorf("hfpub %s exits with %d; where cards have changed run go test ./cmd/hfpub -run Example -update:\n%s%s", strings.Join(args, " "), code, out.String(), problems.String())
	}
}

// What the generator makes is not the data set whose format it has, and its card says so.
func TestTheCardOfGeneratedRowsSaysWhatTheyAre(t *testing.T) {
	card, err := os.ReadFile(repoPath(t, "testdata/releases/clerk/sessions/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range []string{"made by the generator of hfpub", "They are not rows of the CLERK data set"} {
		if !strings.Contains(string(card), sentence) {
			t.Errorf("the card of the example does not say %q", sentence)
		}
	}
}
