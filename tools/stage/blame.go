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

// setUnder names the variables of the host that are used at one of two places, and set under a condition of the program in the
// function around it, with is or are: "k is". It reads the source, if that is there; else, and if there are none, it gives "".
func setUnder(places ...stage.Frame) string {
	var names []string
	for _, at := range places {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, at.File, nil, parser.SkipObjectResolution)
		if at.File == "" || err != nil {
			continue
		}
		for _, fn := range around(files, file, at.Line) {
			set := map[string]bool{}
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
				if id, ok := n.(*ast.Ident); ok && set[id.Name] && files.Position(id.Pos()).Line == at.Line && !slices.Contains(names, id.Name) {
					names = append(names, id.Name)
				}
				return true
			})
			if len(names) > 0 {
				break
			}
		}
	}
	slices.Sort(names)
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is"
	}
	return strings.Join(names, " and ") + " are"
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
			if files.Position(n.Pos()).Line <= line && line <= files.Position(n.End()).Line {
				out = append(out, n)
			}
		}
		return true
	})
	slices.Reverse(out)
	return out
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

// assigned are the variables that are set in a statement and not declared there.
func assigned(in ast.Node, set map[string]bool) {
	own := map[string]bool{}
	note := func(x ast.Expr, to map[string]bool) {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" && !own[id.Name] {
			to[id.Name] = true
		}
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if n.Tok == token.DEFINE {
					note(x, own)
				} else {
					note(x, set)
				}
			}
		case *ast.IncDecStmt:
			note(n.X, set)
		}
		return true
	})
}
