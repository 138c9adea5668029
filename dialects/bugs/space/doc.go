// Package space is the unconstrained scale: the density as a function of one vector of
// reals (docs/unconstrained.md).
//
// Invariants:
//   - It is the same model whose parameters are assigned from the vector before anything
//     reads them; the Jacobian is a term of its own.
//   - A transform is that of the law's support (package prob). Nodes whose limits follow from
//     data come first, in loops of their own, the others where their statement is.
//   - Generated quantities have no coordinates (package roles).
//   - Visit is the reference of what package emit makes of it.
package space
