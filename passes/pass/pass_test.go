package pass_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/diff"
)

// A tiny dialect and some passes over it.

var (
	tConst = ir.Define(&ir.OpDef{Name: "pt.const", Attrs: []string{"value"}, Traits: ir.ConstantLike, Infer: given})
	tPrint = ir.Define(&ir.OpDef{Name: "pt.print", Infer: void, Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }})
	tFunc  = ir.Define(&ir.OpDef{Name: "func.func", Attrs: []string{"sym_name", "function_type", "sym_visibility"}, Traits: ir.Symbol | ir.Isolated, Infer: void})
	tCall  = ir.Define(&ir.OpDef{Name: "func.call", Attrs: []string{"callee"}, Traits: ir.Opaque, Infer: given})
	tRet   = ir.Define(&ir.OpDef{Name: "func.return", Traits: ir.Terminator | ir.ReturnLike, Infer: void})

	dialect = &ir.Dialect{Name: "pt", Ops: []*ir.OpDef{tConst, tPrint, tFunc, tCall, tRet}}
)

func given(c *ir.Call) (ir.Type, error) { return c.Type, nil }
func void(*ir.Call) (ir.Type, error)    { return ir.Void, nil }

// fn makes a function that prints numbers.
func fn(b *ir.Builder, name string, out []ir.Type, prints ...int64) {
	f := ir.NewBuilder(b.Ctx())
	var last ir.Value
	for _, n := range prints {
		last = f.Const(ir.I64, ir.IntVal(n, 64))
		f.Op(tPrint, last)
	}
	if len(out) == 0 {
		f.Op(tRet)
	} else {
		f.Op(tRet, last)
	}
	c := b.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "sym_name", Value: c.StringAttr(name)}, {Name: "function_type", Value: c.TypeAttr(c.Func(nil, out))}}, nil)
	b.Must(ir.Call{Def: tFunc, Attr: attr, Graphs: []*ir.Graph{f.Finish()}})
}

func module() *ir.Graph {
	b := ir.NewBuilder(ir.NewContext(dialect))
	fn(b, "f", nil, 1, 2)
	fn(b, "g", nil, 3)
	return b.Finish()
}

// dropper removes prints of one number; it counts them.
type dropper struct {
	Number int    `opt:"number" doc:"what to drop"`
	All    bool   `opt:"all" doc:"drop all"`
	Note   string `opt:"note" doc:"text"`
	panics bool

	Share float64   `opt:"share" doc:"part"`
	When  string    `opt:"when" one:"now later never" doc:"time"`
	Also  []int     `opt:"also" doc:"more to drop"`
	Names []string  `opt:"names" doc:"texts"`
	Parts []float64 `opt:"parts" doc:"numbers"`
	Days  []string  `opt:"days" one:"mon tue" doc:"some"`
}

func (d *dropper) Check() error {
	if d.Number < 0 {
		return errors.New("number is negative")
	}
	return nil
}

func (d *dropper) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), ir.Rules{tPrint: func(m *ir.Mirror, n ir.Node) ir.Value {
		v, _ := n.Arg(0).Const()
		if d.All || v.Int(64) == int64(d.Number) || slices.Contains(d.Also, int(v.Int(64))) {
			if d.panics {
				panic("cannot drop")
			}
			ctx.Count("dropped", 1)
			return m.B.Pack()
		}
		return 0
	}}, nil), nil
}

type failing struct{}

func (*failing) Run(*pass.Context, *ir.Graph) (*ir.Graph, error) { return nil, errors.New("not today") }

// next renames a call to one that is not there, or makes print n print n+1.
type next struct{}

func (*next) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), ir.Rules{tConst: func(m *ir.Mirror, n ir.Node) ir.Value {
		v, _ := n.Const()
		return m.B.Const(ir.I64, ir.IntVal(min(v.Int(64)+1, 20), 64))
	}}, nil), nil
}

// peeler drops prints of the number that it is given under two names of mlir-opt's.
type peeler struct {
	Front int `opt:"front" doc:"the number"`
}

func (p *peeler) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return (&dropper{Number: p.Front}).Run(ctx, g)
}

