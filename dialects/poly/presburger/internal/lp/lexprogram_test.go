package lp

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

func vector(vs ...int64) []Int {
	out := make([]Int, len(vs))
	for i, v := range vs {
		out[i] = NewInt(v)
	}
	return out
}

func TestLexProgram(t *testing.T) {
	p := NewLexProgram(3, NewBudget(DefaultBudget))
	p.AddGe(vector(-7, 2, 3, 0)) // 2 x + 3 y >= 7
	if err := p.AddEq(vector(1, 1, 1, -1)); err != nil {
		t.Fatal(err)
	}
	x, ok, err := p.Solve()
	if err != nil || !ok || !slices.Equal(x, vector(0, 3, 4)) {
		t.Errorf("%v %v %v", x, ok, err)
	}
	q := p.Clone()
	q.AddGe(vector(2, 0, -1, 0)) // y <= 2
	if x, ok, _ := q.Solve(); !ok || !slices.Equal(x, vector(1, 2, 4)) {
		t.Errorf("%v %v", x, ok)
	}
	q.AddGe(vector(1, 0, 0, -1)) // z <= 1
	if x, ok, _ := q.Solve(); ok {
		t.Errorf("%v of an empty program", x)
	}
	if x, ok, _ := p.Solve(); !ok || !slices.Equal(x, vector(0, 3, 4)) {
		t.Errorf("a clone changed it: %v", x)
	}
}

func TestLexProgramBudget(t *testing.T) {
	p := NewLexProgram(2, NewBudget(3))
	p.AddGe(vector(-1, 2, 2))
	if _, _, err := p.Solve(); !errors.Is(err, ErrBudget) {
		t.Errorf("error %v", err)
	}
}

// Random programs have the least point that trying all points of a box finds.
func TestLexProgramRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	solved := 0
	for range 3000 {
		n := 1 + r.IntN(3)
		p := NewLexProgram(n, NewBudget(DefaultBudget))
		var ge, eq [][]Int
		for range 1 + r.IntN(4) {
			c := make([]Int, 1+n)
			for i := range c {
				c[i] = NewInt(int64(r.IntN(9) - 4))
			}
			if r.IntN(5) == 0 {
				eq = append(eq, c)
				if err := p.AddEq(c); err != nil {
					t.Fatal(err)
				}
			} else {
				ge = append(ge, c)
				p.AddGe(c)
			}
		}
		for i := range n { // a box
			c := make([]Int, 1+n)
			c[0], c[1+i] = NewInt(6), NewInt(-1)
			ge = append(ge, c)
			p.AddGe(c)
			if r.IntN(2) == 0 {
				if _, _, err := p.Solve(); err != nil { // on the way
					t.Fatal(err)
				}
			}
		}
		want := least(n, 6, func(x []Int) bool {
			for _, c := range ge {
				if Dot(c[1:], x).Add(c[0]).Sign() < 0 {
					return false
				}
			}
			return !slices.ContainsFunc(eq, func(c []Int) bool { return !Dot(c[1:], x).Add(c[0]).IsZero() })
		})
		x, ok, err := p.Solve()
		if err != nil || ok != (want != nil) || !slices.Equal(x, want) {
			t.Fatalf("eq %v ge %v: %v %v %v, want %v", eq, ge, x, ok, err, want)
		}
		if ok {
			solved++
		}
	}
	if solved < 500 {
		t.Errorf("only %d programs have a solution", solved)
	}
}

// least is the first point of a box in lexicographic order for which f holds, or nil.
func least(n int, top int64, f func(x []Int) bool) []Int {
	x := make([]Int, n)
	for {
		if f(x) {
			return x
		}
		i := n - 1
		for ; i >= 0 && x[i].v == top; i-- {
			x[i] = Int{}
		}
		if i < 0 {
			return nil
		}
		x[i].v++
	}
}
