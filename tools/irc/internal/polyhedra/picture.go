package polyhedra

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// A Statement is drawn as the points of its domain.
type Statement struct {
	Name   string
	Domain p.Set // in one space
	Reuse  *Reuse
}

// A Dependence relates what comes first to what comes after it. Those of one kind have one
// colour.
type Dependence struct {
	Kind string
	Map  p.Map
}

// A Picture is what is to be drawn.
type Picture struct {
	Title       string
	Statements  []Statement
	Dependences []Dependence
	// Params are values of parameters; others get a small one for which there are points.
	Params map[string]int64
}

// Limits of what is drawn.
const (
	maxPoints  = 2500 // of a statement
	maxArrows  = 4000
	maxPanels  = 24
	maxBudget  = 20_000_000
	pageWidth  = 900
	pageHeight = 520 // of a statement
)

// panel is a statement with its points.
type panel struct {
	name   string
	tuple  p.Tuple
	points [][2]int
	in     map[[2]int]bool // points
	reuse  *reused
	note   string // why it is not drawn
	min    [2]int
	max    [2]int
}

// arrow leads from a point of a panel to one of another.
type arrow struct {
	kind     int
	from, to int
	a, b     [2]int
}

// scene is a picture with values for the parameters.
type scene struct {
	title  string
	panels []panel
	kinds  []string
	arrows []arrow
	notes  []string
}

// scene finds the points and arrows.
func (d Picture) scene() *scene {
	s := &scene{title: d.Title}
	params := d.values()
	for i, st := range d.Statements {
		if i == maxPanels {
			s.notes = append(s.notes, fmt.Sprintf("%d more statements are not drawn", len(d.Statements)-i))
			break
		}
		s.panels = append(s.panels, panelOf(st, params))
	}
	if len(params) > 0 {
		var out []string
		for _, name := range sortedKeys(params) {
			out = append(out, fmt.Sprintf("%s = %d", name, params[name]))
		}
		s.notes = append(s.notes, "for "+strings.Join(out, ", "))
	}
	for _, dep := range d.Dependences {
		s.dependence(dep, params)
	}
	return s
}

// values are those of the parameters: the first of some small ones for which most
// statements have points.
func (d Picture) values() map[string]int64 {
	var free []string
	for _, st := range d.Statements {
		for _, name := range st.Domain.Params() {
			if _, ok := d.Params[name]; !ok && !slices.Contains(free, name) {
				free = append(free, name)
			}
		}
	}
	var best map[string]int64
	most := -1
	for _, values := range candidates(len(free)) {
		params := maps.Clone(d.Params)
		if params == nil {
			params = map[string]int64{}
		}
		for i, name := range free {
			params[name] = values[i]
		}
		n := 0
		for _, st := range d.Statements {
			if empty, err := fix(st.Domain, params).WithBudget(maxBudget).IsEmpty(); err == nil && !empty {
				n++
			}
		}
		if n > most {
			best, most = params, n
		}
		if n == len(d.Statements) {
			break
		}
	}
	return best
}

// candidates are values that n parameters are given: one for all, or each half of the one before.
func candidates(n int) (out [][]int64) {
	if n == 0 {
		return [][]int64{nil}
	}
	for _, v := range []int64{5, 4, 6, 8, 10, 3, 2, 1, 0, 16, 20} {
		out = append(out, slices.Repeat([]int64{v}, n))
	}
	for _, v := range []int64{8, 16} {
		var falling []int64
		for i := range n {
			falling = append(falling, max(1, v>>i))
		}
		rising := slices.Clone(falling)
		slices.Reverse(rising)
		out = append(out, falling, rising)
	}
	return out
}

func sortedKeys(m map[string]int64) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func fix(s p.Set, params map[string]int64) p.Set {
	for _, name := range sortedKeys(params) {
		s = s.FixParam(name, p.NewInt(params[name]))
	}
	return s
}

