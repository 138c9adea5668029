// Package arith is MLIR's arith dialect: arithmetic on integers, index and
// floats, and elementwise on vectors and tensors of them. With it one
//
//   - builds arithmetic: AddI, MulF, CmpI, Choose, and Int and Float for an op with flags;
//   - builds constants and casts: ConstInt, ConstF64, Cast;
//   - reads what an op says: PredicateOfI, OverflowOf, FastMathOf.
//
// The Go name of an op is its MLIR name in camel case: arith.addi is Addi,
// arith.index_castui is IndexCastui.
//
// Canonical form: the properties fastmath and overflowFlags are always there in a
// graph, as `#arith.fastmath<none>` and `#arith.overflow<none>` where the text leaves them out. That is
// because mlir-opt prints them, and because two spellings of one op would not be shared. The parser fills
// them in, the constructors of this package write them, and a fold writes them into ops that were built
// without. extf and truncf are different: there MLIR keeps an absent fastmath absent.
//
// Meaning (Eval): integers wrap; a violated nsw or nuw, a shift by the width or
// more and a float that does not fit the integer it is converted to give poison;
// division by zero or poison and signed overflow of a division trap. Every float
// op rounds once, in its own format. Integers of more than 64 bits are text only:
// their Eval is ir.ErrNoValue. The Eval of an op with several results returns
// them as one ir.Vector, in order.
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
	Tables:   []any{syntax, takesPoison, forms, floatForms, derivatives, noDerivative},
}
