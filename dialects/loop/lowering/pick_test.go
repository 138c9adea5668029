package lowering_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// TestPicks: the first largest and the last smallest number with their places, of arrays of more
// rounds than are looked at together.
func TestPicks(t *testing.T) {
	const src = `func.func @f(%xs: !loop.array<f64>) -> (f64, index, f64, index) {
  %n = loop.len %xs : !loop.array<f64>
  %none = arith.constant -1 : index
  %low = arith.constant 0xFFF0000000000000 : f64
  %high = arith.constant 0x7FF0000000000000 : f64
  %most, %i, %least, %j = loop.for %i < %n -> reduce(%low, %none : f64, index), reduce(%high, %none : f64, index) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    loop.yield %x, %i, %x, %i : f64, index, f64, index
  } combine(%a: f64, %i: index, %b: f64, %j: index) {
    %more = arith.cmpf ogt, %b, %a : f64
    %d = arith.select %more, %b, %a : f64
    %k = arith.select %more, %j, %i : index
    loop.yield %d, %k : f64, index
  } combine(%a: f64, %i: index, %b: f64, %j: index) {
    %less = arith.cmpf olt, %a, %b : f64
    %d = arith.select %less, %a, %b : f64
    %k = arith.select %less, %i, %j : index
    loop.yield %d, %k : f64, index
  }
  return %most, %i, %least, %j : f64, index, f64, index
}`
	rng := rand.New(rand.NewPCG(13, 2))
	numbers := map[string]func(i int) string{
		"ascending": func(i int) string { return fmt.Sprint(i) }, "descending": func(i int) string { return fmt.Sprint(-i) },
		"equal": func(int) string { return "1" }, "not a number": func(int) string { return `"NaN"` },
		"random": func(int) string { return fmt.Sprint(rng.IntN(5000)) },
	}
	for name, number := range numbers {
		for _, n := range []int{0, 1, 1023, 1024, 1025, 2048, 2049, 5000} {
			xs := make([]string, n)
			for i := range xs {
				xs[i] = number(i)
			}
			args := "[[" + strings.Join(xs, ", ") + "]]"
			g := built.Parse(t, src, text.Options{})
			want := built.Run(t, g, "f", args)
			for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
				if kind == engine.LLVM && n != 5000 {
					continue // it is slow to start
				}
				if got := built.Lowered(t, kind, g, "f", args); got != want {
					t.Errorf("%d numbers, %s, on %s: %s, want %s", n, name, kind.Name, got, want)
				}
			}
		}
	}
}
