package irctest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irctest"
)

// shown is a test that prints the first line of what it is told, without the seed. A real test has a *testing.T.
type shown struct{ testing.TB }

func (shown) Helper()             {}
func (shown) Name() string        { return "TestExample" }
func (shown) Failed() bool        { return false }
func (shown) Logf(string, ...any) {}
func (shown) Log(...any)          {}
func (s shown) Errorf(format string, args ...any) {
	s.Error(fmt.Sprintf(format, args...))
}
func (shown) Fatal(args ...any) { panic(fmt.Sprint(args...)) }
func (shown) Error(args ...any) {
	line, _, _ := strings.Cut(fmt.Sprint(args...), "\n")
	if _, after, ok := strings.Cut(line, ": "); ok && strings.HasPrefix(line, "seed ") {
		line = after
	}
	fmt.Println(strings.TrimRight(line, ": "))
}

// Halve is a pass that makes a shift of x / 2, which is right for no odd number below 0.
type Halve struct{}

func (*Halve) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{arith.Divsi: func(m *ir.Mirror, n ir.Node) ir.Value {
		if v, ok := n.Arg(1).Const(); !ok || v.Bits != 2 {
			return 0
		}
		return m.Op(arith.Shrsi, m.Of(n.Arg(0)), m.B.Const(n.Type(), ir.Val{Bits: 1}))
	}}, nil), nil
}

var halve = &pass.Info{Name: "halve", Doc: "Divides by 2 with a shift.", Why: "anywhere", New: func() pass.Pass { return &Halve{} },
	Example: `func.func @f(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %h = arith.divsi %x, %two : i32
  return %h : i32
}`}

func ExampleConfig_Pass() {
	var t testing.TB = shown{}
	irctest.Config{}.Pass(t, halve)
	// Output: the pass changes the meaning
}

// double is 2 x, and with a fold of one's own may be wrong.
func double(fold func(b *ir.Builder, c *ir.Call) ir.Value) *ir.Dialect {
	op := ir.Define(&ir.OpDef{Name: "twice.double", Doc: "2 x.", Args: []string{"x"},
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 1 || c.ArgType(0) != ir.I32 {
				return 0, c.Errorf("takes an i32")
			}
			return ir.I32, nil
		},
		Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ir.IntVal(2*int64(int32(a[0].Bits)), 32), nil }})
	return &ir.Dialect{Name: "twice", Doc: "Doubles.", Clean: true, Ops: []*ir.OpDef{op},
		Folds: []ir.Fold{{Of: op, Rule: "double(double(x)) = x << 2", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			if b.Graph().Def(c.Args[0]) != op {
				return 0
			}
			return fold(b, c)
		}}}}
}

// shift is the inner operand, shifted.
func shift(by uint64) func(b *ir.Builder, c *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		return b.Op(arith.Shli, b.Graph().Args(c.Args[0])[0], b.Const(ir.I32, ir.Val{Bits: by}))
	}
}

func ExampleConfig_Dialect() {
	var t testing.TB = shown{}
	irctest.Config{}.Dialect(t, double(shift(2)))
	irctest.Config{}.Dialect(t, double(shift(3)))
	// Output: the folds change the meaning
}

func ExampleConfig_Mutate() {
	var t testing.TB = shown{}
	irctest.Config{}.Mutate(t, double(shift(2)))
	d := double(shift(2))
	d.Folds[0].Do = func(*ir.Builder, *ir.Call) ir.Value { return 0 }
	irctest.Config{}.Mutate(t, d)
	// Output: rule "double(double(x)) = x << 2" never fires: give a sample on which it does
}

func ExampleConfig() {
	var t testing.TB = shown{}
	c := irctest.Config{
		Programs: 1000,
		Bias:     irctest.Bias{Ops: []string{"arith.divsi"}, Types: []string{"i32"}, Memory: irctest.None, Traps: irctest.Much},
	}
	c.Pass(t, halve)
	// Output: the pass changes the meaning
}

func ExampleConfig_Files() {
	var t testing.TB = shown{}
	irctest.Config{}.Files(t, "testdata/*.mlir")
	fmt.Println("done")
	// Output: done
}
