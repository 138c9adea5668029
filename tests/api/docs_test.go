package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// What a page of documentation shows of each stable package: what one does with it first, runnable examples, and a word
// about each name.
func TestPackagesAreDocumented(t *testing.T) {
	for _, p := range Stable {
		for _, what := range undocumented(t, filepath.Join("../..", p)) {
			t.Errorf("%s: %s", p, what)
		}
	}
}

// mostLines is how many lines the comment of a package has at most: what is longer is not read.
const mostLines = 60

// beginning is in how many lines of it the three things stand that one does with the package.
const beginning = 16

// undocumented says what the documentation of a folder's package lacks.
func undocumented(t *testing.T, folder string) (out []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal(folder, err)
	}
	fset, shown := token.NewFileSet(), false
	var files []*ast.File
	for _, path := range paths {
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "_test.go") {
			shown = shown || strings.HasSuffix(f.Name.Name, "_test") && hasExample(f)
		} else {
			files = append(files, f)
		}
	}
	p, err := doc.NewFromFiles(fset, files, folder, doc.AllDecls)
	if err != nil {
		t.Fatal(err)
	}
	out = lacking(fset, p)
	if !shown {
		out = append(out, "no Example with an // Output: in a test from outside of the package")
	}
	return out
}

// hasExample reports an example of a file that runs, and shows something.
func hasExample(f *ast.File) bool {
	for _, e := range doc.Examples(f) {
		if strings.TrimSpace(e.Output) != "" {
			return true
		}
	}
	return false
}

// lacking says what a package does not tell.
func lacking(fset *token.FileSet, p *doc.Package) (out []string) {
	lines := strings.Split(strings.TrimRight(p.Doc, "\n"), "\n")
	if len(lines) > mostLines {
		out = append(out, "its comment is longer than 60 lines")
	}
	items := 0
	for _, l := range lines[:min(len(lines), beginning)] {
		if strings.HasPrefix(l, "  - ") {
			items++
		}
	}
	if items < 3 {
		out = append(out, "its comment does not begin with a list of the three things that one does with it")
	}
	tell := func(at ast.Node, name, text string) {
		last := name[strings.LastIndexByte(name, '.')+1:]
		if method := last != name; method && (last == "Error" || last == "String") {
			return // what they are is said where Go says it
		}
		if token.IsExported(last) && strings.TrimSpace(text) == "" {
			out = append(out, fset.Position(at.Pos()).String()+": "+name+" has no comment")
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, s := range v.Decl.Specs {
				s := s.(*ast.ValueSpec)
				for _, n := range s.Names {
					tell(n, n.Name, v.Doc+s.Doc.Text()+s.Comment.Text())
				}
			}
		}
	}
	funcs := func(of string, list []*doc.Func) {
		for _, f := range list {
			tell(f.Decl, of+f.Name, f.Doc)
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs("", p.Funcs)
	for _, typ := range p.Types {
		values(typ.Consts)
		values(typ.Vars)
		funcs("", typ.Funcs)
		if token.IsExported(typ.Name) {
			tell(typ.Decl, typ.Name, typ.Doc+typ.Decl.Specs[0].(*ast.TypeSpec).Comment.Text())
			funcs(typ.Name+".", typ.Methods)
		}
	}
	return out
}
