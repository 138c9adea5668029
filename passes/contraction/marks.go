package contraction

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Mark is the name of a mark whose instances are a contraction, in any order.
const Mark = "contraction"

// everyPart calls f for the nodes of a schedule, with the one around each, for which filters leave instances of one statement, and the
// members of the bands around them.
func everyPart(sys *poly.System, tree *schedule.Node, f func(around, n *schedule.Node, st *poly.Stmt, set presburger.Set, outer []schedule.Member) error) error {
	var walk func(around, n *schedule.Node, set presburger.Set, outer []schedule.Member) error
	walk = func(around, n *schedule.Node, set presburger.Set, outer []schedule.Member) (err error) {
		if parts := set.Sets(); len(parts) == 1 {
			if st := sys.Statement(parts[0].Tuple().Name()); st != nil {
				if err := f(around, n, st, set, outer); err != nil {
					return err
				}
			}
		}
		switch n.Kind() {
		case schedule.Domain:
			set = n.Set()
		case schedule.Filter:
			set, err = set.Intersect(n.Set())
		case schedule.Band:
			outer = append(outer[:len(outer):len(outer)], n.Band().Members...)
		case schedule.Context, schedule.Sequence, schedule.Set, schedule.Mark:
		default:
			return nil
		}
		for _, c := range n.Children() {
			if err == nil {
				err = walk(n, c, set, outer)
			}
		}
		return err
	}
	return walk(nil, tree, presburger.Set{}, nil)
}

// alone finds the parts of a schedule that have one statement whole, outside of all bands: such a part is executed
// once, and all at once.
func alone(sys *poly.System, tree *schedule.Node, found func(n *schedule.Node, st *poly.Stmt) error) error {
	return everyPart(sys, tree, func(around, n *schedule.Node, st *poly.Stmt, set presburger.Set, outer []schedule.Member) error {
		if len(outer) > 0 || around == nil || around.Kind() != schedule.Domain && around.Kind() != schedule.Filter {
			return nil
		}
		// Instances that no allowed parameters have need not be in the part.
		d, err := st.Domain.IntersectParams(sys.Context)
		if err != nil {
			return err
		}
		if whole, err := d.IsSubset(set); err != nil || !whole {
			return err
		}
		return found(n, st)
	})
}

// MarkAll puts marks on the contractions of a schedule.
func MarkAll(sys *poly.System, tree *schedule.Node) (out *schedule.Node, names []string, err error) {
	marked := map[*schedule.Node]bool{}
	err = alone(sys, tree, func(n *schedule.Node, st *poly.Stmt) error {
		c, ok := Find(sys, st)
		if !ok || n.Kind() != schedule.Band {
			return nil
		}
		ok, err := c.readsBefore(tree)
		if ok && err == nil {
			names, marked[n] = append(names, st.Name), true
		}
		return err
	})
	if err != nil || len(names) == 0 {
		return tree, nil, err
	}
	out, err = tree.Rewrite(func(n *schedule.Node) (*schedule.Node, error) {
		if marked[n] {
			return schedule.NewMark(Mark, n), nil
		}
		return n, nil
	})
	return out, names, err
}

// Outside finds the contractions that marks outside of all bands name. A mark that names none, or whose accesses are not proven to lie
// inside of memory, says nothing.
func Outside(sys *poly.System, inside systems.Inside, t *target.Target, o codegen.Options) (list Tilings, err error) {
	var zeros, others []*poly.Stmt
	err = alone(sys, sys.Schedule, func(n *schedule.Node, st *poly.Stmt) error {
		if n.Kind() != schedule.Mark || n.Name() != Mark {
			if isZeros(st) {
				zeros = append(zeros, st)
			} else {
				others = append(others, st)
			}
			return nil
		}
		x, ok := Find(sys, st)
		if !ok || !inside.Whole(st) {
			return nil
		}
		if ok, err := x.readsBefore(sys.Schedule); err != nil || !ok {
			return err
		}
		tiling, err := newTiling(x, sys.Context, t, o)
		if err == nil {
			list = append(list, tiling)
			tiling.zeros, err = x.zerosOf(sys, zeros)
		}
		if err == errUnlike {
			err = nil
		}
		return err
	})
	for _, x := range list {
		if err != nil {
			break
		}
		x.epilogue, err = x.epilogueOf(sys, inside, others)
	}
	return list, err
}

