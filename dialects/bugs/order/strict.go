package order

import (
	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// CheckStrict refuses what the paper "Generating sequential code from BUGS programs"
// refuses, with its advice: statements that need each other must have the same
// loops, no index from data or from a node among them, and no distance between them
// may be negative. The rest of the program is ordered by splitting its loops. In JAGS it
// refuses parts of arrays without elements, as JAGS 4 does. It does nothing without Options.Strict.
func CheckStrict(b *bind.Builder) {
	if !b.Strict {
		return
	}
	if b.JAGS {
		refuseEmptyParts(b)
	}
	stmts := b.Model.Running()
	at := Numbered(stmts)
	comp := StronglyConnected(len(stmts), func(yield func(from, to int)) {
		for _, d := range b.Model.Deps {
			yield(at[d.From], at[d.To])
		}
	})
	cycles := map[int][]*model.Dependence{}
	for _, d := range b.Model.Deps {
		if c := comp[at[d.From]]; c == comp[at[d.To]] {
			cycles[c] = append(cycles[c], d)
		}
	}
	for c := range len(stmts) {
		if deps := cycles[c]; deps != nil {
			strictCycle(b, deps)
		}
	}
}

// refuseEmptyParts reports the first part of each statement that has no elements, such as x[2:1].
func refuseEmptyParts(b *bind.Builder) {
	for _, s := range b.Model.Statements {
		var refs []*syntax.Ref
		s.Refs(func(r *syntax.Ref, _ int) {
			if v := b.Model.Bindings[r].Var; v != nil && len(r.Indices) > 0 && eval.IsPart(v, r) {
				refs = append(refs, r)
			}
		})
		f := eval.NewFrame(b.Model, s)
		for i := 0; i < s.Iterations && len(refs) > 0; i++ {
			s.Domain.At(i, f.At)
			for _, r := range refs {
				if box, err := f.Box(r, b.Model.Bindings[r].Var, false); err == nil && box == nil {
					b.ErrorAt(r.Span(), "a part of %s without elements is an invalid range in JAGS, which -strict refuses", r.Name).
						WithFix("leave -strict out: the sum of no elements is 0, their product 1")
					refs = nil
					break
				}
			}
		}
	}
}

// strictCycle reports the first thing that is wrong with a cycle of statements.
func strictCycle(b *bind.Builder, deps []*model.Dependence) {
	for _, d := range deps {
		if r := unknownIndex(b, d); r != nil {
			b.ErrorAt(r.Span(), "an index that depends on data or on a node is in a cycle of statements, which -strict refuses: %s is read here and depends on this statement", d.Var.Name).
				WithFix("write the elements out one by one, or leave -strict out").
				WithNote(d.From.LHS.Span(), "%s is defined here", d.Var.Name)
			return
		}
	}
	for _, d := range deps {
		if !sameNest(d.From, d.To) {
			e := b.ErrorAt(d.To.Span(), "statements of different loops need each other, which -strict refuses: this reads %s", d.Var.Name).
				WithFix("merge the loops into a single one that does the statements in turn in each iteration, or leave -strict out")
			strictNotes(b, e, d, deps)
			return
		}
	}
	for _, d := range deps {
		for _, v := range d.Vectors {
			if (&model.Dependence{Vectors: [][]int8{v}}).Distances() == model.Negative {
				b.ErrorAt(d.To.Span(), "%s of a later iteration is read, which -strict refuses: the distance is %s", d.Var.Name, model.VectorText(v)).
					WithFix("rewrite the loop so that each iteration reads what earlier ones define, or leave -strict out").
					WithNote(d.From.LHS.Span(), "%s is defined here", d.Var.Name)
				return
			}
		}
	}
}

// strictNotes shows the way of a cycle through its statements, after its first step.
func strictNotes(b *bind.Builder, e *diag.Diagnostic, first *model.Dependence, deps []*model.Dependence) {
	e.WithNote(first.From.LHS.Span(), "which is defined here")
	for _, d := range pathBack(first, deps) {
		e.WithNote(d.To.Span(), "this reads %s", d.Var.Name)
	}
}

// pathBack finds the shortest way from the reader of a dependence back to its definer.
func pathBack(first *model.Dependence, deps []*model.Dependence) []*model.Dependence {
	next := map[*model.Statement][]*model.Dependence{}
	for _, d := range deps {
		next[d.From] = append(next[d.From], d)
	}
	via := map[*model.Statement]*model.Dependence{first.To: nil}
	for queue := []*model.Statement{first.To}; len(queue) > 0; queue = queue[1:] {
		for _, d := range next[queue[0]] {
			if _, met := via[d.To]; !met {
				via[d.To] = d
				queue = append(queue, d.To)
			}
		}
	}
	var out []*model.Dependence
	for d := via[first.From]; d != nil; d = via[d.From] {
		out = append([]*model.Dependence{d}, out...)
	}
	return out
}

// sameNest reports that two statements have the same loops, of the same names.
func sameNest(s, t *model.Statement) bool {
	if len(s.Loops) != len(t.Loops) || model.SharedLoops(s, t) != len(s.Loops) {
		return false
	}
	for i := range s.Loops {
		if s.Loops[i].Var != t.Loops[i].Var {
			return false
		}
	}
	return true
}

// unknownIndex finds a name at which a dependence reads or defines, if one of its
// indices is no affine form of the loop variables.
func unknownIndex(b *bind.Builder, d *model.Dependence) *syntax.Ref {
	f := eval.NewFrame(b.Model, nil)
	known := func(r *syntax.Ref) bool {
		for i, x := range r.Indices {
			if _, _, ok := f.AffineSpan(x, d.Var, i); !ok {
				return false
			}
		}
		return true
	}
	var bad *syntax.Ref
	for _, r := range NodeRefs(b, d.To) {
		if bad == nil && b.Model.Bindings[r].Var == d.Var && !known(r) {
			bad = r
		}
	}
	if bad == nil && !known(d.From.LHS) {
		bad = d.From.LHS
	}
	return bad
}
