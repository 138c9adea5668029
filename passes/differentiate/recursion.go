package differentiate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// recursion has the functions that call themselves, in one step or in several. Their calls stay calls, and each of these
// functions gets derivatives of its own: one set for each variant, which says what of a call is active.
type recursion struct {
	*prepare
	module *ir.Graph
	called map[string]*callee
	known  map[string]*variant // by what tells them apart
	all    []*variant          // in the order in which they were asked for
	names  symbols.Names
	prefix string // of the names of what is made
	stack  stack
}

// callee is a function that calls itself.
type callee struct {
	f      ir.Node
	g      *ir.Graph // prepared
	s      *ir.Schedule
	writes []bool // the arguments to whose memory it may write
	whyNot string // why it has no derivatives, or empty
}

// variant is a function that calls itself, with what is active of a call of it.
type variant struct {
	*callee
	args    []bool // arguments that are floats, or memory of floats, and active
	results []bool // results that are
	memory  []int  // the first argument that may be the same memory, -1 where an argument is no memory
	plan    *plan  // of reverse mode
	name    string // of the function that does what it does and records, or gives tangents
	back    string // of the way back
	made    map[string]ir.Call
}

// newRecursion finds the functions that call themselves, and prepares those that are called from f on.
func newRecursion(module *ir.Graph, prefix string, back bool) *recursion {
	r := &recursion{prepare: newPrepare(module, back), module: module, called: map[string]*callee{}, known: map[string]*variant{}, names: symbols.Defined(module), prefix: prefix}
	r.names[prefix] = true
	return r
}

// function is the body of a function as it is differentiated. Then the functions are known that it leads to.
func (r *recursion) function(f ir.Node) *ir.Graph {
	g := r.prepared(f)
	r.find(g)
	for changed := true; changed; {
		changed = false
		for _, name := range slices.Sorted(maps.Keys(r.called)) {
			c := r.called[name]
			written := writtenArgs(c.g, r)
			for i, p := range c.g.Params(ir.Root) {
				if written[p] && !c.writes[i] {
					c.writes[i], changed = true, true
				}
			}
		}
	}
	return g
}

// find prepares what a function leads to.
func (r *recursion) find(g *ir.Graph) {
	for n := range g.All() {
		name := symbols.Callee(n)
		if !r.isRecursive[name] || r.called[name] != nil {
			continue
		}
		f := r.functions[name]
		c := &callee{f: f, g: r.prepared(f)}
		c.s, c.writes = ir.NewSchedule(c.g, ir.ScheduleOptions{}), make([]bool, len(c.g.Params(ir.Root)))
		c.whyNot = c.refused()
		r.called[name] = c
		r.find(c.g)
	}
}

// refused says why a function that calls itself has no derivatives; it is empty where it may have some.
func (c *callee) refused() string {
	ctx := c.g.Ctx
	for i, p := range c.g.Params(ir.Root) {
		if isAbove(ctx, c.g.Type(p)) {
			return fmt.Sprintf("calls itself and takes argument %d, which is neither a float nor memory; lower it first, with lower{to=affine},lower-affine,lower{to=scf}", i)
		}
	}
	for i, y := range c.g.Yields(ir.Root) {
		switch t := c.g.Type(y); {
		case isAbove(ctx, t):
			return fmt.Sprintf("calls itself and gives result %d, which is neither a float nor memory; lower it first, with lower{to=affine},lower-affine,lower{to=scf}", i)
		case ctx.Info(t).Kind == ir.KindMemRef:
			return fmt.Sprintf("calls itself and gives memory, result %d; let it write to an argument", i)
		}
	}
	return ""
}

// callee is the function with derivatives that an op calls, if it calls itself; else nil.
func (a *activity) callee(n ir.Node) *callee {
	if a.recursion == nil {
		return nil
	}
	c := a.recursion.called[symbols.Callee(n)]
	if c == nil || c.whyNot != "" || n.NumArgs() != len(c.writes) {
		return nil
	}
	return c
}

