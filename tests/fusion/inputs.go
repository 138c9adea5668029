package fusion

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// Inputs are the arguments that programs are run with: two sizes, a number, integers, floats,
// rows, and floats some of which are null.
var Inputs = []string{
	`[5, 3, 7, [3, -1, 4, 1, 5], [0.5, "NaN", -0.0, 2.25, "-Infinity"],
	  [{"k": 1, "x": 0.5, "s": "a", "ok": true}, {"k": 2, "x": "NaN", "s": "", "ok": false}, {"k": 1, "x": -1.5, "s": "fox", "ok": true}, {"k": -3, "x": 0.1, "s": "a", "ok": true}],
	  [1.5, null, -2, null, "NaN", 3]]`,
	`[0, 1, -2, [], [], [], []]`,
	`[9, 2, 2, [2, 2, 2, 2, 2, 2, 2, 2, 2], [1, 2, 4, 8, 0.25, -1, -2, -4, 1e300],
	  [{"k": 7, "x": 1, "s": "ab", "ok": true}, {"k": 7, "x": 1, "s": "ab", "ok": true}, {"k": 7, "x": 1, "s": "ab", "ok": true}],
	  [null, null, 0.5]]`,
	`[1, 0, 9223372036854775807, [-9223372036854775808], [-3.75], [{"k": -2147483648, "x": 1e-310, "s": "zzzzzzzzzzzzzzzzzzzzzzzzz", "ok": false}], [null]]`,
}

// params are the types of what Inputs has.
func params(c *ir.Context) []ir.Type {
	row := loop.StructOf(c, ir.Field{Name: "k", Type: ir.I32}, ir.Field{Name: "x", Type: ir.F64},
		ir.Field{Name: "s", Type: loop.String(c)}, ir.Field{Name: "ok", Type: ir.I1})
	return []ir.Type{ir.Index, ir.Index, ir.I64, loop.Array(c, ir.I64), loop.Array(c, ir.F64), loop.Array(c, row),
		loop.Array(c, loop.Nullable(c, ir.F64))}
}
