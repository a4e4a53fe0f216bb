package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// costly are the functions that no variable of a package may be made with, since that happens at every start.
var costly = []string{"regexp.MustCompile", "regexp.Compile", "template.Must"}

func TestNothingIsCompiledAtTheStart(t *testing.T) {
	files := 0
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."), entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, place := range compiledAtStart(file) {
			t.Errorf("%s: this is compiled at every start; use lazyregexp or sync.OnceValue", set.Position(place))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("%d files were looked at; the module has hundreds", files)
	}
}

func TestCompiledAtStart(t *testing.T) {
	for text, want := range map[string]int{
		"var a = regexp.MustCompile(`a`)":                                             1,
		"var a, b = 1, []any{regexp.MustCompile(`a`), template.Must(t, nil)}":         2,
		"var a = sync.OnceValue(func() any { return regexp.MustCompile(`a`) })":       0,
		"func a() any { return regexp.MustCompile(`a`) }":                             0,
		"func init() { a = regexp.MustCompile(`a`) }":                                 1,
		"var a = func() *regexp.Regexp { return regexp.MustCompile(`a`) }()":          1,
		"type a struct{}\nfunc (a) init() any { return regexp.MustCompile(`a`) }":     0,
		"var a = &lazyregexp.Regexp{Text: `a`}\nvar b = other.MustCompile(`regexp.`)": 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n"+text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(compiledAtStart(file)); got != want {
			t.Errorf("%s: %d calls are made at the start, want %d", text, got, want)
		}
	}
}

// compiledAtStart returns the calls of costly functions that are made before main.
func compiledAtStart(file *ast.File) (places []token.Pos) {
	var see func(n ast.Node) bool
	see = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if called, ok := n.Fun.(*ast.FuncLit); ok {
				ast.Inspect(called.Body, see)
			}
			if selected, ok := n.Fun.(*ast.SelectorExpr); ok {
				if of, ok := selected.X.(*ast.Ident); ok && slices.Contains(costly, of.Name+"."+selected.Sel.Name) {
					places = append(places, n.Pos())
				}
			}
		}
		return true
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			ast.Inspect(decl, see)
		case *ast.FuncDecl:
			if decl.Name.Name == "init" && decl.Recv == nil {
				ast.Inspect(decl.Body, see)
			}
		}
	}
	return places
}
