package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/prob"
)

// lawsByName are the places that say the name of a law and are not its file, and why. Tests
// and examples make programs as text.
var lawsByName = map[string]string{
	"tests":                             "makes programs as text",
	"examples":                          "makes programs as text",
	"dialects/bugs/syntax/functions.go": "dinterval is a function of JAGS too, which counts cut points",
	"dialects/bugs/function/arrays.go":  "the same",
}

const lawsFolder = "dialects/prob"

// fileOf is the file that a law stands in.
func fileOf(name string) string {
	return lawsFolder + "/" + strings.ReplaceAll(name, ".", "_") + ".go"
}

// lawNames are the names of laws, with aliases and functions, by the file that they stand in.
func lawNames() map[string]string {
	out := map[string]string{}
	for _, l := range prob.Laws {
		for _, name := range append([]string{l.Name}, l.Aliases...) {
			out[name] = fileOf(l.Name)
		}
		for _, function := range []string{"p" + l.Name[1:], "q" + l.Name[1:], "logdensity." + l.Name[1:]} {
			out[function] = fileOf(l.Name)
		}
	}
	return out
}

// A law is a file and a row: no other file says its name to tell it from others, nor the
// variable that has it. Messages and examples may, as parts of a text; and a law says what it
// is conjugate to.
func TestLawsStandInOneFile(t *testing.T) {
	names, own := lawNames(), map[string]string{}
	files, err := filepath.Glob("../" + lawsFolder + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range lawVariables(tree) {
			own[v] = strings.TrimPrefix(filepath.ToSlash(f), "../")
		}
	}
	if len(own) != len(prob.Laws) {
		t.Errorf("%d variables have laws, and there are %d laws", len(own), len(prob.Laws))
	}
	for _, l := range prob.Laws {
		found := false
		for _, at := range own {
			found = found || at == fileOf(l.Name)
		}
		if !found {
			t.Errorf("no law stands in %s", fileOf(l.Name))
		}
	}
	eachFile(t, func(f file, fset *token.FileSet, tree *ast.File) {
		at := filepath.ToSlash(f.path)
		if excused(at, lawsByName) {
			return
		}
		for name, pos := range lawsSaid(tree, names) {
			if names[name] != at {
				t.Errorf("%s:%d knows the law %q by its name; make what it wants to know a field of family.Law", f.path, fset.Position(pos).Line, name)
			}
		}
		inside := f.pkg == lawsFolder && at != lawsFolder+"/laws.go"
		for name, pos := range lawsUsed(tree, own, inside) {
			if own[name] != at {
				t.Errorf("%s:%d knows the law %s; make what it wants to know a field of family.Law", f.path, fset.Position(pos).Line, name)
			}
		}
	})
}

// lawVariables are the variables of a file that are laws.
func lawVariables(tree *ast.File) (out []string) {
	for _, d := range tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok || len(v.Values) != 1 {
				continue
			}
			if u, ok := v.Values[0].(*ast.UnaryExpr); ok {
				if c, ok := u.X.(*ast.CompositeLit); ok && isSelector(c.Type, "family", "Law") {
					out = append(out, v.Names[0].Name)
				}
			}
		}
	}
	return out
}

func isSelector(x ast.Expr, pkg, name string) bool {
	s, ok := x.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	p, ok := s.X.(*ast.Ident)
	return ok && p.Name == pkg
}

// lawsSaid are the names that are all of a literal, or one of several words of one that are
// all names; not those of what a law is conjugate to, nor of parameters.
func lawsSaid(tree *ast.File, names map[string]string) map[string]token.Pos {
	out := map[string]token.Pos{}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if a, ok := n.Type.(*ast.ArrayType); ok && (isSelector(a.Elt, "family", "Conjugate") || isSelector(a.Elt, "family", "Named")) {
				return false
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil {
				return true
			}
			words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
			for _, w := range words {
				if names[w] == "" {
					return true
				}
			}
			for _, w := range words {
				out[w] = n.Pos()
			}
		}
		return true
	})
	return out
}

// lawsUsed are the variables of laws that a file uses: as prob.X, and those of the package
// itself by their names.
func lawsUsed(tree *ast.File, own map[string]string, inside bool) map[string]token.Pos {
	out, names := map[string]token.Pos{}, map[*ast.Ident]bool{} // names: of fields and of what other packages have
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names[n.Sel] = true
			if p, ok := n.X.(*ast.Ident); ok && p.Name == "prob" && own[n.Sel.Name] != "" {
				out[n.Sel.Name] = n.Pos()
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				names[key] = true
			}
		case *ast.Ident:
			if inside && !names[n] && own[n.Name] != "" {
				out[n.Name] = n.Pos()
			}
		}
		return true
	})
	return out
}

// The check finds each form that it is there for, and nothing in what is allowed.
func TestLawsSaidAreFound(t *testing.T) {
	names := map[string]string{"dnorm": "dialects/prob/dnorm.go", "dgamma": "dialects/prob/dgamma.go", "pnorm": "dialects/prob/dnorm.go"}
	own := map[string]string{"Normal": "dialects/prob/dnorm.go"}
	for code, want := range map[string]int{
		`if l.Name == "dnorm" {}`:                    1,
		`switch name { case "dgamma", "dnorm": }`:    2,
		`_ = map[string]bool{"dnorm": true}`:         1,
		`_ = strings.Contains("dnorm dgamma", name)`: 2,
		`f("pnorm")`:                                           1,
		`if l == prob.Normal {}`:                               1,
		`if l == Normal {}`:                                    1,
		`use(Law{Of: Normal})`:                                 1,
		`_ = "write x ~ dnorm(mean, precision)"`:               0,
		`_ = "such as dnorm"`:                                  0,
		`_ = []family.Conjugate{{Param: 0, Of: "dgamma"}}`:     0,
		`_ = draw.Normal(r, 0, 1)`:                             0,
		`_ = d.Normal(at)`:                                     0,
		`_ = distribution{Normal: 1}`:                          0,
		`_ = []family.Named{{Name: "dnorm", Of: 0, Power: 1}}`: 0,
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() { "+code+" }", 0)
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if got := len(lawsSaid(tree, names)) + len(lawsUsed(tree, own, true)); got != want {
			t.Errorf("%s: found %d times, want %d", code, got, want)
		}
	}
}
