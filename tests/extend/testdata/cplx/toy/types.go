// Package toy is the language of MLIR's tutorial from its text to what runs: functions of arrays whose shapes are worked out,
// a dialect for them, and loops over memory at the end.
package toy

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// array is the Go value of the type !toy.array<2, 3>, numbers in rows; of !toy.array the shape is not known yet.
type array struct{ Shape ir.Attr }

var arrayType = ir.DefineType(&ir.TypeDef[array]{Name: "toy.array", Doc: "An array of numbers. Without a shape it is not known yet.",
	Format: "(`<` $shape^ `>`)?",
	Params: []ir.Param[array]{ir.IntsParam("shape", func(t *array) *ir.Attr { return &t.Shape }).Bare().OrNone()},
	Verify: func(c *ir.Context, t array) error {
		if shape, known := shapeIn(c, t); known && (len(shape) == 0 || len(shape) > 2 || slices.Min(shape) < 1) {
			return errors.New("has one or two dimensions, and no empty one")
		}
		return nil
	}})

func shapeIn(c *ir.Context, t array) (shape []int64, known bool) {
	if t.Shape == 0 {
		return nil, false
	}
	return c.Ints(t.Shape), true
}

// shapeOf is the shape of a type; known is false where nobody has worked it out, and of other types.
func shapeOf(c *ir.Context, t ir.Type) (shape []int64, known bool) {
	a, ok := arrayType.Of(c, t)
	if !ok {
		return nil, false
	}
	return shapeIn(c, a)
}

// shaped is the type of a shape.
func shaped(c *ir.Context, shape ...int64) ir.Type {
	return arrayType.Type(c, array{c.DenseArray(ir.I64, shape...)})
}

// unshaped is the type of arrays whose shape is not known.
func unshaped(c *ir.Context) ir.Type { return arrayType.Type(c, array{}) }

// memory is the type of the memory that an array becomes. Nothing is lowered whose shape is not known.
func memory(c *ir.Context, t ir.Type) ir.Type {
	shape, _ := shapeOf(c, t)
	return c.MemRef(shape, ir.F64)
}

// lowerings: from level toy on an array is memory that nobody writes any more. An array of a running program is the same.
var lowerings = ir.TypeLowerings{"toy": {arrayType: {
	Parts:  func(c *ir.Context, t ir.Type) []ir.Type { return []ir.Type{memory(c, t)} },
	Unpack: func(b *ir.Builder, x ir.Value) []ir.Value { return []ir.Value{b.Op(Buffer, x)} },
	Pack: func(b *ir.Builder, t ir.Type, parts []ir.Value) ir.Value {
		return b.Must(ir.Call{Def: OfBuffer, Args: parts, Type: t})
	},
}}}

// numbers makes an array of a running program.
func numbers(shape []int64, at func(i int) ir.Val) ir.Val {
	m := &interp.MemRef{Buf: interp.Floats(make([]float64, ir.Elements(shape))), Sizes: shape, Strides: rowMajor(shape)}
	for i := range m.Buf.Len() {
		m.Buf.Store(i, at(i))
	}
	return ir.Val{Ref: ir.Vector{m.Val()}}
}

func rowMajor(shape []int64) []int64 {
	if len(shape) == 1 {
		return []int64{1}
	}
	return []int64{shape[1], 1}
}

// stored is an array of a running program.
type stored struct{ *interp.MemRef }

// memoryOf is the memory of an array. That of poison is none: an op on it is undefined, as the loops are that it becomes.
func memoryOf(v ir.Val) (stored, error) {
	if v.IsPoison() {
		return stored{}, ir.Trapf("an array that is poison")
	}
	m, err := interp.AsMemRef(v.Ref.(ir.Vector)[0])
	return stored{m}, err
}

// at reads an element, in the order of rows.
func (s stored) at(i int) (ir.Val, error) {
	index := []ir.Val{ir.IntVal(int64(i), 64)}
	if len(s.Sizes) == 2 {
		index = []ir.Val{ir.IntVal(int64(i)/s.Sizes[1], 64), ir.IntVal(int64(i)%s.Sizes[1], 64)}
	}
	pos, err := s.At(index)
	if err != nil {
		return ir.Val{}, err
	}
	return s.Buf.Load(pos), nil
}
