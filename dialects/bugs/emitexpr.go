package bugs

import (
	"slices"

	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

func (e *emitter) num(x float64) ir.Value { return arith.ConstF64(e.b, x) }

// scalar makes the ops of an expression of type f64.
func (e *emitter) scalar(x syntax.Expr) ir.Value {
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

func (e *emitter) unary(op syntax.Op, y ir.Value) ir.Value {
	if op == syntax.OpNot {
		return truthValue(e.b, arith.CmpF(e.b, arith.OEQ, y, e.num(0)))
	}
	return arith.NegF(e.b, y)
}

func (e *emitter) ref(r *syntax.Ref) ir.Value {
	bd := e.m.bind[r]
	if bd.level > 0 {
		i := arith.Cast(e.b, arith.IndexCast, e.ivs[bd.level-1], ir.I64)
		return arith.Cast(e.b, arith.Sitofp, i, ir.F64)
	}
	v := bd.v
	if len(r.Indices) > 0 && isPart(v, r) {
		return e.oneValue(r)
	}
	mem, ok := e.mem[v]
	if !ok {
		return e.num(v.Value[0])
	}
	return e.b.Op(Read, append([]ir.Value{mem}, e.indices(v, r)...)...)
}

// indices makes the indices of a single element.
func (e *emitter) indices(v *Var, r *syntax.Ref) []ir.Value {
	if len(r.Indices) == 0 && v.Len() != 1 {
		panic(diag.Errorf(r.Span(), "%s is an array, and a single value is wanted here", v.Name).WithFix("write %s", indices(v)))
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
func (e *emitter) index(x syntax.Expr) ir.Value {
	if v := e.integer(x); v != 0 {
		return v
	}
	attr := ir.Attr(0)
	if !e.m.fromData(x) {
		c := e.b.Ctx()
		attr = c.Props([]ir.NamedAttr{{Name: "checked", Value: c.UnitAttr()}}, nil)
	}
	return e.b.OpAttr(IndexOf, attr, e.scalar(x))
}

func (e *emitter) integer(x syntax.Expr) ir.Value {
	switch x := x.(type) {
	case *syntax.Num:
		if prob.IsInteger(x.Value) && x.Value < 1<<31 {
			return e.b.Index(int64(x.Value))
		}
	case *syntax.Ref:
		bd := e.m.bind[x]
		if bd.level > 0 {
			return e.ivs[bd.level-1]
		}
		if _, stored := e.mem[bd.v]; !stored {
			if y := gomath.Round(bd.v.Value[0]); gomath.Abs(y-bd.v.Value[0]) <= indexSlack && gomath.Abs(y) < 1<<31 {
				return e.b.Index(int64(y))
			}
		}
	case *syntax.Call: // such as length(v)
		if e.m.loopFree(x) && e.m.fromData(x) {
			if n, err := (&frame{m: e.m}).integer(x, ""); err == nil {
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

// fromData reports that an expression reads nothing but data: the front end has
// then seen all of its values.
func (m *Model) fromData(x syntax.Expr) bool {
	ok := true
	syntax.Walk(x, func(y syntax.Expr) bool {
		if r, is := y.(*syntax.Ref); is {
			if v := m.bind[r].v; v != nil && (v.Has(Logical) || v.Has(Parameter) || v.abstract) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

var comparisons = map[syntax.Op]arith.CmpFPredicate{
	syntax.OpEq: arith.OEQ, syntax.OpNe: arith.UNE, syntax.OpLt: arith.OLT, syntax.OpLe: arith.OLE,
	syntax.OpGt: arith.OGT, syntax.OpGe: arith.OGE,
}

func (e *emitter) binaryOp(o syntax.Op, y, z ir.Value) ir.Value {
	b := e.b
	if p, ok := comparisons[o]; ok {
		return truthValue(b, arith.CmpF(b, p, y, z))
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
		return power(b, y, z)
	}
	op := arith.Ori
	if o == syntax.OpAnd {
		op = arith.Andi
	}
	return truthValue(b, b.Op(op, arith.CmpF(b, arith.UNE, y, e.num(0)), arith.CmpF(b, arith.UNE, z, e.num(0))))
}

// power is y^z; squares are products, which is what x^2 mostly is.
func power(b *ir.Builder, y, z ir.Value) ir.Value {
	if c, ok := b.Graph().Const(z); ok && c.F64() == 2 {
		return arith.MulF(b, y, y)
	}
	return arith.Float(b, math.Powf, 0, y, z)
}

func (e *emitter) call(x *syntax.Call) ir.Value {
	name := canonical(x)
	if fn := numberOps(name); fn != nil {
		args := make([]ir.Value, len(x.Args))
		for i, a := range x.Args {
			args[i] = e.scalar(a)
		}
		return fn(e.b, args)
	}
	return e.oneValue(x)
}

// mathOp and plainOp make a function of an op of math, and of special.
func mathOp(d *ir.OpDef) func(*ir.Builder, []ir.Value) ir.Value {
	return func(b *ir.Builder, x []ir.Value) ir.Value { return arith.Float(b, d, 0, x...) }
}

func plainOp(d *ir.OpDef) func(*ir.Builder, []ir.Value) ir.Value {
	return func(b *ir.Builder, x []ir.Value) ir.Value { return b.Op(d, x...) }
}

// functions are the functions of numbers as ops, by the table's name.
var functions = map[string]func(b *ir.Builder, x []ir.Value) ir.Value{
	"abs": mathOp(math.Absf), "exp": mathOp(math.Exp), "log": mathOp(math.Log), "sqrt": mathOp(math.Sqrt),
	"pow": func(b *ir.Builder, x []ir.Value) ir.Value { return power(b, x[0], x[1]) },
	"modulo": func(b *ir.Builder, x []ir.Value) ir.Value {
		zero := arith.ConstF64(b, 0)
		r := arith.Float(b, arith.Remf, 0, x[0], x[1])
		negative := func(v ir.Value) ir.Value { return arith.CmpF(b, arith.OLT, v, zero) }
		other := b.Op(arith.Andi, arith.CmpF(b, arith.ONE, r, zero), b.Op(arith.Xori, negative(r), negative(x[1])))
		return arith.Choose(b, other, arith.AddF(b, r, x[1]), r)
	},
	"sin": mathOp(math.Sin), "cos": mathOp(math.Cos), "tan": mathOp(math.Tan),
	"sinh": mathOp(math.Sinh), "cosh": mathOp(math.Cosh), "tanh": mathOp(math.Tanh),
	"arcsin": mathOp(math.Asin), "arccos": mathOp(math.Acos), "arctan": mathOp(math.Atan),
	"arcsinh": mathOp(math.Asinh), "arccosh": mathOp(math.Acosh), "arctanh": mathOp(math.Atanh),
	"round": func(b *ir.Builder, x []ir.Value) ir.Value {
		return arith.Float(b, math.Floor, 0, arith.AddF(b, x[0], arith.ConstF64(b, 0.5)))
	},
	"trunc": mathOp(math.Trunc),
	"step": func(b *ir.Builder, x []ir.Value) ir.Value {
		return truthValue(b, arith.CmpF(b, arith.OGE, x[0], arith.ConstF64(b, 0)))
	},
	"equals": func(b *ir.Builder, x []ir.Value) ir.Value { return truthValue(b, arith.CmpF(b, arith.OEQ, x[0], x[1])) },
	"logit":  plainOp(special.Logit), "ilogit": plainOp(special.Ilogit),
	"probit": plainOp(special.Probit), "phi": plainOp(special.Phi),
	"cloglog": plainOp(special.Cloglog), "icloglog": plainOp(special.Icloglog),
	"loggam": plainOp(special.Lgamma), "logfact": plainOp(special.Logfact), "softplus": plainOp(special.Log1pexp),
	"cut": func(b *ir.Builder, x []ir.Value) ir.Value { return x[0] },
	"ifelse": func(b *ir.Builder, x []ir.Value) ir.Value {
		return arith.Choose(b, arith.CmpF(b, arith.UNE, x[0], arith.ConstF64(b, 0)), x[1], x[2])
	},
}

// links are the inverse link functions.
var links = map[string]func(b *ir.Builder, x []ir.Value) ir.Value{
	"log": mathOp(math.Exp), "logit": plainOp(special.Ilogit), "probit": plainOp(special.Phi), "cloglog": plainOp(special.Icloglog),
}

// reduceOps combine two values of a reduction; reduceStart is what it begins with.
var reduceOps = map[string]*ir.OpDef{"sum": arith.Addf, "prod": arith.Mulf, "max": arith.Maximumf, "min": arith.Minimumf}

var reduceStart = map[string]float64{"sum": 0, "prod": 1, "max": gomath.Inf(-1), "min": gomath.Inf(1)}

// reduction makes sum, prod, max, min, mean and length of parts of arrays and of
// numbers; 0 if the function is none of them.
func (e *emitter) reduction(x *syntax.Call, name string) ir.Value {
	kind := name
	if name == "mean" || name == "length" {
		kind = "sum"
	}
	if reduceOps[kind] == nil {
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
		total, count = arith.Float(e.b, reduceOps[kind], flags, total, y), arith.AddI(e.b, count, n)
	}
	switch name {
	case "mean":
		return arith.DivF(e.b, total, e.toFloat(count))
	case "length":
		return e.toFloat(count)
	}
	return total
}

func (e *emitter) toFloat(i ir.Value) ir.Value {
	return arith.Cast(e.b, arith.Sitofp, arith.Cast(e.b, arith.IndexCast, i, ir.I64), ir.F64)
}

// reduceArg makes the reduction of one argument and its number of elements.
func (e *emitter) reduceArg(a syntax.Expr, kind string) (total, count ir.Value) {
	r, ok := a.(*syntax.Ref)
	if !ok || e.m.bind[r].level > 0 || !isPart(e.m.bind[r].v, r) || slices.ContainsFunc(r.Indices, func(x syntax.Expr) bool { return !e.m.fromData(x) }) {
		x := e.array(a)
		return e.fold(kind, x.ext, x.at), e.count(x)
	}
	whole := len(r.Indices) == 0
	v := e.m.bind[r].v
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
	return e.b.OpAttr(Reduce, c.Props([]ir.NamedAttr{{Name: "kind", Value: c.StringAttr(kind)}}, nil), args...), count
}