var list = pass.List{
	{Name: "drop", Doc: "d", Why: "w", Example: "e", New: func() pass.Pass { return &dropper{Number: 1, Share: 0.5, When: "now"} },
		Statistics: []pass.Statistic{{Name: "dropped", Doc: "prints"}}},
	{Name: "dce", Doc: "d", Why: "w", Example: "e", New: func() pass.Pass { return &dropper{Number: 1, When: "now"} }},
	{Name: "canonicalize", Doc: "d", Why: "w", Example: "e", New: func() pass.Pass { return &dropper{Number: 1, When: "now"} }},
	{Name: "loop-peel", Doc: "d", Why: "w", Example: "e", New: func() pass.Pass { return &peeler{} }},
	{Name: "panic", Doc: "d", Why: "w", Example: "e", New: func() pass.Pass { return &dropper{Number: 3, panics: true, When: "now"} }},
	{Name: "fail", Doc: "d", Why: "w", Example: "e", New: func() pass.Pass { return &failing{} }},
	{Name: "next", Doc: "d", Why: "w", Example: "e", New: func() pass.Pass { return &next{} }},
	{Name: "whole", Doc: "d", Why: "w", Example: "e", Scope: pass.Modules, Verbatim: true, New: func() pass.Pass { return &dropper{Number: 99, When: "now"} }},
}

func run(t *testing.T, m *pass.Manager, pipeline string) (*ir.Graph, error) {
	t.Helper()
	p, err := pass.Parse(pipeline, list)
	if err != nil {
		t.Fatal(err)
	}
	return m.Run(context.Background(), module(), p)
}

// prints lists the numbers that a graph prints.
func prints(g *ir.Graph) (out []int64) {
	for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
		if g.Def(v) == tPrint {
			c, _ := g.Const(g.Args(v)[0])
			out = append(out, c.Int(64))
		}
		for _, c := range g.Children(v) {
			out = append(out, prints(c)...)
		}
	}
	return out
}

func TestList(t *testing.T) {
	if err := list.Validate(); err != nil {
		t.Error(err)
	}
	if list.Find("remove-dead-values") != list[1] || list.Find("x") != nil {
		t.Error("Find")
	}
	if err := (pass.List{list[0], list[0]}).Validate(); err == nil {
		t.Error("two of a name are accepted")
	}
	if err := (pass.List{{Name: "x"}}).Validate(); err == nil {
		t.Error("an empty row is accepted")
	}
}

func TestRun(t *testing.T) {
	for pipeline, want := range map[string]string{
		"":                                  "1 2 3",
		"drop":                              "2 3",
		"drop,remove-dead-values{number=2}": "3",
		"drop{all}":                         "",
		"drop{all=true number=7}":           "",
		"func(drop{number=3})":              "1 2",
		"builtin.module(drop)":              "2 3", // the program itself
		"builtin.module(any(drop))":         "2 3",
		"any(func.func(drop),any(next))":    "3 4",
		"func.func(any(drop))":              "2 3",
		"toy.frame(drop)":                   "1 2 3", // there is no such op here
		"repeat(next)":                      "20 20 20",
		"func.func(repeat(next),drop)":      "20 20 20",
		" next , drop { number = 2 } ":      "3 4",
		"drop{note='a b' number=2}":         "1 3",
		"drop{note=\"{\", number=3}":        "1 2",
		"drop{note={a b} number=3}":         "1 2",
		"drop{note= number=3}":              "1 2",
		"drop{note={a,b} number=3}":         "1 2",
		"drop{note=f(a b,c{d}) number=3}":   "1 2",
		"canonicalize{top-down=f(g{x=1  y=2},h),i.j(k) number=3}":  "1 2", // options of mlir-opt
		"canonicalize{top-down= top-down number=3 }":               "1 2",
		"scf-for-loop-peeling{peel-front skip-partial=false}":      "2 3", // a flag for front=1
		"scf-for-loop-peeling{peel-front=true}":                    "2 3",
		"scf-for-loop-peeling{peel-front=false}":                   "1 2 3",
		"scf-for-loop-peeling{front=2}":                            "1 3",
		"topological-sort,drop,func.func(affine-scalrep{x={1,2}})": "2 3", // nothing to do
		"repeat(),func(),drop{}\n,next":                            "3 4",
		"drop{also=2,3}":                                           "",
		"drop{also={2, 3} all=false}":                              "",
		"drop{also=\"2,3\"}":                                       "",
		"drop{also=3, number=2}":                                   "1",
		"drop{also= number=2}":                                     "1 3",
		"drop{also={} number=2}":                                   "1 3",
		"drop{names={\"a,b\",c} number=2}":                         "1 3",
		"drop{days={tue,mon} when=later share=1e-3}":               "2 3",
	} {
		m := &pass.Manager{VerifyEach: true}
		g, err := run(t, m, pipeline)
		if err != nil {
			t.Errorf("%q: %v", pipeline, err)
			continue
		}
		if got := strings.Trim(strings.Join(strings.Fields(sprint(prints(g))), " "), "[]"); got != want {
			t.Errorf("%q prints %q, want %q", pipeline, got, want)
		}
		p, _ := pass.Parse(pipeline, list)
		again, err := pass.Parse(p.String(), list)
		if err != nil || again.String() != p.String() {
			t.Errorf("%q is written %q, which reads as %v %v", pipeline, p, again, err)
		}
	}
}

