package passes

import (
	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// LowerAffine makes scf, memref and arith of affine ops.
type LowerAffine struct{}

var lowerAffineInfo = &pass.Info{
	Name: "lower-affine",
	Doc:  "Makes scf, memref and arith of affine ops, and nothing of others: floordiv rounds down, ceildiv up, and mod is not negative. `lower{to=scf}` does it on the way.",
	Why:  "After what works on affine loops; before passes that know scf and memref.",
	Example: `func.func @f(%m: memref<?xf64>, %n: index, %x: f64) {
  affine.for %i = 0 to %n {
    affine.store %x, %m[%i floordiv 2] : memref<?xf64>
  }
  return
}
`,
	New: func() pass.Pass { return &LowerAffine{} },
}

// Run rebuilds by the rules of the dialect.
func (*LowerAffine) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), affine.Lowerings, nil), nil
}
