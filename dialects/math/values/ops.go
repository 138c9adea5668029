// Package values has the functions of floats that ops of math are, for who computes without IR. It is of this repository alone.
package values

import "github.com/irc-lang/irc/ir"

// OfOne and OfTwo are the functions that ops are of float64; of narrower floats they are rounded.
var (
	OfOne = map[*ir.OpDef]func(x float64) float64{}
	OfTwo = map[*ir.OpDef]func(x, y float64) float64{}
)