// OuterName is that of the value of a member of a band around a mark, which is a parameter of its instances.
func OuterName(i int) string { return fmt.Sprintf("__outer_%d", i) }

// InBands finds the contractions that marks inside of bands name: where the members around have some values, no instance
// reads an element that one writes. numbers are the members with the first number of a wavefront in the place of its sum, and where that is.
func InBands(sys *poly.System, inside systems.Inside, numbers func(outer []schedule.Member) ([]schedule.Member, []bool, error), t *target.Target, o codegen.Options) (list Tilings, err error) {
	err = everyPart(sys, sys.Schedule, func(_, n *schedule.Node, st *poly.Stmt, set presburger.Set, outer []schedule.Member) error {
		if n.Kind() != schedule.Mark || n.Name() != Mark || len(outer) == 0 || !inside.Whole(st) {
			return nil
		}
		outer, isSum, err := numbers(outer)
		if err != nil {
			return err
		}
		x, err := Inner(sys, st, set, outer)
		if err != nil || x == nil {
			return err
		}
		x.isSum = isSum
		tiling, err := newTiling(x, sys.Context, t, o)
		if err == nil {
			list = append(list, tiling)
		}
		return err
	})
	return list, err
}

// Inner reads instances of a statement as a contraction for given values of some members, if none of those that
// have the same ones writes what another one reads; else it is nil.
func Inner(sys *poly.System, st *poly.Stmt, set presburger.Set, outer []schedule.Member) (*Contraction, error) {
	c, ok := Read(st)
	if !ok {
		return nil, nil
	}
	d, err := InTile(set, outer)
	if err != nil {
		return nil, err
	}
	if d, err = d.TileBounds().RemoveRedundancies(); err != nil {
		return nil, err
	}
	for _, r := range st.Reads {
		if r.Array != st.Target {
			continue
		}
		// flow relates two instances of which one reads the element that the other writes.
		flow, err := r.Map.Inverse().Compose(st.Write)
		if err == nil {
			flow, err = flow.IntersectDomain(d)
		}
		if err == nil {
			flow, err = flow.IntersectRange(d)
		}
		if err != nil {
			return nil, err
		}
		if empty, err := flow.IsEmpty(); err != nil || !empty {
			return nil, err
		}
	}
	if err = c.shape(sys, d); err == errUnlike {
		return nil, nil
	}
	return c, err
}

// InTile are the instances for which the members around have the values that are parameters.
func InTile(set presburger.Set, outer []schedule.Member) (presburger.Set, error) {
	for i, m := range outer {
		at, err := presburger.ParseSet(fmt.Sprintf("[%s] -> { [x] : x = %[1]s }", OuterName(i)))
		if err != nil {
			return set, err
		}
		f, err := m.Function.IntersectRange(at)
		if err == nil {
			set, err = set.Intersect(f.Domain())
		}
		if err != nil {
			return set, err
		}
	}
	return set, nil
}

// readsBefore reports that what a contraction reads of its target is what that had before: no instance reads an
// element after another one has written it.
func (c *Contraction) readsBefore(tree *schedule.Node) (bool, error) {
	if !c.before {
		return true, nil
	}
	times, err := tree.Map()
	if err != nil {
		return false, err
	}
	if times, err = times.IntersectDomain(c.st.Domain); err != nil {
		return false, err
	}
	later, err := times.Range().LexLT(times.Range()).Compose(times)
	if err == nil {
		later, err = times.Inverse().Compose(later)
	}
	if err != nil {
		return false, err
	}
	for _, r := range c.st.Reads {
		if r.Array != c.st.Target {
			continue
		}
		flow, err := r.Map.Inverse().Compose(c.st.Write)
		if err == nil {
			flow, err = flow.Intersect(later)
		}
		if err != nil {
			return false, err
		}
		if empty, err := flow.IsEmpty(); err != nil || !empty {
			return false, err
		}
	}
	return true, nil
}
