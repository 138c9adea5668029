package raise

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// A guard is a condition on data under which something stands: its statement is executed all the
// same, and what it does depends on the condition (if-conversion: Allen, Kennedy, Porterfield and
// Warren, "Conversion of control dependence to data dependence", 1983).
type guard struct {
	cond  ir.Value
	holds bool
}

// choice reads a conditional whose condition is computed from data: what it gives is a choice in the
// bodies of statements, and what it stores is one between that and what was there.
func (n *nest) choice(v, cond ir.Value, at moment) {
	n.choices[v] = cond
	for i, r := range n.g.Regions(v) {
		if !n.g.HasBlock(r) {
			continue
		}
		side := at
		side.guards = append(slices.Clip(at.guards), guard{cond, i == 0})
		n.body(r, side)
	}
}

// chosen are the condition of a choice and what it gives, by the side.
func (p *program) chosen(key value) (cond ir.Value, arms []ir.Value, ok bool) {
	cond, ok = p.choices[key.v]
	if !ok {
		return 0, nil, false
	}
	for _, r := range p.g.Regions(key.v) {
		arms = append(arms, p.g.Yields(r)[key.k])
	}
	return cond, arms, true
}

// guarded refuses accesses under conditions on data of which it is not shown that they are inside of their
// memory whatever the condition: those that are promised to, or that are outside only where others are, too.
func (p *program) guarded(all []*access, names []string, known error) {
	for _, a := range all {
		if len(a.at.guards) == 0 || p.g.Ctx.Get(p.g.AttrsOf(a.op), memref.InBoundsAttr) != 0 {
			continue
		}
		// Where bounds failed, nothing is known of where accesses are outside.
		err := known
		if err == nil {
			x, e := p.beyond(a, names)
			inside := false
			if e == nil {
				inside, e = x.IsSubset(p.outside)
			}
			if err = e; e == nil && !inside {
				err = errors.New("outside")
			}
		}
		if err != nil {
			panic(unwind.Failed(hinder(a.op, "it is not known that %s under a condition on data is inside of its memory", p.g.Def(a.op).Name)))
		}
	}
}

// either makes a choice of values: as one op if both sides may be computed, else as a branch.
func (r *raising) either(cond ir.Value, arms []ir.Value, made map[value]ir.Value) ir.Value {
	c := r.copy(cond, made)
	if r.free(arms[0], map[ir.Value]bool{}) && r.free(arms[1], map[ir.Value]bool{}) {
		return r.b.Op(arith.Select, c, r.copy(arms[0], made), r.copy(arms[1], made))
	}
	arm := func(i int) func() []ir.Value {
		return func() []ir.Value { return []ir.Value{r.copy(arms[i], cloned(made))} }
	}
	return r.b.Result(scf.BuildIf(r.b, c, arm(0), arm(1)), 0)
}

// cloned keeps what is made in a region from being used behind it.
func cloned(made map[value]ir.Value) map[value]ir.Value {
	out := map[value]ir.Value{}
	for k, v := range made {
		out[k] = v
	}
	return out
}

// free reports what may be computed where it is not needed: nothing in it ends the program.
func (r *raising) free(v ir.Value, seen map[ir.Value]bool) bool {
	if !r.isInside(v) || r.dims[v] != "" || seen[v] {
		return true
	}
	seen[v] = true
	key := r.key(v)
	if x := r.reads[key]; x != nil {
		// The statement loads ordinary reads in any case; a gather may be outside of its memory.
		return !x.isGather() || x.copied != nil
	}
	if cond, arms, ok := r.chosen(key); ok {
		return r.free(cond, seen) && r.free(arms[0], seen) && r.free(arms[1], seen)
	}
	if r.g.Def(key.v).Has(ir.Partial) {
		return false
	}
	return !slices.ContainsFunc(r.g.Args(key.v), func(a ir.Value) bool { return !r.free(a, seen) })
}

// under is what a statement that stands under conditions on data yields: what it would put there, or what changes
// nothing.
func (r *raising) under(st *sentence, guards []guard, made map[value]ir.Value) ir.Value {
	if len(guards) == 0 {
		return r.yielded(st, made)
	}
	does := func(made map[value]ir.Value) ir.Value { return r.under(st, guards[1:], made) }
	// Where a guard fails, a reduction accumulates its identity, and a store puts back what was there.
	stays := func() ir.Value {
		if _, ok := st.operator.Combine(); ok {
			return r.b.Const(st.target.elem, st.operator.Identity(r.b.Ctx(), st.target.elem))
		}
		return made[old(st.write)]
	}
	c := r.copy(guards[0].cond, made)
	free := r.free(st.value, map[ir.Value]bool{}) && !slices.ContainsFunc(guards[1:], func(g guard) bool { return !r.free(g.cond, map[ir.Value]bool{}) })
	if free {
		x, y := does(made), stays()
		if !guards[0].holds {
			x, y = y, x
		}
		return r.b.Op(arith.Select, c, x, y)
	}
	arms := []func() []ir.Value{func() []ir.Value { return []ir.Value{does(cloned(made))} }, func() []ir.Value { return []ir.Value{stays()} }}
	if !guards[0].holds {
		arms[0], arms[1] = arms[1], arms[0]
	}
	return r.b.Result(scf.BuildIf(r.b, c, arms[0], arms[1]), 0)
}

// old stands for what was there where a store under a condition writes.
func old(w *access) value { return value{w.op, -1} }
