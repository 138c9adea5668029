package bugs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Nodes of which a part is known are drawn given that part, where the conditional law is
// one that can be drawn from.
func init() {
	multiStudent.given = conditionalStudent
	multinomial.given = conditionalMultinomial
	dirichlet.given = conditionalDirichlet
}

// conditionalStudent: a vector of dmt is a normal one whose precision has been multiplied
// by a gamma variable with shape and rate k/2. Given d of its elements, at squared
// distance q from their mean in their marginal metric, that has shape (k + d)/2 and rate
// (k + q)/2, and the rest is normal given them.
func conditionalStudent(r *rand.Rand, x []float64, keep []bool, p []value) error {
	n, d := len(x), 0
	// q is the least distance over the rest: at the conditional mean.
	at := make([]float64, n)
	copy(at, x)
	mean, err := conditionalMean(x, keep, p)
	if err != nil {
		return err
	}
	for i := range at {
		if keep[i] {
			d++
		} else {
			at[i] = mean[i]
		}
	}
	q, _ := distance(at, p)
	k := p[2].v[0]
	w := gammaDraw(r, (k+float64(d))/2, (k+q)/2)
	scaled := value{dims: p[1].dims, v: make([]float64, len(p[1].v))}
	for i, y := range p[1].v {
		scaled.v[i] = w * y
	}
	return conditionalNormal(r, x, keep, []value{p[0], scaled})
}

// unknown lists the elements that keep does not mark, with their weights, and what the
// others leave of the whole.
func unknown(x []float64, keep []bool, weights []float64, whole float64) (left float64, rest []int, w value) {
	left = whole
	for i, k := range keep {
		if k {
			left -= x[i]
			continue
		}
		rest = append(rest, i)
		w.v = append(w.v, weights[i])
	}
	w.dims = []int{len(rest)}
	return left, rest, w
}

// conditionalMultinomial: the rest of the counts are multinomial in the rest of the
// weights, and have what the known ones leave of the size.
func conditionalMultinomial(r *rand.Rand, x []float64, keep []bool, p []value) error {
	left, rest, w := unknown(x, keep, p[0].v, p[1].v[0])
	if left < 0 || left > 0 && !(sum(w.v) > 0) {
		return fmt.Errorf("the known counts leave %v of %v", left, p[1].v[0])
	}
	for i, y := range multinomial.draw(r, []value{w, {v: []float64{left}}}, len(rest)) {
		x[rest[i]] = y
	}
	return nil
}

// conditionalDirichlet: the rest are a Dirichlet vector times what the known ones leave.
func conditionalDirichlet(r *rand.Rand, x []float64, keep []bool, p []value) error {
	left, rest, a := unknown(x, keep, p[0].v, 1)
	if left < -simplexSlack || !(sum(a.v) > 0) {
		return errors.New("the known elements leave nothing of the sum")
	}
	for i, y := range dirichlet.draw(r, []value{a}, len(rest)) {
		x[rest[i]] = math.Max(left, 0) * y
	}
	return nil
}

// logGammaDraw is the logarithm of a gamma variable with rate 1. For a small shape the
// variable itself is often 0: that of shape + 1 times a uniform one to 1/shape is it.
func logGammaDraw(r *rand.Rand, shape float64) float64 {
	if shape >= 1 {
		return math.Log(distuv.Gamma{Alpha: shape, Beta: 1, Src: r}.Rand())
	}
	return math.Log(distuv.Gamma{Alpha: shape + 1, Beta: 1, Src: r}.Rand()) + math.Log(open(r))/shape
}

// betaDraw is g/(g + h) of two gamma variables.
func betaDraw(r *rand.Rand, a, b float64) float64 {
	return 1 / (1 + math.Exp(logGammaDraw(r, b)-logGammaDraw(r, a)))
}
