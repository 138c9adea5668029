package dependence

import (
	"slices"
)

// needs lists what a statement requires: of each argument with SkipIfUniform, and of
// the group of the statement.
func (a *analysis) needs(i *Info) (all []clause) {
	for k := range i.Accesses {
		x := &i.Accesses[k]
		if x.SkipIfUniform && !x.Write && !x.Ignore && x.Role != Container {
			op := ArgOf
			if x.AnyItem {
				op = ItemsOf
			}
			g := &Group{Op: op}
			all = append(all, g.clauses(func(int) []Node { return a.reads(i, i.Class(), x) })...)
		}
	}
	if i.Requires == nil {
		return all
	}
	return append(all, i.Requires.clauses(func(arg int) (out []Node) {
		for k := range i.Accesses {
			if x := &i.Accesses[k]; x.Arg == arg && !x.Write && !x.Ignore && x.Role == Value {
				out = union(out, a.reads(i, i.Class(), x))
			}
		}
		return out
	})...)
}

// required finds what is uniform and adds requirements. What is uniform cannot satisfy
// an Any.
func (a *analysis) required() {
	a.findUniform()
	for _, k := range a.out.Cliques {
		k.Uniform = a.isUniform(k)
	}
	for _, i := range a.out.Infos {
		i.IsUniform = a.uniform[i.Statement]
		for k := range i.needs {
			if c := &i.needs[k]; c.isAny {
				c.nodes = slices.DeleteFunc(slices.Clone(c.nodes), a.isUniform)
			}
		}
		all := slices.DeleteFunc(i.needs, func(c clause) bool { return len(c.nodes) == 0 })
		for _, c := range minimal(all) {
			i.add(Requirement, c.nodes...)
		}
		i.sort()
	}
}

// findUniform finds the least set that holds the statements that are uniform by
// themselves and those of which some clause is uniform: they never run, so what they
// update stays uniform, too.
func (a *analysis) findUniform() {
	a.uniform = map[*Statement]bool{}
	skip := map[*Statement][]*Info{} // by what may make them uniform
	var work []*Statement
	for _, i := range a.out.Infos {
		if i.IsUniform {
			a.uniform[i.Statement] = true
			work = append(work, i.Statement)
		}
		for _, c := range i.needs {
			for _, s := range Expand(c.nodes) {
				skip[s] = append(skip[s], i)
			}
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range skip[s] {
			if !a.uniform[i.Statement] && slices.ContainsFunc(i.needs, a.isHopeless) {
				a.uniform[i.Statement] = true
				work = append(work, i.Statement)
			}
		}
	}
}

// isHopeless reports a clause that nothing will satisfy. An array, or a variable of several
// updates, is uniform if all of it is; of what Any and AnyItem name, all must be.
func (a *analysis) isHopeless(c clause) bool {
	nodes := c.nodes
	if !c.isAny {
		nodes = c.read
	}
	return !slices.ContainsFunc(nodes, func(n Node) bool { return !a.isUniform(n) })
}

// isUniform reports a statement that is, or a clique all members of which are.
func (a *analysis) isUniform(n Node) bool {
	return !slices.ContainsFunc(Expand([]Node{n}), func(s *Statement) bool { return !a.uniform[s] })
}
