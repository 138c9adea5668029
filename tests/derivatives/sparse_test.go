package derivatives

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/passes/differentiate/sparse"
)

// sparseCase is a program, and how many runs its derivatives by argument 0 take at a size.
type sparseCase struct {
	name             string
	src              string
	n                int // elements of argument 0
	out              int // the argument that is written
	indices          []int64
	entries          int
	forward, reverse int
}

// loop is a nest of loops that stores into %%y what its body computes.
func loop(args, body string) string {
	return "func.func @f(" + args + ") {\n" + body + "  return\n}\n"
}

const stencil = `
  affine.for %i = 1 to 19 {
    %a = affine.load %x[%i - 1] : memref<20xf64>
    %b = affine.load %x[%i] : memref<20xf64>
    %c = affine.load %x[%i + 1] : memref<20xf64>
    %p = arith.mulf %a, %c : f64
    %s = math.sin %b : f64
    %q = arith.addf %p, %s : f64
    affine.store %q, %y[%i] : memref<20xf64>
  }
`

var sparseCases = []sparseCase{
	{name: "tridiagonal", n: 20, out: 1, entries: 54, forward: 3,
		src: loop("%x: memref<20xf64>, %y: memref<20xf64>", stencil)},
	{name: "tridiagonal twice", n: 20, out: 1, entries: 86, forward: 5,
		src: loop("%x: memref<20xf64>, %y: memref<20xf64>", stencil+`
  %t = memref.alloc() : memref<20xf64>
  memref.copy %y, %t : memref<20xf64> to memref<20xf64>
`+strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(stencil, "1 to 19", "2 to 18"), "%x[", "%t["), "%i = 2", "%i = 2"))},
	{name: "five points", n: 36, out: 1, entries: 80, forward: 5,
		src: loop("%x: memref<6x6xf64>, %y: memref<6x6xf64>", `
  affine.for %i = 1 to 5 {
    affine.for %j = 1 to 5 {
      %a = affine.load %x[%i - 1, %j] : memref<6x6xf64>
      %b = affine.load %x[%i + 1, %j] : memref<6x6xf64>
      %c = affine.load %x[%i, %j - 1] : memref<6x6xf64>
      %d = affine.load %x[%i, %j + 1] : memref<6x6xf64>
      %e = affine.load %x[%i, %j] : memref<6x6xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.mulf %c, %d : f64
      %r = arith.addf %p, %q : f64
      %s = arith.mulf %r, %e : f64
      affine.store %s, %y[%i, %j] : memref<6x6xf64>
    }
  }
`)},
	{name: "arrow", n: 20, out: 1, entries: 20 + 19*2, forward: 2, reverse: 1,
		src: loop("%x: memref<20xf64>, %y: memref<20xf64>", `
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 20 iter_args(%s = %zero) -> (f64) {
    %v = affine.load %x[%i] : memref<20xf64>
    %w = arith.mulf %v, %v : f64
    %t = arith.addf %s, %w : f64
    affine.yield %t : f64
  }
  affine.store %sum, %y[0] : memref<20xf64>
  %h = affine.load %x[0] : memref<20xf64>
  affine.for %i = 1 to 20 {
    %v = affine.load %x[%i] : memref<20xf64>
    %w = arith.mulf %v, %h : f64
    affine.store %w, %y[%i] : memref<20xf64>
  }
`)},
	// Each of eight observations is of one of three cameras and one of five points, by arrays of numbers of these.
	{name: "bundle adjustment", n: 11, out: 1, indices: []int64{0, 3, 0, 4, 1, 3, 1, 5, 2, 6, 2, 7, 0, 7, 1, 4}, entries: 24, forward: 3,
		src: loop("%x: memref<11xf64>, %y: memref<8xf64>, %of: memref<8x2xindex>", `
  affine.for %i = 0 to 8 {
    %c = affine.load %of[%i, 0] : memref<8x2xindex>
    %p = affine.load %of[%i, 1] : memref<8x2xindex>
    %three = arith.constant 3 : index
    %q = arith.addi %p, %three : index
    %a = memref.load %x[%c] : memref<11xf64>
    %b = memref.load %x[%p] : memref<11xf64>
    %d = memref.load %x[%q] : memref<11xf64>
    %e = arith.mulf %a, %b : f64
    %f = arith.subf %e, %d : f64
    %s = math.exp %f : f64
    affine.store %s, %y[%i] : memref<8xf64>
  }
`)},
	{name: "in its place", n: 20, out: 0, entries: 1 + 20*21/2 - 1, forward: 20,
		src: loop("%x: memref<20xf64>", `
  affine.for %i = 1 to 20 {
    %a = affine.load %x[%i - 1] : memref<20xf64>
    %b = affine.load %x[%i] : memref<20xf64>
    %c = arith.mulf %a, %b : f64
    affine.store %c, %x[%i] : memref<20xf64>
  }
`)},
	// A float decides what is taken, and how often: the pattern has both.
	{name: "branches", n: 4, out: 1, entries: 8, forward: 2,
		src: loop("%x: memref<4xf64>, %y: memref<4xf64>", `
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf64>
    %w = affine.load %x[(%i + 1) mod 4] : memref<4xf64>
    %is = arith.cmpf olt, %v, %zero : f64
    %r = scf.if %is -> (f64) {
      %p = arith.mulf %v, %v : f64
      scf.yield %p : f64
    } else {
      %p = arith.mulf %w, %w : f64
      scf.yield %p : f64
    }
    affine.store %r, %y[%i] : memref<4xf64>
  }
`)},
}

