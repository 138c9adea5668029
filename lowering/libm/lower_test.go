package libm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/libm"
	"github.com/irc-lang/irc/passes/pass"
)

// allowed are the ops of math that stay: hardware has them.
var allowed = map[string]bool{"math.fma": true, "math.sqrt": true, "math.absf": true, "math.floor": true, "math.copysign": true}

// left lists the ops of math and special in a graph.
func left(g *ir.Graph, found map[string]bool) {
	for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
		name := g.Def(v).Name
		if strings.HasPrefix(name, "math.") || strings.HasPrefix(name, "special.") {
			found[name] = true
		}
		for _, c := range g.Children(v) {
			left(c, found)
		}
	}
}

func function(f libm.Function, t string) string {
	args := []string{"%x : " + t}
	names := []string{"%x"}
	for i := 1; i < len(f.Op.Args); i++ {
		n := fmt.Sprintf("%%x%d", i)
		names, args = append(names, n), append(args, n+" : "+t)
	}
	return fmt.Sprintf("func.func @f(%s) -> %s {\n  %%r = %s %s : %s\n  return %%r : %s\n}\n",
		strings.Join(args, ", "), t, f.Op.Name, strings.Join(names, ", "), t, t)
}

var types = []string{"f16", "bf16", "f32", "f64", "vector<4xf32>", "vector<2x2xf64>", "vector<3xbf16>", "tensor<2xf64>"}

func TestNothingIsLeft(t *testing.T) {
	for _, f := range libm.Table {
		if f.Integer() {
			continue // TestPowersOfIntegers
		}
		for _, typ := range types {
			found := map[string]bool{}
			left(lowered(t, function(f, typ)), found)
			for name := range found {
				if !allowed[name] {
					t.Errorf("%s on %s leaves %s", f.Op.Name, typ, name)
				}
			}
		}
	}
}

// Other types stay as they are.
func TestOtherTypesStay(t *testing.T) {
	for _, typ := range []string{"f128", "tensor<?xf64>", "vector<[4]xf32>"} {
		found := map[string]bool{}
		left(lowered(t, "func.func @f(%x : "+typ+") -> "+typ+" {\n  %r = math.exp %x : "+typ+"\n  return %r : "+typ+"\n}\n"), found)
		if !found["math.exp"] {
			t.Errorf("%s: %v", typ, found)
		}
	}
}

func TestOnly(t *testing.T) {
	src := "func.func @f(%x : f64) -> f64 {\n  %y = math.exp %x : f64\n  %z = math.log %y : f64\n  return %z : f64\n}\n"
	p := &libm.Pass{Only: []string{"exp", "math.tanh"}}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	g, err := p.Run(&pass.Context{}, parse(t, src))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	left(g, found)
	if found["math.exp"] || !found["math.log"] {
		t.Errorf("%v", found)
	}
	if err := (&libm.Pass{Only: []string{"lgo"}}).Check(); err == nil || !strings.Contains(err.Error(), `did you mean "log"`) {
		t.Errorf("%v", err)
	}
}

// The interpreter and native code give the same bits, and vectors what their
// elements give.
func TestEnginesAgree(t *testing.T) {
	var src strings.Builder
	for _, f := range libm.Table {
		if !f.Integer() {
			for _, k := range formats {
				src.WriteString(loop(name(f.Op.Name, k), f.Op.Name, len(f.Op.Args), k.name))
				src.WriteString(strings.Replace(function(f, "vector<4x"+k.name+">"), "@f", "@v_"+name(f.Op.Name, k), 1))
			}
		}
	}
	code := compiled(t)
	meaning := prepare(t, start(t, "eval", 0), lowered(t, src.String()))
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range libm.Table {
		if f.Integer() {
			continue
		}
		for _, k := range formats {
			x := make([][]float64, len(f.Op.Args))
			for i := range x {
				x[i] = append((check{lo: -4, hi: 40}).one(k, 60, r), specials(k)...)
				x[i] = x[i][:len(x[i])/4*4]
			}
			n := name(f.Op.Name, k)
			a, b := apply(t, code, n, k.t, x), apply(t, meaning, n, k.t, x)
			for i := range a {
				same(t, f, k, x, i, a[i], b[i], "interpreted")
			}
			for at := 0; at < len(a); at += 16 {
				vector(t, meaning, f, k, x, at, a)
			}
		}
	}
}

// vector holds the elements of a vector to a.
func vector(t *testing.T, p engine.Program, f libm.Function, k format, x [][]float64, at int, a []float64) {
	t.Helper()
	var args []ir.Val
	for _, xs := range x {
		var v ir.Vector
		for _, e := range xs[at : at+4] {
			v = append(v, ir.FloatVal(e, k.t))
		}
		args = append(args, ir.Val{Ref: v})
	}
	out, _, err := p.Call(t.Context(), "v_"+name(f.Op.Name, k), args)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range out[0].Ref.(ir.Vector) {
		same(t, f, k, x, at+i, a[at+i], e.Float(k.t), "in a vector")
	}
}

func (c check) one(f format, n int, r *rand.Rand) []float64 { return c.arguments(f, n, r)[0] }

func same(t *testing.T, f libm.Function, k format, x [][]float64, i int, a, b float64, how string) {
	t.Helper()
	if math.Float64bits(a) != math.Float64bits(b) && !(math.IsNaN(a) && math.IsNaN(b)) {
		t.Errorf("%s on %s of %x: %x, %s %x", f.Op.Name, k.name, x[0][i], a, how, b)
	}
}

// The narrow formats are those of f32, rounded.
func TestNarrow(t *testing.T) {
	for _, k := range []format{{ir.F16, "f16", 11, -24, 16}, {ir.BF16, "bf16", 8, -133, 128}} {
		for _, c := range checks {
			if c.op != "math.exp" && c.op != "math.log" && c.op != "math.sin" && c.op != "special.lgamma" {
				continue
			}
			var xs []float64
			for bits := uint64(0); bits < 1<<16; bits += 499 {
				xs = append(xs, ir.BitsToFloat(bits, k.t))
			}
			src := loop("f", c.op, 1, k.name)
			got := apply(t, prepare(t, start(t, "eval", 0), lowered(t, src)), "f", k.t, [][]float64{xs})
			plain := apply(t, prepare(t, start(t, "eval", 0), parse(t, src)), "f", k.t, [][]float64{xs})
			if most, at := worst(k, c, [][]float64{xs}, got, plain); most > 0.51 {
				t.Errorf("%s: %.3f ulp: %s", k.name, most, at)
			}
		}
	}
}
