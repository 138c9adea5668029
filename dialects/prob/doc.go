// Package prob is probability laws: all that is known of one stands in one struct
// (family.Law), in one file, which has the name of the law in BUGS, and in one row of Laws.
// docs/new-law.md adds one.
//
// A formula is written once, over kit.Calc, for numbers and for ops: the log density, the
// tails, the quantile. What computes in Go and what is compiled cannot come apart.
//
// The rooms, low to high; each imports those before it:
//
//   - kit: what formulas are written over.
//   - cumulative: what distribution functions have in common.
//   - functions: special functions over the kit.
//   - support: where values lie, and the unconstrained scale.
//   - draw: random numbers.
//   - family: what a law is, and what can be asked of one.
//   - forms: what several laws share.
//   - the laws, and the dialect with its ops (dialect.go).
package prob
