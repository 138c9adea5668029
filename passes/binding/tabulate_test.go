package binding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// A nest of two loops with a function of each variable, one of both, and one of memory
// that the nest writes.
const nestOfTwo = `func.func @f(%x: memref<8xf64> {llvm.noalias}, %y: memref<16xf64> {llvm.noalias}, %z: memref<16xf64> {llvm.noalias}, %p: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c15 = arith.constant 15 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f64) {
    %u = memref.load %x[%i] : memref<8xf64>
    %lu = math.log %u : f64
    %s = scf.for %j = %c1 to %c15 step %c1 iter_args(%b = %a) -> (f64) {
      %k = arith.addi %j, %c1 : index
      %v = memref.load %y[%k] : memref<16xf64>
      %q = arith.mulf %v, %p : f64
      %w = math.exp %q : f64
      %n = arith.mulf %u, %v : f64
      %o = math.exp %n : f64
      %m = memref.load %z[%j] : memref<16xf64>
      %e = math.exp %m : f64
      memref.store %e, %z[%j] : memref<16xf64>
      %t0 = arith.addf %b, %w : f64
      %t1 = arith.addf %t0, %o : f64
      %t2 = arith.addf %t1, %e : f64
      %t3 = arith.mulf %t2, %lu : f64
      scf.yield %t3 : f64
    }
    scf.yield %s : f64
  }
  return %r : f64
}
`

// settled is a program that a rebuild does not change.
func settled(t *testing.T, src string) *ir.Graph {
	t.Helper()
	return ir.Settle(built.Parse(t, src, text.Options{}))
}

// tabulated applies the pass and tells how many tables it made.
func tabulated(t *testing.T, g *ir.Graph, line string) (*ir.Graph, int) {
	t.Helper()
	out, m := built.Counted(t, g, line)
	return out, m.Stats("tabulate", "tables")
}

func TestTabulate(t *testing.T) {
	g := settled(t, nestOfTwo)
	out, n := tabulated(t, g, "tabulate")
	if n != 2 {
		t.Errorf("%d tables, want those of log x[i] and exp(p y[j + 1])", n)
	}
	got := text.String(out, text.PrintOptions{})
	nest := got[strings.LastIndex(got, "iter_args(%arg5"):]
	if strings.Count(got, "memref.alloca") != 2 || strings.Count(nest, "math.exp") != 2 || strings.Contains(nest, "math.log") {
		t.Error(got)
	}
	if _, n := tabulated(t, out, "tabulate"); n != 0 {
		t.Errorf("%d tables more the second time", n)
	}
	if _, n := tabulated(t, g, "tabulate{limit=10}"); n != 1 {
		t.Errorf("%d tables of at most 10 entries", n)
	}
}

// Without a limit a table is as large as the target's innermost cache.
func TestTabulateAsksTheTarget(t *testing.T) {
	for bytes, want := range map[int64]int{128: 2, 64: 1, 32: 0} {
		x := *target.Host()
		x.Caches = []int64{bytes}
		out := text.String(built.ThroughFor(t, &x, settled(t, nestOfTwo), "tabulate"), text.PrintOptions{})
		if n := strings.Count(out, "memref.alloca"); n != want {
			t.Errorf("%d tables in %d bytes, want %d", n, bytes, want)
		}
	}
}

// A loop after the nest takes the table that the nest made, unless memory was written, or it has
// another function.
func TestTabulateShares(t *testing.T) {
	const program = `func.func @f(%x: memref<16xf64> {llvm.noalias}, %y: memref<8x16xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f64) {
    %s = scf.for %j = %c0 to %c16 step %c1 iter_args(%b = %a) -> (f64) {
      %u = memref.load %x[%j] : memref<16xf64>
      %lu = math.log %u : f64
      %v = memref.load %y[%i, %j] : memref<8x16xf64>
      %p = arith.mulf %lu, %v : f64
      %q = arith.addf %b, %p : f64
      scf.yield %q : f64
    }
    scf.yield %s : f64
  }
  WRITE
  %t = scf.for %k = %c0 to %c16 step %c1 iter_args(%b = %r) -> (f64) {
    %o = arith.xori %k, %c1 : index
    %u = memref.load %x[INDEX] : memref<16xf64>
    %lu = math.log %u : f64
    %q = arith.addf %b, %lu : f64
    scf.yield %q : f64
  }
  return %t : f64
}
`
	for _, c := range []struct {
		write, index string
		logs         int
	}{{"", "%k", 1}, {"memref.store %zero, %x[%c1] : memref<16xf64>", "%k", 2}, {"", "%o", 2}} {
		out, n := tabulated(t, settled(t, strings.NewReplacer("WRITE", c.write, "INDEX", c.index).Replace(program)), "tabulate")
		if got := text.String(out, text.PrintOptions{}); n != 1 || strings.Count(got, "math.log") != c.logs {
			t.Errorf("%d tables, want 1, and %d logarithms:\n%s", n, c.logs, got)
		}
	}
}

