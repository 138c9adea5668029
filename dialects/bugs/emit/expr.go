package emit

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// expressions make the ops of expressions, where a statement stands: inside of its loops, whose variables they have, and
// behind the declarations. An array is an arrayValue, of which elements are made where they are wanted.
type expressions struct {
	model *model.Model
	b     *ir.Builder
	mem   map[*model.Var]ir.Value // declarations
	ivs   []ir.Value              // loop variables, outermost first
	stmt  *model.Statement        // whose ops are made
}

func (e *expressions) num(x float64) ir.Value { return arith.ConstF64(e.b, x) }

// scalar makes the ops of an expression of type f64.
func (e *expressions) scalar(x syntax.Expr) ir.Value {
	switch x := x.(type) {
	case *syntax.Num:
		return e.num(x.Value)
	case *syntax.Ref:
		return e.ref(x)
	case *syntax.Unary:
		return e.unary(x.Op, e.scalar(x.X))
	case *syntax.Binary:
		if x.Op == syntax.OpMatMul {
			return e.oneValue(x)
		}
		return e.binaryOp(x.Op, e.scalar(x.X), e.scalar(x.Y))
	case *syntax.Call:
		return e.call(x)
	}
	return e.oneValue(x)
}

func (e *expressions) unary(op syntax.Op, y ir.Value) ir.Value {
	if op == syntax.OpNot {
		return function.TruthValue(e.b, arith.CmpF(e.b, arith.OEQ, y, e.num(0)))
	}
	return arith.NegF(e.b, y)
}

func (e *expressions) ref(r *syntax.Ref) ir.Value {
	bd := e.model.Bindings[r]
	if bd.Level > 0 {
		i := arith.Cast(e.b, arith.IndexCast, e.ivs[bd.Level-1], ir.I64)
		return arith.Cast(e.b, arith.Sitofp, i, ir.F64)
	}
	v := bd.Var
	if len(r.Indices) > 0 && eval.IsPart(v, r) {
		return e.oneValue(r)
	}
	mem, ok := e.mem[v]
	if !ok {
		return e.num(v.Value[0])
	}
	return e.b.Op(ops.Read, append([]ir.Value{mem}, e.indices(v, r)...)...)
}

// indices makes the indices of a single element.
func (e *expressions) indices(v *model.Var, r *syntax.Ref) []ir.Value {
	if len(r.Indices) == 0 && v.Len() != 1 {
		panic(diag.Errorf(r.Span(), "%s is an array, and a single value is wanted here", v.Name).WithFix("write %s", model.SpellIndices(v)))
	}
	var out []ir.Value
	for d := range v.Dims {
		if len(r.Indices) == 0 {
			out = append(out, e.b.Index(1))
			continue
		}
		out = append(out, e.index(r.Indices[d]))
	}
	return out
}

// index makes an expression of type index: by integer arithmetic where it has only
// integers, loop variables, + - and *, else from a float.
func (e *expressions) index(x syntax.Expr) ir.Value {
	if v := e.integer(x); v != 0 {
		return v
	}
	attr := ir.Attr(0)
	if !eval.FromData(e.model, x) {
		c := e.b.Ctx()
		attr = c.Props([]ir.NamedAttr{{Name: "checked", Value: c.UnitAttr()}}, nil)
	}
	return e.b.OpAttr(ops.IndexOf, attr, e.scalar(x))
}

func (e *expressions) integer(x syntax.Expr) ir.Value {
	switch x := x.(type) {
	case *syntax.Num:
		if kit.IsInteger(x.Value) && x.Value < 1<<31 {
			return e.b.Index(int64(x.Value))
		}
	case *syntax.Ref:
		bd := e.model.Bindings[x]
		if bd.Level > 0 {
			return e.ivs[bd.Level-1]
		}
		if _, stored := e.mem[bd.Var]; !stored {
			if y := gomath.Round(bd.Var.Value[0]); gomath.Abs(y-bd.Var.Value[0]) <= function.IndexSlack && gomath.Abs(y) < 1<<31 {
				return e.b.Index(int64(y))
			}
		}
	case *syntax.Call: // such as length(v)
		if eval.LoopFree(e.model, x) && eval.FromData(e.model, x) {
			if n, err := (&eval.Frame{Model: e.model}).Integer(x, ""); err == nil {
				return e.b.Index(int64(n))
			}
		}
	case *syntax.Unary:
		if y := e.integer(x.X); y != 0 && x.Op == syntax.OpNeg {
			return arith.SubI(e.b, e.b.Index(0), y)
		}
	case *syntax.Binary:
		op := map[syntax.Op]func(*ir.Builder, ir.Value, ir.Value) ir.Value{
			syntax.OpAdd: arith.AddI, syntax.OpSub: arith.SubI, syntax.OpMul: arith.MulI}[x.Op]
		if op == nil {
			return 0
		}
		if y, z := e.integer(x.X), e.integer(x.Y); y != 0 && z != 0 {
			return op(e.b, y, z)
		}
	}
	return 0
}

