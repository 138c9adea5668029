package expr

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// random makes an affine expression of two dimensions and two symbols, of which the second
// is positive.
func random(r *rand.Rand, depth int) *Expr {
	if depth == 0 || r.IntN(8) == 0 {
		switch r.IntN(4) {
		case 0:
			return Const(r.Int64N(21) - 10)
		case 1:
			return Sym(r.IntN(2))
		}
		return Dim(r.IntN(2))
	}
	for {
		op := []Op{OpAdd, OpAdd, OpAdd, OpMul, OpMod, OpFloorDiv, OpCeilDiv}[r.IntN(7)]
		right := Const(r.Int64N(9) + 1)
		switch {
		case op == OpAdd:
			right = random(r, depth-1)
		case op == OpMul && r.IntN(2) == 0:
			right = Const(r.Int64N(9) - 4)
		case r.IntN(6) == 0:
			right = Sym(1)
		}
		if e := Make(op, random(r, depth-1), right); e != nil {
			return e
		}
	}
}

func TestSimplify(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 20000 {
		e := random(r, 5)
		s := e.Simplify()
		if again := s.Simplify(); !Equal(s, again) {
			t.Fatalf("%v becomes %v, and that %v", e, s, again)
		}
		for range 4 {
			dims, syms := []int64{r.Int64N(41) - 20, r.Int64N(41) - 20}, []int64{r.Int64N(41) - 20, r.Int64N(5) + 1}
			want, err := e.Eval(dims, syms)
			got, err2 := s.Eval(dims, syms)
			if err != nil || err2 != nil || want != got {
				t.Fatalf("%v is %d (%v) at %v %v, simplified %v is %d (%v)", e, want, err, dims, syms, s, got, err2)
			}
		}
	}
}

func TestReplace(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	for range 5000 {
		e, x, y := random(r, 3), random(r, 3), random(r, 2)
		n, p := Const(r.Int64N(9)-4), Const(r.Int64N(4)+1)
		c := e.Replace([]*Expr{x, y}, []*Expr{n, p})
		if c == nil {
			t.Fatalf("%v with %v and %v is not affine", e, x, y)
		}
		dims, syms := []int64{r.Int64N(41) - 20, r.Int64N(41) - 20}, []int64{r.Int64N(41) - 20, r.Int64N(5) + 1}
		a, _ := x.Eval(dims, syms)
		b, _ := y.Eval(dims, syms)
		want, _ := e.Eval([]int64{a, b}, []int64{n.N, p.N})
		if got, err := c.Eval(dims, syms); err != nil || got != want {
			t.Fatalf("%v with %v and %v is %v: %d (%v), want %d", e, x, y, c, got, err, want)
		}
	}
	if e := Make(OpMul, Dim(0), Sym(0)).Replace([]*Expr{Dim(0)}, []*Expr{Dim(1)}); e != nil {
		t.Errorf("a product of dimensions: %v", e)
	}
	e := Dim(0)
	for range 40 {
		if e == nil {
			return
		}
		e = Add(Make(OpMod, e, Const(7)), Make(OpFloorDiv, e, Const(3))).Replace([]*Expr{Add(Dim(0), Dim(1)), Dim(0)}, nil)
	}
	t.Error("expressions grow without bound")
}

// Sums may leave 64 bits and come back; results and what is divided may not.
func TestEvalOverflow(t *testing.T) {
	const big = math.MaxInt64
	for _, c := range []struct {
		e    *Expr
		want int64
		err  error
	}{
		{Add(Add(Dim(0), Sym(0)), Mul(Dim(1), Const(-1))), big, nil},
		{Add(Dim(0), Sym(0)), 0, ErrOverflow},
		{FloorDiv(Add(Dim(0), Sym(0)), Const(2)), 0, ErrOverflow},
		{FloorDiv(Dim(1), Mul(Sym(0), Const(-1))), 0, ErrDivisor},
		{Mod(Dim(1), Add(Sym(0), Mul(Sym(0), Sym(1)))), 0, ErrDivisor},
		{Mul(Dim(0), Const(2)), 0, ErrOverflow},
		{CeilDiv(Mul(Dim(1), Const(-1)), Const(2)), -(big / 2), nil},
		{Const(math.MinInt64), math.MinInt64, nil},
		{Mod(Const(-5), Const(big)), big - 5, nil},
	} {
		got, err := c.e.Eval([]int64{big, big}, []int64{big, -1})
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%v is %d, %v; want %d, %v", c.e, got, err, c.want, c.err)
		}
	}
}

func TestPrint(t *testing.T) {
	for want, e := range map[string]*Expr{
		"d0 * 2 - s0":          Sub(Mul(Dim(0), Const(2)), Sym(0)),
		"-(d0 + d1)":           Mul(Add(Dim(0), Dim(1)), Const(-1)),
		"d0 mod 7 - 3":         Sub(Mod(Dim(0), Const(7)), Const(3)),
		"(d0 + 1) floordiv s1": FloorDiv(Add(Const(1), Dim(0)), Sym(1)),
		"d0 mod 4":             Sub(Dim(0), Mul(FloorDiv(Dim(0), Const(4)), Const(4))),
	} {
		if e.String() != want {
			t.Errorf("%v, want %s", e, want)
		}
	}
	if s := (&Set{Dims: 1}).String(); s != "(d0) : (0 == 0)" {
		t.Error(s)
	}
	if s := (&Map{Dims: 1, Syms: 1, Results: []*Expr{Dim(0), Const(3)}}).String(); s != "(d0)[s0] -> (d0, 3)" {
		t.Error(s)
	}
}
