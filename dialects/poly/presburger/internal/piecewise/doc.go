// Package piecewise has functions that are quasi-affine, that is affine with floors, on
// each of disjoint domains.
//
// The domains of a function's pieces are conjunctions whose divs are known, and have
// points. A value is over a denominator and in normal form, so equal texts are equal
// values. Integer division rounds only where a Quasi says so by a floor.
package piecewise
