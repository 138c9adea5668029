package arith

import (
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
)

// poisonFolds are the rules on ub.poison that MLIR has: shifts, comparisons and
// bitcasts of it stay. A select gives its other operand, which is less poison.
func poisonFolds() []ir.Fold {
	var out []ir.Fold
	for _, d := range []*ir.OpDef{Addi, Subi, Muli, Andi, Ori, Xori, Maxsi, Maxui, Minsi, Minui,
		Divui, Divsi, Ceildivui, Ceildivsi, Floordivsi, Remui, Remsi,
		Addf, Subf, Mulf, Divf, Remf, Maximumf, Minimumf, Maxnumf, Minnumf, Negf,
		Extui, Extsi, Trunci, Extf, Truncf, Uitofp, Sitofp, Fptoui, Fptosi, IndexCast, IndexCastui} {
		out = append(out, ub.Strict(d, d.Name[len("arith."):]))
	}
	return append(out,
		ir.Fold{Of: Select, Needs: ir.MadeBy(ub.Poison), Rule: "select: x ? poison : y = y", Is: &pattern{From: &op{Args: in{x, &op{Def: ub.Poison}, y}}, To: y}},
		ir.Fold{Of: Select, Needs: ir.MadeBy(ub.Poison), Rule: "select: x ? y : poison = y", Is: &pattern{From: &op{Args: in{x, y, &op{Def: ub.Poison}}}, To: y}})
}
