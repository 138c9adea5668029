package derivatives

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

// The derivatives of random programs by differentiate are those by differences.
func TestRandom(t *testing.T) {
	const n = 1000
	t.Parallel()
	drawn := 0
	for seed := range uint64(n) {
		if !same(t, seed) {
			drawn++
		}
	}
	if drawn > n/20 {
		t.Errorf("%d of %d programs have no derivative where they were asked for one", drawn, n)
	}
}

// point is where a program is asked.
type point struct {
	x [numbers]float64
	a [arrays][elements]float64
	n int64
}

// same compares one program, and reports whether it has a derivative at one of a few points.
func same(t *testing.T, seed uint64) bool {
	src := random(seed)
	g := parsed(t, src)
	m := machine(t, g)
	d, err := through(g, fmt.Sprintf("differentiate{of=f wrt=%s}", "0,1,2,3,4"))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	dm := machine(t, d)
	r := rand.New(rand.NewPCG(seed, 2))
	for range 3 {
		p := somewhere(r)
		s := seeds(r)
		want, smooth := differences(t, m, p, s)
		if !smooth {
			continue
		}
		got := gradient(t, dm, p, s)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-5*(1+math.Abs(want[i])) {
				t.Fatalf("seed %d: derivative %d is %v, by differences %v\n%s\n%s", seed, i, got[i], want[i], src, text.String(d, text.PrintOptions{}))
			}
		}
		return true
	}
	return false
}

func parsed(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("p.mlir", "module {\n"+src+"}\n"), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

func through(g *ir.Graph, pipeline string) (*ir.Graph, error) {
	p, err := pass.Parse(pipeline, passes.All())
	if err != nil {
		return nil, err
	}
	m := &pass.Manager{VerifyEach: true}
	return m.Run(context.Background(), g, p)
}

func machine(t *testing.T, g *ir.Graph) *interp.Machine {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func somewhere(r *rand.Rand) (p point) {
	for i := range p.x {
		p.x[i] = r.Float64()*3 - 1.5
	}
	for i := range p.a {
		for k := range p.a[i] {
			p.a[i][k] = r.Float64()*3 - 1.5
		}
	}
	p.n = r.Int64N(elements + 1)
	return p
}

// seeds are the adjoints of the result, and of what the arrays hold at the end.
func seeds(r *rand.Rand) (s [1 + arrays*elements]float64) {
	for i := range s {
		s[i] = r.Float64()*2 - 1
	}
	return s
}

// coordinate of a point.
func (p *point) coordinate(i int) *float64 {
	if i < numbers {
		return &p.x[i]
	}
	return &p.a[(i-numbers)/elements][(i-numbers)%elements]
}

func (p point) args() (args []ir.Val, memory [arrays][]float64) {
	for _, x := range p.x {
		args = append(args, ir.F64Val(x))
	}
	for i := range p.a {
		v, data := array(p.a[i])
		args, memory[i] = append(args, v), data
	}
	return append(args, ir.IntVal(p.n, 64)), memory
}

func array(x [elements]float64) (ir.Val, []float64) {
	buf := interp.Floats(append([]float64(nil), x[:]...))
	return (&interp.MemRef{Buf: buf, Sizes: []int64{elements}, Strides: []int64{1}}).Val(), buf.Floats()
}

// at is the number whose derivatives are asked for: result and arrays at the end, weighed.
func at(t *testing.T, m *interp.Machine, p point, s [1 + arrays*elements]float64) float64 {
	args, memory := p.args()
	out, err := m.Call("f", args)
	if err != nil {
		t.Fatal(err)
	}
	sum := s[0] * out[0].F64()
	for i := range memory {
		for k, x := range memory[i] {
			sum += s[1+i*elements+k] * x
		}
	}
	return sum
}

// differences are the derivatives by central differences, and whether they are the same with half of the step.
func differences(t *testing.T, m *interp.Machine, p point, s [1 + arrays*elements]float64) (d []float64, smooth bool) {
	by := func(i int, h float64) float64 {
		q := p
		*q.coordinate(i) += h
		high := at(t, m, q, s)
		*q.coordinate(i) -= 2 * h
		return (high - at(t, m, q, s)) / (2 * h)
	}
	for i := range numbers + arrays*elements {
		a, b := by(i, 1e-4), by(i, 2e-4)
		if math.Abs(a-b) > 1e-5*(1+math.Abs(a)) {
			return nil, false
		}
		d = append(d, (4*a-b)/3)
	}
	return d, true
}

// gradient is what the new function gives.
func gradient(t *testing.T, m *interp.Machine, p point, s [1 + arrays*elements]float64) (d []float64) {
	args, _ := p.args()
	args = append(args, ir.F64Val(s[0]))
	var shadows [arrays][]float64
	for i := range shadows {
		v, data := array([elements]float64(s[1+i*elements:][:elements]))
		args, shadows[i] = append(args, v), data
	}
	out, err := m.Call("f_grad", args)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range out[1:] {
		d = append(d, x.F64())
	}
	for i := range shadows {
		d = append(d, shadows[i]...)
	}
	return d
}
