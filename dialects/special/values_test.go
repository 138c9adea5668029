package special_test

import (
	"encoding/json"
	gomath "math"
	"os"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/ir/target"
)

// bounds is the bound of the relative error of each function; 2e-15 where it is
// left out. lowered is that of its lowering.
var (
	bounds = map[string]float64{"lgamma": 1e-14, "gammainc": 1e-13, "gammaincc": 1e-13, "betainc": 1e-13, "cloglog": 1e-14, "lbeta": 1e-14,
		"lchoose": 1e-14, "digamma": 1e-14}
	lowered = map[string]float64{"digamma": 1e-12, "lbeta": 1e-12, "lchoose": 1e-12, "cloglog": 1e-14, "probit": 1e-14, "log_phi": 1e-14, "phi": 1e-14}
)

type table struct {
	Op   string
	Rows [][]float64
}

// tables are rows of arguments and value, from 400-bit arithmetic.
func tables(t *testing.T) (out []table) {
	t.Helper()
	data, err := os.ReadFile("testdata/values.json")
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func newContext() *ir.Context { return ir.NewContext(arith.Dialect, math.Dialect, special.Dialect) }

// eval folds an op of constants.
func eval(t *testing.T, c *ir.Context, op string, x ...float64) float64 {
	t.Helper()
	b := ir.NewBuilder(c)
	args := make([]ir.Value, len(x))
	for i := range x {
		args[i] = arith.ConstF64(b, x[i])
	}
	v, ok := b.Graph().Const(b.Op(c.Lookup("special."+op), args...))
	if !ok {
		t.Fatalf("%s%v does not fold", op, x)
	}
	return v.F64()
}

func check(t *testing.T, op string, row []float64, got, bound float64) float64 {
	t.Helper()
	want := row[len(row)-1]
	err := gomath.Abs(got - want)
	if want != 0 {
		err /= gomath.Abs(want)
	}
	if !(err <= bound) {
		t.Errorf("%s%v: got %v, want %v: %.2g", op, row[:len(row)-1], got, want, err)
	}
	return err
}

func TestValues(t *testing.T) {
	c := newContext()
	for _, table := range tables(t) {
		bound, worst := bounds[table.Op], 0.0
		if bound == 0 {
			bound = 2e-15
		}
		for _, row := range table.Rows {
			n := len(row) - 1
			worst = max(worst, check(t, table.Op, row, eval(t, c, table.Op, row[:n]...), bound))
		}
		t.Logf("%s: %.2g at most", table.Op, worst)
	}
}

// An op and its lowering are one function.
func TestLowerings(t *testing.T) {
	c := newContext()
	plan, err := plan.New(c, "math")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables(t) {
		def := c.Lookup("special." + table.Op)
		if !plan.Ops()[def] {
			continue
		}
		g := lower(t, c, def, ir.F64, plan)
		bound, worst := lowered[table.Op], 0.0
		if bound == 0 {
			bound = 4e-15
		}
		rows := table.Rows
		if table.Op == "digamma" { // its lowering loses digits near the root
			rows = nil
			for _, r := range table.Rows {
				if gomath.Abs(r[len(r)-1]) > 1e-2 {
					rows = append(rows, r)
				}
			}
		}
		for _, row := range rows {
			worst = max(worst, check(t, table.Op+" lowered", row, run(t, g, row[:len(row)-1]), bound))
		}
		t.Logf("%s: %.2g at most", table.Op, worst)
		for _, x := range []float64{0, 1, -1, 0.5, gomath.Inf(1), gomath.Inf(-1), gomath.NaN()} {
			args := []float64{x, 0.75}[:len(def.Args)]
			want, got := eval(t, c, table.Op, args...), run(t, g, args)
			if gomath.IsNaN(want) != gomath.IsNaN(got) || gomath.IsInf(want, 0) && want != got {
				t.Errorf("%s%v: %v, lowered %v", table.Op, args, want, got)
			}
		}
	}
}

// lower builds a graph of one op whose result nobody can fold, and lowers it.
func lower(t *testing.T, c *ir.Context, def *ir.OpDef, of ir.Type, plan *plan.Plan) *ir.Graph {
	t.Helper()
	b := ir.NewBuilder(c)
	args := make([]ir.Value, len(def.Args))
	for i := range args {
		args[i] = b.Param(of)
	}
	b.Op(special.Print, b.Op(def, args...))
	g, err := plan.Phase(target.Host(), nil).Run(b.Finish())
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(g); err != nil {
		t.Fatal(err)
	}
	return g
}

// run evaluates the operand of the print of a graph.
func run(t *testing.T, g *ir.Graph, args []float64) float64 {
	t.Helper()
	calls := ir.CallsOf(g)
	vals := make([]ir.Val, g.Len())
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		if _, i, ok := g.Param(v); ok {
			vals[v] = ir.FloatVal(args[i], g.Type(v))
		} else if k, ok := g.Const(v); ok {
			vals[v] = k
		} else if g.Def(v) == special.Print {
			x := g.Args(v)[0]
			return ir.BitsToFloat(vals[x].Bits, g.Type(x))
		} else if g.IsOp(v) {
			var in []ir.Val
			for _, a := range g.Args(v) {
				in = append(in, vals[a])
			}
			x, err := g.Def(v).Eval(calls.Of(v), in)
			if err != nil {
				t.Fatal(err)
			}
			vals[v] = x
		}
	}
	t.Fatal("no print")
	return 0
}

