package derivatives

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	vectord "github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var vectorPrograms = flag.Int("vectors", 300, "how many random programs of vectors are differentiated")

// The derivatives of random programs of vectors are those by differences, in both modes; each op that has a rule is in some.
func TestVectors(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	compared := 0
	for seed := range uint64(*vectorPrograms) {
		src := randomVectors(*firstSeed + seed)
		all.WriteString(src)
		if sameVectors(t, *firstSeed+seed, src, "") {
			compared++
		}
	}
	if compared < *vectorPrograms*4/5 {
		t.Errorf("only %d of %d programs are compared", compared, *vectorPrograms)
	}
	for _, r := range ir.Table[derive.Table](vectord.Dialect) {
		if !strings.Contains(all.String(), r.Of.Name+" ") {
			t.Errorf("no program has %s", r.Of.Name)
		}
	}
}

// sameVectors compares one program, differentiated behind some passes, at a point, if it is smooth there.
func sameVectors(t *testing.T, seed uint64, src, before string) bool {
	g := parsed(t, src)
	back, err := through(g, before+"differentiate{of=f}")
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	forth, err := through(g, before+"differentiate{of=f mode=forward}")
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	r := rand.New(rand.NewPCG(seed, 33))
	const n = rows * columns
	var at, direction, weights [1 + 2*n]float64
	for i := range at {
		at[i], direction[i], weights[i] = r.Float64()*3-1.5, r.Float64()*2-1, r.Float64()*2-1
	}
	m, mb, mf := machine(t, g), machine(t, back), machine(t, forth)
	matrices := func(x []float64) (args []ir.Val, held [][]float64) {
		for i := range 2 {
			v, data := matrix(x[i*n:][:n])
			args, held = append(args, v), append(held, data)
		}
		return args, held
	}
	// The result and what both matrices hold at the end are weighed.
	sum := func(result float64, held [][]float64) float64 {
		s := weights[0] * result
		for i, data := range held {
			for k, x := range data {
				s += weights[1+i*n+k] * x
			}
		}
		return s
	}
	value := func(h float64) float64 {
		x := at
		for i := range x {
			x[i] += h * direction[i]
		}
		args, held := matrices(x[1:])
		out, err := m.Call("f", append([]ir.Val{ir.F64Val(x[0])}, args...))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		return sum(out[0].F64(), held)
	}
	by := func(h float64) float64 { return (value(h) - value(-h)) / (2 * h) }
	near, far := by(1e-5), by(1e-4)
	if math.Abs(near-far) > 1e-5*(1+math.Abs(near)) {
		return false
	}
	want := (100*near - far) / 99

	args, _ := matrices(at[1:])
	shadows, held := matrices(weights[1:])
	out, err := mb.Call("f_grad", append(append([]ir.Val{ir.F64Val(at[0])}, append(args, ir.F64Val(weights[0]))...), shadows...))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	got, magnitude := out[1].F64()*direction[0], 1.0
	for i, data := range held {
		for k, x := range data {
			got += x * direction[1+i*n+k]
			magnitude += math.Abs(x * direction[1+i*n+k])
		}
	}
	if !(math.Abs(got-want) <= 1e-6*magnitude) {
		t.Fatalf("seed %d: in reverse %v, by differences %v\n%s\n%s", seed, got, want, src, text.String(back, text.PrintOptions{}))
	}
	args, _ = matrices(at[1:])
	moves, held := matrices(direction[1:])
	out, err = mf.Call("f_jvp", append(append([]ir.Val{ir.F64Val(at[0])}, append(args, ir.F64Val(direction[0]))...), moves...))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	if onward := sum(out[1].F64(), held); !(math.Abs(onward-got) <= 1e-11*magnitude) {
		t.Fatalf("seed %d: forward %v, in reverse %v\n%s\n%s", seed, onward, got, src, text.String(forth, text.PrintOptions{}))
	}
	return true
}

// matrix is memory of numbers, and what it holds.
func matrix(x []float64) (ir.Val, []float64) {
	buf := interp.Floats(append([]float64(nil), x...))
	return (&interp.MemRef{Buf: buf, Sizes: []int64{rows, columns}, Strides: []int64{columns, 1}}).Val(), buf.Floats()
}

