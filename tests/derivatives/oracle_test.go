package derivatives

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/irc-lang/irc/tests/derivatives/wide"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// vector has an element for each coordinate of a point: numbers, then those of the arrays.
type vector [numbers + arrays*elements]ref.F

// drawn is a random direction.
func drawn(r *rand.Rand) (v vector) {
	for i := range v {
		v[i] = ref.New(r.Float64()*2 - 1)
	}
	return v
}

// of is the coordinates of a point.
func (p *point) vector() (v vector) {
	for i := range v {
		v[i] = ref.New(0)
	}
	for i := range p.coordinates() {
		v[i] = ref.New(*p.coordinate(i))
	}
	return v
}

// plus is v + h w.
func (v vector) plus(h ref.F, w vector) vector {
	for i := range v {
		v[i] = ref.Add(v[i], ref.Mul(h, w[i]))
	}
	return v
}

// A call of a function of 3 numbers, 2 arrays and what follows, in one mode of the evaluator.
type call struct {
	*wide.Run
	p      point
	memory [][]wide.Value
	value  ref.F // of a gradient: what the program gives and writes, weighed
}

func (c *call) number(x ref.F) wide.Value {
	if c.Exact {
		return wide.Wide(x)
	}
	f, _ := x.Float64()
	return c.Float(f)
}

// arrays are the arrays of a vector; with aliased arguments there is but one.
func (c *call) arrays(v vector) (out []wide.Value) {
	for i := range arrays {
		if i > 0 && c.p.alias {
			out = append(out, out[0])
			continue
		}
		held := make([]wide.Value, elements)
		for k := range held {
			held[k] = c.number(v[numbers+i*elements+k])
		}
		m, held := wide.Memory(held...)
		out, c.memory = append(out, m), append(c.memory, held)
	}
	return out
}

func (c *call) numbers(v []ref.F) (out []wide.Value) {
	for _, x := range v {
		out = append(out, c.number(x))
	}
	return out
}

// program are the arguments of the program itself.
func (c *call) program(at vector) []wide.Value {
	return append(append(c.numbers(at[:numbers]), c.arrays(at)...), wide.Index(c.p.n), c.Float(0.5))
}

// begin starts a call in a mode.
func begin(m *wide.Machine, mode wide.Mode, p point) *call { return &call{Run: m.Start(mode), p: p} }

// weighed is the number whose derivatives are asked for: result and arrays at the end, weighed.
func (c *call) weighed(at vector, s vector) ref.F {
	out := c.Call("f", c.program(at)...)
	return c.sum(s, out[0], c.memory)
}

// sum weighs a result and what arrays hold; nil is NaN, or too large.
func (c *call) sum(s vector, result wide.Value, memory [][]wide.Value) ref.F {
	all := []wide.Value{result}
	for _, m := range memory {
		all = append(all, m...)
	}
	sum := ref.New(0)
	for i, v := range all {
		x := c.Number(v)
		if !isFinite(x) {
			return nil
		}
		sum = ref.Add(sum, ref.Mul(s[i], x))
	}
	return sum
}

// gradient is what f_grad gives at a point, for the weights of results; what is NaN is nil. Its value is what the program gives and
// writes, weighed.
func (c *call) gradient(at vector, s vector) []ref.F {
	args := append(c.program(at), c.number(s[0]))
	held := c.memory
	c.memory = nil
	out := c.Call("f_grad", append(args, c.arrays(shifted(s))...)...)
	c.value = c.sum(s, out[0], held)
	return c.slopes(out[1:], c.memory)
}

// shifted are the weights of the elements where those of the coordinates stand.
func shifted(s vector) (v vector) {
	copy(v[numbers:], s[1:])
	return v
}

// slopes are numbers and what arrays hold.
func (c *call) slopes(of []wide.Value, memory [][]wide.Value) (out []ref.F) {
	for _, m := range memory {
		of = append(of, m...)
	}
	for _, v := range of {
		out = append(out, c.Number(v))
	}
	return out
}

// onward is the weighed sum of the tangents in a direction.
func (c *call) onward(at, direction, s vector) ref.F {
	args := append(c.program(at), c.numbers(direction[:numbers])...)
	c.memory = nil
	out := c.Call("f_jvp", append(args, c.arrays(direction)...)...)
	return c.sum(s, out[1], c.memory)
}

// second is the tangent of the gradient in a direction; of lists the arguments that tangents belong to.
func (c *call) second(at, direction, s vector, of []int) []ref.F {
	args := append(c.program(at), c.number(s[0]))
	seeds, moves := c.arrays(shifted(s)), c.arrays(direction)
	c.memory = nil
	zeros := c.arrays((&point{}).vector())
	args = append(args, seeds...)
	for _, k := range of {
		switch k -= numbers; {
		case k < 0:
			args = append(args, c.number(direction[numbers+k]))
		case k < arrays:
			args = append(args, moves[k])
		default: // behind the number of rounds, the half and the adjoint of the result
			args = append(args, zeros[k-arrays-3])
		}
	}
	out := c.Call("f_grad_jvp", args...)
	return c.slopes(out[len(out)-numbers:], c.memory)
}