// inLoops is a program in loops and single accesses.
func inLoops(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, err := through(parsed(t, src), "lower{to=affine},lower-affine,lower{to=scf}")
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

// places of the arguments of a case.
func (x *sparseCase) places() (of, by sparse.Place) { return sparse.Place{N: x.out}, sparse.Place{} }

// args are arguments of a case.
func (x *sparseCase) args(c *ir.Context, r *rand.Rand) (args []ir.Val) {
	memory := func(elem ir.Type, sizes []int64, of func(i int) ir.Val) {
		m := memoryOf(c, elem, sizes)
		for i := range m.Buf.Len() {
			m.Buf.Store(i, of(i))
		}
		args = append(args, m.Val())
	}
	sizes := []int64{int64(x.n)}
	if x.n == 36 { // of a grid
		sizes = []int64{6, 6}
	}
	number := func(int) ir.Val { return ir.F64Val(r.Float64() + 0.5) }
	memory(ir.F64, sizes, number)
	if x.out == 1 {
		if x.indices != nil {
			sizes = []int64{8}
		}
		memory(ir.F64, sizes, number)
	}
	if x.indices != nil {
		memory(ir.Index, []int64{8, 2}, func(i int) ir.Val { return ir.IntVal(x.indices[i], 64) })
	}
	return args
}

// memoryOf is memory in the order of its indices.
func memoryOf(c *ir.Context, elem ir.Type, sizes []int64) *interp.MemRef {
	strides, n := make([]int64, len(sizes)), int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		strides[i], n = n, n*sizes[i]
	}
	return &interp.MemRef{Buf: interp.NewBuffer(c, elem, int(n), false), Sizes: sizes, Strides: strides}
}

// The Jacobians of known patterns take as few runs as is known, and are what each column by itself is.
func TestSparse(t *testing.T) {
	t.Parallel()
	for _, x := range sparseCases {
		g := inLoops(t, x.src)
		of, by := x.places()
		args := x.args(g.Ctx, rand.New(rand.NewPCG(1, 2)))
		plan := compareSparse(t, x.name, g, args, of, by)
		if n := plan.Pattern.Entries(); n != x.entries || plan.Colours != x.forward || len(plan.Dense) != x.reverse {
			t.Errorf("%s: %d entries, %d runs forward and %d in reverse; wanted %d, %d and %d", x.name, n, plan.Colours, len(plan.Dense), x.entries, x.forward, x.reverse)
		}
	}
}

