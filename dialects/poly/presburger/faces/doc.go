// Package faces finds the facets of a polyhedral set and the lattice of its faces, as the
// simplification of reductions walks it.
//
// A set is a polyhedron P, for each value of its parameters. An inequality that the others
// do not imply is a facet. A face is P with some facets saturated, that is, held with
// equality; it is known by all the facets that are saturated in it, and one face holds
// another if its saturated facets are among those of the other. A face that has no integer point is none.
// Neither is one that there is only where the parameters satisfy another equation, as N = 0 does for both
// ends of 0 <= i <= N (Gautam and Rajopadhye, "Simplifying reductions", POPL 2006).
//
// Between facets of constant distance, as in 0 <= i <= 2, a set is thick: it has
// a constant number of points across, whatever the parameters. Thick has both count as
// saturated everywhere, so that a face is what a direction of reuse can lie in: its
// dimension is the exponent with which its points grow, its directions those that do not
// leave it but for a constant number of points.
package faces
