package engine

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/lowering"
)

// inKernel wraps a program: @launch runs a kernel of one thread, which calls the
// program's function and stores its results.
func inKernel(p *irtest.Program) string {
	var params, args, types, outs, stores, results []string
	for i, a := range p.Args {
		params = append(params, fmt.Sprintf("%%a%d: %s", i, a.Type))
		args, types = append(args, fmt.Sprintf("%%a%d", i)), append(types, a.Type)
	}
	call := strings.Join(args, ", ")
	callTypes := strings.Join(types, ", ")
	for i, t := range p.Types {
		params = append(params, fmt.Sprintf("%%o%d: memref<1x%s>", i, t))
		outs, types = append(outs, fmt.Sprintf("%%o%d", i)), append(types, fmt.Sprintf("memref<1x%s>", t))
		results = append(results, fmt.Sprintf("%%r%d", i))
		stores = append(stores, fmt.Sprintf("  memref.store %%r%d, %%o%d[%%c0] : memref<1x%s>\n", i, i, t))
	}
	all := strings.Join(append(args, outs...), ", ")
	assign := ""
	if len(results) > 0 {
		assign = strings.Join(results, ", ") + " = "
	}
	body := strings.TrimSuffix(strings.TrimSpace(p.Text), "}) : () -> ()")
	return body + fmt.Sprintf(`
device.kernel @kernel(%[1]s) {
  %%c0 = arith.constant 0 : index
  %[2]sfunc.call @%[3]s(%[4]s) : (%[5]s) -> (%[6]s)
%[7]s  device.return
}
func.func @launch(%[1]s) {
  %%c1 = arith.constant 1 : index
  device.launch @kernel blocks(%%c1) threads(%%c1) args(%[8]s : %[9]s)
  return
}
}) : () -> ()
`, strings.Join(params, ", "), assign, p.Entry, call, callTypes, strings.Join(p.Types, ", "), strings.Join(stores, ""), all, strings.Join(types, ", "))
}

// outputs makes memory for the results of a program.
func outputs(c *ir.Context, in []ir.Type) (out []ir.Val) {
	for _, t := range in {
		out = append(out, (&interp.MemRef{Buf: interp.NewBuffer(c, c.Info(t).Elem, 1, true), Sizes: []int64{1}, Strides: []int64{1}}).Val())
	}
	return out
}

// Random programs give in a kernel what they give on the interpreter: the PTX that
// is made of them runs one instruction after the other.
func TestRandomKernels(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 15
	}
	if s := os.Getenv("IRC_RANDOM_KERNELS"); s != "" {
		fmt.Sscan(s, &n)
	}
	native(t, Options{}) // skips without libLLVM
	cudatest.Use(t)
	traps, refused := 0, map[string]int{}
	var e Engine
	first := uint64(0)
	if s := os.Getenv("IRC_FIRST_KERNEL"); s != "" {
		fmt.Sscan(s, &first)
	}
	for seed := first; seed < first+uint64(n); seed++ {
		if e == nil {
			var err error
			if e, _, err = New(t.Context(), "cuda", Options{}); err != nil {
				t.Fatal(err)
			}
			defer e.Close()
		}
		prog := irtest.New(seed, irtest.Config{Ops: 20 + int(seed%4)*20, Traps: seed%2 == 1, Wide: seed%3 == 2, NoPrint: true})
		g := parse(t, inKernel(prog))
		low, err := lowering.Compile(t.Context(), g, e.Target())
		var ps []Program
		if err == nil {
			ps, err = e.Prepare(t.Context(), low)
		}
		if err != nil && strings.Contains(err.Error(), "AtomicCmpSwap") && strings.Contains(err.Error(), "addrspace 5") {
			refused["an atomic on the stack of a thread, which LLVM cannot select"]++ // a gap of backends/nvvm
			continue
		}
		if err != nil {
			refused[strings.SplitN(err.Error(), "\n", 3)[min(1, strings.Count(err.Error(), "\n"))]]++
			var op *ir.OpError
			if !errors.As(err, &op) && !strings.Contains(err.Error(), "is not supported") {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		want := runKernel(t, g, prepare(t, eval(t), g), prog)
		got := runKernel(t, g, ps[0], prog)
		if got.err != nil && strings.Contains(got.err.Error(), "memory of such elements") { // of vectors
			refused["memory of vectors"]++
			continue
		}
		if want.trap {
			traps++
		}
		if want.trap && got.err == nil { // lowering may drop a trap with a dead store
			want = runKernel(t, g, prepare(t, eval(t), low), prog)
		}
		if d := refines(want, got); d != "" {
			os.WriteFile(os.TempDir()+"/bad.ptx", []byte(ps[0].(*cudaProgram).ptx.Text), 0o644)
			os.WriteFile(os.TempDir()+"/bad.mlir", []byte(inKernel(prog)), 0o644)
			t.Fatalf("seed %d: %s", seed, d)
		}
		if err := ps[0].Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d programs, %d of them trap; not run: %v", n, traps, refused)
}

// wideArgument makes an argument that may be a view, or share an earlier one's memory.
func wideArgument(c *ir.Context, typ ir.Type, a irtest.Arg, before []ir.Val) ir.Val {
	info := c.Info(typ)
	if info.Kind != ir.KindMemRef {
		return ir.IntVal(int64(a.Bits), info.Width)
	}
	b := interp.NewBuffer(c, info.Elem, len(a.Elems), false)
	for i, x := range a.Elems {
		b.Store(i, ir.IntVal(int64(x), c.Info(info.Elem).Width))
	}
	b.Static = true
	if a.Same > 0 {
		b = before[a.Same-1].Ref.(*interp.MemRef).Buf
	}
	r := &interp.MemRef{Buf: b, Offset: int64(a.Offset)}
	for i := range a.Sizes {
		r.Sizes, r.Strides = append(r.Sizes, int64(a.Sizes[i])), append(r.Strides, int64(a.Strides[i]))
	}
	return r.Val()
}

func runKernel(t *testing.T, g *ir.Graph, p Program, prog *irtest.Program) outcome {
	in, _, err := p.Signature("launch")
	if err != nil {
		t.Fatal(err)
	}
	var args []ir.Val
	for i, a := range prog.Args {
		args = append(args, wideArgument(g.Ctx, in[i], a, args))
	}
	args = append(args, outputs(g.Ctx, in[len(args):])...)
	_, _, err = p.Call(t.Context(), "launch", args)
	o := outcome{err: err, trap: ir.IsTrap(err)}
	if err != nil {
		return o
	}
	for i, v := range args {
		o.args = append(o.args, interp.FormatVal(g.Ctx, v, in[i]))
	}
	return o
}
