package reductions

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/simplify"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// A reader makes equations of a system.
type reader struct {
	sys    *poly.System
	g      *ir.Graph
	known  affine.Analysis
	arrays map[*poly.ArrayDecl]*simplify.Array
	byNode map[ir.Value]*simplify.Array
	params map[ir.Value]string
}

// An unreadable system is one that stays as it is, with the reason.
type unreadable string

func (e unreadable) Error() string { return string(e) }

// read makes equations of a system of equations without a schedule.
func read(sys *poly.System) (_ *simplify.Program, _ map[*simplify.Equation]*poly.Stmt, err error) {
	defer unwind.To(&err)
	g := sys.Node.Graph()
	r := &reader{sys: sys, g: g, known: affine.Of(g), arrays: map[*poly.ArrayDecl]*simplify.Array{}, byNode: map[ir.Value]*simplify.Array{}, params: map[ir.Value]string{}}
	for i, name := range sys.Params {
		r.params[sys.Node.Arg(i).Old()] = name
	}
	program := &simplify.Program{Params: sys.Params, Context: sys.Context}
	for _, a := range sys.Arrays {
		if !a.HasExtent {
			return nil, nil, unreadable(fmt.Sprintf("%s has no extent", a.Name))
		}
		x := &simplify.Array{Name: a.Name, Extent: a.Extent, Input: a.Role == poly.Input, Bound: a.Role != poly.Input && a.Role != poly.LocalRole,
			Exact: !g.Ctx.IsFloat(a.Elem), Client: a}
		r.arrays[a], r.byNode[a.Node.Old()] = x, x
		program.Arrays = append(program.Arrays, x)
	}
	for a := range comparedArrays(sys) {
		r.arrays[a].Equal = true
	}
	of := map[*simplify.Equation]*poly.Stmt{}
	for _, st := range sys.Statements {
		if st.HasAfter {
			return nil, nil, unreadable(fmt.Sprintf("%s reads partial sums", st.Name))
		}
		e := r.equation(st)
		of[e] = st
		program.Equations = append(program.Equations, e)
	}
	return program, of, nil
}

// comparedArrays are the arrays of floats whose elements a statement compares with something: what they are the greatest of, perhaps.
func comparedArrays(sys *poly.System) map[*poly.ArrayDecl]bool {
	out := map[*poly.ArrayDecl]bool{}
	g := sys.Node.Graph()
	for _, st := range sys.Statements {
		region := st.Node.Region(0)
		params := region.Params()[st.Domain.Tuple().Len():]
		for _, v := range ir.ScheduleOf(g).Body(region.Old()) {
			if g.Def(v) != arith.Cmpf {
				continue
			}
			for _, x := range g.Args(v) {
				if k := slices.IndexFunc(params, func(p ir.Node) bool { return p.Old() == x }); k >= 0 {
					out[st.Reads[k].Array] = true
				}
			}
		}
	}
	return out
}

// bare is a tuple of the same dimensions without a name.
func bare(t presburger.Tuple) presburger.Tuple { return presburger.NewTuple("", t.Dims()...) }

func (r *reader) equation(st *poly.Stmt) *simplify.Equation {
	t := st.Domain.Tuple()
	unname := poly.Renaming(t.Name(), "", t.Len())
	e := &simplify.Equation{Name: st.Name, Target: r.arrays[st.Target]}
	if st.Operator != poly.Set {
		e.Op = simplify.Operator(st.Operator)
	}
	e.Domain = unwind.Must(st.Domain.Apply(unname))
	e.Domain = withNames(e.Domain, t)
	e.Write = unwind.Must(st.Write.Compose(unname.Inverse()))
	region := st.Node.Region(0)
	b := &bodyReader{reader: r, st: st, t: bare(t), op: st.Operator, params: map[ir.Value]int{}, made: map[ir.Value]*simplify.Expr{}}
	for i, p := range region.Params() {
		b.params[p.Old()] = i
	}
	for _, a := range st.Reads {
		m := unwind.Must(a.Map.Compose(unname.Inverse()))
		b.reads = append(b.reads, &simplify.Expr{Kind: simplify.Read, Array: r.arrays[a.Array], Map: m})
	}
	for _, y := range region.Yields()[1:] { // indices at which it accumulates: it is not simplified
		e.Keys = append(e.Keys, b.expr(y.Old()))
	}
	e.Body = b.expr(region.Yields()[0].Old())
	unwind.Check(b.err)
	return e
}

