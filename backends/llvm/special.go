package llvm

import (
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// loweredSpecial lists the special functions that lower to math, lgamma and erfc.
func loweredSpecial() map[*ir.OpDef]bool {
	out := map[*ir.OpDef]bool{}
	for _, def := range ir.Table[lower.Table](special.Dialect).Ops("math") {
		out[def] = true
	}
	return out
}

// specialEmitters are the functions that libm has.
func specialEmitters() map[*ir.OpDef]func(*fn) {
	return map[*ir.OpDef]func(*fn){special.Lgamma: libm("lgamma"), special.Erfc: libm("erfc")}
}
