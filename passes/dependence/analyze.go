package dependence

import (
	"cmp"
	"slices"
)

// analysis is Analyze at work.
type analysis struct {
	p       *Program
	out     *Result
	class   map[*Variable]map[*Statement]Class
	writers map[*Variable][]*Statement // all that declare or write it
	updates map[*Variable][]*Statement
	of      map[*Variable][]*Clique
	known   answers
	uniform map[*Statement]bool // known to be, so far
}

// Analyze finds the dependences of a program. It gives its statements their IDs
// where they have none.
func Analyze(p *Program) *Result {
	p.number()
	a := &analysis{p: p, out: &Result{Program: p}, class: map[*Variable]map[*Statement]Class{},
		writers: p.modifiers(), updates: map[*Variable][]*Statement{}, of: map[*Variable][]*Clique{}, known: answers{}}
	for _, v := range p.Variables {
		a.class[v] = classify(a.writers[v])
		for _, s := range a.writers[v] {
			if a.class[v][s] == Update {
				a.updates[v] = append(a.updates[v], s)
			}
		}
		a.cliques(v)
	}
	for _, s := range p.Statements {
		info := &Info{Statement: s, Classes: map[*Variable]Class{}, has: map[dependenceOn]bool{}, IsOutput: s.Output, IsUniform: s.Uniform || s.Declares}
		for i := range s.Accesses {
			if v := s.Accesses[i].Var; a.class[v][s] != None {
				info.Classes[v] = a.class[v][s]
			}
		}
		a.out.Infos = append(a.out.Infos, info)
		a.statement(info)
	}
	a.required()
	a.check()
	return a.out
}

// statement finds the dependences of one statement.
func (a *analysis) statement(i *Info) {
	class := i.Class()
	type touched struct {
		v     *Variable
		write bool
	}
	seen := map[touched]bool{} // in many ifs a statement has the conditions of all
	for k := range i.Accesses {
		x := &i.Accesses[k]
		if at := (touched{x.Var, x.Write}); !seen[at] {
			seen[at] = true
			a.variable(i, x)
		}
		if x.Write || x.Ignore || x.Role == Container {
			continue
		}
		nodes := a.reads(i, class, x)
		for _, n := range nodes {
			i.add(Ordinary, n)
		}
		a.annotated(i, x, nodes)
	}
	i.needs = a.needs(i)
}

// variable finds the dependences of a statement that come of the variable of an access, whatever of it that is.
func (a *analysis) variable(i *Info, x *Access) {
	if x.Var.Parameter {
		i.add(Parameter, x.Var)
	}
	for _, t := range a.writers[x.Var] {
		earlier := a.class[x.Var][i.Statement] != Declares || t.place < i.place
		if t != i.Statement && a.class[x.Var][t] == Declares && earlier {
			i.add(Declaration, t)
		}
		if x.Write && a.class[x.Var][i.Statement] == Update && a.class[x.Var][t] == Initialize {
			i.add(Initializer, t)
		}
	}
}

// reads lists what a read depends on: an initializer on the initializers before it,
// any other statement on the updates.
func (a *analysis) reads(i *Info, class Class, x *Access) []Node {
	if class == Initialize {
		return a.previous(i.Statement, x)
	}
	return a.resolve(x)
}

// previous lists the initializers before s that a read may see: the nearest, and
// those before it as long as nothing covers the read.
func (a *analysis) previous(s *Statement, x *Access) (out []Node) {
	for _, t := range slices.Backward(a.writers[x.Var]) {
		if t.place >= s.place || a.class[x.Var][t] != Initialize || !a.affects(t, x) {
			continue
		}
		out = append(out, t)
		if slices.ContainsFunc(t.Accesses, func(w Access) bool { return w.Write && covers(&w, x) }) {
			break
		}
	}
	return out
}

// resolve lists the cliques all of whose members affect a read, and the updates that
// affect it and are in none of these: those in no clique, and, which the document
// leaves out, those whose cliques all have a member that does not affect the read.
func (a *analysis) resolve(x *Access) (out []Node) {
	affecting := map[*Statement]bool{}
	for _, s := range a.updates[x.Var] {
		affecting[s] = a.affects(s, x)
	}
	covered := map[*Statement]bool{}
	for _, k := range a.of[x.Var] {
		if slices.ContainsFunc(k.Members, func(s *Statement) bool { return !affecting[s] }) {
			continue
		}
		out = append(out, k)
		for _, s := range k.Members {
			covered[s] = true
		}
	}
	for _, s := range a.updates[x.Var] {
		if affecting[s] && !covered[s] {
			out = append(out, s)
		}
	}
	return out
}

// affects reports that a statement may write what an access touches, conditions
// considered.
func (a *analysis) affects(s *Statement, x *Access) bool {
	for i := range s.Accesses {
		w := &s.Accesses[i]
		if !w.Write || w.Var != x.Var {
			continue
		}
		if a.known.overlap(w, x, true) {
			return true
		}
	}
	return false
}

// annotated adds triggers and fresh dependences of an argument. A statement has
// neither on itself: of a clique that it is in the other members are left.
func (a *analysis) annotated(i *Info, x *Access, nodes []Node) {
	for _, n := range nodes {
		targets := []Node{n}
		if slices.Contains(Expand(targets), i.Statement) {
			targets = nil
			for _, s := range Expand([]Node{n}) {
				if s != i.Statement {
					targets = append(targets, s)
				}
			}
		}
		for _, t := range targets {
			if x.Trigger {
				i.add(Trigger, t)
			}
			if x.Fresh {
				i.add(Fresh, t)
			}
		}
	}
}

// add enters a dependence once.
func (i *Info) add(k Kind, on ...Node) {
	slices.SortFunc(on, compareNodes)
	d := Dependence{Kind: k, On: on}
	key := dependenceOn{kind: k, node: on[0]}
	if len(on) > 1 {
		key = dependenceOn{kind: k, of: d.Label()}
	}
	if !i.has[key] {
		i.has[key] = true
		i.Dependences = append(i.Dependences, d)
	}
}

// sort puts dependences in the order of kinds, then of the program: statements
// before cliques.
func (i *Info) sort() {
	slices.SortStableFunc(i.Dependences, func(x, y Dependence) int {
		return cmp.Or(int(x.Kind)-int(y.Kind), slices.CompareFunc(x.On, y.On, compareNodes))
	})
}

func compareNodes(x, y Node) int {
	rank := func(n Node) (int, int, string) {
		switch n := n.(type) {
		case *Statement:
			return 0, n.place, ""
		case *Clique:
			return 1, len(n.ID), n.ID
		}
		return 2, 0, n.Label()
	}
	a, b, c := rank(x)
	d, e, f := rank(y)
	return cmp.Or(a-d, b-e, cmp.Compare(c, f))
}
