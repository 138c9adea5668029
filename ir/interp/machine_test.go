package interp_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
)

var i64 = []ir.Type{ir.I64}

func TestLoopsAndBranches(t *testing.T) {
	f := newFile()
	f.fn("sum", i64, func(b fb, p []ir.Value) { // 0+1+...+(n-1), and the largest square below
		r := b.loop(p[0], []ir.Value{b.n(0), b.n(1)}, func(i ir.Value, c []ir.Value) []ir.Value {
			big := b.cond(b.Op(mLess, i, b.n(3)), ir.I64, func() { b.yield(c[1]) }, func() { b.yield(b.Op(mAdd, c[1], i)) })
			return []ir.Value{b.Op(mAdd, c[0], i), big}
		})
		b.ret(b.Result(r, 0), b.Result(r, 1))
	})
	f.fn("nested", i64, func(b fb, p []ir.Value) {
		b.ret(b.loop(p[0], []ir.Value{b.n(0)}, func(i ir.Value, c []ir.Value) []ir.Value {
			in := b.loop(i, []ir.Value{c[0]}, func(j ir.Value, d []ir.Value) []ir.Value { return []ir.Value{b.Op(mAdd, d[0], b.Op(mAdd, i, j))} })
			return []ir.Value{in}
		}))
	})
	f.fn("swap", i64, func(b fb, p []ir.Value) { // carried values change places
		r := b.loop(p[0], []ir.Value{b.n(1), b.n(2)}, func(_ ir.Value, c []ir.Value) []ir.Value { return []ir.Value{c[1], c[0]} })
		b.ret(b.Result(r, 0), b.Result(r, 1))
	})
	f.fn("reduce", i64, func(b fb, p []ir.Value) { // a terminator with a region
		body := b.Region(ir.Loop, i64, func(a []ir.Value) {
			add := b.Region(ir.Once, []ir.Type{ir.I64, ir.I64}, func(x []ir.Value) { b.yield(b.Op(mAdd, x[0], b.Op(mAdd, x[1], a[0]))) })
			b.Must(ir.Call{Def: mReduce, Args: []ir.Value{b.Op(mAdd, a[0], a[0])}, Regions: []ir.Region{add}})
		})
		b.ret(b.Must(ir.Call{Def: mFold, Args: []ir.Value{p[0], b.n(100)}, Regions: []ir.Region{body}}))
	})
	m := f.machine(t, interp.Options{})
	want(t, m, "sum", ints(10), 45, 43)
	want(t, m, "sum", ints(0), 0, 1)
	want(t, m, "nested", ints(4), 0+1+(2+3)+(3+4+5))
	want(t, m, "swap", ints(3), 2, 1)
	want(t, m, "swap", ints(4), 1, 2)
	want(t, m, "reduce", ints(4), 100+3*(0+1+2+3))
}

