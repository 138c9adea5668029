// Package polyhedra draws integer sets of one and two dimensions with the dependences
// between their points, and schedule trees, as pages of SVG.
//
//	Picture   statements above one another, aligned on their first dimension
//	Tree      the nodes of a schedule tree, each with what it says
//
// Sets are drawn for values of their parameters. What would not fit on a page is left out
// and a note says so.
package polyhedra
