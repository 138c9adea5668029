package ir

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// Ops that random programs need besides those of the mini dialect: a loop with
// carried values, and memory that holds references.
var (
	tFor   = Define(&OpDef{Name: "r.for", Body: Loop, Infer: given}) // count, inits; region: i, carried
	tSel   = Define(&OpDef{Name: "r.choose", Body: Branch, Infer: given})
	tBox   = Define(&OpDef{Name: "r.box", Traits: Unique, Infer: func(c *Call) (Type, error) { return c.Ctx().OpaqueType("t.box"), nil }})
	tOpen  = Define(&OpDef{Name: "r.get", Traits: NoCapture, Infer: func(c *Call) (Type, error) { return c.Ctx().OpaqueType("t.ref"), nil }, Effects: func(c *Call) []Effect { return []Effect{{Read, c.Builder().ResourceOf(c.Args[0])}} }})
	tPut   = Define(&OpDef{Name: "r.put", Infer: gives(Void), Effects: func(c *Call) []Effect { return []Effect{{Write, c.Builder().ResourceOf(c.Args[1])}} }})
	tWhile = Define(&OpDef{Name: "r.while", Body: Loop, Infer: given}) // before(carried) yields cond, carried; after(carried)
	tHide  = Define(&OpDef{Name: "r.hide", Body: Barrier, Traits: Opaque, Infer: given})
	tName  = Define(&OpDef{Name: "r.global", Attrs: []string{"n"}, Infer: func(c *Call) (Type, error) { return c.Ctx().OpaqueType("t.ref"), nil },
		Refers: func(c *Call) string { return c.Ctx().AttrInfo(c.Get("n")).Str }})
	tTotal = &Dialect{Name: "r", Ops: []*OpDef{tFor, tSel, tBox, tOpen, tPut, tWhile, tHide, tName}}
)

// cell is memory of one number or reference.
type cell struct {
	n   uint64
	ref *cell
}

// running is a graph being evaluated by a schedule of it.
type running struct {
	g    *Graph
	s    *Schedule
	vals map[Value][]any
	out  strings.Builder
	fuel int

	memory [3]cell
}

func evaluate(g *Graph, opts ScheduleOptions) (out string, trapped bool) {
	e := &running{g: g, s: NewSchedule(g, opts), vals: map[Value][]any{}, fuel: 5000}
	for i, p := range g.Params(Root) {
		e.vals[p] = []any{uint64(i + 2)}
		if i >= 2 {
			e.vals[p] = []any{&e.memory[i/4]} // 2 and 3 are the same as global a, 4 is its own
		}
	}
	defer func() {
		if r := recover(); r != nil {
			if r != "trap" {
				panic(r)
			}
			out, trapped = e.out.String(), true
		}
	}()
	e.body(Root)
	return e.out.String(), false
}

func (e *running) body(r Region) (yields []any) {
	for _, v := range e.s.Body(r) {
		if e.fuel--; e.fuel < 0 {
			panic("trap")
		}
		var args []any
		for _, a := range e.g.Args(v) {
			n, i, _ := e.g.Projection(a)
			x, ok := e.vals[n]
			if !ok {
				panic(e.g.Name(v) + " uses " + e.g.Name(n) + ", which has no value")
			}
			args = append(args, x[i])
		}
		if e.g.Def(v) == tYield {
			return args
		}
		e.vals[v] = e.op(v, args)
	}
	return nil
}

func (e *running) op(v Value, args []any) []any {
	n := func(i int) uint64 { return args[i].(uint64) }
	switch def := e.g.Def(v); def {
	case tConst:
		x, _ := e.g.Const(v)
		return []any{x.Bits}
	case tAdd:
		return []any{n(0) + n(1)}
	case tDiv:
		if n(1) == 0 {
			panic("trap")
		}
		return []any{n(0) / n(1)}
	case tPure:
		h := uint64(7)
		for i := range args {
			h = intern.Mix(h, n(i))
		}
		return []any{h % 5}
	case tPrint:
		fmt.Fprintf(&e.out, "%d ", n(0))
	case tAlloc, tBox:
		return []any{&cell{ref: &cell{}}}
	case tName:
		return []any{&e.memory[map[string]int{"a": 0, "b": 2}[e.g.Ctx.AttrInfo(e.g.Attr(v, "n")).Str]]}
	case tLoad:
		return []any{args[0].(*cell).n}
	case tStore:
		args[1].(*cell).n = n(0)
	case tOpen:
		return []any{args[0].(*cell).ref}
	case tPut:
		args[1].(*cell).ref = args[0].(*cell)
	case tIf, tSel:
		return e.body(e.g.Regions(v)[1-n(0)&1])
	case tFor:
		carried := args[1:]
		for i := range n(0) % 4 {
			carried = e.enter(e.g.Regions(v)[0], append([]any{i}, carried...))
		}
		return carried
	case tWhile:
		carried := args
		for round := 0; ; round++ {
			out := e.enter(e.g.Regions(v)[0], carried)
			if out[0].(uint64)&1 == 0 || round == 3 {
				return out[1:]
			}
			carried = e.enter(e.g.Regions(v)[1], out[1:])
		}
	case tHide:
		return e.body(e.g.Regions(v)[0])
	}
	return nil
}

