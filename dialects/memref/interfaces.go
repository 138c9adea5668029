package memref

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

var allocations = ir.Interface[ir.Allocation]{
	Alloc:  func(n ir.Node) ir.Allocation { return ir.Allocation{Sizes: sizesOf(n), Free: Dealloc} },
	Alloca: func(n ir.Node) ir.Allocation { return ir.Allocation{Sizes: sizesOf(n)} },
	Realloc: func(n ir.Node) ir.Allocation {
		args := n.Graph().Args(n.Old())
		return ir.Allocation{Sizes: args[1:], From: args[0], Free: Dealloc}
	},
}

// sizesOf are the operands of an allocation that are sizes.
func sizesOf(n ir.Node) []ir.Value {
	args := n.Graph().Args(n.Old())
	if s := n.Graph().Ctx.Ints(n.Attr("operandSegmentSizes")); len(s) == 2 {
		return args[:s[0]]
	}
	return args
}

var views = ir.Interface[ir.ViewLike]{
	Cast: same, MemorySpaceCast: same, Subview: rectangle,
	ReinterpretCast: partOf, View: partOf, ExpandShape: partOf, CollapseShape: partOf, Reshape: partOf, Transpose: partOf,
}

func same(n ir.Node) ir.ViewLike { return ir.ViewLike{Source: n.Arg(0).Old(), Whole: true} }

func partOf(n ir.Node) ir.ViewLike { return ir.ViewLike{Source: n.Arg(0).Old()} }

// rectangle: of the dimensions of size one those that come first are dropped, as many
// as the view has less.
func rectangle(n ir.Node) ir.ViewLike {
	c, v := n.Graph().Ctx, partOf(n)
	dynamic := n.Graph().Args(n.Old())[1:]
	segments := c.Ints(n.Attr("operandSegmentSizes"))
	if len(segments) != 4 {
		return v
	}
	for i, to := range []*[]ir.Bound{&v.Offsets, &v.Sizes, &v.Strides} {
		own := dynamic[:segments[1+i]]
		dynamic = dynamic[segments[1+i]:]
		*to = ir.MixedBounds(c.Ints(n.Attr(offsetSizesStrides[1+i])), own)
	}
	drop := len(v.Sizes) - len(c.Info(n.Type()).Shape)
	for _, s := range v.Sizes {
		dropped := drop > 0 && s == ir.Bound{Const: 1}
		if dropped {
			drop--
		}
		v.Kept = append(v.Kept, !dropped)
	}
	return v
}

// forms: no extent is negative.
var forms = affine.Forms{Dim: {Bounded: true}, Rank: {Bounded: true}}

// accesses says which elements ops touch.
var accesses = ir.Interface[ir.AccessLike]{
	Load: element(0, -1, ir.Access{Reads: true}), Store: element(1, 0, ir.Access{Writes: true}),
	AtomicRMW: element(1, -1, ir.Access{Reads: true, Writes: true}), GenericAtomicRMW: element(0, -1, ir.Access{Reads: true, Writes: true}),
	Copy: func(n ir.Node) ir.AccessLike {
		return ir.AccessLike{Accesses: []ir.Access{{Memory: n.Arg(0).Old(), Reads: true}, {Memory: n.Arg(1).Old(), Writes: true}}}
	},
	Dealloc: untouched, Dim: untouched, Rank: untouched, Prefetch: untouched, AssumeAlignment: untouched,
}

func untouched(ir.Node) ir.AccessLike { return ir.AccessLike{} }

// element is an access to the memory that operand m is, at the indices behind it, of
// operand stored if that is not negative.
func element(m, stored int, a ir.Access) func(ir.Node) ir.AccessLike {
	return func(n ir.Node) ir.AccessLike {
		args, a := n.Graph().Args(n.Old()), a
		a.Memory, a.Indices = args[m], args[m+1:]
		if stored >= 0 {
			a.Stored = args[stored]
		}
		return ir.AccessLike{Accesses: []ir.Access{a}}
	}
}
