package stage

// A Prophecy is a value of a lattice that tells the future. It is the same in all runs that make it at the same tag.
type Prophecy struct {
	Value any
	Front any // what the front makes of it; the same in all runs
	name  string
	join  func(a, b any) any
	below func(a, b any) bool
	reads map[edge]bool // where it was asked for
	grew  int
}

// Prophecy gives the prophecy of the call under way, which is bottom at first.
func (r *Run) Prophecy(name string, bottom any, join func(a, b any) any, below func(a, b any) bool, sub int) *Prophecy {
	if r.end.dead {
		return &Prophecy{Value: bottom, join: join, below: below, reads: map[edge]bool{}}
	}
	t := r.tag(sub, 1)
	p := r.s.prophecies[t]
	if p == nil {
		p = &Prophecy{Value: bottom, name: name, join: join, below: below, reads: map[edge]bool{}}
		r.s.prophecies[t] = p
	}
	return p
}

// Ask is what a prophecy tells.
func (p *Prophecy) Ask(r *Run) any {
	if !r.end.dead {
		p.reads[edge{r.at, r.way}] = true
	}
	return p.Value
}

// Require states that a prophecy should have told at least v. If it did not it does from now on, and what was found after it was
// asked for is found again.
func (p *Prophecy) Require(r *Run, v any) {
	if r.end.dead || p.below(v, p.Value) {
		return
	}
	now := p.join(p.Value, v)
	if !p.below(v, now) || !p.below(p.Value, now) || p.below(now, p.Value) {
		r.Fail("Join must give the least that is above both", "the prophecy %s is no lattice: the join of %v and %v is %v", p.name, p.Value, v, now)
	}
	if p.grew++; p.grew > r.s.opts.Height {
		r.Fail("give the lattice a top that is soon reached", "the prophecy %s grew %d times: it is %v", p.name, p.grew-1, now)
	}
	p.Value = now
	r.end.grow(p)
}

// Together has what f requires of several prophecies told at once: the function is run again once, not for each of them.
func (r *Run) Together(f func()) {
	if r.end.dead {
		return
	}
	r.end.gather(f)
}
