package presburger

import (
	"testing"

	"github.com/irc-lang/irc/dialects/poly/internal/oracle"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/hull"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

func TestHulls(t *testing.T) {
	for _, c := range []struct{ set, affine, lattice, simple string }{
		{"{ [i] : i mod 2 = 0 and 0 <= i <= 10; [i] : i mod 2 = 0 and 20 <= i <= 30 }", "{ [i] }", "{ [i] : i mod 2 = 0 }", "{ [i] : i mod 2 = 0 and 0 <= i <= 30 }"},
		{"{ [0]; [2] }", "{ [i] }", "{ [i] : i mod 2 = 0 }", "{ [i] : 0 <= i <= 2 }"},
		{"{ [i, j] : 0 <= 2i - j <= 1 and j mod 2 = 0 }", "{ [i, j] : j = 2i }", "{ [i, j] : j = 2i }", "{ [i, j] : j = 2i }"},
		{"{ [i, j] : 0 <= i <= j <= 4; [i, j] : 7 <= i <= 9 and j = 2 }", "{ [i, j] }", "{ [i, j] }", "{ [i, j] : 0 <= i <= 9 and j >= i - 7 and 0 <= j <= 4 }"},
		{"{ [i, j, k] : exists e : i = 6e and j = 10e + 1 and k = 15e }", "{ [i, j, k] : 5i = 3j - 3 and 5i = 2k }", "{ [i, j, k] : exists e : i = 6e and j = 10e + 1 and k = 15e }", "{ [i, j, k] : exists e : i = 6e and j = 10e + 1 and k = 15e }"},
		{"{ S[i] : i = 3; T[i, j] : i = j and 0 <= i <= 5 }", "{ S[3]; T[i, i] }", "{ S[3]; T[i, i] }", "{ S[3]; T[i, i] : 0 <= i <= 5 }"},
		{"[N] -> { [i] : i = N and N >= 3; [i] : i = N + 6 and N <= 5 }", "[N] -> { [i] }", "[N] -> { [i] : (i - N) mod 6 = 0 }", "[N] -> { [i] : N <= i <= N + 6 }"},
		{"{ [i] : 2i = 1 }", "{ [i] : false }", "{ [i] : false }", "{ [i] : false }"},
	} {
		s := mustSet(t, c.set)
		for _, h := range []struct {
			name, want string
			do         func() (Set, error)
		}{{"affine", c.affine, s.AffineHull}, {"lattice", c.lattice, s.LatticeHull}, {"simple", c.simple, s.SimpleHull}} {
			got, err := h.do()
			if err != nil {
				t.Errorf("%s hull of %s: %v", h.name, c.set, err)
				continue
			}
			if eq, err := got.IsEqual(mustSet(t, h.want)); !eq {
				t.Errorf("%s hull of %s: %s, want %s %v", h.name, c.set, got, h.want, err)
			}
		}
	}
	m := mustMap(t, "{ [i] -> [j] : j = 2i and 0 <= i <= 3; [i] -> [j] : j = 2i + 4 and i = 7 }")
	if h, err := m.LatticeHull(); err != nil || h.String() != "{ [i] -> [j] : (-2i + j) mod 4 = 0 }" {
		t.Errorf("lattice hull of a map: %s %v", h, err)
	}
	if h, err := m.AffineHull(); err != nil || h.String() != "{ [i] -> [j] }" {
		t.Errorf("affine hull of a map: %s %v", h, err)
	}
	h, err := m.SimpleHull()
	if eq, _ := h.IsEqual(mustMap(t, "{ [i] -> [j] : 0 <= i <= 7 and -4 <= 2i - j <= 0 and 0 <= j <= 18 }")); !eq {
		t.Errorf("simple hull of a map: %s %v", h, err)
	}
	if _, err := mustSet(t, "{ [i, j] : 3 <= 5i + 7j <= 1000 and 0 <= 11i - 13j <= 90 }").WithBudget(20).AffineHull(); err != ErrBudget {
		t.Errorf("a budget of 20: %v", err)
	}
}

// TestRandomHulls compares hulls with the span of enumerated points, and with isl's.
func TestRandomHulls(t *testing.T) {
	o := optionalOracle(t)
	over, quota := 0, 0
	for i := range moreCases() {
		g := newGen(*oracleSeed+33, uint64(i))
		r := g.relation(-1, 1+g.IntN(3))
		s := mustSet(t, r.text).WithBudget(20_000_000)
		affine, e1 := s.AffineHull()
		lattice, e2 := s.LatticeHull()
		simple, e3 := s.SimpleHull()
		if e1 == ErrBudget || e2 == ErrBudget || e3 == ErrBudget {
			over++
			continue
		}
		if e1 != nil || e2 != nil || e3 != nil {
			t.Fatal(i, e1, e2, e3)
		}
		for _, in := range [][2]Set{{s, simple}, {s, lattice}, {lattice, affine}} {
			if ok, err := in[0].IsSubset(in[1]); !ok && err != ErrBudget {
				t.Errorf("%d %s: %s is not in %s", i, r.text, in[0], in[1])
			}
		}
		if len(simple.r.Parts) > 0 && len(simple.r.Parts[0].Conjs) > 1 {
			t.Errorf("%d simple hull of %s: %s", i, r.text, simple)
		}
		if g.bounded && !r.param {
			checkSpan(t, i, r, affine, lattice)
		}
		if o != nil && !islHulls(t, o, i, r.text, affine, lattice, simple) {
			quota++
		}
	}
	t.Logf("%d cases, over budget %d, isl gave up on %d", moreCases(), over, quota)
}

// checkSpan makes the hulls of all points.
func checkSpan(t *testing.T, i int, r rel, affine, lattice Set) {
	t.Helper()
	points := r.box()[1]
	if len(points) == 0 {
		if e, _ := affine.IsEmpty(); !e {
			t.Errorf("%d hull of the empty %s: %s", i, r.text, affine)
		}
		return
	}
	base := ints(points[0])
	var diffs [][]Int
	for _, p := range points[1:] {
		d := ints(p)
		for k := range d {
			d[k] = d[k].Sub(base[k])
		}
		diffs = append(diffs, d)
	}
	gens := HermiteNormalForm(diffs)
	want := &union.Relation{}
	want.Put(affine.r.Parts[0].Space, hull.Lattice(base, gens))
	if eq, _ := lattice.IsEqual(Set{want}); !eq {
		t.Errorf("%d lattice hull of %s: %s, want %s", i, r.text, lattice, Set{want})
	}
	if n := len(affine.r.Parts[0].Conjs[0].Eq); n != r.out-len(gens) {
		t.Errorf("%d affine hull of %s: %s, want dimension %d", i, r.text, affine, len(gens))
	}
}

// islHulls compares with isl's hulls, which may keep strides; false if it gives up.
func islHulls(t *testing.T, o *oracle.Oracle, i int, text string, affine, lattice, simple Set) bool {
	theirs := func(op string) (Set, bool) {
		got, err := o.Ask(op, text)
		if err != nil {
			return Set{}, false
		}
		return mustSet(t, got), true
	}
	a, ok1 := theirs("affine_hull")
	s, ok2 := theirs("simple_hull")
	if !ok1 || !ok2 {
		return false
	}
	if in, err := lattice.IsSubset(a); !in && err == nil {
		t.Errorf("%d lattice hull of %s: %s is not in isl's %s", i, text, lattice, a)
	}
	if in, err := a.IsSubset(affine); !in && err == nil {
		t.Errorf("%d affine hull of %s: %s; isl's is larger, %s", i, text, affine, a)
	}
	if in, err := simple.IsSubset(s); !in && err == nil {
		t.Logf("%d simple hull of %.200s: %s is not in isl's %s", i, text, simple, s)
	}
	return true
}
