package poly

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir"
)

// A System is what a poly.system says, its sets and relations read.
type System struct {
	Node       ir.Node
	Params     []string // in the order of the operands
	Context    presburger.Set
	Arrays     []*ArrayDecl
	Statements []*Stmt
	Schedule   *schedule.Node // nil for equations without an order
	Equations  bool           // the schedule is an order of equations
	Budget     int64          // of each operation in the analysis of dependences, in steps; 0 is presburger.DefaultBudget
}

// An ArrayDecl is an array of a system.
type ArrayDecl struct {
	Node      ir.Node // a poly.bind or poly.local
	Name      string
	Role      Role
	Elem      ir.Type
	Rank      int
	Extent    presburger.Set // its elements
	HasExtent bool
	InBounds  bool           // all accesses by relations are in its memory
	Storage   presburger.Map // to places; of a local array
	IsStored  bool           // it has a Storage
}

// A Stmt is a statement of a system.
type Stmt struct {
	Node     ir.Node
	Name     string
	Domain   presburger.Set
	Operator Operator
	Target   *ArrayDecl
	Write    presburger.Map // the element of an instance; if it is keyed all that it may accumulate into
	Keyed    bool           // the body yields the indices of the element, too
	Reads    []Access
	Gathers  []*ArrayDecl   // those that its body reads by computed indices
	After    presburger.Map // to the instances of keyed statements that such an element has when it is read
	HasAfter bool
}

// An Access is the elements of an array that a statement reads; the order is that of
// the values that its body takes.
type Access struct {
	Array *ArrayDecl
	Map   presburger.Map
}

// Systems lists the systems of a graph, in the order of its schedule.
func Systems(g *ir.Graph) []*System { return systems.Of(g) }

var systems = ir.NewAnalysis("poly.systems", func(g *ir.Graph) (out []*System) {
	s := ir.ScheduleOf(g)
	for v := range s.All() {
		if g.Def(v) == SystemOp {
			out = append(out, readSystem(s, v))
		}
	}
	return out
})

func readSystem(s *ir.Schedule, v ir.Value) *System {
	g := s.Graph()
	c := g.Ctx
	attr := g.AttrsOf(v)
	sys := &System{Node: g.NodeOf(v), Params: names(c, attr)}
	if t, ok := treeAttr.Of(c, c.Get(attr, "schedule")); ok {
		sys.Schedule = t.Tree
	}
	sys.Equations = sys.Schedule == nil || c.Get(attr, "equations") != 0
	sys.Context = universe(sys.Params)
	if x, ok := setAttr.Of(c, c.Get(attr, "context")); ok {
		sys.Context = x.Set
	}
	arrays := map[ir.Value]*ArrayDecl{}
	for _, w := range s.Body(g.Regions(v)[0]) {
		switch g.Def(w) {
		case Bind, Local:
			sys.read(arrays, g, w)
		case Statement:
			for _, a := range g.Args(w) { // a binding may stand outside, where several systems have it
				sys.read(arrays, g, a)
			}
			sys.Statements = append(sys.Statements, readStatement(s, w, arrays))
		}
	}
	return sys
}

func (s *System) read(arrays map[ir.Value]*ArrayDecl, g *ir.Graph, v ir.Value) {
	if arrays[v] == nil {
		arrays[v] = readArray(g.NodeOf(v))
		s.Arrays = append(s.Arrays, arrays[v])
	}
}

// universe is the context that says nothing.
func universe(params []string) presburger.Set {
	s, _ := presburger.SetWhere(params, presburger.Tuple{}, presburger.Formula{})
	return s
}

func readArray(n ir.Node) *ArrayDecl {
	c := n.Graph().Ctx
	t, _ := arrayType.Of(c, n.Type())
	a := &ArrayDecl{Node: n, Name: stringOf(c, n.Attr("name")), Role: LocalRole, Elem: t.Elem, Rank: int(t.Rank)}
	if n.Def() == Bind {
		a.Role = Role(stringOf(c, n.Attr("role")))
		a.InBounds = n.Attr("inbounds") != 0
	}
	if x, ok := setAttr.Of(c, n.Attr("extent")); ok {
		a.Extent, a.HasExtent = x.Set, true
	}
	if x, ok := mapAttr.Of(c, n.Attr("storage")); ok {
		a.Storage, a.IsStored = x.Map, true
	}
	return a
}

func readStatement(s *ir.Schedule, v ir.Value, arrays map[ir.Value]*ArrayDecl) *Stmt {
	n := s.Graph().NodeOf(v)
	c := s.Graph().Ctx
	domain, _ := setAttr.Of(c, n.Attr("domain"))
	write, _ := mapAttr.Of(c, n.Attr("write"))
	args := s.Graph().Args(v)
	st := &Stmt{Node: n, Name: stringOf(c, n.Attr("name")), Domain: domain.Set, Write: write.Map,
		Operator: Operator(stringOf(c, n.Attr("operator"))), Target: arrays[args[0]]}
	st.Keyed = len(s.Graph().Yields(s.Graph().Regions(v)[0])) > 1
	for i, a := range c.AttrInfo(n.Attr("reads")).List {
		m, _ := mapAttr.Of(c, a)
		st.Reads = append(st.Reads, Access{arrays[args[i+1]], m.Map})
	}
	if x, ok := mapAttr.Of(c, n.Attr("after")); ok {
		st.After, st.HasAfter = x.Map, true
	}
	seen := map[*ArrayDecl]bool{}
	var walk func(r ir.Region)
	walk = func(r ir.Region) {
		for _, w := range s.Body(r) {
			if s.Graph().Def(w) == At {
				if a := arrays[s.Graph().Args(w)[0]]; a != nil && !seen[a] {
					seen[a] = true
					st.Gathers = append(st.Gathers, a)
				}
			}
			for _, inner := range s.Graph().Regions(w) {
				walk(inner)
			}
		}
	}
	walk(s.Graph().Regions(v)[0])
	return st
}

// Copies is which read a statement yields as it is; negative if it yields something else.
func (st *Stmt) Copies() int {
	body := st.Node.Region(0)
	return max(-1, slices.Index(body.Params(), body.Yields()[0])-st.Domain.Tuple().Len())
}

// LeavesNaN reports a reduction that a NaN changes nothing of: what it begins with is a number, even if all that it combines is NaN.
func (st *Stmt) LeavesNaN() bool {
	return (st.Operator == Max || st.Operator == Min) && st.Node.Graph().Ctx.IsFloat(st.Target.Elem)
}

// NeverNaN reports an array of floats of which no element is NaN: reductions that leave NaN out define all of it.
func (s *System) NeverNaN(a *ArrayDecl) bool {
	defined := false
	for _, st := range s.Statements {
		if st.Target == a {
			if !st.LeavesNaN() {
				return false
			}
			defined = true
		}
	}
	return defined && (a.Role == Output || a.Role == LocalRole)
}

// Statement finds a statement by its name, or nil.
func (s *System) Statement(name string) *Stmt {
	for _, st := range s.Statements {
		if st.Name == name {
			return st
		}
	}
	return nil
}
