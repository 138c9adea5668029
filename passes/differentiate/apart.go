package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/lists"
)

// apart is the way back through a loop that is that of a function of its own: through a while loop, which the function counts
// first and then runs as often, and through one of which it is not known before the loops around it how often it runs.
// It is made where the way back has come to the loop, so only what the loop begins with is kept until then. A loop that
// writes cannot be run again.
type apart struct {
	*plan
	free []ir.Value // of the outer graph: what the loop begins with and uses; the arguments of the function
	arms *arms      // where all that it gives is asked for
}

// apart plans one.
func (p *plan) apart(n ir.Node) {
	v := n.Old()
	if !p.isStable(v) {
		p.fail(v, "has no derivative: the way back runs this loop again, since it is not known before how often it runs, and it writes memory, or reads what is written later; let it carry numbers, or make it a loop over an interval")
		return
	}
	w := &apart{free: p.free(v)}
	g := p.alone(n, w.free)
	var from []ir.Value
	for i, x := range w.free {
		if p.active(x) || p.activeMemory(x) {
			from = append(from, g.Params(ir.Root)[i])
		}
		if p.active(x) {
			p.captured[v] = append(p.captured[v], refOf(p.g, x))
		}
		p.wantValue(x)
	}
	sub, err := newPlan(newActivity(g, ir.NewSchedule(g, ir.ScheduleOptions{}), from, nil, nil))
	if err != nil && p.err == nil {
		p.err = err
	}
	w.plan, p.aparts[v] = sub, w
	if p.err == nil {
		w.arms = newArms(sub, true)
	}
}

// isStable reports an op that writes no memory but what it allocates, and reads none that is written from there on.
func (p *plan) isStable(v ir.Value) bool {
	var stable func(w ir.Value) bool
	stable = func(w ir.Value) bool {
		if rs := p.g.Regions(w); len(rs) > 0 {
			return !slices.ContainsFunc(rs, func(r ir.Region) bool {
				return slices.ContainsFunc(p.s.Body(r), func(x ir.Value) bool { return !stable(x) })
			})
		}
		access, ok := ir.As[ir.AccessLike](p.g.NodeOf(w))
		if !ok {
			_, allocates := ir.As[ir.Allocation](p.g.NodeOf(w))
			return allocates || derive.WhyNot(p.g.Ctx, p.g.Def(w)) != derive.Effect && !p.actsUnknown(p.g.NodeOf(w))
		}
		return !slices.ContainsFunc(access.Accesses, func(x ir.Access) bool {
			root := p.rootOf(x.Memory)
			return !p.isInside(p.regionOfRef(root), v) && (x.Writes || p.isWrittenFrom(root, p.home[v]))
		})
	}
	return stable(v)
}

// free lists what an op takes from outside of its regions, its operands first.
func (p *plan) free(v ir.Value) []ir.Value {
	var out []ir.Value
	use := func(x ir.Value) {
		if !slices.Contains(out, x) && !p.isInside(p.regionOfRef(refOf(p.g, x)), v) {
			out = append(out, x)
		}
	}
	var within func(w ir.Value)
	within = func(w ir.Value) {
		for _, x := range p.g.Args(w) {
			use(x)
		}
		for _, r := range p.g.Regions(w) {
			for _, x := range p.s.Body(r) {
				within(x)
			}
		}
	}
	within(v)
	return out
}

// alone is a function of what a loop uses that gives what it gives.
func (p *plan) alone(n ir.Node, free []ir.Value) *ir.Graph {
	b := ir.NewBuilder(p.g.Ctx)
	outer := map[ir.Value]ir.Value{}
	for _, x := range free {
		outer[x] = b.Param(p.g.Type(x))
	}
	args := lists.Map(n.Args(), func(x ir.Node) ir.Value { return outer[x.Old()] })
	body := func(i int, x []ir.Value) []ir.Value { return ir.Insert(b, p.s, n.Region(i).Old(), outer, nil, x...) }
	if n.Def() == scf.While {
		b.Op(funcs.Return, countedWhile(b, args, body)...)
		return b.Finish()
	}
	call := ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: n.Type(), Loc: b.Loc}
	for i := range n.NumRegions() {
		old := n.Region(i)
		call.Regions = append(call.Regions, b.Region(old.Kind(), old.ParamTypes(), func(x []ir.Value) {
			term, _ := old.Term()
			b.Must(ir.Call{Def: term.Def(), Args: body(i, x), Attr: term.Attrs(), Loc: b.Loc})
		}))
	}
	b.Op(funcs.Return, b.Results(b.Must(call))[:n.Graph().Results(n.Old())]...)
	return b.Finish()
}

// countedWhile is a loop that counts the rounds of a while loop, one over as many rounds, and the last test.
func countedWhile(b *ir.Builder, inits []ir.Value, body func(i int, x []ir.Value) []ir.Value) []ir.Value {
	all := b.Results(scf.BuildWhile(b, append(inits[:len(inits):len(inits)], b.Index(0)), func(x []ir.Value) (ir.Value, []ir.Value) {
		k := len(x) - 1
		y := body(0, x[:k])
		return y[0], append(y[1:], x[k])
	}, func(x []ir.Value) []ir.Value {
		k := len(x) - 1
		return append(body(1, x[:k]), arith.AddI(b, x[k], b.Index(1)))
	}))
	// What the first loop carries but the count is for nobody, and folds leave it out.
	last := b.Results(scf.BuildFor(b, b.Index(0), all[len(all)-1], b.Index(1), inits, func(_ ir.Value, x []ir.Value) []ir.Value {
		return body(1, body(0, x)[1:])
	}))
	return body(0, last)[1:]
}

// apart goes back through a loop by the function of its own.
func (f *frame) apart(n ir.Node, w *apart) {
	// Within an arm that is not taken the adjoints of the results are zero, and must give zeros.
	in := w.arms
	if slices.ContainsFunc(f.results(n.Old()), func(r ref) bool { return f.arms.in[r] != nil && f.arms.in[r] != f.arms.top }) {
		in = newArms(w.plan, false)
	}
	x, params := newBack(w.plan, f.b, in), w.g.Params(ir.Root)
	args := make([]ir.Value, len(w.free))
	for i, v := range w.free {
		if args[i] = f.value(v); f.activeMemory(v) {
			x.shadows[params[i]] = f.shadow(v)
		}
	}
	x.run(args)
	root := x.root()
	for k, y := range w.g.Yields(ir.Root) {
		r := ref{n.Old(), k}
		root.add(y, f.leaves(f.take(r), f.arms.clean(r), f.arms.top))
	}
	root.sweep()
	for i, v := range w.free {
		if f.active(v) {
			p := ref{op: params[i]}
			f.add(v, root.leaves(root.take(p), x.arms.clean(p), x.arms.top))
		}
	}
}