// What was read before the nest is not what is read behind a write, though the nest reads none of it.
func TestTabulateSharesNothingReadAnew(t *testing.T) {
	const program = `func.func @f(%e: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %m = memref.alloca() : memref<2xf64>
  memref.store %two, %m[%e] : memref<2xf64>
  %before = memref.load %m[%c1] : memref<2xf64>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f64) {
    %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %a) -> (f64) {
      %k = arith.index_cast %j : index to i64
      %x = arith.sitofp %k : i64 to f64
      %y = arith.mulf %x, %before : f64
      %l = math.exp %y : f64
      %h = arith.index_cast %i : index to i64
      %u = arith.sitofp %h : i64 to f64
      %p = arith.mulf %l, %u : f64
      %q = arith.addf %b, %p : f64
      scf.yield %q : f64
    }
    scf.yield %s : f64
  }
  %f = arith.subi %c1, %e : index
  %g = arith.subi %c1, %f : index
  memref.store %zero, %m[%g] : memref<2xf64>
  %behind = memref.load %m[%c1] : memref<2xf64>
  %t = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %r) -> (f64) {
    %k = arith.index_cast %j : index to i64
    %x = arith.sitofp %k : i64 to f64
    %y = arith.mulf %x, %behind : f64
    %l = math.exp %y : f64
    %q = arith.addf %b, %l : f64
    scf.yield %q : f64
  }
  return %t : f64
}
`
	g := settled(t, program)
	out, n := tabulated(t, g, "tabulate")
	if got := text.String(out, text.PrintOptions{}); n != 1 || strings.Count(got, "math.exp") != 2 {
		t.Errorf("%d tables, want 1, and 2 exponentials:\n%s", n, got)
	}
	if got, want := built.Run(t, out, "f", "[1]"), built.Run(t, g, "f", "[1]"); got != want || strings.Contains(want, "trap") {
		t.Errorf("%s, want %s", got, want)
	}
}

// Tables are of loops over indices.
func TestTabulateOverIntegers(t *testing.T) {
	src := `func.func @f(%y: f64) -> f64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%a = %y) -> (f64) : i32 {
    %s = scf.for %j = %c0 to %c16 step %c1 iter_args(%b = %a) -> (f64) : i32 {
      %u = arith.sitofp %j : i32 to f64
      %e = math.exp %u : f64
      %t = arith.mulf %b, %e : f64
      scf.yield %t : f64
    }
    scf.yield %s : f64
  }
  return %r : f64
}
`
	if out, n := tabulated(t, settled(t, src), "tabulate"); n != 0 {
		t.Errorf("%d tables:\n%s", n, text.String(out, text.PrintOptions{}))
	}
}

