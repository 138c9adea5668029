package prob

import (
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir"
)

// Geometric0 counts failures before the first success.
var Geometric0 = &family.Law{Name: "dgeom0", Params: "p", Origin: family.BUGS,
	Doc: "geometric from 0", Counts: true,
	Range:     fromZero,
	Conjugate: []family.Conjugate{{Param: 0, Of: "dbeta"}},
	Draw:      geometricDraw(0), Centre: geometricCentre(0),
	Go: geometric0Law[float64, bool](), Ops: geometric0Law[ir.Value, ir.Value](),
}

func geometric0Law[T, B any]() family.Formulas[T, B] {
	return geometricFrom[T, B](0)
}
