package poly

import (
	"cmp"
	"fmt"

	"github.com/irc-lang/irc/ir"
)

// A demand computes the elements that equations define, each when it is first asked for:
// what an instance reads is computed before its body runs. It keeps its own stack, so
// that a chain of a million elements needs no more than memory.
type demand struct {
	r      *running
	arrays map[*store]*elements
	frames []frame
}

// elements are those of one array that statements define.
type elements struct {
	*store
	first []int32      // by element: an instance of the list that defines it, and 1
	state []progress   // by element
	next  []int32      // by instance: the one after it in the list of its element, and 1
	by    []*statement // by instance
	index []int32      // by instance: which of its statement
	// reduces is the operator of the array's reductions, if there is one alone: then elements
	// where nothing accumulates are its identity.
	reduces Operator
	keyed   []*keyed // the statements that accumulate into elements at computed indices
}

type progress uint8

const (
	unknown progress = iota
	underway
	known
)

// A frame is an element under way.
type frame struct {
	a      *elements
	cell   int
	inst   int32 // the instance that is looked at, and 1; 0 when all are done
	read   int   // the next of its reads
	all    int   // the next element of an array that it reads by computed indices
	gather int   // the next of those arrays
	key    int   // the next keyed statement
	scan   int   // the next of those of its instances that may accumulate into the element
	now    int32 // the one of these that is looked at, and 1
	part   int   // the next of the keyed statements that it comes after
	alone  bool  // it is an instance of a keyed statement, for no element
}

