// Package mcmc says how far draws of Markov chains can be trusted, and compares models by them. With it one
//
//   - asks whether chains have mixed: Rhat, BulkESS, TailESS;
//   - gives estimates their Monte Carlo error: MeanESS, MeanError, SDError, QuantileError;
//   - asks whether a Hamiltonian sampler could move: EBFMI;
//   - predicts what a model would say of new data: LOO, WAIC, Compare.
//
// Chains hold the draws of one quantity, a chain each, all of one length and without warm-up. A statistic that draws cannot give
// is NaN: of values that are no numbers, of a constant, of halves of a chain with fewer than three draws, for R-hat two. What goes by ranks
// takes infinite values.
//
// Sources: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021 (rank-normalised R-hat, bulk and tail ESS, errors of quantiles);
// Geyer 1992 (where autocorrelations are cut off); Betancourt 2016 (E-BFMI); Vehtari, Simpson, Gelman, Yao and Gabry 2024 (PSIS); Zhang
// and Stephens 2009 (the generalised Pareto distribution); Watanabe 2010 (WAIC). Where these leave a choice, it is that of the
// R packages posterior 1.4.0 and loo 2.5.1, with which the tests compare.
package mcmc
