// Package onnx compares ops of the dialect ten with those of ONNX that they are said to equal. Shapes and
// attributes are random, and ONNX Runtime computes: one function of one op for each case, run by the
// interpreter. `make deps-onnx` installs the runtime; without it, or without node, the test is skipped.
package onnx
