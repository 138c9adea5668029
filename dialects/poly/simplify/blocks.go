package simplify

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A window is an answer whose instances are as many data in a row as for the next answer, which has them one or some data
// further on. What leaves a window cannot be taken away without an inverse, and not without loss from a sum of floats. So
// each line of data is cut into blocks as long as a window (van Herk 1992; Gil and Werman 1993). A prefix combines what is
// before a datum in its block, a suffix what is behind it. A window is the suffix of its first datum with the prefix of its last
// one: it lies in two blocks, or is one. That costs as much as there are data and answers, whatever the width.

// blocks are the data of windows, and where those of an answer begin and end.
type blocks struct {
	tuple       p.Tuple
	data        p.Set // those that have a value
	elements    p.Set // those, and what windows reach beyond
	body        *Expr // of a datum, by its coordinates
	step        []p.Int
	position    []p.Int // a row: where a datum is on its line
	width       []p.Int // a row: how long a window is, the same along a line
	answers     p.Set
	first, last affine // datum of an answer
}

// inBlocks computes windows by prefixes and suffixes of blocks.
func (t *trial) inBlocks() (err error) {
	defer unwind.To(&err)
	if len(t.fibre) != 1 || t.red.op.HasInverse() && (t.target.Exact || !t.options.Lossless) || t.when.touches(t.target, t.red.body) {
		return nil
	}
	for _, v := range t.vectors(t.red, t.outline) {
		if isZero(times(t.red.to.linear(), v)) {
			continue
		}
		b := t.red.blocks(t.fibre[0], v)
		if b == nil {
			continue
		}
		own := []p.Set{b.data, b.elements, b.data, b.elements, b.answers, b.answers}
		t.offer(&plan{how: inBlocks, blocks: b}, own, nil)
		return nil
	}
	return nil
}

// blocks are those of a reduction whose answers have instances along u, and whose body has one value along v; nil if the
// answers are no windows.
func (r *reduction) blocks(u, v []p.Int) *blocks {
	d := r.domain.AlignParams(r.to.params...).Basics()
	if len(d) != 1 || len(d[0].Divs) > 0 {
		return nil
	}
	low, high, wide := ends(d[0], u, v)
	if low == nil || high == nil {
		return nil
	}
	b := &blocks{}
	var ok bool
	if b.answers, ok = one(r.answers()); !ok {
		return nil
	}
	whole := unwind.Must(b.answers.Apply(r.write.Inverse()))
	whole = unwind.Must(whole.Intersect(p.SetOf(wide)))
	names := r.domain.Tuple().Dims()
	q := quotient(r.domain.Tuple(), r.to.params, [][]p.Int{v}, func(row []p.Int, i int) string {
		if c := pivot(row); length(row).Cmp(p.NewInt(1)) == 0 && row[c].Sign() > 0 {
			return names[c]
		}
		return ""
	})
	b.tuple = q.out
	if b.data, ok = one(r.domain.Apply(q.graph())); !ok {
		return nil
	}
	if b.elements, ok = one(whole.Apply(q.graph())); !ok {
		return nil
	}
	if !b.line(q, times(q.linear(), u), low, high) {
		return nil
	}
	if b.first, ok = r.end(whole, q, low); !ok {
		return nil
	}
	if b.last, ok = r.end(whole, q, high); !ok {
		return nil
	}
	b.body = (&mover{q: q, made: map[*Expr]*Expr{}}).of(r.body)
	if b.body == nil {
		return nil
	}
	return b
}

// one is a set as one conjunction, if it is one.
func one(s p.Set, err error) (p.Set, bool) {
	if err != nil {
		panic(unwind.Failed(err))
	}
	cs, err := conjunctions(s)
	if err != nil || len(cs) != 1 {
		unwind.Check(err)
		return s, false
	}
	return cs[0], true
}

// ends are the constraints that hold with equality at the first and at the last instance of an answer. They are nil if the
// number of instances between them varies along v, or does not depend on them. wide is the domain without what bounds data alone: there
// each window is whole.
func ends(d p.Basic, u, v []p.Int) (low, high []p.Int, wide p.Basic) {
	first := 1 + len(d.Params)
	wide = d
	wide.Ge = nil
	for _, r := range d.Ge {
		along, moves := dot(r[first:], u), dot(r[first:], v)
		if along.Sign() == 0 {
			wide.Ge = append(wide.Ge, r)
			continue
		}
		if moves.Sign() == 0 {
			continue
		}
		end := &low
		if along.Sign() < 0 {
			end = &high
		}
		if *end != nil || along.Abs().Cmp(p.NewInt(1)) != 0 {
			return nil, nil, wide
		}
		*end = r
		wide.Ge = append(wide.Ge, r)
	}
	if low == nil || high == nil || dot(low[first:], v).Add(dot(high[first:], v)).Sign() != 0 {
		return nil, nil, wide
	}
	return low, high, wide
}

// line finds where data are on lines along a step, and how wide windows are; it reports whether a coordinate counts the data.
func (b *blocks) line(q affine, step, low, high []p.Int) bool {
	b.step = step
	c := slices.IndexFunc(step, func(x p.Int) bool { return x.Abs().Cmp(p.NewInt(1)) == 0 })
	if c < 0 {
		return false
	}
	b.position = make([]p.Int, 1+len(q.params)+q.out.Len())
	b.position[1+len(q.params)+c] = step[c]
	width := affine{in: q.in, params: q.params, rows: [][]p.Int{make([]p.Int, len(low))}}
	for i := range low {
		width.rows[0][i] = low[i].Add(high[i])
	}
	width.rows[0][0] = width.rows[0][0].Add(p.NewInt(1))
	b.width = width.through(q).rows[0]
	return true
}

