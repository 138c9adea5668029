package poly

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// An event is an instance and when it is executed.
type event struct {
	st   *statement
	inst int
	time []int64
}

// execute runs the instances of a system in the order of its schedule, on memory: those
// at one time in the order of the statements and their coordinates.
func (r *running) execute() error {
	flat, err := r.sys.Schedule.Map()
	if err != nil {
		return err
	}
	var all []event
	for _, st := range r.sts {
		m, ok := partOf(flat, st.Name)
		if !ok {
			if st.len() == 0 {
				continue
			}
			return fmt.Errorf("the schedule says nothing of statement %s", st.Name)
		}
		_, out := m.Tuples()
		f, err := newFunction(m, st.dims, r.params, false)
		if err != nil {
			return err
		}
		for i := range st.len() {
			e := event{st, i, make([]int64, out.Len())}
			ok, err := f.at(st.at(i), e.time)
			if err != nil {
				return err
			}
			if !ok {
				return ir.Trapf("the schedule does not say when %s is executed", element(st.Name, st.at(i)))
			}
			all = append(all, e)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return slices.Compare(all[i].time, all[j].time) < 0 })
	for _, e := range all {
		if err := r.runAt(e.st, e.st.at(e.inst)); err != nil {
			return err
		}
	}
	return nil
}

// partOf is the part of a relation that is about a statement.
func partOf(m presburger.Map, name string) (presburger.Map, bool) {
	for _, x := range m.Maps() {
		if in, _ := x.Tuples(); in.Name() == name {
			return x, true
		}
	}
	return presburger.Map{}, false
}

// runAt executes an instance on memory.
func (r *running) runAt(st *statement, at []int64) error {
	if err := r.m.Spend(1); err != nil {
		return err
	}
	v, err := r.value(st, at)
	if err != nil {
		return err
	}
	e := st.key
	if st.Keyed {
		if ok, err := st.may.has(at, e); err != nil || !ok {
			return err // a key that the relation has not
		}
	} else {
		e = make([]int64, st.Target.Rank)
		if ok, err := st.write.at(at, e); err != nil || !ok {
			return cmp.Or(err, ir.Trapf("statement %s writes nowhere at %v", st.Name, at))
		}
	}
	if st.Operator != Set {
		old, err := st.target.load(e)
		if err != nil {
			return err
		}
		v = r.combine(st, old, v)
	}
	return st.target.put(e, v)
}

func ints(x []int64) []presburger.Int {
	return lists.Map(x, presburger.NewInt)
}
