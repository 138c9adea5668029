package scheduler

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

var (
	randomCases = flag.Int("problems", 500, "random problems")
	randomSeed  = flag.Uint64("problemseed", 1, "seed of the random problems")
)

// everyOption are the options of the random tests.
var everyOption = []Options{{}, {Fusion: Minimal}, {Fusion: Maximal}, {Algorithm: Feautrier}, {Algorithm: Sequential}, {Algorithm: ILP, Budget: 3_000_000}}

// randomProblem has dependences that go forward in a hidden order, so that most problems
// have a schedule.
func randomProblem(r *rand.Rand) Problem {
	names := []string{"A", "B", "C"}[:1+r.IntN(3)]
	dims := make([]int, len(names))
	var domain, deps []string
	vars := []string{"i", "j", "k"}
	for s, name := range names {
		dims[s] = r.IntN(3)
		cond := []string{"N >= 0"}
		for d := range dims[s] {
			low, high := "0", []string{"N", "N + 1", "4"}[r.IntN(3)]
			if d > 0 && r.IntN(2) == 0 {
				low = vars[d-1]
			}
			cond = append(cond, fmt.Sprintf("%s <= %s < %s", low, vars[d], high))
			if r.IntN(8) == 0 {
				cond = append(cond, fmt.Sprintf("%s mod 2 = %d", vars[d], r.IntN(2)))
			}
		}
		domain = append(domain, fmt.Sprintf("%s[%s] : %s", name, strings.Join(vars[:dims[s]], ", "), strings.Join(cond, " and ")))
	}
	for range 1 + r.IntN(4) {
		s, t := r.IntN(len(names)), r.IntN(len(names))
		sink, cond := make([]string, dims[t]), []string{"true"}
		for d := range sink {
			switch {
			case d < dims[s] && r.IntN(4) > 0:
				sink[d] = fmt.Sprintf("%s + %d", vars[d], r.IntN(4)-1)
			case r.IntN(2) == 0:
				sink[d] = "x" + vars[d]
			default:
				sink[d] = []string{"0", "N - 1", "N - i"}[r.IntN(2+min(1, dims[s]))]
			}
		}
		if r.IntN(4) == 0 && dims[s] > 0 {
			cond = append(cond, "i mod 2 = 0")
		}
		deps = append(deps, fmt.Sprintf("%s[%s] -> %s[%s] : %s", names[s], strings.Join(vars[:dims[s]], ", "), names[t], strings.Join(sink, ", "), strings.Join(cond, " and ")))
	}
	d, err := p.ParseSet("[N] -> { " + strings.Join(domain, "; ") + " }")
	if err != nil {
		panic(err)
	}
	text := "[N] -> { " + strings.Join(deps, "; ") + " }"
	for _, v := range vars[:2] {
		text = strings.ReplaceAll(text, "x"+v, v+"1")
	}
	m, err := p.ParseMap(text)
	if err != nil {
		panic(err)
	}
	return Problem{Domain: d, Validity: m, Proximity: m, Coincidence: m}
}

// Each algorithm's schedule of a random problem is legal by the checker and by trying all
// pairs of instances at small sizes; a cycle of instances is not scheduled.
func TestRandom(t *testing.T) {
	found := map[Algorithm]int{}
	for i := range *randomCases {
		r := rand.New(rand.NewPCG(*randomSeed, uint64(i)))
		problem := randomProblem(r)
		for _, o := range everyOption {
			res, err := Schedule(problem, o)
			if errors.Is(err, ErrNone) || o.Algorithm == ILP && errors.Is(err, p.ErrBudget) {
				continue
			}
			if err != nil {
				t.Fatalf("case %d, %v: %v\n%s\n%s", i, o, err, problem.Domain, problem.Validity)
			}
			if len(res.Notes) == 0 {
				found[o.Algorithm]++
			}
			if err := res.Tree.Check(); err != nil {
				t.Fatalf("case %d, %v: %v\n%s", i, o, err, res.Tree)
			}
			v, err := schedule.Legal(res.Tree, schedule.Dependences{Validity: problem.Validity, Coincidence: problem.Coincidence})
			if v != nil || err != nil {
				t.Fatalf("case %d, %v: %v %v\n%s\n%s", i, o, v, err, problem.Validity, res.Tree)
			}
			if i%5 == 0 {
				if bad := tryPairs(problem, res.Tree); bad != "" {
					t.Fatalf("case %d, %v: %s\n%s\n%s", i, o, bad, problem.Validity, res.Tree)
				}
			}
		}
	}
	t.Logf("schedules found: %v of %d problems", found, *randomCases)
	for a, name := range Algorithms {
		if found[Algorithm(a)] < *randomCases/4 {
			t.Errorf("%s: only %d of %d problems have a schedule", name, found[Algorithm(a)], *randomCases)
		}
	}
}

// tryPairs compares the times of all dependent instances at N = 3; it does not use what
// the checker does.
func tryPairs(problem Problem, tree *schedule.Node) string {
	flat, err := tree.Map()
	if err != nil {
		return err.Error()
	}
	three := p.NewInt(3)
	times := map[string][]p.Int{}
	for _, m := range flat.FixParam("N", three).Maps() {
		in, _ := m.Tuples()
		points, err := m.Wrap().Points()
		if err != nil {
			return err.Error()
		}
		for x := range points {
			at := in.Name() + fmt.Sprint(x[:in.Len()])
			if times[at] != nil {
				return at + " has two times"
			}
			times[at] = append([]p.Int{{}}, x[in.Len():]...)
		}
	}
	for _, m := range problem.Validity.FixParam("N", three).Maps() {
		in, out := m.Tuples()
		m, err := m.IntersectDomain(problem.Domain)
		if err == nil {
			m, err = m.IntersectRange(problem.Domain)
		}
		if err != nil {
			return err.Error()
		}
		points, err := m.Wrap().Points()
		if err != nil {
			return err.Error()
		}
		for x := range points {
			a, b := in.Name()+fmt.Sprint(x[:in.Len()]), out.Name()+fmt.Sprint(x[in.Len():])
			if times[a] == nil || times[b] == nil {
				return a + " or " + b + " has no time"
			}
			if slices.CompareFunc(times[a], times[b], p.Int.Cmp) >= 0 {
				return fmt.Sprintf("%s at %v, %s at %v", a, times[a], b, times[b])
			}
		}
	}
	return ""
}

// Without instances each algorithm gives a tree without loops.
func TestNothing(t *testing.T) {
	empty, err := p.ParseSet("{ S[i] : false }")
	if err != nil {
		t.Fatal(err)
	}
	for a := range Algorithms {
		r, err := Schedule(Problem{Domain: empty}, Options{Algorithm: Algorithm(a)})
		if err != nil || r.Tree.Check() != nil {
			t.Errorf("%s: %v, %v", Algorithms[a], r.Tree, err)
		}
	}
}
