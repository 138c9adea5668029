package scheduler

import (
	"fmt"
	"slices"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Cycle is instances each of which has to be executed before the next, and the last
// before the first, with the values of the parameters.
type Cycle struct {
	Params    map[string]p.Int
	Instances []string
}

// String writes A[1] -> B[0] -> A[1], where N = 2.
func (c *Cycle) String() string {
	text := strings.Join(append(slices.Clone(c.Instances), c.Instances[0]), " -> ")
	var names []string
	for name := range c.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		text += fmt.Sprintf("%s %s = %s", []string{", where", ","}[min(i, 1)], name, c.Params[name])
	}
	return text
}

// Bounds of the search for a cycle where parameters have no values.
const (
	mostSize  = 6
	mostPairs = 20_000
)

// FindCycle looks for a shortest cycle of instances, at the given values of parameters;
// the others take the same value, from 1 up to a small one. It is nil if none was found;
// that is a proof only where all have values and complete is true.
func FindCycle(problem Problem, params map[string]p.Int) (c *Cycle, complete bool, err error) {
	defer unwind.To(&err)
	m, err := problem.Validity.IntersectDomain(problem.Domain)
	if err == nil {
		m, err = m.IntersectRange(problem.Domain)
	}
	if err == nil && !problem.Context.Tuple().IsNone() {
		err = fmt.Errorf("scheduler: the context %s is not of parameters alone", problem.Context)
	}
	if err == nil && len(problem.Context.Basics()) > 0 {
		m, err = m.IntersectParams(problem.Context)
	}
	if err != nil {
		return nil, false, err
	}
	var open []string
	for _, name := range m.Params() {
		if v, ok := params[name]; ok {
			m = m.FixParam(name, v)
		} else {
			open = append(open, name)
		}
	}
	for size := int64(1); size <= mostSize; size++ {
		at, values := m, map[string]p.Int{}
		for k, v := range params {
			values[k] = v
		}
		for _, name := range open {
			at, values[name] = at.FixParam(name, p.NewInt(size)), p.NewInt(size)
		}
		g := &instances{number: map[string]int{}}
		whole := unwind.Must(g.read(at))
		if cycle := g.shortest(); cycle != nil {
			return &Cycle{values, cycle}, whole, nil
		}
		if len(open) == 0 {
			return nil, whole, nil
		}
	}
	return nil, false, nil
}

// instances is the graph of what has to be executed before what.
type instances struct {
	names  []string
	number map[string]int
	next   [][]int
}

// read adds the pairs of a map; false if there are too many.
func (g *instances) read(m p.Map) (whole bool, err error) {
	left := mostPairs
	for _, part := range m.Maps() {
		in, out := part.Tuples()
		points, err := part.Wrap().Points()
		if err != nil {
			return false, nil // without end
		}
		for x := range points {
			if left--; left < 0 {
				return false, nil
			}
			a, b := g.instance(in, x[:in.Len()]), g.instance(out, x[in.Len():])
			g.next[a] = append(g.next[a], b)
		}
	}
	return true, nil
}

func (g *instances) instance(t p.Tuple, x []p.Int) int {
	parts := lists.Map(x, func(v p.Int) string { return v.String() })
	name := t.Name() + "[" + strings.Join(parts, ", ") + "]"
	i, ok := g.number[name]
	if !ok {
		i = len(g.names)
		g.number[name] = i
		g.names, g.next = append(g.names, name), append(g.next, nil)
	}
	return i
}

// mostSteps bounds the search for the shortest cycle; the best one so far is taken then.
const mostSteps = 5_000_000

// shortest is a shortest cycle, by a search in breadth from each instance, or nil.
func (g *instances) shortest() []string {
	var best []int
	steps := 0
	for start := range g.names {
		from := map[int]int{start: -1}
		for queue := []int{start}; len(queue) > 0 && steps < mostSteps; queue = queue[1:] {
			a := queue[0]
			for _, b := range g.next[a] {
				steps++
				if b == start {
					var path []int
					for at := a; at >= 0; at = from[at] {
						path = append(path, at)
					}
					slices.Reverse(path)
					if best == nil || len(path) < len(best) {
						best = path
					}
					queue = queue[:1]
					break
				}
				if _, seen := from[b]; !seen {
					from[b] = a
					queue = append(queue, b)
				}
			}
		}
	}
	return lists.Map(best, func(i int) string { return g.names[i] })
}
