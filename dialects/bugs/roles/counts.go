package roles

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
)

// uniformRole is the role of the unknown elements that a statement defines, where it
// is the same for all.
func uniformRole(m *model.Model, s *model.Statement) (Role, bool) {
	l := Living(m)
	switch {
	case l.All[s.Index] && s.Sample != nil:
		return RoleParameter, true
	case l.All[s.Index]:
		return TransformedParameter, true
	case l.Some[s.Index] == nil:
		return GeneratedQuantity, true
	}
	return NoRole, false
}

// roleOfRegion is StatementRole where the elements of a statement are a region of
// which all or none are known, and no other statement defines them too.
func RoleOfRegion(m *model.Model, s *model.Statement) (Role, bool) {
	r := s.Defines.Region
	if r == nil || s.Iterations == 0 || s.Assign != nil && !s.Var.Drawn.None() || s.Sample != nil && !s.Var.Assigned.None() {
		return NoRole, false
	}
	switch known := s.Var.KnownIn(r); {
	case known == 0:
		return uniformRole(m, s)
	case known < r.Size():
		return NoRole, false
	case s.Sample != nil:
		return Observation, true
	}
	return TransformedData, true
}

// roleCountsByParts counts roles where regions tell who defines what.
func RoleCountsByParts(m *model.Model, v *model.Var) (map[Role]int, bool) {
	if v.Drawn.Dense != nil || v.Assigned.Dense != nil || len(v.Drawn.Parts) > 0 && len(v.Assigned.Parts) > 0 {
		return nil, false
	}
	computed := 0
	out := map[Role]int{}
	add := func(r Role, n int) {
		if n > 0 {
			out[r] += n
		}
	}
	for _, o := range []*model.Owners{&v.Drawn, &v.Assigned} {
		for _, p := range o.Parts {
			known := v.KnownIn(p.Region)
			if o == &v.Assigned {
				computed += known
			}
			if known == p.Size() {
				continue
			}
			r, ok := uniformRole(m, p.By)
			if !ok {
				return nil, false
			}
			add(r, p.Size()-known)
		}
	}
	add(Observation, v.Counts[model.Observed])
	add(TransformedData, computed)
	add(ConstantData, v.Counts[model.Known]-computed)
	add(NoRole, v.Counts[model.Undefined])
	return out, true
}
