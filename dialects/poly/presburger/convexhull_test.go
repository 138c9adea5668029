package presburger

import (
	"strings"
	"testing"
)

func TestPolyhedralHull(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"{ [0]; [2] }", "{ [i] : 0 <= i <= 2 }"},
		{"{ [i, j] : 0 <= i <= j <= 4; [i, j] : 7 <= i <= 9 and j = 2 }", "{ [i, j] : i >= 0 and j <= 4 and 5j <= 28 - 2i and 9j >= 2i }"},
		{"{ [i, j] : i = 0 and j = 0; [i, j] : i >= 1 and j = 1 }", "{ [i, j] : 0 <= j <= 1 and i >= j }"},
		{"{ [i] : i mod 2 = 0 and 1 <= i <= 9 }", "{ [i] : 2 <= i <= 8 }"},
		{"{ [i, j] : i = 0; [i, j] : i = 5 and j = 3 }", "{ [i, j] : 0 <= i <= 5 }"},
		{"[N] -> { [i] : i = 0 and N >= 0; [i] : i = N and N >= 0 }", "[N] -> { [i] : 0 <= i <= N }"},
		{"{ [i, j] : i + j = 3 and 0 <= i <= 1; [i, j] : i + j = 3 and 7 <= i <= 8 }", "{ [i, j] : i + j = 3 and 0 <= i <= 8 }"},
		{"{ [i] : 2i = 1; [i] : i = 4 }", "{ [4] }"},
		{"{ [i] : 2i = 1 }", "{ [i] : false }"},
	} {
		got, err := mustSet(t, c.set).PolyhedralHull()
		if err != nil {
			t.Error(err)
			continue
		}
		if eq, err := got.IsEqual(mustSet(t, c.want)); !eq {
			t.Errorf("%s: %s, want %s %v", c.set, got, c.want, err)
		}
	}
	many := "{ [a, b, c, d] : 0 <= a, b, c, d <= 3; [a, b, c, d] : 7 <= a + b <= 19 and 5 <= c - d <= 20 and 0 <= a, d <= 9 }"
	if _, err := mustSet(t, many).WithBudget(5000).PolyhedralHull(); err != ErrBudget {
		t.Errorf("within 5000 steps: %v", err)
	}
}

// TestRandomPolyhedralHulls compares with isl.
func TestRandomPolyhedralHulls(t *testing.T) {
	o := optionalOracle(t)
	over, quota, differ := 0, 0, 0
	for i := range moreCases() {
		g := newGen(*oracleSeed+11, uint64(i))
		r := g.relation(-1, 1+g.IntN(2))
		s := mustSet(t, r.text).WithBudget(50_000_000)
		got, err := s.PolyhedralHull()
		if err == ErrBudget {
			over++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if in, err := s.IsSubset(got); !in && err == nil {
			t.Errorf("%d %s is not in its hull %s", i, r.text, got)
		}
		if again, err := got.PolyhedralHull(); err != nil || again.String() != got.String() {
			t.Errorf("%d the hull of %s: %s %v", i, got, again, err)
		}
		if v := outerVertex(s, got); v != "" {
			t.Errorf("%d the hull of %s has the vertex %s: %s", i, r.text, v, got)
		}
		if len(got.r.Parts) > 0 && len(got.r.Parts[0].Conjs) > 0 && len(got.r.Parts[0].Conjs[0].Divs) > 0 {
			t.Errorf("%d floors in %s", i, got)
		}
		if o == nil {
			continue
		}
		text, err := o.Ask("polyhedral_hull", r.text)
		if err != nil {
			quota++
			continue
		}
		theirs := mustSet(t, text)
		if eq, err := got.IsEqual(theirs); eq || err != nil {
			continue
		}
		differ++
		smaller, err1 := got.IsSubset(theirs) // isl's may be too large
		larger, err2 := theirs.IsSubset(got)  // or learn more from integers
		if !smaller && !larger && err1 == nil && err2 == nil && !strings.Contains(r.text, "exists") {
			t.Errorf("%d %s:\n ours %s\n isl %s", i, r.text, got, text)
		}
	}
	t.Logf("%d cases, over budget %d, isl gave up on %d, differs on %d", moreCases(), over, quota, differ)
}

// outerVertex is a vertex of a hull, of integers, that is not in the set. Of a bounded
// set without floors there is none: a hull has its vertices where the set has some.
func outerVertex(s, hull Set) string {
	for _, p := range s.r.Parts {
		for _, c := range p.Conjs {
			if len(c.Divs) > 0 || len(s.r.Params) > 0 || !c.Bounded(0, nil) {
				return ""
			}
		}
	}
	vs, err := hull.Vertices()
	if err != nil {
		return ""
	}
	for _, v := range vs {
		var x []Int
		for _, q := range v.Expr.qs {
			if q.Den.IsOne() {
				x = append(x, q.Num[0])
			}
		}
		if len(x) < v.Expr.Len() {
			continue
		}
		if in, err := s.Contains(x, nil); !in && err == nil {
			return v.Expr.String()
		}
	}
	return ""
}