// Behind vectorize, the derivatives of loops are those by differences, too.
func TestVectorized(t *testing.T) {
	t.Parallel()
	n := *vectorPrograms / 5
	found, compared := 0, 0
	for seed := range uint64(n) {
		src := randomRows(*firstSeed + seed)
		g, err := through(parsed(t, src), vectorized)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		if strings.Contains(text.String(g, text.PrintOptions{}), "vector<2xf64>") {
			found++
		}
		if sameVectors(t, *firstSeed+seed, src, vectorized+",") {
			compared++
		}
	}
	if found < n*3/4 || compared < n*3/4 {
		t.Errorf("of %d programs %d have vectors, and %d are compared", n, found, compared)
	}
}

const vectorized = "vectorize{width=2}"

// In native code they are what they are on the interpreter.
func TestNativeVectors(t *testing.T) {
	t.Parallel()
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	for seed := range uint64(8) {
		src, before := randomVectors(seed), ""
		if seed%2 == 1 {
			src, before = randomRows(seed), vectorized+","
		}
		g, err := through(parsed(t, src), before+"differentiate{of=f}")
		if err != nil {
			t.Fatal(err)
		}
		p, err := built.Prepare(t.Context(), e, g)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		r := rand.New(rand.NewPCG(seed, 37))
		at := make([]float64, 2+4*rows*columns)
		for i := range at {
			at[i] = r.Float64()*3 - 1.5
		}
		run := func(call caller) (out []float64) {
			args, held := []ir.Val{ir.F64Val(at[0])}, [][]float64{}
			for i := range 4 {
				if i == 2 {
					args = append(args, ir.F64Val(at[1]))
				}
				v, data := matrix(at[2+i*rows*columns:][:rows*columns])
				args, held = append(args, v), append(held, data)
			}
			results, err := call("f_grad", args)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, src)
			}
			for _, x := range results {
				out = append(out, x.F64())
			}
			return append(out, slices.Concat(held...)...)
		}
		want := run(machine(t, g).Call)
		got := run(func(name string, args []ir.Val) ([]ir.Val, error) {
			out, _, err := p.Call(t.Context(), name, args)
			return out, err
		})
		for i, x := range got {
			if !(math.Abs(x-want[i]) <= 1e-10*(1+math.Abs(want[i]))) {
				t.Fatalf("seed %d: number %d is %v, on the interpreter %v\n%s", seed, i, x, want[i], src)
			}
		}
	}
}

// randomRows is a program with a loop over the rows of two matrices, and one over the elements of each, which are independent.
func randomRows(seed uint64) string {
	p := &program{Rand: rand.New(rand.NewPCG(seed, 35))}
	p.line("func.func @f(%%x: f64, %%m: memref<%dx%dxf64> {llvm.noalias}, %%w: memref<%dx%dxf64> {llvm.noalias}) -> f64 {", rows, columns, rows, columns)
	p.constants()
	p.line("  %%c5 = arith.constant 5 : index")
	p.line("  %%half = arith.constant 0.5 : f64")
	p.line("  %%all = scf.for %%i = %%c0 to %%c4 step %%c1 iter_args(%%s = %%x) -> (f64) {")
	p.line("  %%row = scf.for %%j = %%c0 to %%c%d step %%c1 iter_args(%%t = %%s) -> (f64) {", 4+p.IntN(2))
	p.line("  %%a = memref.load %%m[%%i, %%j] : memref<%dx%dxf64>", rows, columns)
	p.line("  %%b = memref.load %%w[%%i, %%j] : memref<%dx%dxf64>", rows, columns)
	p.floats = []string{"%x", "%half", "%a", "%b"}
	for range 1 + p.IntN(5) {
		p.compute()
	}
	store := fmt.Sprintf("memref.store %s, %%w[%%i, %%j] : memref<%dx%dxf64>", p.all(2), rows, columns)
	switch p.IntN(3) {
	case 0:
		p.line("  %s", store)
	case 1:
		p.line("  %%if = arith.cmpf olt, %s, %s : f64", p.float(), p.float())
		p.line("  scf.if %%if {\n  %s\n  }", store)
	}
	p.line("  %%next = arith.addf %%t, %s fastmath<reassoc> : f64", p.float())
	p.line("  scf.yield %%next : f64\n  }")
	p.line("  scf.yield %%row : f64\n  }")
	p.line("  return %%all : f64\n}")
	return p.b.String()
}
