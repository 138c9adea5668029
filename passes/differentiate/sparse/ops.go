package sparse

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A program is a function, ready to be gone through.
type program struct {
	g     *ir.Graph
	s     *ir.Schedule
	first []int32 // where the results of each node are among its values; 0 for none
	slots int32
	ops   []*op   // by node
	holds []value // at the beginning: constants
	runs  bool    // it is under way
}

// An op is what is asked of one each time.
type op struct {
	n    ir.Node
	args []ir.Value
	call *ir.Call
	run  func(f *frame, o *op) error

	loop       ir.LoopLike
	branch     ir.BranchLike
	access     ir.AccessLike
	view       ir.ViewLike
	allocation ir.Allocation
	callee     string
	slopes     []bool // the operands by which it has a derivative
	vals       []ir.Val
}

// program reads a function.
func (x *analysis) program(g *ir.Graph) *program {
	p := &program{g: g, s: ir.ScheduleOf(g), first: make([]int32, g.Len()), slots: 1, ops: make([]*op, g.Len())}
	calls := ir.CallsOf(g)
	p.region(ir.Root)
	for v := range p.s.All() {
		p.give(v, g.Results(v))
		for _, r := range g.Regions(v) {
			p.region(r)
		}
		p.ops[v] = x.op(g.NodeOf(v), calls.Of(v))
	}
	p.holds = make([]value, p.slots)
	for v := range p.s.All() {
		if c, ok := g.Const(v); ok && g.Def(v).Has(ir.ConstantLike) {
			p.holds[p.first[v]] = value{val: c, known: true}
		}
	}
	return p
}

// region gives the parameters of a region places.
func (p *program) region(r ir.Region) {
	for _, v := range p.g.Params(r) {
		p.give(v, 1)
	}
}

// give gives the results of a node places. A copy of it elsewhere has the same.
func (p *program) give(v ir.Value, n int) {
	if p.first[v] == 0 {
		p.first[v] = p.slots
		p.slots += int32(n)
	}
}

// op says how one is gone through, by what it is.
func (x *analysis) op(n ir.Node, call *ir.Call) *op {
	g, v := n.Graph(), n.Old()
	o := &op{n: n, args: g.Args(v), call: call}
	var isLoop, isBranch, isAccess, isView, isNew bool
	o.loop, isLoop = ir.As[ir.LoopLike](n)
	o.branch, isBranch = ir.As[ir.BranchLike](n)
	o.access, isAccess = ir.As[ir.AccessLike](n)
	o.view, isView = ir.As[ir.ViewLike](n)
	o.allocation, isNew = ir.As[ir.Allocation](n)
	o.callee = symbols.Callee(n)
	def := n.Def()
	// What has no run is nothing to the pattern: ends of regions, constants, and what acts on the world outside alone.
	switch {
	case def.Has(ir.Terminator), def.Has(ir.ConstantLike) && isConst(n):
	case isLoop && len(o.loop.Indices) > 0:
		o.run = (*frame).counted
	case isLoop:
		o.run = (*frame).while
	case isBranch:
		o.run = (*frame).choose
	case n.NumRegions() == 1 && n.Region(0).Kind() == ir.Once && !isAccess:
		o.run = (*frame).once
	case n.NumRegions() > 0:
		o.run = (*frame).refuse
	case o.callee != "":
		o.run = (*frame).calls
	case isNew:
		o.run = (*frame).allocate
	case isView:
		o.run = (*frame).view
	case isAccess && len(o.access.Accesses) > 0:
		o.run = (*frame).access
	case def == arith.Select:
		o.run = (*frame).pick
	case def.Eval != nil:
		o.run, o.slopes = (*frame).pure, slopes(n)
	case isAccess && g.Results(v) == 0 || derive.WhyNot(x.c, def) == derive.Effect:
	case !g.HasEffect(v), g.Results(v) == 1 && len(o.args) == 0: // its shape, or memory that a name stands for
		o.run, o.slopes = (*frame).other, slopes(n)
	default:
		o.run = (*frame).refuse
	}
	return o
}

// isConst reports a constant with a value.
func isConst(n ir.Node) bool {
	_, ok := n.Const()
	return ok
}

// slopes are the operands by which an op has a derivative that may be other than 0.
func slopes(n ir.Node) []bool {
	c, out := n.Graph().Ctx, make([]bool, n.NumArgs())
	rule, why := derive.Of(c, n.Def()), derive.WhyNot(c, n.Def())
	for i := range out {
		out[i] = isFloat(c, n.Arg(i).Type()) && why != derive.Steps &&
			(rule == nil || rule.Tangent != nil || i < len(rule.Partials) && rule.Partials[i] != nil)
	}
	return out
}

// unknown is the error of an op of which too little is known.
func (o *op) unknown(what string) error {
	return o.n.Errorf("%s, so that it is not known which derivatives are 0: lower it to loads and stores of arguments and allocations, or ask for all derivatives", what)
}

