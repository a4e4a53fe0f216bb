package secrets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var shared = sync.OnceValue(func() *Set { return NewSet() })

func scanner(t testing.TB) *Scanner {
	t.Helper()
	set := shared()
	return set.NewScanner()
}

// random makes a text of characters that no rule can take for a placeholder.
func random(alphabet string, n int) string {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

const (
	lower = "abcdefghijklmnopqrstuvwxyz"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digit = "0123456789"
	hexa  = "0123456789abcdef"
)

// Secrets of many kinds are found where they stand, each once. They are put together here, so that nobody finds them in
// this file.
func TestFound(t *testing.T) {
	for _, c := range []struct{ name, before, secret, after, rule string }{
		{"a Hub token", "HF_TOKEN=", "hf_" + random(lower+upper, 34), "\nLANG=C", "huggingface-access-token"},
		{"a Hub token at the end", "", "hf_" + random(lower+upper, 34), "", "huggingface-access-token"},
		{"a forge token in a URL", "git clone https://x:", "ghp_" + random(lower+upper+digit, 36), "@github.com/acme/notes", "github-pat"},
		{"a cloud key id", "aws_access_key_id = ", "AKIA" + random(upper+"234567", 16), "", "aws-access-key-id"},
		{"a cloud key id with zeros", "id: ", "AKIAQQ0E" + random(upper+digit, 11) + "0", "", "aws-access-key-id"},
		{"a private key", "x\n", "-----BEGIN RSA PRIVATE KEY-----\n" + random(lower+digit, 300) + "\n-----END RSA PRIVATE KEY-----", "\n", "private-key"},
		{"a long private key", "x\n", "-----BEGIN PRIVATE KEY-----\n" + random(lower+digit, 5000) + "\n-----END PRIVATE KEY-----", "\n", "private-key"},
		{"a chat token", "token ", "xoxb-" + random("123456789", 12) + "-" + random("123456789", 12) + random(lower, 24), "", "slack-bot-token"},
		{"a web token", `{"a": "`, "eyJ" + random(lower+digit, 30) + ".eyJ" + random(lower+digit, 30) + "." + random(lower+digit, 30), `"}`, "jwt"},
		{"a name with a value", "datadog_api_key: \"", random(lower+digit, 40), `"`, "datadog-access-token"},
		{"some secret", `my_secret = "`, "q8" + random(lower+digit, 30), `"`, Generic},
		{"a password in a URL", "postgresql://tea:", "v3ry" + random(lower+digit, 12), "@db.internal/tea", "url-password"},
		{"a payment key", "key ", "sk_live_" + random(lower+digit, 24), " ", "stripe-access-token"},
		{"a package index token", "", "pypi-AgEIcHlwaS5vcmc" + random(lower+upper+digit, 60), "", "pypi-upload-token"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, pad := range []string{"", strings.Repeat("steamed, rolled and dried in the sun ", 100)} {
				text := pad + c.before + c.secret + c.after
				if pad != "" {
					text += " " + pad
				}
				hits := scanner(t).Scan([]byte(text), "train.jsonl", nil)
				if len(hits) != 1 || hits[0].Rule != c.rule || text[hits[0].Start:hits[0].End] != c.secret {
					t.Errorf("want %s at %d to %d, got %+v", c.rule, len(pad+c.before), len(pad+c.before+c.secret), hits)
				}
				if got := string(scanner(t).Redact([]byte(text), []byte(text))); c.rule != Generic && strings.Contains(got, c.secret[:5]) {
					t.Errorf("the secret is still there: …%s…", got[len(pad):min(len(got), len(pad)+100)])
				}
			}
		})
	}
}

// What only looks like a secret is none.
func TestNotFound(t *testing.T) {
	for _, text := range []string{
		"set HF_TOKEN=<your token> and try again",
		"export HF_TOKEN=hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"hf_" + random(lower, 10),
		"AKIAIOSFODNN7EXAMPLE",
		"token = ${HF_TOKEN}",
		`api_key = "YOUR_API_KEY_1234567890"`,
		`"sha256_key": "` + random(hexa, 64) + `"`,
		`"cache_key": "` + random(hexa, 8) + "-" + random(hexa, 4) + "-" + random(hexa, 4) + "-" + random(hexa, 4) + "-" + random(hexa, 12) + `"`,
		"the key to the house, they said, is under the mat: everybody knew",
		"-----BEGIN PUBLIC KEY-----\n" + random(lower, 300) + "\n-----END PUBLIC KEY-----",
		"-----BEGIN PRIVATE KEY-----",
		"postgres://user:password@localhost/db",
		"https://example.com:8080/a@b",
		"commit " + random(hexa, 40),
	} {
		if hits := scanner(t).Scan([]byte(text), "train.jsonl", nil); len(hits) > 0 {
			t.Errorf("%q is taken for a secret: %+v", text, hits)
		}
	}
}

