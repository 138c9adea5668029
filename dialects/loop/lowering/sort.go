package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/loop/order"
	"github.com/irc-lang/irc/ir"
)

// lowerSort sorts rows by keys of numbers and strings: folds have split others. Where the first rows alone are read it finds these.
func (d down) lowerSort(n ir.Node) ir.Value {
	k, c := d.kit(), d.B.Ctx()
	desc := loop.Descending(c, n.Attrs(), len(n.Args()))
	keys := make([]order.Key, len(desc))
	var size ir.Value
	for i, a := range n.Args() {
		x := d.arrays.view(d.Of(a))
		if i == 0 {
			size = x.n
		} else {
			d.arrays.assert(k.Is(arith.EQ, size, x.n), "keys of different numbers of rows")
		}
		keys[i] = order.Key{Kind: kinds(c, []ir.Type{x.elem})[0], Desc: desc[i], At: func(row ir.Value) []ir.Value {
			return d.arrays.keyValues([]ir.Type{x.elem}, []ir.Value{d.arrays.element(x, row)})
		}}
	}
	if first := (bounds{d.Mirror}).read(n); first != 0 {
		d.e.Remark(n, "the first rows alone are read: no others are sorted")
		first = k.Max(k.Index(0), k.Min(first, size))
		return d.arrays.pack(loop.Array(c, ir.Index), d.arrays.kept(order.First(d.B, size, first, keys...), first))
	}
	rows := order.Sort(d.B, size, keys...)
	return d.arrays.pack(loop.Array(c, ir.Index), d.arrays.kept(rows, size))
}

// bounds makes numbers of rows anew where they are asked for, before the ops stand that they are of: of constants and parameters alone.
type bounds struct{ *ir.Mirror }

func (b bounds) kit() kit.Kit { return kit.Kit{Builder: b.B} }

// read is how many elements of an array are read, from the first on, made anew; 0 if that is not known before it is made.
func (b bounds) read(n ir.Node) (most ir.Value) {
	for _, u := range n.Users() {
		var end ir.Value
		switch {
		case u.Def() == loop.Slice && u.Arg(0) == n:
			end = b.bound(u.Arg(2))
		case u.Def() == loop.At && u.Arg(0) == n:
			end = b.behind(u.Arg(1))
		}
		switch {
		case end == 0:
			return 0
		case most == 0:
			most = end
		case most != end:
			most = b.kit().Max(most, end)
		}
	}
	return most
}

// behind is a number that an index is below, or 0.
func (b bounds) behind(i ir.Node) ir.Value {
	g := i.Graph()
	if x, ok := i.Const(); ok && x.Ref == nil {
		if int64(x.Bits) < 0 {
			return b.kit().Index(0) // it is no place
		}
		return b.kit().Index(int64(x.Bits) + 1)
	}
	if isEarly(i) {
		return b.kit().Next(b.hoistedNumber(i))
	}
	home := g.Home(i.Old())
	if home == ir.Root || len(g.Params(home)) != 1 || g.Params(home)[0] != i.Old() {
		return 0
	}
	if of := g.NodeOf(g.Owner(home)); of.Def() == loop.For && of.Region(0).Old() == home {
		return b.bound(of.Arg(0))
	}
	return 0
}

// bound is a number that another is not above, of constants and parameters of the function, which are there before everything else; or 0.
func (b bounds) bound(n ir.Node) ir.Value {
	if n.Def() == arith.Minsi {
		x, y := b.bound(n.Arg(0)), b.bound(n.Arg(1))
		if x == 0 || y == 0 {
			return max(x, y)
		}
		return b.kit().Min(x, y)
	}
	if !isEarly(n) {
		return 0
	}
	return b.hoistedNumber(n)
}

// isEarly reports a constant, a parameter of the function, and casts and sums of them.
func isEarly(n ir.Node) bool {
	g := n.Graph()
	switch {
	case n.Def() == arith.Constant:
		return true
	case n.Def() == arith.IndexCast || n.Def() == arith.Extsi:
		return isEarly(n.Arg(0))
	case n.Def() == arith.Addi || n.Def() == arith.Subi || n.Def() == arith.Minsi || n.Def() == arith.Maxsi:
		return isEarly(n.Arg(0)) && isEarly(n.Arg(1))
	}
	return slices.Contains(g.Params(ir.Root), n.Old())
}

// hoistedNumber makes such a number.
func (b bounds) hoistedNumber(n ir.Node) ir.Value {
	if x, ok := n.Const(); ok {
		return b.B.Const(n.Type(), x)
	} else if !n.Graph().IsOp(n.Old()) {
		return b.Of(n)
	}
	args := make([]ir.Value, n.NumArgs())
	for i, a := range n.Args() {
		args[i] = b.hoistedNumber(a)
	}
	return b.B.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: b.Type(n.Type())})
}
