package scheduler

import (
	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// bandProgram is the program of the rows of a band (Bondhugula and others, "Automatic
// transformations for communication-minimized parallelization and locality optimization
// in the polyhedral model", CC 2008): no distance is negative on what is to be satisfied,
// so the rows may be exchanged, and all distances on what is to be close are at most
// u.n + w, whose u and then w are minimized. The rows of other statements are known.
func (s *search) bandProgram(statements []int, ds []*dependence, known map[int]row) (_ *rowProgram, err error) {
	defer unwind.To(&err)
	r := s.newRowProgram(statements, s.np)
	r.known = known
	sum := r.zeros()
	sum[1+goal] = p.NewInt(-1)
	for k := range s.np {
		sum[1+numbering+k] = p.NewInt(1)
	}
	unwind.Check(r.AddEq(sum))
	for _, d := range ds {
		if d.validity {
			r.satisfy(d)
		}
	}
	for _, d := range ds {
		if d.proximity {
			r.bound(d)
		}
	}
	return r, nil
}

// bound asks for distances of at most u.n + w, by absolute value where they may be
// negative. Along a ray that no parameter bounds from above there is no such bound, nor
// along a line.
func (r *rowProgram) bound(d *dependence) {
	for _, g := range d.rays {
		if g[0].Sign() == 0 && !grows(g[1:1+r.np]) {
			continue
		}
		for _, sign := range []int64{-1, 1} {
			if sign > 0 && d.validity {
				continue
			}
			c := r.distance(d, g)
			for i := range c {
				c[i] = c[i].Mul(p.NewInt(sign))
			}
			for k := range r.np {
				c[1+numbering+k] = c[1+numbering+k].Add(g[1+k])
			}
			c[1+second] = c[1+second].Add(g[0])
			r.ge(c)
		}
	}
}

// grows reports that parameters grow and none falls.
func grows(params []p.Int) bool {
	up := false
	for _, x := range params {
		if x.Sign() < 0 {
			return false
		}
		up = up || x.Sign() > 0
	}
	return up
}

// coincide asks for distances of 0 on what tells parallel loops apart.
func (r *rowProgram) coincide(ds []*dependence) *rowProgram {
	out := *r
	out.LexProgram = r.Clone()
	for _, d := range ds {
		if !d.coincidence {
			continue
		}
		for _, list := range [][][]p.Int{d.lines, d.rays} {
			for _, g := range list {
				unwind.Check(out.AddEq(r.distance(d, g)))
			}
		}
	}
	return &out
}

// band finds as many rows as there are that may be exchanged and are independent for each
// statement; where that is possible they are coincident.
func (s *search) band(statements []int, ds []*dependence, most int) (_ []member, err error) {
	defer unwind.To(&err)
	var out []member
	var program, parallel *rowProgram
	for len(out) < most && !s.isDone(statements) {
		if program == nil {
			program = unwind.Must(s.bandProgram(statements, ds, nil))
			parallel = program.coincide(ds)
		}
		x := s.independent(parallel, statements)
		if x == nil {
			x = s.independent(program, statements)
		}
		if x == nil {
			break
		}
		rows := program.rows(x)
		s.take(rows)
		out = append(out, s.member(rows, ds))
	}
	return out, nil
}

// independent is the best solution of a program whose row is independent of those so far
// for each of some statements, or nil.
func (s *search) independent(r *rowProgram, statements []int) []p.Int {
	b := &branching{rowProgram: r, free: map[int]matrix{}, left: nodes + nodesPerStatement*len(r.statements)}
	for _, i := range statements {
		b.free[i] = s.statements[i].free()
	}
	b.visit(r.Clone())
	return b.best
}

// How many programs are solved for a row, until the best one so far is taken.
const (
	nodes             = 200
	nodesPerStatement = 20
)

// branching finds a row that is not zero on the free vectors of each statement: one of
// them is the first on which it is not, and there it is positive or negative. Branches
// whose bound on distances is no better than that of a row that is known are left out.
type branching struct {
	*rowProgram
	free map[int]matrix
	best []p.Int
	left int
}

func (b *branching) visit(lp *p.LexProgram) {
	if b.left--; b.left < 0 {
		return
	}
	x, ok, err := lp.Solve()
	if err != nil || !ok || !b.better(x) {
		unwind.Check(err)
		return
	}
	statement := -1
	for _, i := range b.statements {
		if f := b.free[i]; len(f) > 0 && !independent(b.row(x, i)[1+b.np:], f) {
			statement = i
			break
		}
	}
	if statement < 0 {
		b.best = x
		return
	}
	for _, f := range b.free[statement] {
		for _, sign := range []int64{1, -1} {
			c := b.zeros()
			b.putDims(c, statement, f, sign)
			c[0] = p.NewInt(-1)
			child := lp.Clone()
			child.AddGe(c)
			b.visit(child)
			if !b.better(x) {
				return
			}
		}
		c := b.zeros()
		b.putDims(c, statement, f, 1)
		unwind.Check(lp.AddEq(c))
	}
}

// better reports that the bound on distances is less than the best known.
func (b *branching) better(x []p.Int) bool {
	if b.best == nil {
		return true
	}
	if c := x[goal].Cmp(b.best[goal]); c != 0 {
		return c < 0
	}
	return x[second].Cmp(b.best[second]) < 0
}
