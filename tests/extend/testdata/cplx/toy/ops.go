package toy

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Constant is an array that is written in the program.
var Constant = ir.Define(&ir.OpDef{Name: "toy.constant", Doc: "An array whose numbers are written.", Attrs: []string{"value"},
	Infer: func(c *ir.Call) (ir.Type, error) {
		a := c.Get("value")
		if a == 0 || c.Ctx().KindOf(a) != ir.AttrDense || c.Ctx().Info(c.Ctx().TypeOf(a)).Elem != ir.F64 {
			return 0, c.Errorf("has a value dense<...> : tensor<...xf64>")
		}
		shape := c.Ctx().Info(c.Ctx().TypeOf(a)).Shape
		t, err := arrayType.Make(c.Ctx(), array{c.Ctx().DenseArray(ir.I64, shape...)})
		if err != nil {
			return 0, c.Errorf("makes an array that %v", err)
		}
		return t, nil
	},
	Eval: func(c *ir.Call, _ []ir.Val) (ir.Val, error) {
		elems, splat := constantOf(c.Ctx(), c.Get("value"))
		return numbers(c.Ctx().Info(c.Ctx().TypeOf(c.Get("value"))).Shape, func(i int) ir.Val {
			if splat {
				i = 0
			}
			return ir.Val{Bits: elems[i]}
		}), nil
	}})

// constantOf are the numbers of a dense attribute, of which there is one if all are equal.
func constantOf(c *ir.Context, a ir.Attr) (elems []uint64, splat bool) {
	return c.Elems(a), c.AttrInfo(a).Splat
}

// given is the type of an array; there is an error if the operand is none.
func given(c *ir.Call, n int) error {
	if len(c.Args) != n {
		return c.Errorf("takes %d arrays", n)
	}
	for i := range c.Args {
		if !arrayType.Is(c.Ctx(), c.ArgType(i)) {
			return c.Errorf("takes a !toy.array")
		}
	}
	return nil
}

// reads: an array is memory while a program is lowered, and what is stored there before the op has to be stored before it.
func reads(c *ir.Call) (out []ir.Effect) {
	for i := range c.Args {
		out = append(out, memref.ReadsArg(i)(c)...)
	}
	return out
}

// Transpose exchanges rows and columns.
var Transpose = ir.Define(&ir.OpDef{Name: "toy.transpose", Doc: "Exchanges rows and columns.", Args: []string{"x"}, Traits: ir.NoCapture | ir.Partial,
	Traps: never, Effects: reads,
	Infer: func(c *ir.Call) (ir.Type, error) {
		if err := given(c, 1); err != nil {
			return 0, err
		}
		shape, known := shapeOf(c.Ctx(), c.ArgType(0))
		if !known {
			return unshaped(c.Ctx()), nil
		}
		turned := slices.Clone(shape)
		slices.Reverse(turned)
		return shaped(c.Ctx(), turned...), nil
	},
	Eval: evalTranspose})

// evalTranspose gives the array with rows and columns exchanged.
func evalTranspose(_ *ir.Call, a []ir.Val) (ir.Val, error) {
	m, err := memoryOf(a[0])
	if err != nil {
		return ir.Val{}, err
	}
	turned := slices.Clone(m.Sizes)
	slices.Reverse(turned)
	return collect(turned, func(i int) (ir.Val, error) {
		if len(turned) == 1 {
			return m.at(i)
		}
		rows, columns := int(m.Sizes[0]), int(m.Sizes[1])
		return m.at(i%rows*columns + i/rows)
	})
}

// collect is numbers of what may fail.
func collect(shape []int64, at func(i int) (ir.Val, error)) (ir.Val, error) {
	var failed error
	out := numbers(shape, func(i int) ir.Val {
		x, err := at(i)
		if err != nil {
			failed = err
		}
		return x
	})
	return out, failed
}

// binary defines an op on two arrays of one shape, element by element.
func binary(name, doc string, do func(x, y float64) float64) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: doc, Args: []string{"x", "y"}, Traits: ir.Commutative | ir.NoCapture | ir.Partial,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if err := given(c, 2); err != nil {
				return 0, err
			}
			x, known := shapeOf(c.Ctx(), c.ArgType(0))
			y, both := shapeOf(c.Ctx(), c.ArgType(1))
			switch {
			case !known || !both:
				return unshaped(c.Ctx()), nil
			case !slices.Equal(x, y):
				return 0, c.Errorf("takes arrays of one shape, not %s and %s", text.TypeString(c.Ctx(), c.ArgType(0)), text.TypeString(c.Ctx(), c.ArgType(1)))
			}
			return c.ArgType(0), nil
		},
		Traps: mayDiffer, Effects: reads,
		Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) {
			m, err := memoryOf(a[0])
			n, err2 := memoryOf(a[1])
			if err := errors.Join(err, err2); err != nil {
				return ir.Val{}, err
			}
			if !slices.Equal(m.Sizes, n.Sizes) {
				return ir.Val{}, ir.Trapf("arrays of shapes %v and %v", m.Sizes, n.Sizes)
			}
			return collect(m.Sizes, func(i int) (ir.Val, error) {
				u, err := m.at(i)
				v, err2 := n.at(i)
				switch {
				case err != nil || err2 != nil:
					return ir.Val{}, errors.Join(err, err2)
				case u.IsPoison() || v.IsPoison():
					return ir.Val{Ref: ir.Poison}, nil
				}
				return ir.FloatVal(do(u.Float(ir.F64), v.Float(ir.F64)), ir.F64), nil
			})
		}})
}

