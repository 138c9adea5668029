package random

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var owned = flag.Int("owned", 80, "how many random programs have their memory freed by free-buffers")

// ownedLines are the pipelines that such programs go through. What is marked by the program
// is freed by each of them.
var ownedLines = []string{
	"free-buffers", "free-buffers{all=true}", "free-buffers,free-buffers", "canonicalize,free-buffers,sroa,mem2reg,canonicalize",
	"reuse-buffers,free-buffers", "reuse-buffers,plan-buffers,free-buffers", "reuse-buffers,promote-buffers-to-stack,plan-buffers,free-buffers", "inline,reuse-buffers,free-buffers,licm", "licm,lower{to=scf},sroa,mem2reg,licm,reuse-buffers,free-buffers,lower{to=llvm}",
}

// A program whose allocations nobody frees does the same after free-buffers has freed them,
// touches nothing that is freed, and leaves nothing but what it returns.
func TestOwners(t *testing.T) {
	t.Parallel()
	var mixed, in, shared, hoisted, placed, promoted atomic.Int64
	each(t, *owned, func(ctx *ir.Context, seed uint64) error {
		src := ownedProgram(seed)
		g, err := parse(ctx, src, false)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, src)
		}
		var want [3]string
		for n := range want {
			if want[n], _, err = runOwned(g, interp.Options{}, int64(n)); err != nil {
				return fmt.Errorf("as it is: %w\n%s", err, src)
			}
		}
		r := rand.New(rand.NewPCG(seed, 3))
		for k, line := range ownedLines {
			h, m, err := free(g, line)
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", line, err, src)
			}
			mixed.Add(int64(m.Stats("free-buffers", "mixed")))
			in.Add(int64(m.Stats("reuse-buffers", "in-place")))
			shared.Add(int64(m.Stats("reuse-buffers", "shared")))
			hoisted.Add(int64(m.Stats("reuse-buffers", "hoisted")))
			placed.Add(int64(m.Stats("plan-buffers", "placed")))
			promoted.Add(int64(m.Stats("promote-buffers-to-stack", "promoted")))
			opts := interp.Options{}
			if k%2 == 1 {
				opts.Schedule = &ir.ScheduleOptions{Shuffle: r.IntN}
			}
			for n := range want {
				got, left, err := runOwned(h, opts, int64(n))
				if err == nil && got == want[n] && left == 0 {
					continue
				}
				text, _ := print(h, false)
				return fmt.Errorf("%s of %d gives %s, %v, and leaves %d blocks, want %s\n%s\n%s", line, n, got, err, left, want[n], src, text)
			}
		}
		return nil
	})
	t.Logf("%d functions say what is new; %d allocations in place, %d shared, %d hoisted, %d on the stack", mixed.Load(), in.Load(), shared.Load(), hoisted.Load(), promoted.Load())
	if promoted.Load() == 0 {
		t.Error("no allocation is on the stack")
	}
	if mixed.Load() == 0 {
		t.Error("no function returns memory that is new in some runs only")
	}
}

// free puts a program through a pipeline with free-buffers.
func free(g *ir.Graph, line string) (*ir.Graph, *pass.Manager, error) {
	pl, err := pass.Parse(line, lowering.AllPasses())
	if err != nil {
		return nil, nil, err
	}
	m := &pass.Manager{VerifyEach: true, Count: true}
	h, err := m.Run(context.Background(), g, pl)
	return h, m, err
}

// runOwned runs @f and shows what it gives, and counts the blocks that are left besides the
// one that it returns.
func runOwned(g *ir.Graph, opts interp.Options, n int64) (string, int64, error) {
	opts.Fuel = 1 << 22
	m, err := interp.New(g, opts)
	if err != nil {
		return "", 0, err
	}
	x := ownedArg(g.Ctx)
	before := m.Heap()
	r, err := m.Call("f", []ir.Val{{Bits: uint64(n)}, {Ref: x}})
	if err != nil {
		return "", 0, err
	}
	out, mine, err := showOwned(r, x)
	return out, m.Heap().Since(before).Kept() - mine, err
}

// ownedArg is the caller's memory.
func ownedArg(c *ir.Context) *interp.MemRef {
	b := interp.NewBuffer(c, ir.Index, 2, false)
	b.Store(0, ir.Val{Bits: 5})
	b.Store(1, ir.Val{Bits: 7})
	return &interp.MemRef{Buf: b, Sizes: []int64{2}, Strides: []int64{1}}
}

// showOwned shows results, and says how many blocks they are that the argument is not.
func showOwned(r []ir.Val, x *interp.MemRef) (string, int64, error) {
	blocks := map[*interp.Memory]bool{}
	out := fmt.Sprint(r[0].Bits)
	for _, v := range append(slices.Clone(r[1:]), ir.Val{Ref: x}) {
		m, err := interp.AsMemRef(v)
		if err != nil {
			return "", 0, err
		}
		if m.Buf.Memory != x.Buf.Memory {
			blocks[m.Buf.Memory] = true
		}
		for i := range 2 {
			at, err := m.At([]ir.Val{{Bits: uint64(i)}})
			if err != nil {
				return "", 0, err
			}
			out += fmt.Sprint(" ", m.Buf.Load(at).Bits)
		}
	}
	return out, int64(len(blocks)), nil
}

// The same as native code.
func TestOwnersLLVM(t *testing.T) {
	t.Parallel()
	e := onLLVM(t, engine.Options{CountHeap: true})
	defer e.Close()
	each(t, *owned/10, func(ctx *ir.Context, seed uint64) error {
		src := ownedProgram(seed)
		g, err := parse(ctx, src, false)
		if err != nil {
			return err
		}
		h, _, err := free(g, "reuse-buffers,free-buffers")
		if err != nil {
			return err
		}
		ps, err := e.Prepare(context.Background(), h)
		if err != nil {
			return err
		}
		defer ps[0].Close()
		for n := range int64(4) {
			want, _, err := runOwned(g, interp.Options{}, n)
			if err != nil {
				return err
			}
			before, err := engine.Heap(context.Background(), ps[0])
			if err != nil {
				return err
			}
			x := ownedArg(ctx)
			r, _, err := ps[0].Call(context.Background(), "f", []ir.Val{{Bits: uint64(n)}, {Ref: x}})
			if err != nil {
				return fmt.Errorf("%w\n%s", err, src)
			}
			got, mine, err := showOwned(r, x)
			if err != nil {
				return err
			}
			after, err := engine.Heap(context.Background(), ps[0])
			if err != nil {
				return err
			}
			left := after.Since(before).Kept() - mine
			if got != want || left != 0 {
				return fmt.Errorf("of %d: gives %s and leaves %d blocks, want %s\n%s", n, got, left, want, src)
			}
		}
		return nil
	})
}
