package reductions

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/simplify"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A result is what becomes of a system.
type result struct {
	arrays []*simplify.Array                 // new ones
	by     map[ir.Value][]*simplify.Equation // by the statement in whose place they are
	gone   map[ir.Value]bool                 // statements and arrays
	params []string
}

// rebuild makes the system with the new arrays, and the equations in the place of those that they
// are made of.
func (x *result) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	b := m.B
	at := b.Loc
	region := b.Region(ir.Once, nil, func([]ir.Value) {
		w := &writer{m: m, b: b, result: x, system: n, arrays: map[*simplify.Array]ir.Value{}}
		for _, a := range x.arrays {
			w.arrays[a] = poly.NewLocal(b, a.Name, a.Extent, m.Type(a.Client.(*poly.ArrayDecl).Elem))
		}
		m.BodyWithout(n.Region(0), func(n ir.Node) bool { return x.gone[n.Old()] })
		for _, v := range m.Schedule().Body(n.Region(0).Old()) {
			for _, e := range x.by[v] {
				w.equation(e, n.Graph().LocsOf(v))
			}
		}
		b.Op(poly.Yield)
	})
	return b.Must(ir.Call{Def: poly.SystemOp, Args: m.All(n.Args()), Attr: n.Attrs(), Regions: []ir.Region{region}, Loc: at})
}

// A writer makes statements of equations.
type writer struct {
	*result
	m      *ir.Mirror
	b      *ir.Builder
	system ir.Node
	arrays map[*simplify.Array]ir.Value
}

// array is a new array of the system, or the one that was there.
func (w *writer) array(a *simplify.Array) ir.Value {
	if v, ok := w.arrays[a]; ok {
		return v
	}
	return w.m.Of(a.Client.(*poly.ArrayDecl).Node)
}

// must is for operations on sets that simplify has done already: they cannot run out of budget.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err) // of sets that were computed with before
	}
	return x
}

// equation makes the statement of an equation. Relations of package simplify have no names of tuples:
// those of the statement are put in. Each read of the body becomes one reading relation, however
// often the body uses it.
func (w *writer) equation(e *simplify.Equation, at []ir.Loc) {
	t := e.Domain.Tuple()
	named := poly.Renaming("", e.Name, t.Len())
	domain := must(e.Domain.Apply(named))
	write := must(e.Write.Compose(named.Inverse()))
	body := &bodyWriter{writer: w, made: map[*simplify.Expr]ir.Value{}, at: map[*simplify.Expr]int{}}
	var reads []poly.NewAccess
	simplify.Walk(e.Body, func(x *simplify.Expr) {
		if _, ok := body.at[x]; x.Kind == simplify.Read && !ok {
			body.at[x] = len(reads)
			reads = append(reads, poly.NewAccess{Array: w.array(x.Array), Map: must(x.Map.Compose(named.Inverse()))})
		}
	})
	op := poly.Set
	if e.Op != simplify.Set {
		op = poly.Operator(e.Op)
	}
	if len(at) > 0 {
		w.b.Loc = at[0]
	}
	poly.NewStatement(w.b, e.Name, domain, op, poly.NewAccess{Array: w.array(e.Target), Map: write}, reads, func(coords, values []ir.Value) ir.Value {
		body.coords, body.values = coords, values
		body.typ = w.m.Type(e.Target.Client.(*poly.ArrayDecl).Elem)
		body.op = op
		return body.value(e.Body)
	})
}

// A bodyWriter makes the ops of a body.
type bodyWriter struct {
	*writer
	op             poly.Operator
	typ            ir.Type // of what is combined
	coords, values []ir.Value
	at             map[*simplify.Expr]int
	made           map[*simplify.Expr]ir.Value
}

// value is the op of an expression, each made once: what is shared stays shared.
func (w *bodyWriter) value(e *simplify.Expr) ir.Value {
	if v, ok := w.made[e]; ok {
		return v
	}
	v := w.make(e)
	w.made[e] = v
	return v
}

func (w *bodyWriter) all(es []*simplify.Expr) (out []ir.Value) {
	return lists.Map(es, w.value)
}

// make writes an expression. Some have no op that they were read from:
//   - Times is a value that is summed or multiplied Count times, a polynomial of the coordinates;
//   - Linear is an affine function as a number;
//   - Restart begins a running combination anew at each block of a window: where the place is a
//     multiple of the width, it is the operator's identity.
func (w *bodyWriter) make(e *simplify.Expr) ir.Value {
	b := w.b
	switch e.Kind {
	case simplify.Coord:
		return w.coords[e.Dim]
	case simplify.Read:
		return w.values[w.at[e]]
	case simplify.Gather:
		return b.Op(poly.At, append([]ir.Value{w.array(e.Array)}, w.all(e.Args)...)...)
	case simplify.Combine:
		args := w.all(e.Args)
		v := args[0]
		for _, a := range args[1:] {
			v = w.combine(e.Op, v, a)
		}
		return v
	case simplify.Negative:
		v := w.value(e.Args[0])
		if b.Ctx().IsFloat(b.Graph().Type(v)) {
			return arith.NegF(b, v)
		}
		return arith.SubI(b, arith.Zero(b, b.Graph().Type(v)), v)
	case simplify.Select:
		return arith.Choose(b, w.value(e.Cond), w.value(e.Args[0]), w.value(e.Args[1]))
	case simplify.Times:
		v := w.value(e.Args[0])
		if e.Op == simplify.Mul {
			return w.power(v, w.polynomial(e.Count))
		}
		return w.combine(simplify.Mul, w.convert(w.polynomial(e.Count), b.Graph().Type(v)), v)
	case simplify.Linear:
		return w.convert(w.sum(e.Row, w.atoms(len(e.Row)-1)), w.m.Type(e.Client.(ir.Node).Type()))
	case simplify.Restart:
		v := w.value(e.Args[0])
		place, width := w.sum(e.Row, w.atoms(len(e.Row)-1)), w.sum(e.Width, w.atoms(len(e.Width)-1))
		begins := arith.CmpI(b, arith.EQ, b.Op(arith.Remsi, place, width), b.Index(0))
		return arith.Choose(b, begins, b.Const(w.typ, w.op.Identity(b.Ctx(), w.typ)), v)
	case simplify.Identity: // of integers that a sum of floats converts, too
		t := w.m.Type(e.Client.(ir.Node).Type())
		return b.Const(t, w.op.Identity(b.Ctx(), t))
	}
	n := e.Client.(ir.Node)
	if len(e.Args) == 0 {
		return w.m.Of(n)
	}
	return b.Must(ir.Call{Def: n.Def(), Args: w.all(e.Args), Attr: n.Attrs(), Type: w.m.Type(n.Type())})
}

