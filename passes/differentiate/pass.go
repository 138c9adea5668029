package differentiate

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Differentiate adds functions that give derivatives of one.
type Differentiate struct {
	Of         string `opt:"of" doc:"name of the function; the only one of the module if empty"`
	WRT        []int  `opt:"wrt" doc:"arguments that it is derived by, from 0; if empty all floats and memory of floats that are not the same in every call (func.static)"`
	Mode       string `opt:"mode" one:"reverse forward" doc:"forward: derivatives of all results in one direction; reverse: of a weighted sum of the results by all arguments"`
	Directions int    `opt:"directions" doc:"in forward mode, how many directions one run takes: each has tangents of its own, and what does not depend on them is computed once for all"`
	Results    bool   `opt:"results" doc:"in forward mode, false for tangents alone: what @f gives is left out, and so is what it writes to arguments that it does not read"`
	Checkpoint int    `opt:"checkpoint" doc:"in reverse, in how many rounds of a loop its state is kept, where it would be recorded in each: memory grows by so many states, and time with the logarithm of the number of rounds; 0 records each"`
	Constant   []int  `opt:"constant" doc:"arguments whose derivatives nobody asks for: of memory that results are written to, these results are none"`
}

// Info is the row of differentiate.
var Info = &pass.Info{
	Name: "differentiate",
	Doc: "Adds to a function @f a function @f_grad that gives its derivatives, in reverse mode, or @f_jvp in forward mode. " +
		"In reverse: " +
		"its arguments are those of @f, then for each float result its adjoint, which is 1 for the derivatives of that result. Then for each memory of floats that @f is derived by, or writes, comes its shadow, which is memory of the same shape. " +
		"It gives the results of @f, then the adjoint of each float argument asked for. To the shadow of memory that is read it adds the adjoints of the elements; a shadow of memory that is written holds the adjoints of what is there at the end, and leaves those of what was there at the beginning. " +
		"Shadows may be the same memory where the arguments are, and only there. " +
		"Forward: after the arguments of @f come the tangents of floats and shadows of memory that it is derived by, or writes, in the order of the arguments. It gives the results of @f and the tangents of those that are floats. With directions=N tangents and shadows come N times, one direction after the other; with results=false the function gives tangents alone. A shadow holds the tangents of what the memory holds at the beginning, and after the call those at the end. " +
		"Functions that call themselves stay, and get private functions beside them.",
	Why: "On any level, first or after other passes: what they have simplified has simpler derivatives. Before parallelize and vectorize, which find out what of the way back is parallel.",
	Example: `func.func @f(%x: f64, %y: f64) -> f64 {
  %a = math.sin %x : f64
  %b = arith.mulf %a, %y : f64
  return %b : f64
}
`,
	Pipeline: "differentiate{of=f wrt=0,1}",
	Scope:    pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "functions", Doc: "functions that got derivatives"},
		{Name: "recorded", Doc: "values that are recorded in each round of a loop"},
		{Name: "repeated", Doc: "values that are computed or read again"},
		{Name: "gathered", Doc: "reads whose adjoints loops of their own add up"},
	},
	New: func() pass.Pass { return &Differentiate{Mode: reverse, Directions: 1, Results: true} },
}

// The attributes of the arguments that are new: the number of the result whose adjoint one is, and of the argument whose
// shadow or tangent one is.
const (
	Seed    = "differentiate.seed"
	Shadow  = "differentiate.shadow"
	Tangent = "differentiate.tangent"
)

// The modes.
const (
	reverse = "reverse"
	onward  = "forward"
)

// mostDirections are as many as leave a function whose code is no longer than that of a model.
const mostDirections = 64

// Suffix makes the name of the function that gives derivatives in reverse mode, and Onward that of forward mode.
const (
	Suffix = "_grad"
	Onward = "_jvp"
)

