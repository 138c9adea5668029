package ir

import "slices"

// fact is what was known of a value before a region said more.
type fact struct{ v, was Value }

// Know declares that a value is w in the region that is open: the condition of a
// branch is true in it. What is made there has w for it as an operand.
func (b *Builder) Know(v, w Value) {
	if b.asked != nil {
		b.asked.facts = append(b.asked.facts, known{v: v, w: w})
		return
	}
	b.say(v, w)
	if w = b.Known(w); v == w || b.g.verbatim || b.plain || b.top().region == Root {
		return
	}
	if b.known == nil {
		b.known = map[Value]Value{}
	}
	b.facts = append(b.facts, fact{v, b.known[v]})
	b.known[v] = w
	b.g.nodes[v].flags |= flagKnown
}

// say notes what Know was told.
func (b *Builder) say(v, w Value) {
	n, r := &b.g.notes, b.top().region
	if reg := &b.g.regions[r]; reg.said == 0 {
		reg.said = uint32(len(n.facts) + 1)
	} else if n.facts[len(n.facts)-1].r != r {
		n.unsure = true // not by Enter alone
	}
	n.facts = append(n.facts, known{r, v, w})
	b.g.nodes[v].flags |= flagSaid
}

// Known returns what a value is in the region that is open.
func (b *Builder) Known(v Value) Value {
	for b.g.nodes[v].flags&flagKnown != 0 {
		v = b.known[v]
	}
	return v
}

// forget takes back what was known in the region that ends.
func (b *Builder) forget(s *scope) {
	for len(b.facts) > s.facts {
		f := b.facts[len(b.facts)-1]
		b.facts = b.facts[:len(b.facts)-1]
		if f.was != 0 {
			b.known[f.v] = f.was
			continue
		}
		delete(b.known, f.v)
		b.g.nodes[f.v].flags &^= flagKnown
	}
}

// apply puts what is known in the place of operands.
func (b *Builder) apply(c *Call) {
	for i, a := range c.Args {
		if int(a) >= len(b.g.nodes) || b.g.nodes[a].flags&flagKnown == 0 {
			continue
		}
		args := slices.Clone(c.Args) // they may belong to someone else
		for k := i; k < len(args); k++ {
			args[k] = b.Known(args[k])
		}
		c.Args = args
		return
	}
}

// span are the bounds of an integer value, read as signed, both included, and the
// distance between two values.
type span struct{ low, high, step int64 }

// SetRange declares that an integer value is at least low and at most high, and a
// multiple of step away from low; step is 1 where that says nothing.
func (b *Builder) SetRange(v Value, low, high, step int64) {
	if b.asked != nil {
		b.asked.ranges[v] = span{low, high, step}
		return
	}
	if b.ranges == nil {
		b.ranges = map[Value]span{}
	}
	b.ranges[v] = span{low, high, step}
}

// Range returns what was declared of a value.
func (b *Builder) Range(v Value) (low, high, step int64, ok bool) {
	s, ok := b.ranges[v]
	return s.low, s.high, s.step, ok
}

// SetUpper declares that an integer value is less than bound, both read as signed. It is what
// the bound is known to be that ops in the region are made with, and what they depend on.
func (b *Builder) SetUpper(v, bound Value) {
	if b.uppers == nil {
		b.uppers = map[Value]Value{}
	}
	b.uppers[v] = b.Known(bound)
}

// Upper returns a value that another is less than, as was declared of it, or 0.
func (b *Builder) Upper(v Value) Value { return b.uppers[v] }

// Enter tells an op definition that region i of an op with the given attributes
// and operands has just been opened, before anything is made in it.
func (b *Builder) Enter(def *OpDef, attr Attr, args []Value, i int, params []Value) {
	b.g.regions[b.top().region].opened = def.id
	if def.Enter != nil && !b.g.verbatim {
		made := len(b.attempted)
		b.trial++
		def.Enter(b, attr, args, i, params)
		b.noteTried(made)
		b.trial--
	}
}
