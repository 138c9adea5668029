package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A finish is maps that end in one with memory of its own, and the product of matrices that they make their elements of: its sums are
// taken in that memory, and each is replaced by what the maps make of it in the loops that sum it up, as soon as it is complete.
// passes/polyhedral does the same to tiles in registers.
//
// That is legal if nothing else reads the sums, and if the maps ask for each at its own place. The maps have to be arithmetic that
// vectors have, too, of tensors in memory and of numbers: else tiles could not be made of the loops.
type finish struct {
	root, product ir.Node
}

// finishOf finds the product that the loops of a map sum up; nil if there is none.
func (d down) finishOf(root ir.Node) *finish {
	if kindOf(root) != mapped {
		return nil
	}
	f, ok := d.finishes[root.Old()]
	if !ok {
		if f = (&finish{root: root}); d.isVirtual(root) || !d.findProduct(f, root) || f.product == (ir.Node{}) {
			f = nil
		}
		d.finishes[root.Old()] = f
	}
	return f
}

// isFinished reports a product that is summed up in the loops of a map.
func (d down) isFinished(n ir.Node) bool {
	for u, steps := n, 0; u.NumUses() == 1 && steps < mostBetween; steps++ {
		if u = u.Users()[0]; kindOf(u) != mapped {
			return false
		}
		if !d.isVirtual(u) {
			f := d.finishOf(u)
			return f != nil && f.product.Old() == n.Old()
		}
	}
	return false
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
			f.product = a
		case !d.isVirtual(a):
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

// isProductOf reports a product of matrices of the same shape and elements that one map alone reads, once.
func (d down) isProductOf(f *finish, a, user ir.Node) bool {
	if f.product != (ir.Node{}) || a.Def() != tensor.Einsum || a.Type() != f.root.Type() || !d.alone(a, user) || d.attentionOf(a) != nil || d.isAbsorbed(a) || d.isTaken(a) || d.isSplit(a) {
		return false
	}
	x := d.nesting(a, tensor.SpecOf(a.Graph(), a.Old()))
	c, ok := x.contraction()
	return ok && !x.isSummedOutside(c)
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
	x := d.nesting(f.product, tensor.SpecOf(f.product.Graph(), f.product.Old()))
	c, _ := x.contraction()
	x.fillContraction(c, mem, func() {
		at := x.at(x.s.Out)
		d.override[f.product.Old()] = func() ir.Value { return d.load(mem, at) }
		d.store(d.makeElement(f.root, at), mem, at)
		delete(d.override, f.product.Old())
	})
}
