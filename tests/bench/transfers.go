package main

import (
	"fmt"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/examples/stage/einsum"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/stage"
)

const (
	pageBytes  = 4096 // what unified memory moves at least
	floatBytes = 4
)

// A movedProgram is one of those of which the paper on prophecy variables gives times (Figures 7 and 8), in Go or as IR: the tensors that there are when
// kernels are launched, which move in, and which move back.
type movedProgram struct {
	name         string
	all, in, out func(n int) []int // elements
	build        func(n int) func(s *stage.S, c stage.Slice[float32])
	entry        string                  // of examples/device/transfers.mlir, if build is nil
	args         func(n int64) [][]int64 // the shapes of its memories
}

func matrices(k int) func(n int) []int {
	return func(n int) (out []int) {
		for range k {
			out = append(out, n*n)
		}
		return out
	}
}

var movedPrograms = []movedProgram{
	{"matrix by matrix, six tensors", matrices(6), matrices(3), matrices(1), func(n int) func(s *stage.S, c stage.Slice[float32]) {
		return func(s *stage.S, c stage.Slice[float32]) {
			const i, j, k = einsum.Index("i"), einsum.Index("j"), einsum.Index("k")
			einsum.Run(s, func(e *einsum.E) {
				A, B, C := e.New("A", n, n), e.New("B", n, n), e.Over("C", c, n, n)
				D, E, F := e.New("D", n, n), e.New("E", n, n), e.New("F", n, n)
				A.At(i, j).Set(3)
				B.At(i, j).Set(e.Sum(4, i, j))
				D.At(i, j).Set(A.At(i, j))
				e.OnDevice(func() { C.At(i, j).Add(e.Mul(A.At(i, k), B.At(k, j))) })
				E.At(i, j).Set(B.At(i, j))
				F.At(i, j).Set(C.At(i, j))
			})
		}
	}, "", nil},
	{"matrix by vector, two matrices and four vectors", matvecAll, matvecIn, matvecOut, func(n int) func(s *stage.S, c stage.Slice[float32]) {
		return func(s *stage.S, c stage.Slice[float32]) {
			const i, j = einsum.Index("i"), einsum.Index("j")
			einsum.Run(s, func(e *einsum.E) {
				A, x, y := e.New("A", n, n), e.New("x", n), e.Over("y", c, n)
				B, u, v := e.New("B", n, n), e.New("u", n), e.New("v", n)
				A.At(i, j).Set(e.Sum(i, j))
				x.At(i).Set(2)
				B.At(i, j).Set(A.At(i, j))
				e.OnDevice(func() { y.At(i).Add(e.Mul(A.At(i, j), x.At(j))) })
				u.At(i).Set(y.At(i))
				v.At(i).Set(x.At(i))
			})
		}
	}, "", nil},
	{name: "matrix by matrix, IR", all: matrices(6), in: matrices(3), out: matrices(1), entry: "matmul",
		args: func(n int64) [][]int64 { return [][]int64{{n, n}, {n, n}, {n, n}, {n, n}} }},
	{name: "matrix by vector, IR", all: matvecAll, in: matvecIn, out: matvecOut, entry: "matvec",
		args: func(n int64) [][]int64 { return [][]int64{{n}, {n, n}, {n}, {n}} }},
	{name: "ten rounds of matrix by matrix, IR", all: matrices(60), in: matrices(21), out: matrices(10), entry: "rounds",
		args: func(n int64) [][]int64 { return [][]int64{{n, n}, {n, n}, {n, n}} }},
}

func matvecAll(n int) []int { return []int{n * n, n * n, n, n, n, n} }
func matvecIn(n int) []int  { return []int{n * n, n, n} }
func matvecOut(n int) []int { return []int{n} }

// transferred compares what the programs move with the two ways of the paper's table: all tensors move to the device, and what it has
// changed moves back; or whole pages do when they are touched, as with unified memory (a page that is only read stays on both sides). What moves is counted by the checker of
// transfers; kernels are not run.
func (b *bench) transferred() error {
	sizes := []int{64, 100, 128, 256, 512, 1024, 2048}
	if b.quick {
		sizes = sizes[:4]
	}
	for _, p := range movedPrograms {
		for _, n := range sizes {
			got, err := b.moves(p, n)
			if err != nil {
				return err
			}
			all, pages := int64(0), int64(0)
			for _, k := range p.all(n) {
				all += int64(floatBytes * k)
			}
			for _, k := range append(p.in(n), p.out(n)...) {
				pages += int64(floatBytes*k+pageBytes-1) / pageBytes * pageBytes
			}
			for _, k := range p.out(n) {
				all += int64(floatBytes * k)
			}
			ours := float64(got.In.Bytes + got.Out.Bytes)
			what := fmt.Sprintf("%s, n = %d: moved", p.name, n)
			b.table.Compare("transfers", what+", all copied", "kB", ours/1e3, float64(all)/1e3, 1, "below")
			b.table.Compare("transfers", "  by pages", "kB", ours/1e3, float64(pages)/1e3, 1, "no more")
		}
	}
	return nil
}

// moves runs a program without its kernels.
func (b *bench) moves(p movedProgram, n int) (transfers.Counts, error) {
	var g *ir.Graph
	var err error
	entry, shapes := "f", [][]int64{{int64(p.out(n)[0])}}
	if p.build != nil {
		g, _, err = stage.Module(b.ctx, ir.NewContext(dialects.All...), entry, p.build(n))
	} else {
		entry, shapes = p.entry, p.args(int64(n))
		g, err = b.placed()
	}
	if err != nil {
		return transfers.Counts{}, err
	}
	c := transfers.New()
	m, err := interp.New(g, interp.Options{Watch: c, Wrap: func(def *ir.OpDef, f interp.Func) interp.Func {
		if def == device.Launch {
			f = func(*interp.Machine, *interp.Op, []ir.Val, []ir.Val) error { return nil }
		}
		return c.Wrap(def, f)
	}})
	if err != nil {
		return transfers.Counts{}, err
	}
	var args []ir.Val
	if p.build == nil {
		args = append(args, ir.Val{Bits: uint64(n)})
	}
	for _, shape := range shapes {
		r := &interp.MemRef{Sizes: shape, Strides: []int64{1}}
		if len(shape) == 2 {
			r.Strides = []int64{shape[1], 1}
		}
		r.Buf = interp.NewBuffer(g.Ctx, ir.F32, int(shape[0]*r.Strides[0]), false)
		r.Buf.Static = true
		args = append(args, ir.Val{Ref: r})
	}
	_, err = m.Call(entry, args)
	return c.Counts(), err
}

// placed is the programs as IR, with transfers.
func (b *bench) placed() (*ir.Graph, error) {
	g, err := (&deviceKernel{file: "transfers"}).parse()
	if err != nil {
		return nil, err
	}
	p, err := pass.Parse("outline-kernels,place-transfers,mem2reg", passes.All())
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{}).Run(b.ctx, g, p)
}
