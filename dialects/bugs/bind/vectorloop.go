package bind

import (
	"strconv"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// byPosition rewrites a loop over a vector as a loop over its positions: the variable
// counts them, and stands for an element where it stood for a value. An element of
// what is no array of the data is one of an array that is computed from it, for which
// extra is the statement.
func (b *Builder) byPosition(s *syntax.For, loops []*model.Loop) (out *syntax.For, extra syntax.Stmt) {
	if r := b.shifted(s.Over); r != nil {
		c := *s
		c.Over = r
		return &c, nil
	}
	at := s.Over.Span()
	part, d, n := b.rangedPart(s.Over, loops)
	if part == nil {
		for _, l := range loops {
			if mentions(s.Over, l.Var) {
				b.ErrorAt(at, "a loop over a vector that depends on the loop over %s", l.Var).
					WithFix("loop over an array of the data, or a part of it")
				return nil, nil
			}
		}
		name := b.newName(s.Var + ".values")
		n = &syntax.Call{Place: syntax.Place{At: at}, Name: "length", NameAt: at, Args: []syntax.Expr{s.Over}}
		part = &syntax.Ref{Place: syntax.Place{At: at}, Name: name, NameAt: at, Indices: []syntax.Expr{numberAt(1, at)}}
		left := *part
		left.Indices = []syntax.Expr{&syntax.Range{Place: part.Place, From: numberAt(1, at), To: n}}
		extra = &syntax.Assign{Place: part.Place, LHS: &left, RHS: s.Over}
	}
	if inner := hider(s.Body, part); inner != nil {
		b.ErrorAt(inner.VarAt, "this loop variable hides one that the loop over %s needs", s.Var).WithFix("give it another name")
		return nil, nil
	}
	c := *s
	c.Over = &syntax.Range{Place: syntax.Place{At: at}, From: numberAt(1, at), To: n}
	c.Body = syntax.ReplaceStmts(s.Body, s.Var, func(r *syntax.Ref) syntax.Expr {
		if r.Name != s.Var || len(r.Indices) > 0 {
			return nil
		}
		// The name is that of the position now; first is where the part begins.
		x := *part
		x.At, x.NameAt = r.At, r.At
		x.Indices = append([]syntax.Expr(nil), part.Indices...)
		var i syntax.Expr = &syntax.Ref{Place: r.Place, Name: s.Var, NameAt: r.NameAt}
		x.Indices[d] = positionFrom(x.Indices[d], i)
		return &x
	})
	return &c, extra
}

// hider finds a loop in the body whose variable stands in an expression.
func hider(body []syntax.Stmt, e syntax.Expr) *syntax.For {
	for _, s := range body {
		l, ok := s.(*syntax.For)
		if !ok {
			continue
		}
		if mentions(e, l.Var) {
			return l
		}
		if inner := hider(l.Body, e); inner != nil {
			return inner
		}
	}
	return nil
}

// newName makes a name that neither the program nor the data have.
func (b *Builder) newName(base string) string {
	if b.made == nil {
		b.made = map[string]bool{}
		namesIn(b.Model.Program.Data, b.made)
		namesIn(b.Model.Program.Model, b.made)
	}
	name := base
	for i := 2; b.made[name] || b.Data.Get(name) != nil; i++ {
		name = base + strconv.Itoa(i)
	}
	b.made[name] = true
	return name
}

// namesIn collects the names of statements.
func namesIn(stmts []syntax.Stmt, out map[string]bool) {
	for _, s := range stmts {
		st := &model.Statement{}
		switch s := s.(type) {
		case *syntax.For:
			out[s.Var] = true
			namesIn(s.Body, out)
			st.Loops, st.LHS = []*model.Loop{{Node: s}}, &syntax.Ref{}
			st.Assign = &syntax.Assign{RHS: s.Over}
		case *syntax.Assign:
			st.Assign, st.LHS = s, s.LHS
		case *syntax.Sample:
			st.Sample, st.LHS = s, s.LHS
		}
		st.Refs(func(r *syntax.Ref, _ int) { out[r.Name] = true })
	}
}

func numberAt(x float64, at diag.Span) *syntax.Num {
	return &syntax.Num{Place: syntax.Place{At: at}, Value: x}
}

func binaryExpr(op syntax.Op, x, y syntax.Expr) syntax.Expr {
	return &syntax.Binary{Place: syntax.Place{At: x.Span()}, Op: op, X: x, Y: y}
}

func mentions(e syntax.Expr, name string) bool {
	found := false
	syntax.Walk(e, func(x syntax.Expr) bool {
		r, ok := x.(*syntax.Ref)
		found = found || ok && r.Name == name
		return !found
	})
	return found
}

// rangedPart takes apart a vector that is an array of the data, or a part of it with
// one range: the reference with the first position in dimension d in the range's
// place, and its length.
func (b *Builder) rangedPart(e syntax.Expr, loops []*model.Loop) (part *syntax.Ref, d int, length syntax.Expr) {
	r, ok := e.(*syntax.Ref)
	if !ok {
		return nil, 0, nil
	}
	a := b.Data.Get(r.Name)
	for _, l := range loops {
		if l.Var == r.Name {
			a = nil
		}
	}
	if a == nil || len(a.Dims) == 0 || len(r.Indices) > 0 && len(r.Indices) != len(a.Dims) {
		return nil, 0, nil
	}
	whole := func(d int) syntax.Expr { return numberAt(float64(a.Dims[d]), r.At) }
	x := *r
	if len(r.Indices) == 0 {
		if len(a.Dims) != 1 {
			return nil, 0, nil
		}
		x.Indices = []syntax.Expr{numberAt(1, r.At)}
		return &x, 0, whole(0)
	}
	x.Indices = append([]syntax.Expr(nil), r.Indices...)
	for i, e := range r.Indices {
		var first syntax.Expr
		n := length
		switch e := e.(type) {
		case *syntax.All:
			first, n = numberAt(1, r.At), whole(i)
		case *syntax.Range:
			first, n = e.From, binaryExpr(syntax.OpAdd, binaryExpr(syntax.OpSub, e.To, e.From), numberAt(1, r.At))
		default:
			continue
		}
		if length != nil {
			return nil, 0, nil // a matrix
		}
		x.Indices[i], d, length = first, i, n
	}
	if length == nil {
		return nil, 0, nil
	}
	return &x, d, length
}

// shifted is a range plus or minus a number as a range, which is what JAGS makes of
// 1:n-1; nil if the expression is none.
func (b *Builder) shifted(e syntax.Expr) *syntax.Range {
	x, ok := e.(*syntax.Binary)
	if !ok || x.Op != syntax.OpAdd && x.Op != syntax.OpSub {
		return nil
	}
	single := func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.Num:
			return true
		case *syntax.Ref:
			a := b.Data.Get(e.Name)
			return a != nil && len(e.Indices) == 0 && len(a.Values) == 1
		}
		return false
	}
	if r, ok := x.X.(*syntax.Range); ok && single(x.Y) {
		return &syntax.Range{Place: x.Place, From: binaryExpr(x.Op, r.From, x.Y), To: binaryExpr(x.Op, r.To, x.Y)}
	}
	if r, ok := x.Y.(*syntax.Range); ok && single(x.X) && x.Op == syntax.OpAdd {
		return &syntax.Range{Place: x.Place, From: binaryExpr(x.Op, x.X, r.From), To: binaryExpr(x.Op, x.X, r.To)}
	}
	return nil
}
