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
		ir.Fold{Of: Select, Needs: ir.MadeBy(ub.Poison), Rule: "select: of poison and x = x", Do: Operand(2, func(c *ir.Call) bool { return c.Graph().Def(c.Args[1]) == ub.Poison })},
		ir.Fold{Of: Select, Needs: ir.MadeBy(ub.Poison), Rule: "select: of x and poison = x", Do: Operand(1, func(c *ir.Call) bool { return c.Graph().Def(c.Args[2]) == ub.Poison })})
}
