package polyhedral

import (
	"errors"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/contraction"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Schedule gives systems of equations an order.
type Schedule struct {
	From   string `opt:"from" file:"read" doc:"file with the schedule to use, a tree in isl's YAML or a map from instances to times; it is checked, and refused with a pair of instances that it has in the wrong order"`
	Alg    string `opt:"alg" one:"sequential feautrier pluto ilp" doc:"how the order is found: by statement and level; with the fewest sequential loops (Feautrier 1992); with loops that carry values over short distances and can be tiled (Bondhugula and others 2008); or by one integer program (Pouchet and others 2011), for small systems"`
	Fuse   string `opt:"fuse" one:"smart min max" doc:"which statements get common loops: min gives none; smart and max add two kinds to what pluto makes: statements between which the elements of local arrays then live in one iteration, and those for which the program reads an array once, element by element"`
	Budget int    `opt:"budget" doc:"work that a search may take, in steps; beyond it the sequential order is the answer"`

	from *userSchedule
}

// ScheduleInfo is the row of the pass.
var ScheduleInfo = &pass.Info{
	Name: "poly-schedule",
	Doc: "Gives a system of equations a schedule, which makes it a program: an array that reductions define begins with their systems.Identity, or with what statements give that update each element once. A local array that is a copy of another is not needed. Each instance is executed " +
		"after those whose values it needs. A program, a system that has a schedule, keeps it with alg=sequential; the others find it another, by which what accesses one " +
		"element, and writes it, stays in order. The schedule is proved legal, however it was found, one that equations have, too.",
	Why: "Before poly-codegen, which makes loops of it.",
	Example: `func.func @f(%n: index, %a: memref<?xf64>, %s: memref<f64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 0 }" {
    %A = poly.bind %a as input "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xf64>
    %S = poly.bind %s as output "S" in "{ S[] }" : memref<f64>
    poly.statement "T" over "[N] -> { T[i] : 0 <= i < N }" add %S at "{ T[i] -> S[] }" reading %A at "{ T[i] -> A[i] }" do (%i: index, %x: f64) {
      poly.yield %x : f64
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "scheduled", Doc: "systems that got an order"}},
	New:        func() pass.Pass { return &Schedule{Alg: "sequential", Fuse: "smart"} },
}

// A plan is what becomes of one system.
type plan struct {
	begin []systems.Identity
	tree  *schedule.Node
}

// Run finds all orders before anything is rebuilt.
func (p *Schedule) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, err error) {
	defer unwind.To(&err)
	found := &plans{map[ir.Node]*plan{}, map[ir.Node]bool{}}
	if p.From != "" {
		p.from = readGiven(p.From)
	}
	// A file orders the statements that the program has, so none is made or propagated before.
	if p.from == nil {
		g = beginReductions(g)
		g = unwind.Must(systems.Forward(g))
	}
	unwind.Check(systems.Each(g, func(sys *poly.System) (err error) {
		defer unwind.To(&err)
		p.add(ctx, sys, found)
		return nil
	}))
	if p.from != nil && len(found.of) == 0 {
		return nil, fmt.Errorf("%s has a schedule of %s, and the program no statement of these", p.From, strings.Join(p.from.names, ", "))
	}
	if len(found.of) == 0 {
		return g, nil
	}
	ctx.Count("scheduled", len(found.of))
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			if x := found.of[n]; x != nil {
				return x.rebuild(m, n)
			}
			return 0
		},
		// Where elements are stored is for the order that the system had.
		poly.Local: func(m *ir.Mirror, n ir.Node) ir.Value {
			if n.Attr("storage") == 0 || !found.moved[n] {
				return 0
			}
			return m.B.Must(ir.Call{Def: poly.Local, Type: n.Type(), Attr: m.B.Ctx().With(n.Attrs(), "storage", 0), Loc: m.B.Loc})
		},
	}, nil), nil
}

// plans are the plans of systems, and the arrays of these.
type plans struct {
	of    map[ir.Node]*plan
	moved map[ir.Node]bool
}

// add adds that of a system.
func (p *Schedule) add(ctx *pass.Context, sys *poly.System, found *plans) {
	x, err := p.plan(ctx, sys)
	// Only a program can keep its order, as that is its meaning.
	if errors.Is(err, presburger.ErrBudget) && sys.Schedule != nil && !sys.Equations && p.from == nil {
		ctx.Remark("%s: the program keeps its order: to find another takes more work than is allowed", ctx.Where(sys.Node.Graph(), sys.Node.Old()))
		return
	}
	if err != nil || x == nil {
		unwind.Check(err)
		return
	}
	found.of[sys.Node] = x
	for _, a := range sys.Arrays {
		found.moved[a.Node] = true
	}
}

// plan finds an order for a system, and proves it. It is nil for a system that keeps the one that it
// has.
func (p *Schedule) plan(ctx *pass.Context, sys *poly.System) (_ *plan, failed error) {
	defer unwind.To(&failed)
	keeps := p.from == nil && sys.Schedule != nil && algorithm(p.Alg) == scheduler.Sequential
	if keeps && !sys.Equations {
		return nil, nil // its order is what it means
	}
	w, err := systems.NewOrdering(sys)
	if err != nil {
		return nil, err
	}
	x := &plan{begin: w.Initial}
	switch {
	case keeps:
		prove(w, "the schedule that it has", sys.Schedule)
		return nil, nil
	case p.from == nil:
		if x.tree, err = p.search(ctx, w); err != nil {
			return nil, err
		}
		if algorithm(p.Alg) == scheduler.Pluto {
			if p.Fuse != "min" {
				if x.tree, err = joinStreams(w, sys.Schedule, x.tree); err != nil {
					return nil, systems.Failed(sys, err)
				}
			}
			x.tree = byStride(&w.Whole, x.tree)
		}
		prove(w, "the "+p.Alg+" schedule", x.tree)
		return x, nil
	case !p.from.isFor(&w.Whole):
		return nil, nil
	}
	if x.tree, err = p.from.tree(w); err != nil {
		return nil, err
	}
	prove(w, "the schedule of "+p.From, x.tree)
	return x, nil
}

// search finds a schedule.
func (p *Schedule) search(ctx *pass.Context, w *systems.Ordering) (_ *schedule.Node, failed error) {
	defer unwind.To(&failed)
	sys := &w.Whole
	// One relation serves three ends. What it orders should also be near, and a loop that carries none
	// of it is parallel.
	problem := scheduler.Problem{Domain: w.Domain, Context: sys.Context, Validity: w.Order, Proximity: w.Order, Coincidence: w.Order, Original: sys.Schedule}
	if sys.Equations {
		problem.Lifetimes = unwind.Must(sys.Lifetimes())
	}
	for _, st := range sys.Statements {
		if st.Node.Graph() == nil {
			continue // it begins a reduction
		}
		if _, ok := contraction.Find(sys, st); ok {
			problem.Alone = append(problem.Alone, st.Name)
		}
	}
	r, err := scheduler.Schedule(problem,
		scheduler.Options{Algorithm: algorithm(p.Alg), Fusion: fusion(p.Fuse), Budget: int64(p.Budget)})
	if errors.Is(err, scheduler.ErrNone) {
		circle(sys, problem)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, note := range r.Notes {
		ctx.Remark("%s", note)
	}
	return r.Tree, nil
}

// circle says why a system has no schedule: it shows instances that need one another, if there
// are some at small sizes.
func circle(sys *poly.System, problem scheduler.Problem) {
	c, _, err := scheduler.FindCycle(problem, nil)
	if err != nil || c == nil {
		panic(unwind.Failed(sys.Node.Errorf("has no affine schedule; no cycle was found among its equations at small sizes")))
	}
	panic(unwind.Failed(sys.Node.Errorf("has equations that go round in a circle, where each comes before the next: %s", c)))
}

// algorithm is that of an option; the names have the order of the constants.
func algorithm(name string) scheduler.Algorithm {
	for i, n := range scheduler.Algorithms {
		if n == name {
			return scheduler.Algorithm(i)
		}
	}
	return scheduler.Sequential
}

// fusion is that of an option; the names have the order of the constants.
func fusion(name string) scheduler.Fusion {
	for i, n := range scheduler.Fusions {
		if n == name {
			return scheduler.Fusion(i)
		}
	}
	return scheduler.Smart
}

// rebuild makes the system with its schedule, and with the statements that begin reductions.
func (x *plan) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	b := m.B
	at := b.Loc
	region := b.Region(ir.Once, nil, func([]ir.Value) {
		m.Body(n.Region(0))
		for _, i := range x.begin {
			i.Build(m)
		}
		b.Op(poly.Yield)
	})
	attr := b.Ctx().With(n.Attrs(), "schedule", poly.TreeAttr(b.Ctx(), x.tree))
	// The flag says that the order is one of several that the equations allow, and not the meaning.
	if n.Attr("schedule") == 0 {
		attr = b.Ctx().With(attr, "equations", b.Ctx().UnitAttr())
	}
	attr = b.Ctx().WithDiscardable(attr, systems.DependencesAttr, 0) // they were those of the equations
	return b.Must(ir.Call{Def: poly.SystemOp, Args: m.All(n.Args()), Attr: attr, Regions: []ir.Region{region}, Loc: at})
}
