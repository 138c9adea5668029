package saturate

// An application is a rule that was applied once, by number; 0 is none.
type application int32

// A reason says why the term that a class began with is that of another: an application, or none where their operands are equal.
type reason struct {
	to class // -1: none
	by application
}

// proofs say what rules the terms of an e-graph rest on. Terms are named by the classes that they began, which never change.
type proofs struct {
	rules  []*rewriting // of the applications
	made   []application
	why    []reason                 // a forest: what is joined in it is one class (Nieuwenhuis and Oliveras 2005)
	arrows map[[2]class]application // by which one may stand for another
	now    application
}

// apply begins an application, until done is called.
func (p *proofs) apply(r *rewriting) (done func()) {
	p.rules = append(p.rules, r)
	p.now = application(len(p.rules))
	return func() { p.now = 0 }
}

// begin notes a new term.
func (p *proofs) begin() {
	p.made, p.why = append(p.made, p.now), append(p.why, reason{to: -1})
}

// join notes that two terms are equal by the rule that is applied: the tree of the first hangs below the second.
func (p *proofs) join(a, b class) {
	for to := (reason{b, p.now}); a >= 0; {
		was := p.why[a]
		p.why[a] = to
		a, to = was.to, reason{a, was.by}
	}
}

// between calls f with the applications by which two terms are equal, as far as they were joined by rules.
func (p *proofs) between(a, b class, f func(application)) {
	above := map[class]bool{}
	for x := b; x >= 0; x = p.why[x].to {
		above[x] = true
	}
	for ; a >= 0 && !above[a]; a = p.why[a].to {
		f(p.why[a].by)
	}
	for ; b >= 0 && b != a; b = p.why[b].to {
		f(p.why[b].by)
	}
}

// used counts the applications of rules that the terms rest on of which the region is made now: those that made them, those
// that found them equal to what the program has, and those of the arrows that are taken.
func (p *plan) used() map[string]int {
	applied := map[application]bool{}
	note := func(a application) { applied[a] = true }
	p.each(func(c class) {
		b := &p.best[c]
		i, ours := p.first[c]
		switch {
		case b.via >= 0:
			note(p.arrow(c, b.via))
		case ours:
			p.proofs.between(p.originals[i].of, b.born, note)
		default:
			note(p.proofs.made[b.born])
		}
	})
	out := map[string]int{}
	for a := range applied {
		if a > 0 {
			out[p.proofs.rules[a-1].Rule]++
		}
	}
	return out
}

// arrow is the first application by which one class may stand for another.
func (p *plan) arrow(from, to class) (first application) {
	for pair, a := range p.proofs.arrows {
		if p.find(pair[0]) == from && p.find(pair[1]) == to && (first == 0 || a < first) {
			first = a
		}
	}
	return first
}
