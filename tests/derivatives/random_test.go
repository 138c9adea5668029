package derivatives

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/pass"
)

var (
	programs  = flag.Int("programs", 1000, "how many random programs are differentiated")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// The derivatives of random programs by differentiate are those by differences.
func TestRandom(t *testing.T) {
	t.Parallel()
	n, count := *programs, map[outcome]int{}
	for i := range uint64(n) {
		count[same(t, *firstSeed+i)]++
	}
	t.Logf("%d agree, %d have no derivative where they were asked for one, %d no way back", count[agrees], count[edge], count[refused])
	if count[edge] > n/20 || count[refused] > n/10 {
		t.Errorf("of %d programs %d have no derivative where they were asked for one, and %d no way back", n, count[edge], count[refused])
	}
}

// outcome is what became of the comparison of a program.
type outcome uint8

const (
	agrees  outcome = iota
	edge            // it has no derivative at any of a few points
	refused         // it has no way back: only forward mode is compared
)

// point is where a program is asked.
type point struct {
	x     [numbers]float64
	a     [arrays][elements]float64
	n     int64
	alias bool // both arrays are the first one
}

// arrays is how many there are.
func (p *point) arrays() int {
	if p.alias {
		return 1
	}
	return arrays
}

// coordinates is how many numbers there are that one may derive by.
func (p *point) coordinates() int { return numbers + p.arrays()*elements }

// same compares one program at one of a few points where it has a derivative.
func same(t *testing.T, seed uint64) outcome {
	src := random(seed)
	g := parsed(t, src)
	m := machine(t, g)
	options := "of=f wrt=0,1,2,3,4"
	if c := seed / 2 % 4; c > 0 {
		options += fmt.Sprintf(" checkpoint=%d", c)
	}
	d, err := through(g, "differentiate{"+options+"}")
	if err != nil && !strings.Contains(err.Error(), "of its type cannot be recorded") {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	var dm *interp.Machine
	if err == nil {
		dm = machine(t, d)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	for range 3 {
		p := somewhere(r)
		p.alias = seed%2 == 0 && !strings.Contains(src, "llvm.noalias")
		s := seeds(r)
		want, smooth := differences(t, m, p, s)
		if !smooth {
			continue
		}
		if err != nil {
			onwards(t, seed, g, p, s, want, 1e-5)
			return refused
		}
		got := gradient(t, dm, p, s)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-5*(1+math.Abs(want[i])) {
				t.Fatalf("seed %d: derivative %d is %v, by differences %v\n%s\n%s", seed, i, got[i], want[i], src, text.String(d, text.PrintOptions{}))
			}
		}
		onwards(t, seed, g, p, s, got, 1e-12)
		if seed%10 == 0 {
			twice(t, seed, d, p, s)
		}
		return agrees
	}
	return edge
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
		if i > 0 && p.alias {
			v, data = args[numbers], nil
		}
		args, memory[i] = append(args, v), data
	}
	return append(args, ir.IntVal(p.n, 64)), memory
}

// shadows are arguments for the tangents or adjoints of the arrays, and what they hold.
func (p *point) shadows(of func(i int) [elements]float64) (args []ir.Val, memory [arrays][]float64) {
	for i := range arrays {
		if i > 0 && p.alias {
			args = append(args, args[0])
			continue
		}
		v, data := array(of(i))
		args, memory[i] = append(args, v), data
	}
	return args, memory
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

// differences are the derivatives by central differences, and whether they are the same with a step ten times as long.
func differences(t *testing.T, m *interp.Machine, p point, s [1 + arrays*elements]float64) (d []float64, smooth bool) {
	by := func(i int, h float64) float64 {
		q := p
		*q.coordinate(i) += h
		high := at(t, m, q, s)
		*q.coordinate(i) -= 2 * h
		return (high - at(t, m, q, s)) / (2 * h)
	}
	for i := range p.coordinates() {
		a, b := by(i, 1e-5), by(i, 1e-4)
		if math.Abs(a-b) > 1e-5*(1+math.Abs(a)) {
			return nil, false
		}
		d = append(d, (100*a-b)/99)
	}
	return d, true
}

// gradient is what the new function gives.
func gradient(t *testing.T, m *interp.Machine, p point, s [1 + arrays*elements]float64) (d []float64) {
	args, _ := p.args()
	args = append(args, ir.F64Val(s[0]))
	more, shadows := p.shadows(func(i int) [elements]float64 { return [elements]float64(s[1+i*elements:][:elements]) })
	args = append(args, more...)
	out, err := m.Call("f_grad", args)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range out[1:] {
		d = append(d, x.F64())
	}
	for i := range p.arrays() {
		d = append(d, shadows[i]...)
	}
	return d
}

// onwards compares forward mode in a direction with what reverse mode gave.
func onwards(t *testing.T, seed uint64, g *ir.Graph, p point, s [1 + arrays*elements]float64, gradient []float64, within float64) {
	d, err := through(g, "differentiate{of=f wrt=0,1,2,3,4 mode=forward}")
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text.String(g, text.PrintOptions{}))
	}
	r := rand.New(rand.NewPCG(seed, 3))
	args, _ := p.args()
	want, size := 0.0, 1.0
	weigh := func(i int) float64 {
		x := r.Float64()*2 - 1
		want += x * gradient[i]
		size += math.Abs(x * gradient[i])
		return x
	}
	for i := range numbers {
		args = append(args, ir.F64Val(weigh(i)))
	}
	more, shadows := p.shadows(func(i int) (x [elements]float64) {
		for k := range x {
			x[k] = weigh(numbers + i*elements + k)
		}
		return x
	})
	args = append(args, more...)
	out, err := machine(t, d).Call("f_jvp", args)
	if err != nil {
		t.Fatal(err)
	}
	got := s[0] * out[1].F64()
	for i := range shadows {
		for k, x := range shadows[i] {
			got += s[1+i*elements+k] * x
		}
	}
	if size < 1e10 && math.Abs(got-want) > within*size { // else rounding is as large, next to a root of 0
		t.Fatalf("seed %d: forward %v, in reverse %v\n%s\n%s", seed, got, want, text.String(g, text.PrintOptions{}), text.String(d, text.PrintOptions{}))
	}
}

