package cores

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var loopPrograms = flag.Int("loops", 120, "how many random programs with loops over collections run")

// loopsPerModule is how many such functions are compiled together.
const loopsPerModule = 25

// What filters, scans, reductions and groups give is the same in the interpreter, on one core and on several, to the bit;
// and what the cores share has no race. Sums whose order is free are so of what is made of the program for cores, in the interpreter and in native code; LLVM
// may take those that are no part of a parallel loop in an order of its own, which no number of cores changes. Where the program
// as it is written stops, an engine may.
func TestLoops(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	var engines []engine.Engine
	for _, x := range natively {
		e, why, err := engine.New(ctx, "auto", engine.Options{Target: onCores(x.cores), Level: x.level})
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "llvm" {
			t.Skip("random programs are compiled: needs libLLVM (libllvm19): " + why)
		}
		defer e.Close()
		engines = append(engines, e)
	}
	checked, _, err := engine.Eval.Start(ctx, engine.Options{Check: contract.Races})
	if err != nil {
		t.Fatal(err)
	}
	shares, err := pass.Parse("lower{to=scf}", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	trapped, shared, free := 0, 0, 0
	for first := *firstSeed; first < *firstSeed+uint64(*loopPrograms); first += loopsPerModule {
		m := &looper{Writer: irtest.NewWriter(first, 17)}
		for i := range loopsPerModule {
			m.traps, m.free = i%5 == 0, i%5 == 1
			m.function(i)
		}
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("random.mlir", m.String()), text.Options{})
		if err := list.Err(); err != nil {
			t.Fatalf("seed %d: %v\n%s", first, err, m.String())
		}
		// The interpreter runs them as they are, and what is made of them for two cores up to where loops are shared.
		low, err := (&pass.Manager{Target: onCores(2)}).Run(ctx, g, shares)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", first, err, m.String())
		}
		shared += strings.Count(text.String(low, text.PrintOptions{}), "scf.parallel")
		var ps []engine.Program
		for i, e := range append([]engine.Engine{checked, checked}, engines...) {
			g := g
			if i == 1 {
				g = low
			}
			list, err := e.Prepare(ctx, g)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", first, err, m.String())
			}
			ps = append(ps, list[0])
		}
		for i := range loopsPerModule {
			n := int64(m.IntN(60))
			if m.IntN(8) == 0 {
				n *= 40
			}
			want := runLoops(ps[0], i, n)
			if want.trap != "" {
				trapped++
			}
			isFree := i%5 == 1
			for k, p := range ps[1:] {
				got := runLoops(p, i, n)
				if isFree && (k == 0 || k == 1+optimised) {
					want = got
					free++
				}
				if !got.same(want) && !(got.trap != "" && want.trap == "" && got.same(asWritten(t, checked, m.String(), i, n))) {
					t.Fatalf("seed %d, @f%d of %d, %s:\ngot  %x\nwant %x\n%s", first, i, n, nameOf(k), got, want, m.String())
				}
			}
		}
		for _, p := range ps {
			p.Close()
		}
	}
	t.Logf("%d programs, of which %d stopped, with %d parallel loops", *loopPrograms, trapped, shared)
	if trapped < *loopPrograms/100 || shared < *loopPrograms/2 || free == 0 {
		t.Errorf("only %d programs stopped, and only %d loops were shared", trapped, shared)
	}
}

// natively is how programs are compiled; those from optimised on may have sums that LLVM has reordered.
var natively = []struct {
	cores int
	level jit.Level
}{{1, jit.O0}, {2, jit.O0}, {3, jit.O0}, {1, jit.O3}, {2, jit.O3}, {7, jit.O3}}

const optimised = 3

// nameOf is that of way k to run what is made of a program.
func nameOf(k int) string {
	if k == 0 {
		return "on two cores, interpreted"
	}
	return fmt.Sprintf("on %d cores, at level %d", natively[k-1].cores, natively[k-1].level-jit.O0)
}

// asWritten is what a program does op by op. Where that stops, an engine may stop at the same op or, if conditions alone
// need its result and do not hold, go on: a trap may be removed, by one engine and not by another, and never added.
func asWritten(t *testing.T, e engine.Engine, program string, i int, n int64) result {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("random.mlir", program), text.Options{Verbatim: true})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	ps, err := e.Prepare(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	defer ps[0].Close()
	return runLoops(ps[0], i, n)
}

func runLoops(p engine.Program, i int, n int64) result {
	out, _, err := p.Call(context.Background(), fmt.Sprint("f", i), []ir.Val{ir.IntVal(n, 64), ir.IntVal(n-3, 64)})
	if err != nil {
		var f *interp.Failure
		if !errors.As(err, &f) || !ir.IsTrap(f.Err) {
			return result{trap: err.Error()}
		}
		return result{trap: f.Op, at: f.Locs}
	}
	var values []string
	for _, v := range out {
		values = append(values, fmt.Sprintf("%x", v.Bits))
	}
	return result{values: strings.Join(values, " ")}
}
