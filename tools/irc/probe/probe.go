package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
)

const (
	chains  = 10        // of multiplications with additions that need nothing of one another: as many as hide how long each takes
	links   = 400_000   // of each
	repeats = 5         // how often each program runs
	atLeast = 8 << 20   // bytes that a function goes through
	most    = 256 << 20 // and of the largest memory
)

// Measured is a target with what it does not say of its speed measured on this machine. It wants libLLVM.
func Measured(ctx context.Context, t *target.Target) (*target.Target, error) {
	if t.PeakFlops != 0 && len(t.Bandwidth) > 0 {
		return t, nil
	}
	out := *t
	one := *t
	one.Cores = 1
	e, _, err := engine.LLVM.Start(ctx, engine.Options{Target: &one, Unchecked: true})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	p, err := prepare(ctx, e, source(t.Lanes(8)))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if out.PeakFlops == 0 {
		if out.PeakFlops, err = peak(ctx, p, t.Lanes(8)); err != nil {
			return nil, err
		}
	}
	if len(out.Bandwidth) == 0 {
		if out.Bandwidth, err = bandwidth(ctx, p, t.Caches); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// source is the programs: chains of multiplications with additions, in vectors, and passes over memory.
func source(lanes int) string {
	v := fmt.Sprintf("vector<%dxf64>", lanes)
	list := func(format, sep string) string {
		out := make([]string, chains)
		for i := range out {
			out[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return strings.Join(out, sep)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @peak(%%A: memref<?xf64>, %%n: index, %%times: index, %%x: f64) -> f64 {\n%%c0 = arith.constant 0 : index\n%%c1 = arith.constant 1 : index\n%%a = vector.broadcast %%x : f64 to %s\n", v)
	for i := range chains {
		fmt.Fprintf(&b, "%%f%d = arith.constant %d.0 : f64\n%%b%d = vector.broadcast %%f%d : f64 to %s\n", i, i, i, i, v)
	}
	fmt.Fprintf(&b, "%%r:%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%s) -> (%s) {\n", chains, list("%s# = %b#", ", "), list(v, ", "))
	fmt.Fprintf(&b, "%s\nscf.yield %s : %s\n}\n", list("%t# = vector.fma %s#, %a, %a : "+v, "\n"), list("%t#", ", "), list(v, ", "))
	sum := "%r#0"
	for i := 1; i < chains; i++ {
		fmt.Fprintf(&b, "%%u%d = arith.addf %s, %%r#%d : %s\n", i, sum, i, v)
		sum = fmt.Sprintf("%%u%d", i)
	}
	fmt.Fprintf(&b, "%%out = vector.reduction <add>, %s : %s into f64\nreturn %%out : f64\n}\n", sum, v)
	return b.String() + passes
}

// passes read memory, or change it, some times. What a pass computes is needed by the next, so that none can be left out.
const passes = `
func.func @read(%A: memref<?xf64>, %n: index, %times: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %times step %c1 iter_args(%s = %x) -> f64 {
    %q = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> f64 {
      %a = memref.load %A[%i] : memref<?xf64>
      %m = arith.mulf %a, %s fastmath<fast> : f64
      %u = arith.addf %p, %m fastmath<fast> : f64
      scf.yield %u : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}
func.func @change(%A: memref<?xf64>, %n: index, %times: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %times step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %A[%i] : memref<?xf64>
      %m = arith.mulf %a, %x : f64
      memref.store %m, %A[%i] : memref<?xf64>
    }
  }
  return %x : f64
}
`

func prepare(ctx context.Context, e engine.Engine, source string) (run.Program, error) {
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("probe.mlir", source), text.Options{})
	if err := list.Err(); err != nil {
		return nil, err
	}
	low, err := lowering.Compile(ctx, g, e.Target())
	if err != nil {
		return nil, err
	}
	ps, err := e.Prepare(ctx, low)
	if err != nil {
		return nil, err
	}
	return ps[0], nil
}

// best is the shortest time of some calls of each of some functions on elements, with as many passes, in turn.
func best(ctx context.Context, p run.Program, elements, rounds, times int, names ...string) ([]float64, error) {
	b, err := run.Bind(ctx, p, zeros(elements), ir.IntVal(int64(rounds), 64), ir.IntVal(int64(times), 64), ir.F64Val(0.5))
	if err != nil {
		return nil, err
	}
	defer b.Close(ctx)
	var calls []run.BoundCall
	for range repeats {
		for _, name := range names {
			calls = append(calls, run.BoundCall{Name: name})
		}
	}
	results, err := b.Batch(ctx, calls)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(names))
	for i, r := range results {
		if r.Err != nil {
			return nil, r.Err
		}
		if s := &out[i%len(names)]; *s == 0 || r.Wall.Seconds() < *s {
			*s = r.Wall.Seconds()
		}
	}
	if slices.Contains(out, 0) {
		return nil, errors.New("the clock of this machine is too coarse to measure it")
	}
	return out, nil
}

// zeros is memory of so many f64.
func zeros(n int) ir.Val {
	buf := interp.NewBuffer(ir.NewContext(dialects.All...), ir.F64, n, false)
	buf.Static = true
	sizes := []int64{int64(n)}
	strides, _, _ := strided.RowMajor(sizes)
	return ir.Val{Ref: &interp.MemRef{Buf: buf, Sizes: sizes, Strides: strides}}
}

// peak is the number of operations on f64 in a second.
func peak(ctx context.Context, p run.Program, lanes int) (float64, error) {
	seconds, err := best(ctx, p, 1, links, 1, "peak")
	if err != nil {
		return 0, err
	}
	return float64(2*chains*links*lanes) / seconds[0], nil
}

// bandwidth is the number of bytes that come from behind each cache in a second: of memory of some times the size of it
// that fits into the next; behind the last, of four times.
func bandwidth(ctx context.Context, p run.Program, caches []int64) (out []float64, err error) {
	for i, c := range caches {
		bytes := min(most, 4*c)
		if i < len(caches)-1 {
			bytes = max(2*c, min(4*c, caches[i+1]/2))
		}
		n, times := int(bytes/8), max(1, int(atLeast/bytes))
		seconds, err := best(ctx, p, n, n, times, "read", "change")
		if err != nil {
			return nil, err
		}
		moved := float64(bytes) * float64(times)
		out = append(out, max(moved/seconds[0], 2*moved/seconds[1]))
	}
	return out, nil
}
