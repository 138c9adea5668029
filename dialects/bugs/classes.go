package bugs

// classify counts what the elements are, and refuses `<-` and `~` together where the
// assignment is not data.
func (b *builder) classify() {
	for _, v := range b.m.Vars {
		if !v.countByParts(b.jags) {
			b.countEach(v)
		}
	}
}

// countByParts counts where regions tell who defines what and no element is both
// assigned and drawn, unless all are known.
func (v *Var) countByParts(jags bool) bool {
	if v.drawn.dense != nil || v.assigned.dense != nil {
		return false
	}
	v.count = [Parameter + 1]int{}
	for _, p := range v.drawn.parts {
		if v.assigned.inside(p.region) > 0 && (jags || !v.known.all()) {
			return false
		}
	}
	for _, p := range v.drawn.parts {
		known := v.knownIn(p.region)
		v.count[Observed] += known
		v.count[Parameter] += p.size() - known
	}
	for _, p := range v.assigned.parts {
		if !v.known.all() {
			v.count[Logical] += p.size() - v.knownIn(p.region)
		}
	}
	v.count[Known] = v.known.count - v.count[Observed]
	v.count[Undefined] = v.size - v.known.count - v.count[Parameter] - v.count[Logical]
	return true
}

// knownIn counts the known elements of a region.
func (v *Var) knownIn(r region) int {
	switch {
	case v.known.all():
		return r.size()
	case v.known.none():
		return 0
	}
	n := 0
	r.runs(v.Dims, func(from, to int) { n += v.known.between(from, to) })
	return n
}

// countEach looks at every element.
func (b *builder) countEach(v *Var) {
	v.count = [Parameter + 1]int{}
	for k := range v.size {
		assigned, drawn := v.assigned.has(v.Dims, k), v.drawn.has(v.Dims, k)
		c := v.ClassAt(k)
		if drawn && assigned && c == Parameter {
			b.bothSides(v, k)
			c = Undefined
		}
		v.count[c]++
		if drawn && assigned && b.jags && !b.m.Statements[v.assignedBy(k).stmt-1].InData {
			b.bothSides(v, k)
		}
	}
}
