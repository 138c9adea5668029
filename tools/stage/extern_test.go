package stage_test

import (
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/stage"
)

var (
	hypot = stage.Extern[func(s *S, p point) Float]("hypot", func(p plainPoint) float64 { return math.Hypot(p.x, p.y) })
	labs  = stage.Extern[func(s *S, x Int) Int]("labs", func(x int) int { return max(x, -x) })
	upper = stage.Extern[func(s *S, x stage.Dyn[int32]) stage.Dyn[int32]]("toupper", nil)
)

// Functions of C are called by native code; in the interpreter, and directly, those of Go that stand for them.
func TestExterns(t *testing.T) {
	f := func(s *S, p point, n Int) (Float, Int) {
		sum, i := stage.Var[float64](s, "sum", 0), stage.Var[int](s, "i", n)
		for s.While(i.Lt(0)) {
			sum.Set(sum.Add(hypot(s, point{p.x, stage.To[float64](i)})))
			i.Set(i.Add(1))
		}
		return sum, labs(s, n)
	}
	for _, on := range []*engine.Kind{engine.Eval, engine.Auto} {
		p, err := stage.CompileOn[func(plainPoint, int) (float64, int)](t.Context(), on, "f", f)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for n := -4; n < 3; n++ {
			s := stage.Direct()
			sum, abs := f(s, point{stage.DirectOf(s, 2.5), stage.DirectOf(s, 0.0)}, stage.DirectOf(s, n))
			got, m := p.Call(plainPoint{2.5, 0}, n)
			if math.Abs(got-sum.Value()) > 1e-14 || m != abs.Value() {
				t.Errorf("of %d on %s: %v %v, want %v %v\n%s", n, p.Engine(), got, m, sum.Value(), abs.Value(), p.Text())
			}
		}
		if !strings.Contains(p.Text(), "func.func private @hypot(f64, f64) -> f64") {
			t.Error(p.Text())
		}
	}
}

// What has no function of Go runs as native code alone, and the interpreter says so.
func TestNativeExtern(t *testing.T) {
	f := func(s *S, x stage.Dyn[int32]) stage.Dyn[int32] { return upper(s, x) }
	on, err := stage.CompileOn[func(int32) (int32, error)](t.Context(), engine.Eval, "f", f)
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	if _, err := on.Call('a'); err == nil || !strings.Contains(err.Error(), "@toupper is declared but has no body") {
		t.Error(err)
	}
	p, err := stage.Compile[func(int32) (int32, error)](t.Context(), "f", f)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Engine() != "llvm" {
		t.Skip("no libLLVM")
	}
	if x, err := p.Call('a'); x != 'A' || err != nil {
		t.Error(x, err)
	}
}

// Functions that no C has are refused where they are made.
func TestNoExterns(t *testing.T) {
	for says, f := range map[string]func(){
		"has 2 results: a function that is not staged": func() { stage.Extern[func(s *S) point]("f", nil) },
		"parameter 1 of the extern f is stage.Slice":   func() { stage.Extern[func(s *S, x Memory)]("f", nil) },
		"parameter 1 of the extern f is int":           func() { stage.Extern[func(s *S, x int)]("f", nil) },
		"func(int) is not what func(*stage.S, stage":   func() { stage.Extern[func(s *S, x Float)]("f", func(int) {}) },
		"is no function that begins with a *stage.S":   func() { stage.Extern[func(x float64) float64]("f", math.Cbrt) },
	} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), says) {
					t.Errorf("%v, want %s", err, says)
				}
			}()
			f()
		}()
	}
	f := stage.Func("hypot", func(s *S, x Float) Float { return x })
	if _, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *S, p point) Float { return f(s, hypot(s, p)) }); err == nil || !strings.Contains(err.Error(), "two functions are named hypot") {
		t.Error(err)
	}
	if _, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *S, p point) Float { return hypot(s, point{f(s, p.x), p.y}) }); err == nil || !strings.Contains(err.Error(), "another function of the program is named hypot") {
		t.Error(err)
	}
}

// The functions of math give directly what the ops give in the interpreter, to the bit.
func TestMath(t *testing.T) {
	f := func(s *S, x, y Float, z stage.Dyn[float32]) (out [33]Float, narrow stage.Dyn[float32]) {
		for i, f := range []func(Float) Float{stage.Sqrt[float64], stage.Cbrt[float64], stage.Abs[float64], stage.Floor[float64], stage.Ceil[float64], stage.Trunc[float64],
			stage.Round[float64], stage.RoundToEven[float64], stage.Exp[float64], stage.Exp2[float64], stage.Expm1[float64], stage.Log[float64], stage.Log2[float64],
			stage.Log10[float64], stage.Log1p[float64], stage.Sin[float64], stage.Cos[float64], stage.Tan[float64], stage.Asin[float64], stage.Acos[float64], stage.Atan[float64],
			stage.Sinh[float64], stage.Cosh[float64], stage.Tanh[float64], stage.Asinh[float64], stage.Acosh[float64], stage.Atanh[float64], stage.Erf[float64]} {
			at := stage.NewStatic(s, "f", i)
			out[i] = f(x)
			at.Done()
		}
		out[28], out[29], out[30] = stage.Pow(x, y), stage.Atan2(y, x), stage.Copysign(x, y)
		out[31] = stage.FMA(x, y, out[28])
		v := stage.Var[float64](s, "v", x)
		out[32] = stage.FMA(v, v, 0.1)
		return out, stage.FMA(z, z, stage.Pow(z, 1.5).Add(stage.Tanh(z)))
	}
	p, err := stage.CompileOn[func(x, y float64, z float32) ([33]float64, float32)](t.Context(), engine.Eval, "f", f)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, x := range []float64{0, 0.3, -0.7, 1, 2.5, -3.5, 17, 1e-9, 700} {
		s := stage.Direct()
		want, w := f(s, stage.DirectOf(s, x), stage.DirectOf(s, 1.25-x), stage.DirectOf(s, float32(x)))
		got, g := p.Call(x, 1.25-x, float32(x))
		for i := range got {
			if v := want[i].Value(); got[i] != v && (got[i] == got[i] || v == v) {
				t.Errorf("function %d of %v: %v, directly %v", i, x, got[i], v)
			}
		}
		if v := w.Value(); g != v && (g == g || v == v) {
			t.Errorf("of %v: %v, directly %v", x, g, v)
		}
	}
}
