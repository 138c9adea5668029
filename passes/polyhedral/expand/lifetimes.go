package expand

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// A base is a statement by its instances that begin lives, or what an array had before: then it has no
// statement, and an instance for each element.
type base struct {
	*lifetimes
	name    string
	st      *poly.Stmt
	array   *poly.ArrayDecl
	begins  presburger.Map // its instances and the elements that they begin lives of
	live    presburger.Set // whose value something needs
	updated map[poly.Operator]presburger.Set
	same    ir.Val // what all lives begin with, if isConst
	isConst bool
	homes   []home
}

// A home is an array with elements for instances of a base.
type home struct {
	array *array
	at    presburger.Map
}

// A sinkKind says who needs the value of a life. The value-based dependences of all kinds come from one
// question: which base wrote the element last before the sink does.
type sinkKind int

const (
	readSink   sinkKind = iota // read k of a statement
	selfSink                   // what an update that begins a life reads: what was there before
	updateSink                 // an update in a life
	endSink                    // what memory has in the end
)

// A sink needs the value of lives, each of its instances of one element.
type sink struct {
	name  string
	kind  sinkKind
	st    *poly.Stmt
	k     int
	array *poly.ArrayDecl
	rel   presburger.Map           // from its instances to elements
	from  map[*base]presburger.Map // from bases
}

// lifetimes is what is known of the values of a program.
type lifetimes struct {
	sys    *poly.System
	budget int64                    // of each question about dependences
	total  *presburger.Budget       // of all else
	dies   map[*poly.ArrayDecl]bool // nothing needs what it has in the end
	times  presburger.Map
	depth  int
	bases  []*base
	sinks  []*sink
	begins map[*poly.Stmt]presburger.Set // instances that begin lives
	alive  map[*poly.Stmt]presburger.Set // instances that something needs
	pruned map[*poly.Stmt]bool           // not all instances
}

// refusal is why a program is not made equations.
type refusal struct{ why string }

// Error has the words for the remark: a refused program stays as it is, without an error.
func (r *refusal) Error() string { return r.why }

// refuse makes one.
func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// domain is the instances of a statement for the parameters that the system has, within the budget.
func (l *lifetimes) domain(st *poly.Stmt) presburger.Set {
	d := unwind.Must(st.Domain.WithTotal(l.total).IntersectParams(l.sys.Context))
	return d.AlignParams(l.sys.Params...).WithTotal(l.total)
}

// newLives finds the lives of all values.
func newLives(sys *poly.System, budget int64, dies map[*poly.ArrayDecl]bool) *lifetimes {
	l := &lifetimes{sys: sys, budget: budget, total: presburger.NewBudget(budget), dies: dies, begins: map[*poly.Stmt]presburger.Set{}, alive: map[*poly.Stmt]presburger.Set{},
		pruned: map[*poly.Stmt]bool{}}
	l.clock()
	l.readers()
	l.bounded()
	l.split()
	l.sources()
	return l
}

// bounded refuses what is read by indices that are computed, and written, or written by such.
func (l *lifetimes) bounded() {
	for _, st := range l.sys.Statements {
		if st.Keyed {
			panic(unwind.Failed(refuse("%s accumulates at an index that is computed", st.Name)))
		}
		for _, a := range st.Gathers {
			if l.isWritten(a) {
				panic(unwind.Failed(refuse("%s, which is written, is read by %s at an index that is computed", a.Name, st.Name)))
			}
		}
	}
}

// Operations on sets are within the budget of their first operand: so all begin with one of these.
func (l *lifetimes) noSet() presburger.Set { return presburger.Set{}.WithTotal(l.total) }

// noMap is the same of relations.
func (l *lifetimes) noMap() presburger.Map { return presburger.Map{}.WithTotal(l.total) }

// renaming takes tuples of one name to those of another, within the budget.
func (l *lifetimes) renaming(from, to string, dims int) presburger.Map {
	return poly.Renaming(from, to, dims).WithTotal(l.total)
}

// isWritten reports an array that some statement sets or updates.
func (l *lifetimes) isWritten(a *poly.ArrayDecl) bool {
	return slices.ContainsFunc(l.sys.Statements, func(st *poly.Stmt) bool { return st.Target == a })
}

// clock gives instances their times: (1, when, 1), so that there is a time before them and one behind,
// and for each one before it writes.
func (l *lifetimes) clock() {
	m := unwind.Must(l.sys.Schedule.Map())
	for _, part := range m.Maps() {
		_, out := part.Tuples()
		l.depth = max(l.depth, out.Len())
	}
	l.times = m
}

