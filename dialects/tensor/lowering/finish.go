package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A finish is maps that end in one with memory of its own, and the product of matrices or the convolution that they make their elements
// of: its sums are taken in that memory, and each is replaced by what the maps make of it in the loops that sum it up, as soon as it is
// complete. passes/contraction does the same to tiles in registers. Where the maps end in elements of another type (halves of sums in f32, bytes of
// sums in i32) the sums have memory of their own, which tiles that are complete do not touch.
//
// That is legal if nothing else reads the sums, and if the maps ask for each at its own place. The maps have to be arithmetic that
// vectors have, too, of tensors in memory and of numbers: else tiles could not be made of the loops.
type finish struct {
	root, product ir.Node
	reads         []ir.Node // what the maps read besides, in memory
	waits         bool      // the product becomes other ops on tensors first
	under         ir.Node   // the reshape of the product that the maps read, if it is one
}

// finishOf finds the product that the loops of a map sum up; nil if there is none.
func (d down) finishOf(root ir.Node) *finish {
	if kindOf(root) != mapped {
		return nil
	}
	f, ok := d.finishes[root.Old()]
	if !ok {
		if f = d.candidate(root); f != nil && !d.isFinishable(f) {
			f = nil
		}
		d.finishes[root.Old()] = f
	}
	return f
}

// candidate is a finish if its loops allow that, which makes ops: what the product reads has to be there.
func (d down) candidate(root ir.Node) *finish {
	f := &finish{root: root}
	if d.isVirtual(root) || !d.findProduct(f, root) || f.product == (ir.Node{}) {
		return nil
	}
	return f
}

// isFinished reports a product that is summed up in the loops of a map, or will be once that map has its shape.
func (d down) isFinished(n ir.Node) bool {
	f := d.finishBehind(n)
	return f != nil && !f.waits && f.product.Old() == n.Old()
}

// finishBehind is that of the first map with memory that a product, or a reshape of it, goes into.
func (d down) finishBehind(n ir.Node) *finish {
	for u, steps := n, 0; u.NumUses() == 1 && steps < mostBetween; steps++ {
		if u = u.Users()[0]; kindOf(u) != mapped && u.Def() != tensor.Reshape {
			return nil
		}
		if kindOf(u) == mapped && !d.isVirtual(u) {
			if c := d.candidate(u); c == nil || c.product.Old() != n.Old() && c.under.Old() != n.Old() {
				return nil // of another product, which may stand behind this one
			}
			return d.finishOf(u)
		}
	}
	return nil
}

// waits reports a map of a product that becomes other ops on tensors first, or that is to have the shape of one: it is no loop yet.
func (d down) waits(n ir.Node) bool {
	f := d.finishOf(n)
	return f != nil && (f.waits || f.under != ir.Node{})
}

// findProduct looks at the operands of a map for the first product. It is false where something is no arithmetic of elements in memory.
func (d down) findProduct(f *finish, n ir.Node) bool {
	c := n.Graph().Ctx
	if !d.isArithmetic(n) {
		return false
	}
	for _, a := range n.Args() {
		switch {
		case !tensor.Takes(c, a.Type()):
		case d.isProductOf(f, a, n):
		case !d.isVirtual(a):
			f.reads = append(f.reads, a)
		case kindOf(a) == mapped && slices.Equal(tensor.Shape(c, a.Type()), tensor.Shape(c, f.root.Type())):
			if !d.findProduct(f, a) {
				return false
			}
		case a.Def() != tensor.Fill && !(a.Def() == arith.Constant && isSplat(a)):
			return false
		}
	}
	return true
}

// isProductOf finds a product of the same shape that one map alone reads, once, as it is or under other extents.
func (d down) isProductOf(f *finish, a, user ir.Node) bool {
	if f.product != (ir.Node{}) || !d.alone(a, user) || !slices.Equal(tensor.Shape(a.Graph().Ctx, a.Type()), tensor.Shape(a.Graph().Ctx, f.root.Type())) {
		return false
	}
	product := a
	if a.Def() == tensor.Reshape && a.NumArgs() == 1 && d.alone(a.Arg(0), a) && isKnown(a) && isKnown(a.Arg(0)) {
		product = a.Arg(0)
	}
	switch product.Def() {
	case tensor.Einsum:
		if d.attentionOf(product) != nil || d.isAbsorbed(product) || d.isTaken(product) {
			return false
		}
		f.waits = d.isSplit(product)
	case tensor.Conv:
		f.waits = d.padsFirst(product)
	default:
		return false
	}
	if f.product = product; product != a {
		f.under = a
	}
	return true
}

