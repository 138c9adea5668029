package loops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// Random loops of which vectors are made compute what they did, also as native code, on one core and on all.
func TestRandomLanes(t *testing.T) {
	pipelines := []string{"vectorize{width=4 outer}", "vectorize{width=2 rest=loop outer}", "vectorize{width=8 rest=mask outer}", "vectorize{width=4 rest=mask}", "vectorize"}
	most := *loops / 5
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	changed := built.EachLanes(t, most, *loopSeed, func(p *built.RandomNest) bool {
		q := pipelines[p.Seed%uint64(len(pipelines))]
		g := built.Through(t, p.Graph, q)
		if pass.Fingerprint(g) == pass.Fingerprint(p.Graph) {
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