// Two loops have the same function of a value that a number leads to in 2^60 ways.
func TestTabulateSharesWhatManyWaysLeadTo(t *testing.T) {
	ways := func(x string) string {
		var b strings.Builder
		from := x
		for k := range 60 {
			fmt.Fprintf(&b, "%%p%[1]s%[2]d = arith.mulf %[3]s, %%half : f64\n%%q%[1]s%[2]d = arith.addf %[3]s, %%half : f64\n%%w%[1]s%[2]d = arith.minimumf %%p%[1]s%[2]d, %%q%[1]s%[2]d : f64\n", x[1:], k, from)
			from = fmt.Sprintf("%%w%s%d", x[1:], k)
		}
		return b.String()
	}
	src := "func.func @f(%y: memref<16xf64> {llvm.noalias}) -> f64 {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c16 = arith.constant 16 : index\n%zero = arith.constant 0.0 : f64\n%half = arith.constant 0.5 : f64\n" +
		"%r = scf.for %i = %c0 to %c16 step %c1 iter_args(%a = %zero) -> (f64) {\n%s = scf.for %j = %c0 to %c16 step %c1 iter_args(%b = %a) -> (f64) {\n%u = memref.load %y[%j] : memref<16xf64>\n" +
		ways("%u") + "%e = math.exp %wu59 : f64\n%k = arith.index_cast %i : index to i64\n%f = arith.sitofp %k : i64 to f64\n%p = arith.mulf %e, %f : f64\n%q = arith.addf %b, %p : f64\nscf.yield %q : f64\n}\nscf.yield %s : f64\n}\n" +
		"%t = scf.for %j = %c0 to %c16 step %c1 iter_args(%b = %r) -> (f64) {\n%v = memref.load %y[%j] : memref<16xf64>\n" +
		ways("%v") + "%e = math.exp %wv59 : f64\n%q = arith.addf %b, %e : f64\nscf.yield %q : f64\n}\nreturn %t : f64\n}\n"
	out, n := tabulated(t, settled(t, src), "tabulate")
	if got := text.String(out, text.PrintOptions{}); n != 1 || strings.Count(got, "math.exp") != 1 {
		t.Errorf("%d tables, want 1 that both loops take:\n%s", n, got)
	}
}

// A function of what an index from elsewhere picks becomes a table of the array, where the
// loop is twice as long as it; later ops take it until the array is written.
func TestTabulateElements(t *testing.T) {
	const program = `func.func @f() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %s = arith.constant 1.25 : f64
  %p = memref.alloc() : memref<2x3xf64>
  %c = memref.alloc() : memref<20xindex>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %k = %c0 to %c3 step %c1 {
      %m = arith.muli %k, %c2 : index
      %n = arith.addi %m, %i : index
      %n1 = arith.addi %n, %c1 : index
      %w = arith.index_cast %n1 : index to i64
      %v = arith.sitofp %w : i64 to f64
      memref.store %v, %p[%i, %k] : memref<2x3xf64>
    }
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %m = arith.muli %i, %i : index
    %k = arith.remui %m, %c3 : index
    memref.store %k, %c[%i] : memref<20xindex>
  }
  %r = func.call @g(%p, %c, %s) : (memref<2x3xf64>, memref<20xindex>, f64) -> f64
  return %r : f64
}
func.func @g(%p: memref<2x3xf64> {llvm.noalias}, %c: memref<20xindex> {llvm.noalias}, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant TRIPS : index
  %zero = arith.constant 0.0 : f64
  %lost = arith.constant 0x7FF8000000000000 : f64
  %early = memref.load %p[%c1, %c0] : memref<2x3xf64>
  %first = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %k = memref.load %c[%i] : memref<20xindex>
    %x = memref.load %p[%c1, %k] : memref<2x3xf64>
    %q = arith.mulf %x, %s : f64
    %l = math.log %q : f64
    %ok = arith.cmpi slt, %i, %k : index
    %y = arith.select %ok, %x, %lost : f64
    %e = math.exp %y : f64
    %t = arith.addf %a, %l : f64
    %u = arith.addf %t, %e : f64
    scf.yield %u : f64
  }
  WRITE
  %z = memref.load %p[%c0, %c1] : memref<2x3xf64>
  %zq = arith.mulf %z, %s : f64
  %zl = math.log %zq : f64
  %eq = arith.mulf %early, %s : f64
  %el = math.log %eq : f64
  %r0 = arith.addf %first, %zl : f64
  %r1 = arith.addf %r0, %el : f64
  return %r1 : f64
}
`
	for _, c := range []struct {
		trips, write string
		tables, logs int
	}{
		{"20", "", 2, 2}, // of the table and of what was read before it
		{"20", "memref.store %zero, %p[%c1, %c1] : memref<2x3xf64>", 2, 3},
		{"11", "", 0, 3},
	} {
		g := settled(t, strings.NewReplacer("TRIPS", c.trips, "WRITE", c.write).Replace(program))
		out, n := tabulated(t, g, "tabulate")
		if got := text.String(out, text.PrintOptions{}); n != c.tables || strings.Count(got, "math.log") != c.logs {
			t.Errorf("%d tables, want %d, and %d logarithms:\n%s", n, c.tables, c.logs, got)
		}
		if got, want := built.Run(t, out, "f", "[]"), built.Run(t, g, "f", "[]"); got != want || strings.Contains(want, "trap") {
			t.Errorf("%s, want %s", got, want)
		}
		if _, n := tabulated(t, out, "tabulate"); n != 0 {
			t.Errorf("%d tables more the second time", n)
		}
	}
}

