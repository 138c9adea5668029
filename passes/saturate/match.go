package saturate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// What a pattern has at most (see ir.Pattern).
const (
	mostVars      = 8
	mostConstants = 4
	mostOps       = 8
)

// A match is a pattern on terms of the e-graph, under way or found.
type match struct {
	vars      [mostVars]class // -1 is free
	constants [mostConstants]uint64
	known     uint8
	elem      ir.Type // of the first constant
	props     [mostOps]ir.Attr
	ops       int
	w         int
	base      ir.Type
	// exact says that the ops that matched are poison just where an operand is.
	exact bool
	// direct says that no op that matched stands in for another.
	direct bool
}

// A found match is to be applied to a class.
type found struct {
	match
	rule *rewriting
	at   class
}

// search finds all matches of a rule at a class.
func (e *egraph) search(r *rewriting, at class, yield func(found)) {
	for _, c := range e.reach(at) {
		for _, n := range e.classes[c].nodes {
			if n.def != r.Of {
				continue
			}
			m := match{exact: true, direct: c == e.find(at)}
			for i := range m.vars {
				m.vars[i] = -1
			}
			if t := r.Is.From; t.Width != [2]int{} && !e.fits(&m, t.Width, e.classes[c].typ) {
				continue
			}
			e.matchOp(r, r.Is.From, n, m, func(m match) {
				if e.where(r.Is.Where, &m) {
					yield(found{m, r, at})
				}
			})
		}
	}
}

// matchOp matches a term to a node; then is called for each way to do so.
func (e *egraph) matchOp(r *rewriting, t *ir.Term, n node, m match, then func(match)) {
	if e.work--; e.work < 0 || int(n.nargs) != len(t.Args) || m.ops == mostOps {
		return
	}
	m.props[m.ops] = n.attr
	m.ops++
	if t.Props != nil && t.Props(e.g.Ctx, m.props[m.ops-1:m.ops]) == 0 {
		return
	}
	m.exact = m.exact && e.isStrict(n.def) && e.cleanOp(&n)
	e.matchArgs(r, t.Args, n.operands(), m, then)
	// Nodes have the operands of commutative ops in the order of classes, which says nothing of the pattern's.
	if n.nargs >= 2 && n.def.Has(ir.Commutative) && n.args[0] != n.args[1] {
		swapped := slices.Clone(n.operands())
		swapped[0], swapped[1] = swapped[1], swapped[0]
		e.matchArgs(r, t.Args, swapped, m, then)
	}
}

// matchArgs matches operands from the first to the last: what one binds the next ones see.
func (e *egraph) matchArgs(r *rewriting, ts []*ir.Term, args []class, m match, then func(match)) {
	if len(ts) == 0 {
		then(m)
		return
	}
	e.matchTerm(r, ts[0], args[0], m, func(m match) { e.matchArgs(r, ts[1:], args[1:], m, then) })
}

// matchTerm matches a term to a class: an op to each node that may stand for it.
func (e *egraph) matchTerm(r *rewriting, t *ir.Term, c class, m match, then func(match)) {
	if c = e.find(c); t.Width != [2]int{} && !e.fits(&m, t.Width, e.classes[c].typ) {
		return
	}
	switch {
	case t.Def != nil || t.Args != nil:
		def := t.Def
		if def == nil {
			def = r.Of
		}
		for _, d := range e.reach(c) {
			for _, n := range e.classes[d].nodes {
				if n.def == def {
					in := m
					in.direct = in.direct && d == c
					e.matchOp(r, t, n, in, then)
				}
			}
		}
	case t.Var > 0:
		if m.vars[t.Var] >= 0 && m.vars[t.Var] != c {
			return
		}
		m.vars[t.Var] = c
		then(m)
	default:
		for _, d := range e.reach(c) {
			if number := e.classes[d].number; number != nil {
				in := m
				in.direct = in.direct && d == c
				if e.matchNumber(t, number, &in) {
					then(in)
				}
				return
			}
		}
	}
}

// matchNumber matches a constant.
func (e *egraph) matchNumber(t *ir.Term, number *node, m *match) bool {
	elem := e.g.Ctx.ElemOrSelf(number.typ)
	if t.Is != nil {
		want, ok := t.Is(elem, e.g.Ctx.Info(elem).Width, nil)
		return ok && number.bits == want
	}
	i := -t.Var - 1
	if m.known>>i&1 == 1 {
		return m.constants[i] == number.bits
	}
	if m.known == 0 {
		m.elem = elem
	}
	m.constants[i], m.known = number.bits, m.known|1<<i
	return true
}

// fits finds the width of the pattern, or compares it with that of a type.
func (e *egraph) fits(m *match, width [2]int, t ir.Type) bool {
	elem := e.g.Ctx.ElemOrSelf(t)
	info := e.g.Ctx.Info(elem)
	if info.Kind != ir.KindInteger && info.Kind != ir.KindIndex {
		return false
	}
	if m.w == 0 && width[0] > 0 && (info.Width-width[1])%width[0] == 0 {
		if m.w = (info.Width - width[1]) / width[0]; m.w < 1 {
			return false // no integer has so few bits
		}
	}
	whole := width == [2]int{1, 0}
	if whole && m.base == ir.NoType {
		m.base = elem
	}
	return width[0]*m.w+width[1] == info.Width && (!whole || m.base == elem)
}

