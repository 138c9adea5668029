package derivatives

// stencil is a loop that reads neighbours, in an array that it may write, with the loop or against it. Where it runs to a bound that is
// found on the way, all are within that bound.
func (p *program) stencil() {
	iv, sum, so, end := p.name(), p.name(), p.name(), ""
	lower, upper, offsets := "%c1", "%c3", []string{"%c0", "%c1", "%c2"} // from the element before
	if p.IntN(2) == 0 {
		if end = "%c3"; len(p.ivs) > 0 {
			end = p.ivs[p.IntN(len(p.ivs))]
		}
		lower, upper, offsets = "%c0", end, offsets[:2]
	}
	from, to := p.arrays[p.IntN(len(p.arrays))], p.arrays[p.IntN(len(p.arrays))]
	p.line("  %s = scf.for %s = %s to %s step %%c1 iter_args(%s = %s) -> (f64) {", sum, iv, lower, upper, so, p.float())
	p.within(func() {
		first := iv
		if end == "" {
			first = p.name()
			p.line("  %s = arith.subi %s, %%c1 : index", first, iv)
		}
		var reads []string
		for _, o := range offsets[p.IntN(2):] {
			at, v := p.name(), p.name()
			p.line("  %s = arith.addi %s, %s : index", at, first, o)
			p.line("  %s = memref.load %s[%s] : memref<4xf64>", v, from, at)
			reads = append(reads, v)
		}
		if end != "" && p.IntN(2) == 0 {
			last, at, v := p.name(), p.name(), p.name()
			p.line("  %s = arith.subi %s, %%c1 : index", last, end)
			p.line("  %s = arith.subi %s, %s : index", at, last, iv)
			p.line("  %s = memref.load %s[%s] : memref<4xf64>", v, from, at)
			reads = append(reads, v)
		}
		all := p.float()
		for _, r := range reads {
			v, x := p.name(), r
			switch p.IntN(5) {
			case 0: // of its own slope
				x = p.name()
				p.line("  %s = arith.mulf %s, %s : f64", x, r, p.float())
			case 1:
				x = p.name()
				p.line("  %s = arith.mulf %s, %s : f64", x, r, p.third())
			}
			p.line("  %s = arith.%s %s, %s : f64", v, []string{"addf", "subf"}[p.IntN(2)], all, x)
			all = v
		}
		v := p.name()
		p.line("  %s = math.sin %s : f64", v, all)
		if p.stores {
			p.line("  memref.store %s, %s[%s] : memref<4xf64>", v, to, iv)
		}
		next := p.name()
		p.line("  %s = arith.addf %s, %s : f64", next, so, v)
		p.line("  scf.yield %s : f64", next)
	})
	p.line("  }")
	p.floats = append(p.floats, sum)
}

// third is a constant number.
func (p *program) third() string {
	v := p.name()
	p.line("  %s = arith.constant -0.375 : f64", v)
	return v
}