// Run adds the functions.
func (d *Differentiate) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	f, err := d.find(g)
	switch {
	case err != nil:
		return nil, err
	case d.Checkpoint < 0 || d.Checkpoint > mostCheckpoints:
		return nil, fmt.Errorf("checkpoint=%d: there are 1 to %d, or 0 for none", d.Checkpoint, mostCheckpoints)
	case d.Checkpoint > 0 && d.Mode == onward:
		return nil, fmt.Errorf("forward mode records nothing: leave checkpoint= out")
	case d.Directions < 1 || d.Directions > mostDirections:
		return nil, fmt.Errorf("directions=%d: a run takes 1 to %d", d.Directions, mostDirections)
	case (d.Directions > 1 || !d.Results) && d.Mode != onward:
		return nil, fmt.Errorf("directions= and results= are about forward mode: leave them out, or ask for mode=forward")
	}
	derived := d.gradient
	if d.Mode == onward {
		derived = d.tangent
	}
	calls, err := derived(ctx, g, f)
	if err != nil {
		return nil, err
	}
	ctx.Count("functions", 1)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{funcs.Func: func(m *ir.Mirror, n ir.Node) ir.Value {
		if n != f {
			return 0
		}
		w := m.Copy(n)
		for _, call := range calls {
			m.B.Must(call)
		}
		return w
	}}, nil), nil
}

// suffix ends the name of the new function.
func (d *Differentiate) suffix() string {
	if d.Mode == onward {
		return Onward
	}
	return Suffix
}

// signature says what the arguments of a function are to its derivatives.
type signature struct {
	g         *ir.Graph
	recursion *recursion
	by        []bool     // derived by
	shadows   []int      // arguments with a shadow
	seeds     []int      // results that are floats, or memory of them
	mixed     []ir.Value // memory that may be the same
}

// signature reads the options and the attributes of the function. The error is about an argument that is none, or no float.
func (d *Differentiate) signature(f ir.Node, g *ir.Graph, r *recursion) (*signature, error) {
	params := g.Params(ir.Root)
	s := &signature{g: g, recursion: r, by: make([]bool, len(params))}
	static, attrs := funcs.StaticArgs(g.Ctx, f.Attrs()), g.Ctx.AttrInfo(argAttrs(g.Ctx, f, len(params))).List
	if err := d.refused(f, g); err != nil {
		return nil, err
	}
	for _, v := range slices.Concat(params, g.Yields(ir.Root)) {
		if t := g.Type(v); g.Ctx.Info(t).Kind == ir.KindTensor && isFloat(g.Ctx, t) && !isSized(g.Ctx, t) {
			return nil, f.Errorf("takes or gives a tensor whose extents are not all known: lower it to loops first (lower{to=affine},lower-affine,lower{to=scf})")
		}
	}
	written := writtenArgs(g, s.recursion)
	for i, p := range params {
		t := g.Type(p)
		isStatic := i < len(static) && static[i]
		s.by[i] = slices.Contains(d.WRT, i) || len(d.WRT) == 0 && !isStatic && !slices.Contains(d.Constant, i) && (isFloat(g.Ctx, t) || isFloats(g.Ctx, t))
		if isFloats(g.Ctx, t) && (s.by[i] || written[p] && !slices.Contains(d.Constant, i)) {
			s.shadows = append(s.shadows, i)
		}
		if isFloats(g.Ctx, t) && g.Ctx.Get(attrs[i], funcs.NoAlias) == 0 {
			s.mixed = append(s.mixed, p)
		}
	}
	for i, y := range g.Yields(ir.Root) {
		if isFloats(g.Ctx, g.Type(y)) && (d.Mode == onward || !isOwn(g, y)) {
			return nil, f.Errorf("gives memory, which has no adjoint: let it write to an argument, or give a number that is made of it")
		}
		if isFloat(g.Ctx, g.Type(y)) || isFloats(g.Ctx, g.Type(y)) {
			s.seeds = append(s.seeds, i)
		}
	}
	return s, nil
}

// isOwn reports memory that the function allocates once.
func isOwn(g *ir.Graph, v ir.Value) bool {
	root := (&activity{g: g}).whole(v)
	a, ok := ir.As[ir.Allocation](g.NodeOf(root))
	return ok && a.From == 0
}

