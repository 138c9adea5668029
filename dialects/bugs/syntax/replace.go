package syntax

// Replace rebuilds an expression with f(r) in the place of each name r for which f
// returns an expression. Parts without such a name are not copied.
func Replace(e Expr, f func(*Ref) Expr) Expr {
	return Rewrite(e, func(e Expr) Expr {
		if r, ok := e.(*Ref); ok {
			return f(r)
		}
		return nil
	})
}

// Rewrite rebuilds an expression with f(x) in the place of each part x, the outer ones first,
// for which f returns an expression.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	if x := f(e); x != nil {
		return x
	}
	switch e := e.(type) {
	case *Ref:
		if idx, changed := rewriteAll(e.Indices, f); changed {
			out := *e
			out.Indices = idx
			return &out
		}
	case *Call:
		if args, changed := rewriteAll(e.Args, f); changed {
			out := *e
			out.Args = args
			return &out
		}
	case *Unary:
		if x := Rewrite(e.X, f); x != e.X {
			out := *e
			out.X = x
			return &out
		}
	case *Binary:
		if x, y := Rewrite(e.X, f), Rewrite(e.Y, f); x != e.X || y != e.Y {
			out := *e
			out.X, out.Y = x, y
			return &out
		}
	case *Range:
		if x, y := Rewrite(e.From, f), Rewrite(e.To, f); x != e.From || y != e.To {
			out := *e
			out.From, out.To = x, y
			return &out
		}
	}
	return e
}

func replaceAll(es []Expr, f func(*Ref) Expr) (out []Expr, changed bool) {
	return rewriteAll(es, func(e Expr) Expr {
		if r, ok := e.(*Ref); ok {
			return f(r)
		}
		return nil
	})
}

func rewriteAll(es []Expr, f func(Expr) Expr) (out []Expr, changed bool) {
	for i, e := range es {
		x := Rewrite(e, f)
		if x != e && !changed {
			out, changed = append([]Expr(nil), es...), true
		}
		if changed {
			out[i] = x
		}
	}
	return out, changed
}

// ReplaceStmts rebuilds statements with Replace on what they read and on the indices
// on their left sides; name is a variable that inner loops may hide.
func ReplaceStmts(stmts []Stmt, name string, f func(*Ref) Expr) []Stmt {
	out := make([]Stmt, len(stmts))
	left := func(r *Ref) *Ref {
		idx, changed := replaceAll(r.Indices, f)
		if !changed {
			return r
		}
		x := *r
		x.Indices = idx
		return &x
	}
	for i, s := range stmts {
		switch s := s.(type) {
		case *For:
			x := *s
			if x.Over = Replace(s.Over, f); s.Var != name {
				x.Body = ReplaceStmts(s.Body, name, f)
			}
			out[i] = &x
		case *Assign:
			x := *s
			x.LHS, x.RHS = left(s.LHS), Replace(s.RHS, f)
			out[i] = &x
		case *Sample:
			x := *s
			x.LHS = left(s.LHS)
			if args, changed := replaceAll(s.Args, f); changed {
				x.Args = args
			}
			if b := s.Bound; b != nil {
				c := *b
				c.Lower, c.Upper = Replace(b.Lower, f), Replace(b.Upper, f)
				x.Bound = &c
			}
			out[i] = &x
		}
	}
	return out
}
