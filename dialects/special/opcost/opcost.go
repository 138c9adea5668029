// Package opcost is about what ops on numbers take, for passes that weigh one program against another. It is of this repository
// alone.
package opcost

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Functions are the ops of math and special that take dozens of operations, or a call of the library.
var Functions = slices.DeleteFunc(slices.Concat(transcendental, special.Dialect.Ops),
	func(def *ir.OpDef) bool { return def == special.Step || def == special.Print })

// transcendental are the functions that take dozens of operations, or a call of the library.
var transcendental = []*ir.OpDef{math.Acos, math.Acosh, math.Asin, math.Asinh, math.Atan, math.Atan2, math.Atanh, math.Cbrt, math.Cos, math.Cosh, math.Erf, math.Exp, math.Exp2, math.Expm1, math.Log, math.Log10, math.Log1p, math.Log2, math.Powf, math.Sin, math.Sinh,
	math.Tan, math.Tanh}

// What an op takes, in additions of numbers in registers, of scalars as of vectors.
const (
	Division = 4
	Function = 20
)

// Of is about what an op on numbers takes. The passes that weigh one program against another ask this: what is worth
// lanes, a table, a branch, or memory.
func Of(def *ir.OpDef) float64 {
	switch {
	case def == arith.Divf || def == math.Sqrt || def == math.Rsqrt:
		return Division
	case slices.Contains(Functions, def) || def == math.Fpowi || def == math.Ipowi:
		return Function
	}
	return 1
}
