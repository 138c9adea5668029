// Package draws reads the draws of samplers from files: those of CmdStan, of CODA (BUGS, JAGS), of ArviZ, and tables with a column for
// each quantity. With it one
//
//   - reads the files of one run, of any of these formats: Read;
//   - has the draws of a quantity by chain, and what the sampler says of itself: Draws.
//
// Formats are told by what a file holds, not by its name. Names of elements are those of BUGS, theta[1,2]. Warm-up is left out where a
// file has it. A file that breaks off, or does not belong to the others, is an error with its place.
package draws
