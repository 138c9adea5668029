package dialects_test

import (
	"fmt"
	gomath "math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// gen makes the same random expression in two builders: one folds, one does not.
type gen struct {
	*rand.Rand
	c    *ir.Context
	b    [2]*ir.Builder
	pool []([2]ir.Value)
	fast bool // float ops with licences, on numbers that no rounding hurts
}

func newGen(seed uint64, c *ir.Context) *gen {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 7)), c: c}
	g.b = [2]*ir.Builder{ir.NewBuilder(c), ir.NewBuilder(c, ir.Plain)}
	g.fast = g.IntN(4) == 0
	return g
}

func (g *gen) typeOf(v [2]ir.Value) ir.Type { return g.b[1].Graph().Type(v[1]) }

var (
	widths  = []ir.Type{ir.I1, ir.I8, ir.I32, ir.I64, ir.Index}
	formats = []ir.Type{ir.F16, ir.BF16, ir.F32, ir.F64}
)

// number is a value that rules look for, or any.
func (g *gen) number(t ir.Type) uint64 {
	if g.c.IsInt(t) {
		w := g.c.Info(t).Width
		some := []int64{0, 0, 1, 1, -1, 2, 3, gomath.MaxInt64 >> (64 - w), gomath.MinInt64 >> (64 - w), int64(g.Uint64())}
		return ir.IntVal(some[g.IntN(len(some))], w).Bits
	}
	some := []float64{0, gomath.Copysign(0, -1), 1, 1, -1, 2, 0.5, 3, gomath.NaN(), gomath.Inf(1), gomath.Inf(-1), g.NormFloat64() * 100}
	if g.fast {
		some = []float64{0, gomath.Copysign(0, -1), 1, -1, 2, 0.5, 3, 1 + g.Float64()}
	}
	return ir.FloatToBits(some[g.IntN(len(some))], t)
}

func (g *gen) value(t ir.Type) ir.Val {
	info := g.c.Info(t)
	if info.Kind != ir.KindVector {
		return ir.Val{Bits: g.number(t)}
	}
	out := make(ir.Vector, info.Shape[0])
	for i := range out {
		out[i] = ir.Val{Bits: g.number(info.Elem)}
	}
	return ir.Val{Ref: out}
}

