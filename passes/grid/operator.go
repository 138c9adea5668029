package grid

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// An operator combines two tuples of numbers, and has an identity. It is associative. Threads keep tuples in the order in which
// they have them; that of the rounds of a reduction is another one.
type operator struct {
	types    []ir.Type
	identity func(b builder) []ir.Value
	combine  func(b builder, x, y []ir.Value) []ir.Value
}

// named is the operator of a generator that combines by name.
func named(x loop.Generator) operator {
	return operator{x.Types, func(b builder) (out []ir.Value) {
		return lists.Map(x.Types, func(t ir.Type) ir.Value { return b.Const(t, x.By.Identity(b.Ctx(), t)) })
	}, func(b builder, y, z []ir.Value) []ir.Value { return x.CombineNamed(b.Builder, y, z) }}
}

// regional is the operator of a generator that combines by a region, with identities that are constants.
func regional(x loop.Generator, by *body, identities []ir.Value) operator {
	g := by.s.Graph()
	return operator{x.Types, func(b builder) []ir.Value {
		return lists.Map(identities, func(v ir.Value) ir.Value { return b.ConstAttr(g.Type(v), g.Attr(v, "value")) })
	}, func(b builder, y, z []ir.Value) []ir.Value {
		return by.insert(b.Builder, by.outside(b.Builder, nil), slices.Concat(y, z)...)
	}}
}

// together is the operator on tuples that are those of several operators, one behind the other.
func together(list ...operator) operator {
	types := lists.Join(list, func(o operator) []ir.Type { return o.types })
	return operator{types, func(b builder) []ir.Value {
		return lists.Join(list, func(o operator) []ir.Value { return o.identity(b) })
	}, func(b builder, x, y []ir.Value) (out []ir.Value) {
		for _, o := range list {
			n := len(o.types)
			out = append(out, o.combine(b, x[:n], y[:n])...)
			x, y = x[n:], y[n:]
		}
		return out
	}}
}

// segmented is the operator on tuples behind a flag, which begin anew where that is not 0 (Blelloch 1990, "Prefix Sums and Their
// Applications", section 1.5).
func (o operator) segmented() operator {
	return operator{append([]ir.Type{ir.I32}, o.types...), func(b builder) []ir.Value {
		return append([]ir.Value{b.Int(ir.I32, 0)}, o.identity(b)...)
	}, func(b builder, x, y []ir.Value) []ir.Value {
		begins := b.Is(arith.NE, y[0], b.Int(ir.I32, 0))
		flag := b.Or(x[0], y[0])
		own := func() []ir.Value { return y[1:] }
		both := func() []ir.Value { return o.combine(b, x[1:], y[1:]) }
		return append([]ir.Value{flag}, b.If(begins, own, both)...)
	}}
}

// rows are parameters, one for each component.
func (b builder) rows(ts []ir.Type) (out []ir.Value) {
	return lists.Map(ts, b.row)
}

// scratches is memory of a block, with a tuple for each warp.
func (b builder) scratches(o operator) (out []ir.Value) {
	return lists.Map(o.types, func(t ir.Type) ir.Value { return b.Shared(t, blockWarps) })
}

// passedAll are shuffles of the components of a tuple.
func (b builder) passedAll(mode string, xs []ir.Value, n int64) []ir.Value {
	return lists.Map(xs, func(x ir.Value) ir.Value { return b.passed(mode, x, n) })
}

// chooseAll is one of two tuples that there are.
func (b builder) chooseAll(cond ir.Value, x, y []ir.Value) []ir.Value {
	out := make([]ir.Value, len(x))
	for i := range out {
		out[i] = b.Choose(cond, x[i], y[i])
	}
	return out
}

// loads are the elements of several memories at one place.
func (b builder) loads(ms []ir.Value, at ir.Value) (out []ir.Value) {
	return lists.Map(ms, func(m ir.Value) ir.Value { return b.Load(m, at) })
}

// stores is its inverse.
func (b builder) stores(xs, ms []ir.Value, at ir.Value) {
	for i, x := range xs {
		b.Store(x, ms[i], at)
	}
}

// inside is the tuple at a place, or the identity behind the last of n.
func (b builder) inside(o operator, i, n ir.Value, ms []ir.Value) []ir.Value {
	return b.If(b.Less(i, n), func() []ir.Value { return b.loads(ms, i) }, func() []ir.Value { return o.identity(b) })
}

// passed is a shuffle of any number that shuffles pass, and of an index.
func (b builder) passed(mode string, x ir.Value, n int64) ir.Value {
	if b.Graph().Type(x) == ir.Index {
		return b.index(b.Shuffle(mode, b.wide(x), n))
	}
	return b.Shuffle(mode, x, n)
}

// combineBlocks stores what the threads of the block have together: warps combine by shuffles, and then the first thread what
// these have. Of the first lane, what has come from the next n lanes is that of these in their order.
func (b builder) combineBlocks(o operator, scratch, sums, to []ir.Value, at ir.Value) {
	if len(o.types) == 0 {
		return
	}
	thread := b.ID(device.ThreadID, 0)
	for n := int64(1); n < device.WarpSize; n *= 2 {
		sums = o.combine(b, sums, b.passedAll("xor", sums, n))
	}
	b.When(b.IsZero(b.Modulo(thread, device.WarpSize)), func() { b.stores(sums, scratch, b.Over(thread, device.WarpSize)) })
	b.Barrier()
	b.When(b.IsZero(thread), func() {
		xs := b.loads(scratch, b.Index(0))
		for k := int64(1); k < blockWarps; k++ {
			xs = o.combine(b, xs, b.loads(scratch, b.Index(k)))
		}
		b.stores(xs, to, at)
	})
}
