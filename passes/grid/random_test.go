package grid_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var (
	kernelsN    = flag.Int("kernels", 12, "how many random programs of kernels are run")
	kernelsSeed = flag.Uint64("seed", 1, "the seed of the first one")
	kernelsMost = flag.Int64("extent", 40, "the largest extent")
)

// A program is one whose kernels are compared with what it means.
type program struct {
	rnd     *rand.Rand
	options string // of tensor-to-device
	params  []string
	shapes  [][]int64
	lines   []string
	gives   []string // the results
	types   []string
	within  float64 // how far results may be off, relative to the largest element; 0 is not at all
	kernels int     // launches that there must be
}

// extent is a random one: small, a multiple of 4 or 8, or as large as one may be.
func (p *program) extent() int64 {
	most := *kernelsMost
	return min(most, []int64{1 + p.rnd.Int64N(9), 1 + p.rnd.Int64N(most), 4 * (1 + p.rnd.Int64N((most+3)/4)), 8 * (1 + p.rnd.Int64N((most+7)/8)), most}[p.rnd.IntN(5)])
}

// arg adds a parameter of a shape, whose extents the type leaves open if asked to.
func (p *program) arg(elem string, open bool, shape ...int64) (name, typ string) {
	name = fmt.Sprintf("%%a%d", len(p.params))
	typ = tensorType(elem, open, shape...)
	p.params, p.shapes = append(p.params, name+": "+typ), append(p.shapes, shape)
	return name, typ
}

func tensorType(elem string, open bool, shape ...int64) string {
	var b strings.Builder
	for _, n := range shape {
		if open {
			b.WriteString("?x")
		} else {
			fmt.Fprintf(&b, "%dx", n)
		}
	}
	return "tensor<" + b.String() + elem + ">"
}

// op adds an op and returns its result.
func (p *program) op(format string, args ...any) string {
	name := fmt.Sprintf("%%r%d", len(p.lines))
	p.lines = append(p.lines, name+" = "+fmt.Sprintf(format, args...))
	return name
}

func (p *program) give(name, typ string) {
	p.gives, p.types = append(p.gives, name), append(p.types, typ)
}

func (p *program) text() string {
	results := strings.Join(p.types, ", ")
	return fmt.Sprintf("func.func @main(%s) -> (%s) {\n  %s\n  return %s : %s\n}\n", strings.Join(p.params, ", "), results, strings.Join(p.lines, "\n  "), strings.Join(p.gives, ", "), results)
}

// shapeOf are the extents of the indices of a term.
func shapeOf(term string, extents map[byte]int64) (out []int64) {
	for i := range len(term) {
		out = append(out, extents[term[i]])
	}
	return out
}

var productSpecs = []string{"ik,kj->ij", "ki,kj->ij", "ik,jk->ij", "ki,jk->ij", "ik,kj->ji", "bik,bkj->bij", "kbi,bjk->bij", "ibk,kjb->ibj"}

// product is an einsum of two tensors, with an epilogue or without, and another one of its result, which stays on the device.
func (p *program) product() {
	spec := productSpecs[p.rnd.IntN(len(productSpecs))]
	elem := []string{"f32", "f64", "f16", "bf16", "f32"}[p.rnd.IntN(5)]
	extents, open, to := map[byte]int64{'b': 1 + p.rnd.Int64N(2)}, p.rnd.IntN(4) == 0, elem
	for _, x := range []byte("ijk") {
		extents[x] = p.extent()
		if elem == "f16" || elem == "bf16" {
			extents[x] = (extents[x] + 7) / 8 * 8
		}
	}
	if p.options = ""; elem == "f32" && p.rnd.IntN(2) == 0 {
		p.options, open = "{tf32}", false
		for x, n := range extents {
			if x != 'b' {
				extents[x] = (n + 3) / 4 * 4
			}
		}
	}
	if elem == "f16" || elem == "bf16" {
		spec, to, open = productSpecs[p.rnd.IntN(7)], "f32", false // the last one has a batch where copies want elements side by side
	}
	if open && p.rnd.IntN(8) == 0 {
		extents['k'] = 0
	}
	in, out, _ := strings.Cut(spec, "->")
	x, y, _ := strings.Cut(in, ",")
	a, ta := p.arg(elem, open, shapeOf(x, extents)...)
	b, tb := p.arg(elem, open, shapeOf(y, extents)...)
	shape := shapeOf(out, extents)
	tc := tensorType(to, open, shape...)
	c := p.op("ten.einsum %q %s, %s : %s, %s -> %s", spec, a, b, ta, tb, tc)
	p.kernels = 1
	if p.rnd.IntN(3) > 0 {
		c = p.epilogue(c, to, open, shape)
	}
	p.give(c, tc)
	if to == elem && extents['k'] > 0 {
		d := p.op("ten.einsum \"%s,%s->%s\" %s, %s : %s, %s -> %s", out, y, x, c, b, tc, tb, ta)
		p.give(d, ta)
		p.kernels++
	}
}

