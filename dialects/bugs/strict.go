package bugs

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// checkStrict refuses what the paper "Generating sequential code from BUGS programs"
// refuses, with its advice: statements that need each other must have the same
// loops, no index from data or from a node among them, and no distance between them
// may be negative. The rest of the program is ordered by splitting its loops. It
// does nothing without Options.Strict.
func (b *builder) checkStrict() {
	if !b.strict {
		return
	}
	stmts := b.m.running()
	at := numbered(stmts)
	comp := components(len(stmts), func(yield func(from, to int)) {
		for _, d := range b.m.deps {
			yield(at[d.from], at[d.to])
		}
	})
	cycles := map[int][]*dep{}
	for _, d := range b.m.deps {
		if c := comp[at[d.from]]; c == comp[at[d.to]] {
			cycles[c] = append(cycles[c], d)
		}
	}
	for c := range len(stmts) {
		if deps := cycles[c]; deps != nil {
			b.strictCycle(deps)
		}
	}
}

// strictCycle reports the first thing that is wrong with a cycle of statements.
func (b *builder) strictCycle(deps []*dep) {
	for _, d := range deps {
		if r := b.unknownIndex(d); r != nil {
			b.errorAt(r.Span(), "an index that depends on data or on a node is in a cycle of statements, which -strict refuses: %s is read here and depends on this statement", d.via.Name).
				WithFix("write the elements out one by one, or leave -strict out").
				WithNote(d.from.LHS.Span(), "%s is defined here", d.via.Name)
			return
		}
	}
	for _, d := range deps {
		if !sameNest(d.from, d.to) {
			e := b.errorAt(d.to.Span(), "statements of different loops need each other, which -strict refuses: this reads %s", d.via.Name).
				WithFix("merge the loops into a single one that does the statements in turn in each iteration, or leave -strict out")
			b.strictNotes(e, d, deps)
			return
		}
	}
	for _, d := range deps {
		for _, v := range d.vectors {
			if (Dependence{Vectors: [][]int8{v}}).Distances() == Negative {
				b.errorAt(d.to.Span(), "%s of a later iteration is read, which -strict refuses: the distance is %s", d.via.Name, VectorText(v)).
					WithFix("rewrite the loop so that each iteration reads what earlier ones define, or leave -strict out").
					WithNote(d.from.LHS.Span(), "%s is defined here", d.via.Name)
				return
			}
		}
	}
}

// strictNotes shows the way of a cycle through its statements, after its first step.
func (b *builder) strictNotes(e *diag.Diagnostic, first *dep, deps []*dep) {
	e.WithNote(first.from.LHS.Span(), "which is defined here")
	for _, d := range way(first, deps) {
		e.WithNote(d.to.Span(), "this reads %s", d.via.Name)
	}
}

// way finds the shortest way from the reader of a dependence back to its definer.
func way(first *dep, deps []*dep) []*dep {
	next := map[*Statement][]*dep{}
	for _, d := range deps {
		next[d.from] = append(next[d.from], d)
	}
	via := map[*Statement]*dep{first.to: nil}
	for queue := []*Statement{first.to}; len(queue) > 0; queue = queue[1:] {
		for _, d := range next[queue[0]] {
			if _, met := via[d.to]; !met {
				via[d.to] = d
				queue = append(queue, d.to)
			}
		}
	}
	var out []*dep
	for d := via[first.from]; d != nil; d = via[d.from] {
		out = append([]*dep{d}, out...)
	}
	return out
}

// sameNest reports that two statements have the same loops, of the same names.
func sameNest(s, t *Statement) bool {
	if len(s.Loops) != len(t.Loops) || sharedLoops(s, t) != len(s.Loops) {
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
func (b *builder) unknownIndex(d *dep) *syntax.Ref {
	f := newFrame(b.m, nil)
	known := func(r *syntax.Ref) bool {
		for i, x := range r.Indices {
			if _, _, ok := f.affineSpan(x, d.via, i); !ok {
				return false
			}
		}
		return true
	}
	var bad *syntax.Ref
	for _, r := range b.nodeRefs(d.to) {
		if bad == nil && b.m.bind[r].v == d.via && !known(r) {
			bad = r
		}
	}
	if bad == nil && !known(d.from.LHS) {
		bad = d.from.LHS
	}
	return bad
}