// at are the times of instances; when is 0 before they write, and 1 then.
func (l *lifetimes) at(when int) presburger.Map {
	dims := names("t", l.depth)
	widen := unwind.Must(presburger.ParseMap(fmt.Sprintf("{ [%s] -> [%s] }", strings.Join(dims, ", "), strings.Join(slices.Concat([]string{"1"}, dims, []string{fmt.Sprint(when)}), ", "))))
	return unwind.Must(widen.Compose(l.times))
}

// never is a time before all others, or behind them.
func (l *lifetimes) never(name string, rank, first int) presburger.Map {
	return unwind.Must(presburger.ParseMap(fmt.Sprintf("{ %s[%s] -> [%d%s] }", name, strings.Join(names("e", rank), ", "), first, strings.Repeat(", 0", l.depth+1))))
}

// names are dimensions of0, of1 and so on.
func names(of string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(of, i)
	}
	return out
}

// readers lists what is read of arrays that are written.
func (l *lifetimes) readers() {
	for _, st := range l.sys.Statements {
		d := l.domain(st)
		l.alive[st] = d
		for k, r := range st.Reads {
			if !l.isWritten(r.Array) {
				continue
			}
			s := &sink{name: fmt.Sprintf("%s__r%d", st.Name, k), kind: readSink, st: st, k: k, array: r.Array}
			s.rel = l.renamed(r.Map, d, s.name, st.Name)
			l.sinks = append(l.sinks, s)
		}
	}
}

// renamed is a relation of the instances of a statement as one of what has another name.
func (l *lifetimes) renamed(m presburger.Map, d presburger.Set, name, of string) presburger.Map {
	m = unwind.Must(m.WithTotal(l.total).IntersectDomain(d))
	return unwind.Must(m.Compose(l.renaming(name, of, d.Tuple().Len())))
}

// split finds the updates that begin lives: those before which, since the element was set, something
// read it or updated it by another operator.
func (l *lifetimes) split() {
	after := l.at(1)
	before := l.readTimes()
	for _, a := range l.sys.Arrays {
		sets, reads := l.noMap(), l.noMap()
		updates := map[poly.Operator]presburger.Map{}
		for _, st := range l.sys.Statements {
			if st.Target != a {
				continue
			}
			m := unwind.Must(st.Write.WithTotal(l.total).IntersectDomain(l.alive[st]))
			if st.Operator == poly.Set {
				l.begins[st] = l.alive[st]
				sets = sets.Union(m)
			} else {
				updates[st.Operator] = m.Union(updates[st.Operator])
			}
		}
		for _, s := range l.sinks {
			if s.array == a {
				reads = reads.Union(s.rel)
			}
		}
		for _, op := range slices.Sorted(maps.Keys(updates)) {
			m, others := updates[op], reads
			for _, o := range slices.Sorted(maps.Keys(updates)) {
				if o != op {
					others = others.Union(updates[o])
				}
			}
			f := unwind.Must(depend.Accesses{Sink: m, Must: sets.Union(others), Schedule: after.Union(before), Budget: l.budget}.Flow())
			l.splitBy(f, m, sets)
		}
	}
}

// splitBy takes the updates whose last access is none that sets.
func (l *lifetimes) splitBy(f depend.Flow, updates, sets presburger.Map) {
	first := l.projection(updates)
	m := unwind.Must(first.Compose(f.May.WithTotal(l.total)))
	setting := map[string]bool{}
	for _, part := range sets.Maps() {
		in, _ := part.Tuples()
		setting[in.Name()] = true
	}
	for _, part := range m.Maps() {
		in, out := part.Tuples()
		if setting[in.Name()] {
			continue
		}
		st := l.sys.Statement(out.Name())
		if _, ok := l.begins[st]; !ok {
			l.begins[st] = l.noSet()
		}
		l.begins[st] = l.begins[st].Union(part.Range())
	}
}

// projection takes an instance with an element for the instance.
func (l *lifetimes) projection(rel presburger.Map) (out presburger.Map) {
	out = l.noMap()
	for _, part := range rel.Maps() {
		in, to := part.Tuples()
		x, e := strings.Join(names("x", in.Len()), ", "), strings.Join(names("e", to.Len()), ", ")
		m := unwind.Must(presburger.ParseMap(fmt.Sprintf("{ [%s[%s] -> %s[%s]] -> %s[%s] }", in.Name(), x, to.Name(), e, in.Name(), x)))
		out = out.Union(m)
	}
	return out
}
