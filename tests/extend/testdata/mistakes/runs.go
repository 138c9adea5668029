package main

import (
	"errors"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// runs are mistakes in what passes do.
var runs = []mistake{
	{"runnil", passes(nilPass{})},
	{"runpanic", passes(panicPass{})},
	{"runerror", passes(errorPass{})},
	{"runindex", passes(&indexPass{})},
	{"runmisuse", passes(&misusePass{})},
	{"runrule", passes(&rulePass{})},
	{"runloop", passes(&loopPass{})},
	{"runcheck", passes(&checkPass{})},
	{"runbroken", passes(&brokenPass{})},
	{"runnew", func(x *extension) {
		x.passes = pass.List{{Name: "bad-pass", Doc: "A mistake.", New: func() pass.Pass { return []pass.Pass{}[0] }}}
	}},
	{"runread", func(x *extension) { // the pass is right, and an answer of the dialect is not
		d := x.op(nil)
		x.Tables = append(x.Tables, ir.Interface[ir.LoopLike]{d: func(n ir.Node) ir.LoopLike { return ir.LoopLike{Body: n.Region(0).Old()} }})
		x.passes = pass.List{{Name: "bad-pass", Doc: "Asks.", New: func() pass.Pass { return &askPass{} }}}
	}},
}

// passes adds a pass.
func passes(p pass.Pass) func(x *extension) {
	return func(x *extension) {
		x.passes = pass.List{{Name: "bad-pass", Doc: "A mistake.", New: func() pass.Pass { return p }}}
	}
}

type nilPass struct{}

func (nilPass) Run(*pass.Context, *ir.Graph) (*ir.Graph, error) { return nil, nil }

type panicPass struct{}

func (panicPass) Run(*pass.Context, *ir.Graph) (*ir.Graph, error) { panic("oh") }

type errorPass struct{}

func (errorPass) Run(*pass.Context, *ir.Graph) (*ir.Graph, error) { return nil, errors.New("no") }

type indexPass struct {
	N int `opt:"n" doc:"a number"`
}

func (*indexPass) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return g, errors.New(g.Def(9999).Name)
}

type misusePass struct{}

func (*misusePass) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	b := ir.NewBuilder(g.Ctx)
	b.Op(arith.Addi, arith.ConstInt(b, ir.I32, 1), arith.ConstF64(b, 2))
	return b.Finish(), nil
}

type rulePass struct{}

func (*rulePass) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{arith.Subi: func(m *ir.Mirror, n ir.Node) ir.Value {
		return m.Op(arith.Addi, m.Of(n.Arg(0)), m.Of(n.Arg(2)))
	}}, nil), nil
}

type loopPass struct{}

func (*loopPass) Run(*pass.Context, *ir.Graph) (*ir.Graph, error) {
	for {
	}
}

type checkPass struct {
	In []string `opt:"in" doc:"names"`
}

func (p *checkPass) Check() error { return errors.New(p.In[0]) }

func (*checkPass) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) { return g, nil }

type brokenPass struct{}

func (*brokenPass) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{arith.Subi: func(m *ir.Mirror, n ir.Node) ir.Value {
		return arith.ConstF64(m.B, 0)
	}}, nil), nil
}

type askPass struct{}

func (*askPass) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return g, pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error {
		for n := range body.All() {
			ir.As[ir.LoopLike](n)
		}
		return nil
	})
}
