package validate_test

import (
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate"
)

// What a config says of missing values decides the types and sizes of a table (seen with pandas 1.5.3: read_csv).
func TestMissingValuesOfATable(t *testing.T) {
	const table = "a,b,c\n1,x,NA\n,NA,\n"
	for _, tt := range []struct {
		name, parameters, want string
		bytes                  int64
	}{
		{"by default", "", "float64 string float64", (1 + 16) + (1 + 8 + 1) + (1 + 16)},
		{"texts such as NA are texts", "  keep_default_na: false\n  na_values: ['']\n", "float64 string string", (1 + 16) + (8 + 3) + (1 + 8 + 2)},
		{"nothing is missing", "  keep_default_na: false\n", "string string string", (8 + 1) + (8 + 3) + (8 + 2)},
		{"nothing is looked for", "  na_filter: false\n", "string string string", (8 + 1) + (8 + 3) + (8 + 2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rel, found := folder(t, map[string]string{"t.csv": table,
				"README.md": "---\nlicense: mit\nconfigs:\n- config_name: default\n  data_files: t.csv\n" + tt.parameters + "---\n"})
			config := run(t, rel, found, validate.Options{Statistics: true}).Repos[0].Configs[0]
			var types []string
			for _, f := range config.Features {
				types = append(types, f.Type.Dtype)
			}
			if got := strings.Join(types, " "); got != tt.want {
				t.Errorf("the columns are %s, want %s", got, tt.want)
			}
			if size := config.Splits[0].NumBytes; size == nil || *size != tt.bytes {
				t.Errorf("num_bytes %v, want %d", size, tt.bytes)
			}
		})
	}
}
