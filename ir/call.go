package ir

import (
	"fmt"

	"github.com/irc-lang/irc/ir/internal/authors"
)

// A Call is an op about to be made, as folds, Infer and Effects see it.
type Call struct {
	Def     *OpDef   // the op that is made
	Args    []Value  // operands, of the graph that is built
	Attr    Attr     // an AttrProps, or 0
	Regions []Region // of that graph too, closed
	Graphs  []*Graph // of an isolated op, instead of Regions
	Type    Type     // of the result; NoType before Infer unless the text gives it
	Loc     Loc      // 0 stands for the Builder's

	b       *Builder
	lookups int    // of LastWrite before it
	traps   bool   // it may trap itself, regions aside
	why     string // it has no meaning: see NoMeaning
	nothing Value  // what stands for it once it cancels a write, see cancels
	fold    *Fold  // the rule that is asked of it, for whoever tells that it is wrong
	under   *Call  // whose rule makes it
}

// Ctx returns the context.
func (c *Call) Ctx() *Context { return c.b.g.Ctx }

// Graph returns the graph that the operands belong to.
func (c *Call) Graph() *Graph { return c.b.g }

// Builder returns the builder, for effects that ask it about memory.
func (c *Call) Builder() *Builder { return c.b }

// mayTrap reports that the op itself, regions aside, may trap where it stands.
func (c *Call) mayTrap() bool {
	return c.Def.Traits&Partial != 0 && (c.Def.Traps == nil || ask(c, c.Def.Traps))
}

// ArgType returns the type of operand i.
func (c *Call) ArgType(i int) Type { return c.b.g.nodes[c.Args[i]].typ }

// Get returns an attribute of the op by name, or 0.
func (c *Call) Get(name string) Attr { return c.Ctx().Get(c.Attr, name) }

// Const returns the value of operand i if it is a constant.
func (c *Call) Const(i int) (Val, bool) { return c.b.g.Const(c.Args[i]) }

// An OpError says what is wrong with an op.
type OpError struct {
	Op  string // or !type or #attribute; "" for an author's mistake that is of none
	Loc Loc    // the place of the op; 0 is not known
	Msg string // what is wrong, as a predicate of the op; no full stop
	// Author says that the definition of the op is wrong, not the program.
	Author bool
}

func (e *OpError) Error() string {
	switch {
	case e.Op == "":
		return e.Msg
	case e.Op[0] == '!':
		return fmt.Sprintf("type '%s' %s", e.Op, e.Msg)
	case e.Op[0] == '#':
		return fmt.Sprintf("attribute '%s' %s", e.Op, e.Msg)
	}
	return fmt.Sprintf("'%s' op %s", e.Op, e.Msg)
}

func (c *Call) errorf(format string, args ...any) error {
	return &OpError{Op: c.Def.Name, Loc: c.Loc, Msg: fmt.Sprintf(format, args...)}
}

// Errorf makes the error that Infer returns for a wrong op.
func (c *Call) Errorf(format string, args ...any) error { return c.errorf(format, args...) }

// Calls gives the nodes of a finished graph as the calls that made them, for
// whoever asks Infer or Eval outside of a build.
type Calls struct{ b *Builder }

// CallsOf returns the calls of a finished graph. Nothing can be built through them.
func CallsOf(g *Graph) Calls {
	return Calls{readerOf(g)}
}

// Of returns a node as a call.
func (w Calls) Of(v Value) *Call {
	g := w.b.g
	c := &Call{Def: g.Def(v), Args: g.Args(v), Attr: g.nodes[v].attr, Regions: g.Regions(v), Graphs: g.Children(v), Type: g.nodes[v].typ, b: w.b}
	if ls := g.LocsOf(v); len(ls) > 0 {
		c.Loc = ls[0]
	}
	return c
}

// Segments splits the operands of an op in n as its operandSegmentSizes say.
func (c *Call) Segments(n int) ([][]Value, error) {
	sizes := c.Ctx().Ints(c.Get("operandSegmentSizes"))
	if len(sizes) != n {
		return nil, c.Errorf("'operandSegmentSizes' must have %d elements, has %d", n, len(sizes))
	}
	out, rest := make([][]Value, n), c.Args
	for i, k := range sizes {
		if k < 0 || k > int64(len(rest)) {
			return nil, c.Errorf("'operandSegmentSizes' do not add up to its %d operands", len(c.Args))
		}
		out[i], rest = rest[:k], rest[k:]
	}
	if len(rest) != 0 {
		return nil, c.Errorf("'operandSegmentSizes' do not add up to its %d operands", len(c.Args))
	}
	return out, nil
}

// Segments splits the operands of an op as its operandSegmentSizes say, which Call.Segments checked when it was built.
func (g *Graph) Segments(v Value) (out [][]Value) {
	rest := g.Args(v)
	for _, n := range g.Ctx.Ints(g.Attr(v, "operandSegmentSizes")) {
		out, rest = append(out, rest[:n]), rest[n:]
	}
	return out
}

// checkArgs refuses operands that are not in scope.
func (o *openRegions) checkArgs(c *Call) error {
	g := o.g
	for i, a := range c.Args {
		if a == 0 || int(a) >= len(g.nodes) {
			return c.errorf("operand %d is no value of this graph", i)
		}
		h := g.nodes[a].home
		if h != Root {
			d := int(g.regions[h].depth)
			if d >= len(o.scopes) || o.scopes[d].region != h {
				if g.nodes[a].op == opLater.id && !g.verbatim {
					o.old = true
					return c.errorf("operand %d is a value of the old graph: m.Of gives the new one", i)
				}
				return c.errorf("operand %d (%s) is used outside of the region that defines it", i, g.Name(a))
			}
		}
	}
	if len(c.Regions) > 1<<16-1 || len(c.Graphs) > 1<<16-1 {
		return c.errorf("has more than 65535 regions")
	}
	if t := o.term(); t != 0 {
		return c.errorf("stands after the terminator of its region, '%s'", g.Def(t).Name)
	}
	return nil
}

