package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// checked finds the rules of ops, and the first op that stops both modes: it has no rule, or reaches memory of which no
// more is known.
type checked struct {
	*activity
	effects func(v ir.Value) []ir.Effect
	err     error
}

func newChecked(a *activity) *checked {
	p := &checked{activity: a, effects: a.g.Effects()}
	for v := range a.s.All() {
		p.notAccess(v)
	}
	return p
}

// fail notes the first op without a derivative.
func (p *checked) fail(v ir.Value, format string, args ...any) {
	if p.err == nil {
		p.err = p.g.NodeOf(v).Errorf(format, args...)
	}
}

// without is what helps where a dialect says that an op has no derivative.
const without = "do it with ops that have one, or name in constant the arguments that it is made of"

// ruleOf is the rule of an op that is active, or nil where it has no derivatives that somebody asks for.
func (p *checked) ruleOf(n ir.Node) *derive.Rule {
	v := n.Old()
	if why := derive.WhyNot(p.g.Ctx, n.Def()); why == derive.Bits && slices.ContainsFunc(p.g.Args(v), func(x ir.Value) bool { return p.varied[refOf(p.g, x)] }) {
		p.fail(v, "has no derivative: %s; %s", why, without) // whatever becomes of them
		return nil
	}
	if p.actsUnknown(n) {
		if name := symbols.Callee(n); name != "" {
			p.fail(v, "has no derivative: @%s %s", name, p.whyNoCallee(name))
		}
		p.fail(v, "has no derivative: it may read or write memory, of which no more is known; inline what it calls, or differentiate before the pass that makes it")
		return nil
	}
	if !slices.ContainsFunc(p.results(v), func(r ref) bool { return p.varied[r] && p.useful[r] }) || !slices.ContainsFunc(p.g.Args(v), p.active) {
		return nil
	}
	rule, why := p.rowOf(n), derive.WhyNot(p.g.Ctx, n.Def())
	switch {
	case rule != nil && !p.hasLanes(n, rule):
		return nil
	case rule != nil || why == derive.Steps:
	case why == derive.Loops || derive.Of(p.g.Ctx, n.Def()) != nil:
		p.fail(v, "has no derivative on tensors: lower it to loops first (lower{to=affine},lower-affine,lower{to=scf})")
	case why != "":
		p.fail(v, "has no derivative: %s; %s", why, without)
	default:
		p.fail(v, "has no derivative: its dialect has no rule for it; lower it to ops of arith and math first, or differentiate before the pass that makes it")
	}
	return rule
}

// rowOf is the rule of an op, or nil.
//
// A select that gives 0 in the place of 0 times infinity is the product that it guards. Its slope by the factor that
// is 0 is the other factor, not that of the constant: a log density of shape a has (a - 1) log(x), and at a = 1 a
// slope by a.
//
// Where the other factor is infinite, so is the slope. What that factor is made of gets the adjoint 0, as it does
// from an arm that is not taken.
func (a *activity) rowOf(n ir.Node) *derive.Rule {
	if a.guardsProduct(n) {
		return product
	}
	rule := derive.Of(a.g.Ctx, n.Def())
	if rule != nil && rule.Only != nil && !rule.Only(n) {
		return nil
	}
	return rule
}

// product is the rule of a select that guards a product. A tangent of 0 times infinity is 0, too, as it is on the way back.
var product = &derive.Rule{
	Tangent: func(o *derive.Op, d []ir.Value) ir.Value {
		if d[2] == 0 {
			return arith.Zero(o.B, o.Type)
		}
		none := o.B.Op(arith.Andi, o.X(0), arith.CmpF(o.B, arith.UNO, d[2], d[2]))
		return arith.Choose(o.B, none, arith.Zero(o.B, o.Type), d[2])
	},
	// The condition and the constant get nothing.
	Transpose: func(_ *derive.Op, z ir.Value) []ir.Value { return []ir.Value{0, 0, z} },
}

