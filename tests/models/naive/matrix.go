package naive

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// side is the number of rows of a square matrix; a number is one of one row.
func side(a value) int {
	n := int(math.Round(math.Sqrt(float64(len(a.v)))))
	if n*n != len(a.v) || len(a.dims) == 2 && a.dims[0] != n {
		fail("a matrix of %v is not square", a.dims)
	}
	return n
}

// inverse and logDet take square matrices, row by row.
func inverse(v []float64, n int) []float64 {
	var out mat.Dense
	if err := out.Inverse(mat.NewDense(n, n, append([]float64(nil), v...))); err != nil {
		fail("a matrix has no inverse: %v", err)
	}
	return out.RawMatrix().Data
}

func logDet(v []float64, n int) float64 {
	d, sign := mat.LogDet(mat.NewDense(n, n, append([]float64(nil), v...)))
	if sign <= 0 {
		return math.NaN()
	}
	return d
}

func transpose(a []value) value {
	x := a[0]
	if len(x.dims) < 2 {
		return value{[]int{1, len(x.v)}, x.v}
	}
	r, c := x.dims[0], x.dims[1]
	out := value{[]int{c, r}, make([]float64, len(x.v))}
	for i := range r {
		for j := range c {
			out.v[j*r+i] = x.v[i*c+j]
		}
	}
	return out
}

// matMul multiplies; a vector on the left is a row where that fits, else a column.
func matMul(x, y value) value {
	xd, yd := x.dims, y.dims
	drop := len(xd) < 2 || len(yd) < 2
	if len(yd) < 2 {
		yd = []int{len(y.v), 1}
		if len(xd) == 2 && xd[1] != len(y.v) {
			yd = []int{1, len(y.v)}
		}
	}
	if len(xd) < 2 {
		xd = []int{1, len(x.v)}
		if len(x.v) != yd[0] {
			xd = []int{len(x.v), 1}
		}
	}
	if xd[1] != yd[0] {
		fail("%v times %v", xd, yd)
	}
	out := value{[]int{xd[0], yd[1]}, make([]float64, xd[0]*yd[1])}
	for i := range xd[0] {
		for j := range yd[1] {
			for k := range xd[1] {
				out.v[i*yd[1]+j] += x.v[i*xd[1]+k] * y.v[k*yd[1]+j]
			}
		}
	}
	if drop {
		switch {
		case len(out.v) == 1:
			out.dims = nil
		case out.dims[0] == 1 || out.dims[1] == 1:
			out.dims = []int{len(out.v)}
		}
	}
	return out
}

// quadratic is v' A v.
func quadratic(v, a []float64) float64 {
	s := 0.0
	for i := range v {
		for j := range v {
			s += v[i] * a[i*len(v)+j] * v[j]
		}
	}
	return s
}
