package binding_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var buffer = regexp.MustCompile(`memref<(\d+)xf64> \{func\.staged`)

// driven is a module with a function @main that calls the setup of @f, if it has one, and
// then @f twice, as the arguments that are the same in every call allow.
func driven(module, in, out string) string {
	params := strings.Split(strings.ReplaceAll(in, ", llvm", " llvm"), ", ")
	var names, types []string
	for _, p := range params {
		name, t, _ := strings.Cut(p, ": ")
		t, _, _ = strings.Cut(t, " {")
		names, types = append(names, name), append(types, t)
	}
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(strings.TrimSpace(module), "}"))
	var list []string
	for i := range names {
		list = append(list, names[i]+": "+types[i])
	}
	fmt.Fprintf(&b, "func.func @main(%s) -> %s {\n", strings.Join(list, ", "), out)
	if size := buffer.FindStringSubmatch(module); size != nil {
		t := "memref<" + size[1] + "xf64>"
		fmt.Fprintf(&b, "%%buffer = memref.alloc() : %s\n", t)
		names, types = append(names, "%buffer"), append(types, t)
		fmt.Fprintf(&b, "func.call @f_setup(%s) : (%s) -> ()\n", strings.Join(names, ", "), strings.Join(types, ", "))
	}
	for i := range 2 {
		fmt.Fprintf(&b, "%%r%d = func.call @f(%s) : (%s) -> %s\n", i, strings.Join(names, ", "), strings.Join(types, ", "), out)
	}
	fmt.Fprintf(&b, "func.return %%r1 : %s\n}\n}\n", out)
	return b.String()
}

// same ends the test if a program computes something else after passes than before, in two
// calls. It may trap only where it did.
func same(t *testing.T, src, in, pipeline, args string) (after string) {
	t.Helper()
	return sameFor(t, target.Host(), src, in, pipeline, args)
}

// sameFor is same for a target.
func sameFor(t *testing.T, to *target.Target, src, in, pipeline, args string) (after string) {
	t.Helper()
	before := built.Parse(t, "module {\n"+src+"}\n", text.Options{})
	is := text.String(built.ThroughFor(t, to, before, pipeline), text.PrintOptions{})
	outcome := func(module string) string {
		g := built.Parse(t, driven(module, in, "f64"), text.Options{})
		return built.Run(t, g, "main", args) + built.After(t, g, "main", args)
	}
	want, got := outcome(text.String(before, text.PrintOptions{})), outcome(is)
	if got != want && !strings.Contains(want, "trap") {
		t.Fatalf("of %s: %s, want %s\n%s\n%s", args, got, want, src, is)
	}
	return is
}

const params = "%x: memref<3x4xf64> {func.static, llvm.noalias}, %y: memref<3x4xf64> {llvm.noalias}, %a: f64 {func.static}, %b: f64, %n: index {func.static}, %m: index"

const constants = `  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %none = arith.constant 0.0 : f64
  %pos = arith.cmpf ogt, %a, %none : f64
  %dyn = arith.cmpf ogt, %b, %none : f64
`

// own is memory of the function, fill what stores into it.
const (
	own  = "%o = memref.alloca() : memref<4xf64>\n"
	fill = "scf.for %i = %zero to %four step %one {\n%e = memref.load %x[%zero, %i] : memref<3x4xf64>\n%f = arith.mulf %e, %a : f64\nmemref.store %f, %o[%i] : memref<4xf64>\n}\n"
)

// readOwn adds up what is in it.
func readOwn(at, upper string) string {
	return "%r = scf.for %j = %zero to " + upper + " step %one iter_args(%p = %none) -> (f64) {\n%v = memref.load %o[" + at + "] : memref<4xf64>\n%u = arith.mulf %b, %v : f64\n%t = arith.addf %p, %u : f64\nscf.yield %t : f64\n}"
}

// halve halves a number while it is large, and stores what it was.
func halve(x string) string {
	return "%half = arith.constant 0.5 : f64\n%l = scf.while (%h = " + x + ") : (f64) -> f64 {\n%go = arith.cmpf ogt, %h, %half : f64\nscf.condition(%go) %h : f64\n} do {\n^bb0(%h: f64):\nmemref.store %h, %o[%zero] : memref<4xf64>\n%g = arith.mulf %h, %half : f64\n%g2 = memref.load %o[%zero] : memref<4xf64>\n%g3 = arith.minimumf %g, %g2 : f64\nscf.yield %g3 : f64\n}\n"
}

