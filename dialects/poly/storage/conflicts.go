package storage

import (
	"slices"
	"strconv"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// An Access is what instances do to the elements of an array.
type Access struct {
	Map    presburger.Map // from instances to elements
	Writes bool           // they set or update the elements
}

// Times are when the instances of a program are executed.
type Times struct {
	statements map[string]*statement
	rounds     bool // of the outermost loop only
}

// A statement is when its instances are executed.
type statement struct {
	order presburger.Map
	fixed []*presburger.Int // the values of the dimensions of time that are the same for all
}

// NewTimes reads a relation from each instance to its time; times are ordered
// lexicographically, and instances at one time in any way.
func NewTimes(order presburger.Map) (_ *Times, err error) {
	defer unwind.To(&err)
	t := &Times{statements: map[string]*statement{}}
	for _, m := range order.Maps() {
		f := unwind.Must(m.AsPwMultiAff())
		s := &statement{order: m, fixed: make([]*presburger.Int, f.Len())}
		for d := range s.fixed {
			s.fixed[d] = fixedValue(f.At(d))
		}
		in, _ := m.Tuples()
		t.statements[in.Name()] = s
	}
	return t, nil
}

// Loops is the number of loops: the dimensions of time that are not fixed for all statements.
func (t *Times) Loops() (n int) {
	for d := range t.dims() {
		if t.varies(d) {
			n++
		}
	}
	return n
}

func (t *Times) dims() int {
	for _, s := range t.statements {
		return len(s.fixed)
	}
	return 0
}

func (t *Times) varies(d int) bool {
	for _, s := range t.statements {
		if s.fixed[d] == nil {
			return true
		}
	}
	return false
}

// ToRounds has the times up to the round of the outermost n loops: what is executed in one round may be in
// any order. Statements that are executed in one place of the round access an element from the first to the
// last time that any does. By these more elements conflict than do, and it takes far less work to find out.
func (t *Times) ToRounds(n int) (_ *Times, err error) {
	defer unwind.To(&err)
	out := &Times{statements: map[string]*statement{}, rounds: true}
	end := 0
	for ; end < t.dims() && n > 0; end++ {
		if t.varies(end) {
			n--
		}
	}
	for name, s := range t.statements {
		_, time := s.order.Tuples()
		order := unwind.Must(first(time, end).Compose(s.order))
		out.statements[name] = &statement{order: order, fixed: s.fixed[:end]}
	}
	return out, nil
}

// first relates times to their first n dimensions.
func first(time presburger.Tuple, n int) presburger.Map {
	b := presburger.Basic{In: time, Out: presburger.NewTuple(time.Name(), make([]string, n)...)}
	for d := range n {
		r := make([]presburger.Int, 1+time.Len()+n)
		r[1+d], r[1+time.Len()+d] = presburger.NewInt(1), presburger.NewInt(-1)
		b.Eq = append(b.Eq, r)
	}
	return presburger.MapOf(b)
}

// fixedValue is the integer that a function has everywhere, or nil.
func fixedValue(f presburger.PwAff) (out *presburger.Int) {
	for _, a := range f.Pieces() {
		c := a.Constant()
		if !a.IsCst() || !c.IsInt() || out != nil && out.Cmp(c.Num) != 0 {
			return nil
		}
		out = &c.Num
	}
	return out
}

// use is an access of the instances of one statement.
type use struct {
	*statement
	times  presburger.Map // from elements to times
	writes bool
}

// Conflicts relates each element of an extent that is accessed to those that are alive at
// some time at which it is, itself among them. budget bounds the work, in steps; 0 is
// presburger.DefaultBudget.
func (t *Times) Conflicts(accesses []Access, extent presburger.Set, budget int64) (_ presburger.Map, err error) {
	defer unwind.To(&err)
	var out presburger.Map
	total := presburger.NewBudget(budget)
	uses := t.uses(accesses, total)
	if n := int64(len(uses)); n*n*stepsPerPair > total.Remaining() {
		return out, presburger.ErrBudget
	}
	pairs := extent.WithTotal(total).CrossMap(extent)
	for _, x := range uses {
		row := presburger.Map{}.WithTotal(total)
		for _, y := range uses {
			m := notAfter(x, y)
			// What all pairs of elements have in common is left out until the end.
			m = unwind.Must(m.WithTotal(total).Gist(pairs))
			row = row.Union(m)
		}
		row = unwind.Must(row.Coalesce())
		out = out.Union(row)
	}
	out = unwind.Must(out.WithTotal(total).Coalesce())
	out = unwind.Must(out.Intersect(out.Inverse()))
	return out.Intersect(pairs)
}

// stepsPerPair is the work that two uses take at least: where there are more than it allows it is not begun.
const stepsPerPair = 1000

// uses splits the accesses by statements.
func (t *Times) uses(accesses []Access, budget *presburger.Budget) (out []use) {
	for _, x := range accesses {
		for _, m := range x.Map.Maps() {
			in, _ := m.Tuples()
			st := t.statements[in.Name()]
			if st == nil {
				continue // never executed
			}
			times := unwind.Must(st.order.WithTotal(budget).Compose(m.Inverse()))
			out = append(out, use{st, times, x.Writes})
		}
	}
	if t.rounds {
		return together(out)
	}
	return out
}

// together joins uses whose times have the same fixed values, each conjunction of which says when
// some elements are accessed at the latest and at the earliest.
func together(uses []use) (out []use) {
	for _, x := range uses {
		same := slices.IndexFunc(out, func(y use) bool {
			return slices.EqualFunc(x.fixed, y.fixed, func(a, b *presburger.Int) bool {
				return a == nil && b == nil || a != nil && b != nil && a.Cmp(*b) == 0
			})
		})
		if same < 0 {
			same = len(out)
			out = append(out, use{&statement{fixed: x.fixed, order: x.order}, presburger.Map{}, true})
		}
		out[same].times = out[same].times.Union(x.times)
	}
	for i, x := range out {
		out[i].times = unwind.Must(x.times.SimpleHull())
	}
	return out
}

// notAfter relates the elements of x to those of y of which some access by x is not after
// some access by y: it is at an earlier time, or at the same one and not bound to come
// later, as the write of an instance is that also reads.
func notAfter(x, y use) (out presburger.Map) {
	var equal []int // the dimensions of time in which both are not fixed to one value
	add := func(less int) {
		_, t := x.order.Tuples()
		m := unwind.Must(before(t, equal, less).Compose(x.times))
		m = unwind.Must(y.times.Inverse().Compose(m))
		out = out.Union(m)
	}
	for d := range x.fixed {
		if a, b := x.fixed[d], y.fixed[d]; a != nil && b != nil {
			switch c := a.Cmp(*b); {
			case c < 0:
				add(-1)
				return out
			case c > 0:
				return out
			}
			continue
		}
		add(d)
		equal = append(equal, d)
	}
	if x.statement == y.statement && x.writes && !y.writes {
		if unwind.Must(x.order.IsInjective()) {
			return out
		}
	}
	add(-1)
	return out
}

// before relates times with the same values in some dimensions, and a greater one in
// dimension less unless that is -1.
func before(time presburger.Tuple, equal []int, less int) presburger.Map {
	n := time.Len()
	b := presburger.Basic{In: time, Out: time}
	row := func(d int) []presburger.Int {
		r := make([]presburger.Int, 1+2*n)
		r[1+d], r[1+n+d] = presburger.NewInt(-1), presburger.NewInt(1)
		return r
	}
	for _, d := range equal {
		b.Eq = append(b.Eq, row(d))
	}
	if less >= 0 {
		r := row(less)
		r[0] = presburger.NewInt(-1)
		b.Ge = append(b.Ge, r)
	}
	return presburger.MapOf(b)
}

// A Conflict is two elements that are alive at one time and have one place.
type Conflict struct {
	First, Second presburger.Point // with the values of the parameters
}

// Check looks for elements of a relation of conflicts that a mapping gives one place.
func Check(conflicts, storage presburger.Map) (_ *Conflict, err error) {
	defer unwind.To(&err)
	for _, m := range storage.Maps() {
		same := unwind.Must(m.Inverse().Compose(m))
		same = unwind.Must(conflicts.Intersect(same))
		if c := differing(same); c != nil {
			return c, nil
		}
	}
	return nil, nil
}

// differing is a pair of two elements of a symmetric relation.
func differing(m presburger.Map) *Conflict {
	in, _ := m.Tuples()
	var equal []int
	for d := range in.Len() {
		wrong := unwind.Must(m.Intersect(before(in, equal, d)))
		p, ok := unwind.Must2(wrong.Wrap().Sample())
		if ok {
			first, second := p, p
			first.Tuple, first.Coords = in.Name(), p.Coords[:in.Len()]
			second.Tuple, second.Coords = in.Name(), p.Coords[in.Len():]
			return &Conflict{first, second}
		}
		equal = append(equal, d)
	}
	return nil
}

// String names the two elements.
func (c *Conflict) String() string {
	first := c.First
	first.Params = nil
	return first.String() + " and " + c.Second.String()
}

// variables are names for the dimensions of an element.
func variables(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "i" + strconv.Itoa(i)
	}
	return out
}
