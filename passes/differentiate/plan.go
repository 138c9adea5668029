package differentiate

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/derive"
)

// way is how the way back has a value of a round of a loop, or of a branch.
type way uint8

const (
	again    way = iota + 1 // an op is done again; so is a read of memory that still holds what it held
	recorded                // it is read from its tape
	index                   // the number of the round says it
	stored                  // it is read from memory that holds it, or held it before the nest
)

// plan says what the way back needs of the function's values, and how it has each. Values of the function's own region
// are simply there.
type plan struct {
	*checked
	uses     *ir.UseTable
	needs    map[ir.Region]map[ref]bool // what rules, accesses and bounds ask for
	hand     map[ir.Region]map[ref]way
	order    map[ir.Value]int     // of ops, in their region
	home     map[ir.Value]int     // of an op in whatever region, the place of the function's own op around it
	writes   map[ref]int          // the place of the last write to memory, by allocation; of unknown ones under ref{}
	updates  map[ir.Value]*update // stores that add to what is there
	inUpdate map[ir.Value]bool    // their sums and reads
	rereads  map[ref]*reread      // from where values can be read, by value
	nests    map[int]*elements    // accesses of nests, by their place in the function's own region
	captured map[ir.Value][]ref   // of an op with regions: active values from outside that get adjoints in it
	loops    map[ir.Region]*loop  // by body
	aparts   map[ir.Value]*apart  // the way back through loops that run again
	mappings map[ir.Value]*mapping
	recursive
	gathered
	choices
	more func() // the first choice that has to be another one
}

// recursive is what a plan knows of calls that call themselves.
type recursive struct {
	calls    map[ir.Value]*variant // active ones
	whiles   map[ir.Value]*while   // loops whose rounds are on a stack
	isSteady bool                  // what floats decide is not decided again (isDecision)
}

// gathered is what a plan knows of reads whose adjoints loops of their own add up.
type gathered struct {
	gathers map[*loop][]*gather // by the outermost of their loops
	waits   map[ir.Value]*neighbour
}

// choices are made before a plan, and again where it shows that they must be others.
type choices struct {
	checkpoints int               // how many a loop may have, or 0
	isApart     map[ir.Value]bool // loops of which it is not known before those around them how often they run
	isStepped   map[ir.Value]bool // loops with checkpoints
	isStacked   bool              // what is recorded is on a stack
}

// loop is a loop that runs over the points of an interval.
type loop struct {
	n ir.Node
	ir.LoopLike
	carries []int // which of the carried values have adjoints
}

// newPlan plans the way back. The error is about an op without a derivative.
func newPlan(a *activity, checkpoints int) (*plan, error) {
	for c := (choices{checkpoints, map[ir.Value]bool{}, map[ir.Value]bool{}, false}); ; {
		p := planWith(a, c)
		if p.err != nil || p.more == nil {
			return p, p.err
		}
		p.more()
	}
}

// planWith finds what ops write, and when; then it goes through the function, and asks the rule of each op that is active what it
// uses.
func planWith(a *activity, c choices) *plan {
	p := &plan{checked: newChecked(a), uses: ir.Uses(a.g), needs: map[ir.Region]map[ref]bool{}, hand: map[ir.Region]map[ref]way{}, order: map[ir.Value]int{}, home: map[ir.Value]int{}, writes: map[ref]int{}, updates: map[ir.Value]*update{}, inUpdate: map[ir.Value]bool{}, nests: map[int]*elements{}, rereads: map[ref]*reread{},
		captured: map[ir.Value][]ref{}, loops: map[ir.Region]*loop{}, aparts: map[ir.Value]*apart{}, mappings: map[ir.Value]*mapping{}, choices: c,
		recursive: recursive{calls: map[ir.Value]*variant{}, whiles: map[ir.Value]*while{}}, gathered: gathered{gathers: map[*loop][]*gather{}, waits: map[ir.Value]*neighbour{}}}
	p.isSteady = c.isStacked
	for v := range a.s.All() {
		p.isSteady = p.isSteady || a.callee(a.g.NodeOf(v)) != nil
	}
	for at, v := range a.s.Body(ir.Root) {
		p.order[v] = at
		p.place(v, at)
	}
	updater{p}.find()
	p.region(ir.Root)
	gatherer{p, affine.Of(p.g)}.find()
	p.keep()
	p.findStepped()
	if len(p.calls) > 0 && !p.isStacked {
		caller{p}.runsTwice()
	}
	return p
}

// place notes where ops stand and what they write.
func (p *plan) place(v ir.Value, at int) {
	p.home[v] = at
	for _, e := range p.effects(v) {
		if e.Kind == ir.Write || e.Kind == ir.Free {
			p.written(v, at)
			break
		}
	}
	for _, r := range p.g.Regions(v) {
		for i, w := range p.s.Body(r) {
			p.order[w] = i
			p.place(w, at)
		}
	}
}

