package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// Extents, strides, offsets and bytes are multiplied by ir.Product, ir.Times and ir.Elements, so
// that no size wraps around. This looks for loops that multiply integers up by themselves.
func TestProductsOfExtentsAreChecked(t *testing.T) {
	used := map[string]bool{}
	eachFile(t, func(f file, fset *token.FileSet, tree *ast.File) {
		if f.test || f.pkg == "ir/irtest" || strings.HasPrefix(f.pkg, "tests") || strings.HasPrefix(f.pkg, "examples") {
			return
		}
		for _, p := range productsInLoops(tree) {
			key := f.path + ":" + p.function
			if used[key] = true; otherProducts[key] == "" {
				t.Errorf("%s:%d multiplies %s up in a loop: extents by ir.Product, ir.Times or ir.Elements; what is none needs a row in otherProducts",
					f.path, fset.Position(p.pos).Line, p.name)
			}
		}
	})
	for key := range otherProducts {
		if !used[key] {
			t.Errorf("otherProducts has a row for %s, which multiplies nothing up; remove it", key)
		}
	}
}

// The check finds each form that it is there for, and nothing in what is allowed.
func TestProductsInLoopsAreFound(t *testing.T) {
	for code, want := range map[string]int{
		`n := 1; for _, d := range shape { n *= d }`:                     1,
		`n := int64(1); for i := range 3 { n *= shape[i] }`:              1,
		`n := int64(1); for i := range 3 { if n *= shape[i]; n > 9 {} }`: 1,
		`n := int64(1); for _, d := range shape { n = n * d }`:           1,
		`var g T; for _, d := range shape { g.Count *= int64(d) }`:       1,
		`n := 1; for _, d := range shape { n = ir.Times(n, d) }`:         0,
		`x := 1.0; for _, d := range shape { x *= d }`:                   0,
		`var x float64; for _, d := range shape { x *= d }`:              0,
		`n := 1; for n < 100 { n *= 2 }`:                                 0,
		`for _, d := range shape { x *= math.Exp(d) }`:                   0,
		`for _, d := range shape { x *= float64(d) }`:                    0,
		`n := 1; n *= d`: 0,
		`n := 1; for _, d := range shape { func() { n *= int(d) }() }`:      1,
		`n := 1; for i := len(s) - 1; i >= 0; i-- { out[i] = n; n *= s[i]}`: 1,
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() { "+code+" }", 0)
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if got := len(productsInLoops(tree)); got != want {
			t.Errorf("%s: found %d times, want %d", code, got, want)
		}
	}
}

type productInLoop struct {
	pos            token.Pos
	name, function string
}

// productsInLoops lists where a loop multiplies something by what is no constant, unless it is
// seen to be a float.
func productsInLoops(tree *ast.File) (out []productInLoop) {
	for _, d := range tree.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		floats := floatsIn(fn)
		var walk func(n ast.Node, inLoop bool)
		walk = func(n ast.Node, inLoop bool) {
			ast.Inspect(n, func(x ast.Node) bool {
				switch x := x.(type) {
				case *ast.RangeStmt:
					walk(x.Body, true)
					return false
				case *ast.ForStmt:
					walk(x.Body, true)
					return false
				case *ast.AssignStmt:
					if name := multiplied(x); inLoop && name != "" && !floats[name] {
						out = append(out, productInLoop{x.Pos(), name, fn.Name.Name})
					}
				}
				return true
			})
		}
		walk(fn.Body, false)
	}
	return out
}

// multiplied is the name of what an assignment multiplies, or "".
func multiplied(s *ast.AssignStmt) string {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return ""
	}
	name, by := nameOf(s.Lhs[0]), s.Rhs[0]
	if s.Tok == token.ASSIGN {
		b, ok := by.(*ast.BinaryExpr)
		if !ok || b.Op != token.MUL || nameOf(b.X) != name {
			return ""
		}
		by = b.Y
	} else if s.Tok != token.MUL_ASSIGN {
		return ""
	}
	switch by := by.(type) {
	case *ast.BasicLit:
		return ""
	case *ast.CallExpr:
		if of := nameOf(by.Fun); of == "float64" || strings.HasPrefix(of, "math.") {
			return ""
		}
	}
	return name
}

// nameOf is a variable, or a field of one.
func nameOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return nameOf(x.X) + "." + x.Sel.Name
	}
	return ""
}

// floatsIn lists the variables of a function that are seen to be floats.
func floatsIn(fn *ast.FuncDecl) map[string]bool {
	out := map[string]bool{}
	isFloat := func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.BasicLit:
			return x.Kind == token.FLOAT
		case *ast.CallExpr:
			of := nameOf(x.Fun)
			return of == "float64" || strings.HasPrefix(of, "math.")
		case *ast.Ident:
			return x.Name == "float64"
		}
		return false
	}
	fields := func(l *ast.FieldList) {
		if l == nil {
			return
		}
		for _, f := range l.List {
			for _, n := range f.Names {
				out[n.Name] = out[n.Name] || isFloat(f.Type)
			}
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			fields(n.Params)
			fields(n.Results)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				out[name.Name] = out[name.Name] || n.Type != nil && isFloat(n.Type)
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) && isFloat(n.Rhs[i]) {
					out[nameOf(l)] = true
				}
			}
		}
		return true
	})
	return out
}

// otherProducts are the loops that multiply up what is no size, or what cannot wrap around, and why.
var otherProducts = map[string]string{
	"dialects/math/eval.go:ipowi":                      "a power of integers wraps around by definition",
	"dialects/memref/interpview.go:runExpandShape":     "modulo 2^64, as natively: each place is compared with the memory",
	"dialects/memref/interpview.go:runCollapseShape":   "modulo 2^64, as natively: each place is compared with the memory",
	"dialects/poly/depend/dependence.go:String":        "numbers of signs, at most three a loop",
	"passes/loops/lanes/cost.go:each":                  "floats",
	"passes/loops/parallelize.go:least":                "floats",
	"tools/irc/internal/commands/kernels.go:threadsOf": "each of three is at most device.MaxThreads",

	"dialects/poly/presburger/internal/lp/tableau.go:leaving": "a sign",
}
