package collection

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// Distinct is the array of the different elements, in the order in which they first appear:
// the keys of for i < len(xs), bucket(xs[i]).
func Distinct(b *ir.Builder, xs ir.Value) ir.Value {
	groups := over(b, xs, func(_, x ir.Value) []output {
		return []output{{Generator: loop.Generator{Kind: loop.BucketKind, Types: typesOf(b, []ir.Value{x})}, gives: []ir.Value{x}}}
	})
	return loop.KeyOf(b, groups[0], 0)
}

// GroupBy is the groups of the elements with the same keys, and for each group the array of
// f(x): for i < len(xs), bucket(keys(xs[i])) of collect f(xs[i]).
func GroupBy(b *ir.Builder, xs ir.Value, keys func(x ir.Value) []ir.Value, f func(x ir.Value) ir.Value) (groups, members ir.Value) {
	r := over(b, xs, func(_, x ir.Value) []output { return []output{bucket(b, keys(x), collects(b, f(x)))} })
	return r[0], r[1]
}

// An Aggregate is a named reduction of the rows of a group.
type Aggregate struct {
	By    loop.Combine
	Order Order
	Value ir.Value // a number; where it is null, the row does not count
}

// GroupByReduce is the groups of the elements with the same keys, and of each aggregate the
// array of its values, one for each group: for i < len(xs), bucket(keys(xs[i])) of reduce.
// keys and aggregates are called in this order. The least and the largest of nullable values are
// nullable: of a group without any there is none.
func GroupByReduce(b *ir.Builder, xs ir.Value, keys func(x ir.Value) []ir.Value, aggregates func(x ir.Value) []Aggregate) (groups ir.Value, values []ir.Value) {
	var nullable []bool
	r := over(b, xs, func(_, x ir.Value) []output {
		ks := keys(x)
		var inner []output
		nullable = nil
		for _, a := range aggregates(x) {
			inner = append(inner, reduces(b, loop.ReduceKind, a.By, a.Order, orIdentity(b, a)))
			some := a.extreme(b)
			if some {
				inner = append(inner, reduces(b, loop.ReduceKind, loop.ByOr, InOrder, loop.FieldOf(b, a.Value, "valid")))
			}
			nullable = append(nullable, some)
		}
		return []output{bucket(b, ks, inner...)}
	})
	groups, r = r[0], r[1:]
	for _, some := range nullable {
		if !some {
			values, r = append(values, r[0]), r[1:]
			continue
		}
		elem, _ := loop.ElemOf(b.Ctx(), b.Graph().Type(r[0]))
		values, r = append(values, loop.Zipped(b, loop.Array(b.Ctx(), loop.Nullable(b.Ctx(), elem)), r[0], r[1])), r[2:]
	}
	return groups, values
}

// extreme reports the least or the largest of values that may be null.
func (a Aggregate) extreme(b *ir.Builder) bool {
	return (a.By == loop.ByMin || a.By == loop.ByMax) && loop.IsNullable(b.Ctx(), b.Graph().Type(a.Value))
}

// orIdentity is the value of an aggregate, or what changes nothing where that is null.
func orIdentity(b *ir.Builder, a Aggregate) ir.Value {
	t := b.Graph().Type(a.Value)
	if !loop.IsNullable(b.Ctx(), t) {
		return a.Value
	}
	fields, _ := loop.Fields(b.Ctx(), t)
	return arith.Choose(b, loop.FieldOf(b, a.Value, "valid"), loop.FieldOf(b, a.Value, "value"), b.Const(fields[0].Type, a.By.Identity(b.Ctx(), fields[0].Type)))
}

// bucket gives a tuple to a bucket: its keys, and what its groups take.
func bucket(b *ir.Builder, keys []ir.Value, inner ...output) output {
	o := output{Generator: loop.Generator{Kind: loop.BucketKind, Types: typesOf(b, keys)}, gives: keys}
	for _, x := range inner {
		o.Inner = append(o.Inner, x.Generator)
		o.gives = append(o.gives[:len(o.gives):len(o.gives)], x.gives...)
	}
	return o
}

// Join is the array of f(x, y) for all x and y with the same keys, in the order of xs and
// for one x in that of ys: the places of ys by key, and for each x a loop over those that
// loop.find finds. Keys that are null are the same key.
func Join(b *ir.Builder, xs, ys ir.Value, keyOfX, keyOfY func(ir.Value) []ir.Value, f func(x, y ir.Value) ir.Value) ir.Value {
	r := over(b, ys, func(i, y ir.Value) []output { return []output{bucket(b, keyOfY(y), collects(b, i))} })
	groups, places := r[0], r[1]
	return Emit(b, xs, func(x ir.Value) ir.Value {
		at := b.Op(loop.Find, append([]ir.Value{groups}, keyOfX(x)...)...)
		return When(b, found(b, at), func() ir.Value {
			return over(b, loop.Element(b, places, at), func(_, k ir.Value) []output {
				return []output{emits(b, f(x, loop.Element(b, ys, k)))}
			})[0]
		})
	})
}

// Semijoin is the array of the elements of xs whose key some y has: a filter by loop.find.
func Semijoin(b *ir.Builder, xs, ys ir.Value, keyOfX, keyOfY func(ir.Value) []ir.Value) ir.Value {
	groups := over(b, ys, func(_, y ir.Value) []output { return []output{bucket(b, keyOfY(y))} })[0]
	return Filter(b, xs, func(x ir.Value) ir.Value {
		return found(b, b.Op(loop.Find, append([]ir.Value{groups}, keyOfX(x)...)...))
	})
}

func found(b *ir.Builder, at ir.Value) ir.Value { return arith.CmpI(b, arith.SGE, at, b.Index(0)) }