// isKnown reports a tensor whose extents all are.
func isKnown(n ir.Node) bool {
	return !slices.Contains(tensor.Shape(n.Graph().Ctx, n.Type()), ir.Dynamic)
}

// isFinishable reports sums that are complete in loops in which the maps find what they read.
func (d down) isFinishable(f *finish) bool {
	switch {
	case f.waits:
		return true
	case f.under != ir.Node{} && !f.canRegroup():
		return false
	case f.product.Def() == tensor.Einsum:
		x := d.nesting(f.product, tensor.SpecOf(f.product.Graph(), f.product.Old()))
		c, ok := x.contraction()
		return ok && f.hasBytes() && !x.isSummedOutside(c)
	}
	switch way, _ := d.windowed(f.product).wayOf(); way {
	case convSummed, convDirect:
		return true
	case convPointwise, convPatches:
		return f.hasBytes() && !slices.ContainsFunc(f.reads, func(a ir.Node) bool { return !f.isMergeable(a) })
	}
	return false
}

// hasBytes reports elements of whole bytes, which vectors have as memory has them, in what maps read and give.
func (f *finish) hasBytes() bool {
	return !slices.ContainsFunc(append(slices.Clip(f.reads), f.root), func(a ir.Node) bool { return tensor.Elem(a.Graph().Ctx, a.Type()) == ir.I1 })
}

// sumsOf is where a product is summed up whose finish writes to memory, and what gives that back: it is that memory, unless elements have another type there.
func (d down) sumsOf(f *finish, product ir.Node, mem ir.Value) (sums ir.Value, free func()) {
	if f == nil || d.info(f.root).Elem == d.info(product).Elem {
		return mem, func() {}
	}
	sums = d.local(product.Type(), d.extents(product))
	return sums, func() { d.B.Op(memref.Dealloc, sums) }
}

// isArithmetic reports a map, or an op on elements, that vectors have, too, and that cannot trap.
func (p *plan) isArithmetic(n ir.Node) bool {
	if n.Def() != tensor.Map {
		return n.Def().Has(ir.Elementwise) && !n.Def().Has(ir.Partial)
	}
	return !slices.ContainsFunc(p.s.Body(n.Region(0).Old()), func(v ir.Value) bool {
		def := n.Graph().Def(v)
		return !def.Has(ir.Terminator) && def != arith.Constant && (!def.Has(ir.Elementwise) || def.Has(ir.Partial))
	})
}

// fillFinished makes the loops of the product, with what the maps make of each sum behind it.
func (d down) fillFinished(f *finish, mem ir.Value) {
	d.e.Remark(f.product, "each sum is replaced by what the maps behind it make of it, in the loops that sum it up")
	if f.product.Def() == tensor.Conv {
		d.fillConv(f.product, mem, f)
		return
	}
	x := d.nesting(f.product, tensor.SpecOf(f.product.Graph(), f.product.Old()))
	c, _ := x.contraction()
	sums, free := d.sumsOf(f, f.product, mem)
	x.fillContraction(c, sums, func(at []ir.Value) { d.store(d.finished(f, d.load(sums, at), at), mem, at) })
	free()
}

// finished is what the maps make of a sum at a place.
func (d down) finished(f *finish, sum ir.Value, at []ir.Value) ir.Value {
	if f == nil {
		return sum
	}
	d.override[f.product.Old()] = func() ir.Value { return sum }
	defer delete(d.override, f.product.Old())
	return d.makeElement(f.root, at)
}

// isMergeable reports a tensor that is stretched over all places of a convolution's result, or over none.
func (f *finish) isMergeable(a ir.Node) bool {
	c := a.Graph().Ctx
	shape, out := tensor.Shape(c, a.Type()), tensor.Shape(c, f.product.Type())[2:]
	return isStretched(shape, len(out)) || len(shape) >= len(out) && slices.Equal(shape[len(shape)-len(out):], out)
}

