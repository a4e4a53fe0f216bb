package nearest

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	manifest := []string{"id", "type", "status", "root", "license", "license_name", "card", "configs", "rules", "claims"}
	schema := []string{"required", "minLength", "maxLength", "additionalProperties", "properties", "pattern"}
	tests := []struct {
		got   string
		known []string
		want  string
	}{
		{"lisence", manifest, "license"},
		{"licence", manifest, "license"},
		{"stauts", manifest, "status"},
		{"config", manifest, "configs"},
		{"rule", manifest, "rules"},
		{"license-name", manifest, "license_name"},
		{"ID", manifest, "id"},
		{"requierd", schema, "required"},
		{"minlength", schema, "minLength"},
		{"MINLENGTH", schema, "minLength"},
		{"additionalPropertes", schema, "additionalProperties"},
		{"frobnicate", manifest, ""},
		{"xyz", manifest, ""},
		{"di", manifest, ""},
		{"", manifest, ""},
		{"license", nil, ""},
		{"\xff\xfe", manifest, ""},
		{"trian-clean", []string{"train-clean", "trial-clean"}, "train-clean"},
		{"bat", []string{"cat", "hat"}, "cat"},
		{strings.Repeat("a", 1000), manifest, ""},
	}
	for _, test := range tests {
		got, ok := Word(test.got, test.known)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Word(%.20q) = %q, %v; want %q", test.got, got, ok, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "abc", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"ab", "ba", 1},
		{"lisence", "license", 2},
		{"ca", "abc", 3},
		{"kitten", "sitting", 3},
	}
	for _, test := range tests {
		if got := distance([]rune(test.a), []rune(test.b)); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
		if got := distance([]rune(test.b), []rune(test.a)); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d, as in the other direction", test.b, test.a, got, test.want)
		}
	}
}