func panelOf(st Statement, params map[string]int64) panel {
	out := panel{name: st.Name}
	sets := st.Domain.Sets()
	if len(sets) != 1 {
		out.note = fmt.Sprintf("its domain is in %d spaces", len(sets))
		return out
	}
	out.tuple = sets[0].Tuple()
	n := out.tuple.Len()
	if n > 2 {
		out.note = fmt.Sprintf("it has %d dimensions", n)
		return out
	}
	if out.points, out.note = pointsOf(st.Domain, params); out.note != "" {
		return out
	}
	if len(out.points) == 0 {
		out.note = "it has no points"
		return out
	}
	out.min, out.max = out.points[0], out.points[0]
	for _, at := range out.points {
		for k := range at {
			out.min[k], out.max[k] = min(out.min[k], at[k]), max(out.max[k], at[k])
		}
	}
	if out.max[0]-out.min[0] > maxPoints || out.max[1]-out.min[1] > maxPoints {
		out.points, out.note = nil, "its points are far apart"
		return out
	}
	out.in = map[[2]int]bool{}
	for _, at := range out.points {
		out.in[at] = true
	}
	if st.Reuse != nil {
		if out.reuse, out.note = reuseOf(st, params); out.note != "" {
			out.points = nil
			return out
		}
		for k, by := range out.reuse.step { // there is room for the domain where it is moved to, too
			out.min[k], out.max[k] = min(out.min[k], out.min[k]+by), max(out.max[k], out.max[k]+by)
		}
	}
	return out
}

// pointsOf are those of a set of at most two dimensions. note says why there are none to draw.
func pointsOf(s p.Set, params map[string]int64) (out [][2]int, note string) {
	points, err := fix(s, params).WithBudget(maxBudget).Points()
	if err != nil {
		return nil, strings.TrimPrefix(err.Error(), "presburger: ")
	}
	for x := range points {
		if len(out) == maxPoints {
			return nil, fmt.Sprintf("it has more than %d points", maxPoints)
		}
		at, ok := place(x)
		if !ok {
			return nil, "its points are far away"
		}
		out = append(out, at)
	}
	return out, ""
}

// place is a point of at most two dimensions.
func place(x []p.Int) (at [2]int, ok bool) {
	for k, v := range x {
		n, fits := v.Int64()
		if !fits || n > 1<<30 || n < -1<<30 {
			return at, false
		}
		at[k] = int(n)
	}
	return at, true
}

// dependence adds the arrows of a map between statements that are drawn.
func (s *scene) dependence(d Dependence, params map[string]int64) {
	kind := slices.Index(s.kinds, d.Kind)
	if kind < 0 {
		kind, s.kinds = len(s.kinds), append(s.kinds, d.Kind)
	}
	for _, m := range d.Map.Maps() {
		in, out := m.Tuples()
		from, to := s.find(in), s.find(out)
		if from < 0 || to < 0 {
			continue
		}
		points, err := fix(m.Wrap(), params).WithBudget(maxBudget).Points()
		if err != nil {
			s.notes = append(s.notes, fmt.Sprintf("%s from %s to %s is not drawn: %s", d.Kind, s.panels[from].name, s.panels[to].name,
				strings.TrimPrefix(err.Error(), "presburger: ")))
			continue
		}
		seen := 0
		for x := range points {
			if seen++; len(s.arrows) == maxArrows || seen > 4*maxArrows {
				s.notes = append(s.notes, fmt.Sprintf("more than %d arrows: the rest of %s is not drawn", maxArrows, d.Kind))
				return
			}
			a, ok := place(x[:in.Len()])
			b, fits := place(x[in.Len():])
			if ok && fits && s.panels[from].has(a) && s.panels[to].has(b) {
				s.arrows = append(s.arrows, arrow{kind, from, to, a, b})
			}
		}
	}
}

func (q *panel) has(at [2]int) bool { return q.in[at] }

// find is the panel of a tuple that is drawn, or -1.
func (s *scene) find(t p.Tuple) int {
	return slices.IndexFunc(s.panels, func(q panel) bool { return len(q.points) > 0 && q.tuple.Equal(t) })
}
