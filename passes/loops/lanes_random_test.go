package loops_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/tests/built"
)

// Random loops of which vectors are made compute what they did, also as native code, on one core and on all.
func TestRandomLanes(t *testing.T) {
	pipelines := []string{"vectorize{width=4 outer}", "vectorize{width=2 rest=loop outer}", "vectorize{width=8 rest=mask outer}", "vectorize{width=4 rest=mask}", "vectorize",
		"lower-affine,parallelize{work=1 rounds=2},vectorize{width=4 outer rest=mask}", "lower-affine,parallelize{work=1 rounds=2},vectorize{width=2 rest=loop}"}
	most := *loops / 5
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	changed := built.EachLanes(t, most, *loopSeed, func(p *built.RandomNest) bool {
		q := pipelines[p.Seed%uint64(len(pipelines))]
		g := built.Through(t, p.Graph, q)
		if fixpoint.Fingerprint(g) == fixpoint.Fingerprint(p.Graph) {
			return false
		}
		p.Refined(t, g, q)
		if p.Seed%8 == 0 && !strings.Contains(p.Want, "trap") {
			if got := p.On(t, e, g); got != p.Want {
				t.Fatalf("native code gives %s, want %s", got, p.Want)
			}
		}
		return true
	})
	if t.Logf("%d of %d are changed", changed, most); changed < most/3 {
		t.Errorf("only %d of %d are changed", changed, most)
	}
}

// maxnumf of nothing but NaN is NaN.
func TestGreatestOfNaN(t *testing.T) {
	g := built.Parse(t, `func.func @f(%x: memref<9xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %n = arith.constant 9 : index
  %nan = arith.constant 0x7FF8000000000000 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %nan) -> (f64) {
    %v = memref.load %x[%i] : memref<9xf64>
    %w = arith.divf %v, %v : f64
    %m = arith.maxnumf %a, %w : f64
    scf.yield %m : f64
  }
  memref.store %r, %y[%c0] : memref<1xf64>
  return
}
`, text.Options{})
	for _, q := range []string{"vectorize{width=4}", "vectorize{width=4 rest=mask}", "parallelize{work=1}"} {
		in := built.Through(t, g, q)
		if fixpoint.Fingerprint(in) == fixpoint.Fingerprint(g) {
			t.Errorf("%s changes nothing", q)
		}
		for _, x := range []string{"0, 0, 0, 0, 0, 0, 0, 0, 0", "0, 0, 0, 0, 3, 0, 0, 0, 0"} {
			args := "[[" + x + "], [7]]"
			if got, want := built.After(t, in, "f", args), built.After(t, g, "f", args); got != want {
				t.Errorf("%s: %s, want %s", q, got, want)
			}
		}
	}
}

// A filter of numbers of all widths is the same as native code.
func TestFilterNative(t *testing.T) {
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	for _, elem := range []string{"f64", "f32", "i64", "i32", "i16"} {
		compare, zero := "cmpi sgt", "0"
		if elem[0] == 'f' {
			compare, zero = "cmpf ogt", "0.0"
		}
		src := strings.NewReplacer("ELEM", elem, "COMPARE", compare, "ZERO", zero).Replace(`func.func @f(%x: memref<100xELEM>, %y: memref<100xELEM> {llvm.noalias}) {
  %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %n = arith.constant 100 : index
  %zero = arith.constant ZERO : ELEM
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
    %v = memref.load %x[%i] : memref<100xELEM>
    %is = arith.COMPARE, %v, %zero : ELEM
    scf.if %is {
      memref.store %v, %y[%k] : memref<100xELEM>
    }
    %l = arith.addi %k, %c1 : index
    %m = arith.select %is, %l, %k : index
    scf.yield %m : index
  }
  return
}
`)
		var x, y []string
		for i := range 100 {
			x, y = append(x, fmt.Sprint((i*i*7+i)%23-11)), append(y, "77")
		}
		args := fmt.Sprintf("[[%s], [%s]]", strings.Join(x, ", "), strings.Join(y, ", "))
		for _, q := range []string{"vectorize{width=32}", "vectorize{width=16 rest=mask}", "vectorize{width=4 rest=loop}"} {
			g := built.Through(t, built.Parse(t, src, text.Options{}), q)
			want := built.After(t, built.Parse(t, src, text.Options{}), "f", args)
			if got := built.AfterOn(t, e, g, "f", args); got != want {
				t.Errorf("%s of %s: %s\nwant %s", q, elem, got, want)
			}
		}
	}
}