// written notes a write, to memory that is known if the op says which elements it touches.
func (p *plan) written(v ir.Value, at int) {
	if len(p.g.Regions(v)) > 0 {
		return // its ops write
	}
	access, ok := p.accesses(p.g.NodeOf(v))
	if ok && len(access.Accesses) > 0 {
		for _, x := range access.Accesses {
			if x.Writes {
				p.writes[p.rootOf(x.Memory)] = at
			}
		}
		return
	}
	for _, x := range p.g.Args(v) {
		if p.g.Ctx.Info(p.g.Type(x)).Kind == ir.KindMemRef {
			p.writes[p.rootOf(x)] = at
		}
	}
	if !ok {
		p.writes[ref{}] = at
	}
}

// region finds what the way back through a region needs.
func (p *plan) region(r ir.Region) {
	for _, v := range p.s.Body(r) {
		p.op(v)
	}
}

// op finds what the way back through an op needs of the function's values.
func (p *plan) op(v ir.Value) {
	n := p.g.NodeOf(v)
	switch {
	case p.isMapped(n):
		p.mapped(n)
	case len(p.g.Regions(v)) > 0:
		p.nested(n)
	case v == p.g.Term(p.regionOf(v)):
	case p.callee(n) != nil:
		caller{p}.called(n)
	default:
		if access, ok := ir.As[ir.AccessLike](n); ok {
			p.access(n, access)
			return
		}
		if _, ok := ir.As[ir.ViewLike](n); ok {
			return // an access needs it, or nobody
		}
		if a, ok := ir.As[ir.Allocation](n); ok {
			p.allocation(n, a)
			return
		}
		p.ruled(n)
	}
}

// regionOf is where an op is scheduled, which may be further out than where it was built.
func (p *plan) regionOf(v ir.Value) ir.Region { return p.s.Place(v) }

// ruled is an op with a rule, if it is active. What the rule asks for is found by asking it, of nothing in particular.
func (p *plan) ruled(n ir.Node) {
	v, rule := n.Old(), p.ruleOf(n)
	if rule == nil {
		return
	}
	for _, i := range p.asks(n, rule) {
		if i < 0 {
			p.want(ref{op: v})
		} else {
			p.wantValue(p.g.Args(v)[i])
		}
	}
}

// asks lists the operands that a rule uses, and -1 for the result.
func (p *plan) asks(n ir.Node, rule *derive.Rule) []int {
	from := &asking{p: p, n: n, b: ir.NewBuilder(p.g.Ctx), asked: map[int]bool{}}
	o := derive.NewOp(from.b, n.Attrs(), n.Type(), from)
	if rule.Transpose != nil {
		rule.Transpose(o, from.b.Param(n.Type()))
	}
	for i, d := range rule.Partials {
		if d != nil && from.Active(i) {
			d(o)
		}
	}
	return slices.Sorted(maps.Keys(from.asked))
}

// asking gives a rule values that stand for none, and notes for which it asked.
type asking struct {
	p     *plan
	n     ir.Node
	b     *ir.Builder
	asked map[int]bool
}

// Operand stands for an operand.
func (a *asking) Operand(i int) ir.Value {
	a.asked[i] = true
	return a.b.Param(a.OperandType(i))
}

// Result stands for the result.
func (a *asking) Result() ir.Value {
	a.asked[-1] = true
	return a.b.Param(a.n.Type())
}

// OperandType is as the op has it, and so is Active.
func (a *asking) OperandType(i int) ir.Type { return a.n.Arg(i).Type() }
func (a *asking) Active(i int) bool         { return a.p.active(a.n.Arg(i).Old()) }
func (a *asking) Guarded() bool             { return false }

// access needs the indices, and the shadow of memory that has one.
func (p *plan) access(n ir.Node, l ir.AccessLike) {
	if !p.knows(n, l) {
		return
	}
	if len(l.Accesses) == 0 {
		p.passes(n) // of a tensor
	}
	for _, x := range l.Accesses {
		if !p.activeMemory(x.Memory) {
			p.passes(n)
			continue
		}
		if rule := p.partRule(n, l); rule != nil {
			p.wantPart(n, rule, x.Memory)
			return
		}
		rank := len(p.g.Ctx.Info(p.g.Type(x.Memory)).Shape)
		whole := len(x.Indices) == 0 && len(l.Accesses) == 2 && l.Accesses[0].Reads && l.Accesses[1].Writes && x.Stored == 0
		if len(x.First) > 0 || !whole && len(x.Indices) != rank || len(l.Accesses) == 1 && x.Reads && x.Writes {
			p.fail(n.Old(), "%s", notElement(l))
			return
		}
		for _, i := range x.Indices {
			p.wantValue(i)
		}
		p.wantShadow(x.Memory)
	}
}

// allocation needs the sizes of its shadow.
func (p *plan) allocation(n ir.Node, a ir.Allocation) {
	if !p.hasShadow(n, a) {
		return
	}
	for _, x := range a.Sizes {
		p.wantValue(x)
	}
}

