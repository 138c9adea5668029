package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// A plan says which ops of a graph are virtual: their elements are made where they are read.
type plan struct {
	e       *lower.Env
	s       *ir.Schedule
	virtual map[ir.Value]bool
	effects func(v ir.Value) []ir.Effect // of the graph, or nil before they were asked for

	flattened map[ir.Value]*tensor.Chain

	attentions map[ir.Value]*attention // by the einsum that ends it; nil for none
	absorbed   map[ir.Value]bool       // what is part of one, and not its end
	override   map[ir.Value]func() ir.Value
	finishes   map[ir.Value]*finish // by the map that ends it; nil for none
	fillers    map[*ir.OpDef]filler
}

func newPlan(e *lower.Env) *plan {
	return &plan{e: e, s: e.Schedule, virtual: map[ir.Value]bool{}, flattened: map[ir.Value]*tensor.Chain{},
		attentions: map[ir.Value]*attention{}, absorbed: map[ir.Value]bool{}, override: map[ir.Value]func() ir.Value{}, finishes: map[ir.Value]*finish{}, fillers: fillers()}
}

// isVirtual reports an op without memory.
func (p *plan) isVirtual(n ir.Node) bool {
	v, ok := p.virtual[n.Old()]
	if !ok {
		v = p.decide(n)
		p.virtual[n.Old()] = v
	}
	return v
}

// A kind is what an op makes of elements.
type kind uint8

const (
	other kind = iota
	made       // of nothing: fills, iotas, constants of one number
	moved      // from elsewhere
	mapped
	combined
	rowwise // each element may be asked for several times
)

func kindOf(n ir.Node) kind {
	switch def := n.Def(); {
	case def == tensor.Fill || def == tensor.Iota || def == arith.Constant && isSplat(n):
		return made
	case def == tensor.Transpose || def == tensor.Slice:
		return moved
	case def == tensor.Map || def.Has(ir.Elementwise) && tensor.Takes(n.Graph().Ctx, n.Type()):
		return mapped
	case def == tensor.Reduce || def == tensor.Einsum || def == tensor.Pad || def == tensor.Concat || def == tensor.Argmax:
		return combined
	case def == tensor.Softmax || def == tensor.LogSumExp || def == tensor.LayerNorm || def == tensor.Conv ||
		def == tensor.Pool || def == tensor.Extend || isGather(n) || isScatter(n):
		return rowwise
	}
	return other
}

func isSplat(n ir.Node) bool {
	c := n.Graph().Ctx
	a := n.Attr("value")
	if a == 0 {
		return false
	}
	a, err := c.Elements(a)
	return err == nil && c.AttrInfo(a).Splat
}

// decide: what makes or moves elements is virtual if all that use it ask for elements, and what computes them
// if each is asked for once, in the same region.
func (p *plan) decide(n ir.Node) bool {
	k := kindOf(n)
	if k != made && k != moved && k != mapped || !tensor.Takes(n.Graph().Ctx, n.Type()) {
		return false
	}
	if k == mapped && p.isAbsorbed(n) {
		return true
	}
	users := n.Users()
	for _, u := range users {
		if !asks(u) {
			return false
		}
	}
	switch {
	case k == mapped && len(users) == 1 && users[0].Def() == tensor.Write:
		return false // it is computed there
	case k == made:
		return true
	case k == moved && slices.ContainsFunc(users, func(u ir.Node) bool { return u.Def() == tensor.Conv && u.Arg(1).Old() == n.Old() }):
		return false // kernels are read at all places
	case k == moved && kindOf(source(n)) != mapped:
		return p.together(n, users)
	}
	return n.NumUses() == 1 && p.together(n, users) && p.once(users[0], n)
}

// source is where elements are moved from.
func source(n ir.Node) ir.Node {
	for kindOf(n) == moved {
		n = n.Arg(0)
	}
	return n
}

// isWritten reports an op whose elements are computed where they are written to memory: that is all that is
// asked of it. What it reads does not change before that.
func (p *plan) isWritten(n ir.Node) bool {
	if k := kindOf(n); k < mapped || p.isVirtual(n) || n.NumUses() != 1 {
		return false
	}
	users := n.Users()
	return users[0].Def() == tensor.Write && p.together(n, users)
}

// asks reports an op that takes its operands by their elements.
func asks(u ir.Node) bool {
	return kindOf(u) >= moved || u.Def() == tensor.Extract || u.Def() == tensor.Dim || u.Def() == tensor.Write
}

// together reports that all users stand in the region of an op.
func (p *plan) together(n ir.Node, users []ir.Node) bool {
	at := p.s.Place(n.Old())
	return !slices.ContainsFunc(users, func(u ir.Node) bool { return p.s.Place(u.Old()) != at })
}

// once reports that a user asks for each element of its operand no more than once.
func (p *plan) once(u, n ir.Node) bool {
	c := n.Graph().Ctx
	switch kindOf(u) {
	case moved:
		return true // else it has memory
	case mapped:
		return slices.Equal(tensor.Shape(c, u.Type()), tensor.Shape(c, n.Type()))
	case combined:
		if u.Def() != tensor.Einsum {
			return u.Def() != tensor.Argmax
		}
		s := tensor.SpecOf(u.Graph(), u.Old())
		i := slices.Index(u.Graph().Args(u.Old()), n.Old())
		return len(u.Args()) <= 2 && len(slices.DeleteFunc(slices.Clone(s.In[i]), func(x int) bool { return x == tensor.Stretched })) >= len(s.Names)
	}
	return u.Def() == tensor.Extract || u.Def() == tensor.Write
}
