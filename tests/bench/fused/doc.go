// Package fused has what the row of `make bench` about random programs of loops measures:
// programs of tests/fusion whose work grows with their inputs, inputs as large as one likes,
// and runs of a program fused and unfused in turn.
package fused
