package cases

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// numbers builds arithmetic on complex numbers that are structs.
type numbers struct {
	b *ir.Builder
	t ir.Type
}

func (c numbers) parts(z ir.Value) (re, im ir.Value) {
	return loop.FieldOf(c.b, z, "re"), loop.FieldOf(c.b, z, "im")
}

func (c numbers) each(d *ir.OpDef, x, y ir.Value) ir.Value {
	a, b := c.parts(x)
	p, q := c.parts(y)
	return loop.MakeStruct(c.b, c.t, arith.Float(c.b, d, arith.Fast, a, p), arith.Float(c.b, d, arith.Fast, b, q))
}

func (c numbers) mul(x, y ir.Value) ir.Value {
	a, b := c.parts(x)
	p, q := c.parts(y)
	f := func(d *ir.OpDef, x, y ir.Value) ir.Value { return arith.Float(c.b, d, arith.Fast, x, y) }
	return loop.MakeStruct(c.b, c.t, f(arith.Subf, f(arith.Mulf, a, p), f(arith.Mulf, b, q)), f(arith.Addf, f(arith.Mulf, a, q), f(arith.Mulf, b, p)))
}

// fft is the transform of Cooley and Tukey, unrolled by the Go program that builds it.
func (c numbers) fft(xs []ir.Value) []ir.Value {
	n := len(xs)
	if n == 1 {
		return xs
	}
	var even, odd []ir.Value
	for i := 0; i < n; i += 2 {
		even, odd = append(even, xs[i]), append(odd, xs[i+1])
	}
	even, odd = c.fft(even), c.fft(odd)
	out := make([]ir.Value, n)
	for k := range n / 2 {
		w := cmplx.Exp(complex(0, -2*math.Pi*float64(k)/float64(n)))
		exact := func(x float64) ir.Value { return arith.ConstF64(c.b, math.Round(x*1e12)/1e12+0) } // cos(pi/2) = 0, and no -0
		z := c.mul(loop.MakeStruct(c.b, c.t, exact(real(w)), exact(imag(w))), odd[k])
		out[k], out[k+n/2] = c.each(arith.Addf, even[k], z), c.each(arith.Subf, even[k], z)
	}
	return out
}

// transform is @f, which gives the transform of the first n elements of its argument.
func transform(n int) func(c *ir.Context) *ir.Graph {
	return func(c *ir.Context) *ir.Graph {
		t := loop.StructOf(c, ir.Field{Name: "re", Type: ir.F64}, ir.Field{Name: "im", Type: ir.F64})
		module := ir.NewBuilder(c)
		funcs.Function(module, "f", []ir.Type{loop.Array(c, t)}, func(b *ir.Builder, args []ir.Value) []ir.Value {
			xs := make([]ir.Value, n)
			for i := range xs {
				xs[i] = loop.Element(b, args[0], b.Index(int64(i)))
			}
			return numbers{b, t}.fft(xs)
		})
		b := ir.NewBuilder(c)
		b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{module.Finish()}})
		return b.Finish()
	}
}

// Section 10, a transform that is staged: of 16 products and 24 sums of one of four numbers 16
// sums are left, and one struct for each number that is handed out.
func TestFFT(t *testing.T) {
	const one, two = `{"re": 1, "im": 0}`, `{"re": 2, "im": 0}`
	judgeAll(t, []program{
		{id: "10.1 fft(4)", make: transform(4), pipeline: "canonicalize",
			runs: [][2]string{
				{`[[` + one + `, ` + one + `, ` + two + `, ` + two + `]]`, `[{"re": 6, "im": 0}, {"re": -1, "im": 1}, {"re": 0, "im": 0}, {"re": -1, "im": -1}]`},
				{`[[` + one + `, ` + one + `, ` + one + `, ` + one + `]]`, `[{"re": 4, "im": 0}, {"re": 0, "im": 0}, {"re": 0, "im": 0}, {"re": 0, "im": 0}]`},
			},
			static: "arith.addf 8, arith.subf 8, arith.mulf 0, arith.negf 0, loop.at 8, loop.struct 4",
			placed: "addf top top top top top top top top, mulf nowhere, struct top top top top",
			ran:    "arith.addf 8, arith.subf 8, arith.mulf 0, arith.negf 0, loop.at 8, loop.struct 4"},
		{id: "10.1 fft(2)", make: transform(2), pipeline: "canonicalize", runs: [][2]string{{`[[` + one + `, ` + two + `]]`, `[{"re": 3, "im": 0}, {"re": -1, "im": 0}]`}},
			static: "arith.addf 2, arith.subf 2, arith.mulf 0, loop.struct 2", placed: "addf top top, subf top top", ran: "arith.addf 2, arith.subf 2, loop.at 4"},
		{id: "10.1 fft(1)", make: transform(1), pipeline: "canonicalize", runs: [][2]string{{`[[` + one + `]]`, `[` + one + `]`}},
			static: "arith.addf 0, arith.subf 0, loop.at 2", placed: "addf nowhere", ran: "arith.addf 0"},
		// Of the twiddle factors of eight numbers two are (1 - i)s and -(1 + i)s, s = 1/sqrt 2. A product
		// with s and one with -s are two products, so that there are 6 and not 4.
		{id: "10.1 fft(8)", make: transform(8), pipeline: "canonicalize", runs: [][2]string{{`[[` + one + `, ` + one + `, ` + one + `, ` + one + `, ` + one + `, ` + one + `, ` + one + `, ` + one + `]]`,
			`[{"re": 8, "im": 0}, {"re": 0, "im": 0}, {"re": 0, "im": 0}, {"re": 0, "im": 0}, {"re": 0, "im": 0}, {"re": 0, "im": 0}, {"re": 0, "im": 0}, {"re": 0, "im": 0}]`}},
			static: "arith.mulf 6, loop.at 16, loop.struct 8", placed: "mulf top top top top top top", ran: "arith.mulf 6, loop.at 16"},
	})
}
