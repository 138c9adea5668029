package passes_test

import (
	"fmt"
	gomath "math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// What is packed, and what is not as it needs another function, is read behind a write, comes
// of a division, or stands in a loop or a branch.
func TestSuperword(t *testing.T) {
	for _, c := range []struct {
		name, body string
		packed     int64
	}{
		{"three", "%x = math.log %a : f64\n%y = math.log %b : f64\n%l = memref.load %m[%c1] : memref<8xf64>\n%z = math.log %l : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 3},
		{"two", "%x = math.log %a : f64\n%y = math.log %b : f64\n%r = arith.addf %x, %y : f64", 0},
		{"of different functions", "%x = math.log %a : f64\n%y = math.exp %b : f64\n%q = arith.addf %a, %b : f64\n%z = math.log %q : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 0},
		{"with an argument that is made of another", "%x = math.exp %a : f64\n%y = math.exp %b : f64\n%z = math.exp %x : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 0},
		{"with a quotient", "%x = math.exp %a : f64\n%y = math.exp %b : f64\n%q = arith.divf %a, %b : f64\n%z = math.exp %q : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 0},
		{"of four quotients", "%q = arith.divf %a, %b : f64\n%w = math.log %q : f64\n%p = arith.divf %b, %a : f64\n%x = math.log %p : f64\n%o = arith.divf %p, %a : f64\n%y = math.log %o : f64\n%n4 = arith.divf %p, %b : f64\n%z = math.log %n4 : f64\n%s = arith.addf %w, %x : f64\n%s2 = arith.addf %y, %z : f64\n%r = arith.addf %s, %s2 : f64", 4},
		{"of three quotients", "%p = arith.divf %b, %a : f64\n%x = math.log %p : f64\n%o = arith.divf %p, %a : f64\n%y = math.log %o : f64\n%n4 = arith.divf %p, %b : f64\n%z = math.log %n4 : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 0},
		{"read behind a write", "%x = math.exp %a : f64\n%y = math.exp %b : f64\nmemref.store %x, %m[%c0] : memref<8xf64>\n%l = memref.load %m[%i] : memref<8xf64>\n%z = math.exp %l : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 0},
		{"behind a write of something else", "%x = math.exp %a : f64\n%y = math.exp %b : f64\nmemref.store %x, %n[%c0] : memref<8xf64>\n%l = memref.load %m[%c1] : memref<8xf64>\n%z = math.exp %l : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 3},
		{"at an index that many ways lead to", "%x = math.log %a : f64\n" + manyWays("%i", 60) + "%j = arith.remui %m60, %c8 : index\n%l = memref.load %m[%j] : memref<8xf64>\n%y = math.log %l : f64\n%z = math.log %b : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 3},
		{"logarithms of several kinds", "%x = math.log %a : f64\n%y = math.log1p %b : f64\n%z = special.xlog1py %a, %b : f64\n%w = special.xlogy %b, %a : f64\n%s = arith.addf %x, %y : f64\n%t = arith.addf %w, %z : f64\n%r = arith.addf %s, %t : f64", 4},
		{"log1p alone", "%x = math.log1p %a : f64\n%y = math.log1p %b : f64\n%q = arith.addf %a, %b : f64\n%z = math.log1p %q : f64\n%s = arith.addf %x, %y : f64\n%r = arith.addf %s, %z : f64", 3},
		{"and one in a branch, of two", "%x = math.log %a : f64\n%y = math.log %b : f64\n%l = memref.load %m[%c1] : memref<8xf64>\n%z = math.log %l : f64\n%h = arith.cmpf ogt, %a, %b : f64\n%s = arith.addf %x, %y : f64\n%t = scf.if %h -> (f64) {\n%q = arith.addf %a, %b : f64\n%u = math.log %q : f64\n%v = math.log1p %q : f64\n%w = arith.addf %u, %v : f64\nscf.yield %w : f64\n} else {\nscf.yield %a : f64\n}\n%p = arith.addf %s, %t : f64\n%r = arith.addf %p, %z : f64", 4},
		{"in a loop over rows", rowsOf(4), 3},
		{"in a loop over pairs", rowsOf(2), 0},
		{"and one in a branch whose alternative calls a function, of two", "%x = math.log %a : f64\n%y = math.log %b : f64\n%h = arith.cmpf ogt, %a, %b : f64\n%s = arith.addf %x, %y : f64\n%t = scf.if %h -> (f64) {\n%q = arith.addf %a, %b : f64\n%u = math.log %q : f64\nscf.yield %u : f64\n} else {\n%k = func.call @g(%a) : (f64) -> f64\nscf.yield %k : f64\n}\n%r = arith.addf %s, %t : f64", 3},
		{"in a branch", "%h = arith.cmpf ogt, %a, %b : f64\n%r = scf.if %h -> (f64) {\n%x = math.log %a : f64\n%y = math.log %b : f64\n%p = arith.addf %a, %b : f64\n%z = math.log %p : f64\n%s = arith.addf %x, %y : f64\n%t = arith.addf %s, %z : f64\nscf.yield %t : f64\n} else {\nscf.yield %a : f64\n}", 0},
	} {
		src := "func.func @g(%x: f64) -> f64 {\nreturn %x : f64\n}\nfunc.func @f(%m: memref<8xf64> {llvm.noalias}, %n: memref<8xf64> {llvm.noalias}, %a: f64, %b: f64, %i: index) -> f64 {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n" + c.body + "\nreturn %r : f64\n}\n"
		g := read(t, src)
		out, m := apply(t, g, "superword{width=4}")
		if got := m.Stats("superword", "packed"); int64(got) != c.packed {
			t.Errorf("%s: %d functions packed, want %d\n%s", c.name, got, c.packed, show(out))
		}
		samePacked(t, src, "superword{width=4}", "[[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1], 0.5, 0.25, 0]")
	}
	for _, width := range []string{"3", "-1", "128"} {
		if _, err := pass.Parse("superword{width="+width+"}", all()); err == nil {
			t.Errorf("width %s is no error", width)
		}
	}
}

// rowsOf is a loop over two rows of neighbours, with three exponentials for each.
func rowsOf(n int) string {
	return strings.ReplaceAll(`%len = arith.constant N : index
%c2 = arith.constant 2 : index
%r = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %a) -> (f64) {
%o = arith.muli %k, %len : index
%l = memref.load %m[%o] : memref<8xf64>
%x = math.exp %l : f64
%p = arith.mulf %a, %l : f64
%y = math.exp %p : f64
%q = arith.mulf %b, %l : f64
%z = math.exp %q : f64
%s = arith.addf %x, %y : f64
%t = arith.addf %s, %z : f64
%u = scf.for %j = %c0 to %len step %c1 iter_args(%v = %acc) -> (f64) {
%at = arith.addi %o, %j : index
%e = memref.load %m[%at] : memref<8xf64>
%w = arith.addf %v, %e : f64
scf.yield %w : f64
}
%d = arith.addf %u, %t : f64
scf.yield %d : f64
}`, "constant N", fmt.Sprint("constant ", n))
}

// manyWays is an index that a number leads to in a power of 2 of ways.
func manyWays(from string, levels int) string {
	var b strings.Builder
	for k := range levels {
		fmt.Fprintf(&b, "%%p%d = arith.addi %s, %%c1 : index\n%%q%d = arith.xori %s, %%c8 : index\n%%m%d = arith.addi %%p%d, %%q%d : index\n", k, from, k, from, k+1, k, k)
		from = fmt.Sprintf("%%m%d", k+1)
	}
	return b.String()
}

// samePacked ends the test if a program gives something else after a pipeline, or leaves other memory.
func samePacked(t *testing.T, src, pipeline, args string) (packed bool) {
	t.Helper()
	before := built.Parse(t, src, text.Options{})
	after := built.Through(t, before, pipeline)
	if was, is := built.Run(t, before, "f", args)+built.After(t, before, "f", args), built.Run(t, after, "f", args)+built.After(t, after, "f", args); was != is {
		t.Fatalf("%s, want %s\n%s\n%s", is, was, src, text.String(after, text.PrintOptions{}))
	}
	return strings.Contains(text.String(after, text.PrintOptions{}), "vector<")
}

// Random straight-line code with reads, writes and functions gives the same, bit for bit.
func TestSuperwordRandom(t *testing.T) {
	packed := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 19))
		var b strings.Builder
		b.WriteString("func.func @f(%m: memref<8xf64> {llvm.noalias}, %n: memref<8xf64> {llvm.noalias}, %a: f64, %b: f64, %i: index) -> f64 {\n")
		for k := range 8 {
			fmt.Fprintf(&b, "%%c%d = arith.constant %d : index\n", k, k)
		}
		values := []string{"%a", "%b"}
		any := func() string { return values[r.IntN(len(values))] }
		place := func() string {
			return fmt.Sprintf("%s[%s]", []string{"%m", "%n"}[r.IntN(2)], []string{"%c0", "%c1", "%c5", "%i"}[r.IntN(4)])
		}
		for k := range 10 + r.IntN(30) {
			v := fmt.Sprintf("%%v%d", k)
			switch r.IntN(8) {
			case 0, 1, 2:
				x := any()
				if r.IntN(2) == 0 {
					x = v + "l"
					fmt.Fprintf(&b, "%s = memref.load %s : memref<8xf64>\n", x, place())
				}
				fmt.Fprintf(&b, "%s = math.%s %s : f64\n", v, []string{"exp", "log"}[r.IntN(2)], x)
			case 3, 4:
				fmt.Fprintf(&b, "%s = memref.load %s : memref<8xf64>\n", v, place())
			case 5:
				fmt.Fprintf(&b, "memref.store %s, %s : memref<8xf64>\n", any(), place())
				continue
			case 6:
				fmt.Fprintf(&b, "%s = arith.%s %s, %s : f64\n", v, []string{"addf", "mulf", "divf"}[r.IntN(3)], any(), any())
			default:
				fmt.Fprintf(&b, "%sk = arith.cmpf ogt, %s, %s : f64\n%s = arith.select %sk, %s, %s : f64\n", v, any(), any(), v, v, any(), any())
			}
			values = append(values, v)
		}
		sum := values[len(values)-1]
		for k := range 6 {
			fmt.Fprintf(&b, "%%s%d = arith.addf %s, %s : f64\n", k, sum, any())
			sum = fmt.Sprintf("%%s%d", k)
		}
		fmt.Fprintf(&b, "return %s : f64\n}\n", sum)
		if samePacked(t, b.String(), "superword{width=4}", "[[1, 2, 3, 4, 5, 6, 7, 8], [0.5, 0.25, 2, 5, 4, 3, 2, 1], 0.5, 0.25, 1]") {
			packed++
		}
	}
	if packed < 60 {
		t.Errorf("only %d programs have something packed", packed)
	}
}

// Functions of straight-line code become vectors, but not in a function that is long without its loops.
func TestSuperwordLong(t *testing.T) {
	for _, ops := range []int{10, 5000} {
		var b strings.Builder
		b.WriteString("func.func @f(%a: f64, %b: f64, %c: f64) -> f64 {\n  %x = math.log %a : f64\n  %y = math.log %b : f64\n  %z = math.log %c : f64\n  %d = arith.addf %x, %y : f64\n  %v0 = arith.addf %d, %z : f64\n")
		for k := range ops {
			fmt.Fprintf(&b, "  %%v%d = arith.%s %%v%d, %%a : f64\n", k+1, []string{"mulf", "addf"}[k%2], k)
		}
		fmt.Fprintf(&b, "  return %%v%d : f64\n}\n", ops)
		g, _ := apply(t, read(t, b.String()), "superword{width=4}")
		if packed := strings.Contains(show(g), "vector<4xf64>"); packed != (ops < 4000) {
			t.Errorf("%d ops: vectors %v", ops, packed)
		}
	}
}

// Beside logarithms of other numbers log1p is within 2 ulp of itself, and these are as they were, whatever they are of.
func TestSuperwordLog1p(t *testing.T) {
	g := built.Parse(t, `func.func @f(%a: f64, %b: f64) -> (f64, f64, f64, f64) {
  %x = math.log %a : f64
  %y = math.log1p %a : f64
  %z = special.xlog1py %b, %a : f64
  %w = special.xlogy %b, %a : f64
  return %x, %y, %z, %w : f64, f64, f64, f64
}
`, text.Options{})
	packed := built.Through(t, g, "superword{width=4}")
	if !strings.Contains(text.String(packed, text.PrintOptions{}), "vector<4xf64>") {
		t.Fatal("nothing is packed")
	}
	call := func(g *ir.Graph) func(a, b float64) []ir.Val {
		m, err := interp.New(g, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return func(a, b float64) []ir.Val {
			out, err := m.Call("f", []ir.Val{ir.FloatVal(a, ir.F64), ir.FloatVal(b, ir.F64)})
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	was, is := call(g), call(packed)
	r := rand.New(rand.NewPCG(3, 19))
	args := []float64{0, gomath.Copysign(0, -1), 1, -1, -2, -0.5, 2, 1 - 0x1p-53, 1 + 0x1p-52, 0x1p-52, 0x1.8p-53, 0x1p-53, 0x1p-54, -0x1p-53, -0x1p-54, 0x1p-1074, 0x1p53, 3e300, gomath.Inf(1), gomath.Inf(-1), gomath.NaN()}
	for range 2000 {
		args = append(args, r.Float64()*2-1, gomath.Ldexp(r.Float64()*2-1, -r.IntN(60)), gomath.Exp(40*r.NormFloat64()), gomath.Exp(-36*r.Float64())-1)
	}
	for _, a := range args {
		for _, b := range []float64{1, 0, -2.5} {
			want, got := was(a, b), is(a, b)
			for k, w := range want {
				x, y := w.F64(), got[k].F64()
				ulp := gomath.Nextafter(gomath.Abs(x), gomath.Inf(1)) - gomath.Abs(x)
				near := k == 1 && gomath.Abs(x-y) <= 2*ulp || k == 2 && gomath.Abs(x-y) <= 4*ulp
				if gomath.Float64bits(x) != gomath.Float64bits(y) && !(x != x && y != y) && !near {
					t.Errorf("result %d at %v, %v is %v, was %v", k, a, b, y, x)
				}
			}
		}
	}
}
