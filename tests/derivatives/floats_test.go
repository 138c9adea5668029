package derivatives

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// Both modes give the same on narrower floats, up to the digits that these have. The programs are some dozens of ops, whose
// slopes may cancel: a few are further off.
func TestOtherFloats(t *testing.T) {
	t.Parallel()
	const n = 200
	for _, f := range []struct {
		elem   ir.Type
		name   string
		within float64 // of the sum of the magnitudes
	}{{ir.F32, "f32", 1e-5}, {ir.F16, "f16", 0.05}, {ir.BF16, "bf16", 0.4}} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			odd, checked := 0, 0
			for seed := range uint64(n) {
				g := parsed(t, strings.ReplaceAll(random(seed), "f64", f.name))
				back, err := through(g, "differentiate{of=f wrt=0,1,2,3,4}")
				if err != nil {
					continue // TestRandom tells which may have none
				}
				forth, err := through(g, "differentiate{of=f wrt=0,1,2,3,4 mode=forward}")
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				r := rand.New(rand.NewPCG(seed, 2))
				p, s := somewhere(r), seeds(r)
				slopes := callOn(t, back, "f_grad", f.elem, p, s[:1], s[1:])
				var direction [numbers + arrays*elements]float64
				want, size := 0.0, 1.0
				for i := range direction {
					direction[i] = r.Float64()*2 - 1
					want += direction[i] * slopes[1+i]
					size += math.Abs(direction[i] * slopes[1+i])
				}
				changes := callOn(t, forth, "f_jvp", f.elem, p, direction[:numbers], direction[numbers:])
				got := 0.0
				for i := range s {
					got += s[i] * changes[1+i]
				}
				if math.IsNaN(want) || math.IsInf(size, 0) { // it is too large for f16
					continue
				}
				if checked++; !(math.Abs(got-want) <= f.within*size) {
					if odd++; odd > n/40 {
						t.Fatalf("seed %d: forward %v, in reverse %v, of sizes %v\n%s", seed, got, want, size, text.String(back, text.PrintOptions{}))
					}
				}
			}
			if checked < n*3/4 {
				t.Errorf("only %d of %d programs are compared", checked, n)
			}
		})
	}
}

// callOn calls a function that differentiate made, of a point and what follows it: numbers, and what two arrays hold. It gives
// the results, and what these arrays hold at the end.
func callOn(t *testing.T, g *ir.Graph, name string, elem ir.Type, p point, more, held []float64) (out []float64) {
	var args []ir.Val
	number := func(x float64) { args = append(args, ir.FloatVal(x, elem)) }
	memory := func(x []float64) *interp.Buffer {
		b := interp.NewBuffer(g.Ctx, elem, elements, false)
		for i := range x {
			b.Store(i, ir.FloatVal(x[i], elem))
		}
		args = append(args, (&interp.MemRef{Buf: b, Sizes: []int64{elements}, Strides: []int64{1}}).Val())
		return b
	}
	for _, x := range p.x {
		number(x)
	}
	for i := range p.a {
		memory(p.a[i][:])
	}
	args = append(args, ir.IntVal(p.n, 64), ir.FloatVal(0.5, elem))
	for _, x := range more {
		number(x)
	}
	var end []*interp.Buffer
	for i := range arrays {
		end = append(end, memory(held[i*elements:][:elements]))
	}
	results, err := machine(t, g).Call(name, args)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range results {
		out = append(out, x.Float(elem))
	}
	for _, b := range end {
		for i := range elements {
			out = append(out, b.Load(i).Float(elem))
		}
	}
	return out
}
