// Package hull finds what is larger than a union of conjunctions and simpler: hulls,
// generators of its relaxation, and the directions in which it goes on.
//
// A hull is one conjunction that holds all integer points of the union; a union without
// points has none. Directions are bases in Hermite normal form.
package hull
