// Package keyed has the pass poly-key: of reductions whose value depends on whether data is equal to a
// coordinate, or to other data, it makes such as accumulate at the data. An equation of data with a
// coordinate is solved for it, as an affine one would be by the elimination of a variable; what is
// accumulated then is a counting sort, a histogram or a table of running counts. The column "Manual" of Yang,
// Atkinson and Carbin, "Simplifying dependent reductions in the polyhedral model", POPL 2021, does so by
// hand.
//
//	pass      what becomes of a program: guards, groups, running sums, in this order
//	match     the equations that guard a reduction
//	plan      which coordinates the data takes the place of
//	emit      the statement that accumulates at it
//	group     data is counted, and what depends on it alone taken so often
//	running   data that is compared with data has a table of running sums
package keyed
