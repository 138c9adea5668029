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
	"github.com/irc-lang/irc/passes/pass"
)

// Schedule gives systems of equations an order.
type Schedule struct {
	From   string `opt:"from" doc:"file with the schedule to use, a tree in isl's YAML or a map from instances to times; it is checked, and refused with a pair of instances that it has in the wrong order"`
	Alg    string `opt:"alg" one:"sequential feautrier pluto ilp" doc:"how the order is found: by statement and level, the fewest sequential loops (Feautrier 1992), loops that carry values over short ways and can be tiled (Bondhugula and others 2008), or by one integer program (Pouchet and others 2011), for small systems"`
	Fuse   string `opt:"fuse" one:"smart min max" doc:"which statements get common loops: smart and max besides what pluto makes of it those between which the elements of local arrays then live in one round; min none"`
	Budget int    `opt:"budget" doc:"work that a search may take, in steps; beyond it the sequential order is the answer"`

	from *given
}

// ScheduleInfo is the row of the pass.
var ScheduleInfo = &pass.Info{
	Name: "poly-schedule",
	Doc: "Gives a system of equations a schedule, which makes it a program: an array that reductions define begins with their identity, or with what statements give that update each element once, a local array that is a copy of another is not needed, and each instance is executed " +
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
	begin []identity
	tree  *schedule.Node
}

// Run finds all orders before anything is rebuilt.
func (p *Schedule) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	plans, moved := map[*ir.Graph]map[ir.Value]*plan{}, map[*ir.Graph]map[ir.Value]bool{}
	n := 0
	if p.From != "" {
		var err error
		if p.from, err = readGiven(p.From); err != nil {
			return nil, err
		}
	}
	if p.from == nil {
		var err error
		if g, err = beginReductions(g); err == nil {
			g, err = forward(g)
		}
		if err != nil {
			return nil, err
		}
	}
	find := func(g *ir.Graph) error {
		for _, sys := range poly.Systems(g) {
			x, err := p.plan(ctx, sys)
			if errors.Is(err, presburger.ErrBudget) && sys.Schedule != nil && !sys.Equations && p.from == nil {
				ctx.Remark("%s: the program keeps its order: to find another takes more work than is allowed", ctx.Where(g, sys.Node.Old()))
				continue
			}
			if err != nil {
				return Failed(sys, err)
			}
			if x == nil {
				continue
			}
			if plans[g] == nil {
				plans[g], moved[g] = map[ir.Value]*plan{}, map[ir.Value]bool{}
			}
			plans[g][sys.Node.Old()] = x
			for _, a := range sys.Arrays {
				moved[g][a.Node.Old()] = true
			}
			n++
		}
		return nil
	}
	if err := EveryGraph(g, find); err != nil {
		return nil, err
	}
	if p.from != nil && n == 0 {
		return nil, fmt.Errorf("%s has a schedule of %s, and the program no statement of these", p.From, strings.Join(p.from.names, ", "))
	}
	if n == 0 {
		return g, nil
	}
	ctx.Count("scheduled", n)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			if x := plans[n.Graph()][n.Old()]; x != nil {
				return x.rebuild(m, n)
			}
			return 0
		},
		// Where elements are stored is for the order that the system had.
		poly.Local: func(m *ir.Mirror, n ir.Node) ir.Value {
			if n.Attr("storage") == 0 || !moved[n.Graph()][n.Old()] {
				return 0
			}
			return m.B.Must(ir.Call{Def: poly.Local, Type: n.Type(), Attr: m.B.Ctx().With(n.Attrs(), "storage", 0), Loc: m.B.Loc})
		},
	}, nil), nil
}

// EveryGraph calls f for a graph and those of its functions.
func EveryGraph(g *ir.Graph, f func(g *ir.Graph) error) error {
	if err := f(g); err != nil {
		return err
	}
	return pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error { return f(body) })
}