func sprint(v []int64) string {
	var b bytes.Buffer
	for _, x := range v {
		b.WriteString(" " + string(rune('0'+x/10)) + string(rune('0'+x%10)))
	}
	return strings.ReplaceAll(b.String(), " 0", " ")
}

func TestSyntaxErrors(t *testing.T) {
	for pipeline, want := range map[string]string{
		"dorp":                       "pipeline:1:1: error: unknown pass \"dorp\"\n  dorp\n  ^~~~\nhelp: did you mean \"drop\"?",
		"drop,sccp":                  "pipeline:1:6: error: unknown pass \"sccp\"\n  drop,sccp\n       ^~~~\nhelp: the nearest that irc has is canonicalize (",
		"convert-scf-to-cf":          "help: irc does what mlir-opt's pass does as part of `llvm` at the end of the pipeline",
		"topological-sort{x=1":       "this brace is never closed",
		"drop,,next":                 "pipeline:1:6: error: want the name of a pass here",
		"drop{numbr=1}":              "did you mean \"number\"?",
		"drop{frob=1}":               "usage: drop{number=INT all=BOOL note=STRING share=FLOAT when=now|later|never also={INT,...} names={STRING,...} parts={FLOAT,...} days={mon|tue,...}}",
		"drop{number}":               "option \"number\" of \"drop\" has no value",
		"drop{number=x}":             "wants a whole number",
		"drop{all=maybe}":            "wants true or false",
		"drop{number=1":              "this brace is never closed",
		"drop{note=f(x":              "this parenthesis is never closed",
		"drop{number= number=1}":     "wants a whole number, not \"\"",
		"func.fun(drop)":             "did you mean \"func.func\"?",
		"drop{note='x}":              "this quote is never closed",
		"drop{=1}":                   "want the name of an option",
		"drop{number=1 share=half}":  "pipeline:1:21: error: option \"share\" of \"drop\" wants a number, not \"half\"\n  drop{number=1 share=half}\n                      ^~~~",
		"drop{share=nan}":            "wants a number",
		"drop{when=latr}":            "wants one of now, later, never, not \"latr\"\n  drop{when=latr}\n            ^~~~\nhelp: did you mean \"later\"?",
		"drop{also={1, x, 3}}":       "wants a whole number, not \"x\"\n  drop{also={1, x, 3}}\n                ^",
		"drop{also=1,y}":             "wants a whole number, not \"y\"\n  drop{also=1,y}\n              ^",
		"drop{also=1,all=true}":      "this is the next option, not an element of a list\n  drop{also=1,all=true}\n              ^~~\nhelp: put the list in braces",
		"drop{also={1":               "this brace is never closed",
		"drop{also={1 2}}":           "want \",\" or \"}\" after an element of a list",
		"drop{also={1,,2}}":          "wants a whole number, not \"\"",
		"drop{days={mon,tu}}":        "did you mean \"tue\"?",
		"drop{also}":                 "has no value",
		"drop{number=-1}":            "pass \"drop\": number is negative",
		"repeat(drop":                "this parenthesis is never closed",
		"repat(drop)":                "did you mean \"repeat\"?",
		"drop(next)":                 "options of a pass stand in braces",
		"func":                       "write func(...)",
		"drop)":                      "\")\" does not belong here",
		"func(whole)":                "cannot stand inside func(...)",
		"func(repeat(whole))":        "cannot stand inside func(...)",
		strings.Repeat("func(", 2e3): "nested more than",
	} {
		_, err := pass.Parse(pipeline, list)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", pipeline, err, want)
		}
	}
}

