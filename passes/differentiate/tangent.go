package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/lists"
)

// forward builds a function that gives tangents: each op is made again, and beside it one that says how its result
// changes. Memory has a shadow that holds the tangents of its elements, and what ops with regions hand on is twice as much.
// Of several directions each has tangents and shadows of its own; the partial derivatives are one value for all of them, since equal nodes are.
type forward struct {
	*checked
	b          *ir.Builder
	directions []direction
	*direction              // at which one works
	unneeded   map[ref]bool // memory whose own elements nobody asks for
}

// A direction is one in which the arguments change.
type direction struct {
	tangents map[ref]ir.Value      // of active values, by old value
	shadows  map[ir.Value]ir.Value // of memory, by old value
}

// newForward makes one for some directions.
func newForward(a *activity, b *ir.Builder, directions int) *forward {
	f := &forward{checked: newChecked(a), b: b}
	for range directions {
		f.directions = append(f.directions, direction{map[ref]ir.Value{}, map[ir.Value]ir.Value{}})
	}
	f.direction = &f.directions[0]
	return f
}

// each does something in each direction.
func (f *forward) each(do func()) {
	for i := range f.directions {
		f.direction = &f.directions[i]
		do()
	}
}

// A direction more costs its tangents alone: slopes are made once, as the same ops on the same operands are one. So a Jacobian in p
// directions takes less than p runs.

// callsItself is an error about a call of a function that calls itself, which has one direction: what it writes to would be written
// to once for each.
func (f *forward) callsItself() error {
	for v := range f.s.All() {
		if n := f.g.NodeOf(v); f.callee(n) != nil {
			return n.Errorf("calls a function that calls itself, which goes in one direction and keeps its results: leave directions= and results= out")
		}
	}
	return nil
}

// run builds the function's own region, and returns what it gives.
func (f *forward) run(args []ir.Value) []ir.Value {
	rules := ir.Rules{}
	for v := range f.s.All() {
		if !f.g.Def(v).Has(ir.Terminator) {
			rules[f.g.Def(v)] = f.op
		}
	}
	return ir.Insert(f.b, f.s, ir.Root, nil, rules, args...)
}

// op makes an op again, and its tangent.
func (f *forward) op(m *ir.Mirror, n ir.Node) ir.Value {
	if n.NumRegions() > 0 && !f.isMapped(n) {
		return f.nested(m, n)
	}
	if f.callee(n) != nil {
		return f.called(m, n)
	}
	w := ir.Value(0)
	if f.isUnneeded(n) {
		w = m.Of(n.Arg(0)) // nobody uses it
	} else {
		w = m.Copy(n)
	}
	f.each(func() { f.beside(m, n, w) })
	return w
}

// isUnneeded reports a write to memory whose own elements nobody asks for.
func (f *forward) isUnneeded(n ir.Node) bool {
	l, ok := ir.As[ir.AccessLike](n)
	return ok && len(f.unneeded) > 0 && f.g.Results(n.Old()) == 0 && !slices.ContainsFunc(l.Accesses, func(x ir.Access) bool {
		return x.Writes && !f.unneeded[f.rootOf(x.Memory)]
	})
}

// unread are the arguments of a function that it writes and does not read, and that are no other ones.
func (s *signature) unread(a *activity) map[ref]bool {
	out := map[ref]bool{}
	for _, p := range s.pick(s.shadows) {
		out[ref{op: p}] = !slices.Contains(s.mixed, p)
	}
	for n := range s.g.All() {
		if access, ok := ir.As[ir.AccessLike](n); ok {
			for _, x := range access.Accesses {
				if x.Reads {
					delete(out, a.rootOf(x.Memory))
				}
			}
		}
	}
	return out
}

// beside makes the tangent of an op without regions.
func (f *forward) beside(m *ir.Mirror, n ir.Node, w ir.Value) {
	if rule := f.rowOf(n); f.isMapped(n) {
		if f.ruleOf(n) != nil {
			f.tangents[ref{op: n.Old()}] = f.mapped(m, n, rule, w)
		}
	} else if l, ok := ir.As[ir.AccessLike](n); ok {
		f.access(m, n, l)
	} else if view, ok := ir.As[ir.ViewLike](n); ok {
		if f.activeMemory(n.Old()) {
			f.shadows[n.Old()] = f.again(m, n, func(x ir.Value) ir.Value {
				if x == view.Source {
					return f.shadows[x]
				}
				return 0
			})
		}
	} else if a, ok := ir.As[ir.Allocation](n); ok {
		if f.hasShadow(n, a) {
			sizes := lists.Map(a.Sizes, func(x ir.Value) ir.Value { return m.Of(f.g.NodeOf(x)) })
			f.shadows[n.Old()] = memref.BuildOwned(f.b, n.Type(), 0, sizes...)
		}
	} else if rule := f.ruleOf(n); rule != nil {
		f.tangents[ref{op: n.Old()}] = f.ruled(rule, derive.NewOp(f.b, n.Attrs(), n.Type(), given{f, m, n, w}), n)
	}
}

