package random

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
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
		for _, line := range []string{"lower{to=vector}", "lower{to=vector straight=1}", "lower{to=llvm}", "canonicalize,lower{to=vector},canonicalize", all[r.IntN(len(all))]} {
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
	e := onLLVM(t, engine.Options{CountHeap: true})
	defer e.Close()
	loops, err := pass.Parse("lower{to=scf},lower{to=vector straight=1}", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	var count tally
	for batch := range (*programs/10 + perModule - 1) / perModule {
		lower := func(g *ir.Graph) (*ir.Graph, error) {
			if batch%2 == 1 { // every op of several lanes goes through loops
				if g, err = (&pass.Manager{}).Run(context.Background(), g, loops); err != nil {
					return nil, err
				}
			}
			return lowering.Compile(context.Background(), g, e.Target())
		}
		if err := compareBatch(e, *firstSeed+uint64(batch*perModule), vectors, lower, &count); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d programs ran compiled", count.compiled.Load())
	if count.compiled.Load() < int64(*programs/10) {
		t.Errorf("only %d programs ran compiled", count.compiled.Load())
	}
}

// LLVM 19 takes a store of lanes one behind the other for one of the lanes of its mask, and dropped the
// masked store before it to the same place: the last lane that is set then held what was there before.
func TestStoresBesideCompressstore(t *testing.T) {
	e := onLLVM(t, engine.Options{CountHeap: true})
	defer e.Close()
	place := irtest.Arg{Type: "memref<9xf32>", Elem: "f32", Elems: make([]uint64, 9), Sizes: []int{9}, Strides: []int{1}}
	p := &irtest.Program{Entry: "main", Args: []irtest.Arg{place, place, {Type: "index", Bits: 1}}, Text: `module {
func.func @main(%m: memref<9xf32>, %o: memref<9xf32>, %i: index) {
  %k = arith.constant dense<[true, false, true, true, false, true, false, false]> : vector<8xi1>
  %n = arith.constant dense<[0, 1, 0, 0, 1, 0, 1, 1]> : vector<8xi32>
  %z = vector.load %o[%i] : memref<9xf32>, vector<8xf32>
  %f = arith.sitofp %n : vector<8xi32> to vector<8xf32>
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : vector<8xf32>
  %w = arith.addf %c, %z : vector<8xf32>
  %b = arith.cmpf oge, %w, %f : vector<8xf32>
  %j = arith.andi %b, %k : vector<8xi1>
  %e = vector.expandload %m[%i], %j, %w : memref<9xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %m[%i], %j, %w : memref<9xf32>, vector<8xi1>, vector<8xf32>
  vector.compressstore %m[%i], %j, %w : memref<9xf32>, vector<8xi1>, vector<8xf32>
  vector.store %e, %o[%i] : memref<9xf32>, vector<8xf32>
  return
}
}`}
	want, g, err := oracle(ir.NewContext(dialects.All...), p, new(tally))
	if err != nil || want.Trap != "" {
		t.Fatal(err, want.Trap)
	}
	if g, err = lowering.Compile(context.Background(), g, e.Target()); err != nil {
		t.Fatal(err)
	}
	c, err := e.Prepare(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	if err := runCompiled(c[0], g, p, want); err != nil {
		t.Error(err)
	}
}
