package fuse_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// polynomial is a map of %in, an array of floats, whose body has n operations, and a consumer of it,
// which makes %r.
func polynomial(n int, consumer string) string {
	var b strings.Builder
	b.WriteString("!fs = !loop.array<f64>\nfunc.func @f(%in: !fs, %keys: !loop.array<i64>) -> RESULT {\n %n = loop.len %in : !fs\n %ys = loop.for %i < %n -> collect(f64) {\n  %y0 = loop.at %in[%i] : !fs\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%y%d = arith.%s %%y%d, %%y0 : f64\n", i+1, []string{"mulf", "addf"}[i%2], i)
	}
	fmt.Fprintf(&b, "  loop.yield %%y%d : f64\n }\n%s return %%r : RESULT\n}\n", n, consumer)
	result := "!fs"
	if strings.Contains(consumer, "> reduce") {
		result = "f64"
	}
	return strings.ReplaceAll(b.String(), "RESULT", result)
}

func reduction(generator, given string) string {
	return " %r = loop.for %i < %n -> " + generator + " {\n  %x = loop.at %ys[%i] : !fs\n  " + given + "\n }\n"
}

// fromEnd is a reduction that reads its array from the end.
func fromEnd(reduction string) string {
	return " %c1 = arith.constant 1 : index\n" + strings.Replace(reduction, "  %x = loop.at %ys[%i]", "  %m = arith.subi %n, %c1 : index\n  %j = arith.subi %m, %i : index\n  %x = loop.at %ys[%j]", 1)
}

// Much work that runs in vectors is not put in a loop that runs in none; little work is, and so
// is any where there are no vectors.
func TestVectors(t *testing.T) {
	wide := *target.Interp()
	wide.Vector = 32
	one := "loop.yield %x : f64"
	sum, anyOrder, scan := reduction("reduce(add : f64)", one), reduction("reduce(add reassoc : f64)", one), reduction("scan(add : f64)", one)
	bucket := strings.Replace(reduction("bucket(i64, [reduce(add : f64)])", "%k = loop.at %keys[%i] : !loop.array<i64>\n  loop.yield %k, %x : i64, f64"), "%r", "%g, %r", 1)
	filter := reduction("collect(f64)", "%c = arith.cmpf ogt, %x, %x : f64\n  %o = loop.emit %x : f64\n  %no = loop.none : !loop.emit<f64>\n  %e = arith.select %c, %o, %no : !loop.emit<f64>\n  loop.yield %e : !loop.emit<f64>")
	for _, c := range []struct {
		name, consumer string
		ops, loops     int
		on             *target.Target
	}{
		{"an ordered sum", sum, 20, 2, &wide}, {"a scan", scan, 20, 2, &wide}, {"a bucket", bucket, 20, 2, &wide}, {"a filter", filter, 20, 2, &wide},
		{"a sum in any order", anyOrder, 20, 1, &wide}, {"a map", reduction("collect(f64)", one), 20, 1, &wide},
		{"an ordered sum of little", sum, 4, 1, &wide}, {"a scan of little", scan, 4, 1, &wide}, {"a bucket of little", bucket, 4, 1, &wide},
		{"an ordered sum from the end", fromEnd(sum), 20, 2, &wide}, {"an ordered sum of little from the end", fromEnd(sum), 4, 1, &wide},
		{"a sum in any order from the end", fromEnd(anyOrder), 20, 1, &wide}, {"from the end without vectors", fromEnd(sum), 20, 1, target.Interp()},
		{"an ordered sum without vectors", sum, 20, 1, target.Interp()},
	} {
		g := read(t, polynomial(c.ops, c.consumer))
		list, err := pass.Parse("fuse", passes.All())
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		n, err := (&pass.Manager{VerifyEach: true, Target: c.on, Remark: func(_, text string) { said = append(said, text) }}).Run(context.Background(), g, list)
		if err != nil {
			t.Fatal(err)
		}
		if loops, _, _ := static(n); loops != c.loops {
			t.Errorf("%s: %d loops, want %d\n%s", c.name, loops, c.loops, show(n))
		}
		if told := strings.Contains(strings.Join(said, "\n"), "would not run in vectors"); told != (c.loops == 2) {
			t.Errorf("%s: says %q", c.name, said)
		}
		const args = `[[1.5, -2, 0.25], [1, 2, 1]]`
		want, _ := built.Outcome(t, g, args)
		if got, _ := built.Outcome(t, n, args); got != want {
			t.Errorf("%s: %s, fused %s", c.name, want, got)
		}
	}
}