// withNames gives dimensions the names of a tuple.
func withNames(s presburger.Set, t presburger.Tuple) presburger.Set {
	bs := s.Basics()
	for i := range bs {
		bs[i].Out = bare(t)
	}
	if len(bs) == 0 {
		return s
	}
	return presburger.SetOf(bs...)
}

// A bodyReader makes expressions of the body of a statement.
type bodyReader struct {
	*reader
	st     *poly.Stmt
	t      presburger.Tuple
	op     poly.Operator
	params map[ir.Value]int
	reads  []*simplify.Expr
	made   map[ir.Value]*simplify.Expr
	err    error
}

// operators are those ops that combine their operands.
var operators = map[*ir.OpDef]simplify.Operator{
	arith.Addf: simplify.Add, arith.Addi: simplify.Add, arith.Mulf: simplify.Mul, arith.Muli: simplify.Mul,
	arith.Maxnumf: simplify.Max, arith.Maxsi: simplify.Max, arith.Maximumf: simplify.Maximum,
	arith.Minnumf: simplify.Min, arith.Minsi: simplify.Min, arith.Minimumf: simplify.Minimum,
}

// expr is the expression of a value, each value's once: two uses of a value are one expression, so
// package simplify sees that they are equal.
func (b *bodyReader) expr(v ir.Value) *simplify.Expr {
	if e, ok := b.made[v]; ok {
		return e
	}
	e := b.make(v)
	b.made[v] = e
	return e
}

// make reads a value of the body:
//   - a coordinate, or what a reading relation gives;
//   - an operator that simplify knows: subtraction is the addition of a negative, so that what is
//     subtracted can be moved like what is added;
//   - poly.at, which reads at computed indices;
//   - any other op, which is a function of its operands, with its affine value where there is one.
//
// Integers of type index are not combined: they are indices, and their affine form says more.
func (b *bodyReader) make(v ir.Value) *simplify.Expr {
	dims := b.t.Len()
	if i, ok := b.params[v]; ok {
		if i < dims {
			return &simplify.Expr{Kind: simplify.Coord, Dim: i}
		}
		return b.reads[i-dims]
	}
	n := b.g.NodeOf(v)
	if _, ok := n.Const(); ok || n.NumArgs() == 0 || b.params == nil {
		return &simplify.Expr{Kind: simplify.Apply, Client: n}
	}
	if len(b.g.Regions(v)) > 0 {
		b.err = unreadable(fmt.Sprintf("%s has an op with a region in its body", b.st.Name))
		return &simplify.Expr{Kind: simplify.Apply, Client: n}
	}
	args := func(from int) (out []*simplify.Expr) {
		return lists.Map(n.Args()[from:], func(a ir.Node) *simplify.Expr { return b.expr(a.Old()) })
	}
	def := n.Def()
	switch {
	case def == poly.At:
		return &simplify.Expr{Kind: simplify.Gather, Array: b.byNode[n.Arg(0).Old()], Args: args(1), Client: n}
	case def == arith.Subf || def == arith.Subi && n.Type() != ir.Index:
		x := args(0)
		return &simplify.Expr{Kind: simplify.Combine, Op: simplify.Add, Client: n, Args: []*simplify.Expr{x[0], {Kind: simplify.Negative, Args: x[1:]}}}
	case def == arith.Negf:
		return &simplify.Expr{Kind: simplify.Negative, Args: args(0)}
	case operators[def] != "" && n.Type() != ir.Index:
		return &simplify.Expr{Kind: simplify.Combine, Op: operators[def], Args: args(0), Client: n}
	case (def == arith.Andi || def == arith.Ori) && n.Type() == ir.I1:
		return &simplify.Expr{Kind: simplify.Combine, Op: map[*ir.OpDef]simplify.Operator{arith.Andi: simplify.And, arith.Ori: simplify.Or}[def], Args: args(0), Client: n}
	}
	e := &simplify.Expr{Kind: simplify.Apply, Args: args(0), Client: n}
	if m, ok := b.linear(v); ok {
		e.Affine, e.Value = true, m
	}
	if def == arith.Select {
		return b.choice(n, e)
	}
	return e
}

