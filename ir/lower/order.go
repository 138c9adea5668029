package lower

import "github.com/irc-lang/irc/ir"

// Order is a dialect's table of where its levels stand in the lowering pipeline: by the name of
// a level, the level that it comes before. Every route through that one takes it in.
type Order map[string]string

// Elsewhere is a dialect's table of ops that no rule of a level is for: what takes an op away or translates it, such as a
// pass or the backend of one target; "" if nothing does. It answers those who look for ops that were forgotten.
type Elsewhere func(op *ir.OpDef) string
