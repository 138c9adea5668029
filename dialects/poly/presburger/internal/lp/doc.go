// Package lp has exact integers and what is linear over them: rows, lattices and normal
// forms of matrices, simplex tableaux, integer programs, and the work that all may do.
//
// A row is a constant and coefficients; it belongs to who made it and changes in place.
// Nothing here knows what a column stands for: floors, dimensions and their names are of
// the packages above. The small methods of Int are inlined there, so they stay small.
package lp
