package stage_test

import (
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	m.Run()
}

func power(n int) func(s *stage.S, x stage.Dyn[float64]) stage.Dyn[float64] {
	return func(s *stage.S, x stage.Dyn[float64]) stage.Dyn[float64] {
		r := stage.Lit(s, 1.0)
		p := x
		n := stage.NewStatic(s, "n", n)
		for n.Get() > 0 {
			if n.Get()%2 == 1 {
				r = r.Mul(p)
			}
			n.Set(n.Get() / 2)
			p = p.Mul(p)
		}
		return r
	}
}

func TestPower(t *testing.T) {
	p, err := stage.Compile[func(float64) float64](t.Context(), "power", power(10))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	t.Log(p.Text(), p.Stats)
	if x := p.Call(2); x != 1024 {
		t.Errorf("%v", x)
	}
}

func sum(s *stage.S, x stage.Slice[int32], n stage.Dyn[int]) stage.Dyn[int64] {
	i, sum := stage.Var[int](s, "i", 0), stage.Var[int64](s, "sum", 0)
	for s.While(i.Lt(n)) {
		v := stage.To[int64](x.At(i))
		i.Set(i.Add(1))
		if s.If(v.Eq(7)) {
			continue
		}
		if s.If(v.Lt(0)) {
			break
		}
		if s.If(sum.Gt(100)) {
			return stage.Lit[int64](s, -1)
		}
		sum.Set(sum.Add(v))
	}
	return sum
}

func TestSum(t *testing.T) {
	p, err := stage.Compile[func([]int32, int) int64](t.Context(), "sum", sum)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	t.Log(p.Text(), p.Stats)
	for _, c := range []struct {
		x    []int32
		want int64
	}{{[]int32{1, 2, 7, 3}, 6}, {[]int32{1, -2, 7, 3}, 1}, {[]int32{100, 2, 7, 3}, -1}, {nil, 0}} {
		if got := p.Call(c.x, len(c.x)); got != c.want {
			t.Errorf("%v: %v", c.x, got)
		}
	}
}

var fib func(s *stage.S, n stage.Dyn[int]) stage.Dyn[int]

func init() {
	fib = stage.Func("fib", func(s *stage.S, n stage.Dyn[int]) stage.Dyn[int] {
		if s.If(n.Lt(2)) {
			return n
		}
		return fib(s, n.Sub(1)).Add(fib(s, n.Sub(2)))
	})
}

func TestFib(t *testing.T) {
	p, err := stage.Compile[func(int) int](t.Context(), "main", func(s *stage.S, n stage.Dyn[int]) stage.Dyn[int] { return fib(s, n) })
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	t.Log(p.Text(), p.Stats)
	if got := p.Call(20); got != 6765 {
		t.Errorf("%d", got)
	}
}

// What the host gives a function of the program, and what it captures, tells functions apart; they all have names of their own.
func TestFunctions(t *testing.T) {
	given := stage.Func("given", func(s *S, a, b string, k float64, x Float) Float {
		return x.Mul(k).Add(len(a)*100 + len(b)*10 + int(a[1]))
	})
	negative, nan := math.Copysign(0, -1), math.NaN()
	fn := func(s *S, x Float) Float {
		r := given(s, "a-b", "c", 1e10, x).Add(given(s, "a+b", "c", 1e10, x)).Add(given(s, "a_b", "c", 0.5, x)).Add(given(s, "a_", "_c", 0.5, x))
		return r.Add(stage.Lit(s, 1.0).Div(given(s, "ab", "", 0, x).Sub(98).Mul(negative))).Add(stage.Select[float64](given(s, "ab", "", nan, x).Eq(given(s, "ab", "", nan, x)), 1, 2))
	}
	p, err := stage.Compile[func(float64) float64](t.Context(), "given", fn)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	want := fn(stage.Direct(), stage.DirectOf(stage.Direct(), 3.0)).Value()
	if got := p.Call(3); got != want || strings.Count(p.Text(), "func.func") != 7 {
		t.Errorf("%v, want %v\n%s", got, want, p.Text())
	}
}

// A bound program keeps its slices, and gives back what it wrote.
func TestBind(t *testing.T) {
	p, err := stage.Compile[func([]int, int) int](t.Context(), "f", func(s *S, x Memory, a Int) Int {
		x.Set(1, x.At(1).Add(a))
		return x.At(0)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	x := []int{7, 0, 3}
	b, err := p.Bind(x, 5)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if out, _, err := b.Run(); err != nil || len(out) != 1 || out[0] != 7 {
			t.Errorf("%v, %v", out, err)
		}
	}
	if err := b.Close(); err != nil || x[1] != 15 {
		t.Errorf("%v, %v", x, err)
	}
	if _, err := p.Bind(x); err == nil {
		t.Error("an argument is missing")
	}
	if _, err := p.Bind(nil, 5); err == nil {
		t.Error("an argument is nil")
	}
}