// What is computed ahead, and what is not, because it is not the same in every call, does not
// run in every call, may be written, or costs little.
func TestSpecialize(t *testing.T) {
	for _, c := range []struct {
		name, body string
		size       string // of the buffer
	}{
		{"a function", "%l = math.log %a : f64\n%r = arith.mulf %l, %b : f64", "1"},
		{"what costs as little as reading it", "%l = arith.addf %a, %a : f64\n%r = arith.mulf %l, %b : f64", ""},
		{"what is dynamic", "%l = math.log %b : f64\n%r = arith.mulf %l, %b : f64", ""},
		{"a loop", "%l = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {\n%v = memref.load %x[%zero, %i] : memref<3x4xf64>\n%t = arith.addf %s, %v : f64\nscf.yield %t : f64\n}\n%r = arith.mulf %l, %b : f64", "1"},
		{"a loop that stores, too", "%l = scf.for %i = %zero to %three step %one iter_args(%s = %none) -> (f64) {\n%v = memref.load %x[%zero, %i] : memref<3x4xf64>\nmemref.store %v, %y[%zero, %i] : memref<3x4xf64>\n%t = arith.addf %s, %v : f64\nscf.yield %t : f64\n}\n%r = arith.mulf %l, %b : f64", "1"},
		{"a choice in which something is stored", "%l = scf.if %pos -> (f64) {\n%u = math.log %a : f64\nmemref.store %b, %y[%zero, %zero] : memref<3x4xf64>\nscf.yield %u : f64\n} else {\n%u = math.exp %a : f64\nscf.yield %u : f64\n}\n%r = arith.mulf %l, %b : f64", "1"},
		{"a loop of dynamic length", "%l = scf.for %i = %zero to %m step %one iter_args(%s = %none) -> (f64) {\n%v = memref.load %x[%zero, %i] : memref<3x4xf64>\n%t = arith.addf %s, %v : f64\nscf.yield %t : f64\n}\n%r = arith.mulf %l, %b : f64", ""},
		{"one of two sums", "%l:2 = scf.for %i = %zero to %n step %one iter_args(%s = %none, %q = %b) -> (f64, f64) {\n%v = memref.load %x[%zero, %i] : memref<3x4xf64>\n%t = arith.addf %s, %v : f64\n%u = arith.mulf %q, %v : f64\nscf.yield %t, %u : f64, f64\n}\n%r = arith.mulf %l#0, %l#1 : f64", "1"},
		{"what a loop carries and something dynamic reads", "%l:2 = scf.for %i = %zero to %n step %one iter_args(%s = %none, %q = %b) -> (f64, f64) {\n%v = memref.load %x[%zero, %i] : memref<3x4xf64>\n%t = arith.addf %s, %v : f64\n%u = arith.mulf %q, %s : f64\nscf.yield %t, %u : f64, f64\n}\n%r = arith.mulf %l#0, %l#1 : f64", "1"},
		{"a table of one dimension", "%r = scf.for %i = %zero to %three step %one iter_args(%s = %none) -> (f64) {\n%q = scf.for %j = %zero to %four step %one iter_args(%p = %s) -> (f64) {\n%v = memref.load %x[%zero, %j] : memref<3x4xf64>\n%l = math.log %v : f64\n%u = arith.mulf %b, %l : f64\n%t = arith.addf %p, %u : f64\nscf.yield %t : f64\n}\nscf.yield %q : f64\n}", "8"},
		{"a table of two", "%r = scf.for %i = %zero to %three step %one iter_args(%s = %none) -> (f64) {\n%q = scf.for %j = %zero to %four step %one iter_args(%p = %s) -> (f64) {\n%v = memref.load %x[%i, %j] : memref<3x4xf64>\n%l = math.log %v : f64\n%u = arith.mulf %b, %l : f64\n%t = arith.addf %p, %u : f64\nscf.yield %t : f64\n}\nscf.yield %q : f64\n}", "16"},
		{"no table of a loop whose rounds are not known", "%r = scf.for %j = %zero to %n step %one iter_args(%p = %none) -> (f64) {\n%v = memref.load %x[%zero, %j] : memref<3x4xf64>\n%l = math.log %v : f64\n%u = arith.mulf %b, %l : f64\n%t = arith.addf %p, %u : f64\nscf.yield %t : f64\n}", ""},
		{"no table that is larger than its data", "%c = arith.constant 100 : index\n%r = scf.for %j = %zero to %c step %one iter_args(%p = %none) -> (f64) {\n%k = arith.remui %j, %four : index\n%v = memref.load %x[%zero, %k] : memref<3x4xf64>\n%l = math.log %v : f64\n%u = arith.mulf %b, %l : f64\n%t = arith.addf %p, %u : f64\nscf.yield %t : f64\n}", ""},
		{"a choice", "%l = scf.if %pos -> (f64) {\n%u = math.log %a : f64\nscf.yield %u : f64\n} else {\n%u = math.exp %a : f64\nscf.yield %u : f64\n}\n%r = arith.mulf %l, %b : f64", "1"},
		{"what a branch computes that every call takes", "%r = scf.if %pos -> (f64) {\n%u = math.log %a : f64\n%w = arith.mulf %u, %b : f64\nscf.yield %w : f64\n} else {\nscf.yield %b : f64\n}", "1"},
		{"a read in such a branch, which traps where it is not taken", "%in = arith.cmpi ult, %n, %four : index\n%r = scf.if %in -> (f64) {\n%v = memref.load %x[%zero, %n] : memref<3x4xf64>\n%u = math.log %v : f64\n%w = arith.mulf %u, %b : f64\nscf.yield %w : f64\n} else {\nscf.yield %b : f64\n}", "1"},
		{"a table of the rounds of a loop that take a branch", "%r = scf.for %j = %zero to %four step %one iter_args(%p = %none) -> (f64) {\n%v = memref.load %x[%zero, %j] : memref<3x4xf64>\n%in = arith.cmpf ogt, %v, %a : f64\n%q = scf.if %in -> (f64) {\n%l = math.log %v : f64\n%u = arith.mulf %b, %l : f64\nscf.yield %u : f64\n} else {\nscf.yield %b : f64\n}\n%t = arith.addf %p, %q : f64\nscf.yield %t : f64\n}", "8"},
		{"what runs only where something dynamic holds", "%r = scf.if %dyn -> (f64) {\n%v = memref.load %x[%zero, %n] : memref<3x4xf64>\n%u = math.log %v : f64\nscf.yield %u : f64\n} else {\nscf.yield %b : f64\n}", ""},
		{"memory that is written", "%k = arith.minui %m, %one : index\nmemref.store %b, %x[%zero, %k] : memref<3x4xf64>\n%v = memref.load %x[%zero, %one] : memref<3x4xf64>\n%l = math.log %v : f64\n%r = arith.mulf %l, %b : f64", ""},
		{"memory that is filled with what is static", own + fill + readOwn("%j", "%four"), "8"},
		{"such memory in a loop whose rounds are not known, which is filled in each call", own + fill + readOwn("%j", "%n"), ""},
		{"such memory that what is dynamic picks from", own + fill + "%k = arith.minui %m, %three : index\n%v = memref.load %o[%k] : memref<4xf64>\n%l = math.log %a : f64\n%q = arith.mulf %b, %v : f64\n%r = arith.mulf %l, %q : f64", "1"},
		{"memory with something dynamic", own + fill + "memref.store %b, %o[%zero] : memref<4xf64>\n" + readOwn("%j", "%four"), ""},
		{"memory that is written at a place that is", own + fill + "%k = arith.minui %m, %three : index\nmemref.store %a, %o[%k] : memref<4xf64>\n" + readOwn("%j", "%four"), ""},
		{"memory that is written where something dynamic holds", own + fill + "scf.if %dyn {\nmemref.store %a, %o[%zero] : memref<4xf64>\n}\n" + readOwn("%j", "%four"), ""},
		{"memory that is written where something static holds", own + fill + "scf.if %pos {\nmemref.store %a, %o[%zero] : memref<4xf64>\n}\n" + readOwn("%j", "%four"), "8"},
		{"memory that changes from round to round", own + fill + "%k = arith.minui %n, %one : index\n%r = scf.for %i = %zero to %four step %one iter_args(%s = %none) -> (f64) {\n%e = memref.load %x[%zero, %i] : memref<3x4xf64>\nmemref.store %e, %o[%zero] : memref<4xf64>\nmemref.store %e, %o[%i] : memref<4xf64>\n%v = memref.load %o[%k] : memref<4xf64>\n%u = arith.mulf %b, %v : f64\n%t = arith.addf %s, %u : f64\nscf.yield %t : f64\n}", "8"},
		{"memory that a loop adds up in", own + "memref.store %a, %o[%zero] : memref<4xf64>\n%r = scf.for %i = %zero to %four step %one iter_args(%s = %none) -> (f64) {\n%e = memref.load %x[%zero, %i] : memref<3x4xf64>\n%f = memref.load %o[%zero] : memref<4xf64>\n%h = arith.addf %e, %f : f64\nmemref.store %h, %o[%zero] : memref<4xf64>\nmemref.store %f, %o[%i] : memref<4xf64>\n%k = arith.minui %i, %one : index\n%v = memref.load %o[%k] : memref<4xf64>\n%u = arith.mulf %b, %v : f64\n%t = arith.addf %s, %u : f64\nscf.yield %t : f64\n}", "8"},
		{"one number that a nest carries beside another", "%l:2 = scf.for %i = %zero to %three step %one iter_args(%s = %none, %q = %b) -> (f64, f64) {\n%k:2 = scf.for %j = %zero to %n step %one iter_args(%p = %s, %o = %q) -> (f64, f64) {\n%v = memref.load %x[%i, %j] : memref<3x4xf64>\n%t = arith.addf %p, %v : f64\n%u = arith.mulf %o, %v : f64\nscf.yield %t, %u : f64, f64\n}\nscf.yield %k#0, %k#1 : f64, f64\n}\n%r = arith.mulf %l#0, %l#1 : f64", "1"},
		{"one that is made of such memory", own + "scf.for %i = %zero to %four step %one {\n%c = arith.index_cast %i : index to i64\n%f = arith.sitofp %c : i64 to f64\nmemref.store %f, %o[%i] : memref<4xf64>\n}\n%l:2 = scf.for %i = %zero to %three step %one iter_args(%s = %none, %q = %b) -> (f64, f64) {\n%k:2 = scf.for %j = %zero to %n step %one iter_args(%p = %s, %h = %q) -> (f64, f64) {\n%w = memref.load %o[%j] : memref<4xf64>\n%c = arith.fptosi %w : f64 to i64\n%d = arith.index_cast %c : i64 to index\n%v = memref.load %x[%i, %d] : memref<3x4xf64>\n%t = arith.addf %p, %v : f64\n%u = arith.addf %h, %b : f64\nscf.yield %t, %u : f64, f64\n}\nscf.yield %k#0, %k#1 : f64, f64\n}\n%r = arith.mulf %l#0, %l#1 : f64", "1"},
		{"a loop with a condition", own + fill + halve("%a") + "%r = arith.mulf %l, %b : f64", "1"},
		{"a loop with a dynamic condition", own + fill + halve("%b") + "%r = arith.mulf %l, %b : f64", ""},
		{"what acts by a region, once in each call", "%q = memref.generic_atomic_rmw %y[%zero, %zero] : memref<3x4xf64> {\n^bb0(%h: f64):\n%g = arith.addf %h, %h : f64\nmemref.atomic_yield %g : f64\n}\n%w = math.log %a : f64\n%r = arith.mulf %q, %w : f64", "1"},
		{"a loop with a condition behind what is seen", own + "special.print %b : f64\n" + halve("%a") + "%r = arith.mulf %l, %b : f64", ""},
		{"memory that is not static", "%v = memref.load %y[%zero, %zero] : memref<3x4xf64>\n%l = math.log %v : f64\n%r = arith.mulf %l, %b : f64", ""},
		{"what may trap behind what is seen", "special.print %b : f64\n%v = memref.load %x[%zero, %n] : memref<3x4xf64>\n%l = math.log %v : f64\n%r = arith.mulf %l, %b : f64", ""},
	} {
		src := "func.func @f(" + params + ") -> f64 {\n" + constants + c.body + "\nreturn %r : f64\n}\n"
		for _, args := range []string{"[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]], 3.5, 2.5, 4, 3]", "[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]], -3.5, -2.5, 5, 0]"} {
			after := same(t, src, params, "specialize-data", args)
			size := ""
			if m := buffer.FindStringSubmatch(after); m != nil {
				size = m[1]
			}
			if size != c.size {
				t.Errorf("%s: a buffer of %q numbers, want %q\n%s", c.name, size, c.size, after)
			}
		}
	}
}

