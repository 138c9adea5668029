package vector

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// MatrixMultiply is vector.matrix_multiply.
var MatrixMultiply = ir.Define(&ir.OpDef{
	Name: "vector.matrix_multiply", Doc: "The product of two matrices, each column by column in a vector of one dimension; sums of floats round once in each step.",
	Args: []string{"lhs", "rhs"}, Attrs: []string{"lhs_columns", "lhs_rows", "rhs_columns"}, Infer: takes(2, 2, inferMatrixMultiply), Eval: evalMatrixMultiply})

// extent is a property that is a positive number.
func extent(c *ir.Call, name string) (int64, error) {
	a := c.Get(name)
	if a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrInt || c.Ctx().AttrInfo(a).Int < 1 || c.Ctx().AttrInfo(a).Int > math.MaxInt32 {
		return 0, c.Errorf("requires attribute '%s', a positive number of 31 bits", name)
	}
	return c.Ctx().AttrInfo(a).Int, nil
}

func inferMatrixMultiply(c *ir.Call) (ir.Type, error) {
	var n [3]int64
	for i, name := range []string{"lhs_rows", "lhs_columns", "rhs_columns"} {
		var err error
		if n[i], err = extent(c, name); err != nil {
			return 0, err
		}
	}
	elem := c.Ctx().ElemOrSelf(c.Type)
	for i, t := range []ir.Type{c.ArgType(0), c.ArgType(1), c.Type} {
		info, err := isVector(c, []string{"operand #0", "operand #1", "result"}[i], t)
		if err != nil {
			return 0, err
		}
		if scales(info) != 0 {
			return 0, c.Errorf("takes and gives vectors whose length is known, not %s", quote(c, t))
		}
		if want := []int64{n[0], n[1], n[0]}[i] * []int64{n[1], n[2], n[2]}[i]; len(info.Shape) != 1 || info.Shape[0] != want {
			return 0, c.Errorf("takes vectors of one dimension with as many lanes as its matrices have elements, and %s has not %d", quote(c, t), want)
		}
		if info.Elem != elem {
			return 0, c.Errorf("takes and gives vectors of one type of elements, not %s and %s", quote(c, info.Elem), quote(c, elem))
		}
	}
	return c.Type, nil
}

// A matrixProduct is one of matrices of rows x inner and inner x columns.
type matrixProduct struct{ rows, inner, columns int }

func matrixProductOf(c *ir.Context, attr ir.Attr) matrixProduct {
	n := func(name string) int { return int(c.AttrInfo(c.Get(attr, name)).Int) }
	return matrixProduct{n("lhs_rows"), n("lhs_columns"), n("rhs_columns")}
}

// factors are the lanes whose product step k adds to a lane of the result.
func (p matrixProduct) factors(lane, k int) (left, right int) {
	return lane%p.rows + k*p.rows, k + lane/p.rows*p.inner
}

func evalMatrixMultiply(c *ir.Call, args []ir.Val) (ir.Val, error) {
	x := c.Ctx()
	n, err := lanesEach(c, c.ArgType(0), c.ArgType(1), c.Type)
	if err != nil {
		return ir.Val{}, err
	}
	p, elem := matrixProductOf(x, c.Attr), x.ElemOrSelf(c.Type)
	if n[2]*p.inner > maxPoints {
		return ir.Val{}, tooLong
	}
	lhs, rhs, out := lanesOf(args[0], n[0]), lanesOf(args[1], n[1]), make(ir.Vector, n[2])
	for i := range out {
		for k := range p.inner {
			l, r := p.factors(i, k)
			var err error
			if k == 0 {
				out[i], err = kinds[1].combine(x, elem, lhs[l], rhs[r])
			} else {
				out[i], err = kinds[0].contracted(x, elem, out[i], lhs[l], rhs[r])
			}
			if err != nil {
				return ir.Val{}, err
			}
		}
	}
	return ir.Val{Ref: out}, nil
}

// lowerMatrixMultiply adds, for all lanes of the result, one product after the other.
func (l limits) lowerMatrixMultiply(m *ir.Mirror, n ir.Node) ir.Value {
	b, args := m.B, m.All(n.Args())
	c := b.Ctx()
	p := matrixProductOf(c, n.Attrs())
	s := &space{extents: []int64{int64(p.columns), int64(p.rows), int64(p.inner)}, parallel: []int{0, 1}, whole: []int{2}}
	if l.large(s) { // the first product is as if it were added to what leaves it as it is
		elem := c.ElemOrSelf(n.Type())
		acc := b.Splat(n.Type(), kinds[0].neutral(c, elem).Bits)
		return l.loops(b, s, acc, []operand{{args[0], []int{2, 1}}, {args[1], []int{0, 2}}}, func(acc ir.Value, xs []ir.Value) ir.Value {
			return kinds[0].buildContracted(b, acc, xs[0], xs[1])
		})
	}
	var sum ir.Value
	for k := range p.inner {
		ls, rs := make([]int, p.rows*p.columns), make([]int, p.rows*p.columns)
		for i := range ls {
			ls[i], rs[i] = p.factors(i, k)
		}
		left, right := take(b, args[0], ls), take(b, args[1], rs)
		if k == 0 {
			sum = kinds[1].build(b, left, right)
		} else {
			sum = kinds[0].buildContracted(b, sum, left, right)
		}
	}
	return sum
}
