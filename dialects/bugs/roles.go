package bugs

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A Role is what an element of a variable is for.
type Role uint8

// The roles.
const (
	NoRole               Role = iota // nothing defines the element
	ConstantData                     // given, and not drawn
	TransformedData                  // computed from data alone, once
	Observation                      // drawn, with a known value
	RoleParameter                    // drawn, unknown, with an observed descendant
	TransformedParameter             // computed, with an observed descendant
	GeneratedQuantity                // drawn or computed, without an observed descendant
)

func (r Role) String() string {
	return [...]string{"undefined", "constant", "transformed data", "observation", "parameter", "transformed parameter", "generated quantity"}[r]
}

// RoleOf is the role of an element.
//
// What a statement defines at a time has an observed descendant as a whole or not at all:
// a vector that is assigned is computed at once, a node is one factor of the density.
// The unobserved elements of a vector of which a part is observed are parameters. A
// node between limits that do not renormalise its density, as I(,) and C(,) in BUGS,
// tells its parents that it lies there, whatever its value: that is an observation too
// (a censored time is one), and it is a parameter.
func (m *Model) RoleOf(v *Var, k int) Role {
	switch v.ClassAt(k) {
	case Known:
		if v.assignedBy(k).stmt != 0 {
			return TransformedData
		}
		return ConstantData
	case Observed:
		return Observation
	case Parameter:
		if m.lives().element(v.drawnBy(k)) {
			return RoleParameter
		}
		return GeneratedQuantity
	case Logical:
		if m.lives().element(v.assignedBy(k)) {
			return TransformedParameter
		}
		return GeneratedQuantity
	}
	return NoRole
}

// StatementRole is the role of what a statement defines; mixed says that its elements
// have several: then it is the first of them.
func (m *Model) StatementRole(s *Statement) (role Role, mixed bool) {
	if s.Sample != nil && s.n > 0 && s.v.Count(Observed) == s.v.Len() {
		return Observation, false
	}
	if r, ok := m.roleOfRegion(s); ok {
		return r, false
	}
	for i := range s.n {
		m.elements(s, i, func(k int) {
			r := m.RoleOf(s.v, k)
			if role == NoRole {
				role = r
			}
			mixed = mixed || r != role
		})
		if mixed {
			break
		}
	}
	return role, mixed
}

// RoleCounts is the number of elements of a variable by role.
func (m *Model) RoleCounts(v *Var) map[Role]int {
	if out, ok := m.roleCountsByParts(v); ok {
		return out
	}
	out := map[Role]int{}
	for k := range v.Len() {
		out[m.RoleOf(v, k)]++
	}
	return out
}

// lives says which instances of statements have an observed descendant or are
// observed themselves.
type lives struct {
	all  []bool   // by Statement.Index: every instance
	some [][]bool // the instances of others; nil for none
}

func (l *lives) element(by origin) bool { return l.instance(int(by.stmt)-1, int(by.iter)) }

func (l *lives) instance(stmt, iter int) bool {
	return l.all[stmt] || l.some[stmt] != nil && l.some[stmt][iter]
}

// lives is computed once: by statement where every instance is read by a living one
// because subscripts and loops are the same, else by instance, in time linear in the
// elements that are read.
func (m *Model) lives() *lives {
	if m.alive == nil {
		f := &liveFinder{m: m}
		f.l = lives{make([]bool, len(m.Statements)), make([][]bool, len(m.Statements))}
		f.whole()
		f.instances()
		m.alive = &f.l
	}
	return m.alive
}

type liveFinder struct {
	m    *Model
	l    lives
	work []origin // living instances whose parents are to be visited
}

// tells reports a statement whose nodes tell something about their parents whatever
// their values are.
func (m *Model) tells(s *Statement) bool {
	if s.Sample == nil || s.Sample.Bound == nil {
		return false
	}
	t, d := m.truncates(s)
	return !t && d == nil
}

