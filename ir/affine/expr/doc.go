// Package expr holds affine expressions, maps and sets as MLIR writes them in affine_map<...>
// and affine_set<...>: made simplified, printed, composed and evaluated.
//
// An expression adds, multiplies by what has no dimension in it, and divides and takes
// remainders by that; mod, floordiv and ceildiv are those of mathematics: x mod c lies in
// 0..c-1, floordiv rounds down and ceildiv up, whatever the sign of x. Numbers are integers
// without bound, of which 64 bits are kept: a result, or what is divided, that does not fit
// is no number (ErrOverflow), and nor is a quotient by what is not positive (ErrDivisor).
// Sums and products inside may wrap and come back, so whoever computes them modulo 2^64
// computes the same.
//
// A Map or Set is one attribute of a context, interned with the Go value (Attr, MapOf,
// SetOf): nobody reads the text again.
package expr
