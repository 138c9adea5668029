package depend

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// Accesses are the input of Flow. All but Schedule relate instances of statements to
// elements of arrays; spaces are told apart by their names. Instances to which the
// schedule gives no time are not executed. Those at the same time are executed in
// any order, but not one during another.
type Accesses struct {
	Sink     presburger.Map // whose sources are asked for
	Must     presburger.Map // that are done
	May      presburger.Map // that may be done, or not
	Kill     presburger.Map // that end what an element had before, but are no source
	Schedule presburger.Map // to times, ordered lexicographically

	// Budget bounds the work of each operation on sets; 0 is presburger.DefaultBudget.
	Budget int64
}

// A Flow tells where the elements that sinks access come from. A source of a sink is
// the last must before it, and each may after that, or at the same time.
type Flow struct {
	// Must relates a source to [sink -> element] where it is the only one, and done.
	Must presburger.Map
	// May relates each source to [sink -> element], those of Must too.
	May presburger.Map
	// MustNoSource has the sinks without a source, and MayNoSource those without one
	// that is done, with their elements; that of which a kill is the last is in neither.
	MustNoSource, MayNoSource presburger.Map
}

// Flow computes the value-based dependences of the sinks (Feautrier, "Dataflow
// analysis of array and scalar references", 1991): with reads as sinks and writes as
// sources those of values; with writes as sinks those of output.
func (a Accesses) Flow() (Flow, error) {
	f := flow{}
	f.params = alignAll(a.Budget, &a.Sink, &a.Must, &a.May, &a.Kill, &a.Schedule)
	f.tester = NewTester(f.params...)
	f.tester.Budget = a.Budget
	f.budget = a.Budget
	var err error
	if f.schedule, err = newSchedule(a.Schedule); err != nil {
		return Flow{}, err
	}
	if f.sure, f.may, err = f.sources(a); err != nil {
		return Flow{}, err
	}
	for _, sink := range f.accesses(a.Sink) {
		if err := f.sink(sink); err != nil {
			return Flow{}, err
		}
	}
	for _, m := range []*presburger.Map{&f.out.Must, &f.out.May, &f.out.MustNoSource, &f.out.MayNoSource} {
		*m = m.AlignParams(f.params...).WithBudget(f.budget)
	}
	return f.out, nil
}

// flow is one analysis.
type flow struct {
	schedule
	params []string
	budget int64
	tester *Tester
	sure   []source // must and kill
	may    []source // may and not must
	out    Flow
}

// source is an access with what of it counts.
type source struct {
	access
	injective bool
	must, any *presburger.Map // what of it is done, is done or may be; nil is all
}

// sources tells kills from writes where a statement has both for an array, and what
// may be done besides what is.
func (f *flow) sources(a Accesses) (sure, may []source, err error) {
	must, maybe := f.accesses(a.Must), f.accesses(a.May)
	union := a.Must.Union(a.Kill)
	kills := f.accesses(a.Kill)
	same := func(x access) func(access) bool {
		return func(y access) bool { return x.stmt.Equal(y.stmt) && x.array.Equal(y.array) }
	}
	for _, x := range f.accesses(union) {
		s := source{access: x, injective: f.find(x.stmt).injective}
		if slices.ContainsFunc(kills, same(x)) {
			done := a.Must
			both := a.Must.Union(a.May)
			s.must, s.any = &done, &both
		}
		sure = append(sure, s)
	}
	for _, x := range maybe {
		if slices.ContainsFunc(must, same(x)) {
			rest, err := presburger.MapOf(x.basics...).WithBudget(f.budget).Subtract(a.Must)
			if err != nil {
				return nil, nil, err
			}
			x.basics = rest.Basics()
		}
		if len(x.basics) > 0 {
			may = append(may, source{access: x})
		}
	}
	return sure, may, nil
}

// A search is for the sources of the accesses of one statement to one array.
type search struct {
	*flow
	access
	s, e, t      int              // dimensions of the sink, of an element, of time
	at           presburger.Tuple // [[sink -> element] -> time]
	rest, doubts presburger.Set   // sinks that no must has been found for; of which a may has
}

// sink finds the sources of one access: those in the same iteration of the most loops
// first.
func (f *flow) sink(a access) error {
	q := &search{flow: f, access: a, s: a.stmt.Len(), e: a.array.Len(), t: f.time.Len()}
	q.at = presburger.PairTuple(presburger.PairTuple(a.stmt, a.array), f.time)
	n := q.s + q.e + q.t
	var all []presburger.Basic
	for i := range a.basics {
		for k := range a.times {
			b := join(f.params, n, placed{&a.basics[i], 0, q.s}, placed{&a.times[k].Basic, 0, q.s + q.e})
			b.Out = q.at
			all = append(all, b)
		}
	}
	q.rest = presburger.SetOf(all...).WithBudget(f.budget)
	sure, may := q.candidates(f.sure), q.candidates(f.may)
	for l := q.t - 1; l >= 0; l-- {
		if err := q.level(l, sure, may); err != nil {
			return err
		}
	}
	open, err := q.rest.Subtract(q.doubts)
	if err != nil {
		return err
	}
	f.out.MustNoSource = f.out.MustNoSource.Union(q.sinks(open))
	f.out.MayNoSource = f.out.MayNoSource.Union(q.sinks(q.rest))
	return nil
}

// sinks forgets the time.
func (q *search) sinks(s presburger.Set) presburger.Map {
	var out []presburger.Basic
	for _, b := range s.Basics() {
		out = append(out, pick(b, q.s+q.e+q.t, q.stmt, q.array, [2]int{0, q.s + q.e}))
	}
	return presburger.MapOf(out...).WithBudget(q.budget)
}
