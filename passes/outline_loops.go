package passes

import (
	"encoding/binary"
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// OutlineLoops makes one function of equal loops.
type OutlineLoops struct {
	Iterations int `opt:"rounds" doc:"rounds of its innermost loops that a loop has at least which becomes a call"`
}

// worthCall is how many products take a hundred times as long as a call.
const worthCall = 1 << 14

var outlineLoopsInfo = &pass.Info{
	Name: "outline-equal-loops",
	Doc: "Makes one private function of loops around contractions (`" + affinedialect.ContractionAttr + "`) that are equal but for the memory they work on, as of layers of one shape, and calls it in their place: " +
		"tiles are made and compiled once. Loops qualify that stand in no other op, whose bounds and memory have known extents, which cannot trap, and " +
		"do so much that a call takes no time beside it. What they write has to be apart from all else that they access; the function says so (" + funcs.NoAlias + "), so that nothing is forgotten of it.",
	Why: "After lower{to=affine}, which makes such loops; before tile-contractions, which makes much code of each.",
	Example: `func.func @f(%x: tensor<32x32xf64>, %y: tensor<32x32xf64>) -> tensor<32x32xf64> {
  %a = ten.einsum "ik,kj->ij" %x, %y : tensor<32x32xf64>, tensor<32x32xf64> -> tensor<32x32xf64>
  %s = ten.softmax %a along 1 : tensor<32x32xf64>
  %b = ten.einsum "ik,kj->ij" %s, %y : tensor<32x32xf64>, tensor<32x32xf64> -> tensor<32x32xf64>
  return %b : tensor<32x32xf64>
}
`,
	Pipeline: "lower{to=affine},outline-equal-loops",
	Scope:    pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "functions", Doc: "functions made"},
		{Name: "calls", Doc: "loops that are calls of them now"},
	},
	New: func() pass.Pass { return &OutlineLoops{Iterations: worthCall} },
}

// Check refuses what is no number of rounds.
func (p *OutlineLoops) Check() error {
	if p.Iterations < 0 {
		return fmt.Errorf("rounds=%d is negative", p.Iterations)
	}
	return nil
}

// equalLoops are loops of one scope of symbols that can be one function.
type equalLoops struct {
	sites []*freeLoop
	name  string
	body  *ir.Graph
	attrs ir.Attr

	elsewhere bool // one of them stands in another scope of symbols, too
}

// freeLoop is a loop that may become a call, with what it uses from outside.
type freeLoop struct {
	node ir.Node
	in   ir.Node // its function
	*loopReader
	equal *equalLoops
}

// outlineScope is a key of equal loops: of a scope of symbols, and what they do.
type outlineScope struct {
	scope *ir.Graph
	does  string
}

// Run reads all functions before anything is rebuilt.
func (p *OutlineLoops) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	all, loops := p.find(g)
	names := symbols.Defined(g)
	before := map[ir.Node][]*equalLoops{} // a function
	for _, e := range all {
		first := e.sites[0]
		if len(e.sites) == 1 || e.elsewhere {
			for _, l := range e.sites {
				delete(loops, l.node)
			}
			continue
		}
		e.body, e.attrs = e.function()
		e.name = names.Fresh(symbols.Of(first.in) + "_loop")
		before[first.in] = append(before[first.in], e)
		ctx.Count("functions", 1)
		ctx.Count("calls", len(e.sites))
		ctx.Remark("%s: equal loops are calls of @%s, %d in all", ctx.Where(first.g, first.node.Old()), e.name, len(e.sites))
	}
	if len(before) == 0 {
		return g, nil
	}
	return basic.Rebuild(g, ir.Rules{
		funcs.Func: func(m *ir.Mirror, n ir.Node) ir.Value {
			for _, e := range before[n] {
				m.B.Must(ir.Call{Def: funcs.Func, Attr: m.B.Ctx().With(e.attrs, "sym_name", m.B.Ctx().StringAttr(e.name)), Graphs: []*ir.Graph{e.body}})
			}
			return m.Copy(n)
		},
		affinedialect.For: func(m *ir.Mirror, n ir.Node) ir.Value {
			l := loops[n]
			if l == nil {
				return 0
			}
			args := lists.Map(l.memory, func(v ir.Value) ir.Value { return m.Of(l.g.NodeOf(v)) })
			return funcs.CallTo(m.B, l.equal.name, nil, args...)
		},
	}), nil
}

