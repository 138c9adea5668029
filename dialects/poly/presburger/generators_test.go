package presburger

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

func TestGenerators(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"{ [i, j] : 0 <= i <= 2 and 0 <= j <= i }", "vertices [0 0] [2 0] [2 2]"},
		{"[N] -> { [i] : 0 <= i < N }", "vertices [1 0], rays [1 0] [1 1]"},
		{"{ [i, j] : i >= 0 }", "vertices [0 0], rays [1 0], lines [0 1]"},
		{"{ [i, j] : i = 2j }", "vertices [0 0], lines [2 1]"},
		{"{ [i, j] : i + 2j >= 1 and 2i + j >= 1 and i <= 5 and j <= 5 }", "vertices [-2 5] [1/3 1/3] [5 -2] [5 5]"},
		{"{ [] }", "vertices []"},
		{"{ [i] : 0 <= i <= 5 and i mod 2 = 1 }", "vertices [1] [5]"},
		{"{ [i] : false }", ""},
		{"{ [i] : 2i = 1; [3] }", "vertices [3]"},
		{"{ [i, j] : i = j and 0 <= i and j <= 3 and i + j <= 4 }", "vertices [0 0] [2 2]"},
		{"{ [i, j, k] : 0 <= i, j, k <= 1 and i + j + k >= 1 }", "vertices [0 0 1] [0 1 0] [0 1 1] [1 0 0] [1 0 1] [1 1 0] [1 1 1]"},
	} {
		s, err := ParseSet(c.set)
		if err != nil {
			t.Fatal(err)
		}
		gs, err := s.Generators()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, g := range gs {
			out = append(out, g.String())
		}
		if got := strings.Join(out, "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.set, got, c.want)
		}
	}
}

func TestCoefficients(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"[N] -> { [i] : 0 <= i < N }", "{ [c, N, i] : N >= 0 and i >= -N and N >= -c }"},
		{"{ [i, j] : i = j + 1 }", "{ [c, i, j = -i] : c >= -i }"},
	} {
		s, _ := ParseSet(c.set)
		got, err := s.Coefficients()
		if err != nil {
			t.Fatal(err)
		}
		want, _ := ParseSet(c.want)
		if same, err := got.IsEqual(want); err != nil || !same {
			t.Errorf("%s: %s, want %s", c.set, got, want)
		}
	}
}

// The least value of a linear function is that of a vertex, or there is a ray or line
// along which it falls: as a linear program says.
func TestGeneratorsRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		n := 1 + r.IntN(4)
		b := Basic{Out: NewTuple("", make([]string, n)...)}
		for range r.IntN(8) {
			c := make([]Int, 1+n)
			c[0] = NewInt(int64(r.IntN(9)))
			for i := range n {
				c[1+i] = NewInt(int64(r.IntN(5) - 2))
			}
			b.Ge = append(b.Ge, c)
		}
		s := SetOf(b)
		gs, err := s.Generators()
		if err != nil || len(gs) != 1 {
			t.Fatalf("%s: %v %v", s, gs, err)
		}
		for range 4 {
			f := make([]Int, 1+n)
			for i := range n {
				f[1+i] = NewInt(int64(r.IntN(7) - 3))
			}
			want := "unbounded"
			err := newWork(func(w *lp.Work) {
				if v, ok := s.rel().Parts[0].Conjs[0].Tableau(w).Minimum(f); ok {
					want = v.String()
				}
			})
			if got := gs[0].least(f); err != nil || got != want {
				t.Fatalf("%s: least %v is %s, want %s; %v", s, f, got, want, gs[0])
			}
		}
	}
}

// newWork runs f with the default budget.
func newWork(f func(w *lp.Work)) error {
	_, err := lp.Run(lp.Allowance{}, func(w *lp.Work) bool { f(w); return true })
	return err
}

// least is the least value of a linear function as text.
func (g Generators) least(f lp.Row) string {
	for _, l := range g.Lines {
		if !lp.Dot(f, l).IsZero() {
			return "unbounded"
		}
	}
	var best *Rat
	for _, v := range g.Rays {
		x := lp.Dot(f, v)
		if v[0].IsZero() {
			if x.Sign() < 0 {
				return "unbounded"
			}
			continue
		}
		if q := lp.NewRat(x, v[0]); best == nil || q.Cmp(*best) < 0 {
			best = &q
		}
	}
	return best.String()
}