// A table of few entries is values, of which the index chooses, and made at the first op that has one of them, unless something
// is written after that.
func TestTabulateShort(t *testing.T) {
	const program = `func.func @f() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %x = arith.constant 1.25 : f64
  %y = arith.constant 0.375 : f64
  %z = arith.constant 7.5 : f64
  %p = memref.alloc() : memref<3xf64>
  %q = memref.alloc() : memref<3xf64>
  %c = memref.alloc() : memref<20xindex>
  memref.store %x, %p[%c0] : memref<3xf64>
  memref.store %y, %p[%c1] : memref<3xf64>
  memref.store %z, %p[%c2] : memref<3xf64>
  scf.for %i = %c0 to %c20 step %c1 {
    %m = arith.muli %i, %i : index
    %k = arith.remui %m, %c3 : index
    memref.store %k, %c[%i] : memref<20xindex>
  }
  %r = func.call @g(%p, %q, %c, %c2) : (memref<3xf64>, memref<3xf64>, memref<20xindex>, index) -> f64
  return %r : f64
}
func.func @g(%p: memref<3xf64> {llvm.noalias}, %q: memref<3xf64> {llvm.noalias}, %c: memref<20xindex> {llvm.noalias}, %any: index) -> f64 {
  %c3 = arith.constant 3 : index
  %at = arith.remui %any, %c3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 20 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %x = memref.load %p[%at] : memref<3xf64>
  %l = math.log %x : f64
  WRITE
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %l) -> (f64) {
    %j = memref.load %c[%i] : memref<20xindex>
    %k = arith.remui %j, %c3 : index
    %y = memref.load %p[%k] : memref<3xf64>
    %m = math.log %y : f64
    %t = arith.mulf %a, %two : f64
    %u = arith.addf %t, %m : f64
    scf.yield %u : f64
  }
  %z = memref.load %p[%c1] : memref<3xf64>
  %lz = math.log %z : f64
  %r = arith.addf %s, %lz : f64
  return %r : f64
}
`
	for _, c := range []struct {
		name, write string
		logs        int
	}{
		{"all of one table", "", 3},
		{"other memory is written", "memref.store %two, %q[%c1] : memref<3xf64>", 4},
		{"an entry is written", "memref.store %two, %p[%at] : memref<3xf64>", 4},
	} {
		g := settled(t, strings.Replace(program, "WRITE", c.write, 1))
		out, n := tabulated(t, g, "tabulate")
		got := text.String(out, text.PrintOptions{})
		if n != 1 || strings.Count(got, "math.log") != c.logs || strings.Contains(got, "alloca") {
			t.Errorf("%s: %d tables, want 1, and %d logarithms:\n%s", c.name, n, c.logs, got)
		}
		if got, want := built.Run(t, out, "f", "[]"), built.Run(t, g, "f", "[]"); got != want || strings.Contains(want, "trap") {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
	g := settled(t, strings.NewReplacer("WRITE", "", "%k = arith.remui %j, %c3", "%k = arith.muli %j, %c3").Replace(program))
	out, n := tabulated(t, g, "tabulate")
	if got, want := built.Run(t, out, "f", "[]"), built.Run(t, g, "f", "[]"); n != 1 || !strings.Contains(got, "trap") || !strings.Contains(want, "trap") {
		t.Errorf("an index is out of bounds: %d tables, and %s, want 1, and %s", n, got, want)
	}
}
