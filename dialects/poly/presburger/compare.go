package presburger

// The points where two functions, both defined there, compare.

// LeSet returns where f <= g.
func (f PwAff) LeSet(g PwAff) (Set, error) { return f.compare(g, -2) }

// LtSet returns where f < g.
func (f PwAff) LtSet(g PwAff) (Set, error) { return f.compare(g, -1) }

// GeSet returns where f >= g.
func (f PwAff) GeSet(g PwAff) (Set, error) { return f.compare(g, 2) }

// GtSet returns where f > g.
func (f PwAff) GtSet(g PwAff) (Set, error) { return f.compare(g, 1) }

// EqSet returns where f = g.
func (f PwAff) EqSet(g PwAff) (Set, error) { return f.compare(g, 0) }

// NeSet returns where f and g differ.
func (f PwAff) NeSet(g PwAff) (Set, error) { return f.compare(g, 1, -1) }

func (f PwAff) compare(g PwAff, signs ...int) (Set, error) {
	d, err := f.Sub(g)
	if err != nil {
		return Set{}, err
	}
	return d.signed(signs...)
}

// ZeroSet returns where f = 0.
func (f PwAff) ZeroSet() (Set, error) { return f.signed(0) }

// NonZeroSet returns where f is not 0.
func (f PwAff) NonZeroSet() (Set, error) { return f.signed(1, -1) }

// PosSet returns where f > 0.
func (f PwAff) PosSet() (Set, error) { return f.signed(1) }

// NonNegSet returns where f >= 0.
func (f PwAff) NonNegSet() (Set, error) { return f.signed(2) }

// signed is where the value has one of the signs; see where.
func (f PwAff) signed(signs ...int) (Set, error) {
	g := f.fun()
	return set(run(g.budget, func(w *work) *relation {
		out := &relation{params: g.params, budget: g.budget}
		out.put(g.domainSpace())
		for _, p := range g.pieces {
			for _, s := range signs {
				for _, c := range where(p.when, p.vals[0], s, w) {
					out.put(g.domainSpace(), c.irredundant(w))
				}
			}
		}
		return out
	}))
}
