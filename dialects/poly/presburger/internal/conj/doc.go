// Package conj decides, projects, subtracts and optimizes conjunctions of affine
// constraints over integer variables, some of which exist only, as floors do.
//
// Variables are known by their columns alone. A conjunction is not changed once another
// holds it: operations clone first, but for those whose comments say that they change c.
// Its Floors are the definitions of its divs; a polyhedron is inequalities alone, in which a point is looked for; an elimination
// takes a column out of inequalities, a redundancy finds those that others imply. A list of conjunctions is their union. Emptiness is decided by HasPoint, not by Empty.
package conj
