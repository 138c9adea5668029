package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/tests/polybench"
)

// A rowKernel is what networks do between products of matrices, or attention, on M by N numbers: @step gives y from x, a and b.
type rowKernel struct {
	name, step string
	sizes      [][2]int
	aShape     string // of a and b
	bShape     string
	work       float64 // seconds of an M by N, about
}

// The function @step of each; peers/attention.c has the same by hand.
var rowKernels = []rowKernel{
	{"softmax", `
  %s = ten.softmax %xs along 1 : tensor<MxNxf32>
  ten.write %s to %y : tensor<MxNxf32>, memref<MxNxf32>`, [][2]int{{1024, 1024}, {4096, 197}}, "N", "N", 0.6e-9},
	{"layer_norm", `
  %s = ten.layer_norm %xs scale %as bias %bs epsilon 1.0e-5 : f64 : tensor<MxNxf32>, tensor<Nxf32>, tensor<Nxf32>
  ten.write %s to %y : tensor<MxNxf32>, memref<MxNxf32>`, [][2]int{{1024, 768}, {4096, 197}}, "N", "N", 0.5e-9},
	{"gelu", `
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %c = arith.constant 0.7978845608 : f32
  %d = arith.constant 0.044715 : f32
  %s = ten.map (%p = %xs : tensor<MxNxf32>, %q = %as : tensor<Nxf32>) -> tensor<MxNxf32> {
    %0 = arith.addf %p, %q : f32
    ten.yield %0 : f32
  }
  %t = ten.map (%v = %s : tensor<MxNxf32>) -> tensor<MxNxf32> {
    %0 = arith.mulf %v, %v : f32
    %1 = arith.mulf %0, %d : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %v, %c : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = math.tanh %4 : f32
    %6 = arith.addf %5, %one : f32
    %7 = arith.mulf %v, %half : f32
    %8 = arith.mulf %7, %6 : f32
    ten.yield %8 : f32
  }
  %u = arith.addf %t, %bs : tensor<MxNxf32>
  ten.write %u to %y : tensor<MxNxf32>, memref<MxNxf32>`, [][2]int{{1024, 3072}, {256, 1000}}, "N", "MxN", 0.7e-9},
	{"attention", `
  %scale = arith.constant dense<0.125> : tensor<MxNxNxf32>
  %0 = ten.einsum "hid,hjd->hij" %xs, %as : tensor<MxNx64xf32>, tensor<MxNx64xf32> -> tensor<MxNxNxf32>
  %1 = arith.mulf %0, %scale : tensor<MxNxNxf32>
  %2 = ten.softmax %1 along 2 : tensor<MxNxNxf32>
  %3 = ten.einsum "hij,hjd->hid" %2, %bs : tensor<MxNxNxf32>, tensor<MxNx64xf32> -> tensor<MxNx64xf32>
  ten.write %3 to %y : tensor<MxNx64xf32>, memref<MxNx64xf32>`, [][2]int{{8, 128}, {8, 512}, {8, 1024}, {8, 4096}}, "MxNx64", "MxNx64", 0},
}

// stepProgram is the module with a step.
const stepProgram = `
func.func @step(%y: memref<XSHAPExf32> {llvm.noalias}, %x: memref<XSHAPExf32> {llvm.noalias}, %a: memref<ASHAPExf32> {llvm.noalias}, %b: memref<BSHAPExf32> {llvm.noalias}) {
  %xs = ten.pack %x : memref<XSHAPExf32>
  %as = ten.pack %a : memref<ASHAPExf32>
  %bs = ten.pack %b : memref<BSHAPExf32>STEP
  return
}
func.func @kernel(%y: memref<XSHAPExf32> {llvm.noalias}, %x: memref<XSHAPExf32> {llvm.noalias}, %a: memref<ASHAPExf32> {llvm.noalias}, %b: memref<BSHAPExf32> {llvm.noalias}, %repetitions: index) {
  affine.for %t = 0 to %repetitions {
    func.call @step(%y, %x, %a, %b) : (memref<XSHAPExf32>, memref<XSHAPExf32>, memref<ASHAPExf32>, memref<BSHAPExf32>) -> ()
  }
  return
}
`

// rowTime is about how many seconds one measurement takes.
const rowTime = 0.2

// attention measures rows and attention beside C with libmvec and oneDNN, one core, and the time to compile a block of a transformer.
func (b *bench) attention() error {
	root, err := repository()
	if err != nil {
		return err
	}
	exe, err := b.peer("attention.c", "-O3", "-w", "-march=native", "-ffast-math", "-ldnnl", "-lmvec", "-lm")
	if err != nil {
		return fmt.Errorf("needs oneDNN (Debian: libdnnl-dev) and libmvec: %w", err)
	}
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	logs, n := 0.0, 0
	for _, k := range rowKernels {
		for _, size := range k.sizes {
			what := fmt.Sprintf("%s, %d by %d", k.name, size[0], size[1])
			if !strings.Contains(what, b.kernel) {
				continue
			}
			ratio, err := b.rowKernel(e, exe, k, size[0], size[1], what)
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			logs, n = logs+math.Log(ratio), n+1
		}
	}
	if n == 0 {
		return fmt.Errorf("no kernel is %q", b.kernel)
	}
	mean := math.Exp(logs / float64(n))
	b.table.Absolute("attention", fmt.Sprintf("%d kernels, by C", n), "", mean, mean <= 1, "mean <= 1")
	took := math.Inf(1)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // irc's collector waits for 32 MB (tools/irc/main.go), too
	for range 3 {
		_, seconds, err := b.compilePoly(e, filepath.Join(root, "tests/bench/block.mlir"), "")
		if err != nil {
			return err
		}
		took = min(took, seconds)
	}
	b.table.Absolute("attention", "a block of a transformer, text to machine code", "ms", took*1e3, took < mostCompile, "< 500 ms")
	return b.ctx.Err()
}

