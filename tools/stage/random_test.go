package stage_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/stage"
)

var (
	programs = flag.Int("programs", 150, "random staged programs")
	from     = flag.Uint64("from", 0, "the seed of the first")
)

// A node is a statement or an expression of a random program. The function that stages it walks it: the node under way
// is a static, as the place in the program is of every interpreter.
type node struct {
	id   int
	op   string
	n    int
	args []*node
}

func (n *node) String() string {
	parts := []string{n.op, fmt.Sprint(n.n)}
	for _, a := range n.args {
		parts = append(parts, a.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// writer makes random programs.
type writer struct {
	*rand.Rand
	nodes, loops int
}

func (w *writer) node(op string, n int, args ...*node) *node {
	w.nodes++
	return &node{w.nodes, op, n, args}
}

const (
	integers = 4 // variables of int64
	floats   = 2
	statics  = 2
)

func (w *writer) int(deep int) *node {
	if deep == 0 || w.IntN(4) == 0 {
		switch w.IntN(4) {
		case 0:
			return w.node("const", w.IntN(9)-4)
		case 1:
			return w.node("load", 0, w.node("get", w.IntN(integers)))
		case 2:
			return w.node("static", w.IntN(statics))
		default:
			return w.node("get", w.IntN(integers))
		}
	}
	switch w.IntN(8) {
	case 0:
		return w.node("int32", 0, w.int(deep-1))
	case 1:
		return w.node("uint8", w.IntN(5), w.int(deep-1), w.int(deep-1))
	case 2:
		return w.node("cut", 0, w.float(deep-1))
	case 3:
		return w.node("select", 0, w.bool(deep-1), w.int(deep-1), w.int(deep-1))
	case 4:
		return w.node("call", w.IntN(3), w.int(deep-1))
	default:
		return w.node([]string{"add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "min", "max", "neg", "not"}[w.IntN(14)], 0, w.int(deep-1), w.int(deep-1))
	}
}

func (w *writer) float(deep int) *node {
	if deep == 0 || w.IntN(3) == 0 {
		return w.node("fget", w.IntN(floats))
	}
	if w.IntN(4) == 0 {
		return w.node("float", 0, w.int(deep-1))
	}
	return w.node([]string{"fadd", "fsub", "fmul", "fdiv", "fmin", "fmax", "fneg", "fabs"}[w.IntN(8)], 0, w.float(deep-1), w.float(deep-1))
}

func (w *writer) bool(deep int) *node {
	if deep > 0 && w.IntN(4) == 0 {
		return w.node([]string{"band", "bor", "bnot"}[w.IntN(3)], 0, w.bool(deep-1), w.bool(deep-1))
	}
	if w.IntN(5) == 0 {
		return w.node("flt", 0, w.float(1), w.float(1))
	}
	return w.node([]string{"lt", "le", "eq", "ne", "gt", "ge"}[w.IntN(6)], 0, w.int(min(deep, 1)), w.int(min(deep, 1)))
}

func (w *writer) block(deep int, inLoop bool) *node {
	b := w.node("block", 0)
	for range 1 + w.IntN(4) {
		b.args = append(b.args, w.statement(deep, inLoop))
	}
	return b
}

func (w *writer) statement(deep int, inLoop bool) *node {
	k := w.IntN(14)
	switch {
	case k < 3 && deep > 0:
		return w.node("if", 0, w.bool(2), w.block(deep-1, inLoop), w.block(deep-1, inLoop))
	case k < 5 && deep > 0 && w.loops < 3:
		w.loops++
		return w.node("while", 1+w.IntN(4), w.bool(1), w.block(deep-1, true))
	case k == 5 && deep > 0:
		return w.node("repeat", 1+w.IntN(3), w.block(deep-1, false))
	case k == 6:
		return w.node("flip", w.IntN(statics))
	case k == 7 && inLoop:
		return w.node("break", 0)
	case k == 8 && inLoop:
		return w.node("continue", 0)
	case k == 9 && w.IntN(3) == 0:
		return w.node("return", 0, w.int(1))
	case k == 10:
		return w.node("store", 0, w.int(1), w.int(2))
	case k == 11:
		return w.node("fset", w.IntN(floats), w.float(2))
	case k == 12:
		return w.node("scope", w.IntN(integers), w.int(2))
	case k == 13 && w.IntN(2) == 0:
		return w.node([]string{"rotate", "halves", "copy"}[w.IntN(3)], w.IntN(integers), w.int(2))
	}
	return w.node("set", w.IntN(integers), w.int(3))
}

// size is that of the memory of a random program.
const size = 8

// registers are the variables of a random program.
type registers struct {
	ints   [integers]stage.Dyn[int64]
	floats [floats]stage.Dyn[float64]
}

// parts are what a random program gives to a function, and gets from it.
type parts struct {
	quotient, rest stage.Dyn[int64]
	of             struct{ sign stage.Dyn[bool] }
}

var halves = stage.Func("halves", func(s *stage.S, x parts, list [2]stage.Dyn[float64]) (parts, stage.Dyn[float64]) {
	x.quotient, x.rest = x.quotient.Div(2).Add(x.rest), x.quotient.Rem(2)
	if s.If(x.of.sign) {
		return x, list[0]
	}
	x.of.sign = x.rest.Ne(0)
	return x, list[1]
})

const (
	goesOn signal = iota
	breaks
	continues
	returns
)

// stages is the function of a program.
func stages(body *node) func(s *stage.S, a, b stage.Dyn[int64], f stage.Dyn[float64], mem stage.Slice[int64]) (stage.Dyn[int64], stage.Dyn[float64]) {
	var help func(s *stage.S, k int, x stage.Dyn[int64]) stage.Dyn[int64]
	help = stage.Func("help", func(s *stage.S, k int, x stage.Dyn[int64]) stage.Dyn[int64] {
		if k == 0 {
			return x.And(7)
		}
		if s.If(x.Gt(3)) {
			return help(s, k-1, x.Sub(k))
		}
		return help(s, k-1, x.Add(1)).Mul(k + 1)
	})
	return func(s *stage.S, a, b stage.Dyn[int64], f stage.Dyn[float64], mem stage.Slice[int64]) (stage.Dyn[int64], stage.Dyn[float64]) {
		w := &walker{s: s, mem: mem, help: help, at: stage.NewStatic(s, "the node", 0)}
		var init registers
		for i := range stage.Range(s, integers) {
			init.ints[i] = stage.Lit(s, int64(i))
		}
		for i := range stage.Range(s, floats) {
			init.floats[i] = f.Add(i)
		}
		w.registers = stage.VarOf(s, "registers", init)
		for range statics {
			w.statics = append(w.statics, stage.NewStatic(s, "a static", 0))
		}
		w.ints[0].Set(a)
		w.ints[1].Set(b)
		w.result = stage.Var[int64](s, "result", 0)
		w.do(body)
		for _, x := range w.statics {
			x.Set(0)
		}
		w.at.Set(0)
		sum := w.result.Get()
		for i := range stage.Range(s, integers) {
			sum = sum.Mul(31).Add(w.ints[i])
		}
		return sum, w.floats[0].Add(w.floats[1])
	}
}

// outcome is what came of a run.
func outcome(x int64, f float64, mem []int64, err any) string {
	if err != nil {
		return "trap"
	}
	return fmt.Sprint(x, f, mem)
}

// What is staged computes what the same function computes on values.
func TestRandom(t *testing.T) {
	runs, branches, traps := 0, 0, 0
	for seed := *from; seed < *from+uint64(*programs); seed++ {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 17))}
		body := w.block(3, false)
		fn := stages(body)
		g, stats, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "main", fn)
		if err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, body)
		}
		runs, branches = runs+stats.Runs, branches+stats.Branches
		p, err := run.Interpret(g, interp.Options{Fuel: 1 << 22})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for range 3 {
			a, b, f := w.Int64N(20)-10, w.Int64N(20)-10, float64(w.IntN(40))/8-2
			mem := make([]int64, size)
			for i := range mem {
				mem[i] = w.Int64N(100) - 50
			}
			got, want := interpreted(t, p, g, a, b, f, slices.Clone(mem)), direct(fn, a, b, f, slices.Clone(mem))
			if want == "trap" {
				traps++
			}
			if got != want {
				t.Fatalf("seed %d: %s, want %s\n%v\n%d %d %v %v\n%s", seed, got, want, body, a, b, f, mem, text.String(g, text.PrintOptions{}))
			}
		}
	}
	if t.Logf("%d programs, %d runs for %d branches, %d of %d stop", *programs, runs, branches, traps, 3**programs); traps > *programs {
		t.Errorf("%d of %d stop", traps, 3**programs)
	}
}