// A frame is one run of a function.
type frame struct {
	*analysis
	*program
	values []value
}

// call goes through a function, and returns its results.
func (x *analysis) call(p *program, args []value) ([]value, error) {
	f := &frame{analysis: x, program: p, values: slices.Clone(p.holds)}
	x.depth++
	p.runs = true
	defer func() { x.depth, p.runs = x.depth-1, false }()
	return f.through(ir.Root, args)
}

// calls is a call of a function.
func (f *frame) calls(o *op) error {
	p := f.functions[o.callee]
	if p == nil || p.runs {
		return o.unknown("calls @" + o.callee + ", which has no body here, or calls itself")
	}
	results, err := f.call(p, f.all(o.args))
	f.setAll(o, results)
	return err
}

// get is what is known of a value.
func (f *frame) get(v ir.Value) value {
	n, i, _ := f.g.Projection(v)
	return f.values[f.first[n]+int32(i)]
}

// set says what is known of a result.
func (f *frame) set(v ir.Value, i int, x value) { f.values[f.first[v]+int32(i)] = x }

// all are values.
func (f *frame) all(vs []ir.Value) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		out[i] = f.get(v)
	}
	return out
}

// setAll says what is known of all results.
func (f *frame) setAll(o *op, results []value) {
	for i, r := range results {
		f.set(o.n.Old(), i, r)
	}
}

// through goes through a region, and returns what it yields.
func (f *frame) through(r ir.Region, args []value) ([]value, error) {
	for i, p := range f.g.Params(r) {
		f.set(p, 0, args[i])
	}
	body := f.s.Body(r)
	if err := f.m.Spend(int64(len(body))); err != nil {
		return nil, err
	}
	for _, v := range body {
		if o := f.ops[v]; o.run != nil {
			if err := o.run(f, o); err != nil {
				return nil, err
			}
		}
	}
	return f.all(f.g.Yields(r)), nil
}

// refuse is an op of which nothing is known.
func (f *frame) refuse(o *op) error { return o.unknown("does more than is known") }

// operands are the values of an op's operands, if all are known and none is poison.
func (f *frame) operands(o *op) ([]ir.Val, bool) {
	o.vals = o.vals[:0]
	for _, v := range o.args {
		x := f.get(v)
		if !x.known || x.val.IsPoison() {
			return nil, false
		}
		o.vals = append(o.vals, x.val)
	}
	return o.vals, true
}

// pure computes what looks at no float that is not known, and of others what they depend on.
func (f *frame) pure(o *op) error {
	out := value{}
	if vals, ok := f.operands(o); ok {
		if y, err := o.n.Def().Eval(o.call, vals); err == nil && !y.IsPoison() {
			out.val, out.known = y, true
		}
	}
	for i, slope := range o.slopes {
		if slope {
			out.on = union(out.on, f.get(o.args[i]).on)
		}
	}
	n := f.g.Results(o.n.Old())
	parts, _ := out.val.Ref.(ir.Vector)
	for k := range n {
		one := out
		if n > 1 {
			one.val, one.known = ir.Val{}, false
			if k < len(parts) {
				one.val, one.known = parts[k], !parts[k].IsPoison()
			}
		}
		f.set(o.n.Old(), k, one)
	}
	return nil
}

// pick is a select: of one arm, if it is known of which.
func (f *frame) pick(o *op) error {
	on, a, b := f.get(o.args[0]), f.get(o.args[1]), f.get(o.args[2])
	out := f.join(a, b)
	if on.known && on.val.Ref == nil {
		out = b
		if on.val.Bool() {
			out = a
		}
	}
	f.set(o.n.Old(), 0, out)
	return nil
}

// other is an op that only runs: if all that it is given is known.
func (f *frame) other(o *op) error {
	if _, ok := f.operands(o); !ok {
		var on *set
		for i, slope := range o.slopes {
			if slope {
				on = union(on, f.get(o.args[i]).on)
			}
		}
		for k := range f.g.Results(o.n.Old()) {
			f.set(o.n.Old(), k, value{on: on})
		}
		return nil
	}
	out, err := f.runs(o)
	for k := range out {
		f.set(o.n.Old(), k, value{val: out[k], known: true})
	}
	return err
}

// runs runs an op of which all operands are known.
func (f *frame) runs(o *op) ([]ir.Val, error) {
	def := o.n.Def()
	run := ir.Table[interp.Table](f.c.DialectOf(def))[def]
	vals := make([]ir.Val, len(o.args))
	for i, v := range o.args {
		vals[i] = f.get(v).val
	}
	out := make([]ir.Val, f.g.Results(o.n.Old()))
	if run == nil {
		return nil, o.unknown("does more than is known")
	}
	return out, run(f.m, &interp.Op{G: f.g, V: o.n.Old(), Def: def, Call: o.call}, vals, out)
}