func (e *running) enter(r Region, args []any) []any {
	for i, p := range e.g.Params(r) {
		e.vals[p] = args[i : i+1]
	}
	return e.body(r)
}

// writer writes one random program through any builder.
type writer struct {
	tb
	r              *rand.Rand
	nums           []Value
	refs, boxes    []Value
	ref, box       Type
	left, maxDepth int
	deep           bool // nests in each block
}

func one(r *rand.Rand, vs []Value) Value { return vs[max(0, len(vs)-1-r.IntN(6))] }

func randomProgram(seed uint64, size, depth int, opts ...Option) *Graph {
	return writeProgram(rand.New(rand.NewPCG(seed, 1)), size, depth, opts...)
}

func writeProgram(r *rand.Rand, size, depth int, opts ...Option) *Graph {
	w := &writer{tb: tb{NewBuilder(NewContext(tDialect, tTotal), opts...)}, r: r, left: size, maxDepth: depth, deep: depth > 64}
	w.ref, w.box = w.Ctx().OpaqueType("t.ref"), w.Ctx().OpaqueType("t.box")
	w.nums = []Value{w.Param(I64), w.Param(I64), w.n(1)}
	w.refs = []Value{w.Param(w.ref), w.Param(w.ref), w.Param(w.ref), w.Op(tAlloc)}
	w.Own(w.refs[2])
	w.boxes = []Value{w.Op(tBox)}
	w.Op(tPut, w.refs[0], w.boxes[0])
	w.block(0, 30)
	w.block(0, 30)
	return w.Finish()
}

// block writes up to n statements; what they define is gone after it.
func (w *writer) block(depth, n int) (num, ref Value) {
	nums, refs, boxes := len(w.nums), len(w.refs), len(w.boxes)
	for nest := w.r.IntN(n); n > 0 && w.left > 0; n-- {
		w.left--
		if w.deep && n == nest+1 && depth < w.maxDepth {
			if w.r.IntN(2) == 0 {
				w.branch(depth, one(w.r, w.nums))
			} else {
				w.repeat(depth, w.n(1), one(w.r, w.nums), one(w.r, w.refs))
			}
		}
		w.statement(depth)
	}
	for range 2 {
		w.Op(tPrint, one(w.r, w.nums))
		w.Op(tPrint, w.Op(tLoad, one(w.r, w.refs)))
	}
	num, ref = one(w.r, w.nums), one(w.r, w.refs)
	w.nums, w.refs, w.boxes = w.nums[:nums:nums], w.refs[:refs:refs], w.boxes[:boxes:boxes]
	return num, ref
}

func (w *writer) statement(depth int) {
	num := func() Value { return one(w.r, w.nums) }
	ref := func() Value { return one(w.r, w.refs) }
	box := func() Value { return one(w.r, w.boxes) }
	switch k := w.r.IntN(24); {
	case k < 3:
		w.nums = append(w.nums, w.Op(tAdd, num(), num()))
	case k < 5:
		w.nums = append(w.nums, w.p([]string{"f", "g"}[k-3], num(), num()))
	case k == 5:
		w.nums = append(w.nums, w.Op(tDiv, num(), num()))
	case k == 6:
		w.nums = append(w.nums, w.n(int64(w.r.IntN(3))))
	case k < 10:
		w.nums = append(w.nums, w.Op(tLoad, ref()))
	case k < 13:
		w.Op(tStore, num(), ref())
	case k == 13:
		w.refs = append(w.refs, w.Op(tAlloc))
	case k == 14:
		w.boxes = append(w.boxes, w.Op(tBox))
		w.Op(tPut, ref(), w.boxes[len(w.boxes)-1])
	case k == 15:
		w.Op(tPut, ref(), box())
	case k == 16:
		name := w.Ctx().StringAttr([]string{"a", "b"}[w.r.IntN(2)])
		w.refs = append(w.refs, w.OpAttr(tName, w.Ctx().Props([]NamedAttr{{Name: "n", Value: name}}, nil)))
	case k == 17:
		w.refs = append(w.refs, w.Op(tOpen, box()))
	case k < 19 || depth >= w.maxDepth:
		w.Op(tPrint, num())
	case k < 21:
		w.branch(depth, num())
	case k == 21:
		w.while(depth, num(), ref())
	default:
		w.repeat(depth, num(), num(), ref())
	}
}