// whyNoCallee says why a call has no derivative, and what helps.
func (a *activity) whyNoCallee(name string) string {
	if a.recursion != nil {
		if c := a.recursion.called[name]; c != nil {
			return c.whyNot
		}
		if _, ok := a.recursion.functions[name]; ok {
			return "names sizes in its types; bind them first"
		}
	}
	return "has no body here; give it a body"
}

// accesses are what an op does to memory, if it says so; a call may read all that it gets.
func (a *activity) accesses(n ir.Node) (ir.AccessLike, bool) {
	c := a.callee(n)
	if c == nil {
		return ir.As[ir.AccessLike](n)
	}
	var l ir.AccessLike
	for i, x := range a.g.Args(n.Old()) {
		if a.isMemory(x) {
			l.Accesses = append(l.Accesses, ir.Access{Memory: x, Reads: true, Writes: c.writes[i]})
		}
	}
	return l, true
}

// isMemory reports memory of whatever elements.
func (a *activity) isMemory(v ir.Value) bool { return a.g.Ctx.Info(a.g.Type(v)).Kind == ir.KindMemRef }

// called hands on through a call: each float, and all memory, may lead to each result and to all memory that is written.
func (a *activity) called(n ir.Node) {
	v, isVaried, isUseful := n.Old(), false, false
	l, _ := a.accesses(n)
	results := (&checked{activity: a}).results(v)
	for _, x := range a.g.Args(v) {
		isVaried = isVaried || a.varied[refOf(a.g, x)] && !a.isMemory(x)
	}
	for _, r := range results {
		isUseful = isUseful || a.useful[r]
	}
	for _, x := range l.Accesses {
		isVaried = isVaried || a.varied[a.rootOf(x.Memory)]
		isUseful = isUseful || x.Writes && a.useful[a.rootOf(x.Memory)]
	}
	for _, x := range l.Accesses {
		if isVaried && x.Writes {
			a.markMemory(a.varied, x.Memory)
		}
		if isUseful {
			a.markMemory(a.useful, x.Memory)
		}
	}
	for _, r := range results {
		if isVaried {
			a.markRef(a.varied, r)
		}
	}
	for _, x := range a.g.Args(v) {
		if isUseful {
			a.mark(a.useful, x)
		}
	}
}

// isActiveCall reports a call that gives, or writes, something active.
func (p *checked) isActiveCall(n ir.Node) bool {
	l, _ := p.accesses(n)
	return slices.ContainsFunc(p.results(n.Old()), p.isActiveRef) ||
		slices.ContainsFunc(l.Accesses, func(x ir.Access) bool { return x.Writes && p.activeMemory(x.Memory) })
}

// isActiveRef is active of a result or parameter.
func (a *activity) isActiveRef(r ref) bool {
	return a.varied[r] && a.useful[r] && isFloat(a.g.Ctx, r.typeOf(a.g))
}

// variantOf is what is called by an active call. Arguments that may be the same memory here may be so there.
func (p *checked) variantOf(n ir.Node) *variant {
	x := &variant{callee: p.callee(n), made: map[string]ir.Call{}}
	first := map[ref]int{}
	for i, y := range p.g.Args(n.Old()) {
		same := -1
		if p.isMemory(y) {
			if _, ok := first[p.rootOf(y)]; !ok {
				first[p.rootOf(y)] = i
			}
			same = first[p.rootOf(y)]
		}
		x.memory = append(x.memory, same)
		x.args = append(x.args, p.active(y) || p.activeMemory(y))
	}
	x.results = lists.Map(p.results(n.Old()), p.isActiveRef)
	return p.recursion.variant(x)
}

