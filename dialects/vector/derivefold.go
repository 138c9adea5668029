package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// A folding is what an op does that combines lanes, step by step: in step r the accumulator becomes kind(x, accumulator), where x are
// lanes of the first operand, or products of lanes of two.
type folding struct {
	*space
	k       *kind
	factors [][]int // dimensions of the operands that are multiplied
	acc     int     // the operand it begins with, or -1
}

func foldingOf(of *ir.OpDef, o *derive.Op) *folding {
	c := o.B.Ctx()
	f := &folding{k: kindOf(c, o.Attr), acc: o.Operands() - 1}
	switch of {
	case Reduction:
		f.space = multiSpace(shapeOf(c, o.OperandType(0)), []int64{0})
		f.factors = [][]int{{0}}
		if f.acc == 0 {
			f.acc = -1
		}
	case MultiReduction:
		f.space = multiSpace(shapeOf(c, o.OperandType(0)), intsOf(c, c.Get(o.Attr, "reduction_dims")))
		f.factors = [][]int{f.all()}
	case Contract:
		x := contractionOf(c, o.Attr, o.OperandType(0), o.OperandType(1))
		f.space, f.factors = x.space, [][]int{x.lhs, x.rhs}
	case OuterProduct:
		f.space = &space{extents: slices.Concat(shapeOf(c, o.OperandType(0)), shapeOf(c, o.OperandType(1)))}
		f.parallel, f.factors = f.all(), [][]int{f.all()[:1], f.all()[1:]}
		if f.acc == 1 {
			f.acc = -1
		}
	case MatrixMultiply: // of matrices that lie column by column
		p := matrixProductOf(c, o.Attr)
		f.space = &space{extents: []int64{int64(p.rows), int64(p.inner), int64(p.columns)}, parallel: []int{2, 0}, whole: []int{1}}
		f.factors, f.acc, f.k = [][]int{{1, 0}, {2, 1}}, -1, kinds[0]
	}
	return f
}

// isSum reports that lanes are added up: then the adjoint is the same in all steps.
func (f *folding) isSum() bool { return f.k.name == "add" }

// folded is an op that is differentiated: the lanes of its operands, as far as they are asked for.
type folded struct {
	*folding
	o    *derive.Op
	elem ir.Type // of the result
	have map[int]ir.Value
}

// operand is one as lanes of the result's type of elements.
func (x *folded) operand(i int) ir.Value {
	if x.have[i] == 0 {
		x.have[i] = x.lanesOf(x.o.X(i))
	}
	return x.have[i]
}

func (x *folded) lanesOf(v ir.Value) ir.Value { return widen(x.o.B, flat(x.o.B, v), x.elem) }

func (x *folded) float(def *ir.OpDef, args ...ir.Value) ir.Value {
	return arith.Float(x.o.B, def, arith.Contract|arith.Nsz, args...)
}

// step are the lanes of a factor in a step.
func (x *folded) step(v ir.Value, factor, r int) ir.Value {
	return take(x.o.B, v, x.lanes(x.factors[factor], r))
}

// value is what is combined in a step.
func (x *folded) value(r int) ir.Value {
	v := x.step(x.operand(0), 0, r)
	if len(x.factors) == 2 {
		v = x.float(arith.Mulf, v, x.step(x.operand(1), 1, r))
	}
	return v
}

// change is the tangent of what is combined in a step, 0 if it does not change.
func (x *folded) change(d []ir.Value, r int) (sum ir.Value) {
	for i := range x.factors {
		if d[i] == 0 {
			continue
		}
		v := x.step(x.lanesOf(d[i]), i, r)
		if len(x.factors) == 2 {
			v = x.float(arith.Mulf, v, x.step(x.operand(1-i), 1-i, r))
		}
		sum = x.plus(sum, v)
	}
	return sum
}

// plus adds tangents or adjoints, of which 0 is none.
func (x *folded) plus(u, v ir.Value) ir.Value {
	switch {
	case u == 0:
		return v
	case v == 0:
		return u
	}
	return x.float(arith.Addf, u, v)
}

// steps are the accumulators before each step, from the first that has one, and how many steps there are.
func (x *folded) steps() (before []ir.Value, first, n int) {
	n = count(x.reduced())
	if x.acc < 0 {
		first = 1
	}
	if x.isSum() {
		return nil, first, n
	}
	before = make([]ir.Value, n)
	acc := ir.Value(0)
	if x.acc >= 0 {
		acc = x.operand(x.acc)
	} else {
		acc = x.value(0)
	}
	for r := first; r < n; r++ {
		before[r] = acc
		acc = x.k.build(x.o.B, x.value(r), acc)
	}
	return before, first, n
}

