package presburger

// FlatRangeProduct relates x to the concatenation of y and z where m relates x to y and
// n relates it to z.
func (m Map) FlatRangeProduct(n Map) (Map, error) {
	a, b := align(m.rel(), n.rel())
	return mapOf(a.do(func(w *work) *relation {
		out := &relation{params: a.params, budget: a.budget}
		np := len(a.params)
		for _, p := range a.parts {
			for _, q := range b.parts {
				if !p.in.equal(q.in) {
					continue
				}
				var cs []*conj
				for _, c := range p.conjs { // params, x, y, z
					c = c.clone()
					c.insert(c.n, q.numOut())
					for _, d := range q.conjs {
						w.step(len(c.ge) + len(d.ge))
						d = d.clone()
						d.insert(np+p.numIn(), p.numOut())
						cs = append(cs, meet(c, d))
					}
				}
				dims := append(p.out.names(), q.out.names()...)
				out.put(space{in: p.in, out: &tuple{dims: dims}}, cs...)
			}
		}
		return out
	}))
}
