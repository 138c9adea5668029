package scheduler

import "github.com/irc-lang/irc/ir/lists"

import p "github.com/irc-lang/irc/dialects/poly/presburger"

// carry finds a row that satisfies as many dependences as a row can, strongly: the
// distance is at least 1 (Feautrier, "Some efficient solutions to the affine scheduling
// problem, part II", 1992). Rows add up, so there is one that satisfies all that any can.
// It is ErrNone if that is none at all.
func (s *search) carry(statements []int, ds []*dependence) (map[int]row, error) {
	valid := lists.Filter(ds, func(d *dependence) bool { return d.validity })
	r, err := s.newRowProgram(statements, len(valid)) // an unknown for each: 1 if it is not satisfied
	if err != nil {
		return nil, err
	}
	sum := r.zeros()
	sum[1+goal] = p.NewInt(-1)
	for i := range valid {
		sum[1+numbering+i] = p.NewInt(1)
	}
	if err := r.AddEq(sum); err != nil {
		return nil, err
	}
	for i, d := range valid {
		if err := r.satisfy(d); err != nil {
			return nil, err
		}
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
	x, ok, err := r.Solve()
	if err != nil {
		return nil, err
	}
	if !ok || x[goal].Cmp(p.NewInt(int64(len(valid)))) >= 0 {
		return nil, ErrNone
	}
	return r.rows(x), nil
}
