package poly

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
)

// keyed is a keyed statement whose elements are computed by demand. An element is complete when all
// instances that may accumulate into it have run. Each runs once, for the first element that asks
// for it, and what it yields waits for the element that it goes to.
type keyed struct {
	*statement
	open    []bool                 // by dimension of the target: the relation does not determine it
	groups  map[int]*group         // by the cell that has the least index in the open dimensions
	state   []progress             // by instance
	waiting map[int][]contribution // by cell
	all     presburger.Set         // elements that some instance may accumulate into
}

// A group is the instances that the dimensions which are not open lead to the same elements.
type group struct {
	list  []int32
	known int // those before have run
}

// A contribution is a value that an instance has for an element.
type contribution struct {
	inst  int32
	value ir.Val
}

// defineKeyed groups the instances of a keyed statement by the elements that they may accumulate into.
func (d *demand) defineKeyed(a *elements, st *statement) error {
	k := &keyed{statement: st, open: make([]bool, st.Target.Rank), groups: map[int]*group{}, state: make([]progress, st.len()), waiting: map[int][]contribution{}}
	m := st.Write
	for p, v := range d.r.params {
		m = m.FixParam(p, v)
	}
	m, err := m.IntersectDomain(fixed(st.Domain, d.r.params))
	if err != nil {
		return err
	}
	k.all = m.Range()
	closed, err := closedDimensions(m, d.r.params)
	if err != nil {
		return err
	}
	e, one := make([]int64, st.Target.Rank), make([]int64, 1)
	for i := range st.len() {
		there := true
		for c, f := range closed {
			if k.open[c] = f == nil; f == nil {
				e[c] = a.least(c)
				continue
			}
			ok, err := f.at(st.at(i), one)
			if err != nil {
				return err
			}
			e[c], there = one[0], there && ok
		}
		if !there {
			continue
		}
		c, ok := a.cell(e)
		if !ok {
			return a.outside(e)
		}
		if k.groups[c] == nil {
			k.groups[c] = &group{}
		}
		k.groups[c].list = append(k.groups[c].list, int32(i))
	}
	a.keyed = append(a.keyed, k)
	return nil
}

// closedDimensions has for each dimension of what a relation leads to the function that it is of the
// instance, or nil.
func closedDimensions(m presburger.Map, params map[string]presburger.Int) ([]*function, error) {
	in, out := m.Tuples()
	fs := make([]*function, out.Len())
	for c := range fs {
		one, err := dimension(out, c).Compose(m)
		if err != nil {
			return nil, err
		}
		single, err := one.IsSingleValued()
		if err != nil {
			return nil, err
		}
		if single {
			if fs[c], err = newFunction(one, in.Len(), params, false); err != nil {
				return nil, err
			}
		}
	}
	return fs, nil
}

// dimension relates tuples to one of their entries.
func dimension(t presburger.Tuple, c int) presburger.Map {
	b := presburger.Basic{In: t, Out: presburger.NewTuple("", "x")}
	r := make([]presburger.Int, 2+t.Len())
	r[1+c], r[1+t.Len()] = presburger.NewInt(-1), presburger.NewInt(1)
	b.Eq = append(b.Eq, r)
	return presburger.MapOf(b)
}

// least is the least index of a dimension of an array.
func (s *store) least(c int) int64 {
	if s.lower == nil {
		return 0
	}
	return s.lower[c]
}

// of is the group whose instances may accumulate into an element, or nil.
func (k *keyed) of(a *elements, e []int64) *group {
	x := slices.Clone(e)
	for c := range x {
		if k.open[c] {
			x[c] = a.least(c)
		}
	}
	c, ok := a.cell(x)
	if !ok {
		return nil
	}
	return k.groups[c]
}

// next finds the next instance that may accumulate into the element of a frame, and has not run;
// nil if there is none.
func (d *demand) next(f *frame) (*keyed, error) {
	e := f.a.indexOf(f.cell)
	for ; f.key < len(f.a.keyed); f.key, f.scan = f.key+1, 0 {
		k := f.a.keyed[f.key]
		g := k.of(f.a, e)
		if g == nil {
			continue
		}
		for ; g.known < len(g.list) && k.state[g.list[g.known]] == known; g.known++ {
		}
		for f.scan = max(f.scan, g.known); f.scan < len(g.list); f.scan++ {
			i := g.list[f.scan]
			if k.state[i] == known {
				continue
			}
			ok, err := k.may.has(k.at(int(i)), e)
			if err != nil {
				return nil, err
			}
			if !ok {
				if err := d.r.m.Spend(1); err != nil {
					return nil, err
				}
				continue
			}
			if k.state[i] == underway {
				return nil, d.cycleBy(k, int(i))
			}
			k.state[i], f.now = underway, i+1
			return k, nil
		}
	}
	return nil, nil
}

// take ends the instance of a keyed statement that a frame looks at.
func (d *demand) take(f *frame, k *keyed, v ir.Val, e []int64) error {
	i := f.now - 1
	k.state[i], f.now = known, 0
	ok, err := k.may.has(k.at(int(i)), e)
	if err != nil || !ok {
		return err // a key that the relation has not
	}
	c, ok := f.a.cell(e)
	if !ok {
		return f.a.outside(e)
	}
	k.waiting[c] = append(k.waiting[c], contribution{i, v})
	return nil
}

// collect combines an element with what the instances of keyed statements have for it, in the order
// of these.
func (d *demand) collect(f *frame) error {
	e := f.a.indexOf(f.cell)
	for _, k := range f.a.keyed {
		list := k.waiting[f.cell]
		slices.SortFunc(list, func(x, y contribution) int { return cmp.Compare(x.inst, y.inst) })
		for _, x := range list {
			old, err := f.a.load(e)
			if err == nil {
				err = f.a.put(e, d.r.combine(k.statement, old, x.value))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// operator is that of the reductions which define an element, if there is one.
func (d *demand) operator(a *elements, cell int) (op Operator, ok bool, err error) {
	by := ""
	if i := a.first[cell]; i != 0 {
		op, by = a.by[i-1].Operator, a.by[i-1].Name
	} else if d.isIdentity(a, cell) {
		op = a.reduces
	}
	for _, k := range a.keyed {
		if k.Operator == op {
			continue
		}
		in, err := k.all.Contains(ints(a.indexOf(cell)), d.r.params)
		if err != nil {
			return op, false, err
		}
		if in && op != "" {
			return op, false, ir.Trapf("%s is defined by %s and by %s", element(a.array.Name, a.indexOf(cell)), by, k.Name)
		}
		if in {
			op, by = k.Operator, k.Name
		}
	}
	return op, op != "", nil
}
