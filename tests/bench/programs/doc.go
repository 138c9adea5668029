// Package programs writes the modules that the rows on compile time and memory read: one of a compiler's usual mix of
// ops, and shapes that are hard for a graph. Equal arguments give equal text.
package programs