// A function that is called keeps its arguments, and one without static arguments is whole.
func TestSpecializeNamed(t *testing.T) {
	const f = "func.func @f(%a: f64 {func.static}, %b: f64) -> f64 {\n%l = math.log %a : f64\n%r = arith.mulf %l, %b : f64\nreturn %r : f64\n}\n"
	const g = "func.func @g(%a: f64) -> f64 {\n%r = func.call @f(%a, %a) : (f64, f64) -> f64\nreturn %r : f64\n}\n"
	for _, src := range []string{f + g, strings.ReplaceAll(f, " {func.static}", ""), f + "func.func private @f_setup()\n"} {
		before := built.Parse(t, src, text.Options{})
		after := built.Through(t, before, "specialize-data")
		if was, is := text.String(before, text.PrintOptions{}), text.String(after, text.PrintOptions{}); was != is {
			t.Errorf("changed to\n%s", is)
		}
	}
}

// What innermost loops read of data with steps of more than an element is packed, where there are
// vectors, enough rounds, and no loop around that reads step by step.
func TestSpecializeStrided(t *testing.T) {
	machine := *target.Host()
	machine.Vector, machine.Caches, machine.Costs.MinRounds = 64, []int64{1 << 8, 1 << 10}, 4
	for _, c := range []struct {
		name, at, data, rounds string
		size                   string // of the buffer
	}{
		{"a column", "%i, %c", "8x5", "8", "8"},
		{"a row", "%c, %i", "5x8", "8", ""},
		{"each third", "%k", "24", "8", "8"},
		{"a diagonal", "%i, %i", "8x8", "8", "8"},
		{"from the last to the first", "%l", "8", "8", ""},
		{"columns from the last to the first", "%l, %c", "8x5", "8", "8"},
		{"one element", "%c, %zero", "5x8", "8", ""},
		{"few rounds", "%i, %c", "4x5", "3", ""},
		{"data that are in no cache", "%i, %c", "40x5", "8", ""},
		{"a loop around that reads step by step", "%i, %j", "8x5", "8", ""},
		{"one that reads matrices", "%j, %i, %c", "2x8x5", "8", "16"},
	} {
		const in = "%x: memref<DATAxf64> {func.static, llvm.noalias}, %b: f64"
		src := strings.NewReplacer("DATA", c.data, "ROUNDS", c.rounds, "AT", c.at).Replace("func.func @f(" + in + `) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %c = arith.constant 3 : index
  %seven = arith.constant 7 : index
  %n = arith.constant ROUNDS : index
  %none = arith.constant 0.0 : f64
  %r = scf.for %j = %zero to %two step %one iter_args(%p = %none) -> (f64) {
    %o = scf.for %i = %zero to %n step %one iter_args(%s = %p) -> (f64) {
      %k = arith.muli %i, %c : index
      %l = arith.subi %seven, %i : index
      %v = memref.load %x[AT] : memref<DATAxf64>
      %w = arith.mulf %v, %b : f64
      %q = arith.addf %s, %w : f64
      scf.yield %q : f64
    }
    scf.yield %o : f64
  }
  return %r : f64
}
`)
		after := sameFor(t, &machine, src, strings.ReplaceAll(in, "DATA", c.data), "specialize-data", "["+numbers(c.data)+", 0.5]")
		size := ""
		if m := buffer.FindStringSubmatch(after); m != nil {
			size = m[1]
		}
		if size != c.size {
			t.Errorf("%s: a buffer of %q numbers, want %q\n%s", c.name, size, c.size, after)
		}
	}
}

// numbers is an array of some shape with a number each.
func numbers(shape string) string {
	n := 0
	var array func(dims []string) string
	array = func(dims []string) string {
		if len(dims) == 0 {
			n++
			return strconv.Itoa(n * n)
		}
		d, _ := strconv.Atoi(dims[0])
		var list []string
		for range d {
			list = append(list, array(dims[1:]))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return array(strings.Split(shape, "x"))
}
