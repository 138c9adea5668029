package presburger

import (
	"fmt"
	"testing"
)

// TestLexFunctions compares optima as functions with optima as maps, with isl's, and
// bounds of dimensions with enumeration.
func TestLexFunctions(t *testing.T) {
	o := optionalOracle(t)
	cases, over, quota := max(moreCases()/4, 10), 0, 0
	for i := range cases {
		g := newGen(*oracleSeed+99, uint64(i))
		g.bounded = true
		r := g.relation(1, 1+g.IntN(2))
		m := mustMap(t, r.text).WithBudget(50_000_000)
		f, err := m.LexMinPwMultiAff()
		if err == ErrBudget {
			over++
			continue
		}
		if err != nil {
			t.Errorf("%d %s: %v", i, r.text, err)
			continue
		}
		least, err := m.LexMin()
		if err != nil {
			t.Fatal(err)
		}
		graph, err := f.AsMap()
		if err != nil {
			t.Fatal(err)
		}
		if eq, err := graph.IsEqual(least); !eq && err != ErrBudget {
			t.Errorf("%d %s: %s is not %s %v", i, r.text, f, least, err)
		}
		back, err := graph.AsPwMultiAff()
		if err != nil && err != ErrBudget {
			t.Errorf("%d %s: %v", i, graph, err)
		} else if eq, err := back.IsEqual(f); !eq && err == nil {
			t.Errorf("%d %s reads back as %s", i, f, back)
		}
		if bad := checkDims(r, m); bad != "" {
			t.Errorf("%d %s: %s", i, r.text, bad)
		}
		if o == nil {
			continue
		}
		want, err := o.Ask("pma_lexmin", r.text)
		if err == nil && len(f.f.Pieces) > 0 {
			want, err = o.Ask("pma_is_equal", f.String(), want)
		}
		switch {
		case err != nil:
			quota++
		case want != "true" && len(f.f.Pieces) > 0:
			t.Errorf("%d %s: isl does not have %s", i, r.text, f)
		}
	}
	t.Logf("%d cases, over budget %d, isl gave up on %d", cases, over, quota)
}

// checkDims enumerates the bounds of the second dimension of a bounded map.
func checkDims(r rel, m Map) string {
	d := r.out - 1
	lo, err1 := m.DimMin(d)
	hi, err2 := m.DimMax(d)
	if err1 == ErrBudget || err2 == ErrBudget {
		return ""
	}
	if err1 != nil || err2 != nil {
		return fmt.Sprint(err1, err2)
	}
	points := r.box()
	for _, n := range atNs {
		least, most := map[int64]int64{}, map[int64]int64{}
		for _, x := range points[n] {
			if v, ok := least[x[0]]; !ok || x[1+d] < v {
				least[x[0]] = x[1+d]
			}
			if v, ok := most[x[0]]; !ok || x[1+d] > v {
				most[x[0]] = x[1+d]
			}
		}
		for i := int64(-6); i <= 6; i++ {
			for _, c := range []struct {
				f    PwAff
				want map[int64]int64
			}{{lo, least}, {hi, most}} {
				v, ok, err := c.f.Eval(ints([]int64{i}), map[string]Int{"N": NewInt(n)})
				w, has := c.want[i]
				if err != nil || ok != has || ok && v.String() != fmt.Sprint(w) {
					return fmt.Sprintf("at N = %d, %d: %s, want %d of %s", n, i, ratText(v, ok), w, c.f)
				}
			}
		}
	}
	return ""
}

// TestMultiAff checks tuples of functions against their parts.
func TestMultiAff(t *testing.T) {
	f, err := ParsePwMultiAff("[N] -> { S[i, j] -> T[(i + N), (floor(j/2))] : i >= 0; S[i, j] -> T[(j)/2, (i)] : i < 0 }")
	if err != nil {
		t.Fatal(err)
	}
	g, err := ParsePwMultiAff("{ [k] -> S[k - 3, 2k] }")
	if err != nil {
		t.Fatal(err)
	}
	h, err := f.Pullback(g)
	if want := "[N] -> { [k] -> T[(N + k - 3), (k)] : k >= 3; [k] -> T[(k), (k - 3)] : k <= 2 }"; err != nil || h.String() != want {
		t.Errorf("pullback: %s, want %s %v", h, want, err)
	}
	p, err := f.FlatRangeProduct(f)
	if err != nil || p.Len() != 4 || p.At(3).String() != f.At(1).String() {
		t.Errorf("flat range product %s %v", p, err)
	}
	p, err = f.RangeProduct(f)
	if err != nil || p.Len() != 4 {
		t.Errorf("range product %s %v", p, err)
	}
	if back, err := ParsePwMultiAff(p.String()); err != nil {
		t.Errorf("%s: %v", p, err)
	} else if eq, err := back.IsEqual(p); !eq || err != nil {
		t.Errorf("%s reads as %s %v", p, back, err)
	}
	m, err := f.AsMap()
	if err != nil {
		t.Fatal(err)
	}
	if ok, _ := m.IsEqual(mustMap(t, "[N] -> { S[i, j] -> T[i + N, floor(j/2)] : i >= 0; S[i, j] -> T[k, i] : i < 0 and j = 2k }")); !ok {
		t.Errorf("as a map: %s", m)
	}
	sum, err := f.Add(f)
	if err != nil {
		t.Fatal(err)
	}
	if eq, _ := sum.IsEqual(f.Scale(Rat{Num: NewInt(2), Den: NewInt(1)})); !eq {
		t.Errorf("f + f = %s", sum)
	}
	if d, err := sum.Sub(f); err != nil || d.String() != f.String() {
		t.Errorf("f + f - f = %s %v", d, err)
	}
	for s, part := range f.Pieces() {
		if eq, _ := s.IsEqual(mustSet(t, "[N] -> { S[i, j] : i >= 0 }")); eq && part.At(0).String() != "[N] -> { S[i, j] -> [(N + i)] }" {
			t.Errorf("piece %s on %s", part, s)
		}
	}
}