// linear is an index as an affine function of the instance.
func (b *bodyReader) linear(v ir.Value) (m presburger.Map, ok bool) {
	if n := b.g.NodeOf(v); n.Def() == arith.Sitofp && n.Type() == ir.F64 { // sizes of arrays are exact
		v = n.Arg(0).Old()
	}
	if b.g.Type(v) != ir.Index && b.g.Type(v) != ir.I64 {
		return m, false
	}
	s, ok := b.sum(v)
	if !ok {
		return m, false
	}
	row := make([]presburger.Int, 1+len(b.sys.Params)+b.t.Len()+1)
	copy(row, s)
	row[len(row)-1] = presburger.NewInt(-1)
	return presburger.MapOf(presburger.Basic{Params: b.sys.Params, In: b.t, Out: presburger.NewTuple("", ""), Eq: [][]presburger.Int{row}}), true
}

// sum is a row of a constant, and the coefficients of parameters and coordinates.
func (b *bodyReader) sum(v ir.Value) ([]presburger.Int, bool) {
	l := b.known.Linear(v)
	row := make([]presburger.Int, 1+len(b.sys.Params)+b.t.Len())
	row[0] = presburger.NewInt(l.Int(l.Const))
	for _, t := range l.Terms {
		at := -1
		if i, ok := b.params[t.Value]; ok && i < b.t.Len() {
			at = 1 + len(b.sys.Params) + i
		}
		for i, name := range b.sys.Params {
			if b.reader.params[t.Value] == name {
				at = 1 + i
			}
		}
		if at < 0 {
			return nil, false
		}
		row[at] = presburger.NewInt(l.Int(t.Coef))
	}
	return row, true
}

// choice is a value by a condition, as cases if that compares affine functions of the instance.
func (b *bodyReader) choice(n ir.Node, e *simplify.Expr) *simplify.Expr {
	c := n.Arg(0)
	if c.Def() != arith.Cmpi {
		return e
	}
	x, ok := b.sum(c.Arg(0).Old())
	y, also := b.sum(c.Arg(1).Old())
	if !ok || !also {
		return e
	}
	where, ok := compared(arith.PredicateOfI(b.g.Ctx, c.Attrs()), x, y, b.sys.Params, b.t)
	if !ok {
		return e
	}
	out := &simplify.Expr{Kind: simplify.Select, Where: where, Cond: e.Args[0], Client: n, Args: e.Args[1:]}
	for i, a := range out.Args {
		v, ok := n.Arg(1 + i).Const()
		if ok && b.op != poly.Set && v == b.op.Identity(b.g.Ctx, n.Type()) {
			out.Args[i] = &simplify.Expr{Kind: simplify.Identity, Client: a.Client}
		}
	}
	return out
}

// compared is the instances at which a comparison of two rows holds.
func compared(p arith.CmpIPredicate, x, y []presburger.Int, params []string, t presburger.Tuple) (presburger.Set, bool) {
	minus := func(a, b []presburger.Int, less int64) []presburger.Int {
		out := make([]presburger.Int, len(a))
		for i := range a {
			out[i] = a[i].Sub(b[i])
		}
		out[0] = out[0].Sub(presburger.NewInt(less))
		return out
	}
	set := func(eq, ge [][]presburger.Int) presburger.Set {
		return presburger.SetOf(presburger.Basic{Params: params, Out: t, Eq: eq, Ge: ge})
	}
	row := func(r []presburger.Int) [][]presburger.Int { return [][]presburger.Int{r} }
	// Of integers x < y is y - x - 1 >= 0, and x != y is a union of two sets. Unsigned comparisons are
	// not affine in the signed rows.
	switch p {
	case arith.EQ:
		return set(row(minus(x, y, 0)), nil), true
	case arith.NE:
		return set(nil, row(minus(x, y, 1))).Union(set(nil, row(minus(y, x, 1)))), true
	case arith.SLT:
		return set(nil, row(minus(y, x, 1))), true
	case arith.SLE:
		return set(nil, row(minus(y, x, 0))), true
	case arith.SGT:
		return set(nil, row(minus(x, y, 1))), true
	case arith.SGE:
		return set(nil, row(minus(x, y, 0))), true
	}
	return presburger.Set{}, false
}
