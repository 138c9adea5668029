package simplify

import (
	"errors"
	"fmt"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
	"github.com/irc-lang/irc/ir/digraph"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// An ordering says in which order elements can be computed. An element waits for those that what
// defines it reads; the instances of an equation need no time of their own, as each may be executed
// right before its element is complete.
type ordering struct {
	context  p.Set
	circles  map[*Array]*circle // of arrays that depend on themselves
	verdicts map[string]verdict

	temporaries map[string]*temporary // by their reductions
}

// A circle is arrays that depend on each other, with the reuse that was decided so far.
type circle struct {
	arrays  map[*Array]bool
	problem scheduler.Problem
	tree    *schedule.Node // a sequential schedule, of which reuse that follows it needs no other
}

type verdict struct {
	ok    bool
	cycle string
}

// newOrdering finds the arrays that depend on themselves, and a sequential order for them (figure
// 8 of Yang, Atkinson and Carbin, step 1).
func newOrdering(program *Program) *ordering {
	o := &ordering{context: program.Context, circles: map[*Array]*circle{}, verdicts: map[string]verdict{}, temporaries: map[string]*temporary{}}
	own := map[*Array]bool{}
	for _, e := range program.Equations {
		e.reads(func(r *Expr) { own[r.Array] = own[r.Array] || r.Array == e.Target })
	}
	for _, arrays := range components(program) {
		if len(arrays) == 1 && !own[arrays[0]] {
			continue
		}
		c := &circle{arrays: map[*Array]bool{}}
		for _, a := range arrays {
			c.arrays[a], o.circles[a] = true, c
		}
		c.read(program)
	}
	return o
}

// components are the strongly connected components of arrays, those that others read before these; where
// that leaves a choice, in the order of the program.
func components(program *Program) (out [][]*Array) {
	reads := map[[2]*Array]bool{}
	for _, e := range program.Equations {
		e.reads(func(r *Expr) { reads[[2]*Array{r.Array, e.Target}] = true })
	}
	arrays := program.Arrays
	sorted := digraph.InOrder(len(arrays), func(i, j int) bool { return reads[[2]*Array{arrays[i], arrays[j]}] })
	return lists.Map(sorted, func(c []int) []*Array { return lists.Map(c, func(i int) *Array { return arrays[i] }) })
}

// read relates the elements of a circle to those that wait for them.
func (c *circle) read(program *Program) {
	var waits p.Map
	for _, e := range program.Equations {
		if !c.arrays[e.Target] {
			continue
		}
		e.reads(func(r *Expr) {
			if c.arrays[r.Array] {
				waits = waits.Union(unwind.Must(e.waits(r)))
			}
		})
	}
	var domain p.Set
	for _, a := range program.Arrays {
		if !c.arrays[a] {
			continue
		}
		d := unwind.Must(a.Extent.IntersectParams(program.Context))
		domain = domain.Union(d)
	}
	waits = unwind.Must(waits.Coalesce())
	domain, waits = domain.AlignParams(program.Params...), waits.AlignParams(program.Params...)
	c.problem = scheduler.Problem{Domain: domain, Context: program.Context, Validity: waits, Proximity: waits, Coincidence: waits}
	var err error
	c.tree, err = c.schedule(waits)
	if errors.Is(err, scheduler.ErrNone) {
		err = nil // no order is known: no reuse is taken
	}
	unwind.Check(err)
}

// waits relates the elements that a read of an equation reads to those that it defines by them.
func (e *Equation) waits(r *Expr) (_ p.Map, err error) {
	defer unwind.To(&err)
	write := unwind.Must(e.Write.IntersectDomain(e.Domain))
	if r.Kind == Gather {
		return r.Array.Extent.CrossMap(write.Range()), nil
	}
	read := unwind.Must(r.Map.IntersectDomain(e.Domain))
	return write.Compose(read.Inverse())
}

func (c *circle) schedule(waits p.Map) (_ *schedule.Node, err error) {
	defer unwind.To(&err)
	problem := c.problem
	problem.Validity, problem.Proximity, problem.Coincidence = waits, waits, waits
	r := unwind.Must(scheduler.Schedule(problem, scheduler.Options{Algorithm: scheduler.Sequential}))
	return r.Tree, nil
}

// touches reports that an expression reads what depends on an array.
func (o *ordering) touches(a *Array, e *Expr) (yes bool) {
	c := o.circles[a]
	if c == nil {
		return false
	}
	e.reads(func(r *Expr) {
		yes = yes || c.arrays[r.Array] || r.Array.from != nil && o.touches(a, r.Array.from)
	})
	return yes
}

// allows reports whether elements of an array may wait for others of it as a relation says: it is
// so where the sequential order has them that way (figure 8, step 2b), or another order has.
// If not, cycle shows elements that would wait for each other.
func (o *ordering) allows(a *Array, reuse wait) (ok bool, cycle string) {
	key := reuse.String()
	if v, ok := o.verdicts[key]; ok {
		return v.ok, v.cycle
	}
	v := o.decide(o.circles[a], reuse)
	o.verdicts[key] = v
	return v.ok, v.cycle
}

func (o *ordering) decide(c *circle, reuse wait) verdict {
	if c.tree == nil {
		return verdict{}
	}
	if reuse.own == nil {
		if unwind.Must(schedule.Legal(c.tree, schedule.Dependences{Validity: reuse.Map, Context: o.context})) == nil {
			return verdict{ok: true}
		}
	}
	with := c.with(reuse)
	_, err := with.schedule(with.problem.Validity)
	if !errors.Is(err, scheduler.ErrNone) {
		unwind.Check(err)
		return verdict{ok: true}
	}
	found, _ := unwind.Must2(scheduler.FindCycle(with.problem, nil))
	if found == nil {
		return verdict{cycle: "no affine order of the elements was found"}
	}
	return verdict{cycle: found.String()}
}

// commit adds reuse that is decided. It reports false where all of it together has no order.
func (o *ordering) commit(a *Array, reuse []wait) bool {
	c := o.circles[a]
	if c == nil || len(reuse) == 0 {
		return true
	}
	with := c.with(reuse...)
	var err error
	if with.problem.Validity, err = with.problem.Validity.Coalesce(); err != nil {
		panic(unwind.Failed(err))
	}
	tree, err := with.schedule(with.problem.Validity)
	if errors.Is(err, scheduler.ErrNone) {
		return false
	}
	if err != nil {
		panic(unwind.Failed(fmt.Errorf("an order for %s: %w", a.Name, err)))
	}
	c.problem, c.tree = with.problem, tree
	clear(o.verdicts)
	return true
}
