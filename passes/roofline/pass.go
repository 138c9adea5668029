package roofline

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/loops"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Pass says of loops what they do at least, and which of them are parallel. It changes nothing.
type Pass struct{}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "roofline",
	Doc: "Counts the operations on numbers that each outermost loop does at least, and the bytes of memory that it has to read and to write. Says of each loop in it whether its iterations are independent. It changes nothing. " +
		"`irc explain -loops` runs it first, and adds how long the target needs for that at least (docs/performance.md).",
	Why:      "First: it reads the loops as they are written.",
	Verbatim: true,
	Example: `func.func @f(%n: index, %A: memref<?xf64>, %B: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %y = affine.load %B[%i] : memref<?xf64>
    %z = arith.addf %x, %y : f64
    affine.store %z, %B[%i] : memref<?xf64>
  }
  return
}
`,
	New: func() pass.Pass { return &Pass{} },
}

// A Nest is an outermost loop with all that is in it.
type Nest struct {
	Graph    *ir.Graph
	Owner    ir.Node // the function; none for a graph of its own
	Function string
	Loop     ir.Value
	Line     int
	Loops    []Loop // it and those in it, as they stand in the text
	Work     *Work
	Err      error // why there is no Work
}

// A Loop is one of a nest.
type Loop struct {
	At      ir.Value
	Line    int
	Depth   int
	Carries error // why its iterations are not independent; nil if they are
}

// Run looks at the loops of each function, and shows each Nest.
func (*Pass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	if !ctx.Reports() {
		return g, nil
	}
	look := func(g *ir.Graph, name string, owner ir.Node) error {
		for _, n := range nests(ctx, g, name) {
			n.Owner = owner
			ctx.Show(n)
			ctx.Remark("%s", n.remark(ctx))
		}
		return ctx.Err()
	}
	if err := look(g, "", ir.Node{}); err != nil {
		return nil, err
	}
	return g, pass.Isolated(g, func(owner ir.Node, body *ir.Graph) error { return look(body, symbols.Of(owner), owner) })
}

// nests are the outermost loops of a graph.
func nests(ctx *pass.Context, g *ir.Graph, name string) (out []*Nest) {
	s := ir.ScheduleOf(g)
	judge := loops.NewParallelism(ctx, s)
	for v := range s.All() {
		l, ok := ir.As[ir.LoopLike](g.NodeOf(v))
		if !ok {
			continue
		}
		depth := 0
		for r := s.Place(v); r != ir.Root; r = s.Place(g.Owner(r)) {
			if _, ok := ir.As[ir.LoopLike](g.NodeOf(g.Owner(r))); ok {
				depth++
			}
		}
		if depth == 0 {
			n := &Nest{Graph: g, Function: name, Loop: v, Line: ctx.Line(g, v)}
			n.Work, n.Err = Of(s, []ir.Value{v})
			out = append(out, n)
		}
		x := Loop{At: v, Line: ctx.Line(g, v), Depth: depth}
		if !l.Parallel {
			x.Carries = judge.Independent(v)
		}
		// A schedule has an outermost loop before those in it: the last nest is theirs.
		n := out[len(out)-1]
		n.Loops = append(n.Loops, x)
	}
	return out
}

// remark says what the loop does at least, or why that is not counted.
func (n *Nest) remark(ctx *pass.Context) string {
	at := ctx.Where(n.Graph, n.Loop)
	if n.Err != nil {
		return fmt.Sprintf("%s: the loop is not counted: %v", at, n.Err)
	}
	return fmt.Sprintf("%s: the loop does %s", at, n.Work.Text(n.Graph.Ctx, func(p string) string { return p }))
}

// Text says what the work is, with names for the parameters.
func (w *Work) Text(ctx *ir.Context, name func(string) string) string {
	return fmt.Sprintf("%s; reads %s bytes and writes %s", w.Does(ctx, name), w.Read.Text(name), w.Written.Text(name))
}

// Does says which operations there are.
func (w *Work) Does(ctx *ir.Context, name func(string) string) string {
	var does []string
	for _, o := range w.Operations {
		does = append(does, fmt.Sprintf("%s operations on %s", o.Number.Text(name), text.TypeString(ctx, o.Type)))
	}
	if len(does) == 0 {
		return "no operations on numbers"
	}
	return strings.Join(does, ", ")
}
