package random

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// vectors is the program of vectors of a seed.
func vectors(seed uint64) *irtest.Program {
	return irtest.Vectors(seed, irtest.VectorConfig{Ops: []int{8, 20, 30, 45}[seed%4], Narrow: seed%7 == 2})
}

// Programs of vectors do built, rebuilt and lowered what they do as they are written, and what is
// printed is read as what prints the same.
func TestVectors(t *testing.T) {
	t.Parallel()
	var count tally
	n := *programs / 5
	each(t, n, func(ctx *ir.Context, seed uint64) error {
		p := vectors(seed)
		want, g, err := oracle(ctx, p, &count)
		if err == nil && want.Trap != "" {
			err = fmt.Errorf("traps: %s", want.Trap)
		}
		if err != nil {
			return fmt.Errorf("%w\n%s", err, p.Text)
		}
		if err := same(g, p, interp.Options{}, want); err != nil {
			return fmt.Errorf("normal build: %w\n%s", err, p.Text)
		}
		if err := fixpoint(ctx, g); err != nil {
			return fmt.Errorf("%w\n%s", err, p.Text)
		}
		r := rand.New(rand.NewPCG(seed, 8))
		all := lines(r)
		for _, line := range []string{"lower{to=vector}", "lower{to=llvm}", "canonicalize,lower{to=vector},canonicalize", all[r.IntN(len(all))]} {
			pl, err := pass.Parse(line, lowering.AllPasses())
			if err != nil {
				return err
			}
			h, err := (&pass.Manager{VerifyEach: true}).Run(context.Background(), g, pl)
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", line, err, p.Text)
			}
			if err := same(h, p, interp.Options{}, want); err != nil {
				return fmt.Errorf("%s: %w\n%s", line, err, p.Text)
			}
		}
		return nil
	})
	t.Logf("%d programs", count.ended.Load())
	if count.ended.Load() != int64(n) {
		t.Errorf("%d of %d programs ended", count.ended.Load(), n)
	}
}

// Compiled by LLVM they do what they do in the interpreter.
func TestVectorsLLVM(t *testing.T) {
	t.Parallel()
	e, why, err := engine.New(context.Background(), "llvm", engine.Options{CountHeap: true})
	if err != nil {
		t.Fatal(err)
	}
	if e.Name() != "llvm" {
		t.Skip("random programs are compiled: needs libLLVM (libllvm19): " + why)
	}
	defer e.Close()
	lower := func(g *ir.Graph) (*ir.Graph, error) {
		return lowering.Compile(context.Background(), g, e.Target())
	}
	var count tally
	for batch := range (*programs/10 + perModule - 1) / perModule {
		if err := compareBatch(e, *firstSeed+uint64(batch*perModule), vectors, lower, &count); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d programs ran compiled", count.compiled.Load())
	if count.compiled.Load() < int64(*programs/10) {
		t.Errorf("only %d programs ran compiled", count.compiled.Load())
	}
}
