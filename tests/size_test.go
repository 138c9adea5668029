package tests

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

const (
	mostFileLines     = 500
	mostFunctionLines = 60
)

// A file is read in one go.
func TestFilesAreShort(t *testing.T) {
	for _, f := range goFiles(t) {
		text, err := os.ReadFile(filepath.Join("..", f.path))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n > mostFileLines {
			t.Errorf("%s has %d lines, more than %d", f.path, n, mostFileLines)
		}
	}
}

// A function is too. Tests may be long tables.
func TestFunctionsAreShort(t *testing.T) {
	eachFile(t, func(f file, fset *token.FileSet, tree *ast.File) {
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			first := fset.Position(fn.Pos()).Line
			if n := fset.Position(fn.End()).Line - first + 1; n > mostFunctionLines {
				t.Errorf("%s:%d: %s has %d lines, more than %d", f.path, first, fn.Name.Name, n, mostFunctionLines)
			}
		}
	})
}