// epilogue is a map of a tensor: scaled, with a bias by rows or columns or with a tensor added, and nothing below 0.
func (p *program) epilogue(x, elem string, open bool, shape []int64) string {
	t := tensorType(elem, open, shape...)
	params, body, last := []string{fmt.Sprintf("%%x = %s : %s", x, t)}, []string{}, "%x"
	step := func(format string, args ...any) {
		name := fmt.Sprintf("%%s%d", len(body))
		body = append(body, name+" = "+fmt.Sprintf(format, args...))
		last = name
	}
	if p.rnd.IntN(2) == 0 {
		two := p.op("arith.constant 2.0 : %s", elem)
		step("arith.mulf %s, %s : %s", last, two, elem)
	}
	for k, with := range [][]int64{shape[len(shape)-1:], shape, append(append([]int64{}, shape[:len(shape)-1]...), 1)} {
		if p.rnd.IntN(2) == 0 || k == 2 && open {
			continue
		}
		y, ty := p.arg(elem, open, with...)
		params = append(params, fmt.Sprintf("%%y%d = %s : %s", k, y, ty))
		step("arith.addf %s, %%y%d : %s", last, k, elem)
	}
	if p.rnd.IntN(2) == 0 || len(body) == 0 {
		zero := p.op("arith.constant 0.0 : %s", elem)
		step("arith.maximumf %s, %s : %s", last, zero, elem)
	}
	return p.op("ten.map (%s) -> %s {\n    %s\n    ten.yield %s : %s\n  }", strings.Join(params, ", "), t, strings.Join(body, "\n    "), last, elem)
}

// pointwise is a map of a kernel of its own.
func (p *program) pointwise() {
	shape, elem, open := []int64{}, []string{"f32", "f64", "f16"}[p.rnd.IntN(3)], p.rnd.IntN(3) == 0
	for range 1 + p.rnd.IntN(3) {
		shape = append(shape, 1+p.rnd.Int64N(12))
	}
	if p.rnd.IntN(2) == 0 {
		shape[len(shape)-1] = 4 * (1 + p.rnd.Int64N(8))
	}
	x, t := p.arg(elem, open, shape...)
	p.give(p.epilogue(x, elem, open, shape), t)
	p.kernels = 1
}

// dot is a product of a matrix by a vector, perhaps several.
func (p *program) dot() {
	spec := []string{"ik,k->i", "ki,k->i", "bik,bk->bi", "bki,kb->ib", "k,ik->i", "ik,ik->i"}[p.rnd.IntN(6)]
	extents, elem, open := map[byte]int64{'b': 1 + p.rnd.Int64N(3), 'i': p.extent(), 'k': p.extent()}, []string{"f32", "f64"}[p.rnd.IntN(2)], p.rnd.IntN(2) == 0
	in, out, _ := strings.Cut(spec, "->")
	x, y, _ := strings.Cut(in, ",")
	a, ta := p.arg(elem, open, shapeOf(x, extents)...)
	b, tb := p.arg(elem, open, shapeOf(y, extents)...)
	tc := tensorType(elem, open, shapeOf(out, extents)...)
	p.give(p.op("ten.einsum %q %s, %s : %s, %s -> %s", spec, a, b, ta, tb, tc), tc)
	p.kernels = 1
}

