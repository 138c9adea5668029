package backward

import (
	"fmt"

	"github.com/irc-lang/irc/ir/unwind"
)

// A Lattice orders what may be predicted. Its chains are finite.
type Lattice[T any] interface {
	// Bottom is below all others: what is predicted at first.
	Bottom() T
	// Join is the least above both.
	Join(a, b T) T
	// Below reports that a is b or below it.
	Below(a, b T) bool
}

// Facts are predictions of the points P of a program. They are for one goroutine.
type Facts[P comparable, T any] struct {
	// Eager ends a run as soon as a prediction was too small, as the paper does.
	Eager bool
	// MaxRuns bounds the runs of Solve; 0 stands for 10,000.
	MaxRuns int

	lattice Lattice[T]
	at      map[P]T
	flows   map[P][]flow[P, T] // by the point that they go to
	known   map[edge[P]]bool
	asked   map[P]T // in this run, with what was answered first
	stale   bool    // something was answered that is more by now
	running bool
	runs    int
}

// flow says that what is predicted at a point is at least a function of what is predicted where it goes.
type flow[P comparable, T any] struct {
	from P
	back func(T) T
}

type edge[P comparable] struct {
	from, to P
	what     any
}

// New makes predictions that are all the least.
func New[P comparable, T any](l Lattice[T]) *Facts[P, T] {
	return &Facts[P, T]{lattice: l, at: map[P]T{}, flows: map[P][]flow[P, T]{}, known: map[edge[P]]bool{}, asked: map[P]T{}}
}

// At is what is predicted at a point.
func (f *Facts[P, T]) At(p P) T {
	v := f.value(p)
	if f.running {
		if _, ok := f.asked[p]; !ok {
			f.asked[p] = v
		}
	}
	return v
}

func (f *Facts[P, T]) value(p P) T {
	if v, ok := f.at[p]; ok {
		return v
	}
	return f.lattice.Bottom()
}

// Require states that at least v must have been predicted at a point.
func (f *Facts[P, T]) Require(p P, v T) {
	wrong := !f.lattice.Below(v, f.value(p))
	f.raise(p, v)
	if wrong && f.Eager && f.running {
		f.stale = true
		panic(mispredicted{})
	}
}

// mispredicted ends a run.
type mispredicted struct{}

// notAJoin ends one, too: the lattice is none.
type notAJoin struct{ what string }

func (e *notAJoin) Error() string { return e.what }

// Flow states that the program goes from a point to another, and that what is predicted at the first is at least back
// of what is predicted at the second. back grows with its argument. Of one step, which what tells from others between the
// same points, it is stated once: later ones are left out.
func (f *Facts[P, T]) Flow(from, to P, what any, back func(T) T) {
	e := edge[P]{from, to, what}
	if f.known[e] {
		return
	}
	f.known[e] = true
	f.flows[to] = append(f.flows[to], flow[P, T]{from, back})
	f.raise(from, back(f.value(to)))
}

// raise makes a prediction at least v, and those that follow from it: Algorithm 2, to the fixpoint.
func (f *Facts[P, T]) raise(p P, v T) {
	type more struct {
		p P
		v T
	}
	for todo := []more{{p, v}}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		was := f.value(next.p)
		if f.lattice.Below(next.v, was) {
			continue
		}
		now := f.lattice.Join(was, next.v)
		if !f.lattice.Below(was, now) || !f.lattice.Below(next.v, now) {
			panic(&notAJoin{fmt.Sprintf("the join of %v and %v is %v, which is not above both: a lattice's Join must be", was, next.v, now)})
		}
		f.at[next.p] = now
		if seen, ok := f.asked[next.p]; ok && !f.lattice.Below(now, seen) {
			f.stale = true
		}
		for _, w := range f.flows[next.p] {
			todo = append(todo, more{w.from, w.back(now)})
		}
	}
}

// Solve runs a program until no prediction is other than what it was told. The program must do the same whenever it
// is told the same. An error is the program's, or the lattice is none, or its values grow without end.
func (f *Facts[P, T]) Solve(program func() error) error {
	most := f.MaxRuns
	if most == 0 {
		most = 10_000
	}
	for n := 0; n < most; n++ {
		f.runs++
		if err := f.run(program); err != nil || !f.stale {
			return err
		}
	}
	return fmt.Errorf("predictions still change after %d runs: is there an end to how often a value of the lattice can grow?", most)
}

// run is a run of the program.
func (f *Facts[P, T]) run(program func() error) (err error) {
	clear(f.asked)
	f.stale, f.running = false, true
	defer func() { f.running = false }()
	wrong, failed := unwind.Catch[*notAJoin](func() {
		if _, again := unwind.Catch[mispredicted](func() { err = program() }); again {
			err = nil
		}
	})
	if failed {
		return wrong
	}
	return err
}

// Runs is how often Solve ran the program.
func (f *Facts[P, T]) Runs() int { return f.runs }