// tangents lists the arguments that the last arguments of a function are tangents of.
func tangents(g *ir.Graph, name string) (of []int) {
	c := g.Ctx
	for n := range g.All() {
		if c.AttrInfo(n.Attr("sym_name")).Str != name {
			continue
		}
		for _, a := range c.AttrInfo(n.Attr("arg_attrs")).List {
			if k := c.Get(a, differentiate.Tangent); k != 0 {
				of = append(of, int(c.AttrInfo(k).Int))
			}
		}
	}
	return of
}

// twice compares the gradient's tangent in a direction, forward over reverse, with differences of gradients: a product of
// the Hessian and a vector.
func twice(t *testing.T, seed uint64, d *ir.Graph, p point, s [1 + arrays*elements]float64) {
	h, err := through(d, "differentiate{of=f_grad wrt=0,1,2,3,4 mode=forward}")
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text.String(d, text.PrintOptions{}))
	}
	r := rand.New(rand.NewPCG(seed, 4))
	var by point
	for i := range p.coordinates() {
		*by.coordinate(i) = r.Float64()*2 - 1
	}
	gm := machine(t, d)
	moved := func(h float64) []float64 {
		q := p
		for i := range p.coordinates() {
			*q.coordinate(i) += h * *by.coordinate(i)
		}
		return gradient(t, gm, q, s)
	}
	args, _ := p.args()
	args = append(args, ir.F64Val(s[0]))
	seeds, _ := p.shadows(func(i int) [elements]float64 { return [elements]float64(s[1+i*elements:][:elements]) })
	moves, _ := p.shadows(func(i int) [elements]float64 { return by.a[i] })
	outs, shadows := p.shadows(func(int) (zeros [elements]float64) { return zeros })
	args = append(args, seeds...)
	for _, k := range tangents(h, "f_grad_jvp") {
		switch k -= numbers; {
		case k < 0:
			args = append(args, ir.F64Val(by.x[numbers+k]))
		case k < arrays:
			args = append(args, moves[k])
		default: // behind the number of rounds and the adjoint of the result
			args = append(args, outs[k-arrays-2])
		}
	}
	var got []float64
	out, err := machine(t, h).Call("f_grad_jvp", args)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range out[len(out)-numbers:] {
		got = append(got, x.F64())
	}
	for i := range p.arrays() {
		got = append(got, shadows[i]...)
	}
	a, b, c, e := moved(1e-5), moved(-1e-5), moved(1e-4), moved(-1e-4)
	for i := range got {
		near, far := (a[i]-b[i])/2e-5, (c[i]-e[i])/2e-4
		if math.Abs(near-far) > 1e-5*(1+math.Abs(near)) || math.Abs(got[i]) > 1e6*(1+math.Abs(near)) {
			continue // a branch changes, or a number is next to a root's or logarithm's 0 and differences step over it
		}
		if want := (100*near - far) / 99; math.Abs(got[i]-want) > 1e-5*(1+math.Abs(want)) {
			t.Fatalf("seed %d: second derivative %d is %v, by differences %v\n%s\n%s", seed, i, got[i], want, text.String(d, text.PrintOptions{}), text.String(h, text.PrintOptions{}))
		}
	}
}