// writtenArgs are the arguments that are memory, and written.
func writtenArgs(g *ir.Graph, r *recursion) map[ir.Value]bool {
	a := &activity{g: g, recursion: r}
	out := map[ir.Value]bool{}
	for n := range g.All() {
		access, ok := a.accesses(n)
		if !ok {
			continue
		}
		for _, x := range access.Accesses {
			if x.Writes {
				out[a.rootOf(x.Memory).op] = true
			}
		}
	}
	return out
}

// pick lists parameters by their numbers.
func (s *signature) pick(which []int) []ir.Value {
	return lists.Map(which, func(i int) ir.Value { return s.g.Params(ir.Root)[i] })
}

// asked are the arguments that are floats and derived by.
func (s *signature) asked() (out []int) {
	for i, by := range s.by {
		if by && isFloat(s.g.Ctx, s.g.Type(s.g.Params(ir.Root)[i])) {
			out = append(out, i)
		}
	}
	return out
}

// activity of the function.
func (s *signature) activity(sched *ir.Schedule) *activity {
	var from []ir.Value
	for i, by := range s.by {
		if by {
			from = append(from, s.g.Params(ir.Root)[i])
		}
	}
	alias := map[ref]ref{}
	to := s.pick(s.shadows)
	for _, y := range s.g.Yields(ir.Root) {
		if isFloats(s.g.Ctx, s.g.Type(y)) {
			to = append(to, (&activity{g: s.g}).whole(y))
		}
	}
	for _, p := range s.mixed {
		alias[ref{op: p}] = ref{op: s.mixed[0]}
	}
	return newActivity(s.g, sched, ends{from, to, s.g.Yields(ir.Root), alias}, s.recursion)
}

// gradient is the function that gives derivatives in reverse mode.
func (d *Differentiate) gradient(ctx *pass.Context, module *ir.Graph, f ir.Node) ([]ir.Call, error) {
	r := newRecursion(module, symbols.Of(f)+Suffix, true)
	g := r.function(f)
	if e, err := d.equationsOf(f, g); err != nil {
		return nil, err
	} else if e != nil {
		call, err := e.adjointOf(f)
		return []ir.Call{call}, err
	}
	sig, err := d.signature(f, g, r)
	if err != nil {
		return nil, err
	}
	p, err := newPlan(sig.activity(ir.NewSchedule(g, ir.ScheduleOptions{})), d.Checkpoint)
	if err == nil {
		err = r.plan()
	}
	if err == nil {
		err = d.nothing(f, sig)
	}
	if err != nil {
		return nil, err
	}
	p.tell(ctx)
	r.tell(ctx)
	b, attr := sig.adjoint(f)
	args := b.Params(ir.Root)
	x := newBack(p, b, newArms(p, true, nil))
	for i, k := range sig.shadows {
		x.shadows[g.Params(ir.Root)[k]] = args[len(sig.by)+len(sig.seeds)+i]
	}
	asked := sig.pick(sig.asked())
	results, adjoints := x.withStacks(args[:len(sig.by)], lists.Map(asked, g.Type), func() []ir.Value {
		root := x.root()
		for i, k := range sig.seeds {
			root.seed(g.Yields(ir.Root)[k], args[len(sig.by)+i])
		}
		root.sweep()
		return lists.Map(asked, root.leave)
	})
	r.build()
	return r.reached(finished(b, attr, append(results, adjoints...))), nil
}