// Rules about certain files are for those only.
func TestRulesOfFiles(t *testing.T) {
	text := []byte("kind: Secret\ndata:\n  password: " + random(lower+upper, 20) + "=\n")
	if hits := scanner(t).Scan(text, "a.yaml", nil); len(hits) != 1 || hits[0].Rule != "kubernetes-secret-yaml" {
		t.Errorf("in a.yaml want kubernetes-secret-yaml, got %+v", hits)
	}
	for _, h := range scanner(t).Scan(text, "a.txt", nil) {
		if h.Rule == "kubernetes-secret-yaml" {
			t.Errorf("in a.txt, too: %+v", h)
		}
	}
}

// Every rule has keywords that can be looked for, and all expressions compile.
func TestRules(t *testing.T) {
	if len(rules) < 200 {
		t.Errorf("there are %d rules", len(rules))
	}
	lists := []allowList{global}
	for i := range rules {
		r := &rules[i]
		r.expression.Compiled()
		if r.path != nil {
			r.path.Compiled()
		}
		lists = append(lists, r.allow...)
		if len(r.words) == 0 {
			t.Errorf("rule %s has no keyword", r.id)
		}
		for _, w := range r.words {
			if len(w) < 3 {
				t.Errorf("rule %s has the keyword %q, which is too short to be looked for", r.id, w)
			}
		}
	}
	for _, list := range lists {
		for _, e := range slices.Concat(list.expressions, list.paths) {
			e.Compiled()
		}
	}
}

func TestCandidatesInJSON(t *testing.T) {
	for _, text := range []string{
		`{"a": "x\nAKIA` + random(upper+"234567", 16) + `\n"}`,
		`{"a": "{\"api_key\": \"q8` + random(lower+digit, 30) + `\"}"}`,
		`{"my_secret": "q8` + random(lower+digit, 30) + `"}`,
	} {
		n := 0
		scanner(t).Candidates([]byte(text), func(int) { n++ })
		if n == 0 {
			t.Errorf("no candidate in %s", text)
		}
	}
}

func TestMarkers(t *testing.T) {
	var got []string
	set := NewSet(Marker{Word: "/home/"}, Marker{Word: "@", Near: func(text []byte, _, end int) bool { return end < len(text) && text[end] == 't' }})
	set.NewScanner().Scan([]byte("/Home/anna anna@tea a@b"), "", func(m Mark) { got = append(got, fmt.Sprint(m)) })
	if diff := cmp.Diff([]string{"{1 15 16}", "{0 0 6}"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The finder finds what a search for each word finds.
func FuzzFinder(f *testing.F) {
	f.Add("she", "@", "hers", "uSHErs of shears @ @@")
	f.Add("aaa", "aaab", "a", "aaaab AAAB")
	f.Fuzz(func(t *testing.T, a, b, c, text string) {
		words := []string{}
		for _, w := range []string{a, b, c} {
			if w == lowered(w) && (len(w) == 1 || len(w) > 2) {
				words = append(words, w)
			}
		}
		want, got := map[string]int{}, map[string]int{}
		for at := range len(text) {
			for i, w := range words {
				if strings.HasPrefix(text[at:], w) || len(w) > 1 && strings.HasPrefix(lowered(text[at:]), w) {
					want[fmt.Sprintf("%d:%d", at, i)]++
				}
			}
		}
		newFinder(words, func(int) bool { return true }).find([]byte(text), func(start, word int) { got[fmt.Sprintf("%d:%d", start, word)]++ })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q in %q (-want +got):\n%s", words, text, diff)
		}
	})
}

func lowered(s string) string {
	return string(lowerASCII([]byte(s)))
}

func lowerASCII(s []byte) []byte {
	for i, b := range s {
		if 'A' <= b && b <= 'Z' {
			s[i] = b + 'a' - 'A'
		}
	}
	return s
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`api_key = "q8sjw8sj2ksow9sk2"`), "a.yaml")
	f.Add([]byte("-----BEGIN PRIVATE KEY-----\x00\xff"), "")
	f.Add([]byte(`curl -H "Authorization: Bearer abc" secret: kind`), "x")
	set := NewSet()
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		s := set.NewScanner()
		last := 0
		for _, h := range s.Scan(text, path, nil) {
			if h.Start < last || h.End <= h.Start || h.End > len(text) {
				t.Fatalf("hit %+v in a text of %d bytes, after %d", h, len(text), last)
			}
			last = h.End
		}
		s.Candidates(text, func(int) {})
		s.Redact(text, text)
	})
}
