package kit

import "math"

// SymmetrySlack is how much mirrored elements of a symmetric matrix may differ, in
// parts of the geometric mean of their diagonal elements: computed matrices are not
// symmetric to the last digit. Their mean is taken.
const SymmetrySlack = 1e-8

// PivotSlack is the least pivot of a definite matrix, in parts of its diagonal element.
// One below has lost all of its digits: the matrix counts as singular.
const PivotSlack = 1e-14

// Definite says what a matrix of n rows is that is not symmetric positive definite, "" for
// one that is.
func Definite(x []float64, n int) (why string) {
	for i := range n {
		for j := range i {
			a, b := x[i*n+j], x[j*n+i]
			if !(math.Abs(a-b) <= SymmetrySlack*math.Sqrt(x[i*n+i])*math.Sqrt(x[j*n+j])) && x[i*n+i] >= 0 && x[j*n+j] >= 0 {
				return "not symmetric"
			}
		}
	}
	if !FactorOf(x, n).OK {
		return "not positive definite"
	}
	return ""
}

// FactorOf factors a matrix of n rows.
func FactorOf(x []float64, n int) Factored[float64, bool, int] {
	return Floats{}.Factor(Grid{Columns: n, V: x})
}

// Solve replaces the right side of f x = b by x.
func Solve(f Factored[float64, bool, int], b []float64) {
	for i := range b {
		for j := range i {
			b[i] -= f.Lower(i, j) * b[j]
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		b[i] /= f.Pivot(i)
		for j := i + 1; j < len(b); j++ {
			b[i] -= f.Lower(j, i) * b[j]
		}
	}
}

// InverseOf is the inverse of a symmetric positive definite matrix of n rows.
func InverseOf(x []float64, n int) []float64 {
	f, out, column := FactorOf(x, n), make([]float64, n*n), make([]float64, n)
	for j := range n {
		clear(column)
		column[j] = 1
		Solve(f, column)
		for i := j; i < n; i++ {
			out[i*n+j], out[j*n+i] = column[i], column[i]
		}
	}
	return out
}
