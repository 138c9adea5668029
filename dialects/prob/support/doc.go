// Package support is where the values of laws lie: the ends of an interval, and the
// transforms from the real line, or from vectors of reals, onto an interval, a simplex or
// the positive definite matrices, with their Jacobians.
package support