func interpreted(t *testing.T, p *run.Interpreted, g *ir.Graph, a, b int64, f float64, mem []int64) string {
	buf := interp.NewBuffer(g.Ctx, ir.I64, size, false)
	for i, x := range mem {
		buf.Store(i, ir.IntVal(x, 64))
	}
	out, _, err := p.Call(t.Context(), "main", []ir.Val{ir.IntVal(a, 64), ir.IntVal(b, 64), ir.F64Val(f), (&interp.MemRef{Buf: buf, Sizes: []int64{size}, Strides: []int64{1}}).Val()})
	if err != nil {
		if !ir.IsTrap(err) {
			t.Fatal(err)
		}
		return outcome(0, 0, nil, err)
	}
	for i := range mem {
		mem[i] = int64(buf.Load(i).Bits)
	}
	return outcome(int64(out[0].Bits), out[1].F64(), mem, nil)
}

func direct(fn func(s *stage.S, a, b stage.Dyn[int64], f stage.Dyn[float64], mem stage.Slice[int64]) (stage.Dyn[int64], stage.Dyn[float64]), a, b int64, f float64, mem []int64) (out string) {
	defer func() {
		if err := recover(); err != nil {
			out = outcome(0, 0, nil, err)
		}
	}()
	s := stage.Direct()
	x, y := fn(s, stage.DirectOf(s, a), stage.DirectOf(s, b), stage.DirectOf(s, f), stage.Of(s, mem))
	return outcome(x.Value(), y.Value(), mem, nil)
}
