package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
)

// byName are the places where the text of an op's name is the matter: a folder or file,
// and why.
var byName = map[string]string{
	"ir/text":                        "reads and prints names",
	"ir/reduce/scope.go":             "stands below the dialects, and makes text",
	"ir/context.go":                  "registers names",
	"dialects/memref/memtest":        "counts ops for tests, which name them",
	"ir/irtest":                      "makes programs as text",
	"tests":                          "makes programs as text",
	"tools/internal/vet":             "looks for names that two definitions have",
	"tools/irctest":                  "makes programs as text",
	"passes/pass/pipeline.go":        "anchors of pipelines are text",
	"passes/basic/opstats.go":        "prints a table of names",
	"passes/dependence/readmodel.go": "spells expressions: what has no sign is called by its short name",
	"tools/irc/explain/hoisted.go":   "spells expressions: what has no sign is called by its short name",
	"lowering/libm/libm.go":          "reads an option with names",
	"tools/irc/explain/gone.go":      "compares with an op of the source, of which there is only text",
}

func excused(path string, list map[string]string) bool {
	for p := range list {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// Ops are known by their definition, trait or interface: the text of a name is compared
// only where text is made or read.
func TestOpsAreNotComparedByName(t *testing.T) {
	ops := map[string]bool{}
	for _, d := range dialects.All {
		for _, op := range d.Ops {
			ops[op.Name] = true
		}
	}
	eachFile(t, func(f file, fset *token.FileSet, tree *ast.File) {
		if excused(filepath.ToSlash(f.path), byName) {
			return
		}
		for _, pos := range namesCompared(tree, ops) {
			t.Errorf("%s:%d compares the name of an op; compare its definition, or ask for a trait or an interface (ir.As)",
				f.path, fset.Position(pos).Line)
		}
	})
}

// The check finds each form that it is there for, and nothing in what is allowed.
func TestNamesComparedAreFound(t *testing.T) {
	ops := map[string]bool{"scf.for": true}
	for code, want := range map[string]int{
		`if g.Def(v).Name == "scf.for" {}`:                         1,
		`switch name { case "scf.for": }`:                          1,
		`_ = map[string]bool{"scf.for": true}`:                     1,
		`_ = table["scf.for"]`:                                     1,
		`_ = slices.Contains([]string{"scf.for"}, name)`:           1,
		`_ = ctx.Lookup("scf.for")`:                                1,
		`_ = strings.HasPrefix(n.Def().Name, "scf.")`:              1,
		`_, _, _ = strings.Cut(def.Name, ".")`:                     1,
		`if a.Def().Name != b.Def().Name {}`:                       1,
		`_ = emitters[def.Name]`:                                   1,
		`_ = &ir.OpDef{Name: "scf.for"}`:                           0,
		`_ = declaration("scf.for", "doc")`:                        0,
		`if g.Def(v) == scf.For {}`:                                0,
		`return c.Errorf("expects '%s', not '%s'", "x", def.Name)`: 0,
		`if d.Name == name {}`:                                     0,
		`out = append(out, strings.TrimPrefix(p.Name, "irc."))`:    0,
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() { "+code+" }", 0)
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if got := len(namesCompared(tree, ops)); got != want {
			t.Errorf("%s: found %d times, want %d", code, got, want)
		}
	}
}

// namesCompared lists where a file compares or looks up the name of an op: a literal
// that is one, or the field Name of what is a definition by the looks of it.
func namesCompared(tree *ast.File, ops map[string]bool) (out []token.Pos) {
	suspect := func(xs ...ast.Expr) {
		for _, x := range xs {
			if isOpName(x, ops) || isNameOfOp(x) {
				out = append(out, x.Pos())
				return
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				suspect(n.X, n.Y)
			}
		case *ast.CaseClause:
			suspect(n.List...)
		case *ast.SwitchStmt:
			suspect(n.Tag)
		case *ast.IndexExpr:
			suspect(n.Index)
		case *ast.CompositeLit:
			elements(n, suspect)
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Lookup" {
				suspect(n.Args...)
			} else if pkg, ok := packageOf(n.Fun); ok && pkg == "strings" && len(n.Args) > 0 {
				suspect(n.Args[0])
			}
		}
		return true
	})
	return out
}

// elements looks at keys of maps and at elements of lists.
func elements(n *ast.CompositeLit, suspect func(...ast.Expr)) {
	for _, e := range n.Elts {
		switch e := e.(type) {
		case *ast.KeyValueExpr:
			suspect(e.Key)
		default:
			suspect(e)
		}
	}
}

func packageOf(fun ast.Expr) (string, bool) {
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if x, ok := sel.X.(*ast.Ident); ok {
			return x.Name, true
		}
	}
	return "", false
}

func isOpName(x ast.Expr, ops map[string]bool) bool {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return false
	}
	s, err := strconv.Unquote(lit.Value)
	return err == nil && ops[s]
}

// isNameOfOp reports x.Name where x is a call of Def, or is called as definitions are.
func isNameOfOp(x ast.Expr) bool {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Name" {
		return false
	}
	called := []string{"Def", "def", "Op", "op", "Of", "owner"}
	switch x := sel.X.(type) {
	case *ast.Ident:
		return slices.Contains(called, x.Name)
	case *ast.SelectorExpr:
		return slices.Contains(called[:3], x.Sel.Name)
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.SelectorExpr)
		return ok && f.Sel.Name == "Def"
	}
	return false
}

// inits are the init functions that there are, and why: none changes a table.
var inits = map[string]string{
	"backends/jit/serve.go": "a child's main goroutine must stay on the main thread",
}

// Tables are literals, or made when they are asked for: no init changes one.
func TestNoInit(t *testing.T) {
	eachFile(t, func(f file, fset *token.FileSet, tree *ast.File) {
		for _, d := range tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" && !excused(filepath.ToSlash(f.path), inits) {
				t.Errorf("%s:%d has an init function; make a table a literal, or a function that makes it once", f.path, fset.Position(fn.Pos()).Line)
			}
		}
	})
}

// eachFile parses every file that is no test.
func eachFile(t *testing.T, do func(f file, fset *token.FileSet, tree *ast.File)) {
	t.Helper()
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, filepath.Join("..", f.path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		do(f, fset, tree)
	}
}
