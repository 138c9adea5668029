package ir

import "slices"

// A Pattern is a Fold as data: what an op becomes, as two trees. So it can be matched by others than the Builder, proven,
// printed and, where nothing is lost, turned round.
type Pattern struct {
	From *Term // the op of the fold, whose Def is nil
	To   *Term // of the operands and constants of From alone
	// Where, if there is one, is a leaf with an Is: it is given the element type and the width of the first constant, and
	// the pattern applies where it is not 0. If it has a Width, it is given so many bits in place of those of a constant.
	Where *Term
	Or    *Pattern // what to try where this does not apply
}

// A Term is a part of a Pattern: an op on others, an operand, a constant, or a number that is written or computed.
// Terms are not changed once they are made, and several patterns may share one.
type Term struct {
	Def  *OpDef  // of an op; nil with Args is the op of the fold again
	Args []*Term // of the op, in order; nil of a leaf
	// Props, on the left, gives 0 for an op that the pattern is not of. On the right it makes the properties of the op, of
	// those of the ops that matched, the root first; nil makes none.
	Props func(c *Context, of []Attr) Attr

	Var int // an operand of this number, from 1, or from -1 down a constant; the same number is the same value

	// Is computes a number of the constants, the one of Var -1 first, as the bits of an element; not ok: it is undefined, and
	// the pattern does not apply. On the left it is given none.
	Is func(elem Type, width int, constants []uint64) (bits uint64, ok bool)

	// Width, if not zero, is the bits of an integer, Width[0]*w + Width[1], where w is the width of the pattern.
	Width [2]int

	Text string // of Props or Is, as rules are written
}

// What a pattern may have at most.
const (
	mostVars      = 8
	mostConstants = 4
	mostOps       = 8
)

// leaf is what stands at no op.
func (t *Term) leaf() bool { return t.Def == nil && t.Args == nil }

// number is a leaf that only a constant matches.
func (t *Term) number() bool { return t.Var < 0 || t.Is != nil }

// A matching is a pattern under way. Operands of commutative ops are tried in both orders: of the n-th of them bit n
// of orders says which. It lives on the stack, for most patterns that are tried do not match: functions are handed
// copies of what it holds.
type matching struct {
	b         *Builder
	c         *Call
	vars      [mostVars]Value
	constants [mostConstants]uint64
	known     uint8 // of the constants, bit by bit
	elem      Type  // of the first constant
	props     [mostOps]Attr
	ops       int
	w         int  // width of the pattern; 0 is not known
	base      Type // the integer or index that has it
	orders    uint
	met       int // commutative ops
}

// Apply makes what the pattern says of an op, or returns 0 if it does not apply: it is the Do of the fold.
func (p *Pattern) Apply(b *Builder, c *Call) Value {
	c.b = b
	for ; p != nil; p = p.Or {
		if !p.From.mayMatch(b.g, c) {
			continue
		}
		most := 0
		for orders := uint(0); orders < 1<<most; orders++ {
			m := matching{b: b, c: c, orders: orders}
			if m.result(p.From) && m.args(p.From, c.Def, c.Attr, c.Args) && m.where(p.Where) {
				// Tensors may differ in what is known of their shapes.
				if v := m.make(p.To, c.Type); v != 0 && b.g.nodes[v].typ == c.Type {
					return v
				}
				break
			}
			most = max(most, m.met)
		}
	}
	return 0
}

// mayMatch looks at the operands of an op alone: most patterns end there.
func (t *Term) mayMatch(g *Graph, c *Call) bool {
	either := len(c.Args) == 2 && c.Def.Has(Commutative)
	for i, a := range t.Args {
		if a.Var > 0 {
			continue
		}
		if !a.begins(g, c, i) && !(either && a.begins(g, c, 1-i)) {
			return false
		}
	}
	return true
}

// begins reports an operand that is a constant or made by an op as the term says.
func (t *Term) begins(g *Graph, c *Call, i int) bool {
	rec := &g.nodes[c.Args[i]]
	switch {
	case t.Def != nil:
		return rec.op == t.Def.id
	case t.Args != nil:
		return rec.op == c.Def.id
	}
	return rec.flags&flagConst != 0
}

// result matches the type of the op of the fold, which may be all that says how wide the pattern is.
func (m *matching) result(t *Term) bool {
	return t.Width == [2]int{} || m.fits(t.Width, m.c.Type)
}