// variant is the one that is like x, with names.
func (r *recursion) variant(x *variant) *variant {
	name := symbols.Of(x.f)
	key := fmt.Sprint(name, x.args, x.results, x.memory)
	if old := r.known[key]; old != nil {
		return old
	}
	r.known[key], r.all = x, append(r.all, x)
	base := r.prefix + "_" + name
	if !r.back {
		x.name = r.names.Fresh(base)
		return x
	}
	x.name, x.back = r.names.Fresh(base+"_record"), r.names.Fresh(base+"_back")
	return x
}

// tell says what becomes of each function that calls itself.
func (r *recursion) tell(ctx *pass.Context) {
	if !ctx.Reports() {
		return
	}
	for _, x := range r.all {
		ctx.Remark("@%s calls itself: @%s does what it does and records on a stack, @%s goes back; where a stack of %d elements is too short, @%s runs all once more", symbols.Of(x.f), x.name, x.back, chunk, r.prefix)
		x.plan.tell(ctx)
	}
}

// ends are where derivatives of a variant begin, and where they lead.
func (x *variant) ends() (e ends) {
	params := x.g.Params(ir.Root)
	e.alias = map[ref]ref{}
	for i, p := range params {
		if x.memory[i] >= 0 {
			e.alias[ref{op: p}] = ref{op: params[x.memory[i]]}
		}
		if x.args[i] {
			e.from = append(e.from, p)
			if x.memory[i] >= 0 {
				e.to = append(e.to, p)
			}
		}
	}
	e.results = pickedBy(x.g.Yields(ir.Root), x.results)
	return e
}

// pickedBy are those that are chosen.
func pickedBy[T any](of []T, by []bool) (out []T) {
	for i, x := range of {
		if by[i] {
			out = append(out, x)
		}
	}
	return out
}

// floats are the arguments that are active floats, and shadows those that are active memory.
func (x *variant) floats() []ir.Value  { return x.activeArgs(func(m int) bool { return m < 0 }) }
func (x *variant) shadows() []ir.Value { return x.activeArgs(func(m int) bool { return m >= 0 }) }

func (x *variant) activeArgs(is func(m int) bool) (out []ir.Value) {
	for i, p := range x.g.Params(ir.Root) {
		if x.args[i] && is(x.memory[i]) {
			out = append(out, p)
		}
	}
	return out
}

// define begins a function of the module's own, of arguments, of which those from owned on are memory that nothing else is.
func (r *recursion) define(name string, in, out []ir.Type, owned int) (*ir.Builder, ir.Attr) {
	c := r.module.Ctx
	own := c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: []ir.NamedAttr{{Name: funcs.NoAlias, Value: c.UnitAttr()}}})
	none := c.Attr(ir.AttrInfo{Kind: ir.AttrDict})
	var attrs []ir.Attr
	b := ir.NewBuilder(c)
	for i, t := range in {
		b.Param(t)
		if i < owned {
			attrs = append(attrs, none)
		} else {
			attrs = append(attrs, own)
		}
	}
	attr := c.With(funcs.Props(c, name, "private", in, out), "arg_attrs", c.ArrayAttr(attrs...))
	funcs.Prepare(b, attr)
	return b, attr
}

// reached are functions that one leads to, with it: what its simplification leaves no call of is left out.
func (r *recursion) reached(call ir.Call) []ir.Call {
	out := []ir.Call{call}
	made := map[string]ir.Call{}
	for _, x := range r.all {
		for name, c := range x.made {
			made[name] = c
		}
	}
	for i := 0; i < len(out); i++ {
		for n := range out[i].Graphs[0].All() {
			name := symbols.Callee(n)
			if c, ok := made[name]; ok {
				delete(made, name)
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out[1:], func(x, y ir.Call) int { return strings.Compare(nameIn(x), nameIn(y)) })
	return out
}

// nameIn is the name of a function that is to be made.
func nameIn(x ir.Call) string {
	c := x.Graphs[0].Ctx
	return c.AttrInfo(c.Get(x.Attr, "sym_name")).Str
}
