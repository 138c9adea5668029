package arith

import "github.com/irc-lang/irc/ir/interp"

// takesPoison: select looks at the chosen operand only, and a poison dividend does
// not make a division trap.
var takesPoison = interp.TakesPoison{Select: true, Divui: true, Divsi: true, Ceildivui: true, Ceildivsi: true,
	Floordivsi: true, Remui: true, Remsi: true}
