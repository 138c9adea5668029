package reductions

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tests/sdr"
)

// asLoops makes loops of equations first.
const asLoops = "poly-schedule,poly-codegen,lower-affine,lower{to=scf}"

// dearer are programs of which the adjoint costs more than the program: by how the growth of a sum of pieces is estimated.
var dearer = map[string]string{
	"separable_convolution": "N^2*M", // of two pieces of N*M*K, where K <= N
}

// eachDerivable runs a test of each program that has derivatives.
func eachDerivable(t *testing.T, test func(t *testing.T, p Program, name string, g *ir.Graph, in equations.Interface)) {
	for _, p := range slices.Concat(Table2, Small) {
		name := filepath.Base(p.File)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, in := p.read(t)
			if !hasDerivatives(g.Ctx, in) {
				t.Skip("no float is computed of floats")
			}
			test(t, p, name, g, in)
		})
	}
}

// smallSizes are those at which a program is run.
func smallSizes(name string, in equations.Interface) map[string]int {
	if n, ok := naives[name]; ok {
		return n.sizes
	}
	sizes := map[string]int{}
	for _, param := range in.Params {
		sizes[param] = max(2, 5-len(in.Params)/2)
	}
	if name == "lbp" {
		sizes["R"] = 4 // at least
	}
	return sizes
}

// The adjoint of equations costs what the simplified equations do.
func TestAdjointsCost(t *testing.T) {
	t.Parallel()
	eachDerivable(t, func(t *testing.T, p Program, name string, g *ir.Graph, in equations.Interface) {
		g = built.Through(t, g, "simplify-reductions,differentiate{of="+in.Name+"},simplify-reductions")
		want := p.Optimized
		if dearer[name] != "" {
			want = dearer[name]
		}
		if got := total(t, g); got != p.Optimized+"; "+want {
			t.Errorf("costs %s, want %s; %s", got, p.Optimized, want)
		}
	})
}

// hasDerivatives reports floats in and floats out.
func hasDerivatives(c *ir.Context, in equations.Interface) bool {
	has := func(out bool) bool {
		return slices.ContainsFunc(in.Arrays, func(a equations.Argument) bool { return a.Output == out && c.IsFloat(a.Type) })
	}
	return has(true) && has(false)
}

// The adjoints of equations are those of their loops.
func TestAdjoints(t *testing.T) {
	t.Parallel()
	eachDerivable(t, func(t *testing.T, _ Program, name string, g *ir.Graph, in equations.Interface) {
		compareAdjoints(t, g, in, smallSizes(name, in), name)
	})
}

// compareAdjoints compares the adjoints of equations, simplified and not, with those of their loops, and with their tangents.
func compareAdjoints(t *testing.T, g *ir.Graph, in equations.Interface, sizes map[string]int, what string) {
	t.Helper()
	of := "differentiate{of=" + in.Name + "}"
	want, seeds := derivatives(t, built.Through(t, g, asLoops+","+of), in, sizes, "_grad")
	for _, pipeline := range []string{of, of + ",simplify-reductions", "simplify-reductions," + of + ",simplify-reductions"} {
		got, _ := derivatives(t, built.Through(t, g, pipeline), in, sizes, "_grad")
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-9*(1+math.Abs(want[i]))) && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
				t.Fatalf("%s: %d of %d is %v, of loops %v\n%s", pipeline, i, len(want), got[i], want[i], what)
			}
		}
	}
	// Along the seeds of the inputs, by those of the outputs.
	onward := "differentiate{of=" + in.Name + " mode=forward}"
	for _, pipeline := range []string{onward, onward + ",simplify-reductions"} {
		tangents, _ := derivatives(t, built.Through(t, g, pipeline), in, sizes, "_jvp")
		back, forth, size, at := 0.0, 0.0, 1.0, 0
		for _, a := range in.Arrays {
			if !g.Ctx.IsFloat(a.Type) {
				continue
			}
			for range elements(t, in, sizes, a.Name) {
				term := (want[at] - seeds[at]) * seeds[at] // adjoints are added to the seeds
				if a.Output {
					term = tangents[at] * seeds[at]
					forth += term
				} else {
					back += term
				}
				size, at = size+math.Abs(term), at+1
			}
		}
		if !(math.Abs(back-forth) <= 1e-9*size) && !(math.IsNaN(back) && math.IsNaN(forth)) {
			t.Fatalf("%s: %v along the inputs, in reverse %v\n%s", pipeline, forth, back, what)
		}
	}
}

// elements is how many an array has.
func elements(t *testing.T, in equations.Interface, sizes map[string]int, name string) int {
	t.Helper()
	d, err := newData(in, sizes, 3)
	if err != nil {
		t.Fatal(err)
	}
	return len(d.arrays[name].values)
}

