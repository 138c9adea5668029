package stage_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/tools/stage"
)

var tensorPrograms = flag.Int("tensorprograms", 150, "random staged programs of tensors")

// A tnode is a statement or an expression of a random program of tensors. Extents are numbers, or n and m, which are open.
type tnode struct {
	id    int
	op    string
	shape []string
	n     int
	dims  []int
	args  []*tnode
}

func (n *tnode) String() string {
	parts := []string{fmt.Sprint(n.op, n.shape, n.n, n.dims)}
	for _, a := range n.args {
		parts = append(parts, a.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// twriter makes random programs, of variables with these extents.
type twriter struct {
	*rand.Rand
	nodes, loops int
	floats       bool
	vars         [4][]string
}

func (w *twriter) node(n tnode) *tnode {
	w.nodes++
	n.id = w.nodes
	return &n
}

func (w *twriter) extent() string { return []string{"n", "m", "2", "3", "1"}[w.IntN(5)] }

func (w *twriter) shape() (out []string) {
	for range w.IntN(4) {
		out = append(out, w.extent())
	}
	return out
}

// leaf is a variable of a shape, or a number throughout.
func (w *twriter) leaf(shape []string) *tnode {
	for _, v := range w.Perm(len(w.vars)) {
		if slices.Equal(w.vars[v], shape) {
			return w.node(tnode{op: "get", shape: shape, n: v})
		}
	}
	return w.node(tnode{op: "full", shape: shape, n: w.IntN(7) - 3})
}

// stretched is a shape that is stretched to another one.
func (w *twriter) stretched(shape []string) []string {
	out := slices.Clone(shape[w.IntN(len(shape)+1):])
	for d := range out {
		if w.IntN(3) == 0 {
			out[d] = "1"
		}
	}
	return out
}

func (w *twriter) expr(shape []string, deep int) *tnode {
	if deep == 0 || w.IntN(6) == 0 {
		return w.leaf(shape)
	}
	x := tnode{shape: shape, n: w.IntN(5) - 2}
	of := func(shapes ...[]string) *tnode {
		for _, s := range shapes {
			x.args = append(x.args, w.expr(s, deep-1))
		}
		return w.node(x)
	}
	switch k := w.IntN(12); {
	case k < 4:
		x.op = []string{"add", "sub", "mul", "max"}[k]
		if w.IntN(2) == 0 {
			return of(w.stretched(shape), shape)
		}
		return of(shape, w.stretched(shape))
	case k == 4 && w.floats:
		x.op = "relu"
	case k == 5 || k == 6:
		x.op, x.n = []string{"sum", "greatest"}[k-5], w.IntN(len(shape)+1)
		return of(slices.Insert(slices.Clone(shape), x.n, w.extent()))
	case k == 7 && len(shape) > 1:
		x.op, x.dims = "transpose", w.Perm(len(shape))
		from := make([]string, len(shape))
		for i, d := range x.dims {
			from[d] = shape[i]
		}
		return of(from)
	case k == 8:
		from := append(slices.Clone(shape), "1")
		w.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		x.op = "reshape"
		return of(from)
	case k == 9 && len(shape) > 0:
		c := w.extent()
		x.op, x.n = "product", w.IntN(len(shape)+1)
		return of(append(slices.Clone(shape[:x.n]), c), append([]string{c}, shape[x.n:]...))
	case k == 10:
		x.op = "call"
	default:
		x.op = "memory"
	}
	return of(shape)
}

func (w *twriter) block(deep int) *tnode {
	b := tnode{op: "block"}
	for range 1 + w.IntN(3) {
		b.args = append(b.args, w.statement(deep))
	}
	return w.node(b)
}

func (w *twriter) statement(deep int) *tnode {
	x := tnode{n: w.IntN(9) - 4, dims: []int{w.IntN(3)}}
	switch k := w.IntN(8); {
	case k < 2 && deep > 0:
		x.op, x.args = "if", []*tnode{w.block(deep - 1), w.block(deep - 1)}
	case k == 2 && deep > 0 && w.loops < 2:
		w.loops++
		x.op, x.n, x.args = "while", 1+w.IntN(3), []*tnode{w.block(deep - 1)}
	case k == 3 && w.IntN(3) == 0:
		x.op = "return"
	default:
		v := w.IntN(len(w.vars))
		x.op, x.n, x.args = "set", v, []*tnode{w.expr(w.vars[v], 3)}
	}
	return w.node(x)
}

// twalker stages a program, or runs it.
type twalker[T stage.Element] struct {
	s    *stage.S
	at   *stage.Static[int]
	n, m stage.Dyn[int]
	k    stage.Dyn[int]
	vars [4]stage.Tensor[T]
	call func(s *stage.S, x stage.Tensor[T]) stage.Tensor[T]
}

// sizes are extents for Full, Load and Reshape.
func (w *twalker[T]) sizes(shape []string) []any {
	return extentsOf(shape, any(w.n), any(w.m), func(k int) any { return k })
}

func (w *twalker[T]) expr(n *tnode) stage.Tensor[T] {
	var x, y stage.Tensor[T]
	if len(n.args) > 0 {
		x = w.expr(n.args[0])
	}
	if len(n.args) > 1 {
		y = w.expr(n.args[1])
	}
	w.at.Set(n.id)
	switch n.op {
	case "get":
		return w.vars[n.n].Get()
	case "full":
		return stage.Full[T](w.s, n.n, w.sizes(n.shape)...)
	case "add":
		return x.Add(y)
	case "sub":
		return x.Sub(y)
	case "mul":
		return x.Mul(y)
	case "max":
		return x.Max(y)
	case "relu":
		return x.Relu(float64(n.n))
	case "sum":
		return x.Sum(n.n)
	case "greatest":
		return x.Greatest(n.n)
	case "transpose":
		return x.Transpose(n.dims...)
	case "reshape":
		return x.Reshape(w.sizes(n.shape)...)
	case "product":
		letters, k := "abcdefg"[:len(n.shape)], n.n
		return x.Einsum(letters[:k]+"z,z"+letters[k:]+"->"+letters, y)
	case "call":
		return w.call(w.s, x)
	case "memory":
		size := stage.Lit(w.s, 1)
		for d := range stage.Range(w.s, len(n.shape)) {
			size = size.Mul(x.Dim(d))
		}
		mem := stage.Make[T](w.s, size)
		x.Store(mem)
		return stage.Load(mem, w.sizes(n.shape)...)
	}
	panic(n.op)
}

// cond is what a statement asks.
func (w *twalker[T]) cond(n *tnode) stage.Dyn[bool] {
	switch n.dims[0] {
	case 0:
		return w.k.Lt(n.n)
	case 1:
		return w.n.Lt(w.m)
	}
	first := make([]any, len(w.vars[2].Shape()))
	for d := range first {
		first[d] = 0
	}
	return stage.To[float64](w.vars[2].At(first...)).Lt(n.n)
}

// do reports that the program returns.
func (w *twalker[T]) do(n *tnode) bool {
	switch n.op {
	case "block":
		for _, a := range n.args {
			if w.do(a) {
				return true
			}
		}
		return false
	case "set":
		x := w.expr(n.args[0])
		w.at.Set(n.id)
		w.vars[n.n].Set(x.Max(-8).Mul(-1).Max(-8).Mul(-1))
		return false
	case "return":
		w.at.Set(n.id)
		return w.s.If(w.k.Gt(n.n))
	case "if":
		w.at.Set(n.id)
		if w.s.If(w.cond(n)) {
			return w.do(n.args[0])
		}
		return w.do(n.args[1])
	}
	w.at.Set(n.id)
	i := stage.Var[int](w.s, "i", 0)
	for {
		w.at.Set(n.id)
		if !w.s.While(i.Lt(n.n)) {
			return false
		}
		i.Set(i.Add(1))
		if w.do(n.args[0]) {
			return true
		}
	}
}

type tresults[X any] struct{ R [4]X }

// staging is the function of a program.
func staging[T stage.Element](w *twriter, body *tnode) any {
	type tensor = stage.Tensor[T]
	call := stage.Func("call", func(s *stage.S, x tensor) tensor {
		dims := make([]int, len(x.Shape()))
		for d := range dims {
			dims[d] = d
		}
		if s.If(stage.To[float64](x.Sum(dims...).At()).Gt(0)) {
			return x.Mul(2)
		}
		return x.Sub(1)
	})
	return stage.Shaped(func(s *stage.S, a, b tensor, k stage.Dyn[int]) tresults[tensor] {
		x := &twalker[T]{s: s, at: stage.NewStatic(s, "the node", 0), n: a.Dim(0), m: a.Dim(1), k: k, call: call}
		x.vars[0], x.vars[1] = a, b
		for v := range stage.Range(s, 2) {
			x.vars[v+2] = stage.Full[T](s, v+1, x.sizes(w.vars[v+2])...)
		}
		x.vars = stage.VarOf(s, "vars", x.vars)
		x.do(body)
		x.at.Set(0)
		return tresults[tensor]{stage.Get(s, x.vars)}
	}, stage.Extents{"n", "m"}, stage.Extents{"m", 3})
}

// tensorsAgree runs a random program of elements of a type on arguments: as it is in the interpreter, and by all ways there are if native.
func tensorsAgree[T stage.Element](t *testing.T, seed uint64, all bool) {
	type array = stage.Array[T]
	r := rand.New(rand.NewPCG(seed, 29))
	_, floats := any(*new(T)).(float64)
	w := &twriter{Rand: r, floats: floats, vars: [4][]string{{"n", "m"}, {"m", "3"}}}
	w.vars[2], w.vars[3] = w.shape(), w.shape()
	body := w.block(2)
	fn := staging[T](w, body)
	type call = func(a, b array, k int) tresults[array]
	run := map[string]call{"interpreted": interpretTensors[T](t, fn)}
	if all {
		direct, err := stage.Directly[call](fn)
		if err != nil {
			t.Fatal(err)
		}
		run["directly"] = direct
		for _, kind := range []*engine.Kind{engine.Eval, engine.Auto} {
			p, err := stage.CompileOn[call](t.Context(), kind, "main", fn)
			if err != nil {
				t.Fatalf("seed %d: %v\n%v", seed, err, body)
			}
			defer p.Close()
			run["lowered, on "+p.Engine()] = p.Call
		}
	}
	for range 3 {
		n, m, k := 1+r.IntN(4), 1+r.IntN(4), r.IntN(9)-4
		a, b := filled[T](r.IntN(9), n, m), filled[T](r.IntN(9), m, 3)
		want := evaluate(w, body, a, b, k)
		for name, f := range run {
			if got := f(a, b, k); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %s: %v\nwant %v\nof %v %v %d\n%v", seed, name, got, want, a, b, k, body)
			}
		}
	}
}

// interpretTensors is a program in the interpreter, as it is.
func interpretTensors[T stage.Element](t *testing.T, fn any) func(a, b stage.Array[T], k int) tresults[stage.Array[T]] {
	c := ir.NewContext(dialects.All...)
	g, _, err := stage.Module(t.Context(), c, "main", fn)
	if err != nil {
		t.Fatal(err)
	}
	p, err := run.Interpret(g, interp.Options{Fuel: 1 << 22})
	if err != nil {
		t.Fatal(err)
	}
	in, out, err := p.Signature("main")
	if err != nil {
		t.Fatal(err)
	}
	return func(a, b stage.Array[T], k int) (r tresults[stage.Array[T]]) {
		args := []ir.Val{{}, {}, ir.IntVal(int64(k), 64)}
		for i, x := range []stage.Array[T]{a, b} {
			y := &npy.Array{Elem: c.Info(in[i]).Elem, Shape: []int64{}}
			for _, n := range x.Shape {
				y.Shape = append(y.Shape, int64(n))
			}
			for _, v := range x.Data {
				y.Data = ir.AppendElem(y.Data, pattern(v), npy.Size(c, y.Elem))
			}
			if args[i], err = y.Tensor(c, in[i]); err != nil {
				t.Fatal(err)
			}
		}
		vals, _, err := p.Call(t.Context(), "main", args)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range vals {
			y, err := npy.Of(c, out[i], v)
			if err != nil {
				t.Fatal(err)
			}
			x := stage.Array[T]{Shape: []int{}, Data: []T{}}
			for _, n := range y.Shape {
				x.Shape = append(x.Shape, int(n))
			}
			size := npy.Size(c, y.Elem)
			for k := range len(y.Data) / size {
				x.Data = append(x.Data, unpattern[T](y.Bits(k, size)))
			}
			r.R[i] = x
		}
		return r
	}
}

// Random programs of tensors compute what Go computes of them.
func TestRandomTensors(t *testing.T) {
	compiled := 0
	for seed := *from; seed < *from+uint64(*tensorPrograms); seed++ {
		all := seed%75 == 0 // each type once in 300
		if all {
			compiled++
		}
		switch seed % 4 {
		case 0:
			tensorsAgree[int8](t, seed, all)
		case 1:
			tensorsAgree[int32](t, seed, all)
		case 2:
			tensorsAgree[int64](t, seed, all)
		default:
			tensorsAgree[float64](t, seed, all)
		}
	}
	t.Logf("%d programs of tensors, %d of them as native code, too", *tensorPrograms, compiled)
}
