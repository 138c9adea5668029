package bugs

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// symmetrySlack is how much mirrored elements of a symmetric matrix may differ, in
// parts of the geometric mean of their diagonal elements: computed matrices are not
// symmetric to the last digit. Their mean is taken.
const symmetrySlack = 1e-8

// pivotSlack is the least pivot of a definite matrix, in parts of its diagonal element.
// One below has lost all of its digits: the matrix counts as singular.
const pivotSlack = 1e-14

// definite factors a symmetric positive definite matrix; why says what it is instead.
func definite(x []float64, n int) (ch *mat.Cholesky, why string) {
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a, b := x[i*n+j], x[j*n+i]
			if !(math.Abs(a-b) <= symmetrySlack*math.Sqrt(x[i*n+i])*math.Sqrt(x[j*n+j])) {
				if x[i*n+i] >= 0 && x[j*n+j] >= 0 {
					return nil, "not symmetric"
				}
				return nil, "not positive definite"
			}
			s.SetSym(i, j, 0.5*a+0.5*b)
		}
	}
	ch = &mat.Cholesky{}
	if !ch.Factorize(s) {
		return nil, "not positive definite"
	}
	var u mat.TriDense
	ch.UTo(&u)
	for i := range n {
		if r := u.At(i, i) / math.Sqrt(s.At(i, i)); !(r*r > pivotSlack) {
			return nil, "not positive definite"
		}
	}
	if d := ch.LogDet(); math.IsNaN(d) || math.IsInf(d, 0) {
		return nil, "not positive definite"
	}
	return ch, ""
}

// factorOf is definite for a matrix that is known to be so.
func factorOf(x []float64, n int) *mat.Cholesky {
	ch, why := definite(x, n)
	if why != "" {
		panic("bugs: a parameter that is " + why)
	}
	return ch
}

func locationInvalid(p []value) string {
	for _, m := range p[0].v {
		if math.IsInf(m, 0) {
			return "the mean must be finite"
		}
	}
	if _, why := definite(p[1].v, len(p[0].v)); why != "" {
		return "the precision matrix is " + why
	}
	return ""
}

// distance is (x - mu)' Omega (x - mu) by the factor of Omega, so never negative,
// and half the logarithm of the determinant of Omega.
func distance(x []float64, p []value) (q, halfLogDet float64) {
	n := len(x)
	var u mat.TriDense
	ch := factorOf(p[1].v, n)
	ch.UTo(&u)
	for i := range n {
		s := 0.0
		for j := i; j < n; j++ {
			s += u.At(i, j) * (x[j] - p[0].v[j])
		}
		q += s * s
	}
	return q, 0.5 * ch.LogDet()
}

// normalDeviate draws a normal vector with mean 0 and the precision matrix of ch.
func normalDeviate(r *rand.Rand, ch *mat.Cholesky) []float64 {
	n := ch.SymmetricDim()
	var u mat.TriDense
	ch.UTo(&u)
	out := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		out[i] = r.NormFloat64()
		for j := i + 1; j < n; j++ {
			out[i] -= u.At(i, j) * out[j]
		}
		out[i] /= u.At(i, i)
	}
	return out
}

func meanOf(p []value, _ int) []float64 { return p[0].v }

// multinormal is dmnorm(mu[], Omega[,]) with precision matrix Omega.
var multinormal = &joint{node: 1, args: []int{1, 2}, invalid: locationInvalid, centre: meanOf, given: conditionalNormal,
	logp: func(x []float64, p []value) float64 {
		q, h := distance(x, p)
		if math.IsNaN(q) {
			return -inf
		}
		return h - 0.5*float64(len(x))*log2Pi - 0.5*q
	},
	draw: func(r *rand.Rand, p []value, n int) []float64 {
		out := normalDeviate(r, factorOf(p[1].v, n))
		for i, m := range p[0].v {
			out[i] += m
		}
		return out
	}}

// conditionalNormal draws the rest of x: with m what is drawn and o what is not, its
// precision is Omega[m,m] and its mean mu[m] - inverse(Omega[m,m]) Omega[m,o] (x[o] - mu[o]).
func conditionalNormal(r *rand.Rand, x []float64, keep []bool, p []value) error {
	mean, ch, rest, err := conditionalLaw(x, keep, p)
	if err != nil {
		return err
	}
	for a, z := range normalDeviate(r, ch) {
		x[rest[a]] = mean[rest[a]] + z
	}
	return nil
}

// conditionalMean is the mean of the elements that are not known.
func conditionalMean(x []float64, keep []bool, p []value) ([]float64, error) {
	mean, _, _, err := conditionalLaw(x, keep, p)
	return mean, err
}

