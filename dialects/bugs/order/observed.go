package order

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// CheckObserved finds nodes that depend on themselves through nodes that have values. At
// a point an observed node is a number where it is read, so the order of statements does
// not see such a cycle. The product of the conditional densities is a pseudo-likelihood
// then, and no joint density. A cycle passes through a stochastic node, for what
// data alone give has an order; so only statements are looked at that may be on one with
// a variable that has observed nodes.
func CheckObserved(b *bind.Builder) {
	if b.Model.Cyclic {
		return // which is told
	}
	stmts := onCycles(b)
	if stmts == nil {
		return
	}
	f := newFinder(b)
	f.known = true
	for _, s := range stmts {
		f.reads(s)
	}
	in := Numbered(stmts)
	deps := slices.DeleteFunc(f.sorted(), func(d *model.Dependence) bool {
		_, there := in[d.From]
		return !there
	})
	o := &Orderer{Builder: b, Model: b.Model, known: true}
	_, err := o.Components(Scope{stmts, 0, deps})
	b.Model.OrderWork += o.Work
	switch {
	case err == nil:
	case err.tooMany != nil:
		s := err.tooMany.Stmts[0]
		b.Warn(s.Span(), "whether %s depends on itself through observed nodes is not known: the statements read more than %d elements", s.Var.Name, MaxEdges).
			WithFix("write the statements so that one loop can do them in turn")
	default:
		tellCycle(b, err.path)
	}
}

// onCycles lists the statements whose variables depend on themselves and on variables
// with observed nodes among them; most programs have none. What the data block defines is
// data.
func onCycles(b *bind.Builder) []*model.Statement {
	var stmts []*model.Statement
	observed := false
	for _, s := range b.Model.Statements {
		if s.InData || s.Iterations == 0 {
			continue
		}
		stmts = append(stmts, s)
		for _, r := range refsOf(b, s, true) {
			observed = observed || b.Model.Bindings[r].Var.Has(model.Observed)
		}
	}
	if !observed {
		return nil
	}
	self := map[int]bool{}
	comp := StronglyConnected(len(b.Model.Vars), func(yield func(from, to int)) {
		for _, s := range stmts {
			for _, r := range refsOf(b, s, true) {
				v := b.Model.Bindings[r].Var
				self[v.ID] = self[v.ID] || v == s.Var
				yield(v.ID, s.Var.ID)
			}
		}
	})
	size, may := map[int]int{}, map[int]bool{}
	for _, v := range b.Model.Vars {
		c := comp[v.ID]
		size[c]++
		may[c] = may[c] || v.Has(model.Observed)
	}
	return slices.DeleteFunc(stmts, func(s *model.Statement) bool {
		c := comp[s.Var.ID]
		return !may[c] || size[c] == 1 && !self[s.Var.ID]
	})
}

func (fd *finder) refs(s *model.Statement) []*syntax.Ref { return refsOf(fd.Builder, s, fd.known) }

// refsOf is NodeRefs; where known nodes count, without the totals of laws in BUGS: such a
// law is that of counts given their total, which programs compute as a sum of them.
func refsOf(b *bind.Builder, s *model.Statement, known bool) []*syntax.Ref {
	refs := NodeRefs(b, s)
	if !known || b.JAGS || s.Sample == nil || s.Dist.Total == 0 || s.Dist.Total > len(s.Sample.Args) {
		return refs
	}
	total := map[*syntax.Ref]bool{}
	syntax.Walk(s.Sample.Args[s.Dist.Total-1], func(x syntax.Expr) bool {
		if r, ok := x.(*syntax.Ref); ok {
			total[r] = true
		}
		return true
	})
	return slices.DeleteFunc(refs, func(r *syntax.Ref) bool { return total[r] })
}

// definers are the statements and iterations that draw and assign an element, outside of
// the data block; those without a statement are none.
func definers(m *model.Model, v *model.Var, k int) [2]model.Origin {
	out := [...]model.Origin{v.DrawnBy(k), v.AssignedBy(k)}
	for i, by := range out {
		if by.Stmt != 0 && m.Statements[by.Stmt-1].InData {
			out[i] = model.Origin{}
		}
	}
	return out
}

// wayOut says what to do about a cycle in BUGS.
func wayOut(path []Element) string {
	if i := fromData(path); i >= 0 {
		return "for a joint density give " + path[i].Name() + " in the data, if it is to be a constant, or write the nodes as one, such as dmnorm"
	}
	return "for a joint density write the nodes as one, such as dmnorm"
}

// jagsWayOut is wayOut in JAGS.
func jagsWayOut(path []Element) string {
	const other = "; -dialect=bugs computes the product of the conditional densities"
	if i := fromData(path); i >= 0 {
		return "JAGS wants no cycles: compute " + path[i].Name() + " in a data block, if it is to be a constant" + other
	}
	return "JAGS wants no cycles" + other
}

// fromData finds an element of a cycle that data alone give; -1 if there is none.
func fromData(path []Element) int {
	return slices.IndexFunc(path, func(e Element) bool { return e.Var.ClassAt(e.Elem) == model.Known })
}
