package scheduler

import (
	"errors"
	"fmt"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Problem is what a schedule is wanted for.
type Problem struct {
	// Domain has the instances of all statements; a statement is a tuple of it.
	Domain p.Set
	// Context is what holds of the parameters; the zero Set is no condition.
	Context p.Set
	// Validity relates an instance to those that have to be executed after it.
	Validity p.Map
	// Proximity relates instances that are better executed close to each other; without it none
	// are, as in isl.
	Proximity p.Map
	// Coincidence relates instances that a parallel loop must not tell apart; without it all loops
	// are said to be parallel, as in isl. For loops that may run in parallel it is Validity.
	Coincidence p.Map
	// Lifetimes has a map for each array that is better kept small: it relates an instance to
	// those that access the same element later. Unless fusion is minimal, the sequential order takes what
	// lives with a recurrence into its loop. Loops that follow each other are put together where all
	// lifetimes of an array come to lie in one iteration. The first arrays matter most.
	Lifetimes []p.Map
	// Alone names statements that are better executed all at once, in no common loop with others:
	// smart fusion keeps them apart where nothing else keeps them together.
	Alone []string
	// Original is a schedule that is known to be legal, such as the order of given loops,
	// or nil. Sequential gives it back, and it is the answer where a search takes too long.
	Original *schedule.Node
}

// An Algorithm finds schedules.
type Algorithm uint8

// The algorithms; see the comment of the package.
const (
	Pluto Algorithm = iota
	Feautrier
	Sequential
	ILP
)

// Algorithms are the names of the algorithms.
var Algorithms = []string{Pluto: "pluto", Feautrier: "feautrier", Sequential: "sequential", ILP: "ilp"}

// String is the name of the algorithm.
func (a Algorithm) String() string { return Algorithms[a] }

// Fusion says which statements Pluto's algorithm puts into common loops.
type Fusion uint8

// The kinds of fusion (Bondhugula and others, 2008): Smart cuts between strongly
// connected components that have loops of different depths, Minimal between all, and
// Maximal only where there is no common loop.
const (
	Smart Fusion = iota
	Minimal
	Maximal
)

// Fusions are the names of the kinds of fusion.
var Fusions = []string{Smart: "smart", Minimal: "min", Maximal: "max"}

// String is the name of the kind.
func (f Fusion) String() string { return Fusions[f] }

// Options choose how a schedule is found.
type Options struct {
	Algorithm Algorithm
	Fusion    Fusion
	// Budget bounds the work of the search, in steps; 0 is presburger.DefaultBudget.
	Budget int64
}

// A Result is a schedule with what a user is to know of how it was found.
type Result struct {
	Tree  *schedule.Node
	Notes []string
}

// ErrNone says that there is no affine schedule of the kind that was looked for.
var ErrNone = errors.New("no affine schedule was found")

// Schedule finds a schedule. The answer is the sequential schedule, with a note, where the search takes more
// work than the budget allows. So it is where an algorithm that does not find all there are finds none. The
// error is ErrNone if there is no affine schedule, and presburger.ErrBudget if not even the sequential one
// was found within the budget.
func Schedule(problem Problem, o Options) (Result, error) {
	budget := p.NewBudget(o.Budget)
	if o.Algorithm == Sequential && problem.Original != nil {
		return Result{Tree: problem.Original}, nil
	}
	part := budget.Part(budget.Remaining() / 4 * 3)
	tree, notes, err := find(problem, o, part)
	if err == nil {
		return Result{tree, notes}, nil
	}
	budget.Return(part)
	if !errors.Is(err, p.ErrBudget) && !(errors.Is(err, ErrNone) && (problem.Original != nil || o.Algorithm == ILP)) {
		return Result{}, err
	}
	note := fmt.Sprintf("the %s schedule was not found within the budget of work: this is the sequential one", o.Algorithm)
	if errors.Is(err, ErrNone) {
		note = fmt.Sprintf("there is no %s schedule: this is the sequential one", o.Algorithm)
	}
	if problem.Original != nil {
		return Result{problem.Original, []string{note}}, nil
	}
	if o.Algorithm == Sequential {
		return Result{}, err
	}
	tree, notes, err = find(problem, Options{Algorithm: Sequential}, budget)
	if err != nil {
		return Result{}, err
	}
	return Result{tree, append([]string{note}, notes...)}, nil
}

// find runs one algorithm.
func find(problem Problem, o Options, budget *p.Budget) (_ *schedule.Node, _ []string, err error) {
	defer unwind.To(&err)
	s := newSearch(problem, o, budget)
	if len(s.statements) == 0 {
		return schedule.NewDomain(problem.Domain, nil), nil, nil
	}
	all := make([]int, len(s.statements))
	for i := range all {
		all[i] = i
	}
	var n *node
	switch o.Algorithm {
	case Sequential:
		n = unwind.Must(s.sequential(all, s.dependences))
	case Feautrier:
		n = unwind.Must(s.feautrier(all, s.dependences))
	case ILP:
		n = s.ilp(all, s.dependences)
	default:
		n = s.pluto(all, s.dependences)
	}
	if o.Fusion != Minimal {
		n = s.fuse(n, s.dependences, map[int]bool{})
	}
	return s.tree(n), s.notes, nil
}