// conditionalLaw is the mean of the rest, by position in x, the factor of its precision,
// and which they are.
func conditionalLaw(x []float64, keep []bool, p []value) (mean []float64, ch *mat.Cholesky, at []int, err error) {
	n := len(x)
	var rest []int
	for i, k := range keep {
		if !k {
			rest = append(rest, i)
		}
	}
	sub, rhs := make([]float64, len(rest)*len(rest)), mat.NewVecDense(len(rest), nil)
	for a, i := range rest {
		for b, j := range rest {
			sub[a*len(rest)+b] = p[1].v[i*n+j]
		}
		for j := range n {
			if keep[j] {
				rhs.SetVec(a, rhs.AtVec(a)+p[1].v[i*n+j]*(x[j]-p[0].v[j]))
			}
		}
	}
	ch, why := definite(sub, len(rest))
	if why != "" {
		return nil, nil, nil, errors.New("the precision matrix of the part to draw is " + why)
	}
	shift := mat.NewVecDense(len(rest), nil)
	_ = ch.SolveVecTo(shift, rhs) // a bad condition only costs digits
	mean = make([]float64, n)
	for a, i := range rest {
		mean[i] = p[0].v[i] - shift.AtVec(a)
	}
	return mean, ch, rest, nil
}

// multiStudent is dmt(mu[], Omega[,], k).
var multiStudent = &joint{node: 1, args: []int{1, 2, 0}, centre: meanOf,
	invalid: func(p []value) string {
		if k := p[2].v[0]; !(k > 0) || math.IsInf(k, 1) {
			return "the degrees of freedom must be positive"
		}
		return locationInvalid(p)
	},
	logp: func(x []float64, p []value) float64 {
		q, h := distance(x, p)
		if math.IsNaN(q) {
			return -inf
		}
		k, n := p[2].v[0], float64(len(x))
		return lgamma((k+n)/2) - lgamma(k/2) - 0.5*n*logOf(k*math.Pi) + h - 0.5*(k+n)*math.Log1p(q/k)
	},
	draw: func(r *rand.Rand, p []value, n int) []float64 {
		out, k := normalDeviate(r, factorOf(p[1].v, n)), p[2].v[0]
		scale := math.Sqrt(2 * gammaDraw(r, k/2, 1) / k)
		for i, m := range p[0].v {
			out[i] = m + out[i]/scale
		}
		return out
	}}

// wishart is dwish(R[,], k), whose mean is k inverse(R).
var wishart = &joint{node: 2, args: []int{2, 0},
	invalid: func(p []value) string {
		n := p[0].dims[0]
		if k := p[1].v[0]; !(k > float64(n-1)) || math.IsInf(k, 1) {
			return "the degrees of freedom must exceed the number of rows less 1"
		}
		if _, why := definite(p[0].v, n); why != "" {
			return "the matrix R is " + why
		}
		return ""
	},
	logp: func(x []float64, p []value) float64 {
		n := p[0].dims[0]
		cx, why := definite(x, n)
		if why != "" {
			return -inf
		}
		rows, k, trace := float64(n), p[1].v[0], 0.0
		for i, y := range x {
			trace += p[0].v[i] * y
		}
		out := 0.5*(k-rows-1)*cx.LogDet() + 0.5*k*factorOf(p[0].v, n).LogDet() - 0.5*trace -
			0.5*k*rows*math.Ln2 - 0.25*rows*(rows-1)*math.Log(math.Pi)
		for i := range n {
			out -= lgamma(0.5 * (k - float64(i)))
		}
		return out
	},
	draw: func(r *rand.Rand, p []value, _ int) []float64 { return wishartDraw(r, p[0].v, p[0].dims[0], p[1].v[0]) },
	centre: func(p []value, _ int) []float64 {
		out := rowsOf(inverseOf(p[0].v, p[0].dims[0]))
		for i := range out {
			out[i] *= p[1].v[0]
		}
		return out
	}}

// wishartDraw is Bartlett's: with R = U'U it is B B', where U B is lower triangular
// with roots of chi-squares on the diagonal and normal numbers below.
func wishartDraw(r *rand.Rand, matrix []float64, n int, k float64) []float64 {
	var u mat.TriDense
	factorOf(matrix, n).UTo(&u)
	b := mat.NewDense(n, n, nil)
	for j := range n {
		for i := n - 1; i >= 0; i-- {
			x := 0.0
			switch {
			case i == j:
				x = math.Sqrt(2 * gammaDraw(r, (k-float64(i))/2, 1))
			case i > j:
				x = r.NormFloat64()
			}
			for m := i + 1; m < n; m++ {
				x -= u.At(i, m) * b.At(m, j)
			}
			b.Set(i, j, x/u.At(i, i))
		}
	}
	s := mat.NewSymDense(n, nil)
	s.SymOuterK(1, b)
	return rowsOf(s)
}

func inverseOf(x []float64, n int) *mat.SymDense {
	var s mat.SymDense
	_ = factorOf(x, n).InverseTo(&s) // a bad condition only costs digits
	return &s
}

func rowsOf(s *mat.SymDense) []float64 {
	n := s.SymmetricDim()
	out := make([]float64, 0, n*n)
	for i := range n {
		for j := range n {
			out = append(out, s.At(i, j))
		}
	}
	return out
}

// lowerRows is the lower factor, row by row.
func lowerRows(ch *mat.Cholesky) []float64 {
	var l mat.TriDense
	ch.LTo(&l)
	n := ch.SymmetricDim()
	out := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			out[i*n+j] = l.At(i, j)
		}
	}
	return out
}
