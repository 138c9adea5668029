package order_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// valid runs over an order and checks that every instance runs once, and reads
// nothing that is defined later. Items are followed here by their documentation.
// What an item says about observations holds of each instance.
func valid(t *testing.T, m *model.Model, items []model.Item) error {
	b := &bind.Builder{Model: m}
	ran, defined := map[string]bool{}, map[order.Element]bool{}
	var bad error
	fail := func(format string, args ...any) {
		if bad == nil {
			bad = fmt.Errorf(format, args...)
		}
	}
	run := func(s *model.Statement, at []int32, data model.DataPart) {
		key := fmt.Sprint(s.Index, at)
		if ran[key] {
			fail("statement %d runs twice at %v", s.Index+1, at)
		}
		ran[key] = true
		f := eval.NewFrame(b.Model, s)
		f.At = at
		for _, r := range order.NodeRefs(b, s) {
			v := m.Bindings[r].Var
			_ = f.Each(r, v, true, func(k int) error {
				e := order.Element{Var: v, Elem: k}
				if c := v.ClassAt(k); (c == model.Logical || c == model.Parameter && !m.Cyclic) && !defined[e] {
					fail("statement %d at %v reads %s too early", s.Index+1, at, e.Name())
				}
				return nil
			})
		}
		_ = f.Each(s.LHS, s.Var, false, func(k int) error {
			defined[order.Element{Var: s.Var, Elem: k}] = true
			if known := s.Var.KnownAt(k); data == model.AllData && !known || data == model.NoData && known {
				fail("statement %d at %v defines %s, which is not what it says", s.Index+1, at, s.Var.ElemName(k))
			}
			return nil
		})
	}
	var walk func(items []model.Item, at []int32)
	walk = func(items []model.Item, at []int32) {
		for _, it := range items {
			switch {
			case it.Stmt != nil:
				run(it.Stmt, at, it.Data)
			case it.Loop != nil:
				f := eval.NewFrame(b.Model, it.Loop.Of)
				f.At = at
				lo, hi, err := f.BoundsOf(it.Loop.Of.Loops[it.Loop.Level])
				if err != nil {
					t.Fatal(err)
				}
				if it.Loop.Part != nil {
					lo, hi = it.Loop.Part[0], it.Loop.Part[1]
				}
				var vals []int
				for i := lo; i <= hi; i++ {
					vals = append(vals, i)
				}
				if it.Loop.Reverse {
					slices.Reverse(vals)
				}
				for _, i := range vals {
					walk(it.Loop.Body, append(slices.Clone(at), int32(i)))
				}
			case it.Interleaving != nil:
				for u := it.Interleaving.Lo; u <= it.Interleaving.Hi; u++ {
					for _, x := range it.Interleaving.Body {
						if x.Once {
							walk(x.Body, at)
						} else {
							walk(x.Body, append(slices.Clone(at), int32(x.Scale*u+x.Shift)))
						}
					}
				}
			case it.Wavefronts != nil:
				for l := 1; l <= it.Wavefronts.Levels; l++ {
					for _, w := range it.Wavefronts.Parts {
						for p := w.Start.Value[l-1]; p < w.Start.Value[l]; p++ {
							var vals []int32
							for _, v := range w.At {
								vals = append(vals, int32(v.Value[int(p)-1]))
							}
							run(w.Stmt, vals, model.SomeData)
						}
					}
				}
			}
		}
	}
	walk(items, nil)
	want := 0
	for _, s := range m.Running() {
		want += s.Iterations
	}
	if len(ran) != want {
		fail("%d instances of %d run", len(ran), want)
	}
	return bad
}

// kinds counts what an order is made of.
func kinds(items []model.Item, n map[string]int) {
	for _, it := range items {
		switch {
		case it.Loop != nil && it.Loop.Part != nil:
			n["split"]++
			kinds(it.Loop.Body, n)
		case it.Loop != nil && it.Loop.Reverse:
			n["reverse"]++
			kinds(it.Loop.Body, n)
		case it.Loop != nil:
			kinds(it.Loop.Body, n)
		case it.Interleaving != nil:
			n["turns"]++
		case it.Wavefronts != nil:
			n["waves"]++
		}
	}
}

// Random programs: the order found is valid, there is one unless elements depend on
// themselves, and the density is that of a naive evaluation.
func TestRandomOrders(t *testing.T) {
	count := 4000
	if testing.Short() {
		count = 600
	}
	met := map[string]int{}
	for seed := range count {
		program, data := bugstest.RandomProgram(rand.New(rand.NewPCG(uint64(seed), 5)))
		m, list := bugstest.Analyze(t, program, data, syntax.BUGS)
		if list.Err() != nil && !strings.Contains(list.Error(), "depends on itself") {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, list, program, data)
		}
		all, logical, known := newNaive(m, false), newNaive(m, true), newNaive(m, false)
		known.known = true
		all.run()
		logical.run()
		known.run()
		if refused := list.Err() != nil; refused != logical.cycle || m.Cyclic != all.cycle {
			t.Fatalf("seed %d: refused %v, cyclic %v; naive: logical cycle %v, cycle %v\n%v\n%s\n%s", seed, refused, m.Cyclic, logical.cycle, all.cycle, list, program, data)
		}
		if told := strings.Contains(list.Error(), "depends on itself"); told != known.cycle {
			t.Fatalf("seed %d: cycle told %v; naive %v\n%v\n%s\n%s", seed, told, known.cycle, list, program, data)
		}
		if list.Err() == nil && known.cycle && !all.cycle {
			met["through observed nodes"]++
		}
		if list.Err() != nil {
			met["refused"]++
			continue
		}
		split := emit.LowerObservations(m, m.Order)
		err := valid(t, m, m.Order)
		if err == nil {
			err = valid(t, m, split)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s\n%s", seed, err, program, data, strings.Join(order.Sequence(m), "\n"))
		}
		st := eval.NewState(m)
		for e, x := range all.val {
			if e.Var.ClassAt(e.Elem) == model.Parameter {
				st[e.Var.ID][e.Elem] = x
			}
		}
		logp := 0.0
		if err := eval.Visit(m, st, func(f eval.Factor) { logp += f.Logp }); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if math.Abs(logp-logical.logp) > 1e-9*(1+math.Abs(logp)) {
			t.Fatalf("seed %d: log density %v, naive %v\n%s\n%s\n%s", seed, logp, logical.logp, program, data, strings.Join(order.Sequence(m), "\n"))
		}
		kinds(m.Order, met)
		kinds(split, met)
		met["ordered"]++
	}
	t.Log(met)
	for _, k := range []string{"refused", "ordered", "through observed nodes", "reverse", "turns", "waves", "split"} {
		if met[k] < count/200 {
			t.Errorf("%d programs have %s", met[k], k)
		}
	}
}
