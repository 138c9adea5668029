package grid_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// loopText is a program that collects, reduces, scans what it collects, and reads that again.
func loopText(elem string) string {
	return strings.ReplaceAll(`func.func @main(%x: !loop.array<T>, %y: !loop.array<T>, %a: T) -> (!loop.array<T>, T, T, i64, !loop.array<T>, T) {
  %n = loop.len %x : !loop.array<T>
  %m = loop.len %y : !loop.array<T>
  %one = arith.constant 1 : i64
  %z, %s, %h, %c, %p = loop.for %i < %n -> collect(T), reduce(add reassoc : T), reduce(max : T), reduce(add : i64), scan(add reassoc : T) {
    %v = loop.at %x[%i] : !loop.array<T>
    %d = loop.for %j < %m -> reduce(add reassoc : T) {
      %u = loop.at %y[%j] : !loop.array<T>
      loop.yield %u : T
    }
    %w = arith.mulf %v, %a : T
    %t = arith.addf %w, %d : T
    loop.yield %t, %w, %v, %one, %v : T, T, T, i64, T
  }
  %q = loop.for %i < %n -> reduce(min : T) {
    %u = loop.at %p[%i] : !loop.array<T>
    %v = loop.at %z[%i] : !loop.array<T>
    %w = arith.addf %u, %v : T
    loop.yield %w : T
  }
  return %z, %s, %h, %c, %p, %q : !loop.array<T>, T, T, i64, !loop.array<T>, T
}
`, "T", elem)
}

// Kernels of loops give what the loops mean, of any number of rounds: their sums are of small whole numbers, which are exact.
func TestLoops(t *testing.T) {
	for seed, n := range []int{0, 1, 31, 257, 1024, 2100} {
		rnd := rand.New(rand.NewPCG(uint64(seed), 5))
		var x []string
		for range n {
			x = append(x, fmt.Sprint(rnd.IntN(9)-4))
		}
		args := fmt.Sprintf("[[%s], [1, 2, 3], 2]", strings.Join(x, ", "))
		_, m := loopsOnDevice(t, loopText([]string{"f32", "f64"}[seed%2]), args, "loop-to-device")
		if m.Launches != 9 || m.In.Copies != 2 || m.In.Needless+m.Out.Needless > 0 {
			t.Errorf("%d rounds: %s", n, m)
		}
	}
}

// Tuples of a scan, and those of a group, are combined in their order: functions a x + b are composed.
func TestOrder(t *testing.T) {
	const composed = ` combine(%a1: i64, %b1: i64, %a2: i64, %b2: i64) {
    %a3 = arith.muli %a1, %a2 : i64
    %b3 = arith.muli %b1, %a2 : i64
    %b4 = arith.addi %b3, %b2 : i64
    loop.yield %a3, %b4 : i64, i64
  }`
	var ks, xs []string
	for i := range 1100 {
		ks, xs = append(ks, fmt.Sprint(i*i%5)), append(xs, fmt.Sprint(2*i+1))
	}
	loopsOnDevice(t, `func.func @main(%ks: !loop.array<i32>, %xs: !loop.array<i64>) -> (!loop.array<i64>, !loop.array<i64>, !loop.buckets<i32>, !loop.array<i64>, !loop.array<i64>) {
  %n = loop.len %xs : !loop.array<i64>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a, %b, %g, %c, %d = loop.for %i < %n -> scan(%c1, %c0 reassoc : i64, i64), bucket(i32, [reduce(%c1, %c0 reassoc : i64, i64)]) {
    %k = loop.at %ks[%i] : !loop.array<i32>
    %x = loop.at %xs[%i] : !loop.array<i64>
    loop.yield %x, %x, %k, %x, %x : i64, i64, i32, i64, i64
  }`+composed+composed+`
  return %a, %b, %g, %c, %d : !loop.array<i64>, !loop.array<i64>, !loop.buckets<i32>, !loop.array<i64>, !loop.array<i64>
}`, fmt.Sprintf("[[%s], [%s]]", strings.Join(ks, ", "), strings.Join(xs, ", ")), "loop-to-device")
}

