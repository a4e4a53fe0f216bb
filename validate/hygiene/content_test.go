package hygiene

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// token is put together here so that nobody finds it in this file.
const (
	token  = "ghp_" + "q8f2bJq8sjw8sj2ksow9sk2jdk29dk2lsa8s"
	hidden = `\u0067hp_` + "q8f2bJq8sjw8sj2ksow9sk2jdk29dk2lsa8s"
)

// looked lists what the check says of rows, through the binary form of its observer.
func looked(t *testing.T, rel *release.Release, lines ...string) []string {
	t.Helper()
	check, err := NewRowCheck(rel, observe.Options{MaxPlaces: 10})
	if err != nil {
		t.Fatal(err)
	}
	split := &observe.Split{Repo: &rel.Repos[0], Config: &release.Config{Name: "default"}, Split: &release.Split{Name: "train"}}
	o := check.Observer(split)
	var doc tape.Tape
	for i, line := range lines {
		if problems := doc.Parse([]byte(line)); len(problems) > 0 {
			t.Fatalf("line %d: %v", i+1, problems)
		}
		o.Observe(&rows.Row{Path: "train.jsonl", Line: i + 1, Doc: &doc})
	}
	data, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	read := check.Observer(split)
	if err := read.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	empty := check.Observer(split)
	empty.Merge(read)
	say := observe.NewFindings(10)
	if err := check.Finish(context.Background(), []observe.Seen{{Split: split, Observer: empty, Whole: true}}, say); err != nil {
		t.Fatal(err)
	}
	var got []string
	say.All(func(_ *observe.Split, found *finding.Set) {
		for _, f := range found.All() {
			got = append(got, fmt.Sprintf("%s %s %s: %s", f.Severity, f.Code, f.Where(), f.Message))
			if strings.Contains(f.Message+f.Hint, token[:5]) {
				t.Errorf("the finding shows the secret: %+v", f)
			}
		}
	})
	return got
}

func oneRepo(allow ...string) *release.Release {
	return &release.Release{Repos: []release.Repo{{ID: "tea", Status: release.Public, Hygiene: release.Hygiene{Allow: allow}}}}
}