func TestCalls(t *testing.T) {
	f := newFile()
	f.fn("fib", i64, func(b fb, p []ir.Value) {
		b.ret(b.cond(b.Op(mLess, p[0], b.n(2)), ir.I64, func() { b.yield(p[0]) }, func() {
			x := b.call(ir.I64, "fib", b.Op(mAdd, p[0], b.n(-1)))
			y := b.call(ir.I64, "fib", b.Op(mAdd, p[0], b.n(-2)))
			b.yield(b.Op(mAdd, x, y))
		}))
	})
	f.fn("deep", i64, func(b fb, p []ir.Value) { b.ret(b.call(ir.I64, "deep", p[0])) })
	f.fn("two", []ir.Type{ir.I64, ir.I64}, func(b fb, p []ir.Value) {
		r := b.Op(mTwo, p[0], p[1])
		b.ret(b.Result(r, 1), b.Result(r, 0))
	})
	f.fn("outer", i64, func(b fb, p []ir.Value) { b.ret(b.call(ir.I64, "in::g", p[0])) })
	f.fn("declared", i64, nil)
	f.fn("useDeclared", i64, func(b fb, p []ir.Value) { b.call(ir.Void, "declared", p[0]); b.ret() })
	f.fn("useMissing", i64, func(b fb, p []ir.Value) { b.call(ir.Void, "fob", p[0]); b.ret() })
	in := ir.NewBuilder(f.ctx)
	f.in(in, "g", i64, func(b fb, p []ir.Value) { b.ret(b.call(ir.I64, "fib", b.call(ir.I64, "h", p[0]))) })
	f.in(in, "h", i64, func(b fb, p []ir.Value) { b.ret(b.Op(mAdd, p[0], b.n(1))) })
	f.mod.Must(ir.Call{Def: mModule, Graphs: []*ir.Graph{in.Finish()}, Attr: f.name("in")})
	m := f.machine(t, interp.Options{MaxDepth: 500})
	want(t, m, "fib", ints(20), 6765)
	want(t, m, "@two", ints(17, 5), 2, 3)
	want(t, m, "outer", ints(9), 55)
	want(t, m, "in::h", ints(9), 10)
	fails(t, m, "deep", ints(1), "call depth exceeds 500")
	want(t, m, "fib", ints(10), 55) // the machine is good after a trap
	fails(t, m, "useDeclared", ints(1), "@declared is declared but has no body")
	fails(t, m, "useMissing", ints(1), "no function @fob")
	fails(t, m, "fib", nil, "called with 0 arguments, it has 1")
	if _, err := m.Call("fbi", nil); err == nil || !strings.Contains(diagOf(err), "did you mean @fib?") {
		t.Errorf("misspelt name: %v", err)
	}
}

func diagOf(err error) string {
	var f *interp.Failure
	if !errors.As(err, &f) {
		return "no failure"
	}
	return f.Diagnostic(nil).Error()
}

func fails(t *testing.T, m *interp.Machine, name string, args []ir.Val, msg string) *interp.Failure {
	t.Helper()
	_, err := m.Call(name, args)
	var f *interp.Failure
	if !errors.As(err, &f) || !strings.Contains(err.Error(), msg) {
		t.Fatalf("%s: got error %v, want %q", name, err, msg)
	}
	return f
}

func TestExtern(t *testing.T) {
	f := newFile()
	f.fn("declared", i64, nil)
	f.fn("use", i64, func(b fb, p []ir.Value) { b.call(ir.Void, "declared", p[0]); b.ret() })
	var got []ir.Val
	m := f.machine(t, interp.Options{Extern: map[string]func(*interp.Machine, []ir.Val) ([]ir.Val, error){
		"declared": func(_ *interp.Machine, args []ir.Val) ([]ir.Val, error) { got = append(got, args...); return nil, nil }}})
	want(t, m, "use", ints(7))
	if len(got) != 1 || got[0].Bits != 7 {
		t.Errorf("extern got %v", got)
	}
}

func TestFailuresHaveAPlace(t *testing.T) {
	src := diag.NewSource("a.mlir", "first line\n  div here\n")
	f := newFile()
	f.fn("div", []ir.Type{ir.I64, ir.I64}, func(b fb, p []ir.Value) {
		b.Loc = ir.Loc(13 + 1)
		b.ret(b.Op(mDiv, p[0], p[1]))
	})
	f.fn("main", i64, func(b fb, p []ir.Value) { b.ret(b.call(ir.I64, "div", p[0], b.n(0))) })
	m := f.machine(t, interp.Options{})
	fail := fails(t, m, "main", ints(1), "'mini.div' op: trap: division by zero in @div")
	if !fail.IsTrap() || !ir.IsTrap(fail) || fail.Function != "div" || fail.Op != "mini.div" || len(fail.Callers) != 1 || fail.Callers[0] != "main" {
		t.Errorf("failure: %+v", fail)
	}
	if d := fail.Diagnostic(src).Error(); !strings.HasPrefix(d, "a.mlir:2:3: error: ") || !strings.Contains(d, "called from @main") {
		t.Error(d)
	}
}