// isStretched reports a shape whose last dimensions are 1, or not there.
func isStretched(shape []int64, last int) bool {
	return !slices.ContainsFunc(shape[max(0, len(shape)-last):], func(n int64) bool { return n != 1 })
}

// finishMerged is finished where all places of a convolution's result are one index: what the maps read is memory
// under such extents, too. The index is of the batch, the channel and the place.
func (x *convolving) finishMerged(sum ir.Value, at []ir.Value) ir.Value {
	c, places := x.B.Ctx(), len(x.extent)-2
	index := append(slices.Clone(at[:2]), slices.Repeat([]ir.Value{x.B.Index(0)}, places)...)
	for _, a := range x.finish.reads {
		if shape := tensor.Shape(c, a.Type()); !isStretched(shape, places) {
			keep := len(shape) - places
			memory, _ := x.merged(x.memory(a), a, keep)
			own := append(x.stretch(a, index)[:keep:keep], at[2])
			x.override[a.Old()] = func() ir.Value { return x.load(memory, own) }
			defer delete(x.override, a.Old())
		}
	}
	return x.finished(x.finish, sum, index)
}

// Maps of a product that is shaped anew become maps of the product, which are shaped anew: what they read besides is given the extents
// of the product, too.

// regrouped makes them.
func (d down) regrouped(f *finish) ir.Value {
	c := d.B.Ctx()
	to := tensor.Shape(c, f.product.Type())
	var value func(n ir.Node) ir.Value
	value = func(n ir.Node) ir.Value {
		switch {
		case n.Old() == f.under.Old():
			return d.Of(f.product)
		case !tensor.Takes(c, n.Type()):
			return d.Of(n)
		case slices.ContainsFunc(f.reads, func(a ir.Node) bool { return a.Old() == n.Old() }):
			shape, _ := f.regroupedShape(n)
			return d.reshaped(d.Of(n), shape)
		}
		elem := tensor.Elem(c, n.Type())
		t := c.Tensor(to, elem)
		if n.Def() == tensor.Fill || n.Def() == arith.Constant {
			return d.B.Must(ir.Call{Def: tensor.Fill, Args: []ir.Value{d.makeElement(n, nil)}, Type: t, Loc: d.B.Loc})
		}
		args := make([]ir.Value, n.NumArgs())
		for i, a := range n.Args() {
			args[i] = value(a)
		}
		if n.Def() == tensor.Map {
			return tensor.BuildMap(d.B, t, args, func(xs []ir.Value) ir.Value { return d.Body(n.Region(0), xs...)[0] })
		}
		return d.B.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: t, Loc: d.B.Loc})
	}
	return d.reshaped(value(f.root), tensor.Shape(c, f.root.Type()))
}

// canRegroup reports that all that is read can have the extents of the product.
func (f *finish) canRegroup() bool {
	return !slices.ContainsFunc(f.reads, func(a ir.Node) bool { _, ok := f.regroupedShape(a); return !ok })
}

// regroupedShape are extents of what is read, by which it is stretched to the product's as it was to the maps'. There are none where of several
// dimensions that become one it is stretched along some.
func (f *finish) regroupedShape(a ir.Node) (out []int64, ok bool) {
	c := f.root.Graph().Ctx
	from, to, shape := tensor.Shape(c, f.root.Type()), tensor.Shape(c, f.product.Type()), tensor.Shape(c, a.Type())
	own := append(slices.Repeat([]int64{1}, len(from)-len(shape)), shape...)
	at := 0
	for _, n := range to {
		begin, have := at, int64(1)
		for at < len(from) && (have < n || from[at] == 1) {
			have = ir.Times(have, from[at])
			at++
		}
		switch {
		case have != n:
			return nil, false
		case slices.Equal(own[begin:at], from[begin:at]):
			out = append(out, n)
		case isStretched(own[begin:at], at-begin):
			out = append(out, 1)
		default:
			return nil, false
		}
	}
	return out, at == len(from)
}