// Functions of math in vectors, which irc computes by itself, are those of the interpreter but for the last digits.
func TestFunctionsOfVectors(t *testing.T) {
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	for _, name := range []string{"exp", "log", "sin", "cos", "tanh", "sqrt", "log1p", "atan", "cbrt", "powf"} {
		for elem, near := range map[string]float64{"f64": 1e-14, "f32": 1e-5} {
			more := ""
			if name == "powf" {
				more = ", %half"
			}
			src := strings.NewReplacer("ELEM", elem, "FUNCTION", name, "MORE", more).Replace(`func.func @f(%x: memref<50xELEM>, %y: memref<50xELEM> {llvm.noalias}) {
  %half = arith.constant 0.7 : ELEM
  affine.for %i = 0 to 50 {
    %v = affine.load %x[%i] : memref<50xELEM>
    %w = math.FUNCTION %vMORE : ELEM
    affine.store %w, %y[%i] : memref<50xELEM>
  }
  return
}
`)
			var x, y []string
			for i := range 50 {
				x, y = append(x, fmt.Sprint(0.125+float64(i)*0.75)), append(y, "0")
			}
			args := fmt.Sprintf("[[%s], [%s]]", strings.Join(x, ", "), strings.Join(y, ", "))
			g := built.Parse(t, src, text.Options{})
			in := built.Through(t, g, "vectorize{width=8}")
			if out := text.String(in, text.PrintOptions{}); !strings.Contains(out, ": vector<8x"+elem+">\n") || !strings.Contains(out, "math."+name) {
				t.Errorf("%s is not done in vectors:\n%s", name, out)
			}
			var want, got [][]float64
			if err := json.Unmarshal([]byte(built.After(t, g, "f", args)), &want); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(built.AfterOn(t, e, in, "f", args)), &got); err != nil {
				t.Fatal(err)
			}
			for i, w := range want[1] {
				if math.Abs(w-got[1][i]) > near*max(1, math.Abs(w)) {
					t.Errorf("%s of %s is %v as %s, want %v", name, x[i], got[1][i], elem, w)
				}
			}
		}
	}
}

// What is written over collections becomes vectors when it is lowered, and gives the same.
func TestVectorsOfCollections(t *testing.T) {
	list := "[[5, -3, 8, 1, 7, 0, -2, 9, 4, 4, 6, -1, 3]]"
	for _, x := range []struct{ name, loop, result, want string }{
		{"a sum", "reduce(add : i64)", "loop.yield %v : i64", "vector.reduction <add>"},
		{"the largest", "reduce(max : i64)", "loop.yield %v : i64", "vector.reduction <maxsi>"},
		{"squares", "collect(i64)", "%w = arith.muli %v, %v : i64 loop.yield %w : i64", "vector.store"},
		{"running sums", "scan(add : i64)", "loop.yield %v : i64", "vector.shuffle"},
	} {
		t.Run(x.name, func(t *testing.T) {
			out := "i64"
			if !strings.HasPrefix(x.loop, "reduce") {
				out = "!loop.array<i64>"
			}
			g := built.Parse(t, `func.func @f(%x: !loop.array<i64>) -> `+out+` {
  %n = loop.len %x : !loop.array<i64>
  %r = loop.for %i < %n -> `+x.loop+` {
    %v = loop.at %x[%i] : !loop.array<i64>
    `+x.result+`
  }
  return %r : `+out+`
}
`, text.Options{})
			in := built.Through(t, g, "fuse,lower{to=scf},sroa,mem2reg,licm,vectorize{width=4}")
			if s := text.String(in, text.PrintOptions{}); !strings.Contains(s, x.want) {
				t.Errorf("%s\nwant %s", s, x.want)
			}
			if got, want := built.Run(t, in, "f", list), built.Run(t, g, "f", list); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
