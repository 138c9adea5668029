package circuit

import "github.com/crillab/gophersat/solver"

// Solve looks for inputs that make a bit true; there are none if ok is false.
func (c *Circuit) Solve(goal Bit) (m Model, ok bool) {
	switch goal {
	case True:
		return Model{}, true
	case False:
		return nil, false
	}
	clauses, number := c.clauses(goal)
	s := solver.New(solver.ParseSliceNb(clauses, len(number)))
	if s.Solve() != solver.Sat {
		return nil, false
	}
	m = Model{}
	values := s.Model()
	for i, n := range number {
		if b := Bit(2 * i); c.isInput(b) {
			m[b] = values[n-1]
		}
	}
	return m, true
}

// clauses say of all gates below a bit what they are (Tseitin 1968), and that it is true. number has the variables, from 1.
func (c *Circuit) clauses(goal Bit) (clauses [][]int, number map[int]int) {
	needed := make([]bool, len(c.gates))
	needed[goal>>1] = true
	number = map[int]int{}
	for i := int(goal >> 1); i > 0; i-- {
		if g := c.gates[i]; needed[i] && (g != gate{}) {
			needed[g.a>>1], needed[g.b>>1] = true, true
		}
	}
	for i := 1; i <= int(goal>>1); i++ {
		if needed[i] {
			number[i] = len(number) + 1
		}
	}
	literal := func(b Bit) int {
		if b&1 == 1 {
			return -number[int(b>>1)]
		}
		return number[int(b>>1)]
	}
	for i := 1; i <= int(goal>>1); i++ {
		if g := c.gates[i]; needed[i] && (g != gate{}) {
			out, a, b := number[i], literal(g.a), literal(g.b)
			clauses = append(clauses, []int{-out, a}, []int{-out, b}, []int{out, -a, -b})
		}
	}
	return append(clauses, []int{literal(goal)}), number
}
