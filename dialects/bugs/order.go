package bugs

import (
	"cmp"
	"slices"
)

// An Item of an order is one of: a statement, a loop of the program, statements of
// several loops that take turns, or instances of statements by level.
type Item struct {
	Stmt  *Statement
	Loop  *Block
	Turns *Turns
	Waves *Waves

	data dataPart // of a statement
}

// A Block is a loop of the sequential program. All statements in it run over the
// same values at this level, under names of their own.
type Block struct {
	Level   int        // 0 is outermost
	Of      *Statement // one of the statements in it
	Reverse bool       // from the last value to the first
	Part    *[2]int    // an index set: only these values, from the first to the second
	Body    []Item
}

// each calls f for every statement of the items, in order; one that has several
// turns is met several times.
func each(items []Item, f func(s *Statement)) {
	for _, it := range items {
		switch {
		case it.Stmt != nil:
			f(it.Stmt)
		case it.Loop != nil:
			each(it.Loop.Body, f)
		case it.Turns != nil:
			for _, t := range it.Turns.Body {
				each(t.Body, f)
			}
		case it.Waves != nil:
			for _, w := range it.Waves.Parts {
				f(w.Stmt)
			}
		}
	}
}

// A scope is a set of statements, by index, that share the loops outside of a
// level, with the dependences among them that these loops leave.
type scope struct {
	stmts []*Statement
	level int
	deps  []*dep
}

// runs reports that a statement is left for run time: it has iterations, and data
// alone do not give all that it defines.
func (s *Statement) runs() bool { return s.n > 0 && !(s.Assign != nil && s.left == 0) }

// running lists the statements that are left for run time.
func (m *Model) running() []*Statement {
	var out []*Statement
	for _, s := range m.Statements {
		if s.runs() {
			out = append(out, s)
		}
	}
	return out
}

// sequence puts the statements in a sequential order: each element is defined
// before it is read. See arrange and merge for what is kept of the program, and
// knots for what is done about cycles.
//
// Log densities need only logical nodes in order: at a point every stochastic one
// has a value. So a cycle of stochastic nodes is a warning.
func (b *builder) sequence() {
	slices.SortFunc(b.m.deps, func(d, e *dep) int {
		return cmp.Or(d.to.Index-e.to.Index, d.from.Index-e.from.Index, d.via.ID-e.via.ID)
	})
	o := &orderer{b: b, m: b.m}
	defer func() { b.m.orderWork += o.work }()
	items, err := o.order(scope{b.m.running(), 0, b.m.deps})
	if err == nil {
		b.m.Order, b.m.why = items, o.why
		return
	}
	if err.tooMany != nil {
		b.refuseLarge(err.tooMany)
		return
	}
	b.m.cyclic = true
	o = &orderer{b: b, m: b.m}
	items, err2 := o.order(scope{b.m.running(), 0, b.m.orderDeps()})
	if err2 != nil {
		b.refuse(err2)
		return
	}
	b.m.Order, b.m.why = items, o.why
	path := rotated(err.path)
	at := b.m.definer(path[0]).Span()
	if b.jags {
		b.addElements(b.errorAt(at, "directed cycle: %s", arrows(path)).
			WithFix("JAGS wants no cycles; -dialect=bugs computes the product of the conditional densities"), path)
		return
	}
	d := b.warn(at, "%s depends on itself, %s: the product of the conditional densities is computed, which is not a joint density", path[0].name(), arrows(path)).
		WithFix("for a joint density write the nodes as one, such as dmnorm")
	b.addElements(d, path)
}

// refuse reports logical nodes that depend on themselves.
func (b *builder) refuse(err *cycleError) {
	if err.tooMany != nil {
		b.refuseLarge(err.tooMany)
		return
	}
	path := rotated(err.path)
	d := b.errorAt(b.m.definer(path[0]).Span(), "%s depends on itself: %s", path[0].name(), arrows(path))
	b.addElements(d, path)
	d.WithFix("break the cycle: a logical node must follow from others")
}

// refuseLarge reports statements for which no order of loops is known, and which read
// too many elements for an order of instances.
func (b *builder) refuseLarge(k *knot) {
	d := b.errorAt(k.stmts[0].Span(), "no order of loops is known for statements that need each other, and they read more than %d elements, too many to put their elements in order one by one", maxEdges).
		WithFix("write the statements so that one loop can do them in turn; carry a sum on from element to element instead of adding all again")
	for _, s := range k.stmts[1:min(len(k.stmts), maxPath)] {
		d.WithNote(s.Span(), "this is one of them")
	}
}

// orderer orders the statements of a model.
type orderer struct {
	b     *builder
	m     *Model
	waves map[*Statement]*Waves // by their first statement
	why   []Why
	work  int // dependences and knots looked at: it grows with their number
}

// order is the pipeline from statements to loops.
func (o *orderer) order(sc scope) ([]Item, *cycleError) {
	clusters, err := o.arrange(sc)
	if err != nil {
		return nil, err
	}
	return o.merge(clusters, sc), nil
}

// inner lists the dependences among some statements that the loop at the level of
// their scope leaves: those of one iteration.
func (o *orderer) inner(deps []*dep, level int) []*dep {
	var out []*dep
	for _, d := range deps {
		o.work++
		var left [][]int8
		for _, v := range d.vectors {
			if level < len(v) && v[level] == 0 {
				left = append(left, v)
			}
		}
		if left != nil {
			out = append(out, &dep{from: d.from, to: d.to, via: d.via, vectors: left})
		}
	}
	return out
}

func sorted(ss []*Statement) []*Statement {
	slices.SortFunc(ss, func(a, b *Statement) int { return a.Index - b.Index })
	return ss
}

// directions are the ways in which a loop may run.
type directions uint8

const (
	forward directions = 1 << iota
	backward
	either = forward | backward
)

// directions is how a loop at a level, around both statements, may run.
func (d *dep) directions(level int) directions {
	out := either
	for _, v := range d.vectors {
		switch {
		case level >= len(v):
			return 0
		case v[level] < 0:
			out &^= forward
		case v[level] > 0:
			out &^= backward
		}
	}
	return out
}

// A cycleError is a true cycle: an element depends on itself. It may also be that
// an order was not computed, for it would take too long.
type cycleError struct {
	path    []element
	tooMany *knot
}
