package ir

import (
	"slices"
)

// fact is what was known of a value before a region said more.
type fact struct{ v, was Value }

// Know declares that a value is w in the region that is open: the condition of a
// branch is true in it. What is made there has w for it as an operand.
func (b *Builder) Know(v, w Value) { b.known.know(v, w, b.Folds()) }

// knowledge is what regions say of values. What one says holds in it alone, and is taken back as it ends; a
// range or an upper bound holds wherever the value is.
type knowledge struct {
	g      *Graph
	open   *openRegions
	as     map[Value]Value // what values are in the region that is open
	facts  []fact          // what held before, innermost last
	ranges map[Value]span  // of integers (see Builder.Enter)
	uppers map[Value]Value // what integers are less than (see Builder.SetUpper)
	asked  *answer         // where it goes while Enter is asked again
}

// know is Builder.Know; only if it is to be used, operands are replaced.
func (k *knowledge) know(v, w Value, use bool) {
	if k.asked != nil {
		k.asked.facts = append(k.asked.facts, known{v: v, w: w})
		return
	}
	k.say(v, w)
	if w = k.of(w); v == w || !use || k.open.top().region == Root {
		return
	}
	if k.as == nil {
		k.as = map[Value]Value{}
	}
	k.facts = append(k.facts, fact{v, k.as[v]})
	k.as[v] = w
	k.g.nodes[v].flags |= flagKnown
}

// say notes what Know was told.
func (k *knowledge) say(v, w Value) {
	n, r := &k.g.notes, k.open.top().region
	if reg := &k.g.regions[r]; reg.said == 0 {
		reg.said = uint32(len(n.facts) + 1)
	} else if n.facts[len(n.facts)-1].r != r {
		n.unsure = true // not by Enter alone
	}
	n.facts = append(n.facts, known{r, v, w})
	k.g.nodes[v].flags |= flagSaid
}

func (k *knowledge) of(v Value) Value {
	for k.g.nodes[v].flags&flagKnown != 0 {
		v = k.as[v]
	}
	return v
}

// forget takes back what was known in the region that ends.
func (k *knowledge) forget(s *scope) {
	for len(k.facts) > s.facts {
		f := k.facts[len(k.facts)-1]
		k.facts = k.facts[:len(k.facts)-1]
		if f.was != 0 {
			k.as[f.v] = f.was
			continue
		}
		delete(k.as, f.v)
		k.g.nodes[f.v].flags &^= flagKnown
	}
}

