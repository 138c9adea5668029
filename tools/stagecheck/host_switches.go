package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// late looks at k := stage.Switch(...): once something is staged that all its cases come by, they have met, and k is the host's alone.
func (c *checker) late(n *ast.AssignStmt) {
	k := c.object(n.Lhs[0])
	if k == nil || c.held(k) {
		return
	}
	var uses []ast.Node  // of k
	var calls []ast.Node // that stage
	var ways []ast.Node  // switches and conditions that k decides
	ast.Inspect(c.body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.Ident:
			if x.Pos() > n.End() && c.TypesInfo.Uses[x] == k {
				uses = append(uses, x)
			}
		case *ast.CallExpr:
			if x.Pos() > n.End() && c.stages(x) {
				calls = append(calls, x)
			}
		case *ast.SwitchStmt:
			if x.Tag != nil && c.uses(x.Tag, k) {
				ways = append(ways, x.Body)
			}
		case *ast.IfStmt:
			if c.uses(x.Cond, k) {
				ways = append(ways, x)
			}
		}
		return true
	})
	for _, use := range uses {
		for _, call := range calls {
			if call.End() <= use.Pos() && !together(ways, call, use) {
				c.Reportf(use.Pos(), "%s is used where the cases of stage.Switch have met: write switch stage.Switch(...) around it, or have a stage.NewStatic hold it", k.Name())
				return
			}
		}
	}
}

// held reports a variable that a static is given.
func (c *checker) held(k types.Object) (found bool) {
	ast.Inspect(c.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && (c.setsStatic(n) || c.ofFront(n, "NewStatic", "Watch")) {
			for _, a := range call.Args {
				found = found || c.uses(a, k)
			}
		}
		return !found
	})
	return found
}

// together reports that both stand in one of some statements.
func together(in []ast.Node, x, y ast.Node) bool {
	return slices.ContainsFunc(in, func(n ast.Node) bool { return within(n, x.Pos()) && within(n, y.Pos()) })
}

func within(n ast.Node, at token.Pos) bool { return n.Pos() <= at && at < n.End() }
