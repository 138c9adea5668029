// Package count counts integer points by the parameters: generating functions of cones at
// parametric vertices, quasi-polynomials on disjoint domains, and their order of growth.
//
// A polynomial is over atoms, parameters and floors of earlier atoms, which all pieces of
// a count share. Its values are integers where its domain says.
package count
