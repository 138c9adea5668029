// Package family says what a law of probability is: the structs that a law fills in (Law, Formulas, Joint);
// the rules that parameters obey; and what can be asked of every law (its density, tails, quantile, mass
// between bounds, draws). It knows no law.
//
// What holds of every law:
//
//   - A log density is -inf outside of the support and NaN for invalid parameters. Where
//     it comes to inf - inf it may be NaN; it is never another number.
//   - A density that is added in a loop is a constant, which depends on the parameters, plus
//     a body: the constant leaves the loops that the parameters do not vary in.
//   - Above kit.Large the plain formula loses digits and the careful one is taken: in Go
//     always early enough, in ops by Density, or by a caller that knows that nothing is
//     large.
package family
