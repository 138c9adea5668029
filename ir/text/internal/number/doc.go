// Package number reads and writes numbers of the text of IR: floats of every format by their bits, and bytes in hexadecimal.
//
// As MLIR does, it takes a decimal of any format for the f64 nearest to it, which is then rounded to the format, ties to even;
// what is written reads back to the same bits.
package number
