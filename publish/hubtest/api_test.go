package hubtest_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// apiCase is one request to the API and what is expected of the answer.
type apiCase struct {
	name string
	// request is the method and the path below /api.
	request string
	role    hubtest.Role
	body    any
	status  int
	// code is the X-Error-Code header.
	code string
	// want are paths into the answer with their values.
	want map[string]any
}

func (tt apiCase) run(t *testing.T, hub *hubtest.Hub) {
	method, path, _ := strings.Cut(tt.request, " ")
	a := ask(t, method, hub.URL()+"/api"+path, hub.Token(tt.role), tt.body)
	if a.status != tt.status || a.header.Get("X-Error-Code") != tt.code {
		t.Errorf("answered %d, code %q, want %d, %q\n%s", a.status, a.header.Get("X-Error-Code"), tt.status, tt.code, a.body)
	}
	for path, want := range tt.want {
		if got := a.json(path); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v\n%s", path, got, want, a.body)
		}
	}
	if a.header.Get("X-Request-Id") == "" {
		t.Error("there is no X-Request-Id")
	}
	if a.status >= 400 && tt.want == nil && (a.text("error") == "" || a.header.Get("X-Error-Message") == "") {
		t.Errorf("an error without words: %s", a.body)
	}
}

func TestWhoAmI(t *testing.T) {
	hub := start(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}})
	const request = "GET /whoami-v2"
	for _, tt := range []apiCase{
		{"write", request, hubtest.Write, nil, 200, "",
			map[string]any{"name": "ada", "orgs.0.name": "acme", "auth.accessToken.role": "write"}},
		{"read-only", request, hubtest.Read, nil, 200, "", map[string]any{"name": "ada", "auth.accessToken.role": "read"}},
		{"somebody else", request, hubtest.Outsider, nil, 200, "", map[string]any{"name": "outsider", "orgs.0": nil}},
		{"no token", request, hubtest.Anonymous, nil, 401, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, hub) })
	}
	for name, header := range map[string]string{
		"wrong token":        "Bearer hf_wrong",
		"no token in Bearer": "Bearer ",
		"no user name":       "Basic OmhmX3dyb25n",
		"no scheme":          hub.Token(hubtest.Write),
	} {
		a := ask(t, "GET", hub.URL()+"/api/whoami-v2", "", nil, "Authorization", header)
		if a.status != 401 || a.text("error") != "Invalid credentials in Authorization header" {
			t.Errorf("%s: answered %d %s", name, a.status, a.body)
		}
	}
}

