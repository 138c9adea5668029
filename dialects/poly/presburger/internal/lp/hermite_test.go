package lp

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestNormalForms checks the properties of Hermite and Smith normal forms.
func TestNormalForms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range 500 {
		rows, cols := 1+rnd.IntN(4), 1+rnd.IntN(4)
		m := make([][]Int, rows)
		for k := range m {
			for range cols {
				m[k] = append(m[k], NewInt(int64(rnd.IntN(13)-6)*int64(rnd.IntN(3))))
			}
		}
		before := fmt.Sprint(m)
		h := HermiteNormalForm(m)
		if bad := notHermite(h); bad != "" {
			t.Errorf("%d %v: %v %s", i, m, h, bad)
		}
		if again := HermiteNormalForm(append(h, m...)); fmt.Sprint(again) != fmt.Sprint(h) {
			t.Errorf("%d %v spans more than %v: %v", i, m, h, again)
		}
		d, u, v := SmithNormalForm(m)
		if fmt.Sprint(m) != before {
			t.Fatal("the matrix has changed")
		}
		p := multiply(multiply(u, m), v)
		for a := range p {
			for b := range p[a] {
				want := Int{}
				if a == b && a < len(d) {
					want = d[a]
				}
				if p[a][b] != want {
					t.Fatalf("%d u m v = %v, want %v on the diagonal", i, p, d)
				}
			}
		}
		for k := range d {
			if d[k].Sign() <= 0 || k > 0 && !d[k-1].Divides(d[k]) {
				t.Errorf("%d %v: invariants %v", i, m, d)
			}
		}
		hd, _, _ := SmithNormalForm(h)
		if fmt.Sprint(hd) != fmt.Sprint(d) {
			t.Errorf("%d %v: invariants %v, of the Hermite form %v", i, m, d, hd)
		}
		for _, w := range [][][]Int{u, v} {
			if _, det := Adjugate(w, nil); !det.IsUnit() {
				t.Errorf("%d determinant %s", i, det)
			}
		}
	}
}

// notHermite says what is wrong with the shape.
func notHermite(h [][]Int) string {
	last := -1
	for i, r := range h {
		p := 0
		for p < len(r) && r[p].IsZero() {
			p++
		}
		if p <= last || p == len(r) || r[p].Sign() < 0 {
			return "is no echelon form"
		}
		for _, above := range h[:i] {
			if above[p].Sign() < 0 || above[p].Cmp(r[p]) >= 0 {
				return "is not reduced"
			}
		}
		last = p
	}
	return ""
}
