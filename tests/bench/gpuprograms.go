package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/bench/report"
)

// A gpuProgram is one whose kernels passes make: on a GPU it must give what its ops mean on the interpreter. Its numbers are small and whole, so that all
// sums are exact.
type gpuProgram struct {
	name, passes string
	within       float64 // of what rounds; 0: to the bit
	text         string
}

const toDevice, loopsToDevice = "tensor-to-device", "loop-to-device"

var gpuPrograms = []gpuProgram{
	{"matrix by vector", toDevice, 0, `func.func @main(%a: tensor<300x200xf32>, %x: tensor<200xf32>) -> tensor<300xf32> {
  %y = ten.einsum "ik,k->i" %a, %x : tensor<300x200xf32>, tensor<200xf32> -> tensor<300xf32>
  return %y : tensor<300xf32>
}`},
	{"vector by matrix", toDevice, 0, `func.func @main(%a: tensor<300x200xf64>, %x: tensor<300xf64>) -> tensor<200xf64> {
  %y = ten.einsum "ki,k->i" %a, %x : tensor<300x200xf64>, tensor<300xf64> -> tensor<200xf64>
  return %y : tensor<200xf64>
}`},
	{"product with bias and relu", toDevice, 0, `func.func @main(%a: tensor<72x24xf32>, %b: tensor<24x40xf32>, %bias: tensor<40xf32>) -> tensor<72x40xf32> {
  %c = ten.einsum "ik,kj->ij" %a, %b : tensor<72x24xf32>, tensor<24x40xf32> -> tensor<72x40xf32>
  %zero = arith.constant 0.0 : f32
  %d = ten.map (%x = %c : tensor<72x40xf32>, %y = %bias : tensor<40xf32>) -> tensor<72x40xf32> {
    %s = arith.addf %x, %y : f32
    %r = arith.maximumf %s, %zero : f32
    ten.yield %r : f32
  }
  return %d : tensor<72x40xf32>
}`},
	{"product of f32 as tf32", "tensor-to-device{tf32=true}", 0, `func.func @main(%a: tensor<72x24xf32>, %b: tensor<24x40xf32>) -> tensor<72x40xf32> {
  %c = ten.einsum "ik,kj->ij" %a, %b : tensor<72x24xf32>, tensor<24x40xf32> -> tensor<72x40xf32>
  return %c : tensor<72x40xf32>
}`},
	{"map", toDevice, 0, `func.func @main(%a: tensor<333x12xf32>) -> tensor<333x12xf32> {
  %d = ten.map (%x = %a : tensor<333x12xf32>) -> tensor<333x12xf32> {
    %s = arith.addf %x, %x : f32
    ten.yield %s : f32
  }
  return %d : tensor<333x12xf32>
}`},
	{"sums of rows", toDevice, 0, `func.func @main(%a: tensor<21x300xf32>) -> tensor<21xf32> {
  %d = ten.reduce add %a along [1] : tensor<21x300xf32>
  return %d : tensor<21xf32>
}`},
	{"softmax", toDevice, 1e-5, `func.func @main(%a: tensor<21x300xf32>) -> tensor<21x300xf32> {
  %d = ten.softmax %a along 1 : tensor<21x300xf32>
  return %d : tensor<21x300xf32>
}`},
	gpuLoop("collect", "collect(f32)", "!loop.array<f32>", "%w : f32"),
	gpuLoop("reduce", "reduce(add reassoc : f32)", "f32", "%w : f32"),
	gpuLoop("scan", "scan(add reassoc : f32)", "!loop.array<f32>", "%w : f32"),
	gpuLoop("filter", "collect(f32)", "!loop.array<f32>", "%e : !loop.emit<f32>"),
	gpuLoop("histogram", "bucket(i64, [reduce(add : i64)])", "!loop.buckets<i64>, !loop.array<i64>", "%k, %one : i64, i64"),
	gpuLoop("largest of groups, filtered", "bucket(i64, [reduce(max : i64)])", "!loop.buckets<i64>, !loop.array<i64>", "%g : !loop.emit<i64, i64>"),
	gpuLoop("sums of groups", "bucket(i64, [reduce(add reassoc : f32)])", "!loop.buckets<i64>, !loop.array<f32>", "%k, %v : i64, f32"),
	gpuLoop("scan by a region", "scan(%zero, %unit reassoc : f32, i64)", "!loop.array<f32>, !loop.array<i64>", `%v, %k : f32, i64
  } combine(%x: f32, %a: i64, %y: f32, %b: i64) {
    %z = arith.addf %x, %y : f32
    %c = arith.muli %a, %b : i64
    loop.yield %z, %c : f32, i64`),
}

