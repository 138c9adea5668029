package derivatives

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/tests/derivatives/wide"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// A format is one of floats: its type, and how many bits its significand has.
type format struct {
	elem ir.Type
	name string
	bits int
}

var formats = []format{{ir.F64, "f64", 53}, {ir.F32, "f32", 24}, {ir.F16, "f16", 11}, {ir.BF16, "bf16", 8}}

// narrow is a number in the format.
func (f format) narrow(x float64) float64 { return ir.FloatVal(x, f.elem).Float(f.elem) }

// On narrower floats the adjoint is that of real numbers, and in both modes, up to what errors of 64 units in the last place of each
// operation make of it.
func TestOtherFloats(t *testing.T) {
	t.Parallel()
	const n = 60
	for _, f := range formats[1:] {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			checked := 0
			for seed := range uint64(n) {
				d := derivedOf(t, seed)
				if d.grad == nil {
					checked++ // forward mode is compared in TestRandom
					continue
				}
				g := parsed(t, strings.ReplaceAll(d.src, "f64", f.name))
				back, err := through(g, d.pipeline("reverse"))
				if err != nil {
					d.fail("%v", err)
				}
				forth, err := through(g, d.pipeline("forward"))
				if err != nil {
					d.fail("%v", err)
				}
				if d.narrower(f, machine(t, back).Call, machine(t, forth).Call) {
					checked++
				}
			}
			if checked < n*3/4 {
				t.Errorf("only %d of %d programs are compared", checked, n)
			}
		})
	}
}

// A caller runs a function of a module.
type caller func(name string, args []ir.Val) ([]ir.Val, error)

// narrower compares the derivatives in a format with those of real numbers, at one of a few points where no decision hangs on rounding.
// Forward mode may be left out.
func (d *derived) narrower(f format, back, forth caller) bool {
	d.t.Helper()
	r := rand.New(rand.NewPCG(d.seed, 2))
	for range 3 {
		p, weights := somewhere(r), seeds(r)
		for i := range p.coordinates() {
			*p.coordinate(i) = f.narrow(*p.coordinate(i))
		}
		for i := range weights {
			weights[i] = f.narrow(weights[i])
		}
		at, s, direction := p.vector(), vectorOf(weights[:]), drawn(r)
		for i, x := range direction {
			direction[i] = ref.New(f.narrow(floatOf(x)))
		}
		exact := begin(d.back, wide.Mode{Exact: true}, p)
		slopes := exact.gradient(at, s)
		far, same := spread(f.bits, slopes, exact.Decisions, func(mode wide.Mode) ([]ref.F, uint64) {
			c := begin(d.back, mode, p)
			return c.gradient(at, s), c.Decisions
		})
		tangent := begin(d.forth, wide.Mode{Exact: true}, p)
		change := []ref.F{tangent.onward(at, direction, s)}
		farForth, sameForth := spread(f.bits, change, tangent.Decisions, func(mode wide.Mode) ([]ref.F, uint64) {
			c := begin(d.forth, mode, p)
			return []ref.F{c.onward(at, direction, s)}, c.Decisions
		})
		if !same || !sameForth {
			continue
		}
		got := d.call(back, "f_grad", f.elem, p, weights[:1], weights[1:])
		for i, x := range slopes {
			if !isRounding(got[1+i], x, far[i], f.bits) {
				d.fail("%s: derivative %d is %v, and should be %v; rounding makes a difference of %v", f.name, i, got[1+i], floatOf(x), far[i])
			}
		}
		if forth == nil {
			return true
		}
		moves := floats64(direction[:])
		sum := 0.0
		for i, x := range d.call(forth, "f_jvp", f.elem, p, moves[:numbers], moves[numbers:])[1:] {
			sum += weights[i] * x
		}
		if !isRounding(sum, change[0], farForth[0], f.bits) {
			d.fail("%s: forward %v, and should be %v; rounding makes a difference of %v", f.name, sum, floatOf(change[0]), farForth[0])
		}
		return true
	}
	return false
}

// call calls a function that differentiate made, of a point and what follows it: numbers, and what the shadows of the arrays hold.
// It gives the results, and what the shadows hold at the end.
func (d *derived) call(call caller, name string, elem ir.Type, p point, more, held []float64) (out []float64) {
	d.t.Helper()
	c := ir.NewContext()
	var args []ir.Val
	number := func(x float64) { args = append(args, ir.FloatVal(x, elem)) }
	memory := func(x []float64) *interp.Buffer {
		b := interp.NewBuffer(c, elem, elements, false)
		for i := range x {
			b.Store(i, ir.FloatVal(x[i], elem))
		}
		args = append(args, (&interp.MemRef{Buf: b, Sizes: []int64{elements}, Strides: []int64{1}}).Val())
		return b
	}
	arrayArgs := func(of func(i int) []float64) (all []*interp.Buffer) {
		for i := range p.arrays() {
			all = append(all, memory(of(i)))
		}
		if p.alias {
			args = append(args, args[len(args)-1])
		}
		return all
	}
	for _, x := range p.x {
		number(x)
	}
	arrayArgs(func(i int) []float64 { return p.a[i][:] })
	args = append(args, ir.IntVal(p.n, 64))
	number(0.5)
	for _, x := range more {
		number(x)
	}
	end := arrayArgs(func(i int) []float64 { return held[i*elements:][:elements] })
	results, err := call(name, args)
	if err != nil {
		d.fail("%v", err)
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

// vectorOf are numbers as exact ones, those that are missing 0.
func vectorOf(x []float64) (v vector) {
	for i := range v {
		v[i] = ref.New(0)
		if i < len(x) {
			v[i] = ref.New(x[i])
		}
	}
	return v
}

// pipeline is what differentiates the program in a mode: as it is, behind the default passes, before them, or both; in reverse most have
// checkpoints.
func (d *derived) pipeline(mode string) string {
	checkpoints := ""
	if c := d.seed / 4 % 4; c > 0 && mode == "reverse" {
		checkpoints = fmt.Sprintf(" checkpoint=%d", c)
	}
	out := fmt.Sprintf("differentiate{of=f wrt=0,1,2,3,4 mode=%s%s}", mode, checkpoints)
	if d.seed%4&1 != 0 {
		out = defaults + "," + out
	}
	if d.seed%4&2 != 0 {
		out += "," + defaults
	}
	return out
}

// most is the largest number of a format, by the bits of its significand.
var most = map[int]float64{53: math.MaxFloat64, 24: math.MaxFloat32, 11: 65504, 8: 0x1.FEp127}