// apply puts what is known in the place of operands.
func (k *knowledge) apply(c *Call) {
	for i, a := range c.Args {
		if int(a) >= len(k.g.nodes) || k.g.nodes[a].flags&flagKnown == 0 {
			continue
		}
		args := slices.Clone(c.Args) // they may belong to someone else
		for j := i; j < len(args); j++ {
			args[j] = k.of(args[j])
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
func (b *Builder) SetRange(v Value, low, high, step int64) { b.known.setRange(v, low, high, step) }

func (k *knowledge) setRange(v Value, low, high, step int64) {
	if k.asked != nil {
		k.asked.ranges[v] = span{low, high, step}
		return
	}
	if k.ranges == nil {
		k.ranges = map[Value]span{}
	}
	k.ranges[v] = span{low, high, step}
}

// Range returns what was declared of a value.
func (b *Builder) Range(v Value) (low, high, step int64, ok bool) {
	s, ok := b.known.ranges[v]
	return s.low, s.high, s.step, ok
}

// SetUpper declares that an integer value is less than bound, both read as signed. It is what
// the bound is known to be that ops in the region are made with, and what they depend on.
func (b *Builder) SetUpper(v, bound Value) { b.known.setUpper(v, bound) }

func (k *knowledge) setUpper(v, bound Value) {
	if k.uppers == nil {
		k.uppers = map[Value]Value{}
	}
	k.uppers[v] = k.of(bound)
}

// Upper returns a value that another is less than, as was declared of it, or 0.
func (b *Builder) Upper(v Value) Value { return b.known.uppers[v] }

// Enter tells an op definition that region i of an op with the given attributes
// and operands has just been opened, before anything is made in it.
func (b *Builder) Enter(def *OpDef, attr Attr, args []Value, i int, params []Value) {
	b.g.regions[b.open.top().region].opened = def.id
	if def.Enter != nil && !b.g.verbatim {
		made := b.fold.begin()
		enter(b, def, attr, args, i, params)
		b.fold.unneeded(made)
		b.fold.end()
	}
}

// Poison stands for undefined behaviour that is deferred: an op that computes with it gives
// it, and it may be stored, passed on and yielded. To branch on it, to bound a loop with it,
// or to index or divide by it is undefined at once, as it is in LLVM: the interpreter traps.
//
// So an op with regions and a Partial op are undefined on poison in an operand that the
// definition does not call Harmless. Where such an operand may be poison, the op stays where
// it was built, as one that may trap: it may stand behind a guard, or in a loop without a
// round, for just that reason. Known clean operands, or frozen ones (Graph.MayBePoison), let it
// float. That the op cannot trap otherwise, as an index is proven in bounds, holds only of
// numbers, so the proof is no help.
//
// Clean is: a constant; what an op that makes no poison gives of clean operands and clean
// yields; an index of a loop, since its bounds must not be poison; what a loop carries, if all
// that feeds it is; an argument of a public function, to which nobody may pass poison. All
// else may be poison: arguments of private functions, results of calls, what is loaded.

// MayBePoison reports a value that may be poison. Of a graph under construction it goes by
// what is known so far: of what a loop carries, that the loop built before (see Mirror).
func (g *Graph) MayBePoison(v Value) bool {
	if g.nodes[v].flags&flagClean != 0 {
		return false
	}
	return !g.regions[Root].closed || !cleanValues.Of(g)[v]
}

// SetClean declares that a parameter is never poison.
func (b *Builder) SetClean(param Value) { b.known.setClean(param) }

func (k *knowledge) setClean(param Value) {
	if k.asked != nil {
		k.asked.clean = append(k.asked.clean, param)
		return
	}
	if !k.g.verbatim {
		k.g.nodes[param].flags |= flagClean
	}
}

// undefinedFlags finds whether an op about to be made may be undefined where it stands, and
// whether it may be poison. It reports an op that is undefined on poison in an operand that may be.
func (c *Call) undefinedFlags(rec *record) (guarded bool) {
	if c.Def.Traits&(Partial|Freezes) == 0 && len(c.Regions) == 0 && c.Type < numFixedTypes {
		c.plainFlags(rec)
		return false
	}
	clean := func(v Value) bool { return c.b.g.nodes[v].flags&flagClean != 0 }
	if c.traps = c.mayTrap(); c.traps {
		rec.flags |= flagPartial | flagTraps
	}
	if guarded = c.undefined(clean); guarded {
		rec.flags |= flagPartial
	}
	for _, r := range c.Regions {
		switch reg := &c.b.g.regions[r]; {
		case reg.kind == Lambda:
		case reg.outside.traps:
			rec.flags |= flagPartial | flagTraps
		case reg.outside.partial:
			rec.flags |= flagPartial
		}
	}
	if c.makesPoison() {
		rec.flags |= flagMakes
	} else if c.clean(clean) {
		rec.flags |= flagClean
	}
	return guarded || c.thaws(clean)
}

// plainFlags is undefinedFlags of an op without regions that never traps, freezes nothing, and gives a number or nothing.
func (c *Call) plainFlags(rec *record) {
	if c.makesPoison() {
		rec.flags |= flagMakes
		return
	}
	clean := uint16(flagClean)
	for _, a := range c.Args {
		clean &= c.b.g.nodes[a].flags
	}
	rec.flags |= clean
}

// thaws reports an op that freezes what may be poison: once that is known not to be, it is gone.
func (c *Call) thaws(clean func(Value) bool) bool {
	return c.Def.Traits&Freezes != 0 && !clean(c.Args[0])
}

// Always is the Poisons of an op of which nothing is known: what it gives comes from elsewhere.
func Always(*Call) bool { return true }

// First is the Harmless of an op that stores its first operand.
func First(_ *Call, i int) bool { return i == 0 }

// strict reports an op that is undefined on poison in operands that are not Harmless.
func (c *Call) strict() bool {
	return c.Def.Traits&Terminator == 0 && (c.Def.Traits&Partial != 0 || len(c.Regions) > 0)
}

func (c *Call) harmless(i int) bool {
	return c.Def.Harmless != nil && ask(c, func(c *Call) bool { return c.Def.Harmless(c, i) })
}

// undefined reports that the op may be run on poison where it must not be.
func (c *Call) undefined(clean func(Value) bool) bool {
	if !c.strict() {
		return false
	}
	for i, a := range c.Args {
		if !clean(a) && !c.harmless(i) {
			return true
		}
	}
	return false
}

// makesPoison reports an op that may give poison of operands and yields without any.
func (c *Call) makesPoison() bool {
	if c.Def.Poisons != nil {
		return ask(c, c.Def.Poisons)
	}
	if c.Def.Traits&(Clean|Freezes|ConstantLike|Unique|View) != 0 {
		return false
	}
	d := c.Ctx().DialectOf(c.Def)
	return d == nil || !d.Clean
}

// clean reports that an op gives no poison but what it makes of its own: no operand that
// it hands on, and no yield of its regions, may be poison. What poison is in a whole of
// other values (a tensor, a record) is poison when it is taken out of that.
func (c *Call) clean(clean func(Value) bool) bool {
	if c.Def.Traits&Freezes != 0 {
		return true
	}
	g, strict := c.b.g, c.strict()
	holds := c.Type >= numFixedTypes && g.Ctx.types.holds(c.Type) && c.Def.Traits&Elementwise == 0
	for i, a := range c.Args {
		if !clean(a) && (!strict || c.harmless(i)) && !(holds && !g.Ctx.types.holds(g.nodes[a].typ)) {
			return false
		}
	}
	for _, r := range c.Regions {
		if g.regions[r].kind == Lambda {
			continue
		}
		for _, y := range g.Yields(r) {
			if !clean(y) && !(holds && !g.Ctx.types.holds(g.nodes[y].typ)) {
				return false
			}
		}
	}
	return true
}

// holds reports the type of a whole that holds others, each of which may be poison or not.
func (t *typeTable) holds(n Type) bool {
	switch t.info(n).Kind {
	case KindTensor, KindMemRef, KindOpaque:
		return true
	}
	return false
}

// cleanValues finds what is never poison in a finished graph, loops included: a carried value
// is clean unless something that feeds it is not. It is the greatest such set, by giving up
// what does not hold.
var cleanValues = NewAnalysis("poison", func(g *Graph) []bool {
	clean := make([]bool, len(g.nodes))
	carried := g.carried()
	if g.verbatim {
		return clean
	}
	if len(carried) == 0 { // what was known as it was built is all
		for v := range g.nodes {
			clean[v] = g.nodes[v].flags&flagClean != 0
		}
		return clean
	}
	for _, p := range carried {
		clean[p] = true
	}
	is, calls := func(v Value) bool { return clean[v] }, CallsOf(g)
	const rounds = 8 // of loops inside one another
	for n := 0; ; n++ {
		for v := Value(1); int(v) < len(g.nodes); v++ {
			rec := &g.nodes[v]
			switch {
			case rec.flags&flagClean != 0:
				clean[v] = true
			case rec.op == opParam.id:
			case rec.flags&flagMakes != 0:
				clean[v] = false
			case rec.op <= opPack.id || rec.nreg == 0 && rec.typ < numFixedTypes && g.Def(v).Traits&(Partial|Freezes) == 0:
				clean[v] = g.allClean(v, clean)
			case rec.nreg == 0 && g.allClean(v, clean):
				clean[v] = true
			default:
				clean[v] = calls.Of(v).clean(is)
			}
		}
		kept := carried[:0]
		for _, p := range carried {
			if clean[p] = n < rounds && g.fed(p, is); clean[p] {
				kept = append(kept, p)
			}
		}
		if len(kept) == len(carried) {
			return clean
		}
		carried = kept
	}
})

// allClean reports an op none of whose operands may be poison.
func (g *Graph) allClean(v Value, clean []bool) bool {
	for _, a := range g.Args(v) {
		if !clean[a] {
			return false
		}
	}
	return true
}

// carried lists the parameters of which it is known what feeds them.
func (g *Graph) carried() (out []Value) {
	for v := range g.nodes {
		if v := Value(v); g.nodes[v].op == opParam.id && g.nodes[v].flags&flagClean == 0 && len(g.feeds(v)) > 0 {
			out = append(out, v)
		}
	}
	return out
}

// feeds lists the sources of a parameter, if its op says so.
func (g *Graph) feeds(p Value) []Source {
	r, j, _ := g.Param(p)
	owner := g.regions[r].owner
	if owner == 0 || g.Def(owner).Feeds == nil {
		return nil
	}
	var out []Source
	g.NodeOf(owner).Ask("its Feeds", func() { out = g.Def(owner).Feeds(len(g.Args(owner)), slices.Index(g.Regions(owner), r), j) })
	return out
}

// fed reports that all that feeds a parameter is.
func (g *Graph) fed(p Value, is func(Value) bool) bool {
	owner := g.regions[g.nodes[p].home].owner
	for _, s := range g.feeds(p) {
		from := g.Args(owner)
		if s.Yields {
			from = g.Yields(g.Regions(owner)[s.Region])
		}
		if s.Index < 0 || s.Index >= len(from) || !is(from[s.Index]) {
			return false
		}
	}
	return true
}

// freed reports an op that was kept in place, or frozen, for an operand that is clean after all: of
// what a loop carries that is known once the loop is there.
func (g *Graph) freed(s *Schedule) bool {
	calls := CallsOf(g)
	return slices.ContainsFunc(g.notes.guarded, func(v Value) bool {
		c, clean := calls.Of(v), func(a Value) bool { return !g.MayBePoison(a) }
		return s.Live(v) && !c.undefined(clean) && !c.thaws(clean)
	})
}