// given gives a rule what it asks for: all is there.
type given struct {
	f *forward
	m *ir.Mirror
	n ir.Node
	w ir.Value
}

func (g given) Operand(i int) ir.Value    { return g.m.Of(g.n.Arg(i)) }
func (g given) OperandType(i int) ir.Type { return g.n.Arg(i).Type() }
func (g given) Result() ir.Value          { return g.w }
func (g given) Active(i int) bool         { return g.f.active(g.n.Arg(i).Old()) }
func (g given) Guarded() bool             { return false }

// ruled is the tangent of a result: the sum of the partial derivatives times the tangents.
func (f *forward) ruled(rule *derive.Rule, o *derive.Op, n ir.Node) ir.Value {
	d := make([]ir.Value, n.NumArgs())
	for i := range d {
		if x := n.Arg(i).Old(); f.active(x) {
			d[i] = f.of(x)
		}
	}
	if rule.Tangent != nil {
		return rule.Tangent(o, d)
	}
	var sum ir.Value
	for i, partial := range rule.Partials {
		if partial == nil || d[i] == 0 {
			continue
		}
		if term := arith.Float(f.b, arith.Mulf, real, partial(o), d[i]); sum == 0 {
			sum = term
		} else {
			sum = arith.Float(f.b, arith.Addf, real, sum, term)
		}
	}
	if sum == 0 {
		return arith.Zero(f.b, n.Type())
	}
	return sum
}

// of is the tangent of a value.
func (f *forward) of(v ir.Value) ir.Value {
	if t := f.tangents[refOf(f.g, v)]; t != 0 && f.active(v) {
		return t
	}
	return arith.Zero(f.b, f.g.Type(v))
}

// again makes an op once more, with other operands where instead has some.
func (f *forward) again(m *ir.Mirror, n ir.Node, instead func(x ir.Value) ir.Value) ir.Value {
	args := lists.Map(n.Args(), func(x ir.Node) ir.Value {
		if y := instead(x.Old()); y != 0 {
			return y
		}
		return m.Of(x)
	})
	return f.b.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: n.Type(), Loc: f.b.Loc})
}

// access does the same with tangents in shadows: reads, writes and copies are linear.
func (f *forward) access(m *ir.Mirror, n ir.Node, l ir.AccessLike) {
	isActive := func(x ir.Access) bool { return f.activeMemory(x.Memory) }
	if !f.knows(n, l) {
		return
	}
	if !slices.ContainsFunc(l.Accesses, isActive) {
		f.passes(n)
		return
	}
	// A copy of what has no tangents overwrites those that were there.
	switch x := l.Accesses[0]; {
	case len(l.Accesses) == 1 && x.Reads && x.Writes:
		f.fail(n.Old(), "%s", notElement(l))
		return
	case len(l.Accesses) == 2 && !isActive(x):
		writeZeros(f.b, f.shadows[l.Accesses[1].Memory])
		return
	case len(l.Accesses) == 2 && !isActive(l.Accesses[1]):
		return
	}
	w := f.again(m, n, func(x ir.Value) ir.Value {
		if isFloat(f.g.Ctx, f.g.Type(x)) {
			return f.of(x)
		}
		return f.shadows[x]
	})
	if n.Graph().Results(n.Old()) == 1 {
		f.tangents[ref{op: n.Old()}] = w
	}
}

// carry says which values that an op with regions hands on have tangents, by their numbers: the tangents come after all others,
// in this order.
type carry struct {
	args, results  []int
	params, yields [][]int // of each region
}

