// Package npy reads and writes arrays of numbers in NumPy's file format (numpy.lib.format, versions 1.0 to 3.0): a
// magic string, a header that is a dictionary of Python's, and the elements.
//
// Elements are floats of 64, 32 and 16 bits, integers with a sign of 64 to 8 bits, and truths, little end first and in
// row-major order: what else there is gets an error that says how NumPy makes such an array of it.
package npy
