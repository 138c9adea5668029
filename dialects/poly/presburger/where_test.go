package presburger

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// formulas writes random formulas twice: as values and as text.
type formulas struct {
	r    *rand.Rand
	vars []string
	next int
}

func (f *formulas) sum() (Sum, string) {
	s := Sum{Const: f.r.Int64N(11) - 5}
	text := fmt.Sprint(s.Const)
	for range 1 + f.r.IntN(3) {
		t := Term{Times: f.r.Int64N(7) - 3, Var: f.vars[f.r.IntN(len(f.vars))]}
		s.Terms = append(s.Terms, t)
		text += fmt.Sprintf(" + %d*%s", t.Times, t.Var)
	}
	return s, text
}

func (f *formulas) formula(depth int) (Formula, string) {
	if depth == 0 || f.r.IntN(3) == 0 {
		s, text := f.sum()
		switch f.r.IntN(4) {
		case 0:
			return Zero(s), text + " = 0"
		case 1:
			return Nonzero(s), text + " != 0"
		}
		return NonNeg(s), text + " >= 0"
	}
	switch f.r.IntN(5) {
	case 0:
		g, text := f.formula(depth - 1)
		return Not(g), "not (" + text + ")"
	case 1:
		f.next++
		v := fmt.Sprintf("e%d", f.next)
		f.vars = append(f.vars, v)
		g, text := f.formula(depth - 1)
		f.vars = f.vars[:len(f.vars)-1]
		return Exists([]string{v}, g), "(exists (" + v + " : " + text + "))"
	}
	op, word := And, " and "
	if f.r.IntN(2) == 0 {
		op, word = Or, " or "
	}
	var gs []Formula
	var texts []string
	for range 1 + f.r.IntN(3) {
		g, text := f.formula(depth - 1)
		gs, texts = append(gs, g), append(texts, "("+text+")")
	}
	return op(gs...), strings.Join(texts, word)
}

// A formula and its text are the same set.
func TestSetWhere(t *testing.T) {
	params, dims := []string{"N", "M"}, []string{"i", "j"}
	empty := 0
	for seed := range uint64(300) {
		f := &formulas{r: rand.New(rand.NewPCG(seed, 3)), vars: []string{"N", "M", "i", "j"}}
		g, text := f.formula(3)
		want, err := ParseSet("[N, M] -> { S[i, j] : " + text + " }")
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, err := SetWhere(params, NewTuple("S", dims...), g)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if equal, err := got.WithBudget(2_000_000).IsEqual(want); err != nil || !equal {
			t.Fatalf("seed %d: %s\n%v, want\n%v (%v)", seed, text, got, want, err)
		}
		if none, err := got.IsEmpty(); err == nil && none {
			empty++
		}
	}
	if empty > 100 {
		t.Errorf("%d of 300 sets are empty", empty)
	}
}

// What a text must not have a formula must not have either.
func TestSetWhereLimits(t *testing.T) {
	deep := And()
	for range MaxNesting + 1 {
		deep = Not(deep)
	}
	var names []string
	wide := And()
	for k := range 14 { // 2 to the power of 14 conjunctions
		names = append(names, fmt.Sprintf("x%d", k))
		wide = And(wide, Nonzero(Sum{Terms: []Term{{Times: 1, Var: names[k]}}}))
	}
	for want, f := range map[string]Formula{
		"unknown variable k":      Zero(Sum{Terms: []Term{{Times: 1, Var: "k"}}}),
		"nested more than 200":    deep,
		"more than 1000 variable": Exists(make([]string, 1000), And()),
		"multiplies out":          wide,
	} {
		if _, err := SetWhere(nil, NewTuple("", names...), f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Sums have one term a variable, in order, and none of 0.
func TestSums(t *testing.T) {
	x, y := Variable("x"), Variable("y")
	s := y.Plus(2, x).Plus(1, Number(3))
	if got, want := fmt.Sprint(s), "{3 [{2 x} {1 y}]}"; got != want {
		t.Errorf("y + 2 x + 3 is %s, want %s", got, want)
	}
	if d := s.Minus(x.Plus(1, x)); !d.Equal(y.Plus(3, Number(1))) || d.Equal(y) {
		t.Errorf("without 2 x it is %v", d)
	}
	if n, ok := s.Minus(s.Plus(-1, Number(4))).IsNumber(); !ok || n != 4 {
		t.Errorf("a difference is %d, %t, want 4", n, ok)
	}
	if _, ok := s.IsNumber(); ok {
		t.Error("a sum with variables is a number")
	}
}