// never: of an array that is no poison all is there that the op asks for.
func never(*ir.Call) bool { return false }

// mayDiffer: where a shape is not known, the arrays may be of different shapes when the op runs.
func mayDiffer(c *ir.Call) bool {
	for i := range c.Args {
		if _, known := shapeOf(c.Ctx(), c.ArgType(i)); !known {
			return true
		}
	}
	return false
}

// Add and Mul are element by element; Mul is no product of matrices.
var (
	Add = binary("toy.add", "The sum, element by element.", func(x, y float64) float64 { return x + y })
	Mul = binary("toy.mul", "The product, element by element.", func(x, y float64) float64 { return x * y })
)

// Reshape gives numbers another shape, in the order of rows.
var Reshape = ir.Define(&ir.OpDef{Name: "toy.reshape", Doc: "The numbers of an array in another shape.", Args: []string{"x"}, Traits: ir.NoCapture | ir.Partial,
	Infer: func(c *ir.Call) (ir.Type, error) {
		if err := given(c, 1); err != nil {
			return 0, err
		}
		to, is := shapeOf(c.Ctx(), c.Type)
		if from, known := shapeOf(c.Ctx(), c.ArgType(0)); !is || known && ir.Elements(from) != ir.Elements(to) {
			return 0, c.Errorf("gives as many numbers as it takes, in a shape that is known")
		}
		return c.Type, nil
	},
	Traps: mayDiffer, Effects: reads,
	Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
		shape, _ := shapeOf(c.Ctx(), c.Type)
		m, err := memoryOf(a[0])
		if err != nil {
			return ir.Val{}, err
		}
		if m.Len() != ir.Elements(shape) {
			return ir.Val{}, ir.Trapf("%d numbers in the shape %v", m.Len(), shape)
		}
		return collect(shape, m.at)
	}})

// Cast forgets a shape, where an array goes to a function, or claims one.
var Cast = ir.Define(&ir.OpDef{Name: "toy.cast", Doc: "The same array, of which the shape is known or not.", Args: []string{"x"}, Traits: ir.NoCapture | ir.Partial,
	Infer: func(c *ir.Call) (ir.Type, error) {
		if err := given(c, 1); err != nil {
			return 0, err
		}
		from, known := shapeOf(c.Ctx(), c.ArgType(0))
		if to, is := shapeOf(c.Ctx(), c.Type); !arrayType.Is(c.Ctx(), c.Type) || known && is && !slices.Equal(from, to) {
			return 0, c.Errorf("gives an array of the same shape")
		}
		return c.Type, nil
	},
	Traps: mayDiffer,
	Refs:  func(c *ir.Call) ir.Refs { return ir.Refs{Alias: c.Args} },
	Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
		m, err := memoryOf(a[0])
		if err != nil {
			return ir.Val{}, err
		}
		if shape, known := shapeOf(c.Ctx(), c.Type); known && !slices.Equal(m.Sizes, shape) {
			return ir.Val{}, ir.Trapf("an array of shape %v where one of %v is wanted", m.Sizes, shape)
		}
		return a[0], nil
	}})

// Print writes the numbers of an array, a line each.
var Print = ir.Define(&ir.OpDef{Name: "toy.print", Doc: "Writes the numbers of an array, a line each.", Args: []string{"x"}, Traits: ir.NoCapture | ir.Partial, Traps: never,
	Infer:   func(c *ir.Call) (ir.Type, error) { return ir.Void, given(c, 1) },
	Effects: func(c *ir.Call) []ir.Effect { return append(reads(c), ir.Effect{Kind: ir.Write, On: ir.IO}) }})

// Buffer and OfBuffer stand between arrays and memory while a program is lowered.
var (
	Buffer = ir.Define(&ir.OpDef{Name: "toy.buffer", Doc: "The memory that has an array.", Args: []string{"x"}, Traits: ir.NoCapture,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if err := given(c, 1); err != nil {
				return 0, err
			}
			if _, known := shapeOf(c.Ctx(), c.ArgType(0)); !known {
				return 0, c.Errorf("takes an array whose shape is known")
			}
			return memory(c.Ctx(), c.ArgType(0)), nil
		},
		Refs: func(c *ir.Call) ir.Refs { return ir.Refs{Alias: c.Args} },
		Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return a[0].Ref.(ir.Vector)[0], nil }})
	OfBuffer = ir.Define(&ir.OpDef{Name: "toy.of_buffer", Doc: "The array that memory has, which nobody writes any more.", Args: []string{"x"}, Traits: ir.NoCapture,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if _, known := shapeOf(c.Ctx(), c.Type); !known || len(c.Args) != 1 || c.ArgType(0) != memory(c.Ctx(), c.Type) {
				return 0, c.Errorf("makes an array of memory of its shape, which has to be known: run inline,symbol-dce,toy-shapes first")
			}
			if c.Graph().Def(c.Args[0]) == memref.Alloca {
				return 0, c.Errorf("makes an array of memory that stays when the function returns")
			}
			return c.Type, nil
		},
		Refs: func(c *ir.Call) ir.Refs { return ir.Refs{Contain: c.Args} },
		Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ir.Val{Ref: ir.Vector{a[0]}}, nil }})
)