// find reads the loops of all functions, and which are equal, in order.
func (p *OutlineLoops) find(g *ir.Graph) (all []*equalLoops, loops map[ir.Node]*freeLoop) {
	groups := map[outlineScope]*equalLoops{}
	loops = map[ir.Node]*freeLoop{}
	for n := range g.All() {
		if n.Def() != funcs.Func {
			continue
		}
		for _, l := range p.loopsOf(n) {
			if had := loops[l.node]; had != nil { // another function has this body, too
				had.equal.elsewhere = had.equal.elsewhere || had.in.Graph() != n.Graph()
				continue
			}
			k := outlineScope{n.Graph(), string(l.key)}
			if groups[k] == nil {
				groups[k] = &equalLoops{}
				all = append(all, groups[k])
			}
			loops[l.node], l.equal = l, groups[k]
			l.equal.sites = append(l.equal.sites, l)
		}
	}
	return all, loops
}

// loopsOf reads the loops of a function that may become calls.
func (p *OutlineLoops) loopsOf(f ir.Node) (out []*freeLoop) {
	s := ir.ScheduleOf(f.Children()[0])
	g, effects, known := s.Graph(), s.Graph().Effects(), affine.Of(s.Graph()).Certain()
	for _, v := range s.Body(ir.Root) {
		if g.Def(v) != affinedialect.For || len(g.Args(v)) > 0 || g.Results(v) > 0 {
			continue
		}
		r := &loopReader{s: s, g: g, effects: effects, known: known, number: map[ir.Value]int{}, on: map[ir.Value]ir.Resource{}, written: map[ir.Value]bool{}}
		if rounds := r.op(v); !r.no && r.marked && rounds >= float64(p.Iterations) && r.isApart() {
			out = append(out, &freeLoop{node: g.NodeOf(v), in: f, loopReader: r})
		}
	}
	return out
}

// loopReader reads a loop: its key is that of another one exactly if both do the same to memory of their own.
type loopReader struct {
	s       *ir.Schedule
	g       *ir.Graph
	effects func(v ir.Value) []ir.Effect
	known   affine.Analysis
	number  map[ir.Value]int // of what is made in it, and of what it uses, in order
	key     []byte
	memory  []ir.Value // that it uses from outside
	on      map[ir.Value]ir.Resource
	written map[ir.Value]bool
	apart   []bool     // of memory, whether no other one is part of it
	consts  []ir.Value // that it uses from outside
	marked  bool       // it has a contraction
	no      bool       // it cannot become a call
}

// op reads an op and what stands in it, and counts the rounds of the innermost loops there.
func (r *loopReader) op(v ir.Value) (rounds float64) {
	g := r.g
	def := g.Def(v)
	if def.Has(ir.Isolated) || len(g.Children(v)) > 0 {
		r.no = true
		return 0
	}
	r.marked = r.marked || g.Attr(v, affinedialect.ContractionAttr) != 0
	// Attributes and types are interned, so that equal numbers mean equal ones.
	r.note(def.Name, int(g.NodeOf(v).Attrs()), int(g.Type(v)))
	for _, x := range g.Args(v) {
		r.operand(x)
	}
	r.touch(v)
	for _, in := range g.Regions(v) {
		r.note("{", len(g.Params(in)))
		for _, x := range g.Params(in) {
			r.note("", int(g.Type(x)), r.numbered(x))
		}
		for _, w := range r.s.Body(in) {
			rounds += r.op(w)
		}
		r.note("}")
	}
	r.numbered(v)
	if loop, ok := ir.As[ir.LoopLike](g.NodeOf(v)); ok {
		return max(rounds, 1) * r.trips(loop)
	}
	return rounds
}

// note adds to the key: numbers in so many bytes that none is the beginning of another one.
func (r *loopReader) note(word string, numbers ...int) {
	r.key = append(append(r.key, word...), 0)
	for _, n := range numbers {
		r.key = binary.AppendUvarint(r.key, uint64(n))
	}
}

// numbered gives a value the next number. Equal loops number their values alike, whatever the values are.
func (r *loopReader) numbered(v ir.Value) int {
	n := len(r.number)
	r.number[v] = n
	return n
}

// operand reads what an op uses: something made in the loop, a constant, or memory of known extents.
func (r *loopReader) operand(x ir.Value) {
	of, result, _ := r.g.Projection(x)
	if n, ok := r.number[of]; ok {
		r.note("", n, result)
		return
	}
	t := r.g.Ctx.Info(r.g.Type(x))
	_, isConst := r.g.Const(x)
	switch {
	case isConst:
		r.note("constant", int(r.g.Attr(x, "value")))
		r.consts = append(r.consts, x)
	case t.Kind != ir.KindMemRef || t.Unranked || slices.Contains(t.Shape, ir.Dynamic):
		r.no = true
	default:
		r.memory = append(r.memory, x)
	}
	r.note("outside", int(r.g.Type(x)), r.numbered(x))
}

