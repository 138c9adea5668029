package bugs

// uniformRole is the role of the unknown elements that a statement defines, where it
// is the same for all.
func (m *Model) uniformRole(s *Statement) (Role, bool) {
	l := m.lives()
	switch {
	case l.all[s.Index] && s.Sample != nil:
		return RoleParameter, true
	case l.all[s.Index]:
		return TransformedParameter, true
	case l.some[s.Index] == nil:
		return GeneratedQuantity, true
	}
	return NoRole, false
}

// roleOfRegion is StatementRole where the elements of a statement are a region of
// which all or none are known, and no other statement defines them too.
func (m *Model) roleOfRegion(s *Statement) (Role, bool) {
	r := s.lhs.region
	if r == nil || s.n == 0 || s.Assign != nil && !s.v.drawn.none() || s.Sample != nil && !s.v.assigned.none() {
		return NoRole, false
	}
	switch known := s.v.knownIn(r); {
	case known == 0:
		return m.uniformRole(s)
	case known < r.size():
		return NoRole, false
	case s.Sample != nil:
		return Observation, true
	}
	return TransformedData, true
}

// roleCountsByParts counts roles where regions tell who defines what.
func (m *Model) roleCountsByParts(v *Var) (map[Role]int, bool) {
	if v.drawn.dense != nil || v.assigned.dense != nil || len(v.drawn.parts) > 0 && len(v.assigned.parts) > 0 {
		return nil, false
	}
	computed := 0
	out := map[Role]int{}
	add := func(r Role, n int) {
		if n > 0 {
			out[r] += n
		}
	}
	for _, o := range []*owners{&v.drawn, &v.assigned} {
		for _, p := range o.parts {
			known := v.knownIn(p.region)
			if o == &v.assigned {
				computed += known
			}
			if known == p.size() {
				continue
			}
			r, ok := m.uniformRole(p.by)
			if !ok {
				return nil, false
			}
			add(r, p.size()-known)
		}
	}
	add(Observation, v.count[Observed])
	add(TransformedData, computed)
	add(ConstantData, v.count[Known]-computed)
	add(NoRole, v.count[Undefined])
	return out, true
}