// gpuLoop is a loop over keys and numbers with one generator.
func gpuLoop(name, generator, results, yield string) gpuProgram {
	count := strings.Count(results, "!loop.") + strings.Count(results, "f32") - strings.Count(results, "<f32")
	return gpuProgram{name, loopsToDevice, 0, fmt.Sprintf(`func.func @main(%%ks: !loop.array<i64>, %%vs: !loop.array<f32>) -> (%[2]s) {
  %%n = loop.len %%ks : !loop.array<i64>
  %%one = arith.constant 1 : i64
  %%zero = arith.constant 0.0 : f32
  %%unit = arith.constant 1 : i64
  %%r:%[4]d = loop.for %%i < %%n -> %[1]s {
    %%k = loop.at %%ks[%%i] : !loop.array<i64>
    %%v = loop.at %%vs[%%i] : !loop.array<f32>
    %%w = arith.addf %%v, %%v : f32
    %%some = arith.cmpf olt, %%v, %%zero : f32
    %%e1 = loop.emit %%w : f32
    %%e0 = loop.none : !loop.emit<f32>
    %%e = arith.select %%some, %%e1, %%e0 : !loop.emit<f32>
    %%g1 = loop.emit %%k, %%k : i64, i64
    %%g0 = loop.none : !loop.emit<i64, i64>
    %%g = arith.select %%some, %%g1, %%g0 : !loop.emit<i64, i64>
    loop.yield %[3]s
  }
  return %[5]s : %[2]s
}`, generator, results, yield, count, strings.Join([]string{"%r#0", "%r#1"}[:count], ", "))}
}

func (p gpuProgram) parse() (*ir.Graph, error) {
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(p.name, p.text), text.Options{})
	return g, list.Err()
}

// kernels is the program with kernels.
func (p gpuProgram) kernels(ctx context.Context) (*ir.Graph, error) {
	g, err := p.parse()
	if err != nil {
		return nil, err
	}
	pipeline, err := pass.Parse(p.passes, lowering.AllPasses())
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{}).Run(ctx, g, pipeline)
}

// compile makes PTX of it, with checks.
func (p gpuProgram) compile(ctx context.Context, arch string) (*nvvm.PTX, error) {
	g, err := p.kernels(ctx)
	if err != nil {
		return nil, err
	}
	to := nvvm.GPU(arch)
	if g, err = lowering.Compile(ctx, g, to); err != nil {
		return nil, err
	}
	return nvvm.Compile(g, nvvm.Options{Target: to})
}

// programsEqual adds a row for each program.
func (b *bench) programsEqual() {
	for _, p := range gpuPrograms {
		row := report.Row{Group: "device", What: p.name + ": equals the interpreter"}
		want, err := b.runProgram("eval", p, p.parse)
		var got []float64
		if err == nil {
			got, err = b.runProgram("cuda", p, func() (*ir.Graph, error) { return p.kernels(b.ctx) })
		}
		met := err == nil && len(got) == len(want) && !slices.ContainsFunc(want, func(x float64) bool { return x != x })
		for i := range want {
			met = met && max(got[i]-want[i], want[i]-got[i]) <= p.within
		}
		if row.Met = &met; err != nil {
			row.Note = firstLine(err.Error())
		}
		b.table.Add(row)
	}
}

// runProgram lists the elements of the results.
func (b *bench) runProgram(kind string, p gpuProgram, make func() (*ir.Graph, error)) (out []float64, err error) {
	ctx, stop := context.WithTimeout(b.ctx, time.Minute)
	defer stop()
	g, err := make()
	if err != nil {
		return nil, err
	}
	on, done, err := b.prepared(ctx, kind, p.name, g)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	in, _, err := on.Signature("main")
	if err != nil {
		return nil, err
	}
	var args []ir.Val
	for k, t := range in {
		args = append(args, wholeNumbers(g.Ctx, t, k))
	}
	results, _, err := on.Call(ctx, "main", args)
	for _, v := range results {
		out = append(out, numbersOf(v)...)
	}
	return out, err
}

// openRounds is how many elements memory of open extent has.
const openRounds = 5000

// wholeNumbers is memory of small whole numbers.
func wholeNumbers(c *ir.Context, t ir.Type, seed int) ir.Val {
	info := c.Info(t)
	shape := slices.Clone(info.Shape)
	for d, n := range shape {
		if n == ir.Dynamic {
			shape[d] = openRounds
		}
	}
	strides, n, _ := strided.RowMajor(shape)
	buf := interp.NewBuffer(c, info.Elem, int(n), false)
	buf.Static = true
	for i := range int(n) {
		x := (i*i%101+i*7+seed)%13 - 6
		if c.IsFloat(info.Elem) {
			buf.Store(i, ir.FloatVal(float64(x), info.Elem))
		} else {
			buf.Store(i, ir.IntVal(int64(x), c.Info(info.Elem).Width))
		}
	}
	return (&interp.MemRef{Buf: buf, Sizes: shape, Strides: strides}).Val()
}

// numbersOf lists the elements of memory, or a number itself (a float of 32 bits).
func numbersOf(v ir.Val) (out []float64) {
	r, ok := v.Ref.(*interp.MemRef)
	if !ok {
		return []float64{v.Float(ir.F32)}
	}
	r.Each(func(pos int) {
		switch x := r.Buf.Load(pos); {
		case r.Buf.Elem == ir.F32 || r.Buf.Elem == ir.F64:
			out = append(out, x.Float(r.Buf.Elem))
		default:
			out = append(out, float64(int64(x.Bits)))
		}
	})
	return out
}