// wantShadow needs what a view's shadow is made with.
func (p *plan) wantShadow(memory ir.Value) {
	view, ok := ir.As[ir.ViewLike](p.g.NodeOf(memory))
	if !ok {
		return
	}
	for _, x := range p.g.Args(memory) {
		if x != view.Source {
			p.wantValue(x)
		}
	}
	p.wantShadow(view.Source)
}

// wantValue is want of a value of the graph.
func (p *plan) wantValue(v ir.Value) { p.want(refOf(p.g, v)) }

// regionOfRef is where a result stands, or the region whose parameter it is.
func (p *plan) regionOfRef(r ref) ir.Region {
	if home, _, ok := p.g.Param(r.op); ok {
		return home
	}
	return p.regionOf(r.op)
}

// want needs a value in the region where it stands. How it is had is found when all is known (kept.go).
func (p *plan) want(r ref) {
	home := p.regionOfRef(r)
	if home == ir.Root && !p.isStacked {
		return
	}
	if p.needs[home] == nil {
		p.needs[home] = map[ref]bool{}
	}
	p.needs[home][r] = true
}

// nested is an op with regions: a loop over an interval, or a branch.
func (p *plan) nested(n ir.Node) {
	v := n.Old()
	l, isLoop := ir.As[ir.LoopLike](n)
	if n.Def() == scf.While && p.isStacked {
		stacker{p}.while(n)
		return
	}
	if isLoop && (n.Def() == scf.While || p.isApart[v]) {
		if p.hasAdjoints(v) {
			p.apart(n)
		}
		return
	}
	if isLoop && p.isStepped[v] {
		p.stepped(n, &loop{n: n, LoopLike: l, carries: p.carries(v, l)})
		return
	}
	if isLoop && len(l.Indices) == 1 {
		p.loops[l.Body] = &loop{n: n, LoopLike: l, carries: p.carries(v, l)}
	}
	for _, r := range p.g.Regions(v) {
		p.region(r)
	}
	p.capture(n)
	if !p.hasAdjoints(v) {
		return
	}
	if b, ok := ir.As[ir.BranchLike](n); ok {
		p.wantValue(b.On)
		return
	}
	if !isLoop || len(l.Indices) != 1 || l.Reverse {
		p.fail(v, "has no derivative: of ops with regions loops over an interval and branches have one; lower it to them first")
		return
	}
	p.wantBounds(l)
}

// wantBounds asks for the bounds of a loop over an interval.
func (p *plan) wantBounds(l ir.LoopLike) {
	for _, x := range []ir.Bound{l.Lower[0], l.Upper[0], l.Step[0]} {
		if x.Value != 0 {
			p.wantValue(x.Value)
		}
	}
}

// carries lists the values that a loop carries which have adjoints.
func (p *plan) carries(v ir.Value, l ir.LoopLike) (out []int) {
	for k, c := range l.Carried {
		if p.active(c) || p.varied[ref{v, k}] && p.useful[ref{v, k}] {
			out = append(out, k)
		}
	}
	return out
}

// hasAdjoints reports an op with regions that the way back goes through.
func (p *plan) hasAdjoints(v ir.Value) bool {
	if slices.ContainsFunc(p.results(v), func(r ref) bool { return p.varied[r] && p.useful[r] && isFloat(p.g.Ctx, r.typeOf(p.g)) }) {
		return true
	}
	for _, r := range p.g.Regions(v) {
		for _, w := range p.s.Body(r) {
			if access, ok := p.accesses(p.g.NodeOf(w)); ok {
				if slices.ContainsFunc(access.Accesses, func(x ir.Access) bool { return x.Writes && p.activeMemory(x.Memory) }) {
					return true
				}
				if slices.ContainsFunc(p.results(w), func(r ref) bool { return p.varied[r] && p.useful[r] }) {
					return true
				}
			}
			if len(p.g.Regions(w)) > 0 && p.hasAdjoints(w) {
				return true
			}
		}
	}
	return false
}

// capture lists active values from outside that ops in the regions use.
func (p *plan) capture(n ir.Node) {
	seen := map[ref]bool{}
	use := func(x ir.Value) {
		if r := refOf(p.g, x); !seen[r] && p.active(x) && !p.isInside(p.regionOfRef(r), n.Old()) {
			seen[r] = true
			p.captured[n.Old()] = append(p.captured[n.Old()], r)
		}
	}
	for _, r := range p.g.Regions(n.Old()) {
		for _, w := range p.s.Body(r) {
			for _, x := range p.g.Args(w) {
				use(x)
			}
			for _, c := range p.captured[w] {
				if !seen[c] && !p.isInside(p.regionOfRef(c), n.Old()) {
					seen[c] = true
					p.captured[n.Old()] = append(p.captured[n.Old()], c)
				}
			}
		}
	}
}

// isInside reports a region within the regions of an op.
func (p *plan) isInside(r ir.Region, v ir.Value) bool {
	for r != ir.Root {
		if p.g.Owner(r) == v {
			return true
		}
		r = p.around(r)
	}
	return false
}

// around is the region in which the op of a region stands.
func (p *plan) around(r ir.Region) ir.Region { return p.regionOf(p.g.Owner(r)) }
