package affine

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// Just is a value as an affine expression.
func Just(v ir.Value) Point { return Point{Expr: expr.Dim(0), Dims: []ir.Value{v}} }

// Number is a constant as an affine expression.
func Number(n int64) Point { return Point{Expr: expr.Const(n)} }

// Plus is p + k q, or false if it is too large for an expression.
func (p Point) Plus(k int64, q Point) (Point, bool) {
	exprs, dims, syms := joined([]Point{p, q})
	e := expr.Add(exprs[0], expr.Mul(exprs[1], expr.Const(k)))
	if e == nil {
		return Point{}, false
	}
	return Point{e.Simplify(), dims, syms}, true
}

// FloorDiv is the greatest integer that is at most p / k, for a positive k.
func (p Point) FloorDiv(k int64) Point {
	return Point{expr.FloorDiv(p.Expr, expr.Const(k)).Simplify(), p.Dims, p.Syms}
}

// Mod is p modulo k, for a positive k.
func (p Point) Mod(k int64) Point {
	return Point{expr.Mod(p.Expr, expr.Const(k)).Simplify(), p.Dims, p.Syms}
}

// Compact is the point without operands that it does not use.
func (p Point) Compact() Point {
	n := normal{exprs: []*expr.Expr{p.Expr}, dims: p.Dims, syms: p.Syms}
	n.compress()
	return Point{n.exprs[0], n.dims, n.syms}
}

// Map is a point of other values.
func (p Point) Map(f func(v ir.Value) ir.Value) Point {
	mapped := func(vs []ir.Value) []ir.Value {
		return lists.Map(vs, f)
	}
	return Point{p.Expr, mapped(p.Dims), mapped(p.Syms)}
}

// joined gives points the same operands.
func joined(ps []Point) (exprs []*expr.Expr, dims, syms []ir.Value) {
	for _, p := range ps {
		var ds, ss []*expr.Expr
		for _, v := range p.Dims {
			ds = append(ds, expr.Dim(place(&dims, v)))
		}
		for _, v := range p.Syms {
			ss = append(ss, expr.Sym(place(&syms, v)))
		}
		exprs = append(exprs, p.Expr.Replace(ds, ss))
	}
	return exprs, dims, syms
}

// ForOf are the operands and the attributes of an affine.for from the greatest of its lower bounds up to the
// least of its upper ones; what else attr says stays.
func ForOf(b *ir.Builder, attr ir.Attr, lower, upper []Point, step int64, inits []ir.Value) ([]ir.Value, ir.Attr) {
	l := bounds{step: step, inits: inits}
	for i, ps := range [][]Point{lower, upper} {
		exprs, dims, syms := joined(ps)
		m, args := &expr.Map{Dims: len(dims), Syms: len(syms), Results: exprs}, slices.Concat(dims, syms)
		if i == 0 {
			l.lower, l.lowerArgs = m, args
		} else {
			l.upper, l.upperArgs = m, args
		}
	}
	return l.args(), l.attr(b.Ctx(), attr)
}

// BuildApply makes a value of an affine expression.
func BuildApply(b *ir.Builder, p Point) ir.Value {
	m := &expr.Map{Dims: len(p.Dims), Syms: len(p.Syms), Results: []*expr.Expr{p.Expr}}
	return b.Must(ir.Call{Def: Apply, Args: slices.Concat(p.Dims, p.Syms), Attr: b.Ctx().With(0, "map", m.Attr(b.Ctx()))})
}

// BuildFor makes an affine.for from one bound up to another, which its index does not reach. The body gets the index and
// what the loop carries, and returns what the next iteration carries; so does the loop in the end.
func BuildFor(b *ir.Builder, lower, upper Point, step int64, inits []ir.Value, body func(i ir.Value, carried []ir.Value) []ir.Value) ir.Value {
	args, attr := ForOf(b, 0, []Point{lower}, []Point{upper}, step, inits)
	params := append([]ir.Type{ir.Index}, lists.Map(inits, b.Graph().Type)...)
	r := b.Region(ir.Loop, params, func(p []ir.Value) {
		b.Enter(For, attr, args, 0, p) // its index is a dimension
		b.Op(Yield, body(p[0], p[1:])...)
	})
	return b.Must(ir.Call{Def: For, Args: args, Attr: attr, Regions: []ir.Region{r}})
}