// compareSparse compares a compressed Jacobian with its columns one by one.
func compareSparse(t *testing.T, name string, g *ir.Graph, args []ir.Val, of, by sparse.Place) *sparse.Plan {
	t.Helper()
	pattern, err := sparse.PatternOf(g, "f", args, of, by, interp.Options{Fuel: 1e6})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	plan := sparse.Compress(pattern, true)
	x := &sparse.Call{Function: "f", By: by}
	if g, err = through(g, sparse.Forward(x)+","+sparse.Reverse(x)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	m := machine(t, g)
	call := func() *sparse.Call {
		return &sparse.Call{Module: g, Function: "f", Args: copies(g.Ctx, args), Of: of, By: by, Run: m.Call}
	}
	got, err := call().Jacobian(plan)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, err := call().Jacobian(wholly(pattern))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	compareEntries(t, name, pattern, got, want)
	return plan
}

// argsAt are the arguments of a random program at a point.
func argsAt(p point) (args []ir.Val) {
	for _, x := range p.x {
		args = append(args, ir.F64Val(x))
	}
	for i := range p.a {
		buf := interp.Floats(append([]float64(nil), p.a[i][:]...))
		args = append(args, (&interp.MemRef{Buf: buf, Sizes: []int64{elements}, Strides: []int64{1}}).Val())
	}
	return append(args, ir.IntVal(p.n, 64), ir.F64Val(0.5))
}

// copies of arguments.
func copies(c *ir.Context, args []ir.Val) []ir.Val {
	out := append([]ir.Val(nil), args...)
	for i, a := range out {
		if r, ok := a.Ref.(*interp.MemRef); ok {
			b := &interp.MemRef{Buf: interp.NewBuffer(c, r.Buf.Elem, r.Buf.Len(), false), Offset: r.Offset, Sizes: r.Sizes, Strides: r.Strides}
			for k := range r.Buf.Len() {
				b.Buf.Store(k, r.Buf.Load(k))
			}
			out[i] = b.Val()
		}
	}
	return out
}

// wholly has each column in a run of its own.
func wholly(p *sparse.Pattern) *sparse.Plan {
	full := &sparse.Pattern{Columns: p.Columns, Rows: make([][]int32, len(p.Rows))}
	out := &sparse.Plan{Pattern: full, Colours: p.Columns}
	for j := range p.Columns {
		out.Colour = append(out.Colour, j)
		for i := range full.Rows {
			full.Rows[i] = append(full.Rows[i], int32(j))
		}
	}
	return out
}

// compareEntries compares entries with a whole matrix, which is 0 elsewhere.
func compareEntries(t *testing.T, name string, p *sparse.Pattern, got, want []float64) {
	t.Helper()
	for i, r := range p.Rows {
		row, k := want[i*p.Columns:][:p.Columns], 0
		for j, w := range row {
			x := 0.0
			if k < len(r) && int(r[k]) == j {
				x, got, k = got[0], got[1:], k+1
			}
			if math.Abs(x-w) > 1e-12*(1+math.Abs(w)) && !(math.IsNaN(x) && math.IsNaN(w)) {
				t.Fatalf("%s: the derivative of %d by %d is %v, in a run of its own %v", name, i, j, x, w)
			}
		}
	}
}

// The pattern of a random program has all derivatives that are not 0, of each array and number by each, and its Jacobian is
// that of runs of their own.
func TestSparseRandom(t *testing.T) {
	t.Parallel()
	entries, all := 0, 0
	for seed := range uint64(max(20, *programs/10)) {
		if callsItself(*firstSeed + seed) {
			continue // of which no pattern is known
		}
		g := parsed(t, random(*firstSeed+seed))
		r := rand.New(rand.NewPCG(seed, 4))
		p := somewhere(r)
		args := argsAt(p)
		of := sparse.Place{N: numbers + r.IntN(arrays)}
		if r.IntN(4) == 0 {
			of = sparse.Place{Result: true}
		}
		by := sparse.Place{N: numbers + r.IntN(arrays)}
		if r.IntN(4) == 0 {
			by.N = r.IntN(numbers)
		}
		pattern, err := sparse.PatternOf(g, "f", args, of, by, interp.Options{Fuel: 1e6})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		plan := sparse.Compress(pattern, false)
		d, err := through(g, sparse.Forward(&sparse.Call{Function: "f", By: by}))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		m := machine(t, d)
		call := func() *sparse.Call {
			return &sparse.Call{Module: d, Function: "f", Args: copies(g.Ctx, args), Of: of, By: by, Run: m.Call}
		}
		got, err := call().Jacobian(plan)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, err := call().Jacobian(wholly(pattern))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		compareEntries(t, fmt.Sprintf("seed %d", seed), pattern, got, want)
		entries, all = entries+pattern.Entries(), all+pattern.Columns*len(pattern.Rows)
	}
	t.Logf("%d of %d entries may be other than 0", entries, all)
	if entries > all*9/10 {
		t.Errorf("patterns of random programs have %d of %d entries", entries, all)
	}
}

// sums are functions of one array that give a number, and how many products with vectors their Hessians take.
var sums = []struct {
	name, body       string
	entries, colours int
}{
	{"chain", `
    %v = affine.load %x[%i] : memref<20xf64>
    %w = affine.load %x[%i + 1] : memref<20xf64>
    %p = arith.mulf %v, %v : f64
    %q = arith.subf %w, %p : f64
    %e = arith.mulf %q, %q : f64`, 20 + 2*19, 3},
	{"arrow", `
    %v = affine.load %x[%i + 1] : memref<20xf64>
    %w = affine.load %x[0] : memref<20xf64>
    %p = arith.mulf %v, %w : f64
    %e = math.sin %p : f64`, 20 + 2*19, 2},
	{"diagonal", `
    %v = affine.load %x[%i] : memref<20xf64>
    %e = math.exp %v : f64`, 19, 1},
	{"linear", `
    %e = affine.load %x[%i] : memref<20xf64>`, 0, 0},
}

// Hessians of known patterns take as few products as is known, and are what each column by itself is.
func TestSparseHessian(t *testing.T) {
	t.Parallel()
	for _, x := range sums {
		g := inLoops(t, `func.func @f(%x: memref<20xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 19 iter_args(%s = %zero) -> (f64) {`+x.body+`
    %t = arith.addf %s, %e : f64
    affine.yield %t : f64
  }
  return %sum : f64
}
`)
		args := (&sparseCase{n: 20}).args(g.Ctx, rand.New(rand.NewPCG(1, 2)))
		p := compareHessian(t, x.name, g, args, sparse.Place{Result: true}, sparse.Place{})
		if n := p.Pattern.Entries(); n != x.entries || p.Colours != x.colours {
			t.Errorf("%s: %d entries and %d products, wanted %d and %d", x.name, n, p.Colours, x.entries, x.colours)
		}
	}
}

// The same of random programs.
func TestSparseHessianRandom(t *testing.T) {
	t.Parallel()
	entries, all := 0, 0
	for seed := range uint64(max(20, *programs/20)) {
		if callsItself(*firstSeed + seed) {
			continue // of which no pattern is known
		}
		g := parsed(t, random(*firstSeed+seed))
		r := rand.New(rand.NewPCG(seed, 7))
		p := somewhere(r)
		args := argsAt(p)
		of := []sparse.Place{{Result: true}, {N: numbers}, {N: numbers + 1}}[r.IntN(3)]
		if plan := compareHessian(t, fmt.Sprintf("seed %d", seed), g, args, of, sparse.Place{N: numbers + r.IntN(arrays)}); plan != nil {
			entries, all = entries+plan.Pattern.Entries(), all+elements*elements
		}
	}
	t.Logf("%d of %d entries may be other than 0", entries, all)
}

// compareHessian compares a compressed Hessian with its columns one by one. It is nil for a program without a way back.
func compareHessian(t *testing.T, name string, g *ir.Graph, args []ir.Val, of, by sparse.Place) *sparse.StarPlan {
	t.Helper()
	c := &sparse.Call{Function: "f", Args: args, Of: of, By: by}
	var err error
	if c.Module, err = through(g, sparse.Reverse(c)); err != nil {
		if strings.Contains(err.Error(), "of its type cannot be recorded") {
			return nil
		}
		t.Fatalf("%s: %v", name, err)
	}
	d := c.Gradient()
	pattern, err := d.Pattern(interp.Options{Fuel: 1e6})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	plan := sparse.Star(pattern.Symmetric())
	if d.Module, err = through(c.Module, sparse.Forward(d)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	d.Run = machine(t, d.Module).Call
	whole := *d
	whole.Args = copies(g.Ctx, d.Args)
	got, err := d.Hessian(plan)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, err := whole.Jacobian(wholly(pattern))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	compareEntries(t, name, plan.Pattern, got, want)
	return plan
}
