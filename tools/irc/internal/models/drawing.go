package models

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/tools/irc/internal/plate"
)

// Drawing is the model as a picture with plates: a node a statement, and one for each
// name of data that is read, in the innermost plate whose index it has.
func (m *bound) Drawing() *plate.Model {
	d := &drawer{m: m.m, out: &plate.Model{Title: m.m.Name}, plates: map[plateKey]int{}, constants: map[constantKey]int{},
		of: map[*model.Var][]*model.Statement{}, node: map[*model.Statement]int{}, edges: map[plate.Edge]bool{}, feeds: map[feedKey][]*model.Statement{}}
	for _, s := range m.m.Statements {
		if s.InData {
			continue
		}
		d.node[s] = len(d.out.Nodes)
		d.of[s.Var] = append(d.of[s.Var], s)
		d.out.Nodes = append(d.out.Nodes, d.statement(s))
	}
	for _, x := range m.m.Deps {
		d.feeds[feedKey{x.To, x.Var}] = append(d.feeds[feedKey{x.To, x.Var}], x.From)
	}
	for _, s := range m.m.Statements {
		if !s.InData {
			d.parents(s)
		}
	}
	return d.out
}

type drawer struct {
	m         *model.Model
	out       *plate.Model
	plates    map[plateKey]int
	constants map[constantKey]int
	of        map[*model.Var][]*model.Statement // what defines a variable
	node      map[*model.Statement]int
	edges     map[plate.Edge]bool
	feeds     map[feedKey][]*model.Statement // what a statement reads of a variable
}

// Loops of one plate are written alike.
type plateKey struct {
	parent int
	label  string
}

type constantKey struct {
	name  string
	plate int
}

type feedKey struct {
	s *model.Statement
	v *model.Var
}

func (d *drawer) statement(s *model.Statement) plate.Node {
	n := plate.Node{Label: text(s.LHS.Span()), Tip: text(s.Span()), Plate: d.plate(s, len(s.Loops)), Kind: plate.Logical}
	if s.Sample == nil {
		return n
	}
	n.Kind, n.Law = plate.Stochastic, s.Sample.Dist
	switch role, mixed := roles.OfStatement(d.m, s); {
	case mixed:
		n.Shade = d.mixed(s)
	case role == roles.Observation:
		n.Shade = plate.Observed
	}
	return n
}

// mixed tells a statement some of whose nodes are observed from one that draws
// parameters and generated quantities.
func (d *drawer) mixed(s *model.Statement) plate.Shade {
	if roles.Counts(d.m, s.Var)[roles.Observation] > 0 {
		return plate.Partly
	}
	return plate.Hidden
}

// plate is that of the first loops of a statement.
func (d *drawer) plate(s *model.Statement, loops int) int {
	at := -1
	for _, l := range s.Loops[:loops] {
		k := plateKey{at, l.Var + " in " + text(l.Node.Over.Span())}
		i, ok := d.plates[k]
		if !ok {
			i = len(d.out.Plates)
			d.plates[k] = i
			d.out.Plates = append(d.out.Plates, plate.Plate{Label: k.label, Parent: at})
		}
		at = i
	}
	return at
}

// parents enters the edges to a statement from all that it mentions, but for data that
// choose an element.
func (d *drawer) parents(s *model.Statement) {
	var see, index func(e syntax.Expr) bool
	mention := func(e syntax.Expr, chooses bool) bool {
		r, ok := e.(*syntax.Ref)
		if !ok {
			return true
		}
		if !d.isIndex(s, r.Name) {
			d.parent(s, r, chooses)
		}
		for _, x := range r.Indices {
			syntax.Walk(x, index)
		}
		return false
	}
	see = func(e syntax.Expr) bool { return mention(e, false) }
	index = func(e syntax.Expr) bool { return mention(e, true) }
	for _, e := range s.LHS.Indices {
		syntax.Walk(e, index)
	}
	if s.Assign != nil {
		syntax.Walk(s.Assign.RHS, see)
		return
	}
	for _, e := range s.Sample.Args {
		syntax.Walk(e, see)
	}
	if b := s.Sample.Bound; b != nil {
		for _, e := range []syntax.Expr{b.Lower, b.Upper} {
			if e != nil {
				syntax.Walk(e, see)
			}
		}
	}
}

func (d *drawer) isIndex(s *model.Statement, name string) bool {
	return slices.ContainsFunc(s.Loops, func(l *model.Loop) bool { return l.Var == name })
}

// parent enters the edges of one reference: from the statements that define what is
// read of the variable, or from the data, unless these only choose an element of another.
func (d *drawer) parent(s *model.Statement, r *syntax.Ref, chooses bool) {
	v := d.m.Lookup(r.Name)
	if v == nil {
		return
	}
	from := slices.Clone(d.feeds[feedKey{s, v}])
	known := from == nil // what data or literals give is in no dependence
	for _, t := range d.of[v] {
		role, mixed := roles.OfStatement(d.m, t)
		if apart(t.LHS, r) || slices.Contains(from, t) || !known && role != roles.TransformedData && role != roles.Observation && !mixed {
			continue
		}
		from = append(from, t)
	}
	for _, t := range from {
		d.edge(d.node[t], d.node[s])
	}
	if len(from) == 0 && !chooses {
		d.edge(d.constant(s, r), d.node[s])
	}
}

// apart reports references whose literal indices differ.
func apart(a, b *syntax.Ref) bool {
	for k := range min(len(a.Indices), len(b.Indices)) {
		x, ok := a.Indices[k].(*syntax.Num)
		y, both := b.Indices[k].(*syntax.Num)
		if ok && both && x.Value != y.Value {
			return true
		}
	}
	return false
}

// constant is the node of data that a statement reads, in the innermost plate whose
// index the reference has.
func (d *drawer) constant(s *model.Statement, r *syntax.Ref) int {
	loops := 0
	for _, e := range r.Indices {
		syntax.Walk(e, func(x syntax.Expr) bool {
			if y, ok := x.(*syntax.Ref); ok {
				for k, l := range s.Loops {
					if l.Var == y.Name {
						loops = max(loops, k+1)
					}
				}
			}
			return true
		})
	}
	k := constantKey{r.Name, d.plate(s, loops)}
	i, ok := d.constants[k]
	if !ok {
		i = len(d.out.Nodes)
		d.constants[k] = i
		d.out.Nodes = append(d.out.Nodes, plate.Node{Label: text(r.Span()), Tip: "data: " + r.Name, Kind: plate.Constant, Plate: k.plate})
	}
	return i
}

func (d *drawer) edge(from, to int) {
	if e := (plate.Edge{From: from, To: to}); !d.edges[e] {
		d.edges[e] = true
		d.out.Edges = append(d.out.Edges, e)
	}
}
