package binding

import (
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// What stands in a loop, what it is made of, and how often loops run. Each function of math is of one kind of value.
func TestNest(t *testing.T) {
	const src = `func.func @f(%x: memref<8xf64> {llvm.noalias}, %y: memref<8xf64> {llvm.noalias}, %n: index, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %before = math.exp %a : f64
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.load %x[%n] : memref<8xf64>
    %anew = math.sqrt %t : f64
    %o = memref.load %y[%i] : memref<8xf64>
    %written = math.log %o : f64
    %k = arith.index_cast %i : index to i64
    %v = arith.sitofp %k : i64 to f64
    %own = math.tanh %v : f64
    %r = scf.for %j = %c2 to %c8 step %c1 iter_args(%s = %before) -> (f64) {
      %l = arith.index_cast %j : index to i64
      %w = arith.sitofp %l : i64 to f64
      %inner = math.sin %w : f64
      %p = arith.mulf %v, %w : f64
      %both = math.cos %p : f64
      %carried = math.cbrt %s : f64
      %u = arith.addf %inner, %both : f64
      %q = arith.addf %u, %carried : f64
      scf.yield %q : f64
    }
    %result = math.tan %r : f64
    scf.for %j = %c0 to %c8 step %c2 {
      memref.store %result, %y[%j] : memref<8xf64>
    }
    memref.store %anew, %y[%c0] : memref<8xf64>
    memref.store %written, %y[%c1] : memref<8xf64>
    memref.store %own, %y[%c2] : memref<8xf64>
  }
  return
}
`
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	var c *code
	eachCode(g, ir.Node{}, func(of *code, _ ir.Node) { c = of })
	var loops []ir.Value
	values := map[string]ir.Value{}
	for v := range c.s.All() {
		if c.g.Def(v) == scf.For {
			loops = append(loops, v)
		}
		values[c.g.Def(v).Name] = v
	}
	loop := &nest{code: c, body: c.g.Regions(loops[0])[0]}
	sources := loop.sources(func(v ir.Value) (ir.Value, bool) {
		switch _, k, isParam := c.g.Param(v); {
		case isParam && k == 0:
			return v, true
		case loop.canLeave(v):
			return nothing, false
		}
		return several, true
	})
	i, j := c.g.Params(loop.body)[0], c.g.Params(c.g.Regions(loops[1])[0])[0]
	for name, want := range map[string]struct {
		has    bool
		source ir.Value
	}{
		"math.exp": {false, nothing}, "math.sqrt": {true, nothing}, "math.log": {true, several}, "math.tanh": {true, i},
		"math.sin": {true, j}, "math.cos": {true, several}, "math.cbrt": {true, several}, "math.tan": {true, several},
	} {
		if has, source := loop.has(values[name]), sources.of(values[name]); has != want.has || source != want.source {
			t.Errorf("%s: in the loop is %t, of value %d; want %t, %d", name, has, source, want.has, want.source)
		}
	}
	for k, want := range []struct {
		lower, trips int64
		ok           bool
	}{{}, {2, 6, true}, {}} {
		if lower, trips, ok := c.counts(loops[k]); lower != want.lower || trips != want.trips || ok != want.ok {
			t.Errorf("loop %d: %d rounds from %d, %t; want %v", k, trips, lower, ok, want)
		}
	}
}
