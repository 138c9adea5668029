package saturate_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/saturate"
)

var update = flag.Bool("update", false, "write testdata/published.txt")

func read(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return ir.Settle(g)
}

// run runs a pipeline for a target that the costs are of.
func run(t *testing.T, g *ir.Graph, pipeline string) (*ir.Graph, *pass.Manager) {
	t.Helper()
	line, err := pass.Parse(pipeline, passes.All())
	if err != nil {
		t.Fatal(err)
	}
	m := &pass.Manager{Target: target.C(), VerifyEach: true, Count: true}
	out, err := m.Run(context.Background(), g, line)
	if err != nil {
		t.Fatal(err)
	}
	return out, m
}

func show(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }

// mostTerms is the budget of the pass, and what one application may make beyond it.
const mostTerms = 5000 + 8

const allSets = "saturate{rules={folds,arith,assoc-comm,float}}"

// In published examples, of which canonicalize makes nothing, saturate finds what their authors say, and it costs less.
func TestPublished(t *testing.T) {
	src, err := os.ReadFile("testdata/published.mlir")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	parts := strings.Split(string(src), "\n// ")
	for _, part := range parts {
		said, fn, _ := strings.Cut(strings.TrimPrefix(part, "// "), "\n")
		g := read(t, fn)
		canonical, _ := run(t, g, "canonicalize")
		if show(canonical) != show(g) {
			t.Errorf("canonicalize makes something of %s", fn)
		}
		after, m := run(t, canonical, allSets)
		before, now := saturate.Cost(g, target.C()), saturate.Cost(after, target.C())
		if now >= before {
			t.Errorf("nothing is found for\n%s", fn)
		}
		if n := m.Stats("saturate", "terms"); n > mostTerms {
			t.Errorf("%d terms are made of\n%s", n, fn)
		}
		fmt.Fprintf(&got, "// %s\n// cost %g, was %g\n%s", said, now, before, show(after))
	}
	const golden = "testdata/published.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != got.String() {
		t.Errorf("%s has other forms: run with -update, and look at the difference", golden)
	}
	if len(parts) < 20 {
		t.Errorf("only %d examples", len(parts))
	}
}

// In a loop what does not change is added first, so that it leaves the loop; memory and regions stay as they are.
func TestLoop(t *testing.T) {
	g := read(t, `func.func @f(%m: memref<?xi32>, %a: i32, %b: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xi32>
    %y = arith.addi %x, %a : i32
    %z = arith.addi %y, %b : i32
    memref.store %z, %m[%i] : memref<?xi32>
  }
  return
}`)
	after, m := run(t, g, allSets)
	if s := show(after); m.Stats("saturate", "regions") != 1 || !strings.Contains(s, "arith.addi %arg1, %arg2") {
		t.Error(s)
	}
	if saturate.Cost(after, target.C()) >= saturate.Cost(g, target.C()) {
		t.Error("it costs more")
	}
}

// What is no set of rules, and what is no budget, is said.
func TestOptions(t *testing.T) {
	for pipeline, want := range map[string]string{
		"saturate{rules=arit}": "did you mean arith?", "saturate{budget=0}": "budget is 1 to", "saturate{iterations=0}": "iterations at least 1",
	} {
		line, err := pass.Parse(pipeline, passes.All())
		if err == nil {
			err = line.Check(dialects.All)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", pipeline, err)
		}
	}
}