func (w *writer) branch(depth int, c Value) {
	size := 1 + w.r.IntN(6)
	arm := func([]Value) { w.yield(w.pair(w.block(depth+1, size))...) }
	if w.r.IntN(8) == 0 {
		r := w.Region(Barrier, nil, arm)
		w.define(w.Must(Call{Def: tHide, Regions: []Region{r}, Type: w.Ctx().Multi(I64, w.ref)}))
		return
	}
	r1, r2 := w.Region(Branch, nil, arm), w.Region(Branch, nil, arm)
	def := tSel
	if w.r.IntN(2) == 0 {
		def = tIf
	}
	w.define(w.Must(Call{Def: def, Args: []Value{c}, Regions: []Region{r1, r2}, Type: w.Ctx().Multi(I64, w.ref)}))
}

func (w *writer) pair(num, ref Value) []Value { return []Value{num, ref} }

func (w *writer) define(v Value) {
	w.nums, w.refs = append(w.nums, w.Result(v, 0)), append(w.refs, w.Result(v, 1))
}

func (w *writer) repeat(depth int, count, num, ref Value) {
	size := 1 + w.r.IntN(6)
	r := w.Region(Loop, []Type{I64, I64, w.ref}, func(p []Value) {
		w.with(p[:2], p[2], func() { w.yield(w.pair(w.block(depth+1, size))...) })
	})
	w.define(w.Must(Call{Def: tFor, Args: []Value{count, num, ref}, Regions: []Region{r}, Type: w.Ctx().Multi(I64, w.ref)}))
}

func (w *writer) with(nums []Value, ref Value, f func()) {
	n, r := len(w.nums), len(w.refs)
	w.nums, w.refs = append(w.nums, nums...), append(w.refs, ref)
	f()
	w.nums, w.refs = w.nums[:n:n], w.refs[:r:r]
}

// while ends after three rounds, or when a number computed in each is even.
func (w *writer) while(depth int, num, ref Value) {
	size := 1 + w.r.IntN(4)
	before := w.Region(Loop, []Type{I64, w.ref}, func(p []Value) {
		w.with(p[:1], p[1], func() {
			n, r := w.block(depth+1, size)
			w.yield(w.p("f", w.Op(tLoad, one(w.r, w.refs)), n), n, r)
		})
	})
	after := w.Region(Loop, []Type{I64, w.ref}, func(p []Value) {
		w.with(p[:1], p[1], func() {
			n, r := w.block(depth+1, size)
			w.yield(w.Op(tAdd, n, w.n(1)), r)
		})
	})
	w.define(w.Must(Call{Def: tWhile, Args: []Value{num, ref}, Regions: []Region{before, after}, Type: w.Ctx().Multi(I64, w.ref)}))
}

// Random programs mean the same as the program as it was written: as built,
// rebuilt, and placed anywhere that the graph allows.
func TestRandomPrograms(t *testing.T) {
	runs := 500
	if testing.Short() {
		runs = 200
	}
	for seed := range uint64(runs) {
		sameMeaning(t, seed, 20+int(seed%80), 5)
	}
}

// Regions deeper than 64 share a bit of the needs.
func TestRandomDeepPrograms(t *testing.T) {
	for seed := range uint64(30) {
		sameMeaning(t, seed, 500, 100)
	}
}

func sameMeaning(t *testing.T, seed uint64, size, depth int) {
	t.Helper()
	means(t, fmt.Sprintf("seed %d size %d", seed, size), seed, func(opts ...Option) *Graph { return randomProgram(seed, size, depth, opts...) })
}

// means checks a program that write builds the same each time.
func means(t *testing.T, name string, seed uint64, write func(opts ...Option) *Graph) {
	t.Helper()
	want, trapped := evaluate(write(Verbatim), ScheduleOptions{})
	g := write()
	r := rand.New(rand.NewPCG(seed, 2))
	for round := range 4 {
		if err := Verify(g); err != nil {
			t.Fatalf("%s round %d: %v", name, round, err)
		}
		for i, opts := range []ScheduleOptions{{}, {Copies: true}, {Shuffle: r.IntN}, {Shuffle: func(int) int { return 0 }}} {
			if got, _ := evaluate(g, opts); got != want && !trapped {
				t.Fatalf("%s round %d schedule %d:\ngot  %s\nwant %s\n%s", name, round, i, got, want, show(g, opts))
			}
		}
		opts := ScheduleOptions{}
		if round == 1 {
			opts.Shuffle = r.IntN
		}
		g = Rewrite(g.Ctx, NewSchedule(g, opts), nil, nil)
	}
}