// BuildLoad reads an element of memory, of as many subscripts as it has dimensions.
func BuildLoad(b *ir.Builder, memory ir.Value, at ...Point) ir.Value {
	args, attr := access(b, at)
	return b.Must(ir.Call{Def: Load, Args: append([]ir.Value{memory}, args...), Attr: attr})
}

// BuildStore is BuildLoad for a write.
func BuildStore(b *ir.Builder, x, memory ir.Value, at ...Point) ir.Value {
	args, attr := access(b, at)
	return b.Must(ir.Call{Def: Store, Args: append([]ir.Value{x, memory}, args...), Attr: attr})
}

// access are the operands of subscripts, and the properties that have their map.
func access(b *ir.Builder, at []Point) ([]ir.Value, ir.Attr) {
	exprs, dims, syms := joined(at)
	m := &expr.Map{Dims: len(dims), Syms: len(syms), Results: exprs}
	return slices.Concat(dims, syms), b.Ctx().With(0, "map", m.Attr(b.Ctx()))
}

// Compute makes a value of an affine expression with ops of arith.
func Compute(b *ir.Builder, p Point) ir.Value { return expansion{b, p.Dims, p.Syms}.value(p.Expr) }

// ComputeGreatest is the greatest of some, and ComputeLeast the least.
func ComputeGreatest(b *ir.Builder, ps []Point) ir.Value { return computeExtreme(b, arith.Maxsi, ps) }

// ComputeLeast is the least of some.
func ComputeLeast(b *ir.Builder, ps []Point) ir.Value { return computeExtreme(b, arith.Minsi, ps) }

func computeExtreme(b *ir.Builder, op *ir.OpDef, ps []Point) ir.Value {
	exprs, dims, syms := joined(ps)
	return expansion{b, dims, syms}.extreme(op, exprs)
}

// MayTrap reports a division by what is no number.
func (p Point) MayTrap() bool { return anyDivides(&expr.Map{Results: []*expr.Expr{p.Expr}}) }

// ParallelOf are the operands and the attributes of an affine.parallel of one dimension. It goes from the
// greatest of its lower bounds up to the least of its upper ones, and reduces by ops of arith (Reduces); what
// else attr says stays.
func ParallelOf(b *ir.Builder, attr ir.Attr, lower, upper []Point, step int64, by []*ir.OpDef) ([]ir.Value, ir.Attr) {
	x := b.Ctx()
	var args []ir.Value
	for i, ps := range [][]Point{lower, upper} {
		exprs, dims, syms := joined(ps)
		m, which := &expr.Map{Dims: len(dims), Syms: len(syms), Results: exprs}, []string{"lower", "upper"}[i]
		attr = x.With(x.With(attr, which+"BoundsMap", m.Attr(x)), which+"BoundsGroups", groupsAttr(x, []int64{int64(len(ps))}))
		args = append(append(args, dims...), syms...)
	}
	kinds := lists.Map(by, func(op *ir.OpDef) ir.Attr { return x.IntAttr(int64(numberOf(op)), ir.I64) })
	return args, x.With(x.With(attr, "steps", intArray(x, []int64{step})), "reductions", x.ArrayAttr(kinds...))
}

// Reduces reports an op by which affine.parallel reduces values of a type.
func Reduces(c *ir.Context, op *ir.OpDef, t ir.Type) bool {
	i := numberOf(op)
	return i >= 0 && reductions[i].takes(c, t)
}

func numberOf(op *ir.OpDef) int {
	return slices.IndexFunc(reductions, func(r reduction) bool { return r.op == op && op != nil })
}
