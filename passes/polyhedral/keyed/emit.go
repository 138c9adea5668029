package keyed

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// emit makes the statement of a plan.
func (p *keyPlan) emit(m *ir.Mirror, params map[string]ir.Value) (_ ir.Value, failed error) {
	defer unwind.To(&failed)
	var fault error
	var reads []poly.NewAccess
	drop := dropping(p.st.Domain.Tuple(), p.dims())
	for _, r := range p.kept {
		to := moved(p.st.Reads[r].Map, p.st.Domain, drop)
		reads = append(reads, poly.NewAccess{Array: m.Of(p.st.Reads[r].Array.Node), Map: to})
	}
	v := poly.NewKeyed(m.B, p.st.Name, p.domain, p.st.Operator, poly.NewAccess{Array: m.Of(p.st.Target.Node), Map: p.write}, reads,
		func(coords, values []ir.Value) (ir.Value, []ir.Value) {
			e := &keyEmitter{systems.Numbers{B: m.B, Params: params}, m, p}
			value, keys, err := e.body(coords, values)
			if err != nil {
				fault = err
				return arith.Zero(m.B, p.st.Target.Elem), nil
			}
			return value, keys
		})
	return v, fault
}

// A keyEmitter makes the body of such a statement.
type keyEmitter struct {
	systems.Numbers
	m *ir.Mirror
	p *keyPlan
}

// body makes the value and the keys. The order matters: first the keys, then the coordinates that they
// replace, then the gathered reads, which use these, and last the value.
func (e *keyEmitter) body(coords, values []ir.Value) (value ir.Value, keys []ir.Value, err error) {
	defer unwind.To(&err)
	b, p := e.B, e.p
	args := p.arguments(b)
	for i, d := range p.others() {
		args[d] = coords[i]
	}
	n := p.st.Domain.Tuple().Len()
	for i, r := range p.kept {
		args[n+r] = values[i]
	}
	// The coordinates that have keys are zeros until then: no key varies with them.
	p.build(e.m, args, p.equalTo())
	for _, d := range p.dims() {
		args[d] = asIndex(b, e.m.Of(p.keys[d]))
	}
	// The target has the keys as they are; only what is read is brought between the bounds.
	if p.keyed {
		keys = unwind.Must(e.Piece(p.target, args[:n]))
	}
	holds := ir.Value(0)
	for _, d := range p.dims() {
		low, ok := p.low[d]
		if !ok {
			continue
		}
		least, _ := unwind.Must2(e.Image(low, p.domain, coords))
		greatest, _ := unwind.Must2(e.Image(p.high[d], p.domain, coords))
		key := args[d]
		// Clamping keeps reads inside of their arrays. A tested key that it changes contributes the
		// identity.
		args[d] = b.Op(arith.Maxsi, least[0], b.Op(arith.Minsi, greatest[0], key))
		if slices.Contains(p.tested, d) {
			holds = both(b, holds, arith.CmpI(b, arith.EQ, key, args[d]))
		}
	}
	for r := range p.st.Reads {
		if p.gathered[r] {
			a := p.st.Reads[r]
			index, _ := unwind.Must2(e.Image(a.Map, p.st.Domain, args[:n]))
			args[n+r] = b.Op(poly.At, append([]ir.Value{e.m.Of(a.Array.Node)}, index...)...)
		}
	}
	return p.guardedValue(e.m, args, holds), keys, nil
}

// arguments are those of the body before anything is known.
func (x *guarded) arguments(b *ir.Builder) []ir.Value {
	return lists.Map(x.params, func(y ir.Node) ir.Value { return arith.Zero(b, y.Type()) })
}

// others are the coordinates that have no keys.
func (x *guarded) others() (out []int) {
	for d := range x.st.Domain.Tuple().Len() {
		if _, ok := x.keys[d]; !ok {
			out = append(out, d)
		}
	}
	return out
}

// build makes some values of the body, and what they need.
func (x *guarded) build(m *ir.Mirror, args []ir.Value, values []ir.Node) {
	need := systems.Cone(values)
	m.BodyWithout(x.st.Node.Region(0), func(n ir.Node) bool { return !need[n] }, args...)
}

// guardedValue is the value where its guards and another condition, if there is one, hold, and the
// identity elsewhere.
func (x *guarded) guardedValue(m *ir.Mirror, args []ir.Value, holds ir.Value) ir.Value {
	b := m.B
	x.build(m, args, x.what())
	for _, c := range x.rest {
		v := m.Of(c.is)
		if c.not {
			v = b.Op(arith.Xori, v, arith.ConstBool(b, true))
		}
		holds = both(b, holds, v)
	}
	elem := x.st.Target.Elem
	value := one(b, elem)
	if x.value != (ir.Node{}) {
		value = m.Of(x.value)
	}
	if x.minus {
		value = negative(b, value, elem)
	}
	if holds == 0 {
		return value
	}
	return arith.Choose(b, holds, value, x.identity(b))
}

// identity is the constant that changes nothing when it is accumulated.
func (x *guarded) identity(b *ir.Builder) ir.Value {
	return b.Const(x.st.Target.Elem, x.st.Operator.Identity(b.Ctx(), x.st.Target.Elem))
}

// both joins conditions; 0 is none.
func both(b *ir.Builder, x, y ir.Value) ir.Value {
	if x == 0 {
		return y
	}
	return b.Op(arith.Andi, x, y)
}

// one is the number 1 of a type: what is accumulated where a truth value is counted.
func one(b *ir.Builder, t ir.Type) ir.Value {
	if b.Ctx().IsFloat(t) {
		return arith.ConstFloat(b, t, 1)
	}
	return arith.ConstInt(b, t, 1)
}

// asIndex makes an index of an integer. It is frozen if it may be poison: a comparison that a guard ignores, or
// that makes an answer poison, ends no program, but an index would.
func asIndex(b *ir.Builder, v ir.Value) ir.Value {
	v = ub.Frozen(b, v)
	if b.Graph().Type(v) == ir.Index {
		return v
	}
	return arith.Cast(b, arith.IndexCast, v, ir.Index)
}
