// Package tests checks what concerns the repository as a whole.
package tests

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/layers"
)

const module = layers.Module

func rank(pkg string) int {
	if l, ok := layers.Of(pkg); ok {
		return l.Rank
	}
	return -1
}

type file struct {
	path, pkg string // pkg: the folder, relative to the root
	imports   []string
	test      bool
}

func goFiles(t *testing.T) []file {
	t.Helper()
	var out []file
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		x := file{path: rel, pkg: filepath.ToSlash(filepath.Dir(rel)), test: strings.HasSuffix(path, "_test.go")}
		for _, imp := range f.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			x.imports = append(x.imports, name)
		}
		out = append(out, x)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 50 {
		t.Fatalf("only %d Go files found", len(out))
	}
	return out
}

func TestImportRule(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		for _, imp := range f.imports {
			in, ours := strings.CutPrefix(imp, module)
			switch {
			case ours && rank(in) < 0:
				t.Errorf("%s imports %s, which is in no layer", f.path, in)
			case ours && rank(in) > rank(f.pkg):
				t.Errorf("%s imports %s from a higher layer", f.path, in)
			case ours && layers.Upward(f.pkg, in):
				t.Errorf("%s imports %s, which is not below it in layers.Packages", f.path, in)
			case ours && in == "ir/irtest" && !strings.HasPrefix(f.pkg, "tests/") && f.pkg != "tools/irctest": // the kit is its public front
				t.Errorf("%s imports ir/irtest, which is for tests", f.path)
			case ours && in == "tools/irctest":
				t.Errorf("%s imports tools/irctest, which is for tests of other modules", f.path)
			case strings.HasPrefix(imp, "github.com/llir/") && rank(f.pkg) < rank("backends"):
				t.Errorf("%s imports llir; only backends do", f.path)
			case (f.pkg == "ir" || strings.HasPrefix(f.pkg, "ir/internal/")) && strings.Contains(imp, ".") && !(ours && (strings.HasPrefix(in, "ir/internal/") || in == "ir/param")):
				t.Errorf("%s imports %s; package ir and its parts import the standard library only", f.path, imp)
			case strings.HasPrefix(imp, "github.com/apache/") && f.pkg != "ir/run/table/parquet":
				t.Errorf("%s imports %s, with which a process starts 1.5 ms later; ask ir/run/table/parquet", f.path, imp)
			case in == "ir/run/table/parquet" && ours && f.pkg != "tools/irc-parquet":
				t.Errorf("%s imports %s, with which a process starts 1.5 ms later; ask tools/irc-parquet", f.path, in)
			case in == "ir/unwind", in == "ir/lists", in == "ir/digraph": // which stand on the standard library alone
			case ours && isPresburger(f.pkg) && !strings.HasPrefix(in, "dialects/poly/presburger/internal/"):
				t.Errorf("%s imports %s; presburger and its parts import nothing else of ours", f.path, in)
			case f.pkg == "dialects/poly/storage" && ours && in != "dialects/poly/presburger":
				t.Errorf("%s imports %s; storage stands on presburger alone", f.path, in)
			case f.pkg == "dialects/poly/schedule" && ours && in != "dialects/poly/presburger":
				t.Errorf("%s imports %s; schedule stands on presburger alone", f.path, in)
			case f.pkg == "dialects/poly/codegen" && ours && in != "dialects/poly/presburger" && in != "dialects/poly/schedule":
				t.Errorf("%s imports %s; codegen stands on presburger and schedule alone", f.path, in)
			}
		}
	}
}

// isPresburger reports the front of presburger and the parts behind it.
func isPresburger(pkg string) bool {
	return pkg == "dialects/poly/presburger" || strings.HasPrefix(pkg, "dialects/poly/presburger/internal/")
}

// The rooms of a dialect are listed, and none holds two subjects.
func TestRooms(t *testing.T) {
	files := map[[2]string]int{}
	for _, f := range goFiles(t) {
		house, room, in := layers.House(f.pkg)
		if in && room != "" && !f.test && room != "bugstest" {
			files[[2]string{house, room}]++
		}
	}
	for at, n := range files {
		if !slices.Contains(layers.Packages[at[0]], at[1]) {
			t.Errorf("%s/%s is no row of layers.Packages", at[0], at[1])
		}
		if n > layers.MaxFiles {
			t.Errorf("%s/%s has %d files, more than %d: give its second subject a room", at[0], at[1], n, layers.MaxFiles)
		}
	}
	for house, rooms := range layers.Packages {
		for _, room := range rooms {
			if files[[2]string{house, room}] == 0 {
				t.Errorf("layers.Packages has %s/%s, which is no package", house, room)
			}
		}
	}
	for _, up := range [][2]string{{"dialects/bugs/model", "dialects/bugs/eval"}, {"dialects/bugs/lower", "dialects/bugs"}, {"dialects/bugs", "dialects/bugs/unheard"}, {"dialects/prob/kit", "dialects/prob/family"}, {"dialects/prob/forms", "dialects/prob"}} {
		if !layers.Upward(up[0], up[1]) {
			t.Errorf("%s may import %s", up[0], up[1])
		}
	}
}

// A dialect imports only dialects before it in dialects.go.
func TestDialectOrder(t *testing.T) {
	text, err := os.ReadFile("../dialects/dialects.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(text), "var All")
	if !ok {
		t.Fatal("dialects.go has no list All")
	}
	at := func(name string) int {
		if name == "func" {
			name = "funcs"
		}
		return strings.Index(list, name+".Dialect")
	}
	for _, f := range goFiles(t) {
		name, isDialect := strings.CutPrefix(f.pkg, "dialects/")
		name, _, _ = strings.Cut(name, "/")
		if !isDialect || f.test || at(name) < 0 {
			continue
		}
		for _, imp := range f.imports {
			other, ok := strings.CutPrefix(imp, module+"dialects/")
			other, _, _ = strings.Cut(other, "/")
			if ok && other != name && at(other) > at(name) {
				t.Errorf("%s imports dialect %s, which comes after %s in dialects.go", f.path, other, name)
			}
		}
	}
}

// Only tools print and exit.
func TestOnlyToolsExit(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || rank(f.pkg) >= rank("tools") || f.pkg == "backends/jit" { // the child process of jit exits
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", f.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range []string{"os.Exit(", "fmt.Print(", "fmt.Println(", "fmt.Printf("} {
			if strings.Contains(string(text), call) {
				t.Errorf("%s calls %s...)", f.path, call)
			}
		}
	}
}

// Every package says what it is.
func TestPackagesAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	var all []string
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		if !slices.Contains(all, f.pkg) {
			all = append(all, f.pkg)
		}
		p, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", f.path), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		documented[f.pkg] = documented[f.pkg] || p.Doc != nil
	}
	for _, p := range all {
		if !documented[p] {
			t.Errorf("package %s has no package comment", p)
		}
	}
}