// mostCompile is how many seconds the block may take.
const mostCompile = 0.5

// rowKernel measures one.
func (b *bench) rowKernel(e engine.Engine, exe string, k rowKernel, m, n int, what string) (float64, error) {
	sized := strings.NewReplacer("M", strconv.Itoa(m), "N", strconv.Itoa(n))
	shape := "MxN"
	if k.name == "attention" {
		shape = "MxNx64"
	}
	text := strings.NewReplacer("STEP", sized.Replace(k.step), "XSHAPE", sized.Replace(shape), "ASHAPE", sized.Replace(k.aShape), "BSHAPE", sized.Replace(k.bShape)).Replace(stepProgram)
	file := filepath.Join(b.dir, k.name+".mlir")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return 0, err
	}
	p, _, err := b.compilePoly(e, file, "")
	if err != nil {
		return 0, err
	}
	seconds := float64(m*n) * k.work
	if k.name == "attention" {
		seconds = float64(m*n) * float64(n) * 2.3e-9
	}
	repetitions := max(1, int(rowTime/seconds))
	theirs, ours, want := math.Inf(1), math.Inf(1), 0.0
	var got, most float64
	for range max(2, b.size(5)) {
		t, sum, err := b.rowPeer(exe, k.name, m, n, repetitions)
		if err != nil {
			return 0, err
		}
		theirs, want = min(theirs, t/float64(repetitions)), sum
		if t, got, most, err = b.runRows(p, sized.Replace(shape), sized.Replace(k.aShape), sized.Replace(k.bShape), repetitions); err != nil {
			return 0, err
		}
		ours = min(ours, t/float64(repetitions))
	}
	if math.Abs(got-want) > 1e-5*most {
		return 0, fmt.Errorf("the sum is %v, in C %v", got, want)
	}
	us := float64(time.Second / time.Microsecond)
	b.table.Compare("attention", what, "us", ours*us, theirs*us, 1, "<= 1")
	return ours / theirs, nil
}

// rowPeer runs C: attention with scores for as many rows at a time as is fastest.
func (b *bench) rowPeer(exe, name string, m, n, repetitions int) (seconds, sum float64, err error) {
	rows := []string{""}
	if name == "attention" {
		rows = []string{"64", "128", "256"}
	}
	seconds = math.Inf(1)
	for _, r := range rows {
		args := []string{name, strconv.Itoa(m), strconv.Itoa(n), r, strconv.Itoa(repetitions)}
		cmd := exec.CommandContext(b.ctx, exe, slices.DeleteFunc(args, func(s string) bool { return s == "" })...)
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
		out, err := cmd.Output()
		if err != nil {
			return 0, 0, err
		}
		var t float64
		if _, err := fmt.Sscan(string(out), &t, &sum); err != nil {
			return 0, 0, err
		}
		seconds = min(seconds, t)
	}
	return seconds, sum, nil
}

// runRows runs our program, once to warm up, and gives the seconds of all repetitions, the weighted sum over the result as C has it, and
// that of its magnitudes.
func (b *bench) runRows(p run.Program, x, a, bShape string, repetitions int) (seconds, sum, most float64, err error) {
	c := ir.NewContext(dialects.All...)
	var args []ir.Val
	for i, shape := range []string{x, x, a, bShape} {
		var dims []int64
		for _, d := range strings.Split(shape, "x") {
			n, _ := strconv.ParseInt(d, 10, 64)
			dims = append(dims, n)
		}
		v := polybench.Zeros(c, ir.F32, dims)
		fillRows(v, []int{4, 1, 2, 3}[i])
		args = append(args, v)
	}
	bound, err := run.Bind(b.ctx, p, append(args, ir.IntVal(1, 64))...)
	if err != nil {
		return 0, 0, 0, err
	}
	out, err := bound.Batch(b.ctx, []run.BoundCall{{Name: "kernel"}, {Name: "kernel", Changes: []run.Change{run.Set(4, ir.IntVal(int64(repetitions), 64))}}})
	if err == nil {
		err = cmp.Or(out[0].Err, out[1].Err)
	}
	if err = cmp.Or(err, bound.Close(b.ctx)); err != nil {
		return 0, 0, 0, err
	}
	for i, y := range elements(args[0]) {
		s := float64(y) * float64(1+i%7)
		sum, most = sum+s, most+math.Abs(s)
	}
	return out[1].Wall.Seconds(), sum, most, nil
}

// fillRows fills memory as C does.
func fillRows(v ir.Val, seed int) {
	buf := v.Ref.(*interp.MemRef).Buf
	for i := range buf.Len() {
		buf.Store(i, ir.FloatVal(float64(float32((i*7919+seed)%1001)/500-1), ir.F32))
	}
}

// elements are those of memory.
func elements(v ir.Val) []float64 {
	buf := v.Ref.(*interp.MemRef).Buf
	out := make([]float64, buf.Len())
	for i := range out {
		out[i] = buf.Load(i).Float(ir.F32)
	}
	return out
}
