package scheduler

import (
	"encoding/binary"
	"errors"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// A dependence is one conjunction of the pairs of instances of two statements that a
// problem relates, by the generators of its rational relaxation: vectors of a
// denominator, the parameters, and the dimensions of the source and of the sink. What a
// schedule has to satisfy on all of it, it has to satisfy there: that is Farkas' lemma,
// without multipliers.
type dependence struct {
	from, to    int
	rays, lines [][]p.Int

	validity, proximity, coincidence bool
	lifetimes                        []int // the arrays to whose elements both have access
}

// distance is the change of a schedule from source to sink along a generator: g splits
// into the two sides.
func (d *dependence) distance(g []p.Int, from, to row, np int) p.Int {
	source, sink := d.sides(g, np, len(from)-1-np)
	return product(to, sink).Sub(product(from, source))
}

// sides are the two instances of a generator, with its denominator and parameters before
// each.
func (d *dependence) sides(g []p.Int, np, dims int) (source, sink []p.Int) {
	source = g[:1+np+dims]
	sink = append(slices.Clone(g[:1+np]), g[1+np+dims:]...)
	return source, sink
}

// A spread tells the signs of the distances on all of a dependence.
type spread struct {
	negative, positive bool // there are such distances
}

// spread tells the signs of the distances that rows give.
func (d *dependence) spread(from, to row, np int) (out spread) {
	for _, g := range d.rays {
		switch d.distance(g, from, to, np).Sign() {
		case 1:
			out.positive = true
		case -1:
			out.negative = true
		}
	}
	for _, g := range d.lines {
		if d.distance(g, from, to, np).Sign() != 0 {
			out.negative, out.positive = true, true
		}
	}
	return out
}

// rest is the part of a dependence that rows, which give no negative distance, leave to
// be satisfied: the face on which the distance is 0. It is nil if there is none. Where
// some distance is negative, which happens to what is no validity, it is all.
func (d *dependence) rest(from, to row, np int) *dependence {
	s := d.spread(from, to, np)
	if s.negative || !s.positive {
		return d
	}
	out := *d
	out.rays = nil
	vertex := false
	for _, g := range d.rays {
		if d.distance(g, from, to, np).Sign() == 0 {
			out.rays = append(out.rays, g)
			vertex = vertex || g[0].Sign() != 0
		}
	}
	if !vertex {
		return nil
	}
	return &out
}

// A reader makes dependences of maps; those of several kinds are one.
type reader struct {
	statements []*statement
	budget     *p.Budget
	seen       map[string]*dependence
	out        []*dependence
}

func (r *reader) read(m p.Map, mark func(d *dependence)) error {
	gs, err := m.WithBudget(r.budget.Remaining() / generatorsShare).Generators()
	if errors.Is(err, p.ErrBudget) {
		gs, err = r.relaxed(m)
	}
	if err != nil {
		return err
	}
	for _, g := range gs {
		from, to := r.statement(g.In), r.statement(g.Out)
		if from < 0 || to < 0 {
			continue
		}
		key := keyOf(from, to, g)
		d := r.seen[key]
		if d == nil {
			d = &dependence{from: from, to: to, rays: g.Rays, lines: g.Lines}
			r.seen[key] = d
			r.out = append(r.out, d)
		}
		mark(d)
	}
	return nil
}

// generatorsShare is the part of the budget, one of so many, that generators may take.
const generatorsShare = 50

// relaxed are the generators of conjunctions one by one; one that has too many, such as a
// box of many dimensions, is replaced by what its equations say, which is more pairs: a
// schedule that is legal for these is legal.
func (r *reader) relaxed(m p.Map) (out []p.Generators, err error) {
	basics := m.Basics()
	for _, b := range basics {
		share := r.budget.Remaining() / generatorsShare / int64(len(basics))
		gs, err := p.MapOf(b).WithBudget(max(share, 1)).Generators()
		if errors.Is(err, p.ErrBudget) {
			gs, err = p.MapOf(p.Basic{Params: b.Params, In: b.In, Out: b.Out, Eq: equations(b)}).WithBudget(r.budget.Remaining()).Generators()
		}
		if err != nil {
			return nil, err
		}
		out = append(out, gs...)
	}
	return out, nil
}

// equations are those of a conjunction in which nothing exists.
func equations(b p.Basic) (out [][]p.Int) {
	n := 1 + len(b.Params) + b.In.Len() + b.Out.Len()
	for _, e := range b.Eq {
		if !slices.ContainsFunc(e[n:], func(x p.Int) bool { return x.Sign() != 0 }) {
			out = append(out, e[:n])
		}
	}
	return out
}

func (r *reader) statement(t p.Tuple) int {
	return slices.IndexFunc(r.statements, func(s *statement) bool { return s.tuple.Equal(t) })
}

// keyOf is the same for generators that are the same in the same order.
func keyOf(from, to int, g p.Generators) string {
	key := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(from)), uint64(to))
	for _, list := range [][][]p.Int{g.Rays, g.Lines} {
		key = binary.AppendUvarint(key, uint64(len(list)))
		for _, v := range list {
			key = appendKey(key, v)
		}
	}
	return string(key)
}

// appendKey appends integers such that different ones differ.
func appendKey(key []byte, v []p.Int) []byte {
	for _, x := range v {
		if i, ok := x.Int64(); ok {
			key = binary.AppendVarint(append(key, 0), i)
		} else {
			key = append(append(append(key, 1), x.String()...), 0)
		}
	}
	return key
}
