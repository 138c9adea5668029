package loop_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// complexes builds arithmetic on complex numbers that are structs.
type complexes struct {
	b *ir.Builder
	t ir.Type
}

func (c complexes) parts(z ir.Value) (re, im ir.Value) {
	return loop.FieldOf(c.b, z, "re"), loop.FieldOf(c.b, z, "im")
}

func (c complexes) each(d *ir.OpDef, x, y ir.Value) ir.Value {
	a, b := c.parts(x)
	p, q := c.parts(y)
	return loop.MakeStruct(c.b, c.t, arith.Float(c.b, d, arith.Fast, a, p), arith.Float(c.b, d, arith.Fast, b, q))
}

func (c complexes) mul(x, y ir.Value) ir.Value {
	a, b := c.parts(x)
	p, q := c.parts(y)
	f := func(d *ir.OpDef, x, y ir.Value) ir.Value { return arith.Float(c.b, d, arith.Fast, x, y) }
	return loop.MakeStruct(c.b, c.t, f(arith.Subf, f(arith.Mulf, a, p), f(arith.Mulf, b, q)), f(arith.Addf, f(arith.Mulf, a, q), f(arith.Mulf, b, p)))
}

// fft is the transform of Cooley and Tukey, unrolled by the Go program that builds it.
func (c complexes) fft(xs []ir.Value) []ir.Value {
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

// Case 10.1: of 16 products and 24 sums of a transform of four numbers 16 sums are left, 8
// elements are loaded, and there is one struct for each number that is handed out.
func TestFFT(t *testing.T) {
	ctx := ir.NewContext(dialects.All...)
	b := ir.NewBuilder(ctx)
	c := complexes{b: b, t: loop.StructOf(ctx, ir.Field{Name: "re", Type: ir.F64}, ir.Field{Name: "im", Type: ir.F64})}
	in := b.Param(loop.Array(ctx, c.t))
	xs := make([]ir.Value, 4)
	for i := range xs {
		xs[i] = loop.Element(b, in, b.Index(int64(i)))
	}
	b.Must(ir.Call{Def: ctx.Lookup("func.return"), Args: c.fft(xs)})
	g := b.Finish()
	if got, want := opsOf(g), "loop.at 8, loop.column 2, loop.struct 4"; got != want {
		t.Errorf("there is left %s, want %s\n%s", got, want, print(g, false))
	}
	if got, want := evaluated(t, g, [4]complex128{1, 1, 2, 2}), [4]complex128{6, complex(-1, 1), 0, complex(-1, -1)}; got != want {
		t.Errorf("gives %v, want %v", got, want)
	}
	sums, products := 0, 0
	ir.ScheduleOf(g).Walk(func(v ir.Value) {
		switch g.Def(v) {
		case arith.Addf, arith.Subf:
			sums++
		case arith.Mulf, arith.Negf:
			products++
		}
	})
	if sums != 16 || products != 0 {
		t.Errorf("%d sums and %d products, want 16 and none\n%s", sums, products, print(g, false))
	}
}

// evaluated is what a graph of pure ops returns for an array of complex numbers.
func evaluated(t *testing.T, g *ir.Graph, in [4]complex128) (out [4]complex128) {
	t.Helper()
	var rows ir.Vector
	for _, z := range in {
		rows = append(rows, ir.Val{Ref: ir.Vector{ir.F64Val(real(z)), ir.F64Val(imag(z))}})
	}
	vals, calls := map[ir.Value]ir.Val{}, ir.CallsOf(g)
	vals[g.Params(ir.Root)[0]] = ir.Val{Ref: rows}
	ir.ScheduleOf(g).Walk(func(v ir.Value) {
		if x, ok := g.Const(v); ok {
			vals[v] = x
			return
		}
		var args []ir.Val
		for _, a := range g.Args(v) {
			args = append(args, vals[a])
		}
		if g.Def(v).Has(ir.Terminator) {
			for i, z := range args {
				out[i] = complex(z.Ref.(ir.Vector)[0].Float(ir.F64), z.Ref.(ir.Vector)[1].Float(ir.F64))
			}
			return
		}
		x, err := g.Def(v).Eval(calls.Of(v), args)
		if err != nil {
			t.Fatal(err)
		}
		vals[v] = x
	})
	return out
}
