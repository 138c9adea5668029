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

func (e *Emitter) num(x float64) ir.Value { return arith.ConstF64(e.Builder, x) }

// scalar makes the ops of an expression of type f64.
func (e *Emitter) scalar(x syntax.Expr) ir.Value {
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

func (e *Emitter) unary(op syntax.Op, y ir.Value) ir.Value {
	if op == syntax.OpNot {
		return function.TruthValue(e.Builder, arith.CmpF(e.Builder, arith.OEQ, y, e.num(0)))
	}
	return arith.NegF(e.Builder, y)
}

func (e *Emitter) ref(r *syntax.Ref) ir.Value {
	bd := e.Source.Bindings[r]
	if bd.Level > 0 {
		i := arith.Cast(e.Builder, arith.IndexCast, e.ivs[bd.Level-1], ir.I64)
		return arith.Cast(e.Builder, arith.Sitofp, i, ir.F64)
	}
	v := bd.Var
	if len(r.Indices) > 0 && eval.IsPart(v, r) {
		return e.oneValue(r)
	}
	mem, ok := e.mem[v]
	if !ok {
		return e.num(v.Value[0])
	}
	return e.Builder.Op(ops.Read, append([]ir.Value{mem}, e.indices(v, r)...)...)
}

// indices makes the indices of a single element.
func (e *Emitter) indices(v *model.Var, r *syntax.Ref) []ir.Value {
	if len(r.Indices) == 0 && v.Len() != 1 {
		panic(diag.Errorf(r.Span(), "%s is an array, and a single value is wanted here", v.Name).WithFix("write %s", model.SpellIndices(v)))
	}
	var out []ir.Value
	for d := range v.Dims {
		if len(r.Indices) == 0 {
			out = append(out, e.Builder.Index(1))
			continue
		}
		out = append(out, e.index(r.Indices[d]))
	}
	return out
}

// index makes an expression of type index: by integer arithmetic where it has only
// integers, loop variables, + - and *, else from a float.
func (e *Emitter) index(x syntax.Expr) ir.Value {
	if v := e.integer(x); v != 0 {
		return v
	}
	attr := ir.Attr(0)
	if !eval.FromData(e.Source, x) {
		c := e.Builder.Ctx()
		attr = c.Props([]ir.NamedAttr{{Name: "checked", Value: c.UnitAttr()}}, nil)
	}
	return e.Builder.OpAttr(ops.IndexOf, attr, e.scalar(x))
}

func (e *Emitter) integer(x syntax.Expr) ir.Value {
	switch x := x.(type) {
	case *syntax.Num:
		if kit.IsInteger(x.Value) && x.Value < 1<<31 {
			return e.Builder.Index(int64(x.Value))
		}
	case *syntax.Ref:
		bd := e.Source.Bindings[x]
		if bd.Level > 0 {
			return e.ivs[bd.Level-1]
		}
		if _, stored := e.mem[bd.Var]; !stored {
			if y := gomath.Round(bd.Var.Value[0]); gomath.Abs(y-bd.Var.Value[0]) <= function.IndexSlack && gomath.Abs(y) < 1<<31 {
				return e.Builder.Index(int64(y))
			}
		}
	case *syntax.Call: // such as length(v)
		if eval.LoopFree(e.Source, x) && eval.FromData(e.Source, x) {
			if n, err := (&eval.Frame{Model: e.Source}).Integer(x, ""); err == nil {
				return e.Builder.Index(int64(n))
			}
		}
	case *syntax.Unary:
		if y := e.integer(x.X); y != 0 && x.Op == syntax.OpNeg {
			return arith.SubI(e.Builder, e.Builder.Index(0), y)
		}
	case *syntax.Binary:
		op := map[syntax.Op]func(*ir.Builder, ir.Value, ir.Value) ir.Value{
			syntax.OpAdd: arith.AddI, syntax.OpSub: arith.SubI, syntax.OpMul: arith.MulI}[x.Op]
		if op == nil {
			return 0
		}
		if y, z := e.integer(x.X), e.integer(x.Y); y != 0 && z != 0 {
			return op(e.Builder, y, z)
		}
	}
	return 0
}

func (e *Emitter) binaryOp(o syntax.Op, y, z ir.Value) ir.Value {
	b := e.Builder
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

func (e *Emitter) call(x *syntax.Call) ir.Value {
	name := function.Canonical(x)
	if fn := ops.NumberOps(name); fn != nil {
		args := lists.Map(x.Args, e.scalar)
		return fn(e.Builder, args)
	}
	return e.oneValue(x)
}

// reduction makes sum, prod, max, min, mean and length of parts of arrays and of
// numbers; 0 if the function is none of them.
func (e *Emitter) reduction(x *syntax.Call, name string) ir.Value {
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
		total, count = arith.Float(e.Builder, function.ReduceOps[kind], flags, total, y), arith.AddI(e.Builder, count, n)
	}
	switch name {
	case "mean":
		return arith.DivF(e.Builder, total, e.toFloat(count))
	case "length":
		return e.toFloat(count)
	}
	return total
}

func (e *Emitter) toFloat(i ir.Value) ir.Value {
	return arith.Cast(e.Builder, arith.Sitofp, arith.Cast(e.Builder, arith.IndexCast, i, ir.I64), ir.F64)
}

// reduceArg makes the reduction of one argument and its number of elements.
func (e *Emitter) reduceArg(a syntax.Expr, kind string) (total, count ir.Value) {
	r, ok := a.(*syntax.Ref)
	if !ok || e.Source.Bindings[r].Level > 0 || !eval.IsPart(e.Source.Bindings[r].Var, r) || slices.ContainsFunc(r.Indices, func(x syntax.Expr) bool { return !eval.FromData(e.Source, x) }) {
		x := e.array(a)
		return e.fold(kind, x.ext, x.at), e.count(x)
	}
	whole := len(r.Indices) == 0
	v := e.Source.Bindings[r].Var
	args := []ir.Value{e.mem[v]}
	count = e.Builder.Index(1)
	for d, n := range v.Dims {
		lo, hi := e.Builder.Index(1), e.Builder.Index(int64(n))
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
			n := arith.SubI(e.Builder, arith.AddI(e.Builder, hi, e.Builder.Index(1)), lo)
			count = arith.MulI(e.Builder, count, e.Builder.Op(arith.Maxsi, n, e.Builder.Index(0)))
		}
	}
	c := e.Builder.Ctx()
	return e.Builder.OpAttr(ops.Reduce, c.Props([]ir.NamedAttr{{Name: "kind", Value: c.StringAttr(kind)}}, nil), args...), count
}