func TestRowTexts(t *testing.T) {
	const secret = "a secret of the kind github-pat (ghp_…, 40 characters)"
	for _, c := range []struct {
		name, row string
		allow     []string
		want      []string
	}{
		{"nothing", `{"a": "Steamed, rolled and dried; the key is to wait.", "b": [1, null]}`, nil, nil},
		{"a secret in a nested text", `{"steps": [{"content": "ok"}, {"content": "x\n` + token + `\n"}]}`, nil, []string{"error hygiene/secret train.jsonl:1 /steps/1/content: " + secret}},
		{"a secret behind an escape", `{"a~b": "` + hidden + `"}`, nil, []string{"error hygiene/secret train.jsonl:1 /a~0b: " + secret}},
		{"a secret as a key", `{"a": {"` + token + `": 1}}`, nil, []string{"error hygiene/secret train.jsonl:1 /a: " + secret}},
		{"two in one text", `{"a": "` + token + ` ` + token + `"}`, nil, []string{"error hygiene/secret train.jsonl:1 /a: " + secret}},
		{"a value that its key gives away", `{"datadog_api_key": "q8f2bjq8sjw8sj2ksow9sk2jdk29dk2lsa8sj2ka"}`, nil,
			[]string{"error hygiene/secret train.jsonl:1 /datadog_api_key: a secret of the kind datadog-access-token (q8f2…, 40 characters)"}},
		{"a value behind a word", `{"a": "my_secret = 'q8f2bzm7xjw3ndc5ksov9tk4'"}`, nil, []string{"warning hygiene/secret train.jsonl:1 /a: a value that looks like a secret (q8f2…, 24 characters)"}},
		{"a secret that is none", `{"a": "` + token + `"}`, []string{"sha256:" + hashOf(token)[:12]}, nil},
		{"too short an exception", `{"a": "` + token + `"}`, []string{"sha256:" + hashOf(token)[:8]}, []string{"error hygiene/secret train.jsonl:1 /a: " + secret}},
		{"a home", `{"a": "see /home/anna/x.json, /home/anna/y"}`, nil, []string{"warning hygiene/local-path train.jsonl:1 /a: a path of somebody's home folder: /home/anna…"}},
		{"a home as JSON writes it", `{"a": "x\n/Users/anna/x", "b": "C:\\Users\\anna\\x"}`, nil, []string{
			"warning hygiene/local-path train.jsonl:1 /a: a path of somebody's home folder: /Users/anna…",
			`warning hygiene/local-path train.jsonl:1 /b: a path of somebody's home folder: C:\Users\anna…`}},
		{"homes of nobody", `{"a": "/home/user/x /Users/runner/x /home/ubuntu", "b": "C:\\Users\\Public\\x"}`, nil, nil},
		{"no paths of a machine", `{"a": "https://tea.org/home/anna ./home/anna/x x/mnt/y /users/anna ~/home/x /mnt/ /home/<name>/"}`, nil, nil},
		{"a mounted disk", `{"a": "file:///scratch/tea/x.sif"}`, nil, []string{"warning hygiene/local-path train.jsonl:1 /a: a path of some machine: /scratch/tea…"}},
		{"paths that are allowed", `{"a": "/mnt/repo/x /mnt/repo", "b": "/mnt/repository/x"}`, []string{"/mnt/repo/"},
			[]string{"warning hygiene/local-path train.jsonl:1 /b: a path of some machine: /mnt/repository…"}},
		{"an address", `{"a": "write to Anna.B+x@mail.tea-house.org."}`, nil, []string{"note hygiene/personal-data train.jsonl:1 /a: an e-mail address"}},
		{"no addresses of persons", `{"a": "git@github.com:a/b anna@example.com a@2x.png 1+noreply@users.noreply.github.com @tea tea@ a @b.org pkg@v1.2.3 no-reply@tea.org"}`, nil, nil},
		{"a phone number", `{"a": "+49 30 901820-11"}`, nil, []string{"note hygiene/personal-data train.jsonl:1 /a: a phone number"}},
		{"no phone numbers", `{"a": "a+1 2 3, x +12 34, 1e+10 200 300 400, +1.5 +2.5"}`, nil, nil},
		{"a password in an address of the web", `{"a": "postgresql://tea:v3ryLongOne9@db.tea.org/x"}`, nil, []string{"error hygiene/secret train.jsonl:1 /a: a secret of the kind url-password (v3ry…, 12 characters)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, looked(t, oneRepo(c.allow...), c.row)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What is withheld is not looked at.
func TestWithheldRows(t *testing.T) {
	rel := oneRepo()
	rel.Repos[0].Status = release.Withheld
	check, err := NewRowCheck(rel, observe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if o := check.Observer(&observe.Split{Repo: &rel.Repos[0]}); o != nil {
		t.Errorf("it is looked at: %+v", o)
	}
}

const bank = "Persona: Anna B., 31, keeps bees behind the old mill and never drinks coffee after noon, whatever people say."

func TestForbiddenTexts(t *testing.T) {
	var list bytes.Buffer
	if err := fingerprint.Write(&list, "Persona Bank", fingerprint.Of([]byte(bank))); err != nil {
		t.Fatal(err)
	}
	repo := repoOf(t, map[string]string{"bank.txt": list.String(), "README.md": "# X\n\nShe keeps bees behind the\nold mill and NEVER drinks coffee after noon, they say.\n", "code.py": "pass\n"})
	repo.Hygiene.Forbid = []string{"bank.txt"}
	rel := &release.Release{Dir: repo.Dir, Repos: []release.Repo{*repo}}
	want := []string{"error hygiene/forbidden-content train.jsonl:2 /p/0: text of Persona Bank, which must not be in any file"}
	if diff := cmp.Diff(want, looked(t, rel, `{"p": ["bees"]}`, `{"p": ["x `+bank[20:]+`"]}`)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	found, err := Texts(context.Background(), rel, &rel.Repos[0])
	if err != nil || len(found) != 1 || found[0].Code != finding.HygieneForbidden || found[0].Where() != "README.md:3:5" {
		t.Errorf("want hygiene/forbidden-content at README.md:3:5, got %+v %v", found, err)
	}
}

func TestTexts(t *testing.T) {
	repo := repoOf(t, map[string]string{
		"README.md":   "# X\n\nhello  " + token + "\n",
		"run.json":    `{"a": "x\n` + token + `", "path": "/home/anna/x"}` + "\n",
		"picture.png": token,
		"data.bin2":   "\x00" + token,
		"rows.jsonl":  `{"a": "` + token + `"}`,
	})
	repo.Configs = []release.Config{{Splits: []release.Split{{Files: []string{"rows.jsonl"}}}}}
	big(t, repo, "data.bin2", maxText+1)
	rel := &release.Release{Dir: repo.Dir, Repos: []release.Repo{*repo}}
	found, err := Texts(context.Background(), rel, &rel.Repos[0])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, string(f.Code)+" "+f.Where())
	}
	want := []string{"hygiene/secret README.md:3:8", "hygiene/not-scanned data.bin2", "hygiene/secret run.json:1:11", "hygiene/local-path run.json:1:63"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLeftovers(t *testing.T) {
	repo := repoOf(t, map[string]string{
		"README.md": "x", "data/train.jsonl": "{}", "data/train-00003-of-00008.parquet.partial": "x", "README.md~": "x", "a.py.orig": "x",
		"data/SHA256SUMS": "x", "Thumbs.db": "x", ".DS_Store": "x", "data/.hfpub-123": "x", ".vscode/settings.json": "x", "core.py": "x", "temperature.csv": "x",
	})
	found, err := Leftovers(context.Background(), repo)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, string(f.Severity)+" "+f.Path+": "+f.Message)
	}
	want := []string{
		"warning .vscode/settings.json: a file of somebody's working folder",
		"warning README.md~: a copy that an editor or a merge left",
		"warning Thumbs.db: a file of the operating system",
		"warning a.py.orig: a copy that an editor or a merge left",
		"note data/SHA256SUMS: a file of checksums",
		"warning data/train-00003-of-00008.parquet.partial: an unfinished file",
		"note .DS_Store: a file of the operating system",
		"note data/.hfpub-123: a temporary file that hfpub left when it was interrupted",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Whatever a row holds, the check neither panics nor misses a token that stands in plain.
func FuzzRowTexts(f *testing.F) {
	f.Add("x@y.z /home/a/b +49 30 123456", "k")
	f.Add(`C:\Users\ä\`, "@")
	rel := oneRepo()
	check, err := NewRowCheck(rel, observe.Options{MaxPlaces: 10})
	if err != nil {
		f.Fatal(err)
	}
	split := &observe.Split{Repo: &rel.Repos[0], Config: &release.Config{}, Split: &release.Split{}}
	f.Fuzz(func(t *testing.T, text, key string) {
		line := []byte(fmt.Sprintf(`{%s: [%s, %s]}`, quoted(key), quoted(text), quoted(text+" "+token)))
		var doc tape.Tape
		if len(doc.Parse(line)) > 0 {
			return
		}
		o := check.Observer(split).(*rowObserver)
		o.Observe(&rows.Row{Path: "x.jsonl", Line: 1, Doc: &doc})
		for _, found := range o.found.All() {
			if found.Code == finding.HygieneSecret {
				return
			}
		}
		t.Errorf("the token is not found behind %q", text)
	})
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
