package golang

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"strings"
)

// withoutUnused takes out of a file what Go refuses because nobody reads it: variables that are
// declared or written to alone. A statement stands on a line of its own; what it computes stays if
// that may trap.
func withoutUnused(text string) string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, 0)
	if err != nil {
		return text // format says what is wrong
	}
	u := &unused{set: set, lines: strings.Split(text, "\n"), of: map[object]*variable{}}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			u.collect(f)
		}
	}
	for _, x := range u.order {
		u.drop(x)
	}
	return strings.Join(u.kept(), "\n")
}

// A variable is what is known of a local variable.
type variable struct {
	reads  int
	writes []ast.Stmt // that declare it or write to it
	gone   bool
}

// object is what the parser takes a name for.
//
//lint:ignore SA1019 what it cannot tell without types, keys of composite literals, are no local variables here
type object = *ast.Object

type unused struct {
	set   *token.FileSet
	lines []string
	of    map[object]*variable
	order []object     // of the variables
	cut   map[int]bool // lines that are gone
}

// collect notes the variables of a function.
func (u *unused) collect(f *ast.FuncDecl) {
	if u.cut == nil {
		u.cut = map[int]bool{}
	}
	written := map[*ast.Ident]bool{}
	write := func(s ast.Stmt, id *ast.Ident) {
		obj := id.Obj
		if obj != nil && obj.Pos() == id.Pos() {
			u.of[obj] = &variable{}
			u.order = append(u.order, obj)
		}
		if x := u.of[obj]; x != nil {
			x.writes = append(x.writes, s)
			written[id] = true
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok {
					write(n, id)
				}
			}
		case *ast.DeclStmt:
			write(n, n.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Names[0])
		case *ast.RangeStmt:
			if id, ok := n.Key.(*ast.Ident); ok {
				write(n, id)
			}
		}
		return true
	})
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !written[id] {
			if x := u.of[id.Obj]; x != nil {
				x.reads++
			}
		}
		return true
	})
}

// drop takes a variable out if nobody reads it, and then what only its values read.
func (u *unused) drop(obj object) {
	x := u.of[obj]
	if x == nil || x.reads > 0 || x.gone {
		return
	}
	x.gone = true
	for _, s := range x.writes {
		line := u.set.Position(s.Pos()).Line - 1
		switch s := s.(type) {
		case *ast.DeclStmt:
			u.cut[line] = true
		case *ast.RangeStmt:
			u.lines[line] = strings.Replace(u.lines[line], obj.Name+" := range", "range", 1)
		case *ast.AssignStmt:
			u.assignment(line, s, obj.Name)
		}
	}
}

// assignment takes a variable out of a statement that writes to it.
func (u *unused) assignment(line int, s *ast.AssignStmt, name string) {
	if len(s.Lhs) == 1 && !acts(s.Rhs[0]) {
		u.cut[line] = true
		ast.Inspect(s.Rhs[0], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if y := u.of[id.Obj]; y != nil {
					y.reads--
					u.drop(id.Obj)
				}
			}
			return true
		})
		return
	}
	op := " " + s.Tok.String() + " "
	left, right, _ := strings.Cut(u.lines[line], op)
	text := strings.TrimLeft(left, "\t")
	indent := left[:len(left)-len(text)]
	names, blank := strings.Split(text, ", "), true
	for i, n := range names {
		if n == name {
			names[i] = "_"
		}
		blank = blank && names[i] == "_"
	}
	if blank && len(names) > 1 { // of a call
		u.lines[line] = indent + right
		return
	}
	if blank {
		op = " = "
	}
	u.lines[line] = indent + strings.Join(names, ", ") + op + right
}

// acts reports an expression that may trap, or calls what may.
func acts(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.SliceExpr:
			found = true
		case *ast.BinaryExpr:
			found = found || n.Op == token.QUO || n.Op == token.REM
		case *ast.CallExpr:
			switch f := n.Fun.(type) {
			case *ast.Ident:
				found = found || !doc.IsPredeclared(f.Name) || f.Name == "make" || f.Name == "panic"
			case *ast.SelectorExpr: // of math and math/bits
			default:
				found = true
			}
		}
		return !found
	})
	return found
}

// kept are the lines that are left.
func (u *unused) kept() (out []string) {
	for i, line := range u.lines {
		if !u.cut[i] {
			out = append(out, line)
		}
	}
	return out
}
