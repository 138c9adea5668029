// Package plate draws graphical models as statisticians do: stochastic nodes are ellipses, shaded where they
// are observed; logical ones have a double border; constants are small rectangles; a loop is a plate, a
// rectangle with its index around all that runs in it. An arrow to a stochastic node is filled, one to a
// logical node hollow.
//
//	Model     what is to be drawn
//	DOT       for Graphviz
//	SVG       a page of its own
//
// The page is laid out plate by plate, innermost first. Within a plate its nodes and
// inner plates stand in layers, each below what it depends on (Sugiyama, Tagawa and Toda,
// "Methods for visual understanding of hierarchical system structures", 1981); edges
// that cross a layer or leave the plate have places of their own there, so that none
// runs through a node. Layers are ordered by barycentres, and places within them are
// the least squares solution that keeps the order (pool adjacent violators).
package plate
