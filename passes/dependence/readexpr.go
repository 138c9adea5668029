package dependence

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// affine reads an integer as an affine expression: its linear form, with symbols for
// values. Arithmetic is taken not to wrap around. What is computed outside of all loops,
// and what is read without an index of a loop from a parameter that nothing writes, is a
// symbol.
func (r *reader) affine(v ir.Value) (presburger.Sum, bool) {
	if s, ok := r.names[v]; ok && isScalarInt(r.g, v) {
		return presburger.Variable(s), true
	}
	if isScalarInt(r.g, v) {
		if a, ok := r.sum(v, r.ints.Linear(v)); ok {
			return a, true
		}
		if r.invariant(v) {
			return presburger.Variable(r.opaque(v)), true
		}
	}
	return presburger.Sum{}, false
}

// sum is the linear form of a value, if each of its terms is affine and that is not just
// the value.
func (r *reader) sum(v ir.Value, l affine.Linear) (presburger.Sum, bool) {
	out := presburger.Number(l.Int(l.Const))
	for _, t := range l.Terms {
		term := t.Value
		if term == v {
			if def := r.g.Def(v); def != arith.IndexCast && def != arith.Extsi {
				return presburger.Sum{}, false
			}
			term = r.g.Args(v)[0]
		}
		a, ok := r.affine(term)
		if !ok {
			return presburger.Sum{}, false
		}
		out = out.Plus(l.Int(t.Coef), a)
	}
	return out, l.Width > 0
}

// opaque names a value of which only that it does not change is known.
func (r *reader) opaque(v ir.Value) string {
	if read, ok := reading(r.g.NodeOf(v)); ok {
		if a := r.element(read.Memory, read.Indices, Domain{}); a.Var != nil {
			return a.String() // all reads of it give the same
		}
	}
	if r.names[v] == "" {
		r.names[v] = r.nameOf(v, "v"+r.symbol()[1:])
	}
	return r.names[v]
}

// invariant reports a value that is the same wherever it is used: it stands outside
// of all loops, or is read from what nothing writes, at an index that does not change.
func (r *reader) invariant(v ir.Value) bool {
	if read, ok := reading(r.g.NodeOf(v)); ok {
		root, _ := r.root(read.Memory)
		if root == nil || r.written[root] || !root.Parameter {
			return r.outside(v)
		}
		for _, i := range read.Indices {
			if a, ok := r.affine(i); !ok || r.hasLoop(a) {
				return false
			}
		}
		return true
	}
	return r.outside(v)
}

func (r *reader) outside(v ir.Value) bool {
	n, _, _ := r.g.Projection(v)
	if _, _, ok := r.g.Param(n); ok || !r.s.Live(n) {
		return false
	}
	d, ok := r.place[r.s.Place(n)]
	return ok && len(d.Loops) == 0
}

// hasLoop reports that an index of a loop is in an expression.
func (r *reader) hasLoop(a presburger.Sum) bool {
	return slices.ContainsFunc(a.Terms, func(t presburger.Term) bool { return t.Var[0] == '$' })
}

// cond reads a truth value.
func (r *reader) cond(v ir.Value) Cond {
	if c, ok := r.g.Const(v); ok && c.Ref == nil {
		if c.Bool() {
			return And()
		}
		return Or()
	}
	if s, ok := r.names[v]; ok {
		return Holds(s)
	}
	args := r.g.Args(v)
	switch r.g.Def(v) {
	case arith.Andi:
		return And(r.cond(args[0]), r.cond(args[1]))
	case arith.Ori:
		return Or(r.cond(args[0]), r.cond(args[1]))
	case arith.Xori:
		x, y := r.cond(args[0]), r.cond(args[1])
		return Or(And(x, Not(y)), And(Not(x), y))
	case arith.Cmpi:
		if c, ok := r.compared(v); ok {
			return c
		}
	}
	if r.invariant(v) {
		return Holds(r.opaque(v))
	}
	return Unknown()
}

