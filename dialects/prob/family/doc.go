// Package family says what a law of probability is. It knows no law. With it one
//
//   - defines a law: a Law, with Formulas of one number or a Joint of many;
//   - says which parameters are wrong, and how that is told: Rule, Ruled;
//   - tries a law of numbers: Law.LogDensity, Law.Wrong.
//
// What holds of every law:
//
//   - A log density is -inf outside of the support and NaN for invalid parameters. Where
//     it comes to inf - inf it may be NaN; it is never another number.
//   - A density that is added in a loop is a constant, which depends on the parameters, plus
//     a body: the constant leaves the loops that the parameters do not vary in.
//   - Above kit.Large the plain formula loses digits and the careful one is taken: in Go
//     always early enough, in ops where the sizes are not known to be small.
package family