// operand is a constant, or something of the type that is there already.
func (g *gen) operand(t ir.Type) [2]ir.Value {
	if g.IntN(3) == 0 {
		v := g.value(t)
		if vec, ok := v.Ref.(ir.Vector); ok && g.IntN(2) == 0 {
			for i := range vec {
				vec[i] = vec[0]
			}
		}
		return [2]ir.Value{g.b[0].Const(t, v), g.b[1].Const(t, v)}
	}
	var fit [][2]ir.Value
	for _, v := range g.pool {
		if g.typeOf(v) == t {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		v := g.value(t)
		return [2]ir.Value{g.b[0].Const(t, v), g.b[1].Const(t, v)}
	}
	return fit[max(0, len(fit)-1-g.IntN(4))]
}

func (g *gen) emit(d *ir.OpDef, attr ir.Attr, t ir.Type, args ...[2]ir.Value) {
	var out [2]ir.Value
	for i, b := range g.b {
		vs := make([]ir.Value, len(args))
		for j, a := range args {
			vs[j] = a[i]
		}
		out[i] = b.Must(ir.Call{Def: d, Attr: attr, Args: vs, Type: t})
	}
	if n := g.b[1].Graph().Results(out[1]); n > 1 {
		for i := range n {
			g.pool = append(g.pool, [2]ir.Value{g.b[0].Result(out[0], i), g.b[1].Result(out[1], i)})
		}
		return
	}
	g.pool = append(g.pool, out)
}

func pickOf[T any](g *gen, list ...T) T { return list[g.IntN(len(list))] }

// shape makes a vector type of t now and then.
func (g *gen) shape(t ir.Type) ir.Type {
	if g.c.Info(t).Kind != ir.KindVector && g.vectors() {
		return g.c.Vector([]int64{2}, t)
	}
	return t
}

// vectors: a whole expression is of vectors or of scalars.
func (g *gen) vectors() bool {
	return len(g.pool) > 0 && g.c.Info(g.typeOf(g.pool[0])).Kind == ir.KindVector
}

func (g *gen) step(ints, floats ir.Type) {
	kind := g.IntN(13)
	if g.fast {
		kind = 5
	}
	switch {
	case kind < 4:
		g.intOp(g.shape(ints))
	case kind < 7:
		g.floatOp(g.shape(floats))
	case kind < 8:
		g.mathOp(ints, floats)
	case kind < 10:
		g.compare(ints, floats)
	case kind < 11:
		g.choices(g.shape(floats))
	default:
		g.cast()
	}
}

// choices are two of the same numbers, and the larger or smaller of them.
func (g *gen) choices(t ir.Type) {
	var numbers [2][2]ir.Value
	for i := range numbers {
		v := g.value(t)
		numbers[i] = [2]ir.Value{g.b[0].Const(t, v), g.b[1].Const(t, v)}
	}
	for range 2 {
		g.emit(arith.Select, 0, 0, g.operand(g.shape(ir.I1)), numbers[0], numbers[1])
	}
	n := len(g.pool)
	g.emit(pickOf(g, arith.Maximumf, arith.Minimumf), arith.FastMathProps(g.c, 0), 0, g.pool[n-2], g.pool[n-1])
}

func (g *gen) intOp(t ir.Type) {
	d := pickOf(g, arith.Addi, arith.Subi, arith.Muli, arith.Shli, arith.Shrui, arith.Shrsi, arith.Andi, arith.Ori, arith.Xori,
		arith.Maxsi, arith.Maxui, arith.Minsi, arith.Minui, arith.Divui, arith.Divsi, arith.Ceildivui, arith.Ceildivsi,
		arith.Floordivsi, arith.Remui, arith.Remsi, arith.AdduiExtended, arith.MuluiExtended, arith.MulsiExtended,
		arith.Addi, arith.Subi, arith.Muli, math.Ipowi, math.Absi, math.Ctlz, math.Cttz, math.Ctpop)
	attr := ir.Attr(0)
	if len(d.Attrs) > 0 && g.IntN(3) > 0 {
		attr = arith.OverflowProps(g.c, arith.Overflow(g.IntN(4)))
	}
	args := [][2]ir.Value{g.operand(t)}
	if len(d.Args) == 2 {
		args = append(args, g.operand(t))
	}
	g.emit(d, attr, 0, args...)
}

func (g *gen) floatOp(t ir.Type) {
	d := pickOf(g, arith.Addf, arith.Subf, arith.Mulf, arith.Divf, arith.Negf, arith.Remf, arith.Maximumf, arith.Minimumf, arith.Maxnumf, arith.Minnumf)
	f := arith.FastMath(0)
	if g.fast {
		d = pickOf(g, arith.Addf, arith.Subf, arith.Mulf, arith.Divf, arith.Negf)
		f = pickOf(g, arith.Fast, arith.Reassoc, arith.Nsz|arith.NNan, arith.Arcp)
	}
	args := [][2]ir.Value{g.operand(t), g.operand(t)}
	attr := arith.FastMathProps(g.c, f)
	if !g.fast && g.IntN(4) == 0 {
		attr = 0
	}
	g.emit(d, attr, 0, args[:len(d.Args)]...)
}

func (g *gen) mathOp(ints, floats ir.Type) {
	t := g.shape(floats)
	d := pickOf(g, math.Dialect.Ops...)
	switch {
	case d == math.Fpowi:
		g.emit(d, 0, 0, g.operand(t), g.operand(g.shape(ints)))
	case strings.HasPrefix(d.Name, "math.ct") || d == math.Absi || d == math.Ipowi:
		g.intOp(g.shape(ints))
	default:
		var args [][2]ir.Value
		for range d.Args {
			args = append(args, g.operand(t))
		}
		g.emit(d, 0, 0, args...)
	}
}

func (g *gen) compare(ints, floats ir.Type) {
	t := pickOf(g, ints, ints, ir.I1)
	switch g.IntN(5) {
	case 0:
		g.emit(arith.Cmpf, arith.PredicateF(g.c, arith.CmpFPredicate(g.IntN(16)), 0), 0, g.operand(g.shape(floats)), g.operand(g.shape(floats)))
	case 1, 2:
		g.emit(arith.Cmpi, arith.PredicateI(g.c, arith.CmpIPredicate(g.IntN(10))), 0, g.operand(g.shape(t)), g.operand(g.shape(t)))
	default:
		cond := g.operand(g.shape(ir.I1))
		s := g.shape(pickOf(g, t, t, floats))
		g.emit(arith.Select, 0, 0, cond, g.operand(s), g.operand(s))
	}
}

func (g *gen) cast() {
	from := g.pool[max(0, len(g.pool)-1-g.IntN(4))]
	to := g.shape(pickOf(g, pickOf(g, widths...), pickOf(g, formats...)))
	attr := ir.Attr(0)
	for _, d := range []*ir.OpDef{arith.Extui, arith.Extsi, arith.Trunci, arith.Extf, arith.Truncf, arith.Uitofp, arith.Sitofp,
		arith.Fptoui, arith.Fptosi, arith.IndexCast, arith.IndexCastui, arith.Bitcast} {
		call := ir.Call{Def: d, Attr: attr, Args: []ir.Value{from[1]}, Type: to}
		if g.IntN(2) == 0 {
			continue
		}
		if _, err := g.b[1].Make(call); err == nil {
			g.emit(d, attr, to, from)
			return
		}
	}
}

// run evaluates a graph's nodes in order. Poison, traps and what they reach are
// marked; nnan makes NaN poison. wild: a NaN or infinity was met.
func run(g *ir.Graph, params []ir.Val) (vals map[ir.Value]ir.Val, wild bool) {
	calls := ir.CallsOf(g)
	vals = map[ir.Value]ir.Val{}
	trap := ir.Val{Ref: ir.Trapf("")}
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		if _, i, ok := g.Param(v); ok {
			vals[v] = params[i]
			continue
		}
		if n, i, ok := g.Projection(v); ok {
			x := vals[n]
			if vec, ok := x.Ref.(ir.Vector); ok {
				x = vec[i]
			}
			vals[v] = x
			continue
		}
		if k, ok := g.Const(v); ok {
			vals[v] = k
			continue
		}
		if !g.IsOp(v) {
			continue
		}
		args, bad := []ir.Val{}, false
		for _, a := range g.Args(v) {
			_, isTrap := vals[a].Ref.(error)
			bad = bad || isTrap
			args = append(args, vals[a])
		}
		x := trap
		if !bad {
			r, err := g.Def(v).Eval(calls.Of(v), args)
			if err == nil {
				x = r
			}
		}
		vals[v] = x
	}
	for v, x := range vals {
		f := g.Ctx.ElemOrSelf(g.Type(v))
		if vec, ok := x.Ref.(ir.Vector); !ok {
			wild = wild || isWild(x, f, g.Ctx)
		} else {
			for _, e := range vec {
				wild = wild || isWild(e, f, g.Ctx)
			}
		}
	}
	return vals, wild
}

