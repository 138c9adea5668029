package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A checker looks at one staged function.
type checker struct {
	*analysis.Pass
	body *ast.BlockStmt
	set  map[types.Object]bool // Dyns on which Set is called

	watched map[types.Object]bool // variables of the host that are statics
}

func (c *checker) check() {
	ast.Inspect(c.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && c.ofFront(n, "Set") {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && is(c.TypesInfo.TypeOf(sel.X), "Dyn") {
				c.set[c.object(sel.X)] = true
			}
		}
		if n, ok := n.(*ast.AssignStmt); ok && len(n.Rhs) == 1 && len(n.Lhs) == 1 && c.ofFront(n.Rhs[0], "Switch") {
			c.late(n)
		}
		if c.ofFront(n, "Watch") {
			if x, ok := n.(*ast.CallExpr).Args[2].(*ast.UnaryExpr); ok {
				c.watched[c.object(x.X)] = true
			}
		}
		return true
	})
	ast.Inspect(c.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			c.aliases(n)
		case *ast.ValueSpec:
			for i, x := range n.Values {
				if len(n.Names) == len(n.Values) {
					c.alias(n.Names[i], x)
				}
			}
		case *ast.IfStmt:
			if c.asks(n.Cond) {
				c.under(n, n.Body)
				if n.Else != nil {
					c.under(n, n.Else)
				}
			}
		case *ast.ForStmt:
			c.loop(n)
		case *ast.RangeStmt:
			c.ranges(n)
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (c.isDyn(n.X) || c.isDyn(n.Y)) {
				method := map[token.Token]string{token.EQL: "Eq", token.NEQ: "Ne"}[n.Op]
				c.Reportf(n.OpPos, "%s of a Dyn compares which value it is, not what it holds: write x.%s(y), and ask with s.If", n.Op, method)
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && c.isDyn(n.Tag) {
				c.Reportf(n.Pos(), "a switch of a Dyn compares which value it is, not what it holds: write switch stage.Switch(s, x, cases...)")
			}
		case *ast.MapType:
			if c.isDyn(n.Key) {
				c.Reportf(n.Pos(), "a map by Dyn finds which value it is, not what it holds: use a number of the host, or a stage.Slice")
			}
		default:
			c.forbidden(n)
		}
		return true
	})
}

func (c *checker) isDyn(x ast.Expr) bool {
	t := c.TypesInfo.TypeOf(x)
	return t != nil && is(t, "Dyn")
}

// aliases looks for a Dyn that is assigned to a Dyn.
func (c *checker) aliases(n *ast.AssignStmt) {
	if len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, x := range n.Rhs {
		c.alias(n.Lhs[i], x)
	}
}

// alias reports y := x where one of them is set: the other changes with it.
func (c *checker) alias(y, x ast.Expr) {
	to, from := c.object(y), c.object(x)
	if to == nil || from == nil || !c.isDyn(x) || !c.set[to] && !c.set[from] {
		return
	}
	c.Reportf(y.Pos(), "%s is the same variable as %s, and changes with it: write stage.Var(s, %q, %s) for a variable of its own, or %[2]s.Get() for what it holds now",
		types.ExprString(y), types.ExprString(x), to.Name(), types.ExprString(x))
}

// loop looks at a loop: one that the program decides on, or one of the host around what the program decides.
func (c *checker) loop(n *ast.ForStmt) {
	if n.Cond != nil && c.asks(n.Cond) {
		c.under(n, n.Body)
		return
	}
	if init, ok := n.Init.(*ast.AssignStmt); ok && n.Cond != nil {
		c.rounds(n, n.Body, "for %[1]s := range stage.Range(s, n), or make it a stage.NewStatic", init.Lhs...)
	}
}

func (c *checker) ranges(n *ast.RangeStmt) {
	t := c.TypesInfo.TypeOf(n.X)
	if t == nil {
		return
	}
	switch t.Underlying().(type) {
	case *types.Map:
		c.Reportf(n.Pos(), "the order of a map differs from run to run: sort its keys, and range over these")
		return
	case *types.Chan:
		c.Reportf(n.Pos(), "a channel gives something else in the next run: read it before the function is staged")
		return
	case *types.Signature:
		return // stage.Range, or an iterator, which may have statics
	}
	c.rounds(n, n.Body, "for i := range stage.Range(s, n)", n.Key, n.Value)
}

func (c *checker) uses(n ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && c.TypesInfo.Uses[id] == obj {
			found = true
		}
		return !found
	})
	return found
}