// Loops whose order counts, whose groups have floats, or that emit several tuples in a round, stay.
func TestLoopsLeft(t *testing.T) {
	for _, c := range []struct{ generator, result, given, says string }{
		{"reduce(add : f32)", "f32", "loop.yield %v : f32", "sums up floats in order"},
		{"scan(mul : f32)", "!loop.array<f32>", "loop.yield %v : f32", "sums up floats in order"},
		{"collect(f32)", "!loop.array<f32>", "%e = loop.emit %v : f32\n %s2 = loop.seq %e, %e : !loop.emit<f32>\n loop.yield %s2 : !loop.emit<f32>", "may emit more than one tuple"},
		{"bucket(f32, [])", "!loop.buckets<f32>", "loop.yield %v : f32", "groups by other than integers"},
		{"reduce(%zero : f32)", "f32", "loop.yield %v : f32\n } combine(%a: f32, %b: f32) {\n loop.yield %a : f32", "by a region in order"},
		{"scan(%zero : f32)", "!loop.array<f32>", "loop.yield %v : f32\n } combine(%a: f32, %b: f32) {\n loop.yield %a : f32", "by a region in order"},
		{"bucket(i64, [reduce(add : f32)])", "!loop.buckets<i64>, !loop.array<f32>", "loop.yield %k, %v : i64, f32", "sums up floats in order"},
		{"bucket(i64, [collect(f32)])", "!loop.buckets<i64>, !loop.array<!loop.array<f32>>", "loop.yield %k, %v : i64, f32", "makes of groups what kernels do not: collect"},
		{"reduce(%two reassoc : f32)", "f32", "loop.yield %v : f32\n } combine(%a: f32, %b: f32) {\n %c = arith.addf %a, %b : f32\n loop.yield %c : f32", "no identity of it"},
		{"reduce(%first reassoc : f32)", "f32", "loop.yield %v : f32\n } combine(%a: f32, %b: f32) {\n loop.yield %a : f32", "begins with what is no constant"},
		{"reduce(%zero reassoc : f32)", "f32", "loop.yield %v : f32\n } combine(%a: f32, %b: f32) {\n %c = arith.addf %a, %first : f32\n loop.yield %c : f32", "uses values from outside"},
	} {
		results := "%s"
		if strings.Contains(c.result, ", ") {
			results = "%s0, %s1"
		}
		src := fmt.Sprintf(`func.func @main(%%x: !loop.array<f32>, %%first: f32) -> (%[1]s) {
  %%n = loop.len %%x : !loop.array<f32>
  %%zero = arith.constant 0.0 : f32
  %%two = arith.constant 2.0 : f32
  %%k = arith.constant 1 : i64
  %[4]s = loop.for %%i < %%n -> %[2]s {
    %%v = loop.at %%x[%%i] : !loop.array<f32>
    %[3]s
  }
  return %[4]s : %[1]s
}`, c.result, c.generator, c.given, results)
		said := built.Remarks(t, src, parse(t, src), "loop-to-device")
		if !strings.Contains(strings.Join(said, "\n"), c.says) {
			t.Errorf("%s: %q", c.generator, said)
		}
	}
}

// The offsets of more tiles than a block has threads, which goes along them in several rounds: each reads what the one before wrote.
func TestManyTiles(t *testing.T) {
	low := built.Through(t, parse(t, `func.func @main(%x: !loop.array<i64>) -> !loop.array<i64> {
  %n = loop.len %x : !loop.array<i64>
  %s = loop.for %i < %n -> scan(add : i64) {
    %v = loop.at %x[%i] : !loop.array<i64>
    loop.yield %v : i64
  }
  return %s : !loop.array<i64>
}`), "loop-to-device")
	const tiles = 600
	src := strings.Replace(text.String(low, text.PrintOptions{}), "@main(", "@whole(", 1)
	src = strings.TrimSuffix(strings.TrimSpace(src), "}") + `  func.func @main(%x: memref<?xi64>) -> memref<?xi64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %n = memref.dim %x, %c0 : memref<?xi64>
    %there = memref.alloc(%n) : memref<?xi64, 1>
    memref.copy %x, %there : memref<?xi64> to memref<?xi64, 1>
    device.launch @main_offsets blocks(%c1) threads(%c256) args(%n, %there : index, memref<?xi64, 1>)
    memref.copy %there, %x : memref<?xi64, 1> to memref<?xi64>
    memref.dealloc %there : memref<?xi64, 1>
    return %x : memref<?xi64>
  }
}`
	var xs, sums []string
	sum := 0
	for i := range tiles {
		xs, sums = append(xs, fmt.Sprint(i*i%7)), append(sums, fmt.Sprint(sum))
		sum += i * i % 7
	}
	g := parse(t, src)
	want := fmt.Sprintf("[%s]", strings.Join(sums, ", "))
	onDevice(func(o interp.Options) {
		if got, err := built.Interpret(g, "main", "[["+strings.Join(xs, ", ")+"]]", o); err != nil || !strings.Contains(got, want) {
			t.Fatalf("%v\ngot  %s\nwant %s", err, got, want)
		}
	})
}