func isWild(x ir.Val, t ir.Type, c *ir.Context) bool {
	if !c.IsFloat(t) || x.Ref != nil {
		return false
	}
	y := x.Float(t)
	return gomath.IsNaN(y) || gomath.IsInf(y, 0)
}

// refines reports that got may stand for want: equal, unless want is poison or a
// trap.
func refines(c *ir.Context, t ir.Type, got, want ir.Val, tolerance float64) bool {
	if want.IsPoison() {
		return true
	}
	if _, trap := want.Ref.(error); trap {
		return true
	}
	if vec, ok := want.Ref.(ir.Vector); ok {
		g, ok := got.Ref.(ir.Vector)
		for i := range vec {
			if !ok || !refines(c, c.ElemOrSelf(t), g[i], vec[i], tolerance) {
				return false
			}
		}
		return true
	}
	if got.Ref != nil {
		return false
	}
	if !c.IsFloat(t) {
		return got.Bits == want.Bits
	}
	x, y := got.Float(t), want.Float(t)
	if gomath.IsNaN(x) && gomath.IsNaN(y) || got.Bits == want.Bits {
		return true
	}
	return gomath.Abs(x-y) <= tolerance*max(gomath.Abs(y), tolerance)
}

func TestFoldsKeepTheMeaning(t *testing.T) {
	rounds := 40000
	if testing.Short() {
		rounds = 6000
	}
	c := ir.NewContext(mine...)
	for seed := range uint64(rounds) {
		g := newGen(seed, c)
		ints, floats := pickOf(g, widths...), pickOf(g, formats...)
		if g.fast {
			floats = ir.F64
		}
		types := []ir.Type{ints, ints, floats, floats, ir.I1}
		if g.IntN(4) == 0 && !g.fast {
			for i, x := range types {
				types[i] = c.Vector([]int64{2}, x)
			}
		}
		for _, x := range types {
			g.pool = append(g.pool, [2]ir.Value{g.b[0].Param(x), g.b[1].Param(x)})
		}
		for range 3 + g.IntN(8) {
			g.step(ints, floats)
		}
		graphs := [2]*ir.Graph{g.b[0].Graph(), g.b[1].Graph()}
		ops := fmt.Sprint(names(graphs[1]))
		pow := strings.Contains(ops, "pow")
		signs := strings.Contains(ops, "bitcast") || strings.Contains(ops, "copysign")
		for range 4 {
			params := make([]ir.Val, len(types))
			for i, x := range types {
				params[i] = g.value(x)
			}
			want, wild := run(graphs[1], params)
			got, wild0 := run(graphs[0], params)
			tolerance := 0.0
			if g.fast {
				tolerance = 1e-9
				if wild || wild0 {
					continue
				}
			}
			if signs && (wild || wild0) {
				continue // the sign of a NaN is anybody's
			}
			if pow {
				continue // x^2 and x * x differ in the last place, and what follows in more
			}
			for _, v := range g.pool {
				if !refines(c, g.typeOf(v), got[v[0]], want[v[1]], tolerance) {
					t.Fatalf("seed %d: got %v, want %v with %v of\n%s\n as \n%s", seed, got[v[0]], want[v[1]], params,
						show(g, 1, v[1]), show(g, 0, v[0]))
				}
			}
		}
	}
	if testing.Short() {
		return // too few expressions for every rule
	}
	fired := map[string]bool{}
	for _, r := range c.FiredRules() {
		fired[r] = true
	}
	for _, r := range directed(t) {
		fired[r] = true
	}
	for _, d := range mine {
		for _, f := range d.Folds {
			if !fired[f.Rule] {
				t.Errorf("rule never fires: %s", f.Rule)
			}
		}
	}
}

