// Package lists has what package slices lacks: new slices made of the elements of others.
//
// The slice of an empty one is nil. All results are new: they share no memory with the argument.
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