// TestRepoAPI asks for what the repo of the test holds.
func TestRepoAPI(t *testing.T) {
	hub := start(t, hubtest.Options{PageSize: 2})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	data := noise(5000)
	ask(t, "PUT", batch(t, hub, repo, "upload", both, data).text("objects.0.actions.upload.href"), "", data)
	head, err := repo.Commit("refs/heads/main", "Rows", map[string]string{
		"README.md":        "---\nlicense: mit\ntags: [a, b]\nlanguage: en\n---\n# Rows\n",
		"data/a b.jsonl":   string(lfspointer.Format(oid(data), 5000)),
		"data/deep/c.txt":  "c\n",
		".gitignore":       "*.tmp\n",
		"data/broken.json": string(lfspointer.Format(oid(data), 4999)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit("refs/pr/3", "PR", map[string]string{"x": "x"}); err != nil {
		t.Fatal(err)
	}
	private, err := hub.CreatePrivateRepo(release.Model, "acme/secret")
	if err != nil {
		t.Fatal(err)
	}
	const rows, anyone = "/datasets/acme/rows", hubtest.Anonymous
	for _, tt := range []apiCase{
		{"info", "GET " + rows, anyone, nil, 200, "", map[string]any{
			"id": "acme/rows", "sha": head, "private": false, "cardData.license": "mit", "tags.0": "a", "tags.2": "license:mit",
			"siblings.0.rfilename": ".gitattributes", "siblings.0.size": nil, "lastModified": "2025-01-01T00:00:00.000Z"}},
		{"info with blobs", "GET " + rows + "/revision/" + head[:8] + "?blobs=true", anyone, nil, 200, "", map[string]any{
			"sha": head, "siblings.3.rfilename": "data/a b.jsonl", "siblings.3.lfs.sha256": oid(data), "siblings.3.size": 5000.0}},
		{"info of a pull request", "GET " + rows + "/revision/refs%2Fpr%2F3", anyone, nil, 200, "",
			map[string]any{"siblings.0.rfilename": "x"}},
		{"no such revision", "GET " + rows + "/revision/v9", anyone, nil, 404, "RevisionNotFound", nil},
		{"a revision only git would take", "GET " + rows + "/revision/main~1", anyone, nil, 404, "RevisionNotFound", nil},
		{"a dataset is no model", "GET /models/acme/rows", hubtest.Write, nil, 404, "RepoNotFound", nil},
		{"no such repo, no token", "GET /models/acme/none", anyone, nil, 401, "RepoNotFound", nil},
		{"no repo can have this id", "GET /models/acme/-", hubtest.Write, nil, 404, "RepoNotFound", nil},
		{"private, no token", "GET /models/acme/secret", anyone, nil, 401, "RepoNotFound", nil},
		{"private, somebody else", "GET /models/acme/secret", hubtest.Outsider, nil, 404, "RepoNotFound", nil},
		{"private", "GET /models/acme/secret", hubtest.Read, nil, 200, "", map[string]any{"private": true, "id": private.ID}},

		{"tree of a folder", "GET " + rows + "/tree/main/data", anyone, nil, 200, "", map[string]any{
			"0.path": "data/a b.jsonl", "0.type": "file", "0.size": 5000.0,
			"0.lfs.oid": oid(data), "0.lfs.size": 5000.0, "0.lfs.pointerSize": 129.0, "1.path": "data/broken.json"}},
		{"tree of no folder", "GET " + rows + "/tree/main/nope", anyone, nil, 404, "EntryNotFound", nil},
		{"tree of a file", "GET " + rows + "/tree/main/README.md", anyone, nil, 404, "EntryNotFound", nil},
		{"tree outside", "GET " + rows + "/tree/main/%2e%2e", anyone, nil, 404, "EntryNotFound", nil},
		{"tree with a bad cursor", "GET " + rows + "/tree/main?cursor=!", anyone, nil, 400, "", nil},

		{"refs", "GET " + rows + "/refs?include_prs=1", anyone, nil, 200, "", map[string]any{
			"branches.0.name": "main", "branches.0.targetCommit": head, "pullRequests.0.ref": "refs/pr/3"}},
		{"refs without pull requests", "GET " + rows + "/refs", anyone, nil, 200, "", map[string]any{"pullRequests": nil}},
		{"auth-check", "GET " + rows + "/auth-check", anyone, nil, 200, "", nil},
		{"auth-check/write, read-only", "GET " + rows + "/auth-check/write", hubtest.Read, nil, 403, "", nil},
		{"auth-check/write", "GET " + rows + "/auth-check/write", hubtest.Write, nil, 200, "", nil},

		{"preupload", "POST " + rows + "/preupload/main", hubtest.Write, map[string]any{"files": []map[string]any{
			{"path": "a.jsonl", "size": 10, "sample": "e30="},
			{"path": "a.parquet", "size": 10},
			{"path": "big.jsonl", "size": 11 << 20},
			{"path": "bin.dat", "size": 10, "sample": "AAA="},
			{"path": "empty.parquet", "size": 0},
			{"path": "x/y.tmp", "size": 1},
		}}, 200, "", map[string]any{
			"files.0.uploadMode": "regular", "files.1.uploadMode": "lfs", "files.2.uploadMode": "lfs", "files.3.uploadMode": "lfs",
			"files.4.uploadMode": "regular", "files.5.shouldIgnore": true, "files.0.shouldIgnore": false}},
		{"preupload with attributes to come", "POST " + rows + "/preupload/main", hubtest.Write, map[string]any{
			"gitAttributes": "*.jsonl filter=lfs\n", "files": []map[string]any{{"path": "a.jsonl", "size": 10}},
		}, 200, "", map[string]any{"files.0.uploadMode": "lfs"}},
		{"preupload, read-only", "POST " + rows + "/preupload/main", hubtest.Read, "{}", 403, "", nil},
		{"preupload without JSON", "POST " + rows + "/preupload/main", hubtest.Write, "files", 400, "", nil},
		{"preupload of too many", "POST " + rows + "/preupload/main", hubtest.Write,
			map[string]any{"files": make([]struct{}, 257)}, 400, "", nil},

		{"no such kind", "GET /spaces/acme/rows", hubtest.Write, nil, 404, "", nil},
		{"no such verb", "GET " + rows + "/super-squash/main", hubtest.Write, nil, 404, "", nil},
		{"no such method", "DELETE " + rows, hubtest.Write, nil, 404, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, hub) })
	}
}

func TestCreateOverTheAPI(t *testing.T) {
	hub := start(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}})
	const request, fresh = "POST /repos/create", `{"name":"new","organization":"acme","type":"dataset","visibility":"private"}`
	for _, tt := range []apiCase{
		{"no token", request, hubtest.Anonymous, fresh, 401, "", nil},
		{"read-only", request, hubtest.Read, fresh, 403, "", nil},
		{"somebody else", request, hubtest.Outsider, fresh, 403, "", nil},
		{"a foreign namespace", request, hubtest.Write, `{"name":"x","organization":"globex"}`, 403, "", nil},
		{"a bad name", request, hubtest.Write, `{"name":"x--y"}`, 400, "", nil},
		{"a space", request, hubtest.Write, `{"name":"x","type":"space"}`, 400, "", nil},
		{"with files", request, hubtest.Write, `{"name":"x","files":[{}]}`, 400, "", nil},
		{"no JSON", request, hubtest.Write, `name=x`, 400, "", nil},
		{"created", request, hubtest.Write, fresh, 200, "",
			map[string]any{"url": hub.URL() + "/datasets/acme/new", "name": "acme/new"}},
		{"created again", request, hubtest.Write, fresh, 409, "", map[string]any{"url": hub.URL() + "/datasets/acme/new"}},
		{"in the own namespace", request, hubtest.Write, `{"name":"mine"}`, 200, "", map[string]any{"url": hub.URL() + "/ada/mine"}},
		{"the private one", "GET /datasets/acme/new", hubtest.Anonymous, nil, 401, "RepoNotFound", nil},
		{"the public one", "GET /models/ada/mine", hubtest.Anonymous, nil, 200, "", map[string]any{"cardData": nil}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, hub) })
	}
}

func TestValidateYAML(t *testing.T) {
	hub := start(t, hubtest.Options{})
	card := func(text string) any { return map[string]any{"repoType": "dataset", "content": text} }
	const request = "POST /validate-yaml"
	for _, tt := range []apiCase{
		{"good", request, hubtest.Anonymous, card("---\nlicense: mit\n---\n"), 200, "",
			map[string]any{"errors.0": nil, "warnings.0": nil}},
		{"without metadata", request, hubtest.Anonymous, card("# T"), 200, "",
			map[string]any{"errors.0": nil, "warnings.0.message": "empty or missing yaml metadata in repo card"}},
		{"bad", request, hubtest.Write, card("---\nconfigs: x\n---\n"), 400, "",
			map[string]any{"errors.0.message": `"configs" must be an array`}},
		{"unreadable", request, hubtest.Write, card("---\na: !!binary eA==\n---\n"), 400, "",
			map[string]any{"errors.0.message": "Invalid YAML: unknown tag !<tag:yaml.org,2002:binary> (line 1)"}},
		{"huge", request, hubtest.Anonymous, card(strings.Repeat("x", 10<<20+1)), 413, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, hub) })
	}
}
