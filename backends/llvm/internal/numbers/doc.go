// Package numbers translates arithmetic on integers and floats, scalars and vectors alike, conversions, and poison.
//
// Integers have the bits that the op's Eval gives, and so have the floats' basic ops; functions of libm differ in the last places.
// Fast-math and overflow flags are those of the op.
package numbers
