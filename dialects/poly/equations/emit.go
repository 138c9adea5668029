package equations

import (
	"strconv"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// An emitter makes the body of a statement.
type emitter struct {
	*ir.Builder
	b      *builder
	coords []ir.Value
	reads  []ir.Value
}

func (b *builder) emitStatement(f *ir.Builder, st *statement) {
	f.Loc = loc(st.at)
	var reads []poly.NewAccess
	for _, r := range st.reads {
		reads = append(reads, poly.NewAccess{Array: r.array.value, Map: r.access})
	}
	poly.NewKeyed(f, st.name, st.domain, poly.Operator(st.operator), poly.NewAccess{Array: st.target.value, Map: st.write}, reads,
		func(coords, values []ir.Value) (v ir.Value, keys []ir.Value) {
			e := &emitter{f, b, coords, values}
			v = e.value(st.body, st.target.typ)
			keys = append(keys, lists.Map(st.keys, e.index)...)
			return v, keys
		})
}

// value makes an expression, as a value of the type that is wanted.
func (e *emitter) value(n *node, want ty) ir.Value {
	e.Loc = loc(n.at)
	if n.typ == want || want == noType {
		want = n.typ
	}
	switch n.op {
	case "number":
		return e.number(n, want)
	case "coordinate":
		return e.integer(e.coords[n.n], indexType, want)
	case "parameter":
		return e.integer(e.b.params[n.n], indexType, want)
	case "read":
		return e.reads[n.n]
	case "at":
		args := []ir.Value{n.from.value}
		args = append(args, lists.Map(n.args, e.index)...)
		return e.Op(poly.At, args...)
	case "call":
		return e.call(n, want)
	case "extern":
		return e.extern(n)
	case "convert":
		return e.convert(n.args[0], n.typ)
	case "select":
		return arith.Choose(e.Builder, e.value(n.args[0], boolType), e.value(n.args[1], want), e.value(n.args[2], want))
	}
	return e.operator(n, want)
}

// index makes an index of an integer.
func (e *emitter) index(n *node) ir.Value {
	if n.typ == whole || n.typ == indexType {
		return e.value(n, indexType)
	}
	return arith.Cast(e.Builder, arith.IndexCast, e.value(n, n.typ), ir.Index)
}

// concrete is the type in which something that takes any is computed.
func concrete(t ty) ty {
	switch t {
	case whole:
		return indexType
	case decimal:
		return f64Type
	}
	return t
}

// number makes a number that is written. One that its type does not have is reported: the
// graph is of no use then.
func (e *emitter) number(n *node, want ty) ir.Value {
	t := concrete(want)
	if t.isFloat() {
		x, err := strconv.ParseFloat(n.text, 64)
		if err != nil {
			e.b.report(n.at, "%s is too large for %s", n.text, t)
		}
		return arith.ConstFloat(e.Builder, t.of(), x)
	}
	width := 64
	if t == i32Type {
		width = 32
	}
	x, err := strconv.ParseInt(n.text, 10, width)
	if err != nil {
		e.b.report(n.at, "%s does not fit %d bits", n.text, width)
	}
	if t == indexType {
		return e.Index(x)
	}
	return arith.ConstInt(e.Builder, t.of(), x)
}

// integer takes an integer to another type of integers.
func (e *emitter) integer(v ir.Value, from, to ty) ir.Value {
	from, to = concrete(from), concrete(to)
	switch {
	case from == to:
		return v
	case from == indexType || to == indexType:
		return arith.Cast(e.Builder, arith.IndexCast, v, to.of())
	case to == i64Type:
		return arith.Cast(e.Builder, arith.Extsi, v, to.of())
	}
	return arith.Cast(e.Builder, arith.Trunci, v, to.of())
}

// convert makes an expression and takes it to a type, with a loss if need be.
func (e *emitter) convert(n *node, to ty) ir.Value {
	from := n.typ
	if to.takes(from) {
		return e.value(n, to)
	}
	v := e.value(n, noType)
	from = concrete(from)
	b := e.Builder
	switch {
	case from == boolType && to.isFloat():
		return arith.Cast(b, arith.Uitofp, v, to.of())
	case from == boolType:
		return arith.Cast(b, arith.Extui, v, to.of())
	case from.isInteger() && to.isInteger():
		return e.integer(v, from, to)
	case from.isInteger():
		return arith.Cast(b, arith.Sitofp, e.integer(v, from, wide(from)), to.of())
	case to.isInteger():
		return arith.Cast(b, arith.Fptosi, v, to.of())
	case to == f64Type:
		return arith.Cast(b, arith.Extf, v, to.of())
	}
	return arith.Cast(b, arith.Truncf, v, to.of())
}

// wide is an integer that may become a float.
func wide(t ty) ty {
	if t == indexType {
		return i64Type
	}
	return t
}

func (e *emitter) call(n *node, want ty) ir.Value {
	op := functions()[n.text]
	args := lists.Map(n.args, func(a *node) ir.Value { return e.value(a, concrete(want)) })
	return e.OpAttr(op, fastMath(e.Ctx(), op), args...)
}

func (e *emitter) extern(n *node) ir.Value {
	args := lists.Map(n.args, func(a *node) ir.Value { return e.value(a, a.typ) })
	c := e.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "callee", Value: c.SymbolAttr(n.text)}}, []ir.NamedAttr{{Name: "irc.effects", Value: c.StringAttr("pure")}})
	return e.Must(ir.Call{Def: funcs.Call, Attr: attr, Args: args, Type: n.typ.of()})
}

