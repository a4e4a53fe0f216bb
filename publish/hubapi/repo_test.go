package hubapi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

func TestNewRepo(t *testing.T) {
	long := strings.Repeat("n", 96)
	tests := []struct {
		kind release.Type
		id   string
		ok   bool
	}{
		{release.Dataset, "acme/rows", true},
		{release.Model, "_a.b-c_/0", true},
		{release.Model, "a/" + long, true},
		{release.Model, strings.Repeat("n", 200) + "/a", true},
		{release.Model, "a/" + long + "n", false},
		{"space", "acme/rows", false},
		{"", "acme/rows", false},
		{release.Dataset, "", false},
		{release.Dataset, "rows", false},
		{release.Dataset, "datasets/acme/rows", false},
		{release.Dataset, "/rows", false},
		{release.Dataset, "acme/", false},
		{release.Dataset, "acme/-rows", false},
		{release.Dataset, "acme/rows.", false},
		{release.Dataset, "acme./rows", false},
		{release.Dataset, "acme/ro--ws", false},
		{release.Dataset, "acme/ro..ws", false},
		{release.Dataset, "acme/rows.git", false},
		{release.Dataset, "acme/röws", false},
		{release.Dataset, "acme/rows\n", false},
		{release.Dataset, "../..", false},
	}
	for _, tt := range tests {
		got, err := hubapi.NewRepo(tt.kind, tt.id)
		if (err == nil) != tt.ok {
			t.Errorf("NewRepo(%q, %q): %v, want success %v", tt.kind, tt.id, err, tt.ok)
		}
		var bad *hubapi.RepoIDError
		if err != nil && !errors.As(err, &bad) {
			t.Errorf("NewRepo(%q, %q): %T, want a *RepoIDError", tt.kind, tt.id, err)
		}
		if err == nil && got != (hubapi.Repo{Type: tt.kind, ID: tt.id}) {
			t.Errorf("NewRepo(%q, %q) is %v", tt.kind, tt.id, got)
		}
	}
}

func TestRepoPaths(t *testing.T) {
	for _, tt := range []struct {
		repo                           hubapi.Repo
		path, api, namespace, name, as string
	}{
		{hubapi.Repo{Type: release.Dataset, ID: "acme/rows"},
			"datasets/acme/rows", "datasets/acme/rows", "acme", "rows", "dataset acme/rows"},
		{hubapi.Repo{Type: release.Model, ID: "acme/lora"}, "acme/lora", "models/acme/lora", "acme", "lora", "model acme/lora"},
	} {
		got := []string{tt.repo.Path(), tt.repo.APIPath(), tt.repo.Namespace(), tt.repo.Name(), tt.repo.String()}
		want := []string{tt.path, tt.api, tt.namespace, tt.name, tt.as}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %q, want %q", tt.repo, got, want)
				break
			}
		}
	}
}
