package llvm

import (
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// loweredSpecial names the special functions that lower to math, lgamma and erfc.
func loweredSpecial() map[string]bool {
	out := map[string]bool{}
	for def := range ir.Table[ir.Lowerings](special.Dialect)["math"] {
		out[def.Name] = true
	}
	return out
}

// specialEmitters are the functions that libm has.
func specialEmitters() map[string]func(*fn) {
	return map[string]func(*fn){"special.lgamma": libm("lgamma"), "special.erfc": libm("erfc")}
}
