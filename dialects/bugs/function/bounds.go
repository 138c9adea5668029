package function

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"gonum.org/v1/gonum/mat"
)

// neighbourBounds are min.bound and max.bound(C[], adj[], num[], M[]) of GeoBUGS: between
// the two gamma makes car.proper(mu[], C[], adj[], num[], M[], tau, gamma) positive definite.
// They are the inverses of the least and the greatest eigenvalue of M^-1/2 C M^1/2, which is
// symmetric where C[i,j] M[j] = C[j,i] M[i] (GeoBUGS user manual, appendix 1).
func neighbourBounds(x []Value) (low, high float64, err error) {
	c, adj, num, m := x[0].V, x[1].V, x[2].V, x[3].V
	n := len(num)
	if why := notNeighbours(c, adj, num, m); why != "" {
		return 0, 0, fmt.Errorf("%s", why)
	}
	a := mat.NewDense(n, n, nil)
	forms.EachNeighbour(adj, num, func(i, j, k int) { a.Set(i, j, a.At(i, j)+c[k]*math.Sqrt(m[j]/m[i])) })
	v := eigenValues(a, n).V
	if math.IsNaN(v[0]) {
		return 0, 0, fmt.Errorf("for neighbours i and j C[i,j] M[j] must be C[j,i] M[i]")
	}
	return 1 / v[n-1], 1 / v[0], nil
}

// notNeighbours says what is wrong with a map of n areas; "" is nothing.
func notNeighbours(c, adj, num, m []float64) string {
	total := 0.0
	for _, k := range num {
		if !kit.IsInteger(k) || k < 0 {
			return fmt.Sprintf("num[] must be whole numbers from 0, and one is %v", k)
		}
		total += k
	}
	switch {
	case len(num) == 0 || len(m) != len(num):
		return fmt.Sprintf("num[] and M[] must have an element for each area, and have %d and %d", len(num), len(m))
	case float64(len(adj)) != total || len(c) != len(adj):
		return fmt.Sprintf("adj[] and C[] must have the %v elements that num[] tells, and have %d and %d", total, len(adj), len(c))
	}
	for _, j := range adj {
		if !kit.IsInteger(j) || j < 1 || j > float64(len(num)) {
			return fmt.Sprintf("adj[] must be areas from 1 to %d, and one is %v", len(num), j)
		}
	}
	for _, x := range m {
		if !(x > 0) {
			return fmt.Sprintf("M[] must be positive, and one is %v", x)
		}
	}
	return ""
}