// args matches an op by its properties and operands.
func (m *matching) args(t *Term, def *OpDef, attr Attr, args []Value) bool {
	if len(args) != len(t.Args) || m.ops == mostOps {
		return false
	}
	m.props[m.ops] = attr
	m.ops++
	if t.Props != nil {
		of := m.b.fold.matched[:]
		if of[0] = attr; t.Props(m.b.Ctx(), of) == 0 {
			return false
		}
	}
	swap := false
	// Constants stand on the right.
	if def.Has(Commutative) && (!t.Args[1].number() || t.Args[0].number()) {
		swap = m.orders>>m.met&1 == 1
		m.met++
	}
	for i, a := range t.Args {
		if swap && i < 2 {
			i = 1 - i
		}
		if !m.term(a, args[i]) {
			return false
		}
	}
	return true
}

// term matches a value.
func (m *matching) term(t *Term, v Value) bool {
	g := m.b.g
	if t.Width != [2]int{} && !m.fits(t.Width, g.nodes[v].typ) {
		return false
	}
	switch {
	case !t.leaf():
		def := t.Def
		if def == nil {
			def = m.c.Def
		}
		return g.nodes[v].op == def.id && m.args(t, def, g.nodes[v].attr, g.Args(v))
	case t.Var > 0:
		if m.vars[t.Var] == 0 {
			m.vars[t.Var] = v
		}
		return m.vars[t.Var] == v
	}
	bits, ok := g.Number(v)
	if !ok {
		return false
	}
	elem := g.Ctx.ElemOrSelf(g.nodes[v].typ)
	if t.Is != nil {
		want, ok := t.Is(elem, g.Ctx.Info(elem).Width, nil)
		return ok && bits == want
	}
	i := -t.Var - 1
	if m.known>>i&1 == 1 {
		return m.constants[i] == bits
	}
	if m.known == 0 {
		m.elem = elem
	}
	m.constants[i], m.known = bits, m.known|1<<i
	return true
}

// fits finds the width of the pattern of that of an integer, or compares the two.
func (m *matching) fits(width [2]int, t Type) bool {
	elem := m.b.Ctx().ElemOrSelf(t)
	info := m.b.Ctx().Info(elem)
	if info.Kind != KindInteger && info.Kind != KindIndex {
		return false
	}
	if m.w == 0 && width[0] > 0 && (info.Width-width[1])%width[0] == 0 {
		if m.w = (info.Width - width[1]) / width[0]; m.w < 1 {
			return false // no integer has so few bits
		}
	}
	if width == [2]int{1, 0} && m.base == NoType {
		m.base = elem
	}
	return width[0]*m.w+width[1] == info.Width && (width != [2]int{1, 0} || m.base == elem)
}

// where asks the condition.
func (m *matching) where(t *Term) bool {
	if t == nil {
		return true
	}
	width := m.b.Ctx().Info(m.elem).Width
	if t.Width != [2]int{} {
		width = t.Width[0]*m.w + t.Width[1]
	}
	yes, ok := t.Is(m.elem, width, slices.Clone(m.constants[:]))
	return ok && yes != 0
}

// make makes the right side; a leaf that is a number has the type t.
func (m *matching) make(t *Term, typ Type) Value {
	c := m.b.Ctx()
	if t.Width != [2]int{} {
		typ = m.typ(t.Width, typ)
	}
	switch {
	case t.Var > 0:
		return m.vars[t.Var]
	case t.leaf():
		elem := c.ElemOrSelf(typ)
		bits, ok := m.constants[max(0, -t.Var-1)], true
		if t.Is != nil {
			bits, ok = t.Is(elem, c.Info(elem).Width, slices.Clone(m.constants[:]))
		}
		if !ok {
			return 0
		}
		return m.b.Splat(typ, bits)
	}
	call := Call{Def: t.Def, Type: typ, Loc: m.c.Loc}
	if t.Def == nil {
		call.Def = m.c.Def
	}
	for _, a := range t.Args {
		v := m.make(a, typ)
		if v == 0 {
			return 0
		}
		call.Args = append(call.Args, v)
	}
	if t.Props != nil {
		call.Attr = t.Props(c, slices.Clone(m.props[:m.ops]))
	}
	v, err := m.b.Make(call)
	if err != nil { // operands differ in what is known of their shapes
		return 0
	}
	return v
}

// typ is the integer of a width, or as many of it as the op of the fold gives.
func (m *matching) typ(width [2]int, like Type) Type {
	c := m.b.Ctx()
	elem := m.base
	if width != [2]int{1, 0} || elem == NoType {
		elem = c.Int(width[0]*m.w + width[1])
	}
	if c.ElemOrSelf(like) == like {
		return elem
	}
	info := *c.Info(like)
	info.Elem = elem
	return c.Type(info)
}
