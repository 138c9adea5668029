package model

// CountByParts counts where regions tell who defines what and no element is both
// assigned and drawn, unless all are known.
func (v *Var) CountByParts(jags bool) bool {
	if v.Drawn.Dense != nil || v.Assigned.Dense != nil {
		return false
	}
	v.Counts = [Parameter + 1]int{}
	for _, p := range v.Drawn.Parts {
		if v.Assigned.inside(p.Region) > 0 && (jags || !v.Known.All()) {
			return false
		}
	}
	for _, p := range v.Drawn.Parts {
		known := v.KnownIn(p.Region)
		v.Counts[Observed] += known
		v.Counts[Parameter] += p.Size() - known
	}
	for _, p := range v.Assigned.Parts {
		if !v.Known.All() {
			v.Counts[Logical] += p.Size() - v.KnownIn(p.Region)
		}
	}
	v.Counts[Known] = v.Known.Count - v.Counts[Observed]
	v.Counts[Undefined] = v.Size - v.Known.Count - v.Counts[Parameter] - v.Counts[Logical]
	return true
}

// KnownIn counts the known elements of a region.
func (v *Var) KnownIn(r Region) int {
	switch {
	case v.Known.All():
		return r.Size()
	case v.Known.None():
		return 0
	}
	n := 0
	r.Runs(v.Dims, func(from, to int) { n += v.Known.Between(from, to) })
	return n
}
