// Package cumulative is what distribution functions have in common: tails, both of them logarithms, so that
// neither loses digits far out; truncation as the difference of two of them on the side where it cancels
// less; and quantiles by inverting them.
package cumulative
