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

// The same of columns with integers beyond 64 bits with a sign.
func TestBigIntegersOfATable(t *testing.T) {
	for _, tt := range []struct {
		name, cells, want string
		bytes             int64
	}{
		{"without sign", "18446744073709551615\n1\n", "uint64", 16},
		{"beside floats", "18446744073709551615\n1.5\n-1\n", "float64", 24},
		{"beside negative ones", "18446744073709551615\n-1\n", "string", 8 + 22},
		{"beside a missing value, which is a text then", "18446744073709551615\nNA\n", "string", 8 + 22},
		{"too big for all", "36893488147419103232\nNA\n", "string", 1 + 8 + 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rel, found := folder(t, map[string]string{"train.csv": "a\n" + tt.cells})
			config := run(t, rel, found, validate.Options{}).Repos[0].Configs[0]
			size := config.Splits[0].NumBytes
			if got := config.Features[0].Type.Dtype; got != tt.want || size == nil || *size != tt.bytes {
				t.Errorf("the column is %s with num_bytes %v, want %s with %d", got, size, tt.want, tt.bytes)
			}
		})
	}
}
