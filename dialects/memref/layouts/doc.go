// Package layouts has what views of memory share with who compiles them: strides, the dimensions that a view keeps, and groups of
// dimensions. It knows no op. It is of this repository alone.
package layouts
