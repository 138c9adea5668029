package toy

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/passes/pass"
)

// Shapes is a pass: it works out shapes, from what is written to what is made of it.
type Shapes struct{}

// Run makes what works on arrays again, of arrays whose shape is known.
func (*Shapes) Run(ctx *pass.Context, g *ir.Graph) (out *ir.Graph, err error) {
	err = lower.Refusals(func() error {
		out = ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{Transpose: again, Add: again, Mul: again, Reshape: again, Print: again}, nil)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for n := range out.All() {
		switch _, known := shapeOf(g.Ctx, n.Type()); {
		case n.Def() == Cast:
			ctx.Count("casts", 1)
		case n.Def() != nil && made[n.Def()] && !known:
			return nil, n.Errorf("gives an array whose shape nobody knows: call the function with arrays that have one, and inline it first")
		}
	}
	return out, nil
}

// made are the ops whose type follows from their operands.
var made = map[*ir.OpDef]bool{Transpose: true, Add: true, Mul: true}

// again makes an op of what casts forgot, and asks for its type, which a copy would keep; who wants the type that it had gets
// a cast. Shapes that differ are a mistake of the program: only now somebody knows them.
func again(m *ir.Mirror, n ir.Node) ir.Value {
	g, args := m.B.Graph(), m.All(n.Args())
	for i, x := range args {
		if g.Def(x) == Cast {
			args[i] = g.Args(x)[0]
		}
	}
	call := ir.Call{Def: n.Def(), Args: args}
	if !made[n.Def()] {
		call.Type = n.Type()
	}
	v, err := m.B.Make(call)
	if err != nil {
		lower.Refuse(err)
	}
	if made[n.Def()] && g.Type(v) != n.Type() {
		return m.B.Must(ir.Call{Def: Cast, Args: []ir.Value{v}, Type: n.Type()})
	}
	return v
}

// ShapesPass is the row of the pass.
var ShapesPass = &pass.Info{
	Name: "toy-shapes", Doc: "Works out the shapes of toy's arrays.",
	Why:        "after inline,symbol-dce: a function is called with arrays of several shapes; before lower{to=toy}, which needs them",
	Statistics: []pass.Statistic{{Name: "casts", Doc: "that are left, as they go to what is no op of toy"}},
	Example: `func.func @main() {
  %x = toy.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %y = toy.cast %x : (!toy.array<2, 3>) -> !toy.array
  %z = toy.transpose %y : !toy.array
  toy.print %z : !toy.array
  return
}`,
	New: func() pass.Pass { return &Shapes{} },
}
