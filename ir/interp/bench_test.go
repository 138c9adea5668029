package interp_test

import (
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// density is a log density like that of the Rats example: n normal terms, each
// of some 18 ops, as one straight line.
func density(b fb, p []ir.Value, n int) ir.Value {
	sum := b.x(0)
	for i := range n {
		y := b.x(float64(i) * 1.25)
		mu := b.Op(mFAdd, p[0], b.Op(mFMul, p[1], b.x(float64(i%7)+0.5)))
		for j := range 4 {
			mu = b.Op(mFAdd, mu, b.Op(mFMul, p[1], b.x(float64(i+j)+0.25)))
		}
		d := b.Op(mFSub, y, mu)
		tau := b.Op(mFMul, p[2], b.x(float64(i+1)))
		q := b.Op(mFMul, b.Op(mFMul, d, d), b.Op(mFMul, tau, b.x(-0.5)))
		sum = b.Op(mFAdd, sum, b.Op(mFAdd, q, b.Op(mFMul, b.Op(mLog, tau), b.x(0.5))))
	}
	return sum
}

func BenchmarkDensity(bench *testing.B) {
	f := newFile()
	f.fn("density", []ir.Type{ir.F64, ir.F64, ir.F64}, func(b fb, p []ir.Value) { b.ret(density(b, p, 210)) })
	count := map[*ir.OpDef]int64{}
	g := f.graph(bench)
	m, _ := interp.New(g, interp.Options{Count: count})
	args := []ir.Val{ir.F64Val(1), ir.F64Val(2), ir.F64Val(3)}
	if _, err := m.Call("density", args); err != nil {
		bench.Fatal(err)
	}
	ops := int64(0)
	for _, n := range count {
		ops += n
	}
	m, _ = interp.New(g, interp.Options{})
	fn, _ := m.Resolve("density")
	out := make([]ir.Val, 1)
	bench.ReportAllocs()
	for bench.Loop() {
		if err := m.InvokeTo(fn, args, out); err != nil {
			bench.Fatal(err)
		}
	}
	bench.ReportMetric(float64(ops), "ops/run")
	bench.ReportMetric(float64(bench.Elapsed().Nanoseconds())/float64(bench.N)/float64(ops), "ns/irop")
}

func BenchmarkLoop(bench *testing.B) {
	f := newFile()
	ref := f.ctx.MemRef([]int64{1000}, ir.I64)
	f.fn("sum", []ir.Type{ref}, func(b fb, p []ir.Value) {
		b.ret(b.loop(b.n(1000), []ir.Value{b.n(0)}, func(i ir.Value, c []ir.Value) []ir.Value {
			return []ir.Value{b.Op(mAdd, c[0], b.Op(mLoad, p[0], i))}
		}))
	})
	benchmarkMemory(bench, f, "sum", false)
}

func BenchmarkStores(bench *testing.B) {
	f := newFile()
	addOne(f)
	benchmarkMemory(bench, f, "add", true)
}

// addOne adds 1 to each of 1000 numbers.
func addOne(f *file) {
	ref := f.ctx.MemRef([]int64{1000}, ir.I64)
	f.fn("add", []ir.Type{ref}, func(b fb, p []ir.Value) {
		b.loop(b.n(1000), nil, func(i ir.Value, c []ir.Value) []ir.Value {
			b.Op(mStore, p[0], b.Op(mAdd, b.n(1), b.Op(mLoad, p[0], i)), i)
			return nil
		})
		b.ret(b.n(0))
	})
}

func benchmarkMemory(bench *testing.B, f *file, name string, fresh bool) {
	m := f.machine(bench, interp.Options{})
	buf := interp.NewBuffer(f.ctx, ir.I64, 1000, fresh)
	for i := range buf.Len() {
		buf.Store(i, ir.Val{})
	}
	args := []ir.Val{{Ref: &interp.MemRef{Buf: buf, Sizes: []int64{1000}, Strides: []int64{1}}}}
	fn, _ := m.Resolve(name)
	out := make([]ir.Val, 1)
	bench.ReportAllocs()
	for bench.Loop() {
		if err := m.InvokeTo(fn, args, out); err != nil {
			bench.Fatal(err)
		}
	}
}

// The hot path allocates nothing.
func TestNoAllocations(t *testing.T) {
	f := newFile()
	f.fn("density", []ir.Type{ir.F64, ir.F64, ir.F64}, func(b fb, p []ir.Value) { b.ret(density(b, p, 50)) })
	m := f.machine(t, interp.Options{})
	fn, _ := m.Resolve("density")
	out, args := make([]ir.Val, 1), []ir.Val{ir.F64Val(1), ir.F64Val(2), ir.F64Val(3)}
	run := func() {
		if err := m.InvokeTo(fn, args, out); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}