func TestPoison(t *testing.T) {
	f := newFile()
	two := []ir.Type{ir.I64, ir.I64}
	shl := func(b fb, p []ir.Value) ir.Value { return b.Op(mShl, p[0], p[1]) }
	f.fn("through", two, func(b fb, p []ir.Value) { b.ret(b.Op(mAdd, shl(b, p), b.n(1))) })
	f.fn("select", two, func(b fb, p []ir.Value) {
		b.ret(b.Op(mSelect, b.Op(mLess, p[1], b.n(64)), shl(b, p), b.n(5)))
	})
	f.fn("branch", two, func(b fb, p []ir.Value) {
		b.ret(b.cond(b.Op(mLess, shl(b, p), b.n(3)), ir.I64, func() { b.yield(p[0]) }, func() { b.yield(p[1]) }))
	})
	f.fn("divide", two, func(b fb, p []ir.Value) { b.ret(b.Op(mDiv, p[0], shl(b, p))) })
	f.fn("bound", two, func(b fb, p []ir.Value) {
		b.ret(b.loop(shl(b, p), []ir.Value{b.n(0)}, func(_ ir.Value, c []ir.Value) []ir.Value { return c }))
	})
	f.fn("stored", two, func(b fb, p []ir.Value) {
		r := b.Must(ir.Call{Def: mAlloc, Type: b.Ctx().MemRef([]int64{2}, ir.I64)})
		b.Op(mStore, r, shl(b, p), b.n(0))
		b.Op(mStore, r, b.n(3), b.n(1))
		b.ret(b.Op(mLoad, r, b.n(0)), b.Op(mLoad, r, b.n(1)))
	})
	f.fn("fresh", nil, func(b fb, p []ir.Value) {
		b.ret(b.Op(mLoad, b.Must(ir.Call{Def: mAlloc, Type: b.Ctx().MemRef([]int64{2}, ir.I64)}), b.n(0)))
	})
	m := f.machine(t, interp.Options{})
	poisoned := func(name string, args []ir.Val) {
		t.Helper()
		if out, err := m.Call(name, args); err != nil || !out[0].IsPoison() {
			t.Errorf("%s: got %v, %v, want poison", name, out, err)
		}
	}
	want(t, m, "through", ints(1, 3), 9)
	poisoned("through", ints(1, 64))
	want(t, m, "select", ints(1, 2), 4)
	want(t, m, "select", ints(1, 70), 5)
	fails(t, m, "branch", ints(1, 64), "the condition is poison")
	fails(t, m, "divide", ints(1, 64), "operand is poison")
	fails(t, m, "bound", ints(1, 64), "is poison")
	poisoned("stored", ints(1, 64))
	poisoned("fresh", nil)
	want(t, m, "stored", ints(1, 2), 4, 3)
}