// tangent is the function that gives derivatives in forward mode.
func (d *Differentiate) tangent(_ *pass.Context, module *ir.Graph, f ir.Node) ([]ir.Call, error) {
	r := newRecursion(module, symbols.Of(f)+Onward, false)
	g := r.function(f)
	if e, err := d.equationsOf(f, g); err != nil {
		return nil, err
	} else if e != nil {
		if d.Directions > 1 || !d.Results {
			return nil, f.Errorf("is a system of equations, which goes in one direction and keeps its results: leave directions= and results= out")
		}
		call, err := e.tangentOf(f)
		return []ir.Call{call}, err
	}
	sig, err := d.signature(f, g, r)
	if err != nil {
		return nil, err
	}
	b, attr := sig.onward(f, d.Directions, d.Results)
	args, params := b.Params(ir.Root), g.Params(ir.Root)
	x := newForward(sig.activity(ir.NewSchedule(g, ir.ScheduleOptions{})), b, d.Directions)
	if d.Directions > 1 || !d.Results {
		if err := x.callsItself(); err != nil {
			return nil, err
		}
	}
	if !d.Results {
		x.unneeded = sig.unread(x.activity)
	}
	given := args[len(params):]
	x.each(func() {
		for _, k := range sig.moves() {
			if p := params[k]; isFloats(g.Ctx, g.Type(p)) {
				x.shadows[p], given = given[0], given[1:]
			} else {
				x.tangents[ref{op: p}], given = given[0], given[1:]
			}
		}
		x.startArgs(args)
	})
	results := x.run(args[:len(params)])
	if !d.Results {
		results = nil
	}
	x.each(func() {
		for _, k := range sig.seeds {
			results = append(results, x.of(g.Yields(ir.Root)[k]))
		}
	})
	err = x.err
	if err == nil {
		err = r.tangents()
	}
	if err == nil {
		err = d.nothing(f, sig)
	}
	if err != nil {
		return nil, err
	}
	return r.reached(finished(b, attr, results)), nil
}

// finished ends the new function.
func finished(b *ir.Builder, attr ir.Attr, results []ir.Value) ir.Call {
	b.Op(funcs.Return, results...)
	n, _, _ := fixpoint.Settle(context.Background(), b.Finish(), b.Ctx().Cleanups(), fixpoint.MostRebuilds)
	return ir.Call{Def: funcs.Func, Attr: attr, Graphs: []*ir.Graph{n}}
}

// tell says of each value that the way back needs of a loop or branch how it has it.
func (p *plan) tell(ctx *pass.Context) {
	if !ctx.Reports() {
		return
	}
	for _, v := range slices.Sorted(maps.Keys(p.aparts)) {
		w := p.aparts[v]
		if w.steps != nil {
			ctx.Remark("%s has %d checkpoints: its rounds run again between them", ctx.What(p.g, v), p.checkpoints)
		} else {
			ctx.Remark("%s runs again on the way back, with copies of %d memories", ctx.What(p.g, v), len(w.kept))
		}
		w.tell(ctx)
	}
	for _, v := range slices.Sorted(maps.Keys(p.waits)) {
		g := p.waits[v].of
		ctx.Count("gathered", 1)
		ctx.Remark("%s hands its adjoint on behind %s, where a loop gathers what all rounds have for an element", ctx.What(p.g, v), ctx.What(p.g, g.loops[0].n.Old()))
	}
	for _, r := range p.allRegions() {
		for _, x := range p.inOrder(r) {
			what := ctx.What(p.g, x.op)
			if _, k, ok := p.g.Param(x.op); ok {
				if what = fmt.Sprintf("argument %d", k); r != ir.Root {
					what += " of the body of " + ctx.What(p.g, p.g.Owner(r))
				}
			}
			switch p.hand[r][x] {
			case recorded:
				ctx.Count("recorded", 1)
				if p.isStacked {
					ctx.Remark("%s is recorded on a stack, each time that it is computed", what)
					continue
				}
				ctx.Remark("%s is recorded: an element for each round of the %d loops around it", what, len(p.loopsAround(r)))
			case again:
				ctx.Count("repeated", 1)
				ctx.Remark("%s is done again", what)
			case stored:
				ctx.Count("repeated", 1)
				if p.rereadOf(x).initial {
					ctx.Remark("%s is read from a copy of its memory before the loops", what)
				} else {
					ctx.Remark("%s is read from where it is stored", what)
				}
			}
		}
	}
}

// picked are the operands of selects that are derived.
func (p *plan) picked() (out []ir.Value) {
	for v := range p.s.All() {
		if p.g.Def(v) == arith.Select && p.active(v) {
			out = append(out, p.g.Args(v)[1:]...)
		}
	}
	return out
}

