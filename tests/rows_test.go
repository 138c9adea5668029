package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/irc/product"
)

// What the command line chooses by name is a row: packages cli and commands name none of them, but
// for the files that have the rows, the words of -mcpu, and what a tool of the machine is
// for.
func TestRowsAreKnownByTheirListsAlone(t *testing.T) {
	var names []string
	for _, k := range product.All().Inputs {
		names = append(append(names, k.Name), k.Dialects...)
	}
	for _, k := range product.All().Emits {
		names = append(names, k.Name)
	}
	for _, k := range engine.All {
		names = append(names, k.Name)
	}
	for _, x := range product.All().Targets {
		names = append(names, x.Name)
	}
	chosen := regexp.MustCompile(`-(x|emit|engine|target|dialect)=(` + strings.Join(names, "|") + `)\b`)
	files, err := filepath.Glob("../tools/irc/internal/cli/*.go")
	commands, _ := filepath.Glob("../tools/irc/internal/commands/*.go")
	if files = append(files, commands...); err != nil || len(files) < 50 {
		t.Fatal(files, err)
	}
	seen := 0
	for _, path := range files {
		if name := filepath.Base(path); strings.HasSuffix(name, "_test.go") || name == "rows.go" || name == "trust.go" || name == "doctor.go" || name == "native.go" {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			version := filepath.Base(path) == "version.go" && text == "go" // that of Go is a key of `irc version -json`
			if seen++; !version && slices.Contains(names, text) || chosen.MatchString(text) {
				t.Errorf("%s: %s names a row", fset.Position(lit.Pos()), lit.Value)
			}
			return true
		})
	}
	if seen < 500 {
		t.Errorf("only %d literals were seen", seen)
	}
}