// whole finds the statements all of whose instances live.
func (f *liveFinder) whole() {
	var queue []*Statement
	add := func(s *Statement) {
		if !f.l.all[s.Index] {
			f.l.all[s.Index] = true
			queue = append(queue, s)
		}
	}
	into := make([][]*dep, len(f.m.Statements))
	for _, d := range f.m.deps {
		into[d.to.Index] = append(into[d.to.Index], d)
	}
	for _, s := range f.m.Statements {
		if s.Sample != nil && s.n > 0 && (f.m.tells(s) || f.allObserved(s)) {
			add(s)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, d := range into[queue[0].Index] {
			if f.readsAll(d) {
				add(d.from)
			}
		}
	}
}

func (f *liveFinder) allObserved(s *Statement) bool {
	if s.v.Count(Observed) == s.v.Len() {
		return true
	}
	for i := range s.n {
		if !f.observed(s, i) {
			return false
		}
	}
	return true
}

// observed reports a node of which some element is.
func (f *liveFinder) observed(s *Statement, iter int) bool {
	some := false
	f.m.elements(s, iter, func(k int) { some = some || s.v.ClassAt(k) == Observed })
	return some
}

// readsAll reports that the sink of a dependence reads every instance of its source.
func (f *liveFinder) readsAll(d *dep) bool {
	s, t := d.from, d.to
	if s.n == 1 {
		return true
	}
	if sharedLoops(s, t) < len(s.Loops) || len(s.LHS.Indices) == 0 || s == t {
		return false
	}
	for _, l := range t.Loops[len(s.Loops):] { // each instance of s has instances of t
		if !f.m.fixedBounds(l) {
			return false
		}
	}
	for _, x := range s.LHS.Indices {
		if !single(x) {
			return false
		}
	}
	want, found := f.m.spellAll("", s.LHS.Indices, ""), false
	t.refs(func(r *syntax.Ref, level int) {
		found = found || r != t.LHS && level == len(t.Loops) && f.m.bind[r].v == s.v && f.m.spellAll("", r.Indices, "") == want
	})
	return found
}

// fixedBounds reports bounds that no loop variable occurs in.
func (m *Model) fixedBounds(l *Loop) bool {
	fixed := true
	syntax.Walk(l.Node.Over, func(e syntax.Expr) bool {
		if r, ok := e.(*syntax.Ref); ok && m.bind[r].level > 0 {
			fixed = false
		}
		return fixed
	})
	return fixed
}

// instances finds the rest: backward from the living instances.
func (f *liveFinder) instances() {
	open := make([]bool, len(f.m.Vars)) // variables with statements that are not decided
	for _, d := range f.m.deps {
		if !f.l.all[d.from.Index] {
			open[d.from.v.ID] = true
		}
	}
	for _, s := range f.m.Statements {
		if s.Sample != nil && !f.l.all[s.Index] && s.v.Has(Observed) {
			for i := range s.n {
				if f.observed(s, i) {
					f.mark(origin{int32(s.Index + 1), int32(i)})
				}
			}
		}
	}
	for _, s := range f.m.Statements {
		if f.l.all[s.Index] {
			if v := f.visitor(s, open); v != nil {
				for i := range s.n {
					v(i)
				}
			}
		}
	}
	visitors := map[int32]func(int){}
	for len(f.work) > 0 {
		o := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if _, met := visitors[o.stmt]; !met {
			visitors[o.stmt] = f.visitor(f.m.Statements[o.stmt-1], open)
		}
		if v := visitors[o.stmt]; v != nil {
			v(int(o.iter))
		}
	}
}

func (f *liveFinder) mark(o origin) {
	i := o.stmt - 1
	if f.l.all[i] {
		return
	}
	if f.l.some[i] == nil {
		f.l.some[i] = make([]bool, f.m.Statements[i].n)
	}
	if !f.l.some[i][o.iter] {
		f.l.some[i][o.iter] = true
		f.work = append(f.work, o)
	}
}

// visitor marks what an instance of a statement reads of the open variables; nil if it
// reads none of them.
func (f *liveFinder) visitor(s *Statement, open []bool) func(iter int) {
	var refs []*syntax.Ref
	s.refs(func(r *syntax.Ref, level int) {
		if v := f.m.bind[r].v; r != s.LHS && v != nil && open[v.ID] && level == len(s.Loops) {
			refs = append(refs, r)
		}
	})
	if len(refs) == 0 {
		return nil
	}
	fr := newFrame(f.m, s)
	return func(iter int) {
		fr.at = s.at(iter)
		for _, r := range refs {
			v := f.m.bind[r].v
			_ = fr.each(r, v, true, func(k int) error { // depend met its errors
				switch v.ClassAt(k) {
				case Logical:
					f.mark(v.assignedBy(k))
				case Parameter:
					f.mark(v.drawnBy(k))
				}
				return nil
			})
		}
	}
}
