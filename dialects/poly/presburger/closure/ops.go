package closure

import p "github.com/irc-lang/irc/dialects/poly/presburger"

// A closer calls operations of presburger, each with a part of the budget, until one
// takes too long: err is set then, and what follows gives nothing until it is cleared.
type closer struct {
	steps int64 // of one operation
	calls int   // operations that are left
	err   error
}

const (
	// maxCalls is the number of operations on sets, so that a closure ends.
	maxCalls = 3000
	// maxLong is how many operations may take too long.
	maxLong = 3
	// maxDepth is how often a method may ask for the closure of another relation.
	maxDepth = 2
	// maxPieces is the number of conjunctions that are looked at one by one.
	maxPieces = 64
	// shares is how many operations may take as long as they may.
	shares = 400
)

func newCloser(m p.Map) *closer {
	budget := m.Budget()
	if budget == 0 {
		budget = p.DefaultBudget
	}
	return &closer{steps: budget/shares + 1, calls: maxCalls}
}

// try calls an operation.
func try[T any](c *closer, f func() (T, error)) (out T) {
	if c.err != nil {
		return out
	}
	if c.calls--; c.calls < 0 {
		c.err = p.ErrBudget
		return out
	}
	if out, c.err = f(); c.err != nil {
		c.calls -= maxCalls / maxLong
	}
	return out
}

// attempt runs a method; false is that it took too long.
func (c *closer) attempt(f func()) bool {
	if c.err != nil {
		return false
	}
	f()
	failed := c.err != nil
	c.err = nil
	return !failed
}

// after is b after a.
func (c *closer) after(b, a p.Map) p.Map {
	return try(c, func() (p.Map, error) { return b.Compose(a.WithBudget(c.steps)) })
}

func (c *closer) coalesce(m p.Map) p.Map {
	return try(c, m.WithBudget(c.steps).Coalesce)
}

func (c *closer) coalesceSet(s p.Set) p.Set {
	return try(c, s.WithBudget(c.steps).Coalesce)
}

func (c *closer) intersect(m, n p.Map) p.Map {
	return try(c, func() (p.Map, error) { return m.WithBudget(c.steps).Intersect(n) })
}

func (c *closer) empty(m p.Map) bool { return try(c, m.WithBudget(c.steps).IsEmpty) }

func (c *closer) subset(m, n p.Map) bool {
	return try(c, func() (bool, error) { return m.WithBudget(c.steps).IsSubset(n) })
}

// between restricts a map to a domain and a range.
func (c *closer) between(m p.Map, dom, ran p.Set) p.Map {
	m = try(c, func() (p.Map, error) { return m.WithBudget(c.steps).IntersectDomain(dom) })
	return try(c, func() (p.Map, error) { return m.WithBudget(c.steps).IntersectRange(ran) })
}

// pieces are the conjunctions that have a pair; those that relate points to themselves
// alone add nothing to longer paths and stay apart.
func (c *closer) pieces(m p.Map) (pieces []p.Map, stay p.Map) {
	for _, b := range m.Basics() {
		q := p.MapOf(b)
		switch {
		case c.empty(q):
		case b.In.Equal(b.Out) && c.subset(q, q.Domain().Identity()):
			stay = stay.Union(q)
		default:
			pieces = append(pieces, q)
		}
	}
	return pieces, stay
}

// unite is the union of some maps, at least that of none.
func (c *closer) unite(ms ...p.Map) p.Map {
	out := p.Map{}
	for _, m := range ms {
		out = out.Union(m)
	}
	return out
}

// ends relates each point of the domain to each of the range, which holds the closure;
// where these have many conjunctions, to hulls of theirs.
func (c *closer) ends(m p.Map) p.Map {
	dom, ran := m.Domain(), m.Range()
	if len(dom.Basics())*len(ran.Basics()) > maxEnds {
		dom, ran = c.loose(dom), c.loose(ran)
	}
	pairs, err := dom.Product(ran).Unwrap()
	if err != nil {
		panic("closure: a product is pairs")
	}
	return pairs
}

// loose is a hull, or everything if that takes too long.
func (c *closer) loose(s p.Set) p.Set {
	if h, err := s.WithBudget(c.steps).SimpleHull(); err == nil {
		return h
	}
	return s.Universe()
}