// infer finds the type of the op, and the definition that it has by then.
func (c *Call) infer() error {
	if c.Def.Kind != nil {
		if err := c.b.g.checkKinds(c); err != nil {
			return err
		}
	}
	if c.Def.Infer == nil {
		if c.Type == NoType {
			c.Type = Void
		}
		return nil
	}
	given := c.Type
	t, def, err := inferAs(c)
	c.Def = def
	if err != nil {
		if e, ok := err.(*OpError); ok {
			return e
		}
		return &OpError{Op: c.Def.Name, Loc: c.Loc, Msg: err.Error()}
	}
	if t == NoType && c.Def.Has(Terminator) {
		return &OpError{Op: c.Def.Name, Loc: c.Loc, Msg: "is defined wrongly: its Infer gives no type; for an op without results it returns ir.Void", Author: true}
	}
	if given != NoType && t != given {
		return c.errorf("result type does not follow from the operands")
	}
	c.Type = t
	return nil
}

// checkKinds refuses a region that was built as one of another kind than the op's attributes say.
func (g *Graph) checkKinds(c *Call) error {
	for i, r := range c.Regions {
		if is, want := g.regions[r].kind, c.Def.Kind(g.Ctx, c.Attr, i); is != want {
			return c.errorf("has region #%d of kind %q, and by its attributes the kind is %q: in text they must stand before the regions, in <{...}>", i, is, want)
		}
	}
	return nil
}

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
func (c *Call) checkRegions() error {
	if c.Def.Traits&(EffectFree|ForeignOps) == 0 {
		return nil
	}
	g := c.b.g
	for _, r := range c.Regions {
		bad := Value(0)
		for _, v := range g.regions[r].members {
			if !g.fits(c.Def, v) {
				bad = v
				break
			}
		}
		if f := g.regions[r].outside.floats; bad == 0 && len(f) > 0 && c.Def.Has(EffectFree) {
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

// NoMeaning says, in Infer, that the op is right and that this system gives it no meaning: a cast to a tensor of unknown rank.
// The op becomes its text-only twin, which has another OpDef: no fold, lowering, engine or interface knows that, so none has to
// look out for it, and an engine that meets it says why. Infer goes on: what is wrong is wrong, and the type is what it returns.
// The first
// reason is kept. An op that has a meaning when it is made again is the op itself again.
func (c *Call) NoMeaning(format string, args ...any) {
	if c.why == "" {
		c.why = fmt.Sprintf(format, args...)
	}
}

// Written returns the op that d is written as: d itself, but of a text-only twin the op that it is the twin of.
func (d *OpDef) Written() *OpDef {
	if d.twinOf != nil {
		return d.twinOf
	}
	return d
}

var twins = map[*OpDef]*OpDef{} // under the lock of defs

// twin is the op as text only. What it reads, writes and keeps is what the op does.
func (d *OpDef) twin() *OpDef {
	if d.twinOf != nil || d.Has(TextOnly) {
		return d
	}
	defs.mu.Lock()
	t := twins[d]
	defs.mu.Unlock()
	if t != nil {
		return t
	}
	more := *d
	more.id, more.twinOf = 0, d
	more.Traits |= TextOnly
	more.Eval, more.Traps, more.Overwrites = nil, nil, nil
	if !more.Has(Terminator) {
		more.Traits |= Partial // an engine stops where it is reached
	}
	return defineTwin(d, &more)
}

// defineTwin keeps one twin of an op, whoever comes first.
func defineTwin(d, t *OpDef) *OpDef {
	defs.mu.Lock()
	defer defs.mu.Unlock()
	if old := twins[d]; old != nil {
		return old
	}
	define(t, authors.Site{})
	twins[d] = t
	return t
}

// inferAs asks Infer of the op that d is written as; as is that op, or its twin if it has no meaning.
func inferAs(c *Call) (t Type, as *OpDef, err error) {
	as, c.why = c.Def.Written(), ""
	if as.Infer == nil {
		return c.Type, as, nil
	}
	if t, err = as.Infer(c); err == nil && c.why != "" {
		as = as.twin()
	}
	return t, as, err
}

// WhyTextOnly says why a text-only op has no meaning, or "" where it never has one.
func (c *Call) WhyTextOnly() string {
	if _, _, err := inferAs(c); err != nil {
		return ""
	}
	return c.why
}

// LeftOver is the error for an op that no rule lowers on the way to somewhere. An op that is text only is named in its place, if
// there is one: no rule knows that, and what handed on its operands is left over with it.
func (g *Graph) LeftOver(v Value, on string) *OpError {
	e := &OpError{Msg: "is left over by " + on + ": no rule lowers it"}
	found := false
	for w := range ScheduleOf(g).All() {
		if !found && g.Def(w).Has(TextOnly) {
			v, found = w, true
		}
	}
	if found {
		e.Msg = "is text only: it is read, checked and printed, and cannot be compiled"
		if why := CallsOf(g).Of(v).WhyTextOnly(); why != "" {
			e.Msg = "is text only here, and cannot be compiled: it " + why
		}
	}
	e.Op = g.Def(v).Name
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}
