package stage

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/stage"
)

// setUnder names the variables of the host that are set under a condition of the program, in the function around one of two places or those
// around that, and used there: with is or are, "k is". Where none is used there it names those by which the host decides what to stage. It
// reads the source, if that is there; else, and if there are none, it gives "".
func setUnder(places ...stage.Frame) string {
	var names, steer []string
	for _, at := range places {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, at.File, nil, 0)
		if at.File == "" || err != nil {
			continue
		}
		for _, fn := range around(files, file, at.Line) {
			set := setIn(fn, func(n ast.Node) bool { return !contains(files, n, at.Line) })
			used := usedIn(fn, set, func(n ast.Node) bool { return files.Position(n.Pos()).Line == at.Line })
			if names = append(names, used...); len(used) > 0 {
				break
			}
			for _, x := range decisions(fn) {
				steer = append(steer, usedIn(x, set, func(ast.Node) bool { return true })...)
			}
			if len(steer) > 0 {
				break
			}
		}
	}
	if len(names) == 0 {
		names = steer
	}
	slices.Sort(names)
	names = slices.Compact(names)
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is"
	}
	return strings.Join(names, " and ") + " are"
}

// A holder is what holds something in the host: a variable, a field of one, or an array, a slice or a map with all its elements.
type holder struct {
	of   *ast.Object // which the name is too where nil, of another file
	text string
}

// holderOf is what an expression stands for; ok is false if it is no holder.
func holderOf(x ast.Expr) (h holder, ok bool) {
	switch x := x.(type) {
	case *ast.Ident:
		return holder{x.Obj, x.Name}, x.Name != "_"
	case *ast.SelectorExpr:
		h, ok = holderOf(x.X)
		return holder{h.of, h.text + "." + x.Sel.Name}, ok
	case *ast.IndexExpr:
		return holderOf(x.X)
	case *ast.StarExpr:
		return holderOf(x.X)
	case *ast.ParenExpr:
		return holderOf(x.X)
	}
	return h, false
}

// setIn are those that a function sets under conditions of the program, or in its loops, and that are not declared there, nor in functions
// beside the one that matters.
func setIn(fn ast.Node, beside func(ast.Node) bool) map[holder]bool {
	set := map[holder]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if asks(n.Cond) {
				assigned(n, set)
			}
		case *ast.ForStmt:
			if n.Cond != nil && asks(n.Cond) {
				assigned(n.Body, set)
			}
		}
		return true
	})
	ast.Inspect(fn, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok && beside(f) {
			for h := range set {
				if h.of != nil && f.Pos() <= h.of.Pos() && h.of.Pos() < f.End() {
					delete(set, h)
				}
			}
		}
		return true
	})
	return set
}

// usedIn names those of a set that are used in a node, in nodes of it where that is asked.
func usedIn(in ast.Node, set map[holder]bool, where func(ast.Node) bool) (names []string) {
	ast.Inspect(in, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && where(n) {
			if h, ok := holderOf(x); ok && set[h] {
				names = append(names, h.text)
			}
		}
		return true
	})
	return names
}

// decisions are the expressions by which a function of the host goes one way or another, without asking the program.
func decisions(fn ast.Node) (out []ast.Node) {
	ast.Inspect(fn, func(n ast.Node) bool {
		var x ast.Expr
		switch n := n.(type) {
		case *ast.IfStmt:
			x = n.Cond
		case *ast.ForStmt:
			x = n.Cond
		case *ast.RangeStmt:
			x = n.X
		case *ast.SwitchStmt:
			x = n.Tag
		case *ast.CaseClause:
			for _, x := range n.List {
				out = append(out, x)
			}
		}
		if x != nil && !asks(x) {
			out = append(out, x)
		}
		return true
	})
	return out
}

// paramNames are the names of a function's parameters, by its source, or else "parameter 1" for the one after the first.
func paramNames(fn reflect.Value) []string {
	out := make([]string, fn.Type().NumIn())
	for i := range out {
		out[i] = fmt.Sprintf("parameter %d", i)
	}
	pc := fn.Pointer()
	name, line := runtime.FuncForPC(pc).FileLine(pc)
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	for _, n := range around(files, file, line) {
		t, _ := n.(*ast.FuncLit)
		list := (*ast.FieldList)(nil)
		if d, ok := n.(*ast.FuncDecl); ok {
			list = d.Type.Params
		} else {
			list = t.Type.Params
		}
		if files.Position(n.Pos()).Line != line || list.NumFields() != len(out) {
			continue
		}
		i := 0
		for _, f := range list.List {
			for _, id := range f.Names {
				if id.Name != "_" {
					out[i] = id.Name
				}
				i++
			}
		}
		break
	}
	return out
}

// around are the functions that a line is in, the innermost first.
func around(files *token.FileSet, file *ast.File, line int) (out []ast.Node) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if contains(files, n, line) {
				out = append(out, n)
			}
		}
		return true
	})
	slices.Reverse(out)
	return out
}

func contains(files *token.FileSet, n ast.Node, line int) bool {
	return files.Position(n.Pos()).Line <= line && line <= files.Position(n.End()).Line
}

// asks reports that something asks the program, by its text.
func asks(x ast.Node) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			sel, ok := call.Fun.(*ast.SelectorExpr)
			found = found || ok && (sel.Sel.Name == "If" || sel.Sel.Name == "While")
		}
		return !found
	})
	return found
}

// assigned notes what is set in a statement and not declared there.
func assigned(in ast.Node, set map[holder]bool) {
	note := func(x ast.Expr) {
		h, ok := holderOf(x)
		if ok && (h.of == nil || h.of.Pos() < in.Pos() || h.of.Pos() >= in.End()) {
			set[h] = true
		}
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				note(x)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear") && len(n.Args) > 0 {
				note(n.Args[0])
			}
		}
		return true
	})
}