func names(g *ir.Graph) (out []string) {
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		out = append(out, g.Def(v).Name)
	}
	return out
}

// show prints a graph that gives v.
func show(g *gen, i int, v ir.Value) string {
	b := g.b[i]
	b.Op(special.Print) // keeps the graph from being empty
	b.Must(ir.Call{Def: builtin.Cast, Args: []ir.Value{v}, Type: ir.None})
	var sb strings.Builder
	gr := b.Graph()
	for v := ir.Value(1); int(v) < gr.Len(); v++ {
		if gr.IsOp(v) {
			fmt.Fprintf(&sb, "  %d = %s %v %s : %s\n", v, gr.Def(v).Name, gr.Args(v), attrText(gr, v), text.TypeString(g.c, gr.Type(v)))
		}
	}
	return sb.String()
}

func attrText(g *ir.Graph, v ir.Value) (s string) {
	if a := g.AttrsOf(v); a != 0 {
		for _, e := range g.Ctx.AttrInfo(a).Dict {
			s += e.Name + "=" + text.AttrString(g.Ctx, e.Value) + " "
		}
	}
	return s
}

// directed fires the rules that random expressions do not reach.
func directed(t *testing.T) []string {
	t.Helper()
	c := ir.NewContext(mine...)
	b := ir.NewBuilder(c)
	x, y := b.Param(ir.I32), b.Param(ir.F64)
	equal := func(what string, got, want ir.Value) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got node %d, want %d", what, got, want)
		}
	}
	idx := b.Must(ir.Call{Def: builtin.Cast, Args: []ir.Value{x}, Type: ir.Index})
	equal("cast back", b.Must(ir.Call{Def: builtin.Cast, Args: []ir.Value{idx}, Type: ir.I32}), x)
	equal("cast to itself", b.Must(ir.Call{Def: builtin.Cast, Args: []ir.Value{x}, Type: ir.I32}), x)
	one := arith.ConstF64(b, 1)
	equal("xlogy", b.Op(special.Xlogy, one, y), arith.Float(b, math.Log, 0, y))
	equal("xlog1py", b.Op(special.Xlog1py, one, y), arith.Float(b, math.Log1p, 0, y))
	minusLog := arith.Float(b, arith.Negf, 0, arith.Float(b, math.Log, 0, y))
	equal("lbeta", b.Op(special.Lbeta, one, y), minusLog)
	equal("lbeta", b.Op(special.Lbeta, y, one), minusLog)
	equal("freeze", b.Op(ub.Freeze, one), one)
	equal("div mul", b.Op(arith.Divui, arith.Int(b, arith.Muli, arith.NUW, x, x), x), x)
	equal("div mul", b.Op(arith.Divsi, arith.Int(b, arith.Muli, arith.NSW, x, x), x), x)
	not := b.Op(arith.Xori, x, arith.ConstInt(b, ir.I32, -1))
	equal("and not", b.Op(arith.Andi, x, not), arith.ConstInt(b, ir.I32, 0))
	equal("or not", b.Op(arith.Ori, not, x), arith.ConstInt(b, ir.I32, -1))
	or := func(v ir.Value, n int64) ir.Value { return b.Op(arith.Ori, v, arith.ConstInt(b, ir.I32, n)) }
	equal("or or", or(or(x, 5), 6), or(x, 7))
	wide := arith.Cast(b, arith.Extui, x, ir.I64)
	z := b.Param(ir.I32)
	equal("extended", arith.CmpI(b, arith.SLT, wide, arith.Cast(b, arith.Extui, z, ir.I64)), arith.CmpI(b, arith.ULT, x, z))
	wide = arith.Cast(b, arith.Extsi, x, ir.I64)
	equal("extended", arith.CmpI(b, arith.SLT, wide, arith.Cast(b, arith.Extsi, z, ir.I64)), arith.CmpI(b, arith.SLT, x, z))
	k := func(n int64) ir.Value { return arith.ConstInt(b, ir.I32, n) }
	equal("(c - x) + c", arith.AddI(b, arith.SubI(b, k(5), x), k(6)), arith.SubI(b, k(11), x))
	equal("c - (x - c)", arith.SubI(b, k(5), arith.SubI(b, x, k(6))), arith.SubI(b, k(11), x))
	equal("(x & c) & c", b.Op(arith.Andi, b.Op(arith.Andi, x, k(6)), k(3)), b.Op(arith.Andi, x, k(2)))
	equal("x == y ? x : y", arith.Choose(b, arith.CmpI(b, arith.EQ, x, z), x, z), z)
	equal("x != y ? x : y", arith.Choose(b, arith.CmpI(b, arith.NE, x, z), x, z), x)
	equal("minimumf >=", arith.CmpF(b, arith.OGE, arith.Float(b, arith.Minimumf, 0, y, one), minusLog), b.Op(arith.Andi, arith.CmpF(b, arith.OGE, y, minusLog), arith.CmpF(b, arith.OGE, one, minusLog)))
	short := b.Param(ir.I8)
	equal("extsi", arith.Cast(b, arith.Extsi, arith.Cast(b, arith.Extsi, short, ir.I16), ir.I32), arith.Cast(b, arith.Extsi, short, ir.I32))
	for _, d := range []*ir.OpDef{math.Ceil, math.Floor, math.Round, math.Roundeven, math.Trunc} {
		whole := b.Op(math.Floor, y)
		equal(d.Name, b.Op(d, whole), whole)
	}
	equal("index_cast", arith.Cast(b, arith.IndexCast, arith.Cast(b, arith.IndexCast, short, ir.Index), ir.I8), short)
	equal("index_castui", arith.Cast(b, arith.IndexCastui, arith.Cast(b, arith.IndexCastui, short, ir.Index), ir.I8), short)
	eq := c.Props([]ir.NamedAttr{{Name: "predicate", Value: c.IntAttr(int64(arith.OEQ), ir.I64)}}, nil)
	equal("default flags", b.OpAttr(arith.Cmpf, eq, y, y), arith.CmpF(b, arith.OEQ, y, y))
	for _, f := range poisoned(c) {
		if _, errs := text.Parse(c, &diag.Source{Name: "f", Text: f}, text.Options{}); errs.Err() != nil {
			t.Fatalf("%s: %v", f, errs.Err())
		}
	}
	equal("poison", ub.Of(b, ir.I32), ub.Of(b, ir.I32))
	msg := c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr("x")}}, nil)
	equal("assert true", b.OpAttr(cf.Assert, msg, b.Const(ir.I1, ir.BoolVal(true))), b.Pack())
	return c.FiredRules()
}
