// Package summary says what the draws of a run are good for: a row of estimates and diagnostics for each quantity, and what is wrong with
// the run, with what to do about it.
package summary
