// Package functions is special functions over the kit, which the special dialect has no op
// for: the incomplete gamma and beta functions; Bessel's K; and the masses and kernels of densities that keep
// their digits for large counts and shapes (Loader, "Fast and accurate computation of binomial
// probabilities", 2000).
package functions
