package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
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

// fieldsDone are the stable packages all of whose exported fields have a comment.
var fieldsDone = []string{
	"ir", "ir/diag", "ir/affine", "ir/target", "ir/text", "ir/interp", "ir/ordering", "ir/lower", "dialects/prob/family", "lowering",
	"dialects/builtin", "dialects/ub", "dialects/arith", "dialects/math", "dialects/special", "dialects/func", "dialects/cf", "dialects/scf",
	"dialects/memref", "dialects/vector", "dialects/affine", "passes/pass", "tools/irc/cli", "tools/irc/product", "tools/irctest", "tools/stage",
	"tools/loop", "tools/tensors",
}

// Each exported field, and each method of an interface, says what it is: on its line or above it, or above the group it
// stands in, which ends at an empty line or at the next comment above a field.
func TestFieldsAreDocumented(t *testing.T) {
	for _, p := range fieldsDone {
		if !slices.Contains(Stable, p) {
			t.Errorf("%s is not stable", p)
		}
		paths, err := filepath.Glob(filepath.Join("../..", p, "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatal(p, err)
		}
		fset := token.NewFileSet()
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, what := range bareFields(fset, f) {
				t.Error(what)
			}
		}
	}
}

// bareFields lists the exported fields and methods of a file's exported types without a comment.
func bareFields(fset *token.FileSet, f *ast.File) (out []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		t, ok := n.(*ast.TypeSpec)
		if !ok || !t.Name.IsExported() {
			return true
		}
		var fields *ast.FieldList
		switch x := t.Type.(type) {
		case *ast.StructType:
			fields = x.Fields
		case *ast.InterfaceType:
			fields = x.Methods
		default:
			return false
		}
		covered, last := false, 0
		for _, x := range fields.List {
			if x.Doc != nil {
				covered = true
			} else if fset.Position(x.Pos()).Line != last+1 {
				covered = false
			}
			last = fset.Position(x.End()).Line
			for _, name := range x.Names {
				if name.IsExported() && x.Comment == nil && !covered {
					out = append(out, fset.Position(name.Pos()).String()+": "+t.Name.Name+"."+name.Name+" has no comment")
				}
			}
		}
		return false
	})
	return out
}

// A field without a comment is found, and one of a group with a comment is not.
func TestBareFields(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", `package x

type T struct {
	// A and B are numbers.
	A int
	B int

	C, d int
	E    int // a number
}

type i struct{ F int }

type I interface {
	G()
}
`, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(bareFields(fset, f), "\n")
	if want := "x.go:8:2: T.C has no comment\nx.go:15:2: I.G has no comment"; got != want {
		t.Errorf("found\n%s\nwanted\n%s", got, want)
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
