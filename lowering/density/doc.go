// Package density compiles BUGS models to callable log densities.
//
// Compile takes a model that is bound to its data down to structured loops and
// loads the function @logdensity into an engine: the interpreter here, native code
// where the caller brings an engine (this package may not import backends). The
// function gives the joint log density at a point and its sums by variable, a status,
// and the sum that has an invalid parameter. Then the reference evaluation of package
// bugs runs at the same point, and names the element.
package density
