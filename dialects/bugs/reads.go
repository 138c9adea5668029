package bugs

import "github.com/irc-lang/irc/dialects/bugs/syntax"

// A found dependence is one that is entered if no read of the statement is wrong.
type found struct {
	from *Statement
	v    *Var
	vec  []int8
}

// readsByRegion finds what a statement reads by regions, and by walks over packed
// indices where these do not tell. It returns false if something is wrong, and then
// enters nothing.
func (b *builder) readsByRegion(s *Statement, refs []*syntax.Ref, deps map[[3]int]*dep) bool {
	f := newFrame(b.m, s)
	var all []found
	add := func(from *Statement, v *Var, vec []int8) { all = append(all, found{from, v, vec}) }
	for _, r := range refs {
		a, how := b.reading(s, f, r)
		if how == decided {
			how = b.regionReads(a, add)
		}
		if how == wrong || how == unclear && !b.walk(s, r, add) {
			return false
		}
	}
	for _, x := range all {
		b.enter(x.from, s, x.v, x.vec, deps)
	}
	return true
}

// regionReads finds the dependences of an access whose region is known.
func (b *builder) regionReads(a *reading, add func(from *Statement, v *Var, vec []int8)) outcome {
	v := a.v
	if v.known.all() {
		return decided
	}
	if v.drawn.dense != nil || v.assigned.dense != nil {
		return unclear
	}
	defined := v.knownIn(a.reach)
	for _, o := range []*owners{&v.drawn, &v.assigned} {
		for _, p := range o.parts {
			common := p.and(a.reach)
			n := common.size()
			if n == 0 {
				continue
			}
			known := v.knownIn(common)
			switch defined += n - known; {
			case known == n:
				continue
			case known > 0:
				return unclear
			}
			vectors, how := b.vectors(a, p, n == a.reach.size())
			if how != decided {
				return how
			}
			for _, vec := range vectors {
				add(p.by, v, vec)
			}
		}
	}
	if defined == a.reach.size() {
		return decided
	}
	if a.exact {
		return wrong
	}
	return unclear
}

// vectors finds the signs of the distances from the definitions of a part to an
// access that may read it; whole says that it reads nothing else.
func (b *builder) vectors(a *reading, p part, whole bool) ([][]int8, outcome) {
	shared := sharedLoops(p.by, a.s)
	if vec, ok := constantDistance(a, p.by, shared); ok && (whole || a.exact) {
		return [][]int8{vec}, decided
	}
	for _, loose := range a.loose {
		if loose {
			return nil, unclear
		}
	}
	if !a.s.dom.isBox() || shared > maxShared {
		return nil, unclear
	}
	return b.solve(a, p.by, shared)
}

// constantDistance finds the vector where each shared loop's variable is an index on
// both sides, so that it has the same distance for all pairs.
func constantDistance(a *reading, from *Statement, shared int) ([]int8, bool) {
	vec := []int8{}
	for k := range shared {
		d := from.lhs.dimOf[k]
		if d < 0 { // one iteration, on both sides
			vec = append(vec, 0)
			continue
		}
		def, use := from.lhs.lo[d], a.lo[d]
		width, ok := a.hi[d].plus(-1, use)
		if l, one := use.loop(); !ok || a.loose[d] || !one || l != k || use.at(k) != def.at(k) || width.c != 0 || !width.constant() {
			return nil, false
		}
		vec = append(vec, sign(int32((def.c-use.c)*def.at(k))))
	}
	return vec, true
}
