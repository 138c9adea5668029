package polyhedral

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A userSchedule is one that the user wrote: a tree, or a map from instances to times.
type userSchedule struct {
	file  string
	names []string // of its statements
	root  *schedule.Node
	times presburger.Map // where there is no root
}

// maxFile bounds what is read of a file, in bytes.
const maxFile = 16 << 20

// readGiven reads a file, and the names of the statements that it orders.
func readGiven(file string) *userSchedule {
	f := unwind.Must(os.Open(file))
	defer f.Close()
	data := unwind.Must(io.ReadAll(io.LimitReader(f, maxFile+1)))
	if len(data) > maxFile {
		panic(unwind.Failed(fmt.Errorf("%s is too long for a schedule", file)))
	}
	g := &userSchedule{file: file}
	if err := g.parse(string(data)); err != nil {
		panic(unwind.Failed(fmt.Errorf("%s: %w", file, err)))
	}
	for _, s := range g.ordered().Sets() {
		g.names = append(g.names, s.Tuple().Name())
	}
	return g
}

// parse reads a tree, which has the key of its domain, or a map.
func (g *userSchedule) parse(text string) (err error) {
	if !strings.Contains(text, "domain") {
		g.times, err = presburger.ParseMap(text)
		return err
	}
	if g.root, err = schedule.Parse(text); err == nil {
		err = g.root.Check()
	}
	switch {
	case err != nil:
		return err
	case has(g.root, schedule.Extension):
		return errors.New("the schedule has an extension, which cannot be checked")
	case has(g.root, schedule.Expansion): // its root does not tell the instances
		g.times, err = g.root.Map()
		g.root = nil
	}
	return err
}

// has reports a tree with a node of some kind.
func has(root *schedule.Node, k schedule.Kind) bool {
	for _, n := range root.All() {
		if n.Kind() == k {
			return true
		}
	}
	return false
}

// ordered are the instances that the schedule is of.
func (g *userSchedule) ordered() presburger.Set {
	if g.root != nil {
		return g.root.Set()
	}
	return g.times.Domain()
}

// isFor reports that the schedule is about statements of a system.
func (g *userSchedule) isFor(sys *poly.System) bool {
	return slices.ContainsFunc(g.names, func(name string) bool { return sys.Statement(name) != nil })
}

// tree is the schedule of a system. What begins reductions comes first, where the file says
// nothing of it.
func (g *userSchedule) tree(w *systems.Ordering) (*schedule.Node, error) {
	sys := &w.Whole
	for _, name := range g.names {
		if sys.Statement(name) == nil {
			return nil, sys.Node.Errorf("has no statement %s, of which %s has a schedule", name, g.file)
		}
	}
	var rest presburger.Set // what the file is to order
	var first []*schedule.Node
	for _, st := range sys.Statements {
		d, err := st.Domain.IntersectParams(sys.Context)
		if err != nil {
			return nil, systems.Failed(sys, err)
		}
		// What begins reductions is not in the text of the program, so a file need not know it.
		if st.Node == (poly.Stmt{}).Node && !slices.Contains(g.names, st.Name) {
			first = append(first, schedule.NewFilter(d.Universe(), loopsOf(d)))
			continue
		}
		rest = rest.Union(d)
	}
	root, err := g.over(rest)
	if err != nil {
		return nil, sys.Node.Errorf("cannot have the schedule of %s: %v", g.file, err)
	}
	if len(first) == 0 {
		return schedule.NewDomain(w.Domain, root.Child(0)), nil
	}
	return schedule.NewDomain(w.Domain, schedule.NewSequence(append(first, schedule.NewFilter(rest.Universe(), root.Child(0)))...)), nil
}

// over is the tree for some instances, all of which it has to order.
func (g *userSchedule) over(instances presburger.Set) (_ *schedule.Node, err error) {
	defer unwind.To(&err)
	unwind.Check(covers(g.ordered(), instances))
	root := g.root
	if root == nil {
		m := unwind.Must(g.times.IntersectDomain(instances))
		root = unwind.Must(schedule.FromMap(m))
	}
	root = schedule.NewDomain(instances, root.Child(0))
	return root, root.Check()
}

