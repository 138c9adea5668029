package keyed

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// running makes tables of running sums, one after the other: the next is found in a system that has
// the others, so that there is an order with all of them.
func (p *Key) running(ctx *pass.Context, g *ir.Graph) (*ir.Graph, int) {
	for n := 0; ; n++ {
		// Each search finds at most one table in each function; the last one finds none.
		plans := rewritings{of: map[ir.Node]rewriting{}}
		var notes []func()
		planned := map[*ir.Graph]bool{}
		err := systems.Each(g, func(sys *poly.System) error {
			g := sys.Node.Graph()
			if sys.Schedule != nil || planned[g] {
				return nil
			}
			for _, st := range slices.Backward(sys.Statements) { // what a table is made of stands before what reads it
				x, err := p.planRunning(sys, st)
				var no refusal
				if errors.As(err, &no) {
					notes = append(notes, func() { ctx.Remark("%s: %s stays as it is: %s", ctx.Where(g, st.Node.Old()), st.Name, no) })
					continue
				}
				if err != nil {
					return err
				}
				if x != nil {
					// All parts are merged, and the last one then gets the table in place of that.
					for _, part := range x.parts {
						plans.add(part.st, rewriting{sys, merged{part}})
					}
					plans.add(st, rewriting{sys, x})
					planned[g] = true
					break
				}
			}
			return nil
		})
		if err != nil || len(plans.of) == 0 {
			// Only the last search reports: what an earlier one refused may have got a table since.
			for _, note := range slices.Backward(notes) {
				note()
			}
			unwind.Check(err)
			return g, n
		}
		if g, err = plans.apply(g); err != nil {
			panic(unwind.Failed(err))
		}
	}
}

// merged is a reduction whose answers another reads out of their table.
type merged struct{ *runningSum }

// emit makes nothing; nothing uses a statement by its value.
func (x merged) emit(m *ir.Mirror, _ map[string]ir.Value) (ir.Value, error) {
	return m.Of(x.st.Target.Node), nil
}

// emit makes the table, the statements that bring something into it and out of it, and the one that
// reads it.
func (x *runningPlan) emit(m *ir.Mirror, _ map[string]ir.Value) (_ ir.Value, err error) {
	defer unwind.To(&err)
	b := m.B
	table := poly.NewLocal(b, x.table.Tuple().Name(), x.table, x.st.Target.Elem)
	for _, s := range x.moves {
		unwind.Check(s.emit(m, poly.NewAccess{Array: table, Map: s.instances.CrossMap(x.table)}))
	}
	reads := x.accesses(m, x.asked(), x.over, x.st.Name)
	write := unwind.Must(x.without(x.st.Write, x.over, x.st.Name))
	n := x.st.Domain.Tuple().Len()
	return poly.NewAfter(b, x.st.Name, x.answers, x.st.Operator, poly.NewAccess{Array: m.Of(x.st.Target.Node), Map: write}, reads, x.after,
		func(coords, values []ir.Value) ir.Value {
			args := x.arguments(b)
			setAt(args, x.answer, coords, 0)
			setAt(args, slices.Collect(x.readsOf(x.asked())), values, n)
			x.build(m, args, x.asked())
			// The index has the order of findTable: pairs, then coordinates with keys.
			index := []ir.Value{table}
			for _, v := range x.asked() {
				index = append(index, asIndex(b, m.Of(v)))
			}
			for _, d := range x.dims() {
				index = append(index, args[d])
			}
			return b.Op(poly.At, index...)
		}), nil
}

// emit makes a statement that brings something into a table, or out of it.
func (s moving) emit(m *ir.Mirror, table poly.NewAccess) (err error) {
	defer unwind.To(&err)
	b, x := m.B, s.of
	n, name := x.st.Domain.Tuple().Len(), s.instances.Tuple().Name()
	reads := x.accesses(m, x.summed(), x.answer, name)
	poly.NewKeyed(b, name, s.instances, x.st.Operator, table, reads, func(coords, values []ir.Value) (ir.Value, []ir.Value) {
		args := x.arguments(b)
		setAt(args, x.over, coords, 0)
		setAt(args, slices.Collect(x.readsOf(x.summed())), values, n)
		x.build(m, args, x.summed())
		keys := lists.Map(x.pairs, func(q pair) ir.Value { return asIndex(b, m.Of(q.summed)) })
		for _, k := range x.equalTo() {
			keys = append(keys, asIndex(b, m.Of(k)))
		}
		v := x.guardedValue(m, args, 0)
		if s.out {
			v = negative(b, v, x.st.Target.Elem)
		}
		return v, keys
	})
	return nil
}

// accesses are the reads that values need, of instances without some coordinates.
func (x *runningSum) accesses(m *ir.Mirror, values []ir.Node, without []int, name string) (out []poly.NewAccess) {
	list := unwind.Must(x.reading(values, without, name))
	for _, a := range list {
		out = append(out, poly.NewAccess{Array: m.Of(a.Array.Node), Map: a.Map})
	}
	return out
}

// negative is a value with the opposite sign. Floats are negated, as 0 - x loses the sign of zero.
func negative(b *ir.Builder, v ir.Value, t ir.Type) ir.Value {
	if b.Ctx().IsFloat(t) {
		return arith.NegF(b, v)
	}
	return arith.SubI(b, arith.Zero(b, t), v)
}
