package depend

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// A Program is a number of statements by what their instances access, and when. All
// maps are as in Accesses. An instance reads before it writes.
type Program struct {
	Reads      presburger.Map
	Writes     presburger.Map // that are done
	MayWrites  presburger.Map // that may be done
	Kills      presburger.Map // that end what an element had
	Reductions []Reduction
	Schedule   presburger.Map

	// Budget bounds the work of each operation on sets; 0 is presburger.DefaultBudget.
	Budget int64
}

// A Reduction is a number of statements that update elements by one operator, which
// is commutative and associative: each instance reads and writes its element, and
// those of one reduction may be executed in any order. Its Updates are in no other
// map of the program.
type Reduction struct {
	Operator string // for people
	Updates  presburger.Map
}

// Dependences are memory-based: they relate each instance to all that are executed
// after it and access the same element, one of the two being a write.
type Dependences struct {
	RAW, WAR, WAW presburger.Map // flow, anti and output dependences
	// Reduction has those between updates of one reduction, which are in no other: an
	// order of execution may ignore them, but not run two at once.
	Reduction presburger.Map
}

// aligned gives all maps of a copy of the program the same parameters.
func (p Program) aligned() (Program, []string) {
	p.Reductions = append([]Reduction(nil), p.Reductions...)
	all := []*presburger.Map{&p.Reads, &p.Writes, &p.MayWrites, &p.Kills, &p.Schedule}
	for i := range p.Reductions {
		all = append(all, &p.Reductions[i].Updates)
	}
	return p, alignAll(p.Budget, all...)
}

// updates joins those of the reductions but one; -1 leaves out none.
func (p Program) updates(but int) (out presburger.Map) {
	for i, r := range p.Reductions {
		if i != but {
			out = out.Union(r.Updates)
		}
	}
	return out
}

// Memory computes the memory-based dependences.
func (p Program) Memory() (Dependences, error) {
	p, params := p.aligned()
	o := order{params: params, tester: NewTester(params...), budget: p.Budget}
	o.tester.Budget = p.Budget
	var err error
	if o.schedule, err = newSchedule(p.Schedule); err != nil {
		return Dependences{}, err
	}
	writes, updates := p.Writes.Union(p.MayWrites), p.updates(-1)
	var d Dependences
	o.add(&d.RAW, writes.Union(updates), p.Reads)
	o.add(&d.RAW, writes, updates)
	o.add(&d.WAR, p.Reads, writes.Union(updates))
	o.add(&d.WAR, updates, writes)
	o.add(&d.WAW, writes, writes.Union(updates))
	o.add(&d.WAW, updates, writes)
	for i, r := range p.Reductions {
		o.add(&d.Reduction, r.Updates, r.Updates)
		for _, to := range []*presburger.Map{&d.RAW, &d.WAR, &d.WAW} {
			o.add(to, r.Updates, p.updates(i))
		}
	}
	for _, m := range []*presburger.Map{&d.RAW, &d.WAR, &d.WAW, &d.Reduction} {
		*m = m.AlignParams(params...).WithBudget(p.Budget)
	}
	return d, o.err
}

// Flow computes the value-based flow of the reads and updates. An update adds to what its element has. So a
// read has all updates since the last write as sources, in May. An update has those of other reductions, but
// none of its own.
func (p Program) Flow() (Flow, error) {
	p, _ = p.aligned()
	a := Accesses{Sink: p.Reads, Must: p.Writes, May: p.MayWrites.Union(p.updates(-1)), Kill: p.Kills, Schedule: p.Schedule, Budget: p.Budget}
	out, err := a.Flow()
	for i, r := range p.Reductions {
		if err != nil {
			return Flow{}, err
		}
		a.Sink, a.May = r.Updates, p.MayWrites.Union(p.updates(i))
		var f Flow
		f, err = a.Flow()
		out = Flow{out.Must.Union(f.Must), out.May.Union(f.May), out.MustNoSource.Union(f.MustNoSource), out.MayNoSource.Union(f.MayNoSource)}
	}
	return out, err
}

// order finds pairs of instances in the order of their execution.
type order struct {
	schedule
	params []string
	tester *Tester
	budget int64
	err    error
}

// add adds to a map the pairs of an access of the first map before one of the second
// to the same element.
func (o *order) add(to *presburger.Map, first, second presburger.Map) {
	seconds := o.accesses(second)
	for _, a := range o.accesses(first) {
		for _, b := range seconds {
			if a.array.Equal(b.array) {
				*to = to.Union(presburger.MapOf(o.pairs(a, b)...).WithBudget(o.budget))
			}
		}
	}
}

// pairs are those of two accesses; columns are x, y, element, time of x and of y.
func (o *order) pairs(a, b access) (out []presburger.Basic) {
	x, y, e, t := 0, a.stmt.Len(), a.stmt.Len()+b.stmt.Len(), o.time.Len()
	tx := e + a.array.Len()
	ty := tx + t
	n := ty + t
	for i := range a.basics {
		for j := range b.basics {
			for k := range a.times {
				for h := range b.times {
					levels := a.times[k].levels(b.times[h])
					if len(levels) == 0 {
						continue
					}
					both := join(o.params, n, placed{&a.basics[i], x, e}, placed{&b.basics[j], y, e},
						placed{&a.times[k].Basic, x, tx}, placed{&b.times[h].Basic, y, ty})
					both.Out = presburger.NewTuple("", make([]string, n)...)
					for _, l := range levels {
						out = o.keep(out, lexBefore(both, n, tx, ty, l), n, e, a, b)
					}
				}
			}
		}
	}
	return out
}

// keep adds a conjunction that has a point.
func (o *order) keep(out []presburger.Basic, b presburger.Basic, n, e int, x, y access) []presburger.Basic {
	ok, err := o.tester.exists(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	if !ok {
		return out
	}
	return append(out, pick(b, n, x.stmt, y.stmt, [2]int{0, x.stmt.Len()}, [2]int{x.stmt.Len(), e}))
}