// covers reports an instance that is not ordered.
func covers(ordered, instances presburger.Set) error {
	rest, err := instances.Subtract(ordered)
	if err != nil {
		return err
	}
	p, ok, err := rest.Sample()
	if err == nil && ok {
		err = fmt.Errorf("it does not say when %s is executed", p)
	}
	return err
}

// loopsOf is a band with a member for each dimension of a statement, or nothing.
func loopsOf(d presburger.Set) *schedule.Node {
	n := d.Tuple().Len()
	if n == 0 {
		return nil
	}
	var b schedule.BandData
	for i := range n {
		r := make([]presburger.Int, 1+n+1)
		r[1+i], r[1+n] = presburger.NewInt(1), presburger.NewInt(-1)
		b.Members = append(b.Members, schedule.Member{Function: presburger.MapOf(presburger.Basic{In: d.Tuple(), Out: presburger.NewTuple("", ""), Eq: [][]presburger.Int{r}})})
	}
	return schedule.NewBand(b, nil)
}

// prove refuses a schedule that does not execute each instance once, or that orders some against
// what it has to respect.
func prove(w *systems.Ordering, what string, tree *schedule.Node) {
	sys := &w.Whole
	exact(sys, w.Domain, tree)
	if !sys.Equations && tree == sys.Schedule {
		return // it is what the program means
	}
	v, err := schedule.Legal(tree, schedule.Dependences{Validity: w.Order, Coincidence: w.Order, Context: sys.Context})
	if err != nil {
		panic(unwind.Failed(systems.Failed(sys, err)))
	}
	if v == nil {
		return
	}
	by, err := arrayOf(w, v)
	if err != nil {
		panic(unwind.Failed(systems.Failed(sys, err)))
	}
	node := sys.Node
	if st := sys.Statement(v.Sink.Tuple); st != nil && st.Node != (poly.Stmt{}).Node {
		node = st.Node
	}
	panic(unwind.Failed(node.Errorf("is against %s: %s%s", what, v, by)))
}

// exact refuses a schedule of other instances than those of a system. What extensions add is
// not known.
func exact(sys *poly.System, instances presburger.Set, tree *schedule.Node) {
	if has(tree, schedule.Extension) {
		return
	}
	ordered := tree.Set()
	var err error
	if has(tree, schedule.Expansion) {
		var m presburger.Map
		m, err = tree.Map()
		ordered = m.Domain()
	}
	if err == nil {
		err = covers(ordered, instances)
	}
	if err == nil {
		// Outside of the context there are no instances, whatever the tree says there.
		var more presburger.Set
		if more, err = ordered.IntersectParams(sys.Context); err == nil {
			more, err = more.Subtract(instances)
		}
		if err == nil {
			p, ok, e := more.Sample()
			if err = e; e == nil && ok {
				err = fmt.Errorf("it executes %s, which is no instance", p)
			}
		}
	}
	if err != nil {
		unwind.Check(cmp.Or(systems.FailedBudget(sys, err), sys.Node.Errorf("has a schedule of other instances than its own: %v", err)))
		return
	}
}

// arrayOf names the array by which the instances of a violation depend on each other.
func arrayOf(w *systems.Ordering, v *schedule.Violation) (_ string, err error) {
	defer unwind.To(&err)
	for _, a := range w.Whole.Arrays {
		// A system of one array alone has exactly the dependences by it.
		one := w.Whole
		one.Arrays = []*poly.ArrayDecl{a}
		m := unwind.Must(one.Order())
		for _, part := range m.Maps() {
			in, out := part.Tuples()
			if in.Name() != v.Source.Tuple || out.Name() != v.Sink.Tuple {
				continue
			}
			if unwind.Must(part.Wrap().Contains(slices.Concat(v.Source.Coords, v.Sink.Coords), v.Sink.Params)) {
				return fmt.Sprintf(" (the dependence %s, by the array %s)", part, a.Name), nil
			}
		}
	}
	return "", nil
}
