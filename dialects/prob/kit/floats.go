package kit

import "math"

// Floats computes formulas of arrays in Go.
type Floats struct{ Float }

// A Grid is a Part of Go's numbers, row by row; without Rows it is a number or a vector.
type Grid struct {
	Columns int // of a matrix; 0 of another
	V       []float64
}

// Number is the only element.
func (g Grid) Number() float64 { return g.V[0] }

// Len is the number of rows, or of elements.
func (g Grid) Len() int {
	if g.Columns > 0 {
		return len(g.V) / g.Columns
	}
	return len(g.V)
}

// Load reads an element.
func (g Grid) Load(at ...int) float64 {
	if len(at) == 1 {
		return g.V[at[0]]
	}
	return g.V[at[0]*g.Columns+at[1]]
}

// Store writes an element.
func (g Grid) Store(x float64, at ...int) {
	if len(at) == 1 {
		g.V[at[0]] = x
		return
	}
	g.V[at[0]*g.Columns+at[1]] = x
}

func (Floats) Index(n int64) int               { return int(n) }
func (Floats) IndexAdd(i, j int) int           { return i + j }
func (Floats) IndexSub(i, j int) int           { return i - j }
func (Floats) IndexMin(i, j int) int           { return min(i, j) }
func (Floats) IndexMax(i, j int) int           { return max(i, j) }
func (Floats) Equal(i, j int) bool             { return i == j }
func (Floats) ToFloat(i int) float64           { return float64(i) }
func (Floats) ToIndex(x float64) int           { return int(x) }
func (Floats) Least(x, y float64) float64      { return math.Min(x, y) }
func (Floats) Most(x, y float64) float64       { return math.Max(x, y) }
func (Floats) Exceeds(...float64) bool         { return true }
func (Floats) Vector(n int) Part[float64, int] { return Grid{V: make([]float64, n)} }
func (Floats) Matrix(n int) Part[float64, int] {
	return Grid{Columns: n, V: make([]float64, n*n)}
}

// Fold runs body n times.
func (Floats) Fold(n int, acc []float64, body func(i int, acc []float64) []float64) []float64 {
	for i := range n {
		acc = body(i, acc)
	}
	return acc
}

// Each runs body from lo to hi, hi excluded.
func (Floats) Each(lo, hi int, body func(i int)) {
	for i := lo; i < hi; i++ {
		body(i)
	}
}

// LessProducts subtracts one product after the other.
func (Floats) LessProducts(x float64, n int, a, b func(m int) float64) float64 {
	for m := range n {
		x -= a(m) * b(m)
	}
	return x
}

// PlusProducts adds one product after the other.
func (Floats) PlusProducts(x float64, n int, a, b func(m int) float64) float64 {
	for m := range n {
		x += a(m) * b(m)
	}
	return x
}

// Factor factors anew.
func (k Floats) Factor(a Part[float64, int]) Factored[float64, bool, int] {
	return Cholesky[float64, bool, int](k, k.Matrix(a.Len()), a)
}
