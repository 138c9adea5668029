// Package sequence gives the passes that take a BUGS program from its text to
// sequential code, those of the paper "Generating sequential code from BUGS
// programs" one by one. They run on the graph of a model as it is written, and need
// the model itself: bugs.WithModel gives it to the context of a run. Without passes
// a model goes the same way at once.
package sequence

import (
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/lower"
	"github.com/irc-lang/irc/dialects/bugs/stage"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
)

// Passes lists the passes in their order.
func Passes() pass.List {
	return pass.List{statementGraph, removeData, fission, classify, order, fuse, reconstruct, lowerObservations, logDensity}
}

// Pipeline is the way of a model down to where it is without passes.
const Pipeline = "bugs-statement-graph,bugs-remove-transformed-data,bugs-fission,bugs-classify,bugs-order,bugs-fuse,bugs-reconstruct,bugs-lower-observations"

// step is a pass that changes the stage of a model.
type step struct {
	do    func(ctx *pass.Context, st *stage.Stage) *diag.Diagnostic
	count string // statistic: statements that are gone; "" is none
}

// Run reads the stage from the graph and makes the graph of the next.
func (p *step) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	m := stage.ModelOf(ctx)
	if m == nil {
		return nil, diag.Errorf(diag.Span{}, "this pass needs a model and its data").
			WithFix("run it on a .bug file with -data")
	}
	st, d := stage.StageOf(g, m)
	if d != nil {
		return nil, d
	}
	before := len(st.Stmts)
	if d := p.do(ctx, st); d != nil {
		return nil, d
	}
	n, d := st.Graph(g.Ctx)
	if d != nil {
		return nil, d
	}
	if p.count != "" {
		ctx.Count(p.count, before-len(st.Stmts))
	}
	return n, nil
}

func row(name, doc, why, example string, do func(ctx *pass.Context, st *stage.Stage) *diag.Diagnostic) *pass.Info {
	before := map[string]string{"bugs-fuse": "bugs-order,", "bugs-reconstruct": "bugs-order,bugs-fuse,",
		"bugs-lower-observations": "bugs-order,bugs-fuse,bugs-reconstruct,"}[name]
	return &pass.Info{Name: name, Doc: doc, Why: why, Example: example, Pipeline: before + name, Model: true, Scope: pass.Modules,
		New: func() pass.Pass { return &step{do: do} }}
}

// plain is a step that cannot fail.
func plain(do func(st *stage.Stage)) func(*pass.Context, *stage.Stage) *diag.Diagnostic {
	return func(_ *pass.Context, st *stage.Stage) *diag.Diagnostic { do(st); return nil }
}

// unordered is the example of most passes.
const unordered = `model {
  for (i in 1:3) {
    y[i] ~ dnorm(x[3], 1)
    x[i] ~ dnorm(m, 1)
    z[i] <- y[i] + w[i]
  }
  for (i in 1:3) { w[i] <- i * 2 }
  m ~ dnorm(0, 1)
}
`

var statementGraph = row("bugs-statement-graph",
	"Writes on each statement of a model which statements it depends on. With -emit=dot it is drawn.",
	"First: all that follows asks for these dependences.", unordered,
	plain(func(st *stage.Stage) { st.Needs = true }))

var removeData = func() *pass.Info {
	r := row("bugs-remove-transformed-data",
		"Removes the statements that data alone compute, and those that never run.",
		"Before the order is looked for, in which they would only stand in the way.", unordered, nil)
	r.Statistics = []pass.Statistic{{Name: "removed", Doc: "statements removed"}}
	r.New = func() pass.Pass { return &step{plain((*stage.Stage).RemoveData), "removed"} }
	return r
}()

var fission = row("bugs-fission",
	"Gives each statement loops of its own.",
	"Before the order: a statement can then go where it must.", unordered,
	plain((*stage.Stage).Fission))

var classify = row("bugs-classify",
	"Writes on each statement at which distances it reads what others define: zero, positive, negative, or unknown where they share no loop, "+
		"with the signs for each loop.",
	"After bugs-fission, which shows each statement alone, and before the distances decide about loops.", unordered,
	plain(func(st *stage.Stage) { st.Distances = true }))

var order = row("bugs-order",
	"Puts each statement after those that it depends on, except where statements need each other.",
	"After bugs-fission: whole loops may have no order.", unordered,
	plain((*stage.Stage).Order))

var fuse = row("bugs-fuse",
	"Makes statements that need each other run together: in one loop, forward or backward; in turns in a loop over an affine schedule; "+
		"else instance by instance, by levels.",
	"After bugs-order, which puts them beside each other.", `model {
  for (i in 2:4) { x[i] <- y[i - 1] + 1 }
  for (j in 2:4) { y[j] ~ dnorm(x[j], 1) }
  x[1] <- 0
  y[1] ~ dnorm(0, 1)
}
`,
	func(_ *pass.Context, st *stage.Stage) *diag.Diagnostic { return st.Fuse() })

var reconstruct = row("bugs-reconstruct",
	"Puts neighbours back into the loops of the program, as far as dependences let it.",
	"After bugs-fuse. A program that was in order has become what it was.", unordered,
	func(ctx *pass.Context, st *stage.Stage) *diag.Diagnostic {
		for _, w := range st.Model.Why {
			ctx.Remark("%s: %s", w.Change, w.Text)
		}
		return st.Reconstruct()
	})

var lowerObservations = row("bugs-lower-observations",
	"Splits loops in which nodes of a statement are partly data into index sets without a test, where these are few; else a mask guards each node.",
	"Last of those that move statements: it copies what it splits.", `model {
  for (i in 1:3) { x[i] <- i }
  for (i in 1:2) { x[i + 2] ~ dnorm(0, 1) }
}
`,
	func(_ *pass.Context, st *stage.Stage) *diag.Diagnostic { return st.LowerObservations() })

var logDensity = &pass.Info{Name: "bugs-log-density", Scope: pass.Modules,
	Doc: "Makes the function that gives the log density of a model, over scf, arith, math and special.",
	Why: "When the order is found and observations are lowered.",
	Example: `module @m {
  bugs.model @logdensity {
    %x = bugs.param "x" : memref<f64>
    %zero = arith.constant 0.0 : f64
    %one = arith.constant 1.0 : f64
    bugs.stochastic %x[] is "dnorm"(%zero, %one) observed "none" name "x" : memref<f64>
  }
}
`,
	New: func() pass.Pass { return &density{} },
}

type density struct{}

// Run lowers the model.
func (*density) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	if form := emit.FormOf(g); form != "" {
		return nil, diag.Errorf(diag.Span{}, "the program has the form %q: its density is lowered when it is in a sequential order and its observations are lowered", form).
			WithFix("run bugs-order, bugs-fuse, bugs-reconstruct and bugs-lower-observations before")
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), lower.Lower(ctx.Target()), nil), nil
}
