package circuit

import (
	"context"
	"errors"
	"sync"

	"github.com/crillab/gophersat/solver"
)

// ErrGaveUp says that the solver met as many conflicts as it may and nothing is known.
var ErrGaveUp = errors.New("the SAT solver gave up")

// one solver runs at a time: those of gophersat learn clauses in one buffer of the process.
var one sync.Mutex

// abandoned hears of a solver that was given up, should it end after all. It goes on to the next clause that it learns, at
// a time that nobody hears of. So no other solver may start in this process: it could learn a clause that is wrong.
var abandoned chan solver.Status

// free reports that no solver that was given up may still run.
func free() bool {
	if abandoned == nil {
		return true
	}
	select {
	case <-abandoned:
		abandoned = nil
		return true
	default:
		return false
	}
}

// Solve looks for inputs that make a bit true; there are none if ok is false. The error is ErrGaveUp after so many conflicts,
// or what ends the context. After such an error all later searches of the process give up at once.
func (c *Circuit) Solve(ctx context.Context, goal Bit, conflicts int) (m Model, ok bool, err error) {
	switch goal {
	case True:
		return Model{}, true, nil
	case False:
		return nil, false, nil
	}
	clauses, number := c.clauses(goal)
	one.Lock()
	defer one.Unlock()
	if err := context.Cause(ctx); err != nil {
		return nil, false, err
	}
	if !free() {
		return nil, false, ErrGaveUp
	}
	s := solver.New(solver.ParseSliceNb(clauses, len(number)))
	// The solver tells each clause that it learns and waits until it is heard. That is the only door to stop it by: nobody
	// listens any more, and it sleeps for good.
	s.Certified, s.CertChan = true, make(chan string)
	done := make(chan solver.Status, 1)
	go func() { done <- s.Solve() }()
	for range conflicts {
		select {
		case <-ctx.Done():
			abandoned = done
			return nil, false, context.Cause(ctx)
		case <-s.CertChan:
			continue
		case status := <-done:
			if status != solver.Sat {
				return nil, false, nil
			}
		}
		return c.inputs(s.Model(), number), true, nil
	}
	abandoned = done
	return nil, false, ErrGaveUp
}

// inputs are the inputs of an answer of the solver.
func (c *Circuit) inputs(values []bool, number map[int]int) Model {
	m := Model{}
	for i, n := range number {
		if b := Bit(2 * i); c.isInput(b) {
			m[b] = values[n-1]
		}
	}
	return m
}

// clauses say of all gates below a bit what they are (Tseitin 1968), and that it is true. number has the variables, from 1.
func (c *Circuit) clauses(goal Bit) (clauses [][]int, number map[int]int) {
	number = map[int]int{}
	cone := c.cone(goal)
	for _, i := range cone {
		number[i] = len(number) + 1
	}
	literal := func(b Bit) int {
		if b&1 == 1 {
			return -number[int(b>>1)]
		}
		return number[int(b>>1)]
	}
	for _, i := range cone {
		if g := c.gates[i]; (g != gate{}) {
			out, a, b := number[i], literal(g.a), literal(g.b)
			clauses = append(clauses, []int{-out, a}, []int{-out, b}, []int{out, -a, -b})
		}
	}
	return append(clauses, []int{literal(goal)}), number
}

// cone lists the gates and inputs that a bit depends on, each behind those that it reads.
func (c *Circuit) cone(goal Bit) (out []int) {
	needed := make([]bool, goal>>1+1)
	needed[goal>>1] = true
	for i := int(goal >> 1); i > 0; i-- {
		if g := c.gates[i]; needed[i] && (g != gate{}) {
			needed[g.a>>1], needed[g.b>>1] = true, true
		}
	}
	for i := 1; i < len(needed); i++ {
		if needed[i] {
			out = append(out, i)
		}
	}
	return out
}
