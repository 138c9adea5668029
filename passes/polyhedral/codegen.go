package polyhedral

import (
	"errors"
	"slices"
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/contraction"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Codegen makes loops of systems with a schedule.
type Codegen struct {
	Budget int  `opt:"budget" doc:"work that each operation on sets may take, in steps"`
	Select bool `opt:"select" doc:"choices stay choices, and never become branches"`

	Parallel bool `opt:"parallel" doc:"for a processor: its cores share the outermost loops no iteration of which writes what another one accesses; local arrays that an iteration writes before it reads them are its own"`
}

// CodegenInfo is the row of the pass.
var CodegenInfo = &pass.Info{
	Name: "poly-codegen",
	Doc: "Makes structured loops of a system with a schedule: scf.for and scf.if that scan its instances in their order, memory for its own arrays, and a load, the " +
		"body and a store for each statement. The sizes of bound memory are checked once, before the loops. With `parallel` the outermost loops of the schedule " +
		"whose iterations are independent become scf.parallel: what they access says which.",
	Why: "After poly-schedule.",
	Example: `func.func @f(%n: index, %a: memref<?xf64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 0 }" {
    %A = poly.bind %a as output "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xf64>
    poly.statement "T" over "[N] -> { T[i] : 0 <= i < N }" set %A at "{ T[i] -> A[i] }" do (%i: index) {
      %x = arith.index_cast %i : index to i64
      %y = arith.sitofp %x : i64 to f64
      poly.yield %y : f64
    }
  }
  return
}
`,
	Pipeline:   "poly-schedule,poly-codegen",
	Statistics: []pass.Statistic{{Name: "systems", Doc: "systems that became loops"}},
	New:        func() pass.Pass { return &Codegen{} },
}

// code is what is made of one system.
type code struct {
	sys    *poly.System
	ast    *codegen.Block
	sizes  map[*poly.ArrayDecl][]systems.Extent // of local arrays, and of bound ones that have an extent
	below  map[*poly.ArrayDecl]bool             // bound arrays that may have places below 0
	inside systems.Inside                       // accesses that need no check
	own    private                              // local arrays of which each iteration of a parallel loop has its own
	keys   map[*poly.Stmt]*keyTest              // of keyed statements
	cold   map[ir.Value]int                     // choices that become branches, and which arm is rare

	branches map[string]bool // statements that have such choices
	tilings  contraction.Tilings
	finished contraction.Tilings // those whose epilogue is done to tiles

	reason error
}

// Run generates all code before anything is rebuilt.
func (p *Codegen) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, err error) {
	defer unwind.To(&err)
	codes, rare := map[ir.Node]*code{}, map[ir.Node]int{}
	var order []*code // of the module: the first that fails is the one that is told of
	unwind.Check(systems.Each(g, func(sys *poly.System) (err error) {
		defer unwind.To(&err)
		if sys.Schedule == nil {
			return nil
		}
		c := p.generate(sys, ctx.Target())
		codes[sys.Node], order = c, append(order, c)
		for v, arm := range c.cold {
			rare[sys.Node.Graph().NodeOf(v)] = arm
		}
		return nil
	}))
	if len(codes) == 0 {
		return g, nil
	}
	ctx.Count("systems", len(codes))
	var open sync.Map // by builder, since several functions are rebuilt at once: the emitter of the system whose body is being rebuilt
	// Functions are rebuilt at once: rules read these maps, and write only what belongs to their own
	// system.
	out := ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			if c := codes[n]; c != nil {
				e := &emitter{code: c, m: m, Numbers: systems.Numbers{B: m.B}}
				around, _ := open.Swap(m.B, e)
				e.system(n)
				open.Store(m.B, around)
				for _, x := range c.finished {
					ctx.Remark("%s: %s is done to the tiles of %s when their sums are complete", ctx.Where(n.Graph(), n.Old()), x.Epilogue().Name, x.Statement().Name)
				}
				return m.B.Pack()
			}
			return 0
		},
		arith.Select: func(m *ir.Mirror, n ir.Node) ir.Value {
			if arm, ok := rare[n]; ok {
				return branch(m, n, arm)
			}
			return 0
		},
		poly.At: func(m *ir.Mirror, n ir.Node) ir.Value {
			if e, _ := open.Load(m.B); e != nil {
				return e.(*emitter).at(n)
			}
			return 0
		},
	}, nil)
	for _, c := range order {
		if c.reason != nil {
			return nil, systems.Failed(c.sys, c.reason)
		}
	}
	return out, nil
}

