package saturate

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// An original is a value of the program that the e-graph has as an op.
type original struct {
	v  ir.Value
	of class
	at int32 // its place in the region
}

// A region is the e-graph of one region of the program: its pure ops, on leaves.
type region struct {
	*egraph
	s         *ir.Schedule
	r         ir.Region
	places    map[ir.Value]int32 // in the region: 1 is a parameter, and 0, which is not noted, outside
	of        map[ir.Value]class
	originals []original // in the order of the schedule
	first     map[class]int
}

// What stands before the ops of a region.
const (
	placeOfParams = 1
	placeOfOps    = 2
)

// newRegion makes the e-graph of a region. It is nil if there is nothing to rewrite, or more than a budget.
func newRegion(s *ir.Schedule, r ir.Region, most int) *region {
	g := s.Graph()
	body := s.Body(r)
	x := &region{egraph: newEgraph(g), s: s, r: r, places: map[ir.Value]int32{}, of: map[ir.Value]class{}}
	for _, p := range g.Params(r) {
		x.places[p] = placeOfParams
	}
	// Places are those of the schedule that the rebuild follows: what has a lower one is there before.
	for i, v := range body {
		x.places[v] = placeOfOps + int32(i)
	}
	for _, v := range body {
		if !x.pure(v) {
			continue
		}
		args := make([]class, len(g.Args(v)))
		for i, a := range g.Args(v) {
			args[i] = x.classOf(a)
		}
		c := x.op(g.Def(v), g.AttrsOf(v), g.Type(v), args)
		x.classes[c].clean = x.classes[c].clean || !g.MayBePoison(v)
		x.of[v] = c
		x.originals = append(x.originals, original{v, c, x.places[v]})
		if x.nodes > most {
			return nil
		}
	}
	if len(x.originals) == 0 {
		return nil
	}
	return x
}

// pure reports an op that the e-graph looks into: it gives one number, always the same of the same operands, cannot trap,
// and touches nothing.
func (x *region) pure(v ir.Value) bool {
	g := x.g
	def := g.Def(v)
	if def.Eval == nil || def.Effects != nil || def.Has(ir.ConstantLike) || def.Has(ir.Freezes) || !def.Registered() || len(g.Args(v)) == 0 || len(g.Args(v)) > mostArgs {
		return false
	}
	if g.HasEffect(v) || g.IsPinned(v) || g.IsPartial(v) || len(g.Regions(v))+len(g.Hard(v))+len(g.Soft(v)) > 0 || g.Results(v) != 1 {
		return false
	}
	if x.s.Place(v) != x.r || len(x.s.Copies(v)) > 0 || !x.holds(g.Type(v)) {
		return false
	}
	return !slices.ContainsFunc(g.Args(v), func(a ir.Value) bool { return !x.holds(g.Type(a)) })
}

// classOf is the class of an operand: of an op before it, a constant, or a leaf.
func (x *region) classOf(v ir.Value) class {
	if c, ok := x.of[v]; ok {
		return x.find(c)
	}
	t := x.g.Type(v)
	var c class
	if bits, ok := x.g.Number(v); ok {
		c = x.add(node{isConst: true, typ: t, bits: bits})
	} else {
		c = x.add(node{typ: t, leaf: v})
		x.classes[c].clean = !x.g.MayBePoison(v)
		op, _, _ := x.g.Projection(v)
		x.classes[c].ready = x.places[op]
	}
	x.of[v] = c
	return c
}

// saturate applies rules until nothing is new, or a budget is spent. It returns how often it went over all rules, and
// whether the budget ended it.
func (x *region) saturate(rules []*rewriting, nodes, iterations int) (rounds int, spent bool) {
	for rounds < iterations {
		rounds++
		x.changed, x.work = false, workOfTerm*nodes
		// A rule is asked only at classes that have its op, or reach it along arrows.
		byDef := map[*ir.OpDef][]class{}
		for c := range x.classes {
			if x.union[c] != class(c) {
				continue
			}
			for _, r := range x.reach(class(c)) {
				for _, n := range x.classes[r].nodes {
					if n.def != nil && (len(byDef[n.def]) == 0 || byDef[n.def][len(byDef[n.def])-1] != class(c)) {
						byDef[n.def] = append(byDef[n.def], class(c))
					}
				}
			}
		}
		var todo []found
		for _, r := range rules {
			for _, c := range byDef[r.Of] {
				x.search(r, c, func(f found) {
					if todo = append(todo, f); len(todo) >= mostMatches*nodes {
						x.work = 0
					}
				})
			}
		}
		// All matches of an iteration are found before the first is applied: they are of the terms that there were.
		for i := range todo {
			if x.apply(&todo[i]); x.nodes >= nodes {
				x.rebuild()
				return rounds, true
			}
		}
		if x.rebuild(); x.work <= 0 || !x.changed {
			return rounds, x.work <= 0
		}
	}
	return rounds, true
}

// What an iteration does at most for each term that there may be: matches that are found, and terms that patterns are held
// against.
const (
	mostMatches = 4
	workOfTerm  = 100
)