// What a pipeline prints is what it reads, byte for byte, options of each type included.
func TestOptionsArePrinted(t *testing.T) {
	for _, text := range []string{
		`drop{number=1 all=false note="" share=0.5 when=now also={} names={} parts={} days={}}`,
		`drop{number=-3 all=true note=x share=1e-300 when=never also={-1,0,2} names={a,"b,c","","d e","{"} parts={0.1,1e+20,-0} days={mon,mon}}`,
	} {
		p, err := pass.Parse(text, pass.List{{Name: "drop", New: func() pass.Pass { return &free{When: "now"} }}})
		if err != nil || p.String() != text {
			t.Errorf("%s is printed\n%v (%v)", text, p, err)
		}
	}
	for _, bad := range []pass.Pass{&struct {
		free
		X bool `opt:"x" one:"a b"`
	}{}, &struct {
		free
		X string `opt:"x" one:"a b"`
	}{}, &struct {
		free
		X []bool `opt:"x"`
	}{}} {
		row := pass.Info{Name: "n", Doc: "d", Why: "w", Example: "e", New: func() pass.Pass { return bad }}
		if err := (pass.List{&row}).Validate(); err == nil {
			t.Errorf("%T is accepted", bad)
		}
	}
}

// free is a dropper that takes any number.
type free dropper

func (*free) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) { return g, nil }