// guardsProduct reports x == 0 ? 0 : x * y, as laws write x log(y).
//
// Only the exact form counts: the comparison is ordered and for equality, so that NaN takes the product, and x is the
// very value that is compared.
func (a *activity) guardsProduct(n ir.Node) bool {
	if n.Def() != arith.Select {
		return false
	}
	g, args := a.g, a.g.Args(n.Old())
	// The condition compares with 0, and the arm taken elsewhere is a product.
	if g.Def(args[0]) != arith.Cmpf || g.Def(args[2]) != arith.Mulf || arith.PredicateOfF(g.Ctx, g.AttrsOf(args[0])) != arith.OEQ {
		return false
	}
	zero := func(v ir.Value) bool {
		c, ok := g.Const(v)
		return ok && c.Ref == nil && c.Float(g.Type(v)) == 0
	}
	// What is compared is a factor of it.
	x := g.Args(args[0])
	return zero(args[1]) && zero(x[1]) && slices.Contains(g.Args(args[2]), x[0])
}

// actsUnknown reports an op with effects that are not those of an access, where something that varies may be concerned:
// an operand, or memory that it reaches in another way.
func (p *checked) actsUnknown(n ir.Node) bool {
	acts := func(e ir.Effect) bool { return e.Kind != ir.Free }
	if !slices.ContainsFunc(p.effects(n.Old()), acts) || derive.WhyNot(p.g.Ctx, n.Def()) == derive.Effect {
		return false
	}
	for r := range p.varied {
		if isFloats(p.g.Ctx, r.typeOf(p.g)) {
			return true
		}
	}
	return slices.ContainsFunc(p.g.Args(n.Old()), func(x ir.Value) bool { return p.varied[refOf(p.g, x)] })
}

// isKnown reports an access to memory of which it is known where it comes from: an argument, an allocation, or a constant,
// that is memory without operands that nothing here writes.
func (p *checked) isKnown(x ir.Access) bool {
	root := p.whole(x.Memory)
	if home, _, isParam := p.g.Param(root); isParam {
		return home == ir.Root
	}
	if _, isNew := ir.As[ir.Allocation](p.g.NodeOf(root)); isNew {
		return true
	}
	return !x.Writes && len(p.g.Args(root)) == 0
}

// knows reports an access of memory that has a shadow or needs none.
func (p *checked) knows(n ir.Node, l ir.AccessLike) bool {
	for _, x := range l.Accesses {
		if isFloats(p.g.Ctx, p.g.Type(x.Memory)) && !p.isKnown(x) {
			p.fail(n.Old(), "has no derivative: its memory is one of several, or comes from another function; only arguments and allocations have shadows, so give it as an argument, or access each memory in a branch of its own")
			return false
		}
	}
	return true
}

// notElement says why an access has no derivative, and what helps.
func notElement(l ir.AccessLike) string {
	if x := l.Accesses[0]; len(l.Accesses) == 1 && x.Reads && x.Writes {
		return "has no derivative: write it as a load, what is done with the element, and a store"
	}
	return "has no derivative: lower it to loads and stores of single elements first (lower-affine, or lower{to=scf} where it has loops), or differentiate before the pass that makes it"
}

// notAccess fails for an access with a region, which is neither a loop nor a branch.
func (p *checked) notAccess(v ir.Value) {
	n := p.g.NodeOf(v)
	if l, ok := ir.As[ir.AccessLike](n); ok && n.NumRegions() > 0 && slices.ContainsFunc(l.Accesses, func(x ir.Access) bool { return p.activeMemory(x.Memory) }) {
		p.fail(v, "%s", notElement(l))
	}
}

// hasShadow reports an allocation that gets one.
func (p *checked) hasShadow(n ir.Node, a ir.Allocation) bool {
	active := p.activeMemory(n.Old())
	if active && a.From != 0 {
		p.fail(n.Old(), "has no derivative: memory that takes over other memory has no shadow; allocate more, and copy")
	}
	return active && a.From == 0
}

// results lists what an op gives.
func (p *checked) results(v ir.Value) []ref {
	out := make([]ref, p.g.Results(v))
	for i := range out {
		out[i] = ref{v, i}
	}
	return out
}
