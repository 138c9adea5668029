package ir

// CanAct reports that a node, or something in its regions, is of a kind that may
// have an effect on memory or on the world: reads and allocations count. It asks
// what kind of op it is, as the verifiers of MLIR do, and not what this one does:
// a call may act although its callee is known to do nothing. Views do not, even
// where they read a shape.
func (g *Graph) CanAct(v Value) bool {
	def := g.Def(v)
	if def.Traits&(Opaque|Unique|Symbol|Isolated) != 0 || (def.Effects != nil && !def.Has(View)) {
		return true
	}
	for _, r := range g.Regions(v) {
		for _, m := range g.regions[r].members {
			if g.CanAct(m) {
				return true
			}
		}
	}
	return false
}

// fits reports that the regions of an op which are of a restricted kind may hold v.
func (g *Graph) fits(owner *OpDef, v Value) bool {
	switch {
	case owner.Traits&ForeignOps != 0:
		return !g.IsOp(v) || !g.Def(v).Registered() || g.Def(v).Has(TextOnly)
	case owner.Traits&EffectFree != 0:
		return !g.CanAct(v)
	}
	return true
}

// checkRegions refuses an op whose regions hold what they must not.
func (b *Builder) checkRegions(c *Call) error {
	if c.Def.Traits&(EffectFree|ForeignOps) == 0 {
		return nil
	}
	g := b.g
	for _, r := range c.Regions {
		bad := Value(0)
		for _, v := range g.regions[r].members {
			if !g.fits(c.Def, v) {
				bad = v
				break
			}
		}
		if f := g.regions[r].floats; bad == 0 && len(f) > 0 && c.Def.Has(EffectFree) {
			bad = f[0].v // it was read there, wherever it lives
		}
		if bad == 0 {
			continue
		}
		e := &OpError{Op: c.Def.Name, Loc: c.Loc}
		if ls := g.LocsOf(bad); len(ls) > 0 {
			e.Loc = ls[0]
		}
		e.Msg = "has '" + g.Def(bad).Name + "' in its region, where only ops may stand that irc does not know or has as text only; move it out"
		if c.Def.Has(EffectFree) {
			e.Msg = "body of '" + c.Def.Name + "' should contain only operations with no side effects, but has '" + g.Def(bad).Name + "'; move it out"
		}
		return e
	}
	return nil
}

// CallEffects is the discardable attribute of a call that says what its callee
// does, one of the words below; without it the callee may do anything. It is
// written by a pass that looks at bodies, or by someone who knows.
const CallEffects = "irc.effects"

// What a callee does at most.
const (
	CallPure    = "pure"    // gives the same for the same operands, and always returns
	CallPartial = "partial" // the same, but it may trap or not return
	CallReads   = "reads"   // also reads memory, but writes nothing
)

// Summary is the word for what running a graph does to the world outside of it, as
// CallEffects, or "".
func (g *Graph) Summary() string {
	root := &g.regions[Root]
	if g.verbatim || root.allocates || !root.hasBlock {
		return ""
	}
	reads := false
	for _, e := range root.effects {
		if e.Writes() {
			return ""
		}
		reads = true
	}
	switch {
	case reads:
		return CallReads
	case root.partial:
		return CallPartial
	}
	return CallPure
}

// WritesOutside reports that a graph certainly writes what lies outside of it: more
// than by ops of which nothing is known.
func (g *Graph) WritesOutside() bool {
	for _, e := range g.regions[Root].effects {
		if e.Writes() && e.On != World {
			return true
		}
	}
	return false
}