// rows are ops along rows.
func (p *program) rows() {
	elem, open := []string{"f32", "f64"}[p.rnd.IntN(2)], p.rnd.IntN(2) == 0
	shape := []int64{1 + p.rnd.Int64N(4), 1 + p.rnd.Int64N(10), p.extent()}[p.rnd.IntN(2):]
	last := int64(len(shape) - 1)
	x, t := p.arg(elem, open, shape...)
	p.kernels = 1
	switch p.rnd.IntN(3) {
	case 0:
		p.give(p.op("ten.softmax %s along %d : %s", x, last, t), t)
	case 1:
		s, ts := p.arg(elem, open, shape[last])
		b, _ := p.arg(elem, open, shape[last])
		p.give(p.op("ten.layer_norm %s scale %s bias %s epsilon 1.0e-5 : f64 : %s, %s, %s", x, s, b, t, ts, ts), t)
	default:
		r := tensorType(elem, open, shape[:last]...)
		p.give(p.op("ten.reduce %s %s along [%d] : %s", []string{"add", "min", "max"}[p.rnd.IntN(3)], x, last, t), r)
		return
	}
	p.within = 1e-4
}

// small are small whole numbers, of which all sums are exact.
func small(seed uint64) func() func() float64 {
	return func() func() float64 {
		rnd := rand.New(rand.NewPCG(seed, 3))
		return func() float64 { return float64(rnd.IntN(7) - 3) }
	}
}

// results runs a program on tensors of the given shapes and lists the elements of its results.
func results(g *ir.Graph, o interp.Options, shapes [][]int64, numbers func() func() float64) ([][]float64, error) {
	p, err := run.Interpret(g, o)
	if err != nil {
		return nil, err
	}
	in, types, err := p.Signature("main")
	if err != nil {
		return nil, err
	}
	next := numbers()
	var args []ir.Val
	for i, s := range shapes {
		n := int64(1)
		for _, x := range s {
			n *= x
		}
		elems := make(ir.Vector, n)
		for k := range elems {
			elems[k] = ir.FloatVal(next(), g.Ctx.Info(in[i]).Elem)
		}
		args = append(args, g.Ctx.TensorVal(in[i], s, elems))
	}
	got, _, err := p.Call(context.Background(), "main", args)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(got))
	for i, v := range got {
		_, elems, _ := g.Ctx.TensorOf(types[i], v)
		for _, x := range elems {
			out[i] = append(out[i], x.Float(g.Ctx.Info(types[i]).Elem))
		}
	}
	return out, nil
}

// tensorsOnDevice compares what kernels give with what the ops mean.
func tensorsOnDevice(t *testing.T, g, low *ir.Graph, shapes [][]int64, numbers func() func() float64, within float64) (simt.Counts, transfers.Counts) {
	t.Helper()
	want, err := results(g, interp.Options{}, shapes, numbers)
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String(g, text.PrintOptions{}))
	}
	return onDevice(func(o interp.Options) {
		t.Helper()
		got, err := results(low, o, shapes, numbers)
		if err != nil || !isNear(got, want, within) {
			t.Fatalf("%v\n%s\ngot  %v\nwant %v", err, text.String(g, text.PrintOptions{}), got, want)
		}
	})
}

// isNear compares results; within is relative to the magnitude of an element and 1.
func isNear(got, want [][]float64, within float64) bool {
	for i := range want {
		if len(got) != len(want) || len(got[i]) != len(want[i]) {
			return false
		}
		for k, x := range want[i] {
			if y := got[i][k]; y != x && !(math.Abs(y-x) <= within*(1+math.Abs(x))) && (y == y || x == x) {
				return false
			}
		}
	}
	return true
}

// Kernels of random programs give what the ops mean, on a device where races, accesses out of bounds and reads of what nobody wrote
// are errors; and what moves is what must.
func TestRandomKernels(t *testing.T) {
	forms := []func(p *program){(*program).product, (*program).product, (*program).product, (*program).pointwise, (*program).dot, (*program).rows}
	launches := 0
	if testing.Short() {
		*kernelsN = min(*kernelsN, 8)
	}
	for i := range uint64(*kernelsN) {
		seed := *kernelsSeed + i
		p := &program{rnd: rand.New(rand.NewPCG(seed, 7))}
		forms[seed%uint64(len(forms))](p)
		g := parse(t, p.text())
		kernels, n := tensorsOnDevice(t, g, built.Through(t, g, "tensor-to-device"+p.options), p.shapes, small(seed), p.within)
		if n.Launches != p.kernels || n.In.Needless+n.Out.Needless > 0 {
			t.Errorf("seed %d: %s; wants %d launches\n%s", seed, n, p.kernels, p.text())
		}
		launches += kernels.Launches
	}
	t.Logf("%d programs equal what they mean, with %d launches of kernels", *kernelsN, launches)
}