// solve computes all elements of what the program around sees.
func (r *running) solve() error {
	d := &demand{r: r, arrays: map[*store]*elements{}}
	r.demand = d
	for _, st := range r.sts {
		if err := d.define(st); err != nil {
			return err
		}
	}
	for _, a := range r.sys.Arrays {
		s := r.arrays[a.Node.Old()]
		if e := d.arrays[s]; e != nil && a.Role != LocalRole {
			if err := d.whole(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// define notes which instance defines which element.
func (d *demand) define(st *statement) error {
	a := d.arrays[st.target]
	if a == nil {
		n := 1
		for _, size := range st.target.memory.Sizes {
			n = ir.Times(n, int(size))
		}
		a = &elements{store: st.target, first: make([]int32, n), state: make([]progress, n)}
		d.arrays[st.target] = a
	}
	if _, ok := st.Operator.Combine(); ok {
		if a.reduces == "" {
			a.reduces = st.Operator
		} else if a.reduces != st.Operator {
			a.reduces = severalOperators
		}
	}
	if st.Keyed {
		return d.defineKeyed(a, st)
	}
	e := make([]int64, st.Target.Rank)
	// The instances of an element are listed in their order: the last is put in front first.
	for i := st.len() - 1; i >= 0; i-- {
		if ok, err := st.write.at(st.at(i), e); err != nil || !ok {
			return cmp.Or(err, ir.Trapf("statement %s writes nowhere at %v", st.Name, st.at(i)))
		}
		c, ok := st.target.cell(e)
		if !ok {
			return st.target.outside(e)
		}
		if old := a.first[c]; old != 0 && (st.Operator == Set || a.by[old-1].Operator != st.Operator) {
			return ir.Trapf("%s is defined by %s and by %s", element(st.Target.Name, e), element(a.by[old-1].Name, a.by[old-1].at(int(a.index[old-1]))), element(st.Name, st.at(i)))
		}
		a.by, a.index, a.next = append(a.by, st), append(a.index, int32(i)), append(a.next, a.first[c])
		a.first[c] = int32(len(a.by))
	}
	return nil
}

// cell is the number of an element among those of the array, in rows.
func (s *store) cell(e []int64) (int, bool) {
	n := int64(0)
	for d, v := range e {
		if s.lower != nil {
			v -= s.lower[d]
		}
		if v < 0 || v >= s.memory.Sizes[d] {
			return 0, false
		}
		n = n*s.memory.Sizes[d] + v
	}
	return int(n), true
}

// indexOf is the inverse of cell.
func (s *store) indexOf(cell int) []int64 {
	e := make([]int64, len(s.memory.Sizes))
	n := int64(cell)
	for d := len(e) - 1; d >= 0; d-- {
		e[d] = n % s.memory.Sizes[d]
		n /= s.memory.Sizes[d]
		if s.lower != nil {
			e[d] += s.lower[d]
		}
	}
	return e
}

// whole computes all elements of an array that anything defines; of a reduction all that
// there are.
func (d *demand) whole(a *elements) error {
	for c := range a.first {
		ok, err := d.defined(a, c)
		if err == nil && ok {
			err = d.run(a, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// severalOperators stands for the reductions of an array that have more than one.
const severalOperators Operator = "several"

// isIdentity: a reduction defines the elements of the extent, which need not be a box.
func (d *demand) isIdentity(a *elements, c int) bool {
	if _, ok := a.reduces.Combine(); !ok || a.first[c] != 0 || !a.array.HasExtent {
		return false
	}
	ok, err := a.array.Extent.Contains(ints(a.indexOf(c)), d.r.params)
	return ok && err == nil
}

// defined reports an element that anything defines.
func (d *demand) defined(a *elements, cell int) (bool, error) {
	if a.first[cell] != 0 || d.isIdentity(a, cell) {
		return true, nil
	}
	_, ok, err := d.operator(a, cell)
	return ok, err
}

// run computes an element and all that it needs.
func (d *demand) run(a *elements, cell int) error {
	if err := d.push(a, cell); err != nil {
		return err
	}
	for len(d.frames) > 0 {
		f := &d.frames[len(d.frames)-1]
		waits, err := d.needs(f)
		if err != nil {
			return err
		}
		if waits {
			continue
		}
		if err := d.step(f); err != nil {
			return err
		}
	}
	return nil
}

// push begins an element, unless it is known.
func (d *demand) push(a *elements, cell int) error {
	switch a.state[cell] {
	case known:
		return nil
	case underway:
		return d.cycle(a, cell)
	}
	if err := d.r.m.Spend(1); err != nil {
		return err
	}
	a.state[cell] = underway
	e := a.indexOf(cell)
	op, ok, err := d.operator(a, cell)
	if err != nil {
		return err
	}
	if !ok {
		return ir.Trapf("%s is read, and nothing defines it", element(a.array.Name, e))
	}
	if _, ok := op.Combine(); ok {
		if err := a.put(e, op.Identity(d.r.sys.Node.Graph().Ctx, a.array.Elem)); err != nil {
			return err
		}
	}
	d.frames = append(d.frames, frame{a: a, cell: cell, inst: a.first[cell]})
	return nil
}

// instance is the one that a frame looks at.
func (f *frame) instance() (*statement, []int64) {
	if f.inst != 0 {
		st := f.a.by[f.inst-1]
		return st, st.at(int(f.a.index[f.inst-1]))
	}
	st := f.a.keyed[f.key].statement
	return st, st.at(int(f.now - 1))
}

// needs begins the next element that the instance of a frame reads and that is not known;
// waits says that there was one.
func (d *demand) needs(f *frame) (waits bool, err error) {
	if f.inst == 0 && f.now == 0 {
		if f.alone {
			return false, nil
		}
		if k, err := d.next(f); k == nil {
			return false, err
		}
	}
	st, at := f.instance()
	for ; f.read < len(st.reads); f.read++ {
		a := d.arrays[st.from[f.read]]
		if a == nil {
			continue // an input
		}
		e := a.cellIndex()
		ok, err := st.reads[f.read].at(at, e)
		if err != nil {
			return false, err
		}
		if !ok {
			continue // not read here
		}
		c, inside := a.cell(e)
		if !inside {
			return false, fmt.Errorf("%s: %w", element(st.Name, at), a.outside(e))
		}
		if a.state[c] != known {
			return true, d.push(a, c)
		}
	}
	for ; f.gather < len(st.Gathers); f.gather++ {
		a := d.arrays[d.r.arrays[st.Gathers[f.gather].Node.Old()]]
		if a == nil {
			continue
		}
		if list := st.keyedAfter(a); list != nil {
			if waits, err := d.needsAfter(f, list, st, at); waits || err != nil {
				return waits, err
			}
			continue
		}
		for ; f.all < len(a.first); f.all++ {
			if a.state[f.all] == known {
				continue
			}
			ok, err := d.defined(a, f.all)
			if err != nil {
				return false, err
			}
			if ok {
				return true, d.push(a, f.all)
			}
		}
		f.all = 0
	}
	return false, nil
}

// step runs the instance of a frame and goes on to the next, or ends the element.
func (d *demand) step(f *frame) error {
	if f.inst == 0 && f.now == 0 && f.alone {
		d.frames = d.frames[:len(d.frames)-1]
		return nil
	}
	if f.inst == 0 && f.now == 0 {
		f.a.state[f.cell] = known
		err := d.collect(f)
		d.frames = d.frames[:len(d.frames)-1]
		return err
	}
	st, at := f.instance()
	v, err := d.r.value(st, at)
	if err != nil {
		return err
	}
	f.read, f.all, f.gather, f.part = 0, 0, 0, 0
	if f.inst == 0 {
		return d.take(f, f.a.keyed[f.key], v, st.key)
	}
	e := f.a.indexOf(f.cell)
	if st.Operator != Set {
		old, err := f.a.load(e)
		if err != nil {
			return err
		}
		v = d.r.combine(st, old, v)
	}
	if err := f.a.put(e, v); err != nil {
		return err
	}
	f.inst = f.a.next[f.inst-1]
	return nil
}
