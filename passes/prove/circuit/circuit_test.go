package circuit

import (
	"context"
	"math/rand/v2"
	"testing"
)

// Enumeration, the solver and the values of a model say the same of random circuits, with inputs that hold for all values too.
func TestEnumerateAndSolveAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	found := 0
	for range 300 {
		c := New()
		inputs := c.Inputs(1 + r.IntN(9))
		bits := append([]Bit{}, inputs...)
		for range 2 + r.IntN(40) {
			pick := func() Bit { return bits[r.IntN(len(bits))] ^ Bit(r.IntN(2)) }
			bits = append(bits, c.And(pick(), pick()))
		}
		goal := c.All(bits[len(bits)-1], bits[len(bits)-2].Not())
		_, sat, err := c.Solve(context.Background(), goal, 1000)
		if err != nil {
			t.Fatal(err)
		}
		m, some, err := c.Enumerate(context.Background(), goal, inputs, nil)
		if err != nil || sat != some {
			t.Fatalf("the solver says %v, all values say %v, %v", sat, some, err)
		}
		if some {
			found++
			if !c.Value(m, goal)[0] {
				t.Fatal("the model is none")
			}
		}
		k := r.IntN(len(inputs))
		_, all, err := c.Enumerate(context.Background(), goal, inputs[k:], inputs[:k])
		if want := existsForAll(c, goal, inputs[k:], inputs[:k]); err != nil || all != want {
			t.Fatalf("of %d inputs, %d for all values: %v, and one by one %v, %v", len(inputs), k, all, want, err)
		}
	}
	if found < 30 || found > 270 {
		t.Errorf("%d of 300 circuits can be true", found)
	}
}

func existsForAll(c *Circuit, goal Bit, free, every []Bit) bool {
	for x := range 1 << len(free) {
		holds := true
		for y := range 1 << len(every) {
			m := Model{}
			for i, b := range free {
				m[b] = x>>i&1 == 1
			}
			for i, b := range every {
				m[b] = y>>i&1 == 1
			}
			holds = holds && c.Value(m, goal)[0]
		}
		if holds {
			return true
		}
	}
	return false
}

// The solver stops at its budget, and when it is told to. No other one starts behind it, which could learn what is wrong.
func TestSolveStops(t *testing.T) {
	c := New()
	x, y, z := c.Inputs(12), c.Inputs(12), c.Inputs(12)
	product := c.Equal(c.Mul(x, y), Const(12, 35))
	m, ok, err := c.Solve(context.Background(), product, 1<<20)
	if err != nil || !ok || c.Number(m, x)*c.Number(m, y)%(1<<12) != 35 {
		t.Errorf("%d * %d is not 35: %v, %v", c.Number(m, x), c.Number(m, y), ok, err)
	}
	differ := c.Equal(c.Mul(c.Mul(x, y), z), c.Mul(x, c.Mul(y, z))).Not()
	ctx, end := context.WithCancel(context.Background())
	end()
	if _, _, err := c.Solve(ctx, differ, 1<<30); err != context.Canceled {
		t.Errorf("told to stop: %v", err)
	}
	if _, _, err := c.Enumerate(ctx, differ, x, nil); err != context.Canceled {
		t.Errorf("told to stop while it enumerates: %v", err)
	}
	for range 2 {
		if _, _, err := c.Solve(context.Background(), differ, 50); err != ErrGaveUp {
			t.Errorf("after 50 conflicts: %v", err)
		}
	}
	if _, _, err := c.Solve(context.Background(), product, 1<<20); err != ErrGaveUp {
		t.Errorf("a search behind one that was given up: %v", err)
	}
}