// TestTotalFunctions checks those that are defined everywhere, and constants.
func TestTotalFunctions(t *testing.T) {
	ma, err := ParseMultiAff("{ [i, j] -> [(i + j), (i - j)] }")
	if err != nil {
		t.Fatal(err)
	}
	twice, err := ma.Pullback(ma)
	if err != nil || twice.String() != "{ [i, j] -> [(2i), (2j)] }" {
		t.Errorf("pulled back: %s %v", twice, err)
	}
	id, err := IdentityMultiAff(mustSet(t, "{ [i, j] }"))
	if err != nil {
		t.Fatal(err)
	}
	if same, err := ma.Pullback(id); err != nil || same.String() != ma.String() {
		t.Errorf("of the identity: %s %v", same, err)
	}
	one, err := mustSet(t, "[N] -> { A[N + 1] : N > 3 }").AsPwMultiAff()
	if err != nil || one.String() != "[N] -> { A[(N + 1)] : N >= 4 }" {
		t.Errorf("of a set: %s %v", one, err)
	}
	if s, err := one.AsSet(); err != nil || s.String() != "[N] -> { A[N + 1] : N >= 4 }" {
		t.Errorf("back to a set: %s %v", s, err)
	}
}

func TestAff(t *testing.T) {
	a, err := ParseAff("[N] -> { S[i, j] -> [(2i - 3N + 4floor(j/3) + 1)/2] }")
	if err != nil {
		t.Fatal(err)
	}
	if a.Coefficient(0).String() != "1" || a.Coefficient(1).String() != "0" || a.ParamCoefficient("N").String() != "-3/2" ||
		a.Constant().String() != "1/2" || !a.HasFloors() || a.IsCst() {
		t.Errorf("parts of %s", a)
	}
	v, err := a.Eval(ints([]int64{5, -1}), map[string]Int{"N": NewInt(2)})
	if err != nil || v.String() != "1/2" {
		t.Errorf("value %s %v", v, err)
	}
	sum, err := a.Add(a.Neg())
	if err != nil || !sum.IsCst() || sum.Constant().Sign() != 0 {
		t.Errorf("a - a = %s %v", sum, err)
	}
	m, err := a.Mod(NewInt(3))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := m.Eval(ints([]int64{5, -1}), map[string]Int{"N": NewInt(-8)}); v.String() != "1/2" { // 31/2 mod 3
		t.Errorf("mod: %s", v)
	}
	if eq, err := a.Floor().IsEqual(a.Ceil()); eq || err != nil {
		t.Errorf("floor and ceil of %s are equal %v", a, err)
	}
}

// TestExplicit is of functions that equations and bounds give, in one piece.
func TestExplicit(t *testing.T) {
	for _, c := range []struct{ graph, want string }{
		{"{ [a, b] -> [x] : (x - a) mod 32 = 0 and b <= x <= b + 31 }", "{ [a, b] -> [(a - 32*floor((a - b)/32))] }"},
		{"{ [a, b] -> [x] : (x - a) mod 32 = 0 and b <= 2x <= b + 60 and a = 2b }", "{ [a, b] -> [(a - 32*floor((3a + 7)/128))] : 2b = a and 0 <= 3a - 128*floor((3a + 7)/128) <= 120 }"},
		{"{ [a, b] -> [a + 1] : exists (e : 5a <= 7e <= 5a + b) }", "{ [a, b] -> [(a + 1)] : exists (e0 = floor((5a + 6)/7): 5a + b >= 7e0) }"},
	} {
		f, err := mustMap(t, c.graph).AsPwMultiAff()
		if err != nil {
			t.Errorf("%s: %v", c.graph, err)
			continue
		}
		if got := f.String(); got != c.want {
			t.Errorf("%s is %s, not %s", c.graph, got, c.want)
		}
		back, err := f.AsMap()
		if err != nil {
			t.Fatal(err)
		}
		if eq, err := back.IsEqual(mustMap(t, c.graph)); !eq {
			t.Errorf("%s is not %s %v", c.graph, f, err)
		}
	}
}

// TestEmptyShadow is of a set of which the rational shadow of what exists is empty.
func TestEmptyShadow(t *testing.T) {
	for _, text := range []string{
		"{ [i] : exists (a, b : a >= 1 and 2a >= i and 3a <= 50 + i and 5b >= 2a + 1 and 3b <= a) }",
		"{ [i, j, k] : i > j > k >= i and exists (a : 3a >= i and 3a >= j and 5a >= k and 7a <= i + 9 and 7a <= j + 9 and 5a <= k + 9) }",
	} {
		if s, err := mustSet(t, text).OuterFloors(3); err != nil || len(s.Basics()) > 0 {
			t.Errorf("%s: %s %v", text, s, err)
		}
	}
}
