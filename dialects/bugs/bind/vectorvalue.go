package bind

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// length is the length of a vector that may be an index: c(..), an array of the data or one
// range of any array, the order or ranks of such a vector, and in JAGS a name that is one of
// these as a whole. It is nil for a number, and for what this version cannot tell.
func (x *indexer) length(e syntax.Expr) syntax.Expr { return x.lengthWithin(e, 0) }

// deepest bounds how many names stand for each other.
const deepest = 20

func (x *indexer) lengthWithin(e syntax.Expr, depth int) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Call:
		switch f := function.ArrayOpOf(function.Canonical(e)); {
		case e.Name == "c" && len(e.Args) > 0:
			return numberAt(float64(len(e.Args)), e.At)
		case f != nil && f.Result == 1 && slices.Equal(f.Args, []int{1}) && len(e.Args) == 1: // as long as its argument
			return x.lengthWithin(e.Args[0], depth)
		}
	case *syntax.Ref:
		if part, _, n := x.b.rangedPart(e, x.loops); part != nil {
			if len(x.b.Data.Get(part.Name).Values) == 1 {
				return nil // a single number is no vector
			}
			return n
		}
		return x.lengthOfName(e, depth)
	}
	return nil
}

// lengthOfName is that of what no data give: of its range, or of what defines it as a whole.
func (x *indexer) lengthOfName(r *syntax.Ref, depth int) (n syntax.Expr) {
	for _, e := range r.Indices {
		if span, ok := e.(*syntax.Range); ok && n == nil {
			n = lengthOfRange(span)
		} else if !model.Single(e) {
			return nil
		}
	}
	isLoop := slices.ContainsFunc(x.loops, func(l *model.Loop) bool { return l.Var == r.Name })
	if len(r.Indices) > 0 || !x.b.JAGS || isLoop || depth > deepest {
		return n
	}
	var found []syntax.Expr
	for _, s := range slices.Concat(x.b.Model.Program.Data, x.b.Model.Program.Model) {
		if n, ok := x.definedLength(r.Name, s, depth); ok {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// definedLength is the length that a statement gives a vector: as a whole, from element 1
// on as v[1:n], or as v[i] in a loop for i in 1:n. It is nil for another definition; ok says
// that it is one.
func (x *indexer) definedLength(name string, s syntax.Stmt, depth int) (n syntax.Expr, ok bool) {
	var left *syntax.Ref
	switch s := s.(type) {
	case *syntax.For:
		var all []syntax.Stmt
		for _, t := range s.Body {
			if _, defines := x.definedLength(name, t, depth); defines {
				all = append(all, t)
			}
		}
		if len(all) != 1 {
			return nil, len(all) > 0
		}
		over, isRange := s.Over.(*syntax.Range)
		if left = leftOf(all[0]); left == nil || !isRange || len(left.Indices) != 1 || !isNumber(over.From, 1) {
			return nil, true
		}
		if i, is := left.Indices[0].(*syntax.Ref); !is || i.Name != s.Var || len(i.Indices) > 0 {
			return nil, true
		}
		return over.To, true
	case *syntax.Assign:
		if left = s.LHS; left.Name == name && len(left.Indices) == 0 {
			return (&indexer{b: x.b}).lengthWithin(s.RHS, depth+1), true
		}
	default:
		left = leftOf(s)
	}
	if left == nil || left.Name != name {
		return nil, false
	}
	if len(left.Indices) == 1 {
		if span, is := left.Indices[0].(*syntax.Range); is && isNumber(span.From, 1) {
			return span.To, true
		}
	}
	return nil, true
}

func leftOf(s syntax.Stmt) *syntax.Ref {
	switch s := s.(type) {
	case *syntax.Assign:
		return s.LHS
	case *syntax.Sample:
		return s.LHS
	}
	return nil
}

func isNumber(e syntax.Expr, x float64) bool {
	n, ok := e.(*syntax.Num)
	return ok && n.Value == x
}

func lengthOfRange(r *syntax.Range) syntax.Expr {
	if isNumber(r.From, 1) {
		return r.To
	}
	return binaryExpr(syntax.OpAdd, binaryExpr(syntax.OpSub, r.To, r.From), numberAt(1, r.At))
}

// lengths are those of the indices that pick several positions, nil for the others; d is the
// first that is a vector, and ok says that there is one, with all lengths known.
func (x *indexer) lengths(r *syntax.Ref) (d int, out []syntax.Expr, ok bool) {
	d, out = -1, make([]syntax.Expr, len(r.Indices))
	data := x.b.Data.Get(r.Name)
	for i, e := range r.Indices {
		switch e := e.(type) {
		case *syntax.Range:
			out[i] = lengthOfRange(e)
		case *syntax.All:
			if data == nil || len(data.Dims) != len(r.Indices) {
				return -1, nil, false
			}
			out[i] = numberAt(float64(data.Dims[i]), r.At)
		default:
			if out[i] = x.length(e); out[i] != nil && d < 0 {
				d = i
			}
		}
	}
	return d, out, d >= 0
}

// vector is a vector of n elements as a name with at most one range: it is computed into an
// array of its own if it is none.
func (x *indexer) vector(e, n syntax.Expr) *syntax.Ref {
	if r, ok := e.(*syntax.Ref); ok {
		return r
	}
	return x.copyOf(e, n)
}

// copyOf is an array of its own with a vector of n elements.
func (x *indexer) copyOf(e, n syntax.Expr) *syntax.Ref {
	at := e.Span()
	h := &syntax.Ref{Place: syntax.Place{At: at}, Name: x.b.newName("vector"), NameAt: at}
	for _, l := range x.loops {
		h.Indices = append(h.Indices, &syntax.Ref{Place: h.Place, Name: l.Var, NameAt: at})
	}
	whole := x.at(h, &syntax.Range{Place: h.Place, From: numberAt(1, at), To: n})
	x.out = append(x.out, placed{&syntax.Assign{Place: h.Place, LHS: whole, RHS: e}, x.loops})
	return whole
}

// elementAt is element p of a vector with at most one range.
func elementAt(r *syntax.Ref, p syntax.Expr) *syntax.Ref {
	out := *r
	out.Indices = slices.Clone(r.Indices)
	for i, e := range r.Indices {
		switch e := e.(type) {
		case *syntax.All:
			out.Indices[i] = p
		case *syntax.Range:
			out.Indices[i] = positionFrom(e.From, p)
		}
	}
	if len(r.Indices) == 0 {
		out.Indices = []syntax.Expr{p}
	}
	return &out
}

// repeated is rep(v, c(a, b)) as c(rep(v[1], a), rep(v[2], b)), nil for another call. The
// numbers may be a vector of the data as well.
func (x *indexer) repeated(c *syntax.Call) syntax.Expr {
	if function.Canonical(c) != "rep" || len(c.Args) != 2 {
		return nil
	}
	var times []syntax.Expr
	switch t := c.Args[1].(type) {
	case *syntax.Call:
		if t.Name == "c" && len(t.Args) > 1 {
			times = t.Args
		}
	case *syntax.Ref:
		if a := x.b.Data.Get(t.Name); a != nil && len(a.Dims) == 1 && len(a.Values) > 1 && len(t.Indices) == 0 {
			for i := range a.Values {
				times = append(times, elementAt(t, numberAt(float64(i+1), t.At)))
			}
		}
	}
	if times == nil {
		return nil
	}
	v, whole := c.Args[0].(*syntax.Ref)
	if n := float64(len(times)); !whole || !isNumber(x.length(v), n) { // an assignment compares the lengths
		v = x.copyOf(x.reads(c.Args[0]), numberAt(n, c.At))
	}
	out := &syntax.Call{Place: c.Place, Name: "c", NameAt: c.NameAt}
	for i, n := range times {
		one := *c
		one.Args = []syntax.Expr{elementAt(v, numberAt(float64(i+1), c.At)), n}
		out.Args = append(out.Args, &one)
	}
	return out
}