// combine combines two values by an operator of their type.
func (w *bodyWriter) combine(op simplify.Operator, x, y ir.Value) ir.Value {
	b := w.b
	t := b.Graph().Type(x)
	if b.Ctx().IsFloat(t) {
		return arith.Float(b, map[simplify.Operator]*ir.OpDef{simplify.Add: arith.Addf, simplify.Mul: arith.Mulf, simplify.Max: arith.Maxnumf, simplify.Min: arith.Minnumf,
			simplify.Maximum: arith.Maximumf, simplify.Minimum: arith.Minimumf}[op], 0, x, y)
	}
	switch op {
	case simplify.Add:
		return arith.AddI(b, x, y)
	case simplify.Mul:
		return arith.MulI(b, x, y)
	}
	return b.Op(map[simplify.Operator]*ir.OpDef{simplify.Max: arith.Maxsi, simplify.Min: arith.Minsi, simplify.And: arith.Andi, simplify.Or: arith.Ori}[op], x, y)
}

// power is a product of equal values. That of integers is of 64 bits, which the exponent fits, and
// then what their own width has of it.
func (w *bodyWriter) power(v, n ir.Value) ir.Value {
	b := w.b
	t := b.Graph().Type(v)
	n = arith.Cast(b, arith.IndexCast, n, ir.I64)
	switch info := b.Ctx().Info(t); {
	case b.Ctx().IsFloat(t):
		return arith.Float(b, math.Fpowi, 0, v, n)
	case t == ir.Index:
		return arith.Cast(b, arith.IndexCast, b.Op(math.Ipowi, arith.Cast(b, arith.IndexCast, v, ir.I64), n), t)
	case info.Width < 64:
		return arith.Cast(b, arith.Trunci, b.Op(math.Ipowi, arith.Cast(b, arith.Extui, v, ir.I64), n), t)
	}
	return b.Op(math.Ipowi, v, n)
}

// convert takes an index to a type of numbers.
func (w *bodyWriter) convert(v ir.Value, t ir.Type) ir.Value {
	b := w.b
	switch {
	case t == ir.Index:
		return v
	case b.Ctx().IsFloat(t):
		return arith.Cast(b, arith.Sitofp, arith.Cast(b, arith.IndexCast, v, ir.I64), t)
	}
	return arith.Cast(b, arith.IndexCast, v, t)
}

// polynomial computes one of the parameters and the coordinates, as an index: its terms over
// their common denominator, which divides their sum.
func (w *bodyWriter) polynomial(p presburger.Polynomial) ir.Value {
	b := w.b
	atoms := w.atoms(len(p.Params()))
	for _, f := range p.Floors() {
		atoms = append(atoms, b.Op(arith.Floordivsi, w.sum(f.Num, atoms), w.number(f.Den)))
	}
	den := presburger.NewInt(1)
	for _, m := range p.Monomials() {
		den = den.LCM(m.Coefficient.Den)
	}
	total := b.Index(0)
	for _, m := range p.Monomials() {
		v := w.number(m.Coefficient.Num.Mul(den.FloorDiv(m.Coefficient.Den)))
		for _, f := range m.Factors {
			for range f.Exponent {
				v = arith.MulI(b, v, atoms[f.Atom])
			}
		}
		total = arith.AddI(b, total, v)
	}
	if den.Cmp(presburger.NewInt(1)) == 0 {
		return total
	}
	return b.Op(arith.Floordivsi, total, w.number(den))
}

// atoms are the first n of the parameters and the coordinates.
func (w *bodyWriter) atoms(n int) (out []ir.Value) {
	for i := range w.params {
		out = append(out, w.m.Of(w.system.Arg(i)))
	}
	return append(out, w.coords[:n-len(w.params)]...)
}

// number is an integer as an index. The coefficients of a system that was read fit 64 bits.
func (w *bodyWriter) number(x presburger.Int) ir.Value {
	n, _ := x.Int64()
	return w.b.Index(n)
}

// sum is a row of a constant and the coefficients of atoms, as an index.
func (w *bodyWriter) sum(row []presburger.Int, atoms []ir.Value) ir.Value {
	v := w.number(row[0])
	for i, x := range row[1:] {
		if x.Sign() != 0 {
			v = arith.AddI(w.b, v, arith.MulI(w.b, w.number(x), atoms[i]))
		}
	}
	return v
}