// plan finds an order for a system, and proves it. It is nil for a system that keeps the one that it
// has.
func (p *Schedule) plan(ctx *pass.Context, sys *poly.System) (*plan, error) {
	keeps := p.from == nil && sys.Schedule != nil && algorithm(p.Alg) == scheduler.Sequential
	if keeps && !sys.Equations {
		return nil, nil // its order is what it means
	}
	w, err := newOrdering(sys)
	if err != nil {
		return nil, err
	}
	x := &plan{begin: w.begin}
	switch {
	case keeps:
		return nil, w.prove("the schedule that it has", sys.Schedule)
	case p.from == nil:
		if x.tree, err = p.search(ctx, w); err != nil {
			return nil, err
		}
		if algorithm(p.Alg) == scheduler.Pluto {
			x.tree = byStride(&w.whole, x.tree)
		}
		return x, w.prove("the "+p.Alg+" schedule", x.tree)
	case !p.from.isFor(&w.whole):
		return nil, nil
	}
	if x.tree, err = p.from.tree(w); err != nil {
		return nil, err
	}
	return x, w.prove("the schedule of "+p.From, x.tree)
}

// An ordering is what a schedule of a system has to respect.
type ordering struct {
	whole  poly.System // with the statements that begin reductions
	begin  []identity
	domain presburger.Set
	order  presburger.Map
}

func newOrdering(sys *poly.System) (w *ordering, err error) {
	w = &ordering{whole: *sys}
	if sys.Schedule == nil {
		if w.begin, err = identities(sys); err != nil {
			return nil, err
		}
	}
	w.whole.Statements = nil
	for _, b := range w.begin {
		w.whole.Statements = append(w.whole.Statements, &poly.Stmt{Name: b.name, Domain: b.domain, Operator: poly.Set, Target: b.array, Write: b.write})
	}
	w.whole.Statements = append(w.whole.Statements, sys.Statements...)
	if w.domain, err = w.whole.Instances(); err == nil {
		w.order, err = w.whole.Order()
	}
	return w, err
}

// search finds a schedule.
func (p *Schedule) search(ctx *pass.Context, w *ordering) (*schedule.Node, error) {
	sys := &w.whole
	problem := scheduler.Problem{Domain: w.domain, Context: sys.Context, Validity: w.order, Proximity: w.order, Coincidence: w.order, Original: sys.Schedule}
	if sys.Equations {
		var err error
		if problem.Lifetimes, err = sys.Lifetimes(); err != nil {
			return nil, err
		}
	}
	r, err := scheduler.Schedule(problem,
		scheduler.Options{Algorithm: algorithm(p.Alg), Fusion: fusion(p.Fuse), Budget: int64(p.Budget)})
	if errors.Is(err, scheduler.ErrNone) {
		return nil, circle(sys, problem)
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
func circle(sys *poly.System, problem scheduler.Problem) error {
	c, _, err := scheduler.FindCycle(problem, nil)
	if err != nil || c == nil {
		return sys.Node.Errorf("has no affine schedule; no cycle was found among its equations at small sizes")
	}
	return sys.Node.Errorf("has equations that go round in a circle, where each comes before the next: %s", c)
}

// Failed is the error of a system that cannot be analysed, which may have told already what is wrong.
func Failed(sys *poly.System, err error) error {
	var wrong *ir.OpError
	if errors.As(err, &wrong) {
		return err
	}
	if err := failedBudget(sys, err); err != nil {
		return err
	}
	return sys.Node.Errorf("cannot be analysed: %v", err)
}

// failedBudget is the error where it is one of too much work, or nil.
func failedBudget(sys *poly.System, err error) error {
	if errors.Is(err, presburger.ErrBudget) {
		return sys.Node.Errorf("takes more work than is allowed to analyse: %v", err)
	}
	return nil
}

func algorithm(name string) scheduler.Algorithm {
	for i, n := range scheduler.Algorithms {
		if n == name {
			return scheduler.Algorithm(i)
		}
	}
	return scheduler.Sequential
}

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
			i.build(m)
		}
		b.Op(poly.Yield)
	})
	attr := b.Ctx().With(n.Attrs(), "schedule", poly.TreeAttr(b.Ctx(), x.tree))
	if n.Attr("schedule") == 0 {
		attr = b.Ctx().With(attr, "equations", b.Ctx().UnitAttr())
	}
	attr = b.Ctx().WithDiscardable(attr, DependencesAttr, 0) // they were those of the equations
	return b.Must(ir.Call{Def: poly.SystemOp, Args: m.All(n.Args()), Attr: attr, Regions: []ir.Region{region}, Loc: at})
}
