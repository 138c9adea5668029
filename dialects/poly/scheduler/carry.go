package scheduler

import (
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

import p "github.com/irc-lang/irc/dialects/poly/presburger"

// carry finds a row that satisfies as many dependences as a row can, strongly: the
// distance is at least 1 (Feautrier, "Some efficient solutions to the affine scheduling
// problem, part II", 1992). Rows add up, so there is one that satisfies all that any can.
// It is ErrNone if that is none at all.
func (s *search) carry(statements []int, ds []*dependence) map[int]row {
	valid := lists.Filter(ds, func(d *dependence) bool { return d.validity })
	r := s.newRowProgram(statements, len(valid)) // an unknown for each: 1 if it is not satisfied
	sum := r.zeros()
	sum[1+goal] = p.NewInt(-1)
	for i := range valid {
		sum[1+numbering+i] = p.NewInt(1)
	}
	unwind.Check(r.AddEq(sum))
	for i, d := range valid {
		r.satisfy(d)
		for _, g := range d.rays {
			if g[0].Sign() == 0 {
				continue
			}
			c := r.distance(d, g)
			c[0] = g[0].Neg()
			c[1+numbering+i] = g[0]
			r.ge(c)
		}
	}
	x, ok := unwind.Must2(r.Solve())
	if !ok || x[goal].Cmp(p.NewInt(int64(len(valid)))) >= 0 {
		panic(unwind.Failed(ErrNone))
	}
	return r.rows(x)
}
