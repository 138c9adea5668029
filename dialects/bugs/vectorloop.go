package bugs

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// countedLoops makes loops over the elements of a vector, `for (t in v)`, loops over
// its positions: t becomes v[t] with t from 1 to length(v). Only a name is a vector
// here; what else may stand there is left for the diagnostic.
func countedLoops(stmts []syntax.Stmt) []syntax.Stmt {
	out := make([]syntax.Stmt, len(stmts))
	for i, s := range stmts {
		out[i] = s
		loop, ok := s.(*syntax.For)
		if !ok {
			continue
		}
		c := *loop
		if v := wholeVector(loop.Over); v != nil {
			use := renaming{name: loop.Var, by: v}
			length := &syntax.Call{Place: v.Place, Name: "length", NameAt: v.At, Args: []syntax.Expr{use.ref()}}
			c.Over = &syntax.Range{Place: v.Place, From: &syntax.Num{Place: v.Place, Value: 1}, To: length}
			c.Body = use.stmts(loop.Body)
		}
		c.Body = countedLoops(c.Body)
		out[i] = &c
	}
	return out
}

// wholeVector is a name without indices, or with an empty one.
func wholeVector(e syntax.Expr) *syntax.Ref {
	r, ok := e.(*syntax.Ref)
	if !ok {
		return nil
	}
	for _, x := range r.Indices {
		if _, all := x.(*syntax.All); !all || len(r.Indices) > 1 {
			return nil
		}
	}
	return r
}

// A renaming writes by[name] for a loop variable, in a copy.
type renaming struct {
	name string
	by   *syntax.Ref
}

// ref is a new reference to the vector.
func (r renaming) ref(index ...syntax.Expr) *syntax.Ref {
	return &syntax.Ref{Place: r.by.Place, Name: r.by.Name, NameAt: r.by.NameAt, Indices: index}
}

func (r renaming) stmts(stmts []syntax.Stmt) []syntax.Stmt {
	out := make([]syntax.Stmt, len(stmts))
	for i, s := range stmts {
		switch s := s.(type) {
		case *syntax.For:
			c := *s
			c.Over = r.expr(s.Over)
			if s.Var != r.name {
				c.Body = r.stmts(s.Body)
			}
			out[i] = &c
		case *syntax.Assign:
			c := *s
			c.LHS, c.RHS = r.left(s.LHS), r.expr(s.RHS)
			out[i] = &c
		case *syntax.Sample:
			c := *s
			c.LHS, c.Args = r.left(s.LHS), r.exprs(s.Args)
			if s.Bound != nil {
				b := *s.Bound
				b.Lower, b.Upper = r.expr(b.Lower), r.expr(b.Upper)
				c.Bound = &b
			}
			out[i] = &c
		}
	}
	return out
}

func (r renaming) left(l *syntax.Ref) *syntax.Ref {
	c := *l
	c.Indices = r.exprs(l.Indices)
	return &c
}

func (r renaming) exprs(es []syntax.Expr) []syntax.Expr {
	out := make([]syntax.Expr, len(es))
	for i, e := range es {
		out[i] = r.expr(e)
	}
	return out
}

func (r renaming) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ref:
		if e.Name == r.name && len(e.Indices) == 0 {
			i := *e
			v := r.ref(&i)
			v.Place = e.Place
			return v
		}
		return r.left(e)
	case *syntax.Call:
		c := *e
		c.Args = r.exprs(e.Args)
		return &c
	case *syntax.Unary:
		c := *e
		c.X = r.expr(e.X)
		return &c
	case *syntax.Binary:
		c := *e
		c.X, c.Y = r.expr(e.X), r.expr(e.Y)
		return &c
	case *syntax.Range:
		c := *e
		c.From, c.To = r.expr(e.From), r.expr(e.To)
		return &c
	}
	return e
}

// vectorLoop is the error for a loop over what is no range and no name.
func vectorLoop(l *syntax.For) *diag.Diagnostic {
	return diag.Errorf(l.Over.Span(), "a loop runs over a range or a vector that has a name").
		WithFix("give the vector a name: v <- c(...), then for (%s in v)", l.Var)
}
