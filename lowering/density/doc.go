// Package density compiles BUGS models to callable log densities.
//
// Compile lowers a model that is bound to its data to structured loops. It makes a program of it, the
// interpreter's or what the caller prepares, and binds the arguments of the function @logdensity (package
// run): data once, and for each of some points what is different there, so that these are one request to the
// engine. A Pool evaluates on several cores, by processes that each have the data bound. The function gives
// the joint log density at a point and its sums by variable, a status, and the sum that has an invalid
// parameter. Then the reference evaluation of package bugs runs at the same point, and names the element.
package density
