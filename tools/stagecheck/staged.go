package main

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// front is the package that staged functions are written against.
const front = "github.com/irc-lang/irc/tools/stage"

// is reports a type of the front, or a pointer to it.
func is(t types.Type, names ...string) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != front {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool { return n.Obj().Name() == name })
}

// staged reports a function that is run to be staged, by its type: something of a program is handed to it.
func staged(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if holds(v.Type(), map[types.Type]bool{}) {
			return true
		}
	}
	return sig.Recv() != nil && holds(sig.Recv().Type(), map[types.Type]bool{})
}

// holds reports a type with something of a program in it, however deep.
func holds(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if is(t, "S", "Dyn", "Slice", "Static", "Prophecy", "Thread") {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return holds(t.Elem(), seen)
	case *types.Slice:
		return holds(t.Elem(), seen)
	case *types.Array:
		return holds(t.Elem(), seen)
	case *types.Map:
		return holds(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if holds(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// run looks at each staged function that stands in no other.
func run(pass *analysis.Pass) (any, error) {
	if pass.Pkg.Path() == front {
		return nil, nil
	}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			var sig *types.Signature
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.FuncDecl:
				sig, body = pass.TypesInfo.Defs[n.Name].Type().(*types.Signature), n.Body
			case *ast.FuncLit:
				sig, body = pass.TypesInfo.TypeOf(n).(*types.Signature), n.Body
			}
			if sig == nil || body == nil || !staged(sig) {
				return true
			}
			c := &checker{Pass: pass, body: body, set: map[types.Object]bool{}, watched: map[types.Object]bool{}}
			c.check()
			return false
		})
	}
	return nil, nil
}

// called is the function or method that a call calls, or nil.
func (c *checker) called(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	f, _ := c.TypesInfo.Uses[id].(*types.Func)
	return f
}

// ofFront reports a call of something of the front by its name.
func (c *checker) ofFront(n ast.Node, names ...string) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	f := c.called(call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != front {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool { return f.Name() == name })
}

// asks reports that something in an expression or statement asks the program.
func (c *checker) asks(n ast.Node) bool {
	found := false
	if n == nil {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || c.ofFront(n, "If", "While", "Switch")
		return !found
	})
	return found
}

// object is the variable that an expression is, or is a part of; nil if there is none.
func (c *checker) object(x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if obj := c.TypesInfo.Defs[x]; obj != nil {
			return obj
		}
		return c.TypesInfo.Uses[x]
	case *ast.SelectorExpr:
		return c.object(x.X)
	case *ast.IndexExpr:
		return c.object(x.X)
	case *ast.StarExpr:
		return c.object(x.X)
	}
	return nil
}
