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

// batched are loops with buckets: what is emitted of a row, by which generators.
var batched = map[string]struct{ generators, results, body string }{
	"strings": {"bucket(!loop.string, [reduce(add : i64), collect(i64)])", "!loop.buckets<!loop.string>, !loop.array<i64>, !loop.array<!loop.array<i64>>",
		`loop.yield %s, %x, %x : !loop.string, i64, i64`},
	"strings in two tables": {"bucket(!loop.string, [reduce(max : i64)]), bucket(!loop.string, i64, [reduce(add : i64)])",
		"!loop.buckets<!loop.string>, !loop.array<i64>, !loop.buckets<!loop.string, i64>, !loop.array<i64>",
		`loop.yield %s, %x, %s, %x, %x : !loop.string, i64, !loop.string, i64, i64`},
	"numbers": {"bucket(i64, [reduce(add : i64)])", "!loop.buckets<i64>, !loop.array<i64>", `loop.yield %x, %i64 : i64, i64`},
	"two tuples of a row": {"bucket(i64, [collect(i64)])", "!loop.buckets<i64>, !loop.array<!loop.array<i64>>",
		`%a = loop.emit %x, %i64 : i64, i64
    %b = loop.emit %i64, %x : i64, i64
    %two = loop.seq %a, %b : !loop.emit<i64, i64>
    loop.yield %two : !loop.emit<i64, i64>`},
	"some rows": {"bucket(!loop.string, [reduce(add : i64)])", "!loop.buckets<!loop.string>, !loop.array<i64>",
		`%e = scf.if %even -> (!loop.emit<!loop.string, i64>) {
      %e = loop.emit %s, %x : !loop.string, i64
      scf.yield %e : !loop.emit<!loop.string, i64>
    } else {
      %e = loop.none : !loop.emit<!loop.string, i64>
      scf.yield %e : !loop.emit<!loop.string, i64>
    }
    loop.yield %e : !loop.emit<!loop.string, i64>`},
	"many tuples of a row": {"bucket(index, [reduce(add : i64)])", "!loop.buckets<index>, !loop.array<i64>",
		`%e = loop.for %j < %i -> emit(index, i64) {
      loop.yield %j, %x : index, i64
    }
    loop.yield %e : !loop.emit<index, i64>`},
	"groups in groups": {"bucket(i64, [bucket(!loop.string, [reduce(add : i64)])])", "!loop.buckets<i64>, !loop.array<!loop.buckets<!loop.string>>, !loop.array<!loop.array<i64>>",
		`loop.yield %x, %s, %i64 : i64, !loop.string, i64`},
}

// TestBatches: loops with buckets give the same whether rounds fill batches or not.
func TestBatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for name, x := range batched {
		src := fmt.Sprintf(`!row = !loop.struct<x: i64, s: !loop.string>
func.func @f(%%rows: !loop.array<!row>) -> (%s) {
  %%n = loop.len %%rows : !loop.array<!row>
  %%one = arith.constant 1 : i64
  %%r:%d = loop.for %%i < %%n -> %s {
    %%row = loop.at %%rows[%%i] : !loop.array<!row>
    %%x = loop.field %%row["x"] : !row
    %%s = loop.field %%row["s"] : !row
    %%i64 = arith.index_cast %%i : index to i64
    %%low = arith.andi %%x, %%one : i64
    %%even = arith.cmpi ne, %%low, %%one : i64
    %s
  }
  return %s : %s
}`, x.results, results(x.results), x.generators, x.body, resultsOf(results(x.results)), x.results)
		for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 48, 200} {
			var rows []string
			for range n {
				k := rng.IntN(2*n) - n/2
				rows = append(rows, fmt.Sprintf(`{"x": %d, "s": "%s"}`, k, strings.Repeat("a", max(k, 0)%40)+fmt.Sprint(k%7)))
			}
			args := "[[" + strings.Join(rows, ", ") + "]]"
			want := built.Run(t, built.Parse(t, src, text.Options{}), "f", args)
			for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
				if kind == engine.LLVM && n != 33 {
					continue // it is slow to start
				}
				if got := built.Lowered(t, kind, built.Parse(t, src, text.Options{}), "f", args); got != want {
					t.Errorf("%s, %d rows on %s: %s, want %s", name, n, kind.Name, got, want)
				}
			}
		}
	}
}

// results counts types in a list, those in brackets as one.
func results(types string) (n int) {
	depth := 0
	for _, r := range types {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			if depth == 0 {
				n++
			}
		}
	}
	return n + 1
}

func resultsOf(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%%r#%d", i)
	}
	return strings.Join(out, ", ")
}

// TestRowForEachKey: with many groups in a range that is small, each key of it has a row; what is
// found in the groups and what they hold is the same as with a hash.
func TestRowForEachKey(t *testing.T) {
	const src = `func.func @f(%keys: !loop.array<i64>, %none: i64) -> (index, i64, i64, index, index, i64) {
  %n = loop.len %keys : !loop.array<i64>
  %groups, %sum = loop.for %i < %n -> bucket(i64, [reduce(add : i64)]) {
    %k = loop.at %keys[%i] : !loop.array<i64>
    %x = arith.index_cast %i : index to i64
    loop.yield %k, %x : i64, i64
  }
  %count = loop.len %groups : !loop.buckets<i64>
  %all = loop.keys %groups[0] : !loop.buckets<i64>
  %c3 = arith.constant 70000 : index
  %key = loop.at %all[%c3] : !loop.array<i64>
  %s = loop.at %sum[%c3] : !loop.array<i64>
  %there = loop.find %groups, %key : !loop.buckets<i64>
  %absent = loop.find %groups, %none : !loop.buckets<i64>
  %total = loop.for %i < %count -> reduce(add : i64) {
    %x = loop.at %sum[%i] : !loop.array<i64>
    %k = loop.at %all[%i] : !loop.array<i64>
    %p = arith.muli %x, %k : i64
    loop.yield %p : i64
  }
  return %count, %key, %s, %there, %absent, %total : index, i64, i64, index, index, i64
}`
	for _, x := range []struct{ first, step int }{{-500, 1}, {4e18, 1}, {-150_000, 3}, {0, 1_000_003}} {
		keys := make([]string, 300_000)
		for i := range keys {
			keys[i] = fmt.Sprint(x.first + x.step*(i*i%70_001))
		}
		for i := range 70_001 { // all are groups of their own
			keys[i] = fmt.Sprint(x.first + x.step*i)
		}
		args := fmt.Sprintf("[[%s], %d]", strings.Join(keys, ", "), x.first-1)
		g := built.Parse(t, src, text.Options{})
		want := built.Run(t, g, "f", args)
		if got := built.Lowered(t, engine.LLVM, g, "f", args); got != want {
			t.Errorf("from %d by %d: %s, want %s", x.first, x.step, got, want)
		}
	}
}
