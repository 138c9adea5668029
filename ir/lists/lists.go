// Package lists has what package slices lacks: new slices made of the elements of others.
//
// The slice of an empty one is nil. All results are new: they share no memory with the argument. NextPoint alone changes
// what it is given.
package lists

// Map gives f of each element, in order.
func Map[T, U any](xs []T, f func(T) U) []U {
	if len(xs) == 0 {
		return nil
	}
	out := make([]U, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

// Join gives f of each element, one behind the other.
func Join[T, U any](xs []T, f func(T) []U) (out []U) {
	for _, x := range xs {
		out = append(out, f(x)...)
	}
	return out
}

// Filter gives the elements of which keep holds, in order; nil where there are none.
func Filter[T any](xs []T, keep func(T) bool) (out []T) {
	for _, x := range xs {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// All says whether f holds of each element.
func All[T any](xs []T, f func(T) bool) bool {
	for _, x := range xs {
		if !f(x) {
			return false
		}
	}
	return true
}

// NextPoint goes to the next point of a box, in row-major order. It is false at the last one, and goes to the first.
func NextPoint[T, U int | int64 | uint64](at []T, extents []U) bool {
	for d := len(at) - 1; d >= 0; d-- {
		if at[d]++; at[d] < T(extents[d]) {
			return true
		}
		at[d] = 0
	}
	return false
}
