package loops_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
	"github.com/irc-lang/irc/tests/built"
)

// Two loops are exchanged exactly if the checker of schedules finds no dependence, of all that there are between
// accesses, that this turns around.
func TestInterchangeAgainstChecker(t *testing.T) {
	legal, illegal := 0, 0
	most := uint64(400)
	if testing.Short() {
		most = 50
	}
	for seed := range most {
		src, _ := built.Loops(seed + 7_000)
		g := built.Parse(t, src, text.Options{})
		_ = pass.Isolated(g, func(_ ir.Node, f *ir.Graph) error {
			s := ir.ScheduleOf(f)
			for _, v := range s.Body(ir.Root) {
				m := matter(s, v)
				if m == nil {
					continue
				}
				p, err := pass.Parse(fmt.Sprintf("loop-interchange{order=1,0 line=%d}", lineOf(src, f, v)), lowering.AllPasses())
				if err != nil {
					t.Fatal(err)
				}
				_, err = (&pass.Manager{Line: lines(src)}).Run(context.Background(), g, p)
				refused := err != nil && strings.Contains(err.Error(), "would be turned around")
				if err != nil && !refused {
					continue
				}
				violation := m.exchanged(t)
				if refused != (violation != nil) {
					t.Fatalf("seed %d: the pass says %v, the checker %v\n%s", seed+7_000, err, violation, src)
				}
				if refused {
					illegal++
				} else {
					legal++
				}
			}
			return nil
		})
	}
	if t.Logf("%d legal, %d illegal", legal, illegal); legal < int(most)/50 || illegal < int(most)/200 {
		t.Errorf("%d nests are exchanged and %d not", legal, illegal)
	}
}

// A program of accesses that all stand in two loops.
type accesses []raise.Access

// matter are the accesses of a nest of two loops, without what the order of is free or not known.
func matter(s *ir.Schedule, v ir.Value) accesses {
	if s.Graph().Def(v) != affinedialect.For {
		return nil
	}
	acc, err := raise.ReadAccesses(s, []ir.Value{v})
	if err != nil || len(acc.List) == 0 {
		return nil
	}
	for _, a := range acc.List {
		if len(a.Loops) != 2 || a.Loops[1] != acc.List[0].Loops[1] || a.Whole || a.Update != poly.Set || s.Graph().MayAlias(a.On, acc.List[0].On) && a.Memory != acc.List[0].Memory {
			return nil
		}
	}
	return acc.List
}

// exchanged asks the checker for the loops in the other order.
func (m accesses) exchanged(t *testing.T) *schedule.Violation {
	var p depend.Program
	var domain presburger.Set
	var now presburger.Map
	for i, a := range m {
		element, err := a.Element.IntersectDomain(a.Domain)
		if err != nil {
			t.Fatal(err)
		}
		if a.Writes {
			p.Writes = p.Writes.Union(element)
		} else {
			p.Reads = p.Reads.Union(element)
		}
		domain = domain.Union(a.Domain)
		name := a.Domain.Tuple().Name()
		p.Schedule = p.Schedule.Union(relation(t, "{ %s[i, j] -> [i, j, %d] }", name, i))
		now = now.Union(relation(t, "{ %s[i, j] -> [j, i, %d] }", name, i))
	}
	d, err := p.Memory()
	if err != nil {
		t.Fatal(err)
	}
	flat, err := schedule.FromMap(now)
	if err != nil {
		t.Fatal(err)
	}
	v, err := schedule.Legal(schedule.NewDomain(domain, flat.Child(0)), schedule.Dependences{Validity: d.RAW.Union(d.WAR).Union(d.WAW)})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func relation(t *testing.T, format string, args ...any) presburger.Map {
	m, err := presburger.ParseMap(fmt.Sprintf(format, args...))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func lines(src string) func(l ir.Loc) int {
	return func(l ir.Loc) int { return 1 + strings.Count(src[:l-1], "\n") }
}

func lineOf(src string, g *ir.Graph, v ir.Value) int { return lines(src)(g.LocsOf(v)[0]) }