// under looks for variables of the host that are set under a condition of the program, and read where paths have met.
func (c *checker) under(branch ast.Stmt, body ast.Node) {
	seen := map[types.Object]bool{}
	report := func(pos token.Pos, x ast.Expr, appends bool) {
		obj := c.object(x)
		if obj == nil || seen[obj] || c.watched[obj] || body.Pos() <= obj.Pos() && obj.Pos() < body.End() || !c.readAfter(branch, obj) {
			return
		}
		if _, ok := obj.(*types.Var); !ok || is(obj.Type(), "Static", "Slice") {
			return
		}
		seen[obj] = true
		switch {
		case appends:
			c.Reportf(pos, "append to %s under a condition of the program happens once for each path that is staged, not each time that the program runs: use a stage.Slice", obj.Name())
		case is(obj.Type(), "Dyn"):
			c.Reportf(pos, "%s is set in the host under a condition of the program: declare it with stage.Var, and write %[1]s.Set(...)", obj.Name())
		default:
			c.Reportf(pos, "%s is set in the host under a condition of the program, and read after: make it a stage.Var, or a stage.NewStatic if the program is to be staged for each value", obj.Name())
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				appends := false
				if len(n.Rhs) == len(n.Lhs) {
					call, ok := n.Rhs[i].(*ast.CallExpr)
					appends = ok && c.builtin(call) == "append"
				}
				if n.Tok != token.DEFINE {
					report(n.Pos(), x, appends)
				}
			}
		case *ast.IncDecStmt:
			report(n.Pos(), n.X, false)
		}
		return true
	})
}

// readAfter reports that a variable is read after a branch: below it, or in the next round of a loop around it.
func (c *checker) readAfter(branch ast.Stmt, obj types.Object) bool {
	from, until := branch.End(), c.body.End()
	others := c.otherWays(branch)
	ast.Inspect(c.body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= branch.Pos() && branch.End() <= n.End() && obj.Pos() < n.Pos() {
				from = min(from, n.Pos())
				others = nil // the next round may go another way
			}
		}
		return true
	})
	if obj.Pos() < c.body.Pos() { // of who calls
		return true
	}
	written := map[*ast.Ident]bool{}
	found := false
	ast.Inspect(c.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
					written[id] = true
				}
			}
		case *ast.CallExpr: // a static is set: what it holds tells the paths apart
			return !c.setsStatic(n)
		case *ast.BlockStmt, *ast.CaseClause:
			return !slices.Contains(others, n)
		case *ast.Ident:
			found = found || from <= n.Pos() && n.Pos() < until && c.TypesInfo.Uses[n] == obj && !written[n]
		}
		return true
	})
	return found
}

// otherWays are the cases of switches and the arms of conditions of the host that are not run when a statement is.
func (c *checker) otherWays(s ast.Stmt) (out []ast.Node) {
	in := func(n ast.Node) bool { return n.Pos() <= s.Pos() && s.End() <= n.End() }
	ast.Inspect(c.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			if in(n.Body) {
				out = append(out, c.otherCases(n.Body, in)...)
			}
		case *ast.TypeSwitchStmt:
			if in(n.Body) {
				out = append(out, c.otherCases(n.Body, in)...)
			}
		case *ast.IfStmt:
			if n.Else != nil && in(n.Body) {
				out = append(out, n.Else)
			}
		}
		return true
	})
	return out
}

// otherCases are those that a statement is not in, if none falls through.
func (c *checker) otherCases(body *ast.BlockStmt, in func(ast.Node) bool) (out []ast.Node) {
	for _, s := range body.List {
		cc := s.(*ast.CaseClause)
		if k := len(cc.Body) - 1; k >= 0 {
			if b, ok := cc.Body[k].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				return nil
			}
		}
		if !in(cc) {
			out = append(out, cc)
		}
	}
	return out
}

func (c *checker) builtin(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := c.TypesInfo.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// outside are packages, and functions of packages, that do something else in each run, or do it in each.
var outside = map[string]string{
	"time": "Now Since Until Sleep After AfterFunc Tick NewTimer NewTicker", "math/rand": "*", "math/rand/v2": "*", "crypto/rand": "*", "os": "*", "os/exec": "*", "net": "*", "net/http": "*", "bufio": "*", "log": "*",
	"fmt": "Print Printf Println Fprint Fprintf Fprintln Scan Scanf Scanln Fscan Fscanf Fscanln",
}

// forbidden looks for what no staged function does.
func (c *checker) forbidden(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		c.Reportf(n.Pos(), "a goroutine runs apart from the staged function: call the function")
	case *ast.SelectStmt:
		c.Reportf(n.Pos(), "a select chooses something else in the next run: decide before the function is staged")
	case *ast.SendStmt:
		c.Reportf(n.Pos(), "a channel is sent to in each run of the function: give back what is staged")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			c.Reportf(n.Pos(), "a channel gives something else in the next run: read it before the function is staged")
		}
	case *ast.CallExpr:
		if c.builtin(n) == "recover" {
			c.Reportf(n.Pos(), "recover catches what ends a run: leave it out")
		}
		f := c.called(n)
		if f == nil || f.Pkg() == nil {
			return
		}
		if f.Pkg().Path() == "sync" && (f.Name() == "Do" || strings.HasPrefix(f.Name(), "Once")) {
			c.Reportf(n.Pos(), "sync.%s does it in the first of several runs only: call the function, or do before the function is staged what is no part of it", map[bool]string{true: "Once", false: f.Name()}[f.Name() == "Do"])
		}
		names, ok := outside[f.Pkg().Path()]
		if ok && (names == "*" || f.Signature().Recv() == nil && strings.Contains(" "+names+" ", " "+f.Name()+" ")) {
			c.Reportf(n.Pos(), "%s.%s happens in each of several runs, and may give something else in each: do it before the function is staged, and hand in what it gives", f.Pkg().Name(), f.Name())
		}
	}
}
