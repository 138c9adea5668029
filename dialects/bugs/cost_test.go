package bugs_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// ratsOf is data of n rows in the shape of Rats.
func ratsOf(n int, gaps bool) *input.Data {
	d := input.NewData()
	number := func(name string, x float64) { d.Set(name, diag.Span{}, &input.Array{Values: []float64{x}}) }
	number("N", float64(n))
	number("T", 5)
	number("xbar", 22)
	d.Set("x", diag.Span{}, &input.Array{Dims: []int{5}, Values: []float64{8, 15, 22, 29, 36}})
	y := &input.Array{Dims: []int{n, 5}, Values: make([]float64, 5*n)}
	if gaps {
		y.Missing = make([]bool, 5*n)
		for k := range y.Missing {
			y.Missing[k] = k%7 == 3
		}
	}
	d.Set("Y", diag.Span{}, y)
	return d
}

// compileCost binds a model, makes its graph, counts its nodes and makes the state of a
// point; it returns the bytes and objects that this took.
func compileCost(t *testing.T, program string, data *input.Data) (bytes, objects uint64, b *bind.Builder) {
	t.Helper()
	prog, list := syntax.Parse(diag.NewSource("m", program), syntax.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	ctx := ir.NewContext(builtin.Dialect, arith.Dialect, bugs.Dialect)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b = bugs.NewBuilder(prog, data, bugs.Options{})
	if list := bugs.Steps(b); list.Err() != nil {
		t.Fatal(list)
	}
	if _, d := emit.Graph(b.Model, ctx); d != nil {
		t.Fatal(d)
	}
	b.Model.Counts()
	order.Sequence(b.Model)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs, b
}

// Compiling does not look at observations whose loops and subscripts are affine, so
// that it takes the same memory, and looks at nothing, for any number of them.
func TestFlatInObservations(t *testing.T) {
	text, err := os.ReadFile("../../examples/bugs/rats.bug")
	if err != nil {
		t.Fatal(err)
	}
	shifted := "model { z[1] ~ dnorm(0, 1)  for (i in 2:N) { z[i] ~ dnorm(z[i-1], 1) }  for (k in 1:N) { for (j in 1:T) { Y[k,j] ~ dnorm(z[N+1-k], 1) } } }"
	for _, program := range []string{string(text), shifted} {
		small, few, _ := compileCost(t, program, ratsOf(1000, false))
		large, many, b := compileCost(t, program, ratsOf(1000000, false))
		if large > small+small/4+20000 || many > few+few/4+200 {
			t.Errorf("%d bytes in %d objects for a thousand rows, %d in %d for a million:\n%s", small, few, large, many, program)
		}
		if b.Walked != 0 {
			t.Errorf("%d iterations were looked at:\n%s", b.Walked, program)
		}
	}
	// Gaps take a bit for each element where they are kept, and a byte for each row.
	large, _, b := compileCost(t, string(text), ratsOf(1000000, true))
	if large > 5*5000000/8 || b.Walked != 0 {
		t.Errorf("with gaps %d bytes, and %d iterations were looked at", large, b.Walked)
	}
}

// Indices from data cost a look at the index array, and one at each iteration where
// both statements share a loop; nothing is stored for an element.
func TestIndexCost(t *testing.T) {
	const n = 100000
	d := input.NewData()
	d.Set("N", diag.Span{}, &input.Array{Values: []float64{n}})
	y, b := make([]float64, n), make([]float64, n)
	for i := range b {
		b[i] = float64(1 + i*7919%n)
	}
	d.Set("y", diag.Span{}, &input.Array{Dims: []int{n}, Values: y})
	d.Set("b", diag.Span{}, &input.Array{Dims: []int{n}, Values: b})
	const model = "model { for (i in 1:N) { y[i] ~ dnorm(a[b[i]], 1) }  for (j in LOOP) { a[j] ~ dnorm(0, 1) } }"
	for loop, want := range map[string]int{"1:(N+1-1)": n, "1:(N+1)": 0} {
		bytes, objects, b := compileCost(t, strings.Replace(model, "LOOP", loop, 1), d)
		if bytes > 300000 || objects > 5000 || b.Walked != want {
			t.Errorf("%s: %d bytes in %d objects, %d iterations looked at, want %d", loop, bytes, objects, b.Walked, want)
		}
	}
}
