package plan_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/ir/target"
)

func number(*ir.Call) (ir.Type, error) { return ir.I64, nil }
func void(*ir.Call) (ir.Type, error)   { return ir.Void, nil }

var (
	a    = ir.Define(&ir.OpDef{Name: "q.a", Infer: number})
	b    = ir.Define(&ir.OpDef{Name: "q.b", Infer: number})
	loop = ir.Define(&ir.OpDef{Name: "q.loop", Infer: void, Body: ir.Loop})
	end  = ir.Define(&ir.OpDef{Name: "q.end", Infer: void, Traits: ir.Terminator})
	show = ir.Define(&ir.OpDef{Name: "q.show", Infer: void, Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }})
	q    = &ir.Dialect{Name: "q", Ops: []*ir.OpDef{a, b, loop, end, show}}
)

// mark is a rule that gives the op b with its name as an attribute.
func mark(name string) func(*ir.Mirror, ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		c := m.B.Ctx()
		return m.B.Must(ir.Call{Def: b, Args: m.All(n.Args()), Attr: c.With(0, "by", c.StringAttr(name))})
	}
}

func decline(*ir.Mirror, ir.Node) ir.Value { return 0 }

func dialect(name string, t ...lower.Lowering) *ir.Dialect {
	return &ir.Dialect{Name: name, Tables: []any{lower.Table(t)}}
}

func row(rule func(*ir.Mirror, ir.Node) ir.Value, before, after string) lower.Lowering {
	return lower.Lowering{Level: "low", Rules: ir.Rules{a: rule}, Before: strings.Fields(before), After: strings.Fields(after)}
}

// by lowers an op a and says by which rule.
func by(dialects ...*ir.Dialect) (string, error) {
	c := ir.NewContext(append([]*ir.Dialect{q}, dialects...)...)
	p, err := plan.New(c, "low")
	if err != nil {
		return "", err
	}
	build := ir.NewBuilder(c)
	build.Op(show, build.Op(a, build.Param(ir.I64)))
	g, err := p.Phase(target.Interp(), nil).Run(build.Finish())
	if err != nil {
		return "", err
	}
	out := ""
	for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
		if g.Def(v) == b {
			out += c.AttrInfo(g.Attr(v, "by")).Str
		}
	}
	return out, nil
}

func TestOrder(t *testing.T) {
	x, y, z := mark("x"), mark("y"), mark("z")
	cases := []struct {
		name, want, err string
		dialects        []*ir.Dialect
	}{
		{"one", "x", "", []*ir.Dialect{dialect("x", row(x, "", ""))}},
		{"none said", "", "q.a has two rules to low, of dialect x and of dialect y: one of them must say that it comes Before or After the other",
			[]*ir.Dialect{dialect("x", row(x, "", "")), dialect("y", row(y, "", ""))}},
		{"after", "y", "", []*ir.Dialect{dialect("x", row(x, "", "y")), dialect("y", row(y, "", ""))}},
		{"before", "y", "", []*ir.Dialect{dialect("x", row(x, "", "")), dialect("y", row(y, "x", ""))}},
		{"by way of a third", "y", "", []*ir.Dialect{dialect("x", row(x, "", "z")), dialect("y", row(y, "z", "")), dialect("z", row(z, "", ""))}},
		{"the first declines", "x", "", []*ir.Dialect{dialect("x", row(x, "", "y")), dialect("y", row(decline, "", ""))}},
		{"a cycle", "", `the order of the lowerings to low has a cycle: dialect x comes before itself, by way of dialect y`,
			[]*ir.Dialect{dialect("x", row(x, "y", "")), dialect("y", row(y, "x", ""))}},
		{"of itself", "", "by way of its own name", []*ir.Dialect{dialect("x", row(x, "x", ""), row(x, "", ""))}},
		{"two of one dialect", "y", "", []*ir.Dialect{dialect("x", row(x, "", ""), lower.Lowering{Level: "low", Name: "early", Rules: ir.Rules{a: y}, Before: []string{"x"}})}},
		{"two of one dialect without order", "", `of dialect x and of "early" of dialect x`,
			[]*ir.Dialect{dialect("x", row(x, "", ""), lower.Lowering{Level: "low", Name: "early", Rules: ir.Rules{a: y}})}},
		{"who is not there needs no order", "x", "", []*ir.Dialect{dialect("x", row(x, "nobody", "nothing"))}},
		{"another level is no conflict", "x", "", []*ir.Dialect{dialect("x", row(x, "", "")), dialect("y", lower.Lowering{Level: "other", Rules: ir.Rules{a: y}})}},
		{"declined by all", "", "'q.a' op is left over by phase low", []*ir.Dialect{dialect("x", row(decline, "", ""))}},
		{"declined by all, and may stay", "", "", []*ir.Dialect{dialect("x", lower.Lowering{Level: "low", Optional: true, Rules: ir.Rules{a: decline}})}},
	}
	for _, k := range cases {
		got, err := by(k.dialects...)
		if text := ""; got != k.want || err != nil && !strings.Contains(err.Error(), k.err) || (err == nil) != (k.err == "") {
			if err != nil {
				text = err.Error()
			}
			t.Errorf("%s: by %q, %s; wanted %q, %q", k.name, got, text, k.want, k.err)
		}
	}
}

// A constructor is called once for each graph, sees how often an op runs there by the
// weights of the target, and is not called for a graph without its ops.
func TestFrequency(t *testing.T) {
	made, seen := 0, map[float64]int{}
	d := dialect("x", lower.Lowering{Level: "low", Of: []*ir.OpDef{a}, New: func(e *lower.Env) ir.Rules {
		made++
		return ir.Rules{a: func(m *ir.Mirror, n ir.Node) ir.Value {
			seen[e.Frequency(n)]++
			return mark("x")(m, n)
		}}
	}})
	c := ir.NewContext(q, d)
	p, err := plan.New(c, "low")
	if err != nil {
		t.Fatal(err)
	}
	slow := *target.Interp()
	slow.Costs.Trips = 7
	for _, inside := range []bool{true, false} {
		build := ir.NewBuilder(c)
		x := build.Param(ir.I64)
		r := build.Region(ir.Loop, []ir.Type{ir.I64}, func(p []ir.Value) {
			if inside {
				build.Op(show, build.Op(a, p[0]))
			}
			build.Op(show, p[0])
			build.Op(end)
		})
		build.Must(ir.Call{Def: loop, Regions: []ir.Region{r}})
		if inside {
			build.Op(show, build.Op(a, x))
		}
		if _, err := p.Phase(&slow, nil).Run(build.Finish()); err != nil {
			t.Fatal(err)
		}
	}
	if made != 1 || len(seen) != 2 || seen[1] != 1 || seen[7] == 0 {
		t.Errorf("made %d times, frequencies %v", made, seen)
	}
}
