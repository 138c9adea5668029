package main

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// vector is the Go value of the type !cplx.vector<size, elem>: numbers in two arrays, of their
// real and of their imaginary parts. Two vectors of one named size are equally long.
type vector struct {
	Size ir.Size
	Elem ir.Type
}

var vectorType = ir.DefineType(&ir.TypeDef[vector]{Name: "cplx.vector", Doc: "Complex numbers in two arrays.",
	Params: []ir.Param[vector]{
		ir.SizeParam("size", func(t *vector) *ir.Size { return &t.Size }),
		ir.TypeParam("elem", func(t *vector) *ir.Type { return &t.Elem }),
	},
	Verify: func(c *ir.Context, t vector) error { return numberType.Verify(c, number{t.Elem}) }})

// arrayType is that of either array of a vector.
func arrayType(c *ir.Context, t ir.Type) ir.Type {
	v, _ := vectorType.Of(c, t)
	return c.MemRef([]int64{ir.Dynamic}, v.Elem)
}

// vectorParts: from level arith on a vector is its two arrays.
var vectorParts = &ir.TypeLowering{
	Parts:  func(c *ir.Context, t ir.Type) []ir.Type { return []ir.Type{arrayType(c, t), arrayType(c, t)} },
	Unpack: func(b *ir.Builder, x ir.Value) []ir.Value { return []ir.Value{b.Op(ReAll, x), b.Op(ImAll, x)} },
	Pack: func(b *ir.Builder, t ir.Type, parts []ir.Value) ir.Value {
		return b.Must(ir.Call{Def: Gather, Args: parts, Type: t})
	},
	Fields: []string{"re", "im"},
}

// arrays defines an op from a vector to one of its arrays.
func arrays(name, doc string, i int) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: doc, Args: []string{"x"}, Traits: ir.NoCapture,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 1 || !vectorType.Is(c.Ctx(), c.ArgType(0)) {
				return 0, c.Errorf("takes one !cplx.vector")
			}
			return arrayType(c.Ctx(), c.ArgType(0)), nil
		},
		Refs: func(c *ir.Call) ir.Refs { return ir.Refs{Alias: c.Args} },
		Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return a[0].Ref.(ir.Vector)[i], nil }})
}

// The ops of vectors.
var (
	ReAll  = arrays("cplx.re_all", "The real parts.", 0)
	ImAll  = arrays("cplx.im_all", "The imaginary parts.", 1)
	Gather = ir.Define(&ir.OpDef{Name: "cplx.gather", Doc: "The vector of two arrays.", Args: []string{"re", "im"}, Traits: ir.NoCapture,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 2 || !vectorType.Is(c.Ctx(), c.Type) {
				return 0, c.Errorf("makes a !cplx.vector of two arrays")
			}
			return c.Type, nil
		},
		Refs: func(c *ir.Call) ir.Refs { return ir.Refs{Contain: c.Args} },
		Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return pair(a[0], a[1]), nil }})
	Dot = ir.Define(&ir.OpDef{Name: "cplx.dot", Doc: "The sum of the products of the numbers of two vectors of one size.", Args: []string{"x", "y"}, Traits: ir.NoCapture | ir.Partial,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 2 || !vectorType.Is(c.Ctx(), c.ArgType(0)) || c.ArgType(0) != c.ArgType(1) {
				return 0, c.Errorf("takes two vectors of one type")
			}
			v, _ := vectorType.Of(c.Ctx(), c.ArgType(0))
			if v.Size == ir.AnySize {
				return 0, c.Errorf("takes vectors of one size: nobody knows that of ?")
			}
			return numberType.Type(c.Ctx(), number{v.Elem}), nil
		},
		Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Read, On: ir.World}} }})
)

// arrayOfGather undoes gather.
func arrayOfGather(i int) func(*ir.Builder, *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if g := b.Graph(); g.Def(c.Args[0]) == Gather {
			return g.Args(c.Args[0])[i]
		}
		return 0
	}
}

// lowerDot is a loop over both vectors.
func lowerDot(m *ir.Mirror, n ir.Node) ir.Value {
	x, y := m.Of(n.Arg(0)), m.Of(n.Arg(1))
	arrays := []ir.Value{m.Op(ReAll, x), m.Op(ImAll, x), m.Op(ReAll, y), m.Op(ImAll, y)}
	t, _ := vectorType.Of(m.B.Ctx(), n.Arg(0).Type())
	zero := m.B.Const(t.Elem, ir.FloatVal(0, t.Elem))
	size := m.Op(memref.Dim, arrays[0], m.B.Index(0))
	body := m.B.Region(ir.Loop, []ir.Type{ir.Index, t.Elem, t.Elem}, func(p []ir.Value) {
		var z [4]ir.Value
		for i, a := range arrays {
			z[i] = m.Op(memref.Load, a, p[0])
		}
		re := arith.SubF(m.B, arith.MulF(m.B, z[0], z[2]), arith.MulF(m.B, z[1], z[3]))
		im := arith.AddF(m.B, arith.MulF(m.B, z[0], z[3]), arith.MulF(m.B, z[1], z[2]))
		m.Op(scf.Yield, arith.AddF(m.B, p[1], re), arith.AddF(m.B, p[2], im))
	})
	sum := m.B.Must(ir.Call{Def: scf.For, Args: []ir.Value{m.B.Index(0), size, m.B.Index(1), zero, zero}, Regions: []ir.Region{body}})
	return m.Op(Make, m.B.Results(sum)...)
}

// runDot is what the op means.
func runDot(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	t := o.Call.ArgType(0)
	v, _ := vectorType.Of(o.G.Ctx, t)
	var arrays []*interp.MemRef
	for _, a := range args {
		for _, r := range a.Ref.(ir.Vector) {
			arrays = append(arrays, r.Ref.(*interp.MemRef))
		}
	}
	round := func(x float64) float64 { return ir.FloatVal(x, v.Elem).Float(v.Elem) }
	re, im := 0.0, 0.0
	for i := range arrays[0].Sizes[0] {
		var z [4]float64
		for k, r := range arrays {
			at, err := r.At([]ir.Val{ir.IntVal(i, 64)})
			if err != nil {
				return err
			}
			z[k] = r.Buf.Load(at).Float(v.Elem)
		}
		re = round(re + round(round(z[0]*z[2])-round(z[1]*z[3])))
		im = round(im + round(round(z[0]*z[3])+round(z[1]*z[2])))
	}
	out[0] = pair(ir.FloatVal(re, v.Elem), ir.FloatVal(im, v.Elem))
	return nil
}
