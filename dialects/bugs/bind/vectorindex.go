package bind

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// byElement rewrites an assignment or a relation with vectors as indices, such as
// x[c(1, 3)] or x[v], over arrays whose parts are ranges: what is read so is copied
// into an array of its own, element by element, and what is assigned so is computed
// into one first. It returns nil where there is nothing to do.
//
//	z <- sum(x[v])     h[p] <- x[v[p]] for p in 1:length(v);  z <- sum(h[1:length(v)])
//	x[v] <- e          h[1:length(v)] <- e;  x[v[p]] <- h[p] for p in 1:length(v)
//
// A copy has an index for each loop whose variable it needs, and stands in these.
func (b *Builder) byElement(s syntax.Stmt, loops []*model.Loop) []placed {
	x, changed := &indexer{b: b, loops: loops}, false
	switch s := s.(type) {
	case *syntax.Assign:
		c := *s
		c.RHS = x.reads(s.RHS)
		changed = c.RHS != s.RHS
		if d, ok := x.vectorAt(s.LHS); ok && c.Link == "" {
			c.LHS = x.assigned(s.LHS, d)
		}
		x.out = append(x.out, placed{&c, loops})
	case *syntax.Sample:
		c := *s
		c.Args = make([]syntax.Expr, len(s.Args))
		for i, a := range s.Args {
			c.Args[i] = x.reads(a)
			changed = changed || c.Args[i] != a
		}
		x.out = append(x.out, placed{&c, loops})
	}
	if len(x.out) == 1 && !changed {
		return nil
	}
	return x.out
}

// placed is a statement and the loops around it.
type placed struct {
	stmt  syntax.Stmt
	loops []*model.Loop
}

// An indexer collects the statements that copy elements.
type indexer struct {
	b     *Builder
	loops []*model.Loop
	out   []placed
}

// reads replaces references with a vector as an index, and repetitions of which each
// element has a number of its own.
func (x *indexer) reads(e syntax.Expr) syntax.Expr {
	return syntax.Rewrite(e, func(e syntax.Expr) syntax.Expr {
		switch e := e.(type) {
		case *syntax.Ref:
			return x.copied(e)
		case *syntax.Call:
			return x.repeated(e)
		}
		return nil
	})
}

// copied is the copy of what r reads, nil if r has no vector as an index. Another index that
// picks several positions is a range of the copy.
func (x *indexer) copied(r *syntax.Ref) syntax.Expr {
	d, lengths, ok := x.lengths(r)
	if !ok {
		return nil
	}
	part := func(p syntax.Expr) (out []syntax.Expr) {
		for i, n := range lengths {
			switch {
			case i == d:
				out = append(out, p)
			case n != nil:
				out = append(out, &syntax.Range{Place: r.Place, From: numberAt(1, r.At), To: n})
			}
		}
		return out
	}
	h, loops := x.hidden(r)
	n := x.elements(r, d, loops, func(p, elem syntax.Expr) syntax.Stmt {
		return &syntax.Assign{Place: r.Place, LHS: x.at(h, part(p)...), RHS: x.with(r, d, elem)}
	})
	return x.at(h, part(&syntax.Range{Place: r.Place, From: numberAt(1, r.At), To: n})...)
}

// assigned is the part of an array that is assigned instead of r, and copied to it.
func (x *indexer) assigned(r *syntax.Ref, d int) *syntax.Ref {
	h, _ := x.hidden(r)
	n := x.elements(r, d, x.loops, func(p, elem syntax.Expr) syntax.Stmt {
		return &syntax.Assign{Place: r.Place, LHS: x.with(r, d, elem), RHS: x.at(h, p)}
	})
	return x.at(h, &syntax.Range{Place: r.Place, From: numberAt(1, r.At), To: n})
}

// vectorAt finds the dimension of a vector among indices that are single otherwise.
func (x *indexer) vectorAt(r *syntax.Ref) (d int, ok bool) {
	d = -1
	for i, e := range r.Indices {
		if !model.Single(e) {
			return 0, false
		}
		if !x.isVector(e) {
			continue
		}
		if d >= 0 {
			return 0, false
		}
		d = i
	}
	return d, d >= 0
}

func (x *indexer) isVector(e syntax.Expr) bool { return x.length(e) != nil }

// hidden names an array with an index for each loop that a reference needs, and lists
// these.
func (x *indexer) hidden(r *syntax.Ref) (h *syntax.Ref, loops []*model.Loop) {
	need := make([]bool, len(x.loops))
	for k := len(x.loops) - 1; k >= 0; k-- {
		need[k] = x.mentioned(r, k)
		for j := k + 1; j < len(x.loops); j++ {
			need[k] = need[k] || need[j] && mentions(x.loops[j].Node.Over, x.loops[k].Var)
		}
	}
	name := x.b.newName(r.Name + ".part")
	h = &syntax.Ref{Place: r.Place, Name: name, NameAt: r.NameAt}
	for k, l := range x.loops {
		if need[k] {
			h.Indices = append(h.Indices, &syntax.Ref{Place: r.Place, Name: l.Var, NameAt: r.NameAt})
			loops = append(loops, l)
		}
	}
	return h, loops
}

// mentioned reports an index with the variable of loop k, which no inner loop hides.
func (x *indexer) mentioned(r *syntax.Ref, k int) bool {
	for _, l := range x.loops[k+1:] {
		if l.Var == x.loops[k].Var {
			return false
		}
	}
	return slices.ContainsFunc(r.Indices, func(e syntax.Expr) bool { return mentions(e, x.loops[k].Var) })
}

// at is an element, or a range, of a hidden array.
func (x *indexer) at(h *syntax.Ref, p ...syntax.Expr) *syntax.Ref {
	out := *h
	out.Indices = append(append([]syntax.Expr(nil), h.Indices...), p...)
	return &out
}

// with is r with an index in place of the vector.
func (x *indexer) with(r *syntax.Ref, d int, elem syntax.Expr) *syntax.Ref {
	out := *r
	out.Indices = append([]syntax.Expr(nil), r.Indices...)
	out.Indices[d] = elem
	return &out
}

// elements makes a statement for each element of the vector: one for each argument of
// c(), else one in a loop over positions. It returns the length of the vector.
func (x *indexer) elements(r *syntax.Ref, d int, loops []*model.Loop, make func(p, elem syntax.Expr) syntax.Stmt) syntax.Expr {
	add := func(s syntax.Stmt) { x.out = append(x.out, placed{s, loops}) }
	at := r.Indices[d].Span()
	if c, ok := r.Indices[d].(*syntax.Call); ok && c.Name == "c" {
		for i, a := range c.Args {
			add(make(numberAt(float64(i+1), at), a))
		}
		return numberAt(float64(len(c.Args)), at)
	}
	n := x.length(r.Indices[d])
	vector := x.vector(r.Indices[d], n)
	position := x.b.newName(vector.Name + ".position")
	var p syntax.Expr = &syntax.Ref{Place: syntax.Place{At: at}, Name: position, NameAt: at}
	add(&syntax.For{Place: r.Place, Var: position, VarAt: at, Over: &syntax.Range{Place: syntax.Place{At: at}, From: numberAt(1, at), To: n},
		Body: []syntax.Stmt{make(p, elementAt(vector, p))}})
	return n
}

// positionFrom is the p-th position from first on.
func positionFrom(first, p syntax.Expr) syntax.Expr {
	if n, one := first.(*syntax.Num); one && n.Value == 1 {
		return p
	}
	return binaryExpr(syntax.OpSub, binaryExpr(syntax.OpAdd, first, p), numberAt(1, first.Span()))
}