// where asks the condition of a pattern, which is on its constants.
func (e *egraph) where(t *ir.Term, m *match) bool {
	if t == nil {
		return true
	}
	width := e.g.Ctx.Info(m.elem).Width
	if t.Width != [2]int{} {
		width = t.Width[0]*m.w + t.Width[1]
	}
	yes, ok := t.Is(m.elem, width, m.constants[:])
	return ok && yes != 0
}

// apply adds the right side of a match. Where it is poison just where the left side is, both are one class.
func (e *egraph) apply(f *found) {
	at := e.find(f.at)
	exact := f.exact
	defer e.proofs.apply(f.rule)()
	v, ok := e.make(f, f.rule.Is.To, e.classes[at].typ, &exact)
	if !ok {
		return
	}
	if e.isEqual(f, at, exact) {
		e.merge(at, v)
	} else {
		e.refine(at, v)
	}
}

// isEqual reports a right side that has the value of the class: not one that flags of floats allow in its place, and
// poison where that is. exact is of the ops of both sides.
func (e *egraph) isEqual(f *found, at class, exact bool) bool {
	switch {
	// Along an arrow the left side is already less poison than the class, or another number by licence.
	case !f.direct || f.rule.licensed && !(f.rule.free && f.alike()):
		return false
	case f.rule.licensed && !exact:
		return false
	case e.classes[at].clean: // what refines a value that is no poison is that value
		return true
	case !exact:
		return false
	}
	for i, v := range f.vars {
		if v >= 0 && !e.classes[e.find(v)].clean && !f.rule.onRight[i] {
			return false // where it alone is poison, the left side is, and the right side is not
		}
	}
	return true
}

// alike reports ops that matched which all have the same flags.
func (m *match) alike() bool {
	for _, a := range m.props[1:m.ops] {
		if a != m.props[0] {
			return false
		}
	}
	return true
}

// make is the class of the right side.
func (e *egraph) make(f *found, t *ir.Term, typ ir.Type, exact *bool) (class, bool) {
	c := e.g.Ctx
	if t.Width != [2]int{} {
		typ = f.typ(c, t.Width, typ)
	}
	switch {
	case t.Var > 0:
		return e.find(f.vars[t.Var]), true
	case t.Def == nil && t.Args == nil:
		elem := c.ElemOrSelf(typ)
		bits, ok := f.constants[max(0, -t.Var-1)], true
		if t.Is != nil {
			bits, ok = t.Is(elem, c.Info(elem).Width, f.constants[:])
		}
		return e.constantOf(typ, bits, ok)
	}
	def := t.Def
	if def == nil {
		def = f.rule.Of
	}
	if len(t.Args) > mostArgs {
		return 0, false
	}
	args := make([]class, len(t.Args))
	for i, a := range t.Args {
		var ok bool
		if args[i], ok = e.make(f, a, typ, exact); !ok {
			return 0, false
		}
	}
	var attr ir.Attr
	if t.Props != nil {
		attr = t.Props(c, f.props[:f.ops])
	}
	if def.Has(ir.Partial) && !e.divides(args) {
		return 0, false // it might trap where nothing did
	}
	v := e.op(def, attr, typ, args)
	n := node{def: def, attr: attr, typ: typ, nargs: int8(len(args))}
	copy(n.args[:], args)
	*exact = *exact && e.isStrict(def) && e.cleanOp(&n)
	return v, true
}

// constantOf is constant, if there are constants of the type.
func (e *egraph) constantOf(t ir.Type, bits uint64, ok bool) (class, bool) {
	if !ok || !e.holds(t) {
		return 0, false
	}
	return e.constant(t, bits), true
}

// divides reports operands of a division that cannot trap: a divisor that is neither 0 nor -1.
func (e *egraph) divides(args []class) bool {
	if len(args) != 2 {
		return false
	}
	by := e.classes[e.find(args[1])].number
	if by == nil {
		return false
	}
	w := e.g.Ctx.Info(e.g.Ctx.ElemOrSelf(by.typ)).Width
	return by.bits != 0 && ir.IntVal(-1, w).Bits != by.bits
}

// holds reports a type whose values the e-graph has: numbers of at most 64 bits, and vectors of them.
func (e *egraph) holds(t ir.Type) bool {
	c := e.g.Ctx
	if info := c.Info(t); info.Kind == ir.KindVector && (info.Unranked || slices.Contains(info.Shape, ir.Dynamic)) {
		return false
	} else if info.Kind != ir.KindVector && c.ElemOrSelf(t) != t {
		return false
	}
	elem := c.ElemOrSelf(t)
	info := c.Info(elem)
	return (info.Kind == ir.KindInteger || info.Kind == ir.KindIndex) && info.Width >= 1 && info.Width <= 64 || elementwise.Computable(elem)
}

// typ is the integer of a width, or as many of it as a type has.
func (m *match) typ(c *ir.Context, width [2]int, like ir.Type) ir.Type {
	elem := m.base
	if width != [2]int{1, 0} || elem == ir.NoType {
		elem = c.Int(width[0]*m.w + width[1])
	}
	return elementwise.WithElem(c, like, elem)
}
