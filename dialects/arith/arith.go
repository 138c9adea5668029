package arith

import "github.com/irc-lang/irc/ir"

// Dialect is the arith dialect.
var Dialect = &ir.Dialect{Name: "arith", Doc: "Arithmetic on integers, index and floats.", Clean: true,
	Ops: []*ir.OpDef{Constant,
		Addi, Subi, Muli, Shli, Shrui, Shrsi, Andi, Ori, Xori, Maxsi, Maxui, Minsi, Minui,
		Divui, Divsi, Ceildivui, Ceildivsi, Floordivsi, Remui, Remsi,
		AdduiExtended, MuluiExtended, MulsiExtended,
		Addf, Subf, Mulf, Divf, Remf, Maximumf, Minimumf, Maxnumf, Minnumf, Negf,
		Extui, Extsi, Trunci, Extf, Truncf, Uitofp, Sitofp, Fptoui, Fptosi, IndexCast, IndexCastui, Bitcast,
		Cmpi, Cmpf, Select},
	Folds:    folds,
	Cleanups: cleanups,
	Tables:   []any{syntax, takesPoison, forms, floatForms},
}
