package tensor

import (
	"math"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A sum adds, multiplies or compares numbers of one type: floats as f64, rounded at the end.
type sum struct {
	c      *ir.Context
	elem   ir.Type
	kind   int
	width  int
	float  bool
	x      float64
	n      int64
	poison bool
}

func newSum(c *ir.Context, elem ir.Type, kind int) *sum {
	s := &sum{c: c, elem: elem, kind: kind, width: c.Info(elem).Width, float: c.IsFloat(elem)}
	least := int64(-1) << (s.width - 1)
	s.x = []float64{0, 1, math.Inf(1), math.Inf(-1)}[kind]
	s.n = []int64{0, 1, ^least, least}[kind]
	return s
}

// read is an element of another type as a number.
func read(c *ir.Context, v ir.Val, t ir.Type) (x float64, n int64) {
	if c.IsFloat(t) {
		return v.Float(t), 0
	}
	return 0, v.Int(c.Info(t).Width)
}

func (s *sum) add(v ir.Val) {
	if v.IsPoison() {
		s.poison = true
		return
	}
	x, n := read(s.c, v, s.elem)
	s.combine(x, n)
}

func (s *sum) combine(x float64, n int64) {
	if !s.float {
		switch s.kind {
		case ByAdd:
			s.n += n
		case ByMul:
			s.n *= n
		case ByMin:
			s.n = min(s.n, n)
		default:
			s.n = max(s.n, n)
		}
		return
	}
	switch s.kind {
	case ByAdd:
		s.x += x
	case ByMul:
		s.x *= x
	case ByMin:
		s.x = min(s.x, x) // NaN if one is, whatever the other
	default:
		s.x = max(s.x, x)
	}
}

func (s *sum) value() ir.Val {
	switch {
	case s.poison:
		return ir.Val{Ref: ir.Poison}
	case s.float:
		return ir.FloatVal(s.x, s.elem)
	}
	return ir.IntVal(s.n, s.width)
}

func runEinsum(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	c := o.Call.Ctx()
	s := SpecOf(o.G, o.V)
	arrays := make([]array, len(args))
	extents := make([]int64, len(s.Names))
	copy(extents, s.Extents)
	from := make([]int, len(s.Names)) // the operand that says the extent
	for i := range args {
		a, err := at(o, args, i)
		if err != nil {
			return err
		}
		arrays[i] = a
		for d, x := range s.In[i] {
			switch {
			case x == Stretched:
			case extents[x] == ir.Dynamic:
				extents[x], from[x] = a.shape[d], i
			case extents[x] != a.shape[d]:
				return ir.Trapf("index %s runs up to %d in operand #%d and to %d in operand #%d", s.Names[x], extents[x], from[x], a.shape[d], i)
			}
		}
	}
	outer, outerStrides := along(s, extents, arrays, s.Out)
	inner, innerStrides := along(s, extents, arrays, s.Summed())
	return made(m, o, out, outer, func(elems ir.Vector) error {
		terms, _ := product(inner)
		t := &products{c: c, arrays: arrays}
		elem, i := Elem(c, o.G.Type(o.V)), 0
		return each(outer, outerStrides, func(base []int64) error {
			if err := m.Spend(terms); err != nil {
				return err
			}
			sum := newSum(c, elem, ByAdd)
			err := each(inner, innerStrides, func(at []int64) error { t.add(sum, base, at); return nil })
			elems[i] = sum.value()
			i++
			return err
		})
	})
}

// products makes the products of an einsum.
type products struct {
	c      *ir.Context
	arrays []array
}

// add adds the product of the elements at the sums of two offsets.
func (t *products) add(s *sum, base, at []int64) {
	x, n := 1.0, int64(1)
	for k, a := range t.arrays {
		v := a.at(base[k] + at[k])
		if v.IsPoison() {
			s.poison = true
			return
		}
		y, m := read(t.c, v, a.elem)
		x, n = x*y, n*m
	}
	s.combine(x, n)
}

// along are the extents of some indices, and how far apart elements of the operands lie along them.
func along(s *Spec, extents []int64, arrays []array, indices []int) (shape []int64, strides [][]int64) {
	strides = make([][]int64, len(arrays))
	for k := range strides {
		strides[k] = make([]int64, len(indices))
	}
	shape = []int64{}
	for j, x := range indices {
		shape = append(shape, extents[x])
		for k, in := range s.In {
			for d, y := range in {
				if y == x {
					strides[k][j] += arrays[k].strides[d]
				}
			}
		}
	}
	return shape, strides
}
