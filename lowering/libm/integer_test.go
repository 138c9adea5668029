package libm_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// fpowi on exponents of all widths that it takes, against exact powers.
func TestPowersOfFloats(t *testing.T) {
	widths := []int{1, 8, 16, 32, 64}
	var src strings.Builder
	for _, f := range formats {
		for _, w := range widths {
			fmt.Fprintf(&src, "func.func @%s_%d(%%x: %s, %%n: i%d) -> %s {\n  %%r = math.fpowi %%x, %%n : %[3]s, i%[4]d\n  return %%r : %[3]s\n}\n", f.name, w, f.name, w, f.name)
		}
	}
	g := lowered(t, src.String())
	found := map[string]bool{}
	left(g, found)
	if found["math.fpowi"] {
		t.Fatal("fpowi is left")
	}
	p, plain := prepare(t, start(t, "eval", 0), g), prepare(t, start(t, "eval", 0), parse(t, src.String()))
	r := rand.New(rand.NewPCG(5, 6))
	for _, f := range formats {
		for _, w := range widths {
			xs := append(specials(f), 0.9, 1.1, -1.5, 7, 1+math.Ldexp(1, 1-f.prec), 1-math.Ldexp(1, -f.prec))
			for _, x := range xs {
				for _, n := range []int64{0, 1, 2, 3, -1, -2, -3, 1000, -1001, int64(r.Uint64()) >> 20, 1<<62 + 1, math.MinInt64, math.MaxInt64, 1<<24 + 1, 1<<53 + 1} {
					n = n << (64 - w) >> (64 - w)
					args := []ir.Val{ir.FloatVal(f.round(x), f.t), ir.IntVal(n, w)}
					name := fmt.Sprintf("%s_%d", f.name, w)
					got, _, err := p.Call(t.Context(), name, args)
					if err != nil {
						t.Fatal(err)
					}
					want, _, err := plain.Call(t.Context(), name, args)
					if err != nil {
						t.Fatal(err)
					}
					y, z := got[0].Float(f.t), want[0].Float(f.t)
					if u := powiError(f, f.round(x), n, y, z); !(u <= 1) {
						t.Errorf("%s: %v^%d = %v, want %v: %v ulp", name, x, n, y, z, u)
					}
				}
			}
		}
	}
}

func powiError(f format, x float64, n int64, y, plain float64) float64 {
	if math.IsNaN(y) || math.IsNaN(plain) || y == plain && (y == 0 || math.IsInf(y, 0)) {
		if math.IsNaN(y) != math.IsNaN(plain) || math.Signbit(y) != math.Signbit(plain) && !math.IsNaN(y) {
			return math.Inf(1)
		}
		return 0
	}
	if n == 0 || math.IsInf(x, 0) || x == 0 {
		return math.Abs(y - plain)
	}
	e := new(big.Float).SetPrec(64).SetInt64(n)
	want := ref.Pow(ref.Abs(ref.New(x)), e)
	if x < 0 && n&1 == 1 {
		want = ref.Neg(want)
	}
	return f.ulps(y, want, 0)
}

// ipowi gives what the interpreter gives for the op itself, on scalars and vectors.
func TestPowersOfIntegers(t *testing.T) {
	var src strings.Builder
	types := map[string]int{"i1": 1, "i8": 8, "i32": 32, "i64": 64, "index": 64}
	for typ := range types {
		fmt.Fprintf(&src, "func.func @%s(%%x: %[1]s, %%n: %[1]s) -> %[1]s {\n  %%r = math.ipowi %%x, %%n : %[1]s\n  return %%r : %[1]s\n}\n", typ)
		if typ != "index" {
			fmt.Fprintf(&src, "func.func @v%s(%%x: vector<2x%[1]s>, %%n: vector<2x%[1]s>) -> vector<2x%[1]s> {\n  %%r = math.ipowi %%x, %%n : vector<2x%[1]s>\n  return %%r : vector<2x%[1]s>\n}\n", typ)
		}
	}
	g := lowered(t, src.String())
	found := map[string]bool{}
	left(g, found)
	if len(found) > 0 {
		t.Fatalf("%v is left", found)
	}
	native, plain := prepare(t, start(t, "llvm", jit.O0), g), prepare(t, start(t, "eval", 0), parse(t, src.String()))
	for typ, w := range types {
		for _, x := range []int64{0, 1, -1, 2, -2, 3, 7, -10, math.MaxInt64, math.MinInt64} {
			for _, n := range []int64{0, 1, 2, 3, 5, 31, 63, 64, -1, -2, -3, math.MaxInt64, math.MinInt64} {
				args := []ir.Val{ir.IntVal(x, w), ir.IntVal(n, w)}
				want, _, err := plain.Call(t.Context(), typ, args)
				if err != nil {
					t.Fatal(err)
				}
				got, _, err := native.Call(t.Context(), typ, args)
				if err != nil {
					t.Fatal(err)
				}
				if !want[0].IsPoison() && got[0].Bits != want[0].Bits {
					t.Errorf("%s: %d^%d = %d, want %d", typ, x, n, got[0].Int(w), want[0].Int(w))
				}
				if typ == "index" {
					continue
				}
				pair := func(v ir.Val) ir.Val { return ir.Val{Ref: ir.Vector{v, ir.IntVal(1, w)}} }
				got, _, err = native.Call(t.Context(), "v"+typ, []ir.Val{pair(args[0]), pair(args[1])})
				if err != nil {
					t.Fatal(err)
				}
				if v := got[0].Ref.(ir.Vector)[0]; !want[0].IsPoison() && v.Bits != want[0].Bits {
					t.Errorf("vector of %s: %d^%d = %d, want %d", typ, x, n, v.Int(w), want[0].Int(w))
				}
			}
		}
	}
}
