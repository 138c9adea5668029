package explain

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
)

// removed lists the ops of the source that the schedule does not hold, or holds
// as another one.
func (x *explainer) removed() []Op {
	out := []Op{}
	for at, w := range x.written.ops {
		if x.own[at] {
			continue
		}
		line, col := x.src.Position(at)
		o := Op{Op: w.name, Line: line, Column: col, Depth: len(w.path), Was: len(w.path)}
		o.Outcome, o.Why = x.gone(&o, at, w)
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b Op) int {
		return slices.Compare([]int{a.Line, a.Column}, []int{b.Line, b.Column})
	})
	return out
}

// gone says what became of an op that is no longer there.
func (x *explainer) gone(o *Op, at int, w *writtenOp) (outcome, why string) {
	if f := x.past.folds(at); f != "" {
		return folded, f
	}
	if other, ok := x.past.sharedWith[at]; ok && x.written.ops[other] != nil && x.written.ops[other].def.Name == w.name {
		o.SameAs = x.written.line(other)
		same := "the same as line " + itoa(o.SameAs)
		if o.SameAs == o.Line {
			same = "the same as another op of this line"
		}
		if name := x.written.result(other); name != "" {
			same += ", " + name
		}
		return shared, "shared: " + same
	}
	if by, ok := x.past.overwriters[at]; ok {
		return overwritten, fmt.Sprintf("removed: line %d writes over it before anything reads it", x.written.line(by))
	}
	if line, ok := x.joined[at]; ok && line != o.Line {
		o.SameAs = line
		return shared, "joined: it is one with line " + itoa(line)
	}
	for _, f := range w.path {
		if f.at >= 0 && !x.own[f.at] && x.joined[f.at] == 0 {
			return dead, fmt.Sprintf("gone with %s", x.written.region(f))
		}
	}
	return dead, x.dead(w)
}

// dead says why nothing needs an op that went by no rule.
func (x *explainer) dead(w *writtenOp) string {
	switch {
	case w.def.Has(ir.Terminator):
		return "gone: its region is"
	case w.def.Has(ir.ConstantLike) && len(w.users) > 0:
		return "folded into its users, or gone with them"
	case w.def.Has(ir.Symbol):
		return "dead: nothing names it"
	case w.def.Effects != nil && !w.def.Has(ir.Unique) && len(w.users) == 0:
		return "dead: nothing sees what it does"
	case len(w.users) == 0:
		return "dead: nothing uses it"
	}
	var gone, left []int
	for _, u := range w.users {
		if x.own[u] {
			left = append(left, x.written.line(u))
		} else {
			gone = append(gone, x.written.line(u))
		}
	}
	switch {
	case len(left) > 0 && x.passes:
		return "replaced by a pass: " + lines(left) + " now has something else"
	case len(left) > 0 && len(gone) == 0:
		return "dead: " + lines(left) + " no longer needs it"
	case len(left) == 0 && len(slices.Compact(slices.Sorted(slices.Values(gone)))) == 1:
		return "dead: its only user, " + lines(gone) + ", is gone"
	case len(left) == 0:
		return "dead: its users, " + lines(gone) + ", are gone"
	}
	return "dead: nothing needs it any more"
}
