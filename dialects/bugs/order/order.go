package order

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// A Scope is a set of statements, by index, that share the loops outside of a
// level, with the dependences among them that these loops leave: signs of vectors before
// the level are all 0.
type Scope struct {
	Stmts []*model.Statement
	Level int
	Deps  []*model.Dependence
}

// Decide puts the statements in a sequential order: each element is defined
// before it is read. See arrange and merge for what is kept of the program, and
// components for what is done about cycles.
//
// Log densities need only logical nodes in order: at a point every stochastic one
// has a value. So a cycle of stochastic nodes is a warning, in JAGS an error. A first attempt
// respects all dependences and finds the cycle; a second one respects those on logical nodes (OrderDeps).
func Decide(b *bind.Builder) {
	slices.SortFunc(b.Model.Deps, func(d, e *model.Dependence) int {
		return cmp.Or(d.To.Index-e.To.Index, d.From.Index-e.From.Index, d.Var.ID-e.Var.ID)
	})
	o := &Orderer{Builder: b, Model: b.Model}
	defer func() { b.Model.OrderWork += o.Work }()
	items, err := o.order(Scope{b.Model.Running(), 0, b.Model.Deps})
	if err == nil {
		b.Model.Order, b.Model.Why = items, o.why
		return
	}
	if err.tooMany != nil {
		refuseLarge(b, err.tooMany)
		return
	}
	b.Model.Cyclic = true
	o = &Orderer{Builder: b, Model: b.Model}
	items, err2 := o.order(Scope{b.Model.Running(), 0, OrderDeps(b.Model)})
	if err2 != nil {
		refuse(b, err2)
		return
	}
	b.Model.Order, b.Model.Why = items, o.why
	tellCycle(b, err.path)
}

// tellCycle reports stochastic nodes that depend on themselves: JAGS refuses them.
func tellCycle(b *bind.Builder, path []Element) {
	path = rotated(path)
	at := Definer(b.Model, path[0]).Span()
	if b.JAGS {
		addElements(b, b.ErrorAt(at, "directed cycle: %s", arrows(path)).
			WithFix("%s", jagsWayOut(path)), path)
		return
	}
	d := b.Warn(at, "%s depends on itself, %s: the product of the conditional densities is computed, which is not a joint density", path[0].Name(), arrows(path)).
		WithFix("%s", wayOut(path))
	addElements(b, d, path)
}

// refuse reports logical nodes that depend on themselves.
func refuse(b *bind.Builder, err *cycleError) {
	if err.tooMany != nil {
		refuseLarge(b, err.tooMany)
		return
	}
	path := rotated(err.path)
	d := b.ErrorAt(Definer(b.Model, path[0]).Span(), "%s depends on itself: %s", path[0].Name(), arrows(path))
	addElements(b, d, path)
	d.WithFix("break the cycle: a logical node must follow from others")
}

// refuseLarge reports statements for which no order of loops is known, and which read
// too many elements for an order of instances.
func refuseLarge(b *bind.Builder, k *Component) {
	d := b.ErrorAt(k.Stmts[0].Span(), "no order of loops is known for statements that need each other, and they read more than %d elements, too many to put their elements in order one by one", MaxEdges).
		WithFix("write the statements so that one loop can do them in turn; carry a sum on from element to element instead of adding all again")
	for _, s := range k.Stmts[1:min(len(k.Stmts), diag.MaxShown)] {
		d.WithNote(s.Span(), "this is one of them")
	}
}

// Orderer orders the statements of a model.
type Orderer struct {
	Builder    *bind.Builder
	Model      *model.Model
	known      bool                                   // observed nodes depend on what they read, and are read
	wavefronts map[*model.Statement]*model.Wavefronts // by their first statement
	why        []model.Why
	Work       int // dependences and components looked at: it grows with their number
}

// order is the pipeline from statements to loops.
func (o *Orderer) order(sc Scope) ([]model.Item, *cycleError) {
	clusters, err := o.Arrange(sc)
	if err != nil {
		return nil, err
	}
	return o.Merge(clusters, sc), nil
}

// inner lists the dependences among some statements that the loop at the level of
// their scope leaves: those of one iteration.
func (o *Orderer) inner(deps []*model.Dependence, level int) []*model.Dependence {
	var out []*model.Dependence
	for _, d := range deps {
		o.Work++
		left := lists.Filter(d.Vectors, func(v []int8) bool { return level < len(v) && v[level] == 0 })
		if left != nil {
			out = append(out, &model.Dependence{From: d.From, To: d.To, Var: d.Var, Vectors: left})
		}
	}
	return out
}

func Sorted(ss []*model.Statement) []*model.Statement {
	slices.SortFunc(ss, func(a, b *model.Statement) int { return a.Index - b.Index })
	return ss
}

// directions are the ways in which a loop may run.
type directions uint8

const (
	forward directions = 1 << iota
	backward
	either = forward | backward
)

// directionsOf is how a loop at a level, around both statements, may run; 0 if they do not share it.
func directionsOf(d *model.Dependence, level int) directions {
	out := either
	for _, v := range d.Vectors {
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
// an order was not computed, for it would take too long. At level 0 it has a path or a
// tooMany; from an inner level it has neither (decide) and is not reported. Another reason is
// another field, which Decide, refuse and CheckObserved ask for before they use the path.
type cycleError struct {
	path    []Element
	tooMany *Component
}

// OrderDeps are the dependences that an order respects: of a model whose stochastic
// nodes form a cycle only those on logical nodes.
func OrderDeps(m *model.Model) []*model.Dependence {
	if !m.Cyclic {
		return m.Deps
	}
	return slices.DeleteFunc(slices.Clone(m.Deps), func(d *model.Dependence) bool { return d.From.Sample != nil })
}
