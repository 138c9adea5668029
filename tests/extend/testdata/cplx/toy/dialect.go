package toy

import (
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
)

const (
	typed      = " attr-dict `:` type($x)"
	castFormat = "$x attr-dict `:` functional-type(operands, results)"
)

// Dialect is all that irc needs to know.
var Dialect = &ir.Dialect{Name: "toy", Doc: "Arrays of numbers, after the tutorial of MLIR.",
	Types: []ir.Defined{arrayType},
	Ops:   []*ir.OpDef{Constant, Transpose, Add, Mul, Reshape, Cast, Print, Buffer, OfBuffer},
	Folds: []ir.Fold{
		{Of: Transpose, Needs: ir.MadeBy(Transpose), Rule: "transpose(transpose(x)) = x", Do: inner(Transpose)},
		{Of: Cast, Rule: "cast(x) = x, to the type that it has", Do: sameType},
		{Of: Reshape, Rule: "reshape(x) = x, to the shape that it has", Do: sameType},
		{Of: Buffer, Needs: ir.MadeBy(OfBuffer), Rule: "buffer(of_buffer(m)) = m", Do: inner(OfBuffer)},
	},
	Tables: []any{
		text.Syntax{
			Constant:  {Format: "$value attr-dict"},
			Transpose: {Format: "$x" + typed},
			Add:       {Format: "$x `,` $y" + typed},
			Mul:       {Format: "$x `,` $y" + typed},
			Reshape:   {Format: castFormat},
			Cast:      {Format: castFormat},
			Print:     {Format: "$x" + typed},
			Buffer:    {Format: "$x" + typed},
			OfBuffer:  {Format: castFormat},
		},
		lower.Table{{Level: "toy", Rules: ir.Rules{Constant: lowerConstant, Transpose: lowerTranspose, Add: elementwise(arith.AddF), Mul: elementwise(arith.MulF),
			Reshape: lowerReshape, Cast: lowerCast, Print: lowerPrint}}},
		lower.Order{"toy": "affine"},
		lowerings,
		interp.Table{Print: runPrint},
	},
}

// inner folds an op on another one to the operand of that.
func inner(of *ir.OpDef) func(*ir.Builder, *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if g := b.Graph(); g.Def(c.Args[0]) == of {
			return g.Args(c.Args[0])[0]
		}
		return 0
	}
}

// sameType folds an op that gives what it takes.
func sameType(_ *ir.Builder, c *ir.Call) ir.Value {
	if c.ArgType(0) == c.Type {
		return c.Args[0]
	}
	return 0
}

// runPrint is what the op means.
func runPrint(m *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
	memory, err := memoryOf(args[0])
	if err != nil {
		return err
	}
	for i := range memory.Len() {
		x, err := memory.at(int(i))
		if err != nil {
			return err
		}
		m.Emit(interp.Printed{Kind: interp.PrintText, Text: spelled(x) + "\n"})
	}
	return nil
}

// spelled is a number as vector.print has it, to which the op is lowered: with six digits, as C does.
func spelled(x ir.Val) string {
	switch f := x.Float(ir.F64); {
	case x.IsPoison():
		return "poison"
	case math.IsNaN(f) && math.Signbit(f):
		return "-nan"
	default:
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', 6, 64)), "+")
	}
}

// fill makes an array of a type in new memory, which is given back after its last use: element makes what stands at a place.
func fill(m *ir.Mirror, t ir.Type, element func(at []affine.Point) ir.Value) ir.Value {
	shape, _ := shapeOf(m.B.Ctx(), t)
	out := memref.BuildOwned(m.B, memory(m.B.Ctx(), t), 0)
	each(m.B, shape, nil, func(at []affine.Point) { affine.BuildStore(m.B, element(at), out, at...) })
	return m.B.Must(ir.Call{Def: OfBuffer, Args: []ir.Value{out}, Type: t})
}

// each makes a loop for each dimension.
func each(b *ir.Builder, shape []int64, at []affine.Point, body func(at []affine.Point)) {
	if len(at) == len(shape) {
		body(at)
		return
	}
	affine.BuildFor(b, affine.Number(0), affine.Number(shape[len(at)]), 1, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		each(b, shape, append(at[:len(at):len(at)], affine.Just(i)), body)
		return nil
	})
}

// load reads an operand.
func load(m *ir.Mirror, x ir.Node, at ...affine.Point) ir.Value {
	return affine.BuildLoad(m.B, m.Op(Buffer, m.Of(x)), at...)
}

func elementwise(do func(b *ir.Builder, x, y ir.Value) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		return fill(m, n.Type(), func(at []affine.Point) ir.Value { return do(m.B, load(m, n.Arg(0), at...), load(m, n.Arg(1), at...)) })
	}
}

func lowerTranspose(m *ir.Mirror, n ir.Node) ir.Value {
	return fill(m, n.Type(), func(at []affine.Point) ir.Value {
		turned := make([]affine.Point, len(at))
		for d := range at {
			turned[len(at)-1-d] = at[d]
		}
		return load(m, n.Arg(0), turned...)
	})
}

// lowerConstant writes each number.
func lowerConstant(m *ir.Mirror, n ir.Node) ir.Value {
	c := m.B.Ctx()
	shape, _ := shapeOf(c, n.Type())
	elems, splat := constantOf(c, n.Attr("value"))
	out := memref.BuildOwned(m.B, memory(c, n.Type()), 0)
	for i := range ir.Elements(shape) {
		at := []affine.Point{affine.Number(i)}
		if len(shape) == 2 {
			at = []affine.Point{affine.Number(i / shape[1]), affine.Number(i % shape[1])}
		}
		if splat {
			i = 0
		}
		affine.BuildStore(m.B, m.B.Const(ir.F64, ir.Val{Bits: elems[i]}), out, at...)
	}
	return m.B.Must(ir.Call{Def: OfBuffer, Args: []ir.Value{out}, Type: n.Type()})
}

// lowerReshape copies, as the strides are others: the i-th number is where i/n and i mod n say.
func lowerReshape(m *ir.Mirror, n ir.Node) ir.Value {
	from, _ := shapeOf(m.B.Ctx(), n.Arg(0).Type())
	return fill(m, n.Type(), func(at []affine.Point) ir.Value {
		i := at[0]
		if len(at) == 2 {
			to, _ := shapeOf(m.B.Ctx(), n.Type())
			i, _ = at[1].Plus(to[1], at[0])
		}
		if len(from) == 2 {
			return load(m, n.Arg(0), i.FloorDiv(from[1]), i.Mod(from[1]))
		}
		return load(m, n.Arg(0), i)
	})
}

// lowerCast leaves nothing of a cast between equal shapes. What is left where a shape is not known has no lowering.
func lowerCast(m *ir.Mirror, n ir.Node) ir.Value {
	if n.Arg(0).Type() == n.Type() {
		return m.Of(n.Arg(0))
	}
	return 0
}

func lowerPrint(m *ir.Mirror, n ir.Node) ir.Value {
	shape, _ := shapeOf(m.B.Ctx(), n.Arg(0).Type())
	each(m.B, shape, nil, func(at []affine.Point) { m.Op(vector.Print, load(m, n.Arg(0), at...)) })
	return m.B.Pack()
}