func TestStatistics(t *testing.T) {
	m := &pass.Manager{VerifyEach: true, Count: true}
	if _, err := run(t, m, "drop,drop{number=2}"); err != nil {
		t.Fatal(err)
	}
	if n := m.Stats("drop", "dropped"); n != 2 {
		t.Errorf("dropped = %d", n)
	}
	if a, b := m.Stats("drop", "ops-before"), m.Stats("drop", "ops-after"); a != 10+8 || b != 8+6 {
		t.Errorf("ops: %d to %d", a, b)
	}
	var out bytes.Buffer
	m.Watch(ir.Event{Kind: ir.Folded, Rule: "x + 0 = x"})
	m.Watch(ir.Event{Kind: ir.Folded, Rule: "x + 0 = x"})
	m.Took("drop")
	m.WriteStats(&out, list)
	m.Timing.Write(&out)
	for _, want := range []string{"     2 dropped - prints", "(R)      2 x + 0 = x", "     2 folds", "drop", "(A)      9 schedule - made; asked for 40 times", "Total Execution Time", "(V) verify"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestDumps(t *testing.T) {
	var out bytes.Buffer
	m := &pass.Manager{Out: &out, PrintBefore: []string{"next"}, PrintAfter: []string{"*"}, PrintAfterChange: true,
		Print: func(g *ir.Graph, _ bool) string { return sprint(prints(g)) }}
	if _, err := run(t, m, "drop,func(next)"); err != nil {
		t.Fatal(err)
	}
	want := `// -----// IR Dump After drop //----- //
 2 3

// -----// IR Dump After drop on @f //----- //
- 1 2
+ 2

// -----// IR Dump Before next on @f //----- //
 2

// -----// IR Dump After next on @f //----- //
 3

// -----// IR Dump After next on @f //----- //
- 2
+ 3

`
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}

func TestCrash(t *testing.T) {
	var crash *pass.CrashError
	_, err := run(t, &pass.Manager{}, "next,next,next,panic")
	if err != nil {
		t.Fatal(err) // nothing prints 3 any more
	}
	_, err = run(t, &pass.Manager{}, "drop,panic")
	if !errors.As(err, &crash) || crash.Pass != "panic" || crash.Function != "g" || crash.Reason != "cannot drop" || crash.Stack == "" {
		t.Fatalf("got %v, %+v", err, crash)
	}
	if got := sprint(prints(crash.Before)); got != " 2 3" {
		t.Errorf("before the crash:%s", got)
	}
	_, err = run(t, &pass.Manager{}, "func(drop,repeat(panic))")
	if !errors.As(err, &crash) || crash.Function != "g" || !strings.HasPrefix(crash.Pipeline, `func.func(panic{number=3 all=false note="" share=0 when=now also={} `) {
		t.Errorf("got %v, %+v", err, crash)
	}
	_, err = run(t, &pass.Manager{}, "fail")
	if errors.As(err, &crash) || err == nil || err.Error() != "pass fail: not today" {
		t.Errorf("got %v", err)
	}
}

func TestVerifyEach(t *testing.T) {
	b := ir.NewBuilder(ir.NewContext(dialect))
	// h returns nothing although its type says so.
	p, _ := pass.Parse("next", list)
	var crash *pass.CrashError
	f := ir.NewBuilder(b.Ctx())
	f.Op(tRet)
	c := b.Ctx()
	b.Must(ir.Call{Def: tFunc, Graphs: []*ir.Graph{f.Finish()}, Attr: c.Props([]ir.NamedAttr{{Name: "sym_name", Value: c.StringAttr("h")},
		{Name: "function_type", Value: c.TypeAttr(c.Func(nil, []ir.Type{ir.I64}))}}, nil)})
	g := b.Finish()
	_, err := (&pass.Manager{VerifyEach: true}).Run(context.Background(), g, p)
	if !errors.As(err, &crash) || !strings.Contains(crash.Reason, "enclosing function (@h) returns 1") {
		t.Errorf("got %v", err)
	}
	if _, err := (&pass.Manager{}).Run(context.Background(), g, p); err != nil {
		t.Errorf("without checks: %v", err)
	}
}

func TestVerbatim(t *testing.T) {
	if _, err := run(t, &pass.Manager{Verbatim: true}, "whole"); err != nil {
		t.Error(err)
	}
	if _, err := run(t, &pass.Manager{Verbatim: true}, "whole,repeat(drop)"); err == nil || !strings.Contains(err.Error(), `"drop"`) {
		t.Errorf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	stop(errors.New("time is up"))
	p, _ := pass.Parse("drop", list)
	if _, err := (&pass.Manager{}).Run(ctx, module(), p); err == nil || err.Error() != "time is up" {
		t.Errorf("got %v", err)
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"a\nb\nc", "a\nc", " a\n-b\n c\n"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nfive\n6\n7\n8\n9", "...\n 3\n 4\n-5\n+five\n 6\n 7\n...\n"},
		{"a\nb\nc\nd", "c\nd\na\nb", "-a\n-b\n c\n d\n+a\n+b\n"},
		{"", "x", "+x\n"},
	} {
		if got := diff.Lines(c.a, c.b); got != c.want {
			t.Errorf("Diff(%q, %q) =\n%s", c.a, c.b, got)
		}
	}
	big := strings.Repeat("x\ny\n", 5000)
	start := time.Now()
	if d := diff.Lines(big, "z\n"+strings.ReplaceAll(big, "y", "w")+"z"); !strings.Contains(d, "+w") || time.Since(start) > 10*time.Second {
		t.Error("a large diff")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"drop", "repeat(drop,next{})", "func(drop{number=1 note='x'})", "drop{note={a{}b}}", "a(b{c=d", ",", "}{"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := pass.Parse(s, list)
		if err != nil {
			_ = err.Error()
			return
		}
		q, err := pass.Parse(p.String(), list)
		if err != nil {
			t.Fatalf("%q is written as %q, which does not read: %v", s, p, err)
		}
		if q.String() != p.String() {
			t.Fatalf("%q, %q, %q", s, p, q)
		}
	})
}
