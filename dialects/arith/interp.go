package arith

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// table says how ops with two results run: their Eval gives both as a Vector.
var table = interp.Table{AdduiExtended: spread, MuluiExtended: spread, MulsiExtended: spread}

func spread(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	v, err := o.Def.Eval(o.Call, args)
	if err != nil {
		return err
	}
	copy(out, v.Ref.(ir.Vector))
	return nil
}

// takesPoison: select looks at the chosen operand only, and a poison dividend does
// not make a division trap.
var takesPoison = interp.TakesPoison{Select: true, Divui: true, Divsi: true, Ceildivui: true, Ceildivsi: true,
	Floordivsi: true, Remui: true, Remsi: true}
