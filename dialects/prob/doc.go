// Package prob is probability laws: all that is known of one stands in one struct (Law), in
// one file, which has the name of the law in BUGS, and in one row of Laws. docs/new-law.md
// adds one.
//
// What holds:
//
//   - A formula is written once, over Calc, for numbers (Float) and for ops (Kit): the log
//     density, the tails, the quantile. What computes in Go and what is compiled cannot
//     come apart.
//   - A log density is -inf outside of the support and NaN for invalid parameters. Where
//     it comes to inf - inf it may be NaN; it is never another number.
//   - A density that is added in a loop is a constant, which depends on the parameters, plus
//     a body: the constant leaves the loops that the parameters do not vary in.
//   - Above Large the plain formula loses digits and the careful one (careful.go) is taken:
//     in Go always early enough, in ops by Density, or by a caller that knows that
//     nothing is large.
//   - Tails are logarithms, both of them. The difference of two is taken on the side where
//     it cancels less (Truncation), so bounds far out keep their digits.
//   - Random numbers belong to a name and a position (Random), not to a sequence.
//   - Laws whose node or parameters are arrays have a Joint, with one log density for Go and
//     one for ops, as loops over parts of memory (View). Tests hold them to each other.
//
// Files: law.go and joint.go are the structs, laws.go the rows, d*.go the laws. calc.go,
// float.go, kit.go, array.go and cholesky.go are what formulas are written over; rules.go
// what parameters must obey; incomplete.go the incomplete gamma and beta functions; careful.go
// the densities of large counts and shapes; tails.go, quantile.go, truncate.go what
// distribution functions have in common; support.go and transform.go the unconstrained
// scale; random.go and philox.go drawing.
package prob