func TestMemory(t *testing.T) {
	f := newFile()
	ref := f.ctx.MemRef([]int64{4}, ir.I64)
	f.fn("get", []ir.Type{ref, ir.I64}, func(b fb, p []ir.Value) { b.ret(b.Op(mLoad, p[0], p[1])) })
	f.fn("free", []ir.Type{ref}, func(b fb, p []ir.Value) { b.Op(mFree, p[0]); b.ret() })
	f.fn("late", i64, func(b fb, p []ir.Value) {
		r := b.Must(ir.Call{Def: mAlloc, Type: ref})
		b.Op(mStore, r, p[0], b.n(1))
		b.Op(mFree, r)
		b.ret(b.Op(mLoad, r, b.n(1)))
	})
	f.fn("twice", nil, func(b fb, p []ir.Value) {
		r := b.Must(ir.Call{Def: mAlloc, Type: ref})
		b.call(ir.Void, "keep", r) // else the graph drops it all
		b.Op(mFree, r)
		b.Op(mFree, r)
		b.ret()
	})
	f.fn("many", i64, func(b fb, p []ir.Value) { // allocates and frees n times
		b.loop(p[0], nil, func(ir.Value, []ir.Value) []ir.Value {
			r := b.Must(ir.Call{Def: mAlloc, Type: ref})
			b.Op(mFree, r)
			return nil
		})
		b.ret()
	})
	f.fn("leak", i64, func(b fb, p []ir.Value) {
		b.loop(p[0], nil, func(i ir.Value, _ []ir.Value) []ir.Value {
			r := b.Must(ir.Call{Def: mAlloc, Type: ref})
			b.call(ir.Void, "keep", r)
			return nil
		})
		b.ret()
	})
	f.fn("keep", []ir.Type{ref}, func(b fb, p []ir.Value) { b.Op(mPrint, b.n(1)); b.ret() })
	m := f.machine(t, interp.Options{MemLimit: 1000})
	args, err := interp.ArgsFromJSON(f.ctx, []ir.Type{ref, ir.I64}, []byte(`[[10, 20, 30, 40], 2]`), nil)
	if err != nil {
		t.Fatal(err)
	}
	want(t, m, "get", args, 30)
	for _, i := range []int64{-1, 4, math.MinInt64} {
		args[1] = ints(i)[0]
		fails(t, m, "get", args, "out of bounds [0, 4)")
	}
	args[1] = ir.Val{Ref: ir.Poison}
	fails(t, m, "get", args, "argument #1 is poison, which a public function takes none of")
	fails(t, m, "free", args[:1], "was not allocated by an op")
	fails(t, m, "twice", nil, "freed twice")
	fails(t, m, "late", ints(3), "used after it was freed")
	want(t, m, "many", ints(1000))
	var b *interp.Budget
	if _, err := m.Call("leak", ints(100)); !errors.As(err, &b) || b.What != "memory" {
		t.Errorf("leak: %v", err)
	}
}

