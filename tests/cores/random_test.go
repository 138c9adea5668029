package cores

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
)

var (
	programs  = flag.Int("programs", 120, "how many random programs with parallel loops run")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// perModule is how many functions are compiled together.
const perModule = 50

// onCores is a machine of n cores that share each parallel loop, however small.
func onCores(n int) *target.Target {
	t := *target.Host()
	t.Cores, t.Costs.MinParallel, t.Costs.MinChunk = n, 1, 1
	return &t
}

// What a program gives, prints, leaves in memory or stops at is the same in the interpreter, on one core
// and on several, to the bit.
func TestRandom(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	var engines []engine.Engine
	for _, n := range []int{1, 2} {
		e, why, err := engine.New(ctx, "auto", engine.Options{Target: onCores(n), Level: jit.O0})
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "llvm" {
			t.Skip("random programs are compiled: needs libLLVM (libllvm19): " + why)
		}
		defer e.Close()
		engines = append(engines, e)
	}
	trapped := 0
	for first := *firstSeed; first < *firstSeed+uint64(*programs); first += perModule {
		m := &maker{Writer: irtest.NewWriter(first, 16)}
		for i := range perModule {
			m.traps = i%5 == 0
			m.function(i)
		}
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("random.mlir", m.String()), text.Options{})
		if err := list.Err(); err != nil {
			t.Fatalf("seed %d: %v\n%s", first, err, m.String())
		}
		checked, _, err := engine.Eval.Start(ctx, engine.Options{Check: contract.Races})
		if err != nil {
			t.Fatal(err)
		}
		var ps []engine.Program
		for _, e := range append([]engine.Engine{checked}, engines...) {
			list, err := e.Prepare(ctx, g)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", first, err, m.String())
			}
			ps = append(ps, list[0])
		}
		for i := range perModule {
			n := int64(m.IntN(25))
			want := run(ps[0], g.Ctx, i, n)
			if want.trap != "" {
				trapped++
			}
			for k, p := range ps[1:] {
				if got := run(p, g.Ctx, i, n); !got.same(want) {
					t.Fatalf("seed %d, @f%d of %d, on %d cores:\ngot  %x\nwant %x\n%s", first, i, n, k+1, got, want, m.String())
				}
			}
		}
		for _, p := range ps {
			p.Close()
		}
	}
	t.Logf("%d programs, of which %d stopped", *programs, trapped)
	if trapped < *programs/100 {
		t.Errorf("only %d programs stopped", trapped)
	}
}

// result is what a program did: its values, or the op that stopped it. One op may stand for several of the text, and
// for fewer of them after passes.
type result struct {
	trap, values string
	at           []ir.Loc
}

func (r result) same(want result) bool {
	if r.trap != want.trap || r.values != want.values {
		return false
	}
	return len(want.at) == 0 || slices.ContainsFunc(r.at, func(l ir.Loc) bool { return slices.Contains(want.at, l) })
}

func run(p engine.Program, c *ir.Context, i int, n int64) result {
	a, b := interp.NewBuffer(c, ir.I64, size, false), interp.NewBuffer(c, ir.I64, size, false)
	for k := range size {
		a.Store(k, ir.IntVal(int64(k*k%37-9), 64))
		b.Store(k, ir.IntVal(int64(k*5%23), 64))
	}
	mem := func(b *interp.Buffer) ir.Val {
		return (&interp.MemRef{Buf: b, Sizes: []int64{size}, Strides: []int64{1}}).Val()
	}
	out, _, err := p.Call(context.Background(), fmt.Sprint("f", i), []ir.Val{mem(a), mem(b), ir.IntVal(n, 64), ir.IntVal(n-3, 64)})
	if err != nil {
		var f *interp.Failure
		if !errors.As(err, &f) || !ir.IsTrap(f.Err) {
			return result{trap: err.Error()}
		}
		return result{trap: f.Op, at: f.Locs}
	}
	var text []byte
	for _, v := range out {
		text = binary.LittleEndian.AppendUint64(text, canonical(v.Bits))
	}
	for k := range size {
		text = binary.LittleEndian.AppendUint64(text, canonical(a.Load(k).Bits))
		text = binary.LittleEndian.AppendUint64(text, canonical(b.Load(k).Bits))
	}
	return result{values: string(text)}
}

// canonical makes one NaN of all: which it is is not said.
func canonical(bits uint64) uint64 {
	if bits&0x7ff0000000000000 == 0x7ff0000000000000 && bits&0xfffffffffffff != 0 {
		return 0x7ff8000000000000
	}
	return bits
}

// Random programs of all kinds have no race, and a checked run gives what another gives.
func TestRandomAreChecked(t *testing.T) {
	t.Parallel()
	for seed := range uint64(min(*programs, 300)) {
		p := irtest.New(seed, irtest.Config{Wide: true, Vars: seed%3 == 1})
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("program.mlir", p.Text), text.Options{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		e, _, err := engine.Eval.Start(t.Context(), engine.Options{Check: contract.Races, Fuel: 1 << 22})
		if err != nil {
			t.Fatal(err)
		}
		ps, err := e.Prepare(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		args := make([]ir.Val, len(p.Args))
		bufs := map[int]*interp.Buffer{}
		in, _, err := ps[0].Signature(p.Entry)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range p.Args {
			if a.Elem == "" {
				args[i] = ir.Val{Bits: a.Bits}
				continue
			}
			b := bufs[a.Same]
			if a.Same == 0 || b == nil {
				b = interp.NewBuffer(g.Ctx, g.Ctx.Info(in[i]).Elem, len(a.Elems), false)
				for k, x := range a.Elems {
					b.Store(k, ir.Val{Bits: x})
				}
				bufs[i+1] = b
			}
			r := &interp.MemRef{Buf: b, Offset: int64(a.Offset)}
			for d := range a.Sizes {
				r.Sizes, r.Strides = append(r.Sizes, int64(a.Sizes[d])), append(r.Strides, int64(a.Strides[d]))
			}
			args[i] = r.Val()
		}
		_, _, err = ps[0].Call(t.Context(), p.Entry, args)
		var r *interp.Violation
		if errors.As(err, &r) {
			t.Errorf("seed %d: %v\n%s", seed, err, p.Text)
		}
	}
}
