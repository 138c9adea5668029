package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// There is one analysis of integers: what a Builder was told of ranges (Builder.Range),
// and what ops compute (affine.Forms), is read by ir/affine alone. Dialects tell it.
func TestOneAnalysisOfIntegers(t *testing.T) {
	eachFile(t, func(f file, fset *token.FileSet, tree *ast.File) {
		if f.test || f.pkg == "ir/affine" || !strings.Contains(strings.Join(f.imports, " "), module+"ir") {
			return
		}
		for _, pos := range integersRead(tree) {
			t.Errorf("%s:%d reads what is known of integers; ask ir/affine", f.path, fset.Position(pos).Line)
		}
	})
}

// The check finds each form that it is there for, and nothing in what is allowed.
func TestIntegersReadAreFound(t *testing.T) {
	for code, want := range map[string]int{
		`low, high, step, ok := b.Range(v)`:                    1,
		`if _, high, _, ok := b.Range(v); ok && high < 3 {}`:   1,
		`f := ir.Table[affine.Forms](d)[def]`:                  1,
		`m.Range(func(k, v any) bool { return true })`:         0,
		`b.SetRange(v, 0, 3, 1)`:                               0,
		`forms := affine.Forms{Addi: {Op: affine.Add}}`:        0,
		`n := affine.In(b).Number(v)`:                          0,
		`loops := ir.Table[ir.Interface[ir.LoopLike]](d)[def]`: 0,
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() { "+code+" }", 0)
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if got := len(integersRead(tree)); got != want {
			t.Errorf("%s: found %d times, want %d", code, got, want)
		}
	}
}

// integersRead lists where a file takes the four results of a method Range, or the table
// of forms of a dialect.
func integersRead(tree *ast.File) (out []token.Pos) {
	named := func(x ast.Expr, name string) bool {
		s, ok := x.(*ast.SelectorExpr)
		return ok && s.Sel.Name == name
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == 4 && len(n.Rhs) == 1 {
				if c, ok := n.Rhs[0].(*ast.CallExpr); ok && named(c.Fun, "Range") {
					out = append(out, n.Pos())
				}
			}
		case *ast.IndexExpr:
			if named(n.X, "Table") && named(n.Index, "Forms") {
				out = append(out, n.Pos())
			}
		}
		return true
	})
	return out
}