// partials are the derivatives of a step by what is combined and by the accumulator; nil of a sum, and of what begins without one.
func (x *folded) partials(r int, before []ir.Value) []ir.Value {
	if before == nil || before[r] == 0 {
		return nil
	}
	of := &pair{x.value(r), before[r], x.o.B}
	t := x.o.B.Graph().Type(of.x)
	rule := derive.Of(x.o.B.Ctx(), x.k.op(x.o.B.Ctx(), x.elem))
	o := derive.NewOp(x.o.B, 0, t, of)
	return []ir.Value{rule.Partials[0](o), rule.Partials[1](o)}
}

// A pair is the operands of a step.
type pair struct {
	x, acc ir.Value
	b      *ir.Builder
}

func (p *pair) Operands() int             { return 2 }
func (p *pair) Operand(i int) ir.Value    { return []ir.Value{p.x, p.acc}[i] }
func (p *pair) OperandType(i int) ir.Type { return p.b.Graph().Type(p.x) }
func (p *pair) Active(int) bool           { return true }
func (p *pair) Guarded() bool             { return false }
func (p *pair) Result() ir.Value          { panic("no rule of what combines lanes asks for its result") }

// combines is the rule of an op that combines lanes.
func combines(of *ir.OpDef, says string) *derive.Rule {
	begin := func(o *derive.Op) *folded {
		return &folded{foldingOf(of, o), o, o.B.Ctx().ElemOrSelf(o.Type), map[int]ir.Value{}}
	}
	return &derive.Rule{Of: of, Says: says,
		Tangent:   func(o *derive.Op, d []ir.Value) ir.Value { return begin(o).tangent(d) },
		Transpose: func(o *derive.Op, z ir.Value) []ir.Value { return begin(o).transpose(z) },
	}
}

func (x *folded) tangent(d []ir.Value) ir.Value {
	before, first, n := x.steps()
	var sum ir.Value
	if first == 1 {
		sum = x.change(d, 0)
	} else if d[x.acc] != 0 {
		sum = x.lanesOf(d[x.acc])
	}
	for r := first; r < n; r++ {
		part := x.change(d, r)
		if by := x.partials(r, before); by != nil {
			part, sum = x.scaled(part, by[0]), x.scaled(sum, by[1])
		}
		sum = x.plus(sum, part)
	}
	if sum == 0 {
		return arith.Zero(x.o.B, x.o.Type)
	}
	return shaped(x.o.B, sum, x.o.Type)
}

// scaled is a tangent or an adjoint times a derivative.
func (x *folded) scaled(v, by ir.Value) ir.Value {
	if v == 0 {
		return 0
	}
	return x.float(arith.Mulf, v, by)
}

func (x *folded) transpose(z ir.Value) []ir.Value {
	out := make([]ir.Value, x.o.Operands())
	before, _, n := x.steps()
	z = x.lanesOf(z)
	if x.isSum() && len(x.factors) == 1 { // each lane has the adjoint of the sum that it is part of
		n = 0
		if x.o.Active(0) {
			out[0] = take(x.o.B, z, x.sumsOf())
			if len(x.parallel) == 0 {
				out[0] = BuildBroadcast(x.o.B, shaped(x.o.B, z, x.elem), int64(count(x.extents)))
			}
		}
	}
	for r := n - 1; r >= 0; r-- {
		by := z
		if slopes := x.partials(r, before); slopes != nil {
			by, z = x.scaled(z, slopes[0]), x.scaled(z, slopes[1])
		}
		for i := range x.factors {
			if !x.o.Active(i) {
				continue
			}
			v := by
			if len(x.factors) == 2 {
				v = x.float(arith.Mulf, v, x.step(x.operand(1-i), 1-i, r))
			}
			out[i] = x.plus(out[i], added(x.o.B, v, x.lanes(x.factors[i], r), count(pick(x.extents, x.factors[i]))))
		}
	}
	for i := range x.factors {
		if out[i] != 0 {
			out[i] = x.narrow(out[i], x.o.OperandType(i))
		}
	}
	if x.acc >= 0 && x.o.Active(x.acc) {
		out[x.acc] = x.narrow(z, x.o.OperandType(x.acc))
	}
	return out
}

// sumsOf are, of the lanes of the only factor, those of the result of which they are part.
func (x *folded) sumsOf() []int {
	out := make([]int, count(x.extents))
	for r := range count(x.reduced()) {
		for sum, lane := range x.lanes(x.factors[0], r) {
			out[lane] = sum
		}
	}
	return out
}

// narrow are lanes as an operand has them: a contraction takes narrower ones than it gives.
func (x *folded) narrow(v ir.Value, t ir.Type) ir.Value {
	elem := x.o.B.Ctx().ElemOrSelf(t)
	if elem != x.elem {
		n, _ := lanes(x.o.B.Ctx(), t)
		v = arith.Cast(x.o.B, arith.Truncf, v, x.o.B.Ctx().Vector([]int64{int64(n)}, elem))
	}
	return shaped(x.o.B, v, t)
}