// verdict is what differences say of derivatives.
type verdict uint8

const (
	equal   verdict = iota
	unknown         // a decision changes within the step, or steps of two lengths do not agree to 12 digits
	wrong
)

// differences compares derivatives of the given sizes with central differences of a step of 2^-60, to 22 digits; where that is not
// enough, a step twice as long says how far they may be off. A function gives its decisions too.
func differences(f func(h ref.F) ([]ref.F, uint64), decisions uint64, slopes, sizes []ref.F) (v verdict, near []ref.F) {
	h := ref.Scale(ref.New(1), -60)
	if near = central(f, h, decisions); near == nil {
		return unknown, nil
	}
	off := make([]ref.F, len(near))
	for i := range off {
		off[i] = ref.New(0)
	}
	if areClose(slopes, near, off, sizes) {
		return equal, near
	}
	far := central(f, ref.Scale(h, 1), decisions)
	for i := range far {
		off[i] = ref.Abs(ref.Sub(near[i], far[i]))
		if off[i].Cmp(ref.Mul(ref.New(1e-12), ref.Add(ref.New(1), ref.Abs(near[i])))) > 0 {
			return unknown, nil
		}
	}
	switch {
	case far == nil:
		return unknown, nil
	case areClose(slopes, near, off, sizes):
		return equal, near
	}
	return wrong, near
}

// central are central differences; nil where a decision changes, or a number is none.
func central(f func(h ref.F) ([]ref.F, uint64), h ref.F, decisions uint64) (out []ref.F) {
	high, d := f(h)
	low, e := f(ref.Neg(h))
	if d != decisions || e != decisions {
		return nil
	}
	for k := range high {
		if !isFinite(high[k]) || !isFinite(low[k]) {
			return nil
		}
		out = append(out, ref.Quo(ref.Sub(high[k], low[k]), ref.Scale(h, 1)))
	}
	return out
}

func isFinite(x ref.F) bool { return x != nil && !x.IsInf() }

// areClose reports exact numbers that differ by no more than they may be off, and 1e-22 of a size.
func areClose(x, y, off, sizes []ref.F) bool {
	for i := range x {
		if !isFinite(x[i]) || ref.Abs(ref.Sub(x[i], y[i])).Cmp(ref.Add(off[i], ref.Mul(ref.New(1e-22), sizes[i]))) > 0 {
			return false
		}
	}
	return true
}

// dot is a sum of products, nil where one is none, and that of their sizes and 1.
func dot(v vector, w []ref.F) (sum, size ref.F) {
	sum, size = ref.New(0), ref.New(1)
	for i, x := range w {
		if !isFinite(x) {
			return nil, size
		}
		p := ref.Mul(v[i], x)
		sum, size = ref.Add(sum, p), ref.Add(size, ref.Abs(p))
	}
	return sum, size
}

// spread is how far slopes are from exact ones when each operation makes a random error of one unit in the last place of a
// format, and whether all runs decided as the exact one.
func spread(bits int, exact []ref.F, decisions uint64, run func(mode wide.Mode) ([]ref.F, uint64)) (far []float64, same bool) {
	far = make([]float64, len(exact))
	for k := range 3 {
		mode := wide.Mode{Error: math.Ldexp(1, 1-bits), Least: least[bits], Most: most[bits], Rand: rand.New(rand.NewPCG(uint64(k), 11))}
		if k == 0 {
			mode = wide.Mode{Most: most[bits]} // as programs of f64 run
		}
		got, d := run(mode)
		if d != decisions {
			return nil, false
		}
		for i, x := range got {
			if !isFinite(x) {
				far[i] = math.Inf(1)
				continue
			}
			d, _ := ref.Sub(x, exact[i]).Float64()
			far[i] = max(far[i], math.Abs(d))
		}
	}
	return far, true
}

// least is the smallest number of a format, by the bits of its significand.
var least = map[int]float64{53: math.SmallestNonzeroFloat64, 24: math.SmallestNonzeroFloat32, 11: 0x1p-24, 8: 0x1p-133}

// units is how many times the spread a slope may be off: by what errors of so many units in the last place of each operation make
// of it, about.
const units = 64

// isRounding reports a difference that rounding may have made.
func isRounding(got float64, exact ref.F, far float64, bits int) bool {
	if math.IsInf(far, 0) {
		return true
	}
	x, _ := exact.Float64()
	return math.Abs(got-x) <= units*(far+math.Ldexp(math.Abs(x), -bits)+least[bits])
}

// floatOf is a number in f64, NaN where there is none.
func floatOf(x *big.Float) float64 {
	if x == nil {
		return math.NaN()
	}
	f, _ := x.Float64()
	return f
}
