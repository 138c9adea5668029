package presburger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

func TestLineality(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"[N] -> { [i, j] : 0 <= i < N }", "[[0 1]]"},
		{"[N] -> { [i, j] : 0 <= i + j < N }", "[[1 -1]]"},
		{"{ [i, j] : i mod 2 = 0 }", "[[1 0] [0 1]]"},
		{"{ [i, j, k] : 2i = 3j and k >= 0 }", "[[3 2 0]]"},
		{"{ [i] : i >= 0 }", "[]"},
		{"{ [i] : i >= 3; [i] : i < 3 }", "[[1]]"},
		{"{ [i, j] : i >= 0 and j = 0; [i, j] : i <= 0 and j = 5 }", "[[1 0]]"},
		{"{ [i, j] : exists a, b : a >= 0 and b >= 0 and i = a - b and j = 2a - 2b }", "[[1 2]]"},
		{"{ [i] : exists e : 3e <= i <= 3e + 1 }", "[[1]]"},
		{"{ [i] : 2i = 1 }", "[]"},
		{"{ S[] }", "[]"},
	} {
		got, err := mustSet(t, c.set).LinealitySpace()
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s %v", c.set, got, c.want, err)
		}
	}
	if _, err := mustSet(t, "{ [i]; S[i] }").LinealitySpace(); err == nil {
		t.Error("two spaces")
	}
}

// TestRandomLineality compares with the kernel of the constraints, where conjunctions
// have no variables that exist and one has points.
func TestRandomLineality(t *testing.T) {
	found := 0
	for i := range moreCases() {
		g := newGen(*oracleSeed+66, uint64(i))
		g.bounded = false
		r := g.relation(-1, 2+g.IntN(2))
		s := mustSet(t, r.text)
		got, err := s.LinealitySpace()
		if err != nil {
			t.Fatal(err)
		}
		if len(s.r.Parts[0].Conjs) != 1 || len(s.r.Parts[0].Conjs[0].Divs) > 0 {
			continue
		}
		c := s.r.Parts[0].Conjs[0]
		want := [][]Int(nil)
		if e, _ := s.IsEmpty(); !e {
			k := c.Cone(len(s.r.Params))
			want = lp.Kernel(append(k.Eq, k.Ge...), k.N, k.N)
		}
		found += len(want)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d %s: %v, want %v", i, s, got, want)
		}
	}
	if found == 0 {
		t.Error("no set has a lineality space")
	}
}

func TestKernel(t *testing.T) {
	for _, c := range []struct{ m, want string }{
		{"[N] -> { S[i, j] -> A[j] : 0 <= i < N and 0 <= j <= i }", "[[1 0]]"},
		{"{ [i, j] -> [i + j] }", "[[1 -1]]"},
		{"[N] -> { [i, j, k] -> [2i - 4j + N, 6k] }", "[[2 1 0]]"},
		{"{ [i] -> [floor(i/2)] }", "[]"},
		{"{ [i, j] -> [i mod 6, (i + j) mod 4] }", "[[6 2] [0 4]]"},
		{"{ [i, j] -> [i] : i = j }", "[]"},
		{"{ [i, j] -> [i + j] : i mod 2 = 0 and j >= 0 }", "[[2 -2]]"},
		{"{ [i, j] -> [i] : floor(j/3) >= 2 }", "[[0 1]]"},
		{"{ [i, j] -> [a] : i <= a <= i + 2 }", "[[0 1]]"},
		{"{ [i, j] -> A[i]; [i, j] -> B[i + j] }", "[]"},
		{"{ [i, j] -> A[2i]; [i, j] -> B[i] : j > 3 }", "[[0 1]]"},
		{"[N] -> { [i] -> [N] }", "[[1]]"},
	} {
		got, err := mustMap(t, c.m).Kernel()
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s %v", c.m, got, c.want, err)
		}
		if f, err := mustMap(t, c.m).AsPwMultiAff(); err == nil && !strings.Contains(c.m, "i = j") && !strings.Contains(c.m, "i mod 2 = 0") {
			if k := f.Kernel(); fmt.Sprint(k) != c.want {
				t.Errorf("%s as a function %s: %v, want %s", c.m, f, k, c.want)
			}
		}
	}
}

// TestRandomKernels moves maps of one conjunction along their kernels, and finds no
// other short vector that would do.
func TestRandomKernels(t *testing.T) {
	found := 0
	for i := range moreCases() {
		g := newGen(*oracleSeed+44, uint64(i))
		var outs []string
		g.names = []string{"N", "i", "j", "k"}
		for range 1 + g.IntN(2) {
			at, _ := g.affine()
			if k := g.IntN(3); k > 0 {
				at = fmt.Sprintf("(%s mod %d)", at, 1+2*k)
			}
			outs = append(outs, at)
		}
		f, err := ParseMultiAff("[N] -> { [i, j, k] -> [" + strings.Join(outs, ", ") + "] }")
		if err != nil {
			t.Fatal(err)
		}
		basis := f.Kernel()
		m, err := f.AsMap()
		if err != nil {
			t.Fatal(err)
		}
		found += len(basis)
		for a := int64(-2); a <= 2; a++ {
			for b := int64(-2); b <= 2; b++ {
				for c := int64(-2); c <= 2; c++ {
					v := ints([]int64{a, b, c})
					in := fmt.Sprint(HermiteNormalForm(append([][]Int{v}, basis...))) == fmt.Sprint(basis) || a == 0 && b == 0 && c == 0
					// f(x + v) - f(x) is quasi-affine: it is 0 where it is 0 at all of a box of its periods
					keeps := shiftKeeps(f, []int64{a, b, c})
					if in != keeps {
						t.Fatalf("%d %s moves along %v: %v, kernel %v", i, f, v, keeps, basis)
					}
				}
			}
		}
		k, err := m.Kernel()
		if err != nil || fmt.Sprint(k) != fmt.Sprint(basis) {
			t.Errorf("%d %s: kernel %v, of the map %v %v", i, f, basis, k, err)
		}
	}
	if found == 0 {
		t.Error("no kernel has a vector")
	}
}

// shiftKeeps tries f(x + v) = f(x) on a box.
func shiftKeeps(f MultiAff, v []int64) bool {
	for x := int64(0); x < 3; x++ {
		for y := int64(0); y < 3; y++ {
			for z := int64(0); z < 5; z++ {
				at := ints([]int64{7, x, y, z})
				to := ints([]int64{7, x + v[0], y + v[1], z + v[2]})
				if f.params == nil {
					at, to = at[1:], to[1:]
				}
				for _, q := range f.qs {
					if q.Eval(at) != q.Eval(to) {
						return false
					}
				}
			}
		}
	}
	return true
}