// derivatives calls a function for random seeds of all floats, and gives what became of these, and the seeds.
func derivatives(t *testing.T, g *ir.Graph, in equations.Interface, sizes map[string]int, suffix string) (out, given []float64) {
	t.Helper()
	d, err := newData(in, sizes, 3)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	for _, a := range in.Arrays {
		if x := d.arrays[a.Name]; g.Ctx.IsFloat(a.Type) && !a.Output {
			for i := range x.values {
				x.values[i] = 0.1 + r.Float64()
			}
		}
	}
	args := d.arguments(g.Ctx, in)
	var shadows []ir.Val
	for _, a := range in.Arrays {
		if !g.Ctx.IsFloat(a.Type) {
			continue
		}
		x := d.arrays[a.Name]
		seeds := make([]float64, len(x.values))
		for i := range seeds {
			seeds[i] = r.Float64()
		}
		given = append(given, seeds...)
		a.Output = false // it has elements before the call
		shadows = append(shadows, sdr.Memory(g.Ctx, a, x.sizes, seeds))
	}
	built.Invoke(t, g, in.Name+suffix, append(args, shadows...))
	for _, s := range shadows {
		out = append(out, sdr.Numbers(g.Ctx, s)...)
	}
	return out, given
}

// A product hands on what the others give, where a factor is zero too; equal values share what the greatest of them gets.
func TestAdjointsOfReductions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		op   string
		x    []float64
		want []float64
	}{
		{"*=", []float64{2, 3, 4}, []float64{12, 8, 6}},
		{"*=", []float64{2, 0, 4}, []float64{0, 8, 0}},
		{"*=", []float64{0, 0, 4}, []float64{0, 0, 0}},
		{"max=", []float64{1, 5, 2}, []float64{0, 1, 0}},
		{"max=", []float64{5, 5, 2}, []float64{0.5, 0.5, 0}},
		{"min=", []float64{5, 5, 2}, []float64{0, 0, 1}},
	} {
		src := fmt.Sprintf("program p(N) : N >= 1 {\n  input x[N] : f64;\n  output y : f64;\n  y %s x[i] : { [i] : 0 <= i < N };\n}\n", c.op)
		g, in := fromText(t, src)
		g = built.Through(t, g, "differentiate{of=p}")
		memory := func(a equations.Argument, elements ...float64) ir.Val {
			a.Output = false
			var sizes []int64
			if a.Name == "x" {
				sizes = []int64{int64(len(elements))}
			}
			return sdr.Memory(g.Ctx, a, sizes, elements)
		}
		shadow := memory(in.Arrays[0], make([]float64, len(c.x))...)
		built.Invoke(t, g, "p_grad", []ir.Val{ir.IntVal(int64(len(c.x)), 64), memory(in.Arrays[0], c.x...), memory(in.Arrays[1], 0), shadow, memory(in.Arrays[1], 1)})
		if got := sdr.Numbers(g.Ctx, shadow); !slices.Equal(got, c.want) {
			t.Errorf("y %s %v: %v, want %v", c.op, c.x, got, c.want)
		}
	}
}

// An array may be read by what does not change with it: its adjoint is zero, and so are those of what it is made of.
func TestAdjointsOfNothing(t *testing.T) {
	t.Parallel()
	g, in := fromText(t, "program p(N) : N >= 1 {\n  input x[N], z[N] : f64;\n  output y : f64;\n  local l[N] : f64;\n"+
		"  l[i] = z[i] : { [i] : 0 <= i < N };\n  y += select(i <= i, x[i], l[i]) : { [i] : 0 <= i < N };\n}\n")
	got, seeds := derivatives(t, built.Through(t, g, "differentiate{of=p}"), in, map[string]int{"N": 3}, "_grad")
	for i := range 3 {
		if got[i] != seeds[i]+seeds[6] || got[3+i] != seeds[3+i] {
			t.Errorf("to %v came %v", seeds, got)
		}
	}
}

// A greatest value of sums is compared with each of them: the sums must be rounded in one way, also where the reduction is simplified.
func TestAdjointsOfGreatestSum(t *testing.T) {
	t.Parallel()
	src := "program p(N) : N >= 1 {\n  input A[3*N + 1] : f64;\n  output y[N] : f64;\n  y[i] max= (A[i - j + N] - A[2*i + 1]) - A[i] : { [i, j] : 0 <= i < N and 0 <= j < N };\n}\n"
	g, in := fromText(t, src)
	compareAdjoints(t, g, in, map[string]int{"N": 20}, src)
}

// fromText reads equations.
func fromText(t *testing.T, src string) (*ir.Graph, equations.Interface) {
	t.Helper()
	g, in, err := sdr.ReadText(built.Context(), "p.eq", src)
	if err != nil {
		t.Fatal(err)
	}
	return g, in
}

var (
	adjointPrograms = flag.Int("adjoints", 15, "how many random equations of floats are differentiated, and as loops")
	adjointSeed     = flag.Uint64("adjointseed", 0, "the first of them")
)

// The adjoints of random equations are those of their loops.
func TestRandomAdjoints(t *testing.T) {
	t.Parallel()
	for seed, n := 2**adjointSeed+1, 0; n < *adjointPrograms; seed += 2 { // of even ones the data are NaN and infinities, too
		src, list := built.Equations(seed)
		g, in := fromText(t, src)
		if !hasDerivatives(g.Ctx, in) {
			continue
		}
		n++
		var args []json.RawMessage
		if err := json.Unmarshal([]byte(list), &args); err != nil {
			t.Fatal(err)
		}
		sizes := map[string]int{}
		for i, p := range in.Params {
			k := 0
			if err := json.Unmarshal(args[i], &k); err != nil {
				t.Fatal(err)
			}
			sizes[p] = k
		}
		compareAdjoints(t, g, in, sizes, src)
	}
}
