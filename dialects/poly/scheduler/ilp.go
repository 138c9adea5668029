package scheduler

import (
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

import p "github.com/irc-lang/irc/dialects/poly/presburger"

// farAway is the bound K of Pouchet and others: a dependence that an outer row satisfies
// may go back by K times the parameters and one.
const farAway = 16

// ilp finds all rows of the schedule by one integer program: which row satisfies each
// dependence strongly is unknown too (Pouchet and others, "Loop transformations:
// convexity, pruning and optimization", POPL 2011; equations (8) and (9) of Yang,
// Atkinson and Carbin, "Simplifying dependent reductions in the polyhedral model", POPL
// 2021). The number of rows is the least for which there is a solution; loops without
// dependences are inside.
func (s *search) ilp(statements []int, ds []*dependence) *node {
	if !hasValidity(ds) {
		return unwind.Must(s.sequential(statements, ds))
	}
	for m := 1; m <= 2*s.depth(statements)+1; m++ {
		rows := s.oneShot(m, ds)
		if rows != nil {
			return s.nested(statements, rows, ds)
		}
	}
	panic(unwind.Failed(ErrNone))
}

// nested makes a loop of each row.
func (s *search) nested(statements []int, rows []map[int]row, ds []*dependence) *node {
	if len(rows) == 0 {
		return unwind.Must(s.sequential(statements, ds))
	}
	s.take(rows[0])
	m := s.member(rows[0], ds)
	child := s.nested(statements, rows[1:], s.rest(ds, rows[0]))
	return newBand([]member{m}, false, child)
}

// oneShot finds m rows, or nil if there are none. Row k of statement i is that of
// statement k n + i of a program of m n statements.
func (s *search) oneShot(m int, ds []*dependence) []map[int]row {
	n := len(s.statements)
	copies := *s
	copies.statements = nil
	var all []int
	for range m {
		for _, t := range s.statements {
			all = append(all, len(copies.statements))
			copies.statements = append(copies.statements, t)
		}
	}
	valid := lists.Filter(ds, func(d *dependence) bool { return d.validity })
	r := copies.newRowProgram(all, m*len(valid)) // 1 for a dependence and the row that satisfies it
	late := r.zeros()                            // how late dependences are satisfied
	late[1+goal] = p.NewInt(-1)
	for i, d := range valid {
		one := r.zeros()
		one[0] = p.NewInt(-1)
		for k := range m {
			at := 1 + numbering + i*m + k
			late[at], one[at] = p.NewInt(int64(k)), p.NewInt(1)
		}
		unwind.Check(r.AddEq(one))
		for k := range m {
			r.oneOf(d, i*m, k, k*n)
		}
	}
	unwind.Check(r.AddEq(late))
	x, ok := unwind.Must2(r.Solve())
	if !ok {
		return nil
	}
	var out []map[int]row
	for k := range m {
		rows := map[int]row{}
		for i := range s.statements {
			rows[i] = r.row(x, k*n+i)
		}
		out = append(out, rows)
	}
	return out
}

// oneOf says of row k, whose statements start at a number, that the distance along each
// generator is at least the choice of this row, less K times the parameters and one if an
// outer row was chosen (equation (8c)). Choices start at an unknown.
func (r *rowProgram) oneOf(d *dependence, choices, k, start int) {
	moved := *d
	moved.from, moved.to = d.from+start, d.to+start
	constraint := func(g []p.Int) []p.Int {
		c := r.distance(&moved, g)
		var slack p.Int
		for _, x := range g[:1+r.np] {
			slack = slack.Add(x)
		}
		at := 1 + numbering + choices
		c[at+k] = c[at+k].Sub(g[0])
		for i := range k {
			c[at+i] = c[at+i].Add(slack.Mul(p.NewInt(farAway)))
		}
		return c
	}
	for _, g := range d.lines {
		r.eq(constraint(g))
	}
	for _, g := range d.rays {
		r.ge(constraint(g))
	}
}
