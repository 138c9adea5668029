package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// rounds looks at a loop of the host: its rounds stage the same ops at the same place, unless a static tells them apart.
func (c *checker) rounds(loop ast.Stmt, body *ast.BlockStmt, write string, counts ...ast.Expr) {
	if c.hasStatic(loop) {
		return
	}
	var counter types.Object
	for _, x := range counts {
		if x == nil {
			continue
		}
		obj := c.object(x)
		if obj == nil || c.watched[obj] || is(obj.Type(), "Dyn", "Static") {
			return
		}
		if counter == nil && obj.Name() != "_" && c.uses(body, obj) {
			counter = obj
		}
	}
	switch {
	case counter != nil && c.asks(body):
		c.Reportf(loop.Pos(), "%s counts in the host around what the program decides, and is no static: write "+write, counter.Name())
	case c.again(body):
		c.Reportf(loop.Pos(), "each round of this loop of the host stages at the same place, and no static tells them apart: write for i := range stage.Range(s, n), or set a stage.NewStatic in it")
	}
}

// hasStatic reports that a loop makes or sets a static, or watches a variable: that tells its rounds apart.
func (c *checker) hasStatic(loop ast.Node) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		found = found || c.ofFront(n, "Watch", "NewStatic", "Range") || c.setsStatic(n)
		return !found
	})
	return found
}

// setsStatic reports the Set of a Static.
func (c *checker) setsStatic(n ast.Node) bool {
	if !c.ofFront(n, "Set") {
		return false
	}
	sel, ok := n.(*ast.CallExpr).Fun.(*ast.SelectorExpr)
	return ok && is(c.TypesInfo.TypeOf(sel.X), "Static")
}

// again reports that a body stages and goes on to the next round: what ends by leaving the loop is staged once.
func (c *checker) again(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			if len(n.List) > 0 && leaves(n.List[len(n.List)-1]) {
				return false
			}
		case *ast.CaseClause:
			if k := len(n.Body) - 1; k >= 0 {
				if b, ok := n.Body[k].(*ast.BranchStmt); leaves(n.Body[k]) && (!ok || b.Label != nil) {
					return false
				}
			}
		case *ast.CallExpr:
			found = found || c.stages(n)
		}
		return !found
	})
	return found
}

func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.GOTO
	}
	return false
}

// stages reports a call that makes ops.
func (c *checker) stages(call *ast.CallExpr) bool {
	if c.ofFront(call, "Lit", "Var", "Select", "Make", "Copy", "If", "While", "Switch") {
		return true
	}
	f := c.called(call)
	if f == nil || f.Signature().Recv() == nil || f.Name() == "Value" {
		return false
	}
	return is(f.Signature().Recv().Type(), "Dyn", "Slice")
}