// touch notes what memory of outside an op accesses; it may have memory of its own.
func (r *loopReader) touch(v ir.Value) {
	n := r.g.NodeOf(v)
	// An op without effects that cannot trap is known by its name and operands, which the key has already.
	effects := r.effects(v)
	if _, ok := ir.As[ir.Allocation](n); ok || len(r.g.Regions(v)) > 0 || len(effects) == 0 && !r.g.IsPartial(v) {
		return
	}
	access, ok := ir.As[ir.AccessLike](n)
	if !ok || !r.isInside(n) {
		r.no = true
		return
	}
	m := access.Accesses[0].Memory
	for !slices.Contains(r.memory, m) {
		view, ok := ir.As[ir.ViewLike](r.g.NodeOf(m))
		if !ok {
			return // its own
		}
		m = view.Source
	}
	r.on[m] = effects[0].On
	r.written[m] = r.written[m] || access.Accesses[0].Writes
}

// isInside reports an access that is within the extents of its memory: none traps, which would be at a place of one loop of several.
func (r *loopReader) isInside(n ir.Node) bool {
	if n.Def() != affinedialect.Load && n.Def() != affinedialect.Store {
		return false
	}
	access, _ := ir.As[ir.AccessLike](n)
	shape := r.g.Ctx.Info(r.g.Type(access.Accesses[0].Memory)).Shape
	for i, p := range affinedialect.Subscripts(n) {
		if p.MayTrap() || shape[i] == ir.Dynamic || !r.known.Extreme(affine.MinSigned, []*expr.Expr{p.Expr}, p.Dims, p.Syms).Within(0, shape[i]-1) {
			return false
		}
	}
	return true
}

// trips is how many rounds a loop has at least, if that is known.
func (r *loopReader) trips(l ir.LoopLike) float64 {
	all := 1.0
	for k := range l.Indices {
		// A dimension whose bounds are no constants counts as one round. The quotient is rounded down: a last
		// round of less than a step counts as none.
		if l.Lower[k].Value == 0 && l.Upper[k].Value == 0 && l.Step[k].Value == 0 && l.Step[k].Const > 0 {
			all *= float64(max((l.Upper[k].Const-l.Lower[k].Const)/l.Step[k].Const, 0))
		}
	}
	return all
}

// isApart reports memory that is none of the others where it is written, and remembers what is none of the others.
func (r *loopReader) isApart() bool {
	for _, x := range r.memory {
		one := !slices.ContainsFunc(r.memory, func(y ir.Value) bool { return y != x && r.g.MayAlias(r.on[x], r.on[y]) })
		if !one && r.written[x] {
			return false
		}
		r.apart = append(r.apart, one)
	}
	return true
}

// all reports what holds of each of the loops.
func (e *equalLoops) all(holds func(l *freeLoop) bool) bool {
	return !slices.ContainsFunc(e.sites, func(l *freeLoop) bool { return !holds(l) })
}

// function makes a function of the loops, and the attributes that it has but for its name: it knows of memory what is known of
// that of each loop.
func (e *equalLoops) function() (*ir.Graph, ir.Attr) {
	l := e.sites[0]
	c, f := l.g.Ctx, ir.NewBuilder(l.g.Ctx)
	outer := map[ir.Value]ir.Value{}
	var in []ir.Type
	var attrs []ir.Attr
	for i, x := range l.memory {
		in = append(in, l.g.Type(x))
		if outer[x] = f.Param(in[i]); e.all(func(l *freeLoop) bool { return !l.g.MayBePoison(l.memory[i]) }) {
			f.SetClean(outer[x])
		}
		var dict []ir.NamedAttr
		if e.all(func(l *freeLoop) bool { return l.apart[i] }) {
			dict = append(dict, ir.NamedAttr{Name: funcs.NoAlias, Value: c.UnitAttr()})
		}
		attrs = append(attrs, c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: dict}))
	}
	props := c.With(funcs.Props(c, "", "private", in, nil), "arg_attrs", c.ArrayAttr(attrs...))
	funcs.Prepare(f, props)
	for _, x := range l.consts {
		outer[x] = f.ConstAttr(l.g.Type(x), l.g.Attr(x, "value"))
	}
	if at := l.g.LocsOf(l.node.Old()); len(at) > 0 {
		f.Loc = at[0]
	}
	body := f.Region(ir.Loop, []ir.Type{ir.Index}, func(params []ir.Value) {
		f.Enter(affinedialect.For, l.node.Attrs(), nil, 0, params)
		ir.Insert(f, l.s, l.g.Regions(l.node.Old())[0], outer, nil, params...)
		f.Op(affinedialect.Yield)
	})
	f.Must(ir.Call{Def: affinedialect.For, Attr: l.node.Attrs(), Regions: []ir.Region{body}})
	f.Op(funcs.Return)
	return f.Finish(), props
}
