package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/lists"
)

// Accesses to parts of memory go back as the rows of their dialects say (derive.Rule.Back), as loads and stores of vectors.

// partRule is the rule of an access to a part of memory, or nil.
func (p *checked) partRule(n ir.Node, l ir.AccessLike) *derive.Rule {
	rule := p.rowOf(n)
	if rule == nil || rule.Back == nil || len(l.Accesses) != 1 || !p.hasLanes(n, rule) {
		return nil
	}
	return rule
}

// mostLanes is how many lanes a vector has at most whose moves have derivatives.
const mostLanes = 1 << 12

// hasLanes reports that the lanes of an op's vectors are known, and not too many: rules that move lanes say of each where it goes.
func (p *checked) hasLanes(n ir.Node, rule *derive.Rule) bool {
	if rule == nil {
		return true
	}
	for _, t := range slices.Concat(p.g.Ctx.Results(n.Type()), lists.Map(n.Args(), ir.Node.Type)) {
		info := p.g.Ctx.Info(t)
		if info.Kind == ir.KindTensor && !isSized(p.g.Ctx, t) {
			p.fail(n.Old(), "has no derivative on tensors whose extents are not known: lower it to loops first (lower{to=affine},lower-affine,lower{to=scf})")
			return false
		}
		if rule.Transpose == nil && rule.Back == nil {
			continue
		}
		if size, ok := ir.Product(info.Shape...); info.Kind == ir.KindVector && (slices.Contains(info.Scalable, true) || !ok || size > mostLanes) {
			p.fail(n.Old(), "has no derivative: its vectors have lanes whose number is not known, or more than %d; use smaller vectors of known length", mostLanes)
			return false
		}
	}
	return true
}

// passes refuses an access that gives an operand with derivatives in the place of what it does not read, and reads memory that has none.
func (p *checked) passes(n ir.Node) {
	if p.g.Results(n.Old()) == 1 && slices.ContainsFunc(p.parts(n), p.active) {
		p.fail(n.Old(), "has no derivative: what it gives in the place of what it does not read has derivatives, and its memory has none; choose that by arith.select")
	}
}

// wantPart needs what the rule of an access to a part of memory uses.
func (p *plan) wantPart(n ir.Node, rule *derive.Rule, memory ir.Value) {
	from := &asking{p: p, n: n, b: ir.NewBuilder(p.g.Ctx), asked: map[int]bool{}}
	z := ir.Value(0)
	if p.g.Results(n.Old()) == 1 {
		z = from.b.Param(n.Type())
	}
	rule.Back(derive.NewOp(from.b, n.Attrs(), n.Type(), from), from.b.Param(p.g.Type(memory)), z)
	for i := range from.asked {
		p.wantValue(p.g.Args(n.Old())[i])
	}
	p.wantShadow(memory)
}

// part goes back through an access to a part of memory.
func (f *frame) part(n ir.Node, rule *derive.Rule, memory ir.Value) {
	v, z := n.Old(), ir.Value(0)
	if f.g.Results(v) == 1 {
		if z = f.leaves(f.take(ref{op: v}), f.arms.clean(ref{op: v}), f.arms.top); z == 0 {
			return
		}
	}
	o := derive.NewOp(f.b, n.Attrs(), n.Type(), asked{f, n})
	for i, x := range rule.Back(o, f.shadow(memory), z) {
		f.add(f.g.Args(v)[i], x)
	}
}

// parts are the operands of an access that are floats: what it writes, or gives in the place of what it does not read.
func (a *activity) parts(n ir.Node) []ir.Value {
	return slices.DeleteFunc(slices.Clone(a.g.Args(n.Old())), func(x ir.Value) bool { return !isFloat(a.g.Ctx, a.g.Type(x)) })
}

func (a *asking) Operands() int { return a.n.NumArgs() }
func (a asked) Operands() int   { return a.n.NumArgs() }
func (g given) Operands() int   { return g.n.NumArgs() }