// moves are the arguments with tangents: those that it is derived by, and memory that it writes.
func (s *signature) moves() []int {
	return slices.Sorted(slices.Values(slices.Concat(s.asked(), s.shadows)))
}

// more are arguments of the new function, and results, behind those of the old one.
type more struct {
	in, out []ir.Type
	attrs   []ir.Attr
	alone   bool // these results alone
}

// add adds an argument that is about a result or an argument.
func (x *more) add(c *ir.Context, t ir.Type, name string, k int, attrs ...ir.NamedAttr) {
	about := append([]ir.NamedAttr{{Name: name, Value: c.IntAttr(int64(k), ir.I64)}}, attrs...)
	x.in, x.attrs = append(x.in, t), append(x.attrs, c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: about}))
}

// own says of the shadow of memory that nothing else is that nothing else is it.
func (s *signature) own(p ir.Value) []ir.NamedAttr {
	if !isFloats(s.g.Ctx, s.g.Type(p)) || slices.Contains(s.mixed, p) {
		return nil
	}
	return []ir.NamedAttr{{Name: funcs.NoAlias, Value: s.g.Ctx.UnitAttr()}}
}

// adjoint begins the function of reverse mode.
func (s *signature) adjoint(f ir.Node) (*ir.Builder, ir.Attr) {
	var x more
	params := s.g.Params(ir.Root)
	for _, k := range s.seeds {
		t := s.g.Type(s.g.Yields(ir.Root)[k])
		if info := s.g.Ctx.Info(t); info.Kind == ir.KindMemRef {
			t = s.g.Ctx.MemRef(info.Shape, info.Elem)
		}
		x.add(s.g.Ctx, t, Seed, k)
	}
	for _, k := range s.shadows {
		x.add(s.g.Ctx, s.g.Type(params[k]), Shadow, k, s.own(params[k])...)
	}
	x.out = lists.Map(s.pick(s.asked()), s.g.Type)
	return s.function(f, Suffix, x)
}

// onward begins the function of forward mode.
func (s *signature) onward(f ir.Node, directions int, results bool) (*ir.Builder, ir.Attr) {
	x := more{alone: !results}
	for range directions {
		for _, k := range s.moves() {
			p := s.g.Params(ir.Root)[k]
			x.add(s.g.Ctx, s.g.Type(p), Tangent, k, s.own(p)...)
		}
		for _, k := range s.seeds {
			x.out = append(x.out, s.g.Type(s.g.Yields(ir.Root)[k]))
		}
	}
	return s.function(f, Onward, x)
}

// function begins the new function.
func (s *signature) function(f ir.Node, suffix string, x more) (*ir.Builder, ir.Attr) {
	c := s.g.Ctx
	in := append(lists.Map(s.g.Params(ir.Root), s.g.Type), x.in...)
	out := x.out
	if !x.alone {
		out = append(lists.Map(s.g.Yields(ir.Root), s.g.Type), out...)
	}
	attrs := append(slices.Clone(c.AttrInfo(argAttrs(c, f, len(in)-len(x.in))).List), x.attrs...)
	attr := c.With(c.With(f.Attrs(), "sym_name", c.StringAttr(symbols.Of(f)+suffix)), "function_type", c.TypeAttr(c.Func(in, out)))
	attr = c.With(attr, "arg_attrs", c.ArrayAttr(attrs...))
	attr = c.With(attr, "res_attrs", 0)
	b := ir.NewBuilder(c)
	for _, t := range in {
		b.Param(t)
	}
	funcs.Prepare(b, attr)
	return b, attr
}

// argAttrs are the attributes of the arguments, empty where the function has none.
func argAttrs(c *ir.Context, f ir.Node, n int) ir.Attr {
	if a := f.Attr("arg_attrs"); a != 0 {
		return a
	}
	list := make([]ir.Attr, n)
	for i := range list {
		list[i] = c.Attr(ir.AttrInfo{Kind: ir.AttrDict})
	}
	return c.ArrayAttr(list...)
}
