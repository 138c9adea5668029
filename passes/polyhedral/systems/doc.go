// Package systems has what passes on systems of statements (dialect poly) share: what an order of a
// system respects, the statements that begin reductions, index arithmetic of relations, and the
// propagation of arrays that are copies of others.
package systems
