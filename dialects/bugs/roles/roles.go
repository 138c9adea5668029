package roles

import (
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
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

// Of is the role of an element.
//
// What a statement defines at a time has an observed descendant as a whole or not at all:
// a vector that is assigned is computed at once, a node is one factor of the density.
// The unobserved elements of a vector of which a part is observed are parameters. A
// node between limits that do not renormalise its density, as I(,) and C(,) in BUGS,
// tells its parents that it lies there, whatever its value: that is an observation too
// (a censored time is one), and it is a parameter.
func Of(m *model.Model, v *model.Var, k int) Role {
	switch v.ClassAt(k) {
	case model.Known:
		if v.AssignedBy(k).Stmt != 0 {
			return TransformedData
		}
		return ConstantData
	case model.Observed:
		return Observation
	case model.Parameter:
		if Living(m).Element(v.DrawnBy(k)) {
			return RoleParameter
		}
		return GeneratedQuantity
	case model.Logical:
		if Living(m).Element(v.AssignedBy(k)) {
			return TransformedParameter
		}
		return GeneratedQuantity
	}
	return NoRole
}

// OfStatement is the role of what a statement defines; mixed says that its elements
// have several: then it is the first of them.
func OfStatement(m *model.Model, s *model.Statement) (role Role, mixed bool) {
	if s.Sample != nil && s.Iterations > 0 && s.Var.Count(model.Observed) == s.Var.Len() {
		return Observation, false
	}
	if r, ok := RoleOfRegion(m, s); ok {
		return r, false
	}
	for i := range s.Iterations {
		m.Elements(s, i, func(k int) {
			r := Of(m, s.Var, k)
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

// Counts is the number of elements of a variable by role.
func Counts(m *model.Model, v *model.Var) map[Role]int {
	if out, ok := RoleCountsByParts(m, v); ok {
		return out
	}
	out := map[Role]int{}
	for k := range v.Len() {
		out[Of(m, v, k)]++
	}
	return out
}

// Living is computed once: by statement where every instance is read by a living one
// because subscripts and loops are the same, else by instance, in time linear in the
// elements that are read.
func Living(m *model.Model) *model.ObservedAncestors {
	if m.Alive == nil {
		f := &liveFinder{m: m}
		f.l = model.ObservedAncestors{All: make([]bool, len(m.Statements)), Some: make([][]bool, len(m.Statements))}
		f.whole()
		f.instances()
		m.Alive = &f.l
	}
	return m.Alive
}

type liveFinder struct {
	m    *model.Model
	l    model.ObservedAncestors
	next map[*model.Var][]int32 // of each element one at or before the first behind it that was not read
	work []model.Origin         // living instances whose parents are to be visited
}

// Tells reports a statement whose nodes tell something about their parents whatever
// their values are.
func Tells(m *model.Model, s *model.Statement) bool {
	if s.Sample == nil || s.Sample.Bound == nil {
		return false
	}
	t, d := eval.Truncates(m, s)
	return !t && d == nil
}

// whole finds the statements all of whose instances live.
func (f *liveFinder) whole() {
	var queue []*model.Statement
	add := func(s *model.Statement) {
		if !f.l.All[s.Index] {
			f.l.All[s.Index] = true
			queue = append(queue, s)
		}
	}
	into := make([][]*model.Dependence, len(f.m.Statements))
	for _, d := range f.m.Deps {
		into[d.To.Index] = append(into[d.To.Index], d)
	}
	for _, s := range f.m.Statements {
		if s.Sample != nil && s.Iterations > 0 && (Tells(f.m, s) || f.allObserved(s)) {
			add(s)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, d := range into[queue[0].Index] {
			if f.readsAll(d) {
				add(d.From)
			}
		}
	}
}

func (f *liveFinder) allObserved(s *model.Statement) bool {
	if s.Var.Count(model.Observed) == s.Var.Len() {
		return true
	}
	for i := range s.Iterations {
		if !f.observed(s, i) {
			return false
		}
	}
	return true
}

// observed reports a node of which some element is.
func (f *liveFinder) observed(s *model.Statement, iter int) bool {
	some := false
	f.m.Elements(s, iter, func(k int) { some = some || s.Var.ClassAt(k) == model.Observed })
	return some
}

// readsAll reports that the sink of a dependence reads every instance of its source.
func (f *liveFinder) readsAll(d *model.Dependence) bool {
	s, t := d.From, d.To
	if s.Iterations == 1 {
		return true
	}
	if model.SharedLoops(s, t) < len(s.Loops) || len(s.LHS.Indices) == 0 || s == t {
		return false
	}
	for _, l := range t.Loops[len(s.Loops):] { // each instance of s has instances of t
		if !fixedBounds(f.m, l) {
			return false
		}
	}
	for _, x := range s.LHS.Indices {
		if !model.Single(x) {
			return false
		}
	}
	want, found := f.m.SpellAll("", s.LHS.Indices, ""), false
	t.Refs(func(r *syntax.Ref, level int) {
		found = found || r != t.LHS && level == len(t.Loops) && f.m.Bindings[r].Var == s.Var && f.m.SpellAll("", r.Indices, "") == want
	})
	return found
}

// fixedBounds reports bounds that no loop variable occurs in.
func fixedBounds(m *model.Model, l *model.Loop) bool {
	fixed := true
	syntax.Walk(l.Node.Over, func(e syntax.Expr) bool {
		if r, ok := e.(*syntax.Ref); ok && m.Bindings[r].Level > 0 {
			fixed = false
		}
		return fixed
	})
	return fixed
}

// instances finds the rest: backward from the living instances.
func (f *liveFinder) instances() {
	open := make([]bool, len(f.m.Vars)) // variables with statements that are not decided
	for _, d := range f.m.Deps {
		if !f.l.All[d.From.Index] {
			open[d.From.Var.ID] = true
		}
	}
	for _, s := range f.m.Statements {
		if s.Sample != nil && !f.l.All[s.Index] && s.Var.Has(model.Observed) {
			for i := range s.Iterations {
				if f.observed(s, i) {
					f.mark(model.Origin{Stmt: int32(s.Index + 1), Iter: int32(i)})
				}
			}
		}
	}
	for _, s := range f.m.Statements {
		if f.l.All[s.Index] {
			if v := f.visitor(s, open); v != nil {
				for i := range s.Iterations {
					v(i)
				}
			}
		}
	}
	visitors := map[int32]func(int){}
	for len(f.work) > 0 {
		o := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if _, met := visitors[o.Stmt]; !met {
			visitors[o.Stmt] = f.visitor(f.m.Statements[o.Stmt-1], open)
		}
		if v := visitors[o.Stmt]; v != nil {
			v(int(o.Iter))
		}
	}
}

func (f *liveFinder) mark(o model.Origin) {
	i := o.Stmt - 1
	if f.l.All[i] {
		return
	}
	if f.l.Some[i] == nil {
		f.l.Some[i] = make([]bool, f.m.Statements[i].Iterations)
	}
	if !f.l.Some[i][o.Iter] {
		f.l.Some[i][o.Iter] = true
		f.work = append(f.work, o)
	}
}

// visitor marks what an instance of a statement reads of the open variables; nil if it
// reads none of them.
func (f *liveFinder) visitor(s *model.Statement, open []bool) func(iter int) {
	var refs []*syntax.Ref
	s.Refs(func(r *syntax.Ref, level int) {
		if v := f.m.Bindings[r].Var; r != s.LHS && v != nil && open[v.ID] && level == len(s.Loops) {
			refs = append(refs, r)
		}
	})
	if len(refs) == 0 {
		return nil
	}
	fr := eval.NewFrame(f.m, s)
	last := make([]model.Region, len(refs))
	return func(iter int) {
		fr.At = s.At(iter)
		for i, r := range refs {
			v := f.m.Bindings[r].Var
			box, err := fr.Box(r, v, true)
			if err != nil || box == nil { // depend met its errors
				continue
			}
			more := box.Beyond(last[i])
			if more != nil {
				f.read(v, more)
				last[i] = box
			}
		}
	}
}

// read marks what defines the elements of a region, each element once: slices that grow
// with a loop take the time of their elements, not of the sum of their lengths.
func (f *liveFinder) read(v *model.Var, box model.Region) {
	if f.next == nil {
		f.next = map[*model.Var][]int32{}
	}
	next := f.next[v]
	if next == nil {
		next = make([]int32, v.Len()+1)
		for k := range next {
			next[k] = int32(k)
		}
		f.next[v] = next
	}
	// unread is the first element from k on that was not read yet, by halving paths.
	unread := func(k int32) int32 {
		for next[k] != k {
			next[k] = next[next[k]]
			k = next[k]
		}
		return k
	}
	box.Runs(v.Dims, func(from, to int) {
		for k := unread(int32(from)); int(k) < to; k = unread(k) {
			next[k] = k + 1
			switch v.ClassAt(int(k)) {
			case model.Logical:
				f.mark(v.AssignedBy(int(k)))
			case model.Parameter:
				f.mark(v.DrawnBy(int(k)))
			}
		}
	})
}
