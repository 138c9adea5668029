package codegen

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/digraph"
	"github.com/irc-lang/irc/ir/lists"
)

// before reports that, for some values of the dimensions before d, a has a value of
// dimension d that is less than one of b, or equal where orEqual says so.
func (g *generator) before(a, b presburger.Set, d int, orEqual bool) bool {
	both := must(must(a.InsertDims(d+1, 1)).Intersect(must(b.InsertDims(d, 1))))
	less := g.blank(d + 2)
	r := make([]integer, 1+len(g.params)+d+2)
	r[g.entry(d)], r[g.entry(d+1)] = one.Neg(), one
	if !orEqual {
		r[0] = one.Neg()
	}
	less.Ge = [][]integer{r}
	return !must(must(both.Intersect(g.set(less))).IsEmpty())
}

// fixed is the value of dimension d where it has one in all of a set.
func (g *generator) fixed(s presburger.Set, d int) (v integer, ok bool) {
	for i, b := range s.Basics() {
		found := false
		for _, e := range b.Eq {
			k := e[g.entry(d)]
			if k.Abs().Cmp(one) != 0 {
				continue
			}
			alone := true
			for c := 1; c < len(e); c++ {
				alone = alone && (c == g.entry(d) || e[c].Sign() == 0)
			}
			if alone {
				w := e[0].Mul(k).Neg()
				if i > 0 && w.Cmp(v) != 0 {
					return v, false
				}
				v, found = w, true
				break
			}
		}
		if !found {
			return v, false
		}
	}
	return v, true
}

// components takes statements apart that can be executed one after the other: strongly
// connected components of the relation that some instance of one comes before some of the
// other, in an order that respects it.
func (g *generator) components(ps []projected, d int, b band) [][]projected {
	if len(ps) < 2 {
		return [][]projected{ps}
	}
	values, same := make([]*integer, len(ps)), true
	for i, p := range ps {
		if v, ok := g.fixed(p.on, d); ok {
			values[i] = &v
		}
		same = same && values[i] != nil && values[i].Cmp(*values[0]) == 0
	}
	if same && (d+1 < b.end || b.inner == nil) {
		return [][]projected{ps}
	}
	together := len(g.tied) > 0 && b.holds != nil && b.holds(d)
	groups := digraph.InOrder(len(ps), func(i, j int) bool {
		if together && g.tied[[2]string{ps[i].tuple.Name(), ps[j].tuple.Name()}] {
			return true
		}
		inner := g.innerOrder(ps[i].tuple, ps[j].tuple, d, b)
		first := inner == itsFirst || inner == unknownOrder
		if values[i] != nil && values[j] != nil {
			c := values[i].Cmp(*values[j])
			return c < 0 || c == 0 && first
		}
		return g.before(ps[i].on, ps[j].on, d, first)
	})
	var out [][]projected
	for _, is := range groups {
		c := lists.Map(is, func(i int) projected { return ps[i] })
		out = append(out, c)
	}
	return out
}

// What is known of two statements at equal times.
const (
	unknownOrder = iota
	anyOrder
	itsFirst // the first is executed first
	itsLast
)

// innerOrder is the order of instances with equal values of the dimensions up to d.
func (g *generator) innerOrder(a, b presburger.Tuple, d int, in band) int {
	if d+1 < in.end || in.inner == nil {
		return unknownOrder
	}
	n := in.inner
	for {
		switch n.Kind() {
		case schedule.Leaf:
			return anyOrder
		case schedule.Context, schedule.Guard, schedule.Mark:
			n = n.Child(0)
			continue
		case schedule.Sequence, schedule.Set:
		default:
			return unknownOrder
		}
		i, j := -1, -1
		for k, c := range n.Children() {
			for _, s := range c.Set().Sets() {
				if t := s.Tuple(); t.Equal(a) {
					if i >= 0 {
						return unknownOrder
					}
					i = k
				}
				if t := s.Tuple(); t.Equal(b) {
					if j >= 0 {
						return unknownOrder
					}
					j = k
				}
			}
		}
		switch {
		case i == j && i >= 0:
			n = n.Child(i).Child(0)
		case i < 0 || j < 0 || n.Kind() == schedule.Set:
			return anyOrder
		case i < j:
			return itsFirst
		default:
			return itsLast
		}
	}
}

// ordered brings elements into an order in which their loops may be executed; those for
// which there is none become one.
func (g *generator) ordered(els []element, d int) []element {
	if len(els) < 2 {
		return els
	}
	var out []element
	for _, is := range digraph.InOrder(len(els), func(i, j int) bool { return g.before(els[i].exact, els[j].exact, d, false) }) {
		e := els[is[0]]
		for _, i := range is[1:] {
			e = element{e.exact.Union(els[i].exact), schedule.Default}
		}
		out = append(out, e)
	}
	return out
}