// generate makes the syntax tree of a system and the extents of its arrays.
func (p *Codegen) generate(sys *poly.System, t *target.Target) *code {
	o := codegen.Options{Budget: int64(p.Budget)}
	c := &code{sys: sys, sizes: map[*poly.ArrayDecl][]systems.Extent{}, below: map[*poly.ArrayDecl]bool{}}
	instances := unwind.Must(sys.Instances())
	// The schedule has to order exactly the instances: one more is not defined, and one less is not
	// executed.
	exact(sys, instances, sys.Schedule)
	p.loops(c, t, o)
	for _, a := range sys.Arrays {
		c.findExtents(a, o)
	}
	c.findKeyTests(o)
	c.findInside()
	if !p.Select {
		c.findRare()
	}
	// Tilings ask which accesses are inside, so they are found last.
	outside := unwind.Must(contraction.Outside(c.sys, c.inside, t, o))
	within := unwind.Must(contraction.InBands(c.sys, c.inside, tileNumbers, t, o))
	c.tilings = append(outside, within...)
	return c
}

// loops makes the syntax tree of a system, and decides what each iteration of its parallel loops has for itself.
func (p *Codegen) loops(c *code, t *target.Target, o codegen.Options) {
	s := unwind.Must(p.shared(c.sys, t))
	o.Together = s.together()
	var err error
	c.ast, err = codegen.Generate(s.tree, c.sys.Context, o)
	// Separation may multiply the pieces of a set. Atomic members need none, so the second attempt is
	// cheaper.
	if errors.Is(err, presburger.ErrBudget) {
		c.ast, err = codegen.Generate(unwind.Must(atomic(s.tree)), c.sys.Context, o)
	}
	unwind.Check(err)
	c.own = unwind.Must(s.private(c.ast))
}

// findExtents finds the extents of the places of an array.
func (c *code) findExtents(a *poly.ArrayDecl, o codegen.Options) {
	if !a.HasExtent {
		return
	}
	unwind.Check(a.CheckPlaces())
	places := a.Extent
	// A stored array has memory for the places that its storage gives, not for its elements.
	if a.IsStored {
		places = unwind.Must(places.Apply(a.Storage))
	}
	for d := range places.Tuple().Len() {
		e := unwind.Must(systems.ExtentOf(places, d, c.sys.Context, o))
		c.sizes[a] = append(c.sizes[a], e)
		// Bound memory may have places below 0 unless its least index is a constant that is not negative.
		if k, ok := e.Lower.(codegen.Int); a.Node.Def() == poly.Bind && !(ok && k >= 0) {
			c.below[a] = true
		}
	}
}

// atomic is a tree of which each member becomes one loop, with conditions inside: worse code, and
// less work.
func atomic(tree *schedule.Node) (*schedule.Node, error) {
	return tree.Rewrite(func(n *schedule.Node) (*schedule.Node, error) {
		if n.Kind() != schedule.Band {
			return n, nil
		}
		b := n.Band()
		b.Members = slices.Clone(b.Members)
		for i := range b.Members {
			b.Members[i].Loop, b.Members[i].Isolated = schedule.Atomic, schedule.Atomic
		}
		b.Isolate = presburger.Set{}
		return schedule.NewBand(b, n.Child(0)), nil
	})
}
