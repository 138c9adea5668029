package bugs

// claim enters who defines each element; a second definition is an error. Regions
// that nothing else defines are entered whole.
func (b *builder) claim(s *Statement) {
	v, dims := s.v, s.lhs.dims
	total := 1
	for d := range dims {
		if total *= max(dims[d], 1); total > maxElements {
			b.errorAt(s.LHS.Span(), "%s would have more than %d elements", v.Name, maxElements)
			return
		}
	}
	if s.n == 0 {
		return
	}
	for d := range dims {
		if dims[d] > v.Dims[d] {
			v.grow(dims)
			break
		}
	}
	o := &v.drawn
	if s.Assign != nil {
		o = &v.assigned
	}
	if r := s.lhs.region; r != nil && o.dense == nil && len(o.parts) < maxParts && o.free(r) && !b.givenHere(s, r) {
		o.parts = append(o.parts, part{r, s})
		return
	}
	o.spread(v)
	s.eachElement(func(i, k int) bool {
		by := &o.dense[k]
		if by.stmt != 0 {
			b.twice(s, b.m.Statements[by.stmt-1], v, k)
			return true
		}
		*by = origin{int32(s.Index + 1), int32(i)}
		if s.Assign != nil && v.given.has(k) && !s.InData {
			b.once(v.Name+" is data", func() {
				b.errorAt(s.LHS.Span(), "%s is given in the data and assigned here", v.ElemName(k)).
					WithFix("remove it from the data, or this statement").WithNote(v.At, "the data")
			})
		}
		return true
	})
}

// givenHere reports that an assignment outside of a data block defines what the
// data give.
func (b *builder) givenHere(s *Statement, r region) bool {
	if s.Assign == nil || s.InData || s.v.given.none() {
		return false
	}
	n := 0
	r.runs(s.v.Dims, func(from, to int) { n += s.v.given.between(from, to) })
	return n > 0
}
