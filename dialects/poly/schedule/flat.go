package schedule

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// Map is the flat map of a tree: from instances to times, one of whose dimensions is
// that of a member of a band, or the position among the children of a sequence. A set
// counts as a sequence, in the order in which it is written. The times of shorter
// branches are filled up with zeros. Extensions have no flat map. The root is a domain.
func (n *Node) Map() (_ presburger.Map, err error) {
	defer unwind.To(&err)
	if n.kind != Domain {
		return presburger.Map{}, fmt.Errorf("schedule: the root of a tree is a domain, not a %s", n.kind)
	}
	var f flattener
	f.add(n.children[0], constant(n.set), 0)
	var out presburger.Map
	for i, m := range f.leaves {
		m := unwind.Must(m.FlatRangeProduct(constant(m.Domain().Universe(), make([]int64, f.longest-f.lens[i])...)))
		out = out.Union(m)
	}
	return out, nil
}

// flattener collects the maps of the leaves of a tree.
type flattener struct {
	leaves  []presburger.Map
	lens    []int
	longest int
}

// add collects those of a subtree, whose instances have times of k dimensions above it.
func (f *flattener) add(n *Node, times presburger.Map, k int) {
	switch n.kind {
	case Leaf:
		f.leaves, f.lens, f.longest = append(f.leaves, times), append(f.lens, k), max(f.longest, k)
		return
	case Band:
		k += len(n.bands.Members)
		times = n.bands.extend(times)
	case Sequence, Set:
		for i, c := range n.children {
			m := unwind.Must(times.FlatRangeProduct(constant(times.Domain().Universe(), int64(i))))
			f.add(c, m, k+1)
		}
		return
	case Filter:
		times = unwind.Must(times.IntersectDomain(n.set))
	case Expansion:
		times = unwind.Must(times.Compose(n.rel.Inverse()))
	case Context, Guard, Mark:
	default:
		panic(unwind.Failed(fmt.Errorf("schedule: a %s has no flat map", n.kind)))
	}
	f.add(n.children[0], times, k)
}

// constant relates all instances to one time.
func constant(instances presburger.Set, time ...int64) presburger.Map {
	b := presburger.Basic{Out: presburger.NewTuple("", make([]string, len(time))...)}
	for i, t := range time {
		r := make([]presburger.Int, 1+len(time))
		r[0], r[1+i] = presburger.NewInt(-t), presburger.NewInt(1)
		b.Eq = append(b.Eq, r)
	}
	return instances.CrossMap(presburger.SetOf(b))
}

// Map relates instances to the values of all members.
func (b BandData) Map(instances presburger.Set) (_ presburger.Map, err error) {
	defer unwind.To(&err)
	return b.extend(constant(instances)), nil
}

// extend adds the values of the members to times.
func (b BandData) extend(times presburger.Map) presburger.Map {
	for _, x := range b.Members {
		times = unwind.Must(times.FlatRangeProduct(x.Function))
	}
	return times
}