// carries finds them. In a loop what it begins with, what a round gets, what it leaves and what is there at the end have
// tangents together; so has in a branch what each region gives. The error is about an op of which it is not known how it hands on.
func (f *forward) carries(n ir.Node) (c carry) {
	v, l, isLoop := n.Old(), ir.LoopLike{}, false
	if l, isLoop = ir.As[ir.LoopLike](n); !isLoop {
		c.results = f.which(f.results(v))
		for range n.NumRegions() {
			c.params, c.yields = append(c.params, nil), append(c.yields, c.results)
		}
		return c
	}
	body, results := n.Region(0), f.results(v)
	switch handsOn := len(body.Yields()); {
	case n.NumRegions() == 2: // the first one tests, and hands on to the second one and to the results
		slots := f.which(refs(body.Params()))
		passed := f.which(results, refs(n.Region(1).Params()))
		c.args, c.results = slots, passed
		c.params = [][]int{slots, passed}
		c.yields = [][]int{lists.Map(passed, func(k int) int { return k + 1 }), slots}
	case len(l.Carried) == len(results) && handsOn == len(results):
		first := len(body.Params()) - len(l.Carried)
		c.results = f.which(results, lists.Map(l.Carried, func(x ir.Value) ref { return ref{op: x} }))
		shift := func(by int) []int { return lists.Map(c.results, func(k int) int { return k + by }) }
		c.args, c.params, c.yields = shift(n.NumArgs()-len(l.Inits)), [][]int{shift(first)}, [][]int{c.results}
	case len(f.which(results)) > 0:
		f.fail(v, "has no derivative: it is not known how it hands on what it gives; lower it to loops over an interval first")
	default:
		c.params, c.yields = [][]int{nil}, [][]int{nil}
	}
	return c
}

// refs are the parameters of a region.
func refs(of []ir.Node) []ref { return lists.Map(of, func(n ir.Node) ref { return ref{op: n.Old()} }) }

// which are the numbers at which one of the lists has an active value.
func (f *forward) which(lists ...[]ref) (out []int) {
	for k := range lists[0] {
		if slices.ContainsFunc(lists, func(l []ref) bool {
			return f.varied[l[k]] && f.useful[l[k]] && isFloat(f.g.Ctx, l[k].typeOf(f.g))
		}) {
			out = append(out, k)
		}
	}
	return out
}

// nested makes an op with regions again, that hands on tangents too.
func (f *forward) nested(m *ir.Mirror, n ir.Node) ir.Value {
	c, rs := f.carries(n), n.Graph().Results(n.Old())
	if len(c.args) == 0 && len(c.results) == 0 && !slices.ContainsFunc(c.params, func(of []int) bool { return len(of) > 0 }) {
		return m.Copy(n)
	}
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs(), Loc: f.b.Loc}
	f.each(func() {
		for _, k := range c.args {
			call.Args = append(call.Args, f.of(n.Arg(k).Old()))
		}
	})
	// Some ops count their operands by what they are for; what is carried comes last.
	if sizes := f.g.Ctx.Ints(n.Attr("operandSegmentSizes")); len(sizes) > 0 {
		sizes = slices.Clone(sizes)
		sizes[len(sizes)-1] += int64(len(c.args) * len(f.directions))
		call.Attr = f.g.Ctx.With(call.Attr, "operandSegmentSizes", f.g.Ctx.DenseArray(ir.I32, sizes...))
	}
	for i := range n.NumRegions() {
		call.Regions = append(call.Regions, f.region(m, n, i, c, call))
	}
	w := f.b.Results(f.b.Must(call))
	more := w[rs:]
	f.each(func() {
		for _, k := range c.results {
			f.tangents[ref{n.Old(), k}], more = more[0], more[1:]
		}
	})
	// Whoever knows the old op asks for its results alone.
	return f.b.Pack(w[:rs]...)
}

// region makes a region again, with parameters and operands of its terminator for tangents.
func (f *forward) region(m *ir.Mirror, n ir.Node, i int, c carry, call ir.Call) ir.Region {
	old := n.Region(i)
	params := old.Params()
	types := slices.Repeat(lists.Map(c.params[i], func(k int) ir.Type { return params[k].Type() }), len(f.directions))
	return m.RegionWith(old, old.Kind(), types, func(now []ir.Value) {
		f.b.Enter(call.Def, call.Attr, call.Args, i, now)
		more := now[len(params):]
		f.each(func() {
			for _, k := range c.params[i] {
				f.tangents[ref{op: params[k].Old()}], more = more[0], more[1:]
			}
		})
		ys := m.Body(old, now[:len(params)]...)
		f.each(func() {
			for _, k := range c.yields[i] {
				ys = append(ys, f.of(old.Yields()[k].Old()))
			}
		})
		term, _ := old.Term()
		f.b.Must(ir.Call{Def: term.Def(), Args: ys, Attr: term.Attrs(), Loc: f.b.Loc})
	})
}

// startArgs makes shadows of memory that is an argument, has tangents, and has none that is given.
func (f *forward) startArgs(args []ir.Value) {
	for i, p := range f.g.Params(ir.Root) {
		if f.activeMemory(p) && f.shadows[p] == 0 {
			f.shadows[p] = zeros(f.b, f.g.Type(p), memref.OpenDims(f.b, args[i]))
		}
	}
}
