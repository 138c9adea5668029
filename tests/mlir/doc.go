// Package mlir holds no code: its tests compare irc with MLIR. Everything printed
// is read by mlir-opt, programs give what they give when MLIR compiles them, and
// what is left after normalisation is no more than its canonicalizer leaves.
//
// The tests need mlir-opt-19 and mlir-translate-19 (Debian: mlir-19-tools) and,
// where something runs, libLLVM; without them they are skipped.
package mlir