func TestBudgets(t *testing.T) {
	f := newFile()
	f.fn("long", i64, func(b fb, p []ir.Value) {
		b.loop(p[0], nil, func(ir.Value, []ir.Value) []ir.Value { b.Op(mPrint); return nil })
		b.ret()
	})
	f.fn("empty", i64, func(b fb, p []ir.Value) {
		r := b.loop(p[0], []ir.Value{b.n(0), b.n(0)}, func(i ir.Value, c []ir.Value) []ir.Value { return []ir.Value{c[1], i} })
		b.ret(b.Result(r, 0))
	})
	g := f.graph(t)
	for _, fn := range []string{"long", "empty"} {
		m, _ := interp.New(g, interp.Options{Fuel: 100000})
		if _, err := m.Call(fn, ints(10000)); err != nil {
			t.Errorf("%s within fuel: %v", fn, err)
		}
		used := 100000 - m.Fuel()
		if used < 10000 || used > 40000 {
			t.Errorf("%s used %d fuel", fn, used)
		}
		var b *interp.Budget
		if _, err := m.Call(fn, ints(math.MaxInt64)); !errors.As(err, &b) || b.What != "fuel" || ir.IsTrap(err) {
			t.Errorf("%s: %v", fn, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		m, _ = interp.New(g, interp.Options{Context: ctx})
		cancel()
		_, err := m.Call(fn, ints(math.MaxInt64))
		if !errors.As(err, &b) || b.What != "time" || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", fn, err)
		}
	}
}

func TestOutputAndCounts(t *testing.T) {
	f := newFile()
	f.fn("main", i64, func(b fb, p []ir.Value) {
		r := b.Must(ir.Call{Def: mAlloc, Type: b.Ctx().MemRef([]int64{2}, ir.F64)})
		b.Op(mStore, r, b.x(0.1), b.n(0))
		b.Op(mStore, r, b.x(math.Inf(-1)), b.n(1))
		b.call(ir.Void, "show", r)
		b.Op(mStore, r, b.x(2), b.n(1))
		b.loop(p[0], nil, func(i ir.Value, _ []ir.Value) []ir.Value { b.Op(mPrint, b.Op(mAdd, i, i)); return nil })
		b.ret()
	})
	f.fn("show", []ir.Type{f.ctx.MemRef([]int64{2}, ir.F64)}, func(b fb, p []ir.Value) { b.Op(mPrint, p[0]); b.ret() })
	count := map[*ir.OpDef]int64{}
	var names []string
	m := f.machine(t, interp.Options{Count: count, Hook: func(o *interp.Op) { names = append(names, o.Def.Name) }})
	want(t, m, "main", ints(3))
	text := ""
	for _, p := range m.Printed() {
		text += interp.FormatPrinted(f.ctx, p)
	}
	if text != "[0.1, -Infinity]\n0\n2\n4\n" {
		t.Errorf("printed %q", text)
	}
	if count[mPrint] != 4 || count[mAdd] != 3 || count[mFor] != 1 || count[mConst] != 0 || count[mReturn] != 0 {
		t.Errorf("counts %v", count)
	}
	if names[0] != "mini.alloc" || len(m.Printed()) != 0 {
		t.Errorf("hook saw %v", names)
	}
}

func TestClosures(t *testing.T) {
	f := newFile()
	f.fn("adder", i64, func(b fb, p []ir.Value) {
		y := b.Op(mAdd, p[0], b.n(100))
		r := b.Region(ir.Lambda, i64, func(a []ir.Value) { b.yield(b.Op(mAdd, a[0], y)) })
		b.ret(b.Must(ir.Call{Def: mLambda, Regions: []ir.Region{r}}))
	})
	fun := f.ctx.OpaqueType("mini.fun")
	f.fn("use", i64, func(b fb, p []ir.Value) {
		g, h := b.call(fun, "adder", p[0]), b.call(fun, "adder", b.n(1))
		b.ret(b.Op(mApply, g, b.Op(mApply, h, b.n(1000))))
	})
	want(t, f.machine(t, interp.Options{}), "use", ints(7), 1000+101+107)
}

func TestWhatCannotRun(t *testing.T) {
	f := newFile()
	u, _ := f.ctx.Unregistered("x.y")
	f.fn("unknown", i64, func(b fb, p []ir.Value) {
		b.cond(b.Op(mLess, p[0], b.n(0)), ir.Void, func() { b.Must(ir.Call{Def: u}); b.yield() }, func() { b.yield() })
		b.ret()
	})
	f.fn("text", i64, func(b fb, p []ir.Value) { b.Must(ir.Call{Def: mText}); b.ret() })
	m := f.machine(t, interp.Options{})
	want(t, m, "unknown", ints(1)) // not reached
	fail := fails(t, m, "unknown", ints(-1), "'x.y' op: is not registered")
	var un *interp.Unsupported
	if !errors.As(fail, &un) || fail.IsTrap() {
		t.Errorf("%v", fail)
	}
	fails(t, m, "text", ints(1), "text only")
}

// Eval is the one meaning, whatever a table says; with several results too.
func TestOneMeaning(t *testing.T) {
	wrong := &ir.Dialect{Name: "wrong", Tables: []any{interp.Table{mAdd: miniTable[mIf]}}}
	f := &file{ctx: ir.NewContext(mini, wrong)}
	f.mod = ir.NewBuilder(f.ctx)
	f.fn("f", []ir.Type{ir.I64, ir.I64}, func(b fb, p []ir.Value) {
		r := b.Op(mBoth, b.Op(mAdd, p[0], p[1]), b.Op(mShl, p[0], p[1]))
		b.ret(b.Result(r, 1), b.Result(r, 0))
	})
	m := f.machine(t, interp.Options{})
	want(t, m, "f", ints(3, 2), 12, 5)
	if out, err := m.Call("f", ints(3, 64)); err != nil || !out[0].IsPoison() || !out[1].IsPoison() {
		t.Errorf("poison: %v, %v", out, err)
	}
}

// What the usual schedule gives and what the verbatim graph gives is the same.
func TestCopiesShareSlots(t *testing.T) {
	f := newFile()
	f.fn("f", []ir.Type{ir.I64, ir.I64}, func(b fb, p []ir.Value) {
		z := b.Op(mAdd, b.Op(mAdd, p[0], p[1]), p[1])
		br := func(c ir.Value) ir.Value {
			return b.cond(c, ir.I64, func() { b.yield(z) }, func() { b.yield(b.n(0)) })
		}
		b.ret(br(b.Op(mLess, p[0], b.n(5))), br(b.Op(mLess, p[1], b.n(5))))
	})
	m := f.machine(t, interp.Options{})
	want(t, m, "f", ints(1, 2), 5, 5)
	want(t, m, "f", ints(9, 2), 0, 13)
	want(t, m, "f", ints(2, 9), 20, 0)
}

// Recursion ends in a trap before the stack of the process is full.
func TestDeepRecursion(t *testing.T) {
	f := newFile()
	f.fn("nested", i64, func(b fb, p []ir.Value) {
		var in func(depth int)
		in = func(depth int) {
			if depth == 50 {
				b.call(ir.Void, "nested", p[0])
			} else {
				b.cond(b.Op(mLess, p[0], b.n(int64(depth))), ir.Void, func() { in(depth + 1) }, func() { b.Op(mPrint, p[0]); b.yield() })
			}
			b.yield()
		}
		b.cond(b.Op(mLess, p[0], b.n(0)), ir.Void, func() { in(1) }, func() { b.yield() })
		b.ret()
	})
	f.fn("flat", i64, func(b fb, p []ir.Value) { b.call(ir.Void, "flat", p[0]); b.ret() })
	g := f.graph(t)
	m, err := interp.New(g, interp.Options{MaxDepth: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	fails(t, m, "nested", ints(-1), "call depth")
	fails(t, m, "flat", ints(1), "call depth")
	usual, _ := interp.New(g, interp.Options{})
	fails(t, usual, "flat", ints(1), "call depth exceeds 16384")
	want(t, m, "nested", ints(1)) // and the machine still runs
}

// Wrap sees the ops without an Eval, and may run them in another way.
func TestWrap(t *testing.T) {
	f := newFile()
	f.fn("main", i64, func(b fb, p []ir.Value) {
		b.Op(mPrint, b.Op(mAdd, p[0], p[0]))
		b.ret(b.call(ir.I64, "id", p[0]))
	})
	f.fn("id", i64, func(b fb, p []ir.Value) { b.ret(p[0]) })
	var seen []uint64
	m := f.machine(t, interp.Options{Wrap: func(def *ir.OpDef, do interp.Func) interp.Func {
		switch def {
		case mAdd:
			t.Error("an op with an Eval is wrapped")
		case mPrint:
			return func(_ *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
				seen = append(seen, args[0].Bits)
				return nil
			}
		}
		return do
	}})
	want(t, m, "main", ints(7), 7)
	if len(seen) != 1 || seen[0] != 14 || len(m.Printed()) != 0 {
		t.Errorf("the wrapped op saw %v", seen)
	}
}

// outgrown is why a context ends that knows the option which set its limit.
type outgrown struct{}

func (outgrown) Error() string { return "more than there is (-room)" }
func (outgrown) Flag() string  { return "-room" }

// The way out of a limit is the option that set it.
func TestLimitsNameTheirOption(t *testing.T) {
	for cause, flag := range map[error]string{outgrown{}: "-room", errors.New("done"): "-timeout"} {
		f := newFile()
		f.fn("long", i64, func(b fb, p []ir.Value) {
			b.ret(b.loop(p[0], []ir.Value{b.n(0)}, func(i ir.Value, c []ir.Value) []ir.Value { return []ir.Value{b.Op(mAdd, c[0], i)} }))
		})
		ctx, end := context.WithCancelCause(t.Context())
		end(cause)
		_, err := f.machine(t, interp.Options{Context: ctx}).Call("long", ints(1<<20))
		var b *interp.Budget
		if !errors.As(err, &b) || b.Flag != flag {
			t.Errorf("%v: %v, wanted %s", cause, err, flag)
		}
	}
}