// The inverses give back what they invert.
func TestInverses(t *testing.T) {
	c := newContext()
	for _, a := range []float64{0.3, 1, 2.5, 30} {
		for _, p := range []float64{1e-6, 0.1, 0.5, 0.9} {
			check(t, "gammainc of inverse", []float64{a, p}, eval(t, c, "gammainc", a, eval(t, c, "gammaincinv", a, p)), 1e-10)
			check(t, "betainc of inverse", []float64{a, p}, eval(t, c, "betainc", a, 1.5, eval(t, c, "betaincinv", a, 1.5, p)), 1e-10)
		}
	}
}

// Outside of the domain there is NaN, at its border the limit.
func TestEdges(t *testing.T) {
	c := newContext()
	inf, nan := gomath.Inf(1), gomath.NaN()
	for _, e := range []struct {
		op   string
		x    []float64
		want float64
	}{
		{"probit", []float64{0}, -inf}, {"probit", []float64{1}, inf}, {"probit", []float64{1.5}, nan},
		{"logit", []float64{0}, -inf}, {"logit", []float64{1}, inf}, {"logit", []float64{-1}, nan},
		{"digamma", []float64{0}, -inf}, {"digamma", []float64{-2}, nan}, {"lgamma", []float64{0}, inf},
		{"trigamma", []float64{0}, inf}, {"trigamma", []float64{-3}, inf}, {"trigamma", []float64{inf}, 0}, {"trigamma", []float64{-inf}, nan},
		{"lchoose", []float64{5, 6}, -inf}, {"lchoose", []float64{5, -1}, -inf}, {"lbeta", []float64{-1, 2}, nan},
		{"log_phi", []float64{-inf}, -inf}, {"log_phi", []float64{inf}, 0}, {"phi", []float64{-inf}, 0}, {"phi", []float64{inf}, 1},
		{"gammainc", []float64{-1, 1}, nan}, {"gammainc", []float64{1, inf}, 1}, {"betainc", []float64{1, 1, 2}, nan},
		{"log1mexp", []float64{0}, -inf}, {"log1pexp", []float64{-inf}, 0}, {"ilogit", []float64{-inf}, 0}, {"ilogit", []float64{inf}, 1},
		{"xlogy", []float64{0, nan}, nan}, {"step", []float64{nan}, 0},
	} {
		if got := eval(t, c, e.op, e.x...); got != e.want && !(gomath.IsNaN(got) && gomath.IsNaN(e.want)) {
			t.Errorf("%s%v: got %v, want %v", e.op, e.x, got, e.want)
		}
	}
}