func (e *expressions) binaryOp(o syntax.Op, y, z ir.Value) ir.Value {
	b := e.b
	if p, ok := function.Comparisons[o]; ok {
		return function.TruthValue(b, arith.CmpF(b, p, y, z))
	}
	switch o {
	case syntax.OpAdd:
		return arith.AddF(b, y, z)
	case syntax.OpSub:
		return arith.SubF(b, y, z)
	case syntax.OpMul:
		return arith.MulF(b, y, z)
	case syntax.OpDiv:
		return arith.DivF(b, y, z)
	case syntax.OpPow:
		return function.Power(b, y, z)
	}
	op := arith.Ori
	if o == syntax.OpAnd {
		op = arith.Andi
	}
	return function.TruthValue(b, b.Op(op, arith.CmpF(b, arith.UNE, y, e.num(0)), arith.CmpF(b, arith.UNE, z, e.num(0))))
}

func (e *expressions) call(x *syntax.Call) ir.Value {
	name := function.Canonical(x)
	if fn := ops.NumberOps(name); fn != nil {
		args := lists.Map(x.Args, e.scalar)
		return fn(e.b, args)
	}
	return e.oneValue(x)
}

// reduction makes sum, prod, max, min, mean and length of parts of arrays and of
// numbers; 0 if the function is none of them.
func (e *expressions) reduction(x *syntax.Call, name string) ir.Value {
	kind := name
	if name == "mean" || name == "length" {
		kind = "sum"
	}
	if function.ReduceOps[kind] == nil {
		return 0
	}
	var count, total ir.Value
	for _, a := range x.Args {
		y, n := e.reduceArg(a, kind)
		if total == 0 {
			total, count = y, n
			continue
		}
		flags := arith.FastMath(0)
		if kind == "sum" {
			flags = arith.Reassoc
		}
		total, count = arith.Float(e.b, function.ReduceOps[kind], flags, total, y), arith.AddI(e.b, count, n)
	}
	switch name {
	case "mean":
		return arith.DivF(e.b, total, e.toFloat(count))
	case "length":
		return e.toFloat(count)
	}
	return total
}

func (e *expressions) toFloat(i ir.Value) ir.Value {
	return arith.Cast(e.b, arith.Sitofp, arith.Cast(e.b, arith.IndexCast, i, ir.I64), ir.F64)
}

// reduceArg makes the reduction of one argument and its number of elements.
func (e *expressions) reduceArg(a syntax.Expr, kind string) (total, count ir.Value) {
	r, ok := a.(*syntax.Ref)
	if !ok || e.model.Bindings[r].Level > 0 || !eval.IsPart(e.model.Bindings[r].Var, r) || slices.ContainsFunc(r.Indices, func(x syntax.Expr) bool { return !eval.FromData(e.model, x) }) {
		x := e.array(a)
		return e.fold(kind, x.ext, x.at), e.count(x)
	}
	whole := len(r.Indices) == 0
	v := e.model.Bindings[r].Var
	args := []ir.Value{e.mem[v]}
	count = e.b.Index(1)
	for d, n := range v.Dims {
		lo, hi := e.b.Index(1), e.b.Index(int64(n))
		if !whole {
			switch x := r.Indices[d].(type) {
			case *syntax.All:
			case *syntax.Range:
				lo, hi = e.index(x.From), e.index(x.To)
			default:
				lo = e.index(x)
				hi = lo
			}
		}
		args = append(args, lo, hi)
		if lo != hi {
			n := arith.SubI(e.b, arith.AddI(e.b, hi, e.b.Index(1)), lo)
			count = arith.MulI(e.b, count, e.b.Op(arith.Maxsi, n, e.b.Index(0)))
		}
	}
	c := e.b.Ctx()
	return e.b.OpAttr(ops.Reduce, c.Props([]ir.NamedAttr{{Name: "kind", Value: c.StringAttr(kind)}}, nil), args...), count
}