// compared reads a comparison of affine expressions. Unsigned ones are known only
// for constants.
func (r *reader) compared(v ir.Value) (Cond, bool) {
	x, ok := r.affine(r.g.Args(v)[0])
	y, both := r.affine(r.g.Args(v)[1])
	if !ok || !both || !isScalarInt(r.g, r.g.Args(v)[0]) {
		return Cond{}, false
	}
	switch arith.CmpIPredicate(r.g.Ctx.AttrInfo(r.g.Attr(v, "predicate")).Int) {
	case arith.EQ:
		return Eq(x, y), true
	case arith.NE:
		return Not(Eq(x, y)), true
	case arith.SLT:
		return Not(Ge(x, y)), true
	case arith.SLE:
		return Ge(y, x), true
	case arith.SGT:
		return Not(Ge(y, x)), true
	case arith.SGE:
		return Ge(x, y), true
	}
	return Cond{}, false
}

// root finds the variable that a memref is a view of, and what of it: nil stands for
// all of it.
func (r *reader) root(v ir.Value) (*Variable, *window) {
	if x := r.vars[v]; x != nil {
		return x, nil
	}
	view, ok := ir.As[ir.ViewLike](r.g.NodeOf(v))
	if args := r.g.Args(v); !ok && r.g.Def(v).Has(ir.View) && len(args) > 0 {
		view, ok = ir.ViewLike{Source: args[0]}, true
	}
	if !ok {
		return nil, nil
	}
	x, w := r.root(view.Source)
	if view.Whole {
		return x, w
	}
	return x, r.subview(view, w)
}

// A window is a part of a variable that a view shows: of each dimension the first
// index and how many there are. One without dimensions shows a part that is not known.
type window struct {
	from []presburger.Sum
	last []presburger.Sum // -1 and the size are not known where it is no number
	kept []bool           // it is a dimension of the view
}

// subview reads offsets and sizes of steps of one; anything else is not known.
func (r *reader) subview(v ir.ViewLike, outer *window) *window {
	if outer != nil {
		return &window{}
	}
	w := &window{kept: v.Kept}
	for k := range v.Offsets {
		at, ok := r.bound(v.Offsets[k])
		size, sized := r.bound(v.Sizes[k])
		if !ok || !sized || v.Strides[k] != (ir.Bound{Const: 1}) {
			return &window{}
		}
		w.from = append(w.from, at)
		w.last = append(w.last, at.Plus(1, size).Minus(presburger.Number(1)))
	}
	return w
}

// element is the access to an element of a memref, or with no indices to all of it.
func (r *reader) element(m ir.Value, indices []ir.Value, d Domain) Access {
	x, w := r.root(m)
	a := Access{Var: x, Domain: d}
	if x == nil || w != nil && len(w.from) == 0 {
		return a
	}
	var subs []Sub
	for _, i := range indices {
		if e, ok := r.affine(i); ok {
			subs = append(subs, At(e))
		} else {
			subs = append(subs, Any())
		}
	}
	if w == nil {
		a.Subs = subs
		return a
	}
	for k := range w.from {
		s := Sub{Known: true, Lo: w.from[k], Hi: w.last[k]}
		if w.kept[k] && len(subs) > 0 {
			if subs[0].Known {
				s = At(w.from[k].Plus(1, subs[0].Lo))
			}
			subs = subs[1:]
		}
		a.Subs = append(a.Subs, s)
	}
	return a
}

func isScalarInt(g *ir.Graph, v ir.Value) bool {
	k := g.Ctx.Info(g.Type(v)).Kind
	return k == ir.KindIndex || k == ir.KindInteger
}

func width(g *ir.Graph, v ir.Value) int {
	if info := g.Ctx.Info(g.Type(v)); info.Kind == ir.KindInteger {
		return info.Width
	}
	return 64
}

func stringAttr(n ir.Node, name string) string {
	if a := n.Attr(name); a != 0 {
		return n.Graph().Ctx.AttrInfo(a).Str
	}
	return ""
}

// argAttrs lists the dictionaries of a function's arguments.
func argAttrs(n ir.Node) []ir.Attr {
	if a := n.Attr("arg_attrs"); a != 0 {
		return n.Graph().Ctx.AttrInfo(a).List
	}
	return nil
}

// entry finds an entry of a dictionary, or 0.
func entry(c *ir.Context, dict ir.Attr, name string) ir.Attr {
	if dict == 0 {
		return 0
	}
	for _, e := range c.AttrInfo(dict).Dict {
		if e.Name == name {
			return e.Value
		}
	}
	return 0
}

func dictString(c *ir.Context, dict ir.Attr, name, otherwise string) string {
	if a := entry(c, dict, name); a != 0 {
		return c.AttrInfo(a).Str
	}
	return otherwise
}