var (
	ordersI = map[string]arith.CmpIPredicate{"==": arith.EQ, "!=": arith.NE, "<": arith.SLT, "<=": arith.SLE, ">": arith.SGT, ">=": arith.SGE}
	ordersF = map[string]arith.CmpFPredicate{"==": arith.OEQ, "!=": arith.UNE, "<": arith.OLT, "<=": arith.OLE, ">": arith.OGT, ">=": arith.OGE}
)

// operator makes an operator of operands of one type.
func (e *emitter) operator(n *node, want ty) ir.Value {
	b := e.Builder
	if i, ok := ordersI[n.op]; ok {
		t := concrete(join(n.args[0].typ, n.args[1].typ))
		x, y := e.value(n.args[0], t), e.value(n.args[1], t)
		if t.isFloat() {
			return arith.CmpF(b, ordersF[n.op], x, y)
		}
		return arith.CmpI(b, i, x, y)
	}
	// What coordinates make is computed as an index, wherever it goes.
	t := concrete(n.typ)
	if n.typ == whole {
		t = concrete(want)
	}
	args := lists.Map(n.args, func(a *node) ir.Value { return e.value(a, t) })
	v := e.apply(n.op, t, args)
	if t.isInteger() && t != concrete(want) {
		return e.integer(v, t, want)
	}
	return v
}

func (e *emitter) apply(op string, t ty, x []ir.Value) ir.Value {
	b := e.Builder
	switch op {
	case "not":
		return e.Op(arith.Xori, x[0], arith.ConstBool(b, true))
	case "and":
		return e.Op(arith.Andi, x...)
	case "or":
		return e.Op(arith.Ori, x...)
	case "mod":
		return e.modulo(t, x[0], x[1])
	case "floordiv":
		return e.Op(arith.Floordivsi, x...)
	case "ceildiv":
		return e.Op(arith.Ceildivsi, x...)
	}
	if t.isFloat() {
		if op == "-" && len(x) == 1 {
			return arith.NegF(b, x[0])
		}
		return arith.Float(b, map[string]*ir.OpDef{"+": arith.Addf, "-": arith.Subf, "*": arith.Mulf, "/": arith.Divf, "min": arith.Minnumf, "max": arith.Maxnumf,
			"minimum": arith.Minimumf, "maximum": arith.Maximumf}[op], 0, x...)
	}
	switch op {
	case "+":
		return arith.AddI(b, x[0], x[1])
	case "-":
		if len(x) == 1 {
			return arith.SubI(b, arith.Zero(b, t.of()), x[0])
		}
		return arith.SubI(b, x[0], x[1])
	case "*":
		return arith.MulI(b, x[0], x[1])
	case "abs":
		if t == indexType {
			return e.integer(e.Op(math.Absi, e.integer(x[0], t, i64Type)), i64Type, t)
		}
		return e.Op(math.Absi, x...)
	}
	return e.Op(map[string]*ir.OpDef{"min": arith.Minsi, "max": arith.Maxsi, "minimum": arith.Minsi, "maximum": arith.Maxsi}[op], x...)
}

// modulo is the remainder that has the sign of the divisor, as isl's mod.
func (e *emitter) modulo(t ty, x, y ir.Value) ir.Value {
	b := e.Builder
	q := e.Op(arith.Floordivsi, x, y)
	return arith.SubI(b, x, arith.MulI(b, q, y))
}