// end is the datum of an answer at which a constraint holds with equality.
func (r *reduction) end(whole p.Set, q affine, row []p.Int) (f affine, ok bool) {
	at := unwind.Must(whole.Intersect(p.SetOf(p.Basic{Params: q.params, Out: q.in, Eq: [][]p.Int{row}})))
	m := unwind.Must(r.write.IntersectDomain(at))
	m = unwind.Must(q.graph().Compose(m.Inverse()))
	m = unwind.Must(m.Coalesce())
	m = unwind.Must(m.Gist(m.Domain().CrossMap(m.Range().Universe())))
	f, ok = affineOf(m, q.params)
	return f, ok
}

// A mover writes an expression of instances as one of what they have along a vector, which it does not vary along.
type mover struct {
	q    affine
	made map[*Expr]*Expr
}

// of is an expression in the coordinates of the data, nil if that is not known.
func (m *mover) of(e *Expr) *Expr {
	if x, ok := m.made[e]; ok {
		return x
	}
	x := m.make(e)
	m.made[e] = x
	return x
}

func (m *mover) make(e *Expr) *Expr {
	out := *e
	switch {
	case e.Affine:
		f, ok := affineOf(e.Value, m.q.params)
		if !ok {
			return nil
		}
		f = f.through(m.q)
		return &Expr{Kind: Linear, Row: f.rows[0], Affine: true, Value: f.graph(), Client: e.Client}
	case e.Kind == Read:
		f, ok := affineOf(e.Map, m.q.params)
		if !ok {
			return nil
		}
		out.Map = f.through(m.q).graph()
		return &out
	case e.Kind == Coord:
		row := slices.IndexFunc(m.q.linear(), func(r []p.Int) bool { return compareInts(r, unit(e.Dim, m.q.in.Len())) == 0 })
		out.Dim = row
		if row < 0 {
			return nil
		}
		return &out
	case e.Kind == Times || e.Kind == Restart:
		return nil
	case e.Kind == Select:
		var err error
		if out.Where, err = e.Where.Apply(m.q.graph()); err != nil {
			return nil
		}
		if out.Cond = m.of(e.Cond); out.Cond == nil {
			return nil
		}
	}
	out.Args = nil
	for _, a := range e.Args {
		x := m.of(a)
		if x == nil {
			return nil
		}
		out.Args = append(out.Args, x)
	}
	return &out
}

// at is a row of the data, as one of the answers whose datum a function gives.
func (f affine) at(row []p.Int) []p.Int {
	first := 1 + len(f.params)
	out := append(slices.Clone(row[:first]), make([]p.Int, f.in.Len())...)
	for i, x := range row[first:] {
		for k := range out {
			out[k] = out[k].Add(x.Mul(f.rows[i][k]))
		}
	}
	return out
}

// blocks makes the prefixes, the suffixes and the windows.
func (m *maker) blocks(x *plan, to sink) {
	b, op := x.blocks, x.red.op
	var ends [2]*Expr
	for i, step := range [][]p.Int{b.step, negated(b.step)} {
		a := m.array(m.like(), b.elements)
		into := rename(b.tuple, p.NewTuple(a.Name, b.tuple.Dims()...))
		m.equation(b.data, op, a, into, b.body)
		chain := unwind.Must(b.elements.Apply(translation(b.tuple, step)))
		chain = unwind.Must(chain.Intersect(b.elements))
		before := read(a, translation(b.tuple, negated(step)))
		position := slices.Clone(b.position)
		position[0] = p.NewInt(int64(i)) // of the suffix: where the datum behind it is
		m.equation(chain, op, a, into, &Expr{Kind: Restart, Args: []*Expr{before}, Row: position, Width: b.width})
		end := b.last
		if i == 1 {
			end = b.first
		}
		ends[i] = read(a, end.graph())
	}
	if !op.IsIdempotent() { // a window that is one block is its suffix
		ends[0] = &Expr{Kind: Restart, Args: []*Expr{ends[0]}, Row: b.first.at(b.position), Width: b.first.at(b.width)}
	}
	domain := unnamed(b.answers)
	bare := domain.Tuple()
	for _, e := range ends {
		inner := e
		if e.Kind == Restart {
			inner = e.Args[0]
		}
		from, _ := inner.Map.Tuples()
		inner.Map = unwind.Must(inner.Map.Compose(rename(bare, from)))
		m.equation(domain, op, to.array, rename(bare, p.NewTuple(to.array.Name, bare.Dims()...)), e)
	}
}

// blocksText says what is done by blocks.
func (x *plan) blocksText() string {
	b := x.blocks
	f := affine{in: b.tuple, out: p.NewTuple("", ""), params: b.first.params, rows: [][]p.Int{b.width}}
	wide := f.text()
	why := string(x.red.op) + " has no inverse"
	if x.red.op.HasInverse() {
		why = "floats would be subtracted"
	}
	return "in blocks of " + wide + ", as prefixes and suffixes, since " + why
}
