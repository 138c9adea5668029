package stage_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/stage"
)

// point and box are structs of a program, and those of Go that they are on plain values.
type (
	point struct{ x, y Float }
	box   struct {
		lo, hi point
		hits   [2]Int
	}
	plainPoint struct{ x, y float64 }
	plainBox   struct {
		lo, hi plainPoint
		hits   [2]int
	}
)

// around makes a box around points, which are two slices.
func around(s *S, points struct{ x, y stage.Slice[float64] }, first box) (box, Int) {
	b, i := stage.VarOf(s, "b", first), stage.Var[int](s, "i", 0)
	for s.While(i.Lt(points.x.Len())) {
		p := point{points.x.At(i), points.y.At(i)}
		if s.If(p.x.Gt(100)) {
			stage.Set(s, b, box{b.hi, b.lo, [2]Int{b.hits[1], b.hits[0]}}) // all at once
			break
		}
		stage.Set(s, b.lo, point{b.lo.x.Min(p.x), b.lo.y.Min(p.y)})
		stage.Set(s, b.hi, point{b.hi.x.Max(p.x), b.hi.y.Max(p.y)})
		b.hits[0].Set(b.hits[0].Add(1))
		i.Set(i.Add(1))
	}
	return b, i
}

// Structs and arrays are given, returned and kept in variables, in each engine and directly.
func TestStructs(t *testing.T) {
	type points struct{ x, y []float64 }
	for _, on := range []*engine.Kind{engine.Eval, engine.Auto} {
		p, err := stage.CompileOn[func(points, plainBox) (plainBox, int)](t.Context(), on, "around", around)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for _, c := range []points{{}, {[]float64{3, 7, -1}, []float64{4, 5, -6}}, {[]float64{3, 700}, []float64{4, 5}}} {
			s := stage.Direct()
			lit := func(x float64) Float { return stage.DirectOf(s, x) }
			want, n := around(s, struct{ x, y stage.Slice[float64] }{stage.Of(s, c.x), stage.Of(s, c.y)}, box{point{lit(0), lit(1)}, point{lit(2), lit(3)}, [2]Int{stage.DirectOf(s, 7), stage.DirectOf(s, 8)}})
			got, i := p.Call(c, plainBox{plainPoint{0, 1}, plainPoint{2, 3}, [2]int{7, 8}})
			if i != n.Value() || got != (plainBox{plainPoint{want.lo.x.Value(), want.lo.y.Value()}, plainPoint{want.hi.x.Value(), want.hi.y.Value()}, [2]int{want.hits[0].Value(), want.hits[1].Value()}}) {
				t.Errorf("of %v on %s: %v %d, want %v %v\n%s", c, p.Engine(), got, i, want, n.Value(), p.Text())
			}
		}
	}
}

// Variables are given to a function and returned by one, however many.
func TestSeveralVariables(t *testing.T) {
	swap := stage.Func("swap", func(s *S, a, b Int, p point) (Int, Int, point) { return b, a, point{p.y, p.x} })
	p, err := stage.CompileOn[func(int, plainPoint) (int, int, plainPoint)](t.Context(), engine.Eval, "f", func(s *S, a Int, q point) (Int, Int, point) {
		x, y, z := stage.Var[int](s, "x", a), stage.Var[int](s, "y", 2), stage.VarOf(s, "z", q)
		x.Set(x.Add(1))
		z.x.Set(z.x.Add(stage.Select[float64](y.Eq(2), 1, 0)))
		u, v, w := swap(s, x, y, z)
		x.Set(u)
		y.Set(v)
		stage.Set(s, z, w)
		return x, y, z
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if x, y, z := p.Call(5, plainPoint{3, 4}); x != 2 || y != 6 || z != (plainPoint{4, 4}) {
		t.Error(x, y, z)
	}
}

// Structs that are no values of a program are refused.
func TestNoStructs(t *testing.T) {
	type mixed struct {
		x    Int
		name string
	}
	type plainMixed struct{ X, Y int }
	module := func(fn any) error {
		_, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", fn)
		return err
	}
	for says, err := range map[string]error{
		"parameter 1 has .name, which is string: what the host knows is a parameter of its own": module(func(s *S, x mixed) {}),
		"parameter 1 has [0].name, which is string":                                             module(func(s *S, x [3]mixed) {}),
		"parameter 1 of @f is struct {}, in which there is nothing":                             module(func(s *S, x struct{}) {}),
		"parameter 1 of @f is *stage_test.point: a program takes":                               module(func(s *S, x *point) {}),
		"result 1 has .name, which is string: a program returns Dyn":                            module(func(s *S) (x mixed) { return }),
		"a program fills a Slice that it is given":                                              module(func(s *S, x [2]Memory) [2]Memory { return x }),
		"part .hits[0] of a Dyn that nothing has made": module(func(s *S, x box) {
			stage.VarOf(s, "x", box{lo: x.lo, hi: x.hi})
		}),
		".name, which is string, and it must be made of Dyns": module(func(s *S, a Int) { stage.VarOf(s, "x", mixed{a, "a"}) }),
		"is a Slice":                           module(func(s *S, x struct{ a Memory }) { stage.VarOf(s, "x", x) }),
		"Set: this is a value, not a variable": module(func(s *S, x point) { stage.Set(s, x, stage.Zero[point](s)) }),
		"parameter 1 is stage_test.plainMixed, and the staged function has stage_test.point": func() error {
			_, err := stage.Compile[func(plainMixed)](t.Context(), "f", func(s *S, x point) {})
			return err
		}(),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}
