package passes

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/passes/pass"
)

// Tabulate computes functions of one loop variable before a nest of loops.
type Tabulate struct {
	Limit int `opt:"limit" doc:"most entries of a table; 0 is what fits into the target's innermost cache"`
}

var tabulateInfo = &pass.Info{
	Name: "tabulate",
	Doc: "Computes, before a nest of loops, elementary functions that depend on one of its loop variables alone, into an array on the stack: " +
		"once for each value in place of once for each iteration of the nest, and in a loop of their own, which can be vectorised (scalar expansion, after Allen and Kennedy). " +
		"So are those of an element that an index from elsewhere picks, log(p[class[i]]), where the nest reads each entry twice or more; of a few entries the table is values, of which the index chooses if it is certainly in bounds, and what stands before the nest takes it too.",
	Why: "After licm, which takes out of loops what they do not change; before lower-math and lower{to=llvm}, which take functions apart.",
	Example: `func.func @f(%x: memref<8xf64>, %y: memref<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f64) {
    %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %a) -> (f64) {
      %u = memref.load %x[%i] : memref<8xf64>
      %v = memref.load %y[%j] : memref<8xf64>
      %w = math.exp %v : f64
      %p = arith.mulf %u, %w : f64
      %t = arith.addf %b, %p : f64
      scf.yield %t : f64
    }
    scf.yield %s : f64
  }
  return %r : f64
}
`,
	Statistics: []pass.Statistic{{Name: "tables", Doc: "functions computed before a nest"}},
	New:        func() pass.Pass { return &Tabulate{} },
}

// Check refuses limits without meaning.
func (p *Tabulate) Check() error {
	if p.Limit < 0 || p.Limit > MaxTable {
		return fmt.Errorf("limit=%d is not between 0 and %d", p.Limit, MaxTable)
	}
	return nil
}

// Run rewrites the outermost loops of every function.
func (p *Tabulate) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	t := ctx.Target()
	limit := p.Limit
	if limit == 0 {
		limit = min(t.TableEntries(), MaxTable)
	}
	n, count := tabulate(g, limit, t.Costs.MinTable)
	ctx.Count("tables", count)
	return n, nil
}

// costly are the functions that are worth a table.
var costly = []*ir.OpDef{math.Exp, math.Exp2, math.Expm1, math.Log, math.Log2, math.Log10, math.Log1p, math.Powf, math.Sin, math.Cos, math.Tan, math.Tanh, math.Erf,
	special.Lgamma, special.Logfact, special.Digamma, special.Lbeta, special.Lchoose, special.Ilogit, special.Logit, special.Log1pexp, special.Log1mexp, special.Phi, special.LogPhi,
	special.Probit, special.Cloglog, special.Icloglog, special.Xlogy, special.Xlog1py}

// MaxTable bounds the entries of tables, which are on the stack.
const MaxTable = 1 << 16

// tabulate does it for a graph and its children, with tables of least to limit entries;
// it tells how many it made.
func tabulate(g *ir.Graph, limit, least int) (*ir.Graph, int) {
	t := tabulation{}
	count := t.plan(g, limit, least)
	if count == 0 {
		return g, 0
	}
	rules := ir.Rules{scf.For: t.nest}
	for _, def := range costly {
		rules[def] = t.lookup
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), count
}

// tabulation is what is done to each graph.
type tabulation map[*ir.Graph]*tables

// tables are those of one graph. A nest is its outermost loop.
type tables struct {
	s     *ir.Schedule
	nests map[ir.Value][]*tableLoop
	of    map[ir.Value]table // by the op that it replaces

	elements map[ir.Value][]*elementTable // by the nest before which they are made
	lookups  map[ir.Value]lookup          // by the op that it replaces
	live     []*elementTable              // those whose array was not written since
	pending  []ir.Value                   // costly ops of straight code since which nothing was written
	before   map[ir.Value][]*elementTable // by the op of straight code before which they are made
}

// tableLoop makes tables of functions of one loop variable.
type tableLoop struct {
	nest   *nestWalk
	iv     ir.Value
	lo, hi int64
	ops    []ir.Value
	reads  []ir.Effect
	same   map[ir.Value][]alias // of an op: those of later loops that give the same
}

// alias is an op of a loop without a nest, whose variable is iv.
type alias struct{ op, iv ir.Value }

// table is where the values of an op are.
type table struct {
	mem ir.Value // new; 0 before it is made
	of  *tableLoop
	iv  ir.Value // old: the variable of the loop around the op
}

// plan finds what is worth a table.
func (t tabulation) plan(g *ir.Graph, limit, least int) int {
	s := ir.ScheduleOf(g)
	here := &tables{s: s, nests: map[ir.Value][]*tableLoop{}, of: map[ir.Value]table{}, elements: map[ir.Value][]*elementTable{}, lookups: map[ir.Value]lookup{}, before: map[ir.Value][]*elementTable{}}
	t[g] = here
	count := 0
	effects, known := g.Effects(), affine.Of(g).Certain()
	var made []*tableLoop // those whose memory was not written since
	straight := &nestWalk{s: s, g: g, known: known, effects: effects}
	straight.clear()
	for _, v := range s.Body(ir.Root) {
		made = slices.DeleteFunc(made, func(l *tableLoop) bool { return l.nest.isWritten(v, l.reads) })
		here.elementsAt(v, straight)
		if g.Def(v) != scf.For {
			continue
		}
		w := &nestWalk{s: s, g: g, known: known, limit: limit, least: least, effects: effects, writes: g.EffectsOf(g.Regions(v)[0]), deps: map[ir.Value]ir.Value{}, in: map[ir.Value]bool{}}
		w.enter(g.Regions(v)[0], v, true)
		if found := here.elementsOf(v, w, straight); found > 0 {
			count += found
			straight.clear()
		}
		here.nests[v] = w.loops
		for _, l := range made {
			l.share(w, g.Regions(v)[0])
		}
		for _, l := range w.loops {
			l.reads = l.readsOf(l.ops)
			made = append(made, l)
			for _, op := range l.ops {
				here.of[op] = table{of: l, iv: l.iv}
				count++
			}
		}
	}
	s.Walk(func(v ir.Value) {
		for _, c := range g.Children(v) {
			count += t.plan(c, limit, least)
		}
	})
	return count
}

// readsOf lists what ops of the nest read.
func (l *tableLoop) readsOf(ops []ir.Value) []ir.Effect {
	var out []ir.Effect
	seen := map[ir.Value]bool{}
	var walk func(v ir.Value)
	walk = func(v ir.Value) {
		if seen[v] || !l.nest.in[v] {
			return
		}
		seen[v] = true
		out = append(out, l.nest.effects(v)...)
		for _, a := range l.nest.g.Args(v) {
			walk(a)
		}
	}
	for _, v := range ops {
		walk(v)
	}
	return out
}

// isWritten reports an op that may write what is read.
func (w *nestWalk) isWritten(v ir.Value, reads []ir.Effect) bool {
	return w.mayWrite(w.effects(v), reads)
}

// mayWrite reports that one of some effects may change what is read.
func (w *nestWalk) mayWrite(effects, reads []ir.Effect) bool {
	for _, e := range effects {
		for _, read := range reads {
			if e.Kind != ir.Read && w.g.MayAlias(read.On, e.On) {
				return true
			}
		}
	}
	return false
}

// share finds ops of a later loop, which is no nest, that the tables have.
func (l *tableLoop) share(w *nestWalk, r ir.Region) {
	params := w.g.Params(r)
	lo, hi, ok := w.values(params[0])
	if !ok || lo != l.lo || hi != l.hi || len(w.loops) > 0 {
		return
	}
	same := sameValues{w.g, params[0], l.iv, map[[2]ir.Value]bool{}}
	for _, v := range w.s.Body(r) {
		for _, op := range l.ops {
			if w.g.Def(v) == w.g.Def(op) && same.is(v, op) {
				if l.same == nil {
					l.same = map[ir.Value][]alias{}
				}
				l.same[op] = append(l.same[op], alias{v, params[0]})
			}
		}
	}
}

// sameValues compares values with one loop variable for another: v that depends on iv with w
// that depends on jw. Each pair is compared once.
type sameValues struct {
	g      *ir.Graph
	iv, jw ir.Value
	known  map[[2]ir.Value]bool
}

// is reports that v is what w is.
func (s *sameValues) is(v, w ir.Value) bool {
	if v == w || v == s.iv && w == s.jw {
		return true
	}
	same, ok := s.known[[2]ir.Value{v, w}]
	if !ok {
		same = s.alike(v, w)
		s.known[[2]ir.Value{v, w}] = same
	}
	return same
}

// alike reports ops that do the same with operands that are.
func (s *sameValues) alike(v, w ir.Value) bool {
	g := s.g
	if _, _, isParam := g.Param(v); isParam || g.Def(v) != g.Def(w) || g.AttrsOf(v) != g.AttrsOf(w) || g.Type(v) != g.Type(w) || len(g.Regions(v)) > 0 {
		return false
	}
	as, bs := g.Args(v), g.Args(w)
	if len(as) != len(bs) || len(as) == 0 {
		return false
	}
	for i := range as {
		if !s.is(as[i], bs[i]) {
			return false
		}
	}
	return true
}

// lookup replaces an op that has a table.
func (t tabulation) lookup(m *ir.Mirror, n ir.Node) ir.Value {
	here := t[n.Graph()]
	e := here.of[n.Old()]
	for _, x := range here.before[n.Old()] {
		x.build(m)
	}
	if l, ok := here.lookups[n.Old()]; ok {
		return l.value(m, n)
	}
	if e.mem == 0 {
		return 0
	}
	return m.B.Op(memref.Load, e.mem, e.of.index(m.B, m.Of(n.Graph().NodeOf(e.iv))))
}

// index is the place of an entry.
func (l *tableLoop) index(b *ir.Builder, iv ir.Value) ir.Value {
	if l.lo == 0 {
		return iv
	}
	return arith.SubI(b, iv, b.Index(l.lo))
}

// nest makes the tables of an outermost loop, and leaves the loop.
func (t tabulation) nest(m *ir.Mirror, n ir.Node) ir.Value {
	here := t[n.Graph()]
	for _, l := range here.nests[n.Old()] {
		l.build(m, here)
	}
	for _, t := range here.elements[n.Old()] {
		if !t.early {
			t.build(m)
		}
	}
	return 0
}

// build makes the tables of functions of one loop variable, in one loop.
func (l *tableLoop) build(m *ir.Mirror, here *tables) {
	b, g := m.B, here.s.Graph()
	mems := make([]ir.Value, len(l.ops))
	for i, v := range l.ops {
		mems[i] = b.Must(ir.Call{Def: memref.Alloca, Type: g.Ctx.MemRef([]int64{l.hi - l.lo}, g.Type(v))})
	}
	scf.BuildFor(b, b.Index(l.lo), b.Index(l.hi), b.Index(1), nil, func(x ir.Value, _ []ir.Value) []ir.Value {
		made := map[ir.Value]ir.Value{l.iv: x}
		for i, v := range l.ops {
			b.Op(memref.Store, l.nest.remake(m, v, made), mems[i], l.index(b, x))
		}
		return nil
	})
	for i, v := range l.ops {
		here.of[v] = table{mems[i], l, l.iv}
		for _, a := range l.same[v] {
			here.of[a.op] = table{mems[i], l, a.iv}
		}
	}
}

// nestWalk looks through a nest of loops for functions of one loop variable.
type nestWalk struct {
	s       *ir.Schedule
	g       *ir.Graph
	known   affine.Analysis
	limit   int
	least   int
	writes  []ir.Effect // of the whole nest
	effects func(v ir.Value) []ir.Effect
	in      map[ir.Value]bool     // ops of the nest
	deps    map[ir.Value]ir.Value // of ops of the nest: a loop variable, nothing or several
	reads   map[ir.Value]ir.Value // of ops of the nest: the one read, nothing or several
	loops   []*tableLoop
}

// What a value depends on, besides a loop variable.
const (
	nothing ir.Value = 0
	several ir.Value = ^ir.Value(0)
)

// enter looks through the body of a loop; inner says that it holds another loop, or
// is in one.
func (w *nestWalk) enter(r ir.Region, loop ir.Value, outermost bool) {
	body := w.s.Body(r)
	nested := !outermost
	for _, v := range body {
		w.in[v] = true
		nested = nested || w.g.Def(v) == scf.For
	}
	for _, v := range body {
		if slices.Contains(costly, w.g.Def(v)) && w.g.Type(v) == ir.F64 && nested {
			w.consider(v)
		}
		if w.g.Def(v).Has(ir.EffectFree) {
			continue // a table is read
		}
		for _, in := range w.g.Regions(v) {
			w.enter(in, v, false)
		}
	}
}

// consider gives an op a table if it is a function of one loop variable.
func (w *nestWalk) consider(v ir.Value) {
	iv := w.depends(v)
	if iv == nothing || iv == several {
		return
	}
	lo, hi, ok := w.values(iv)
	if !ok || hi-lo < int64(w.least) || hi-lo > int64(w.limit) {
		return
	}
	i := slices.IndexFunc(w.loops, func(l *tableLoop) bool { return l.iv == iv })
	if i < 0 {
		i = len(w.loops)
		w.loops = append(w.loops, &tableLoop{nest: w, iv: iv, lo: lo, hi: hi})
	}
	w.loops[i].ops = append(w.loops[i].ops, v)
}

// values are those of a loop variable, lo up to but without hi, if they are constant.
func (w *nestWalk) values(iv ir.Value) (lo, hi int64, ok bool) {
	r, i, _ := w.g.Param(iv)
	loop := w.g.Owner(r)
	if i != 0 || w.g.Def(loop) != scf.For {
		return 0, 0, false
	}
	args := w.g.Args(loop)
	lo, ok1 := w.known.Number(args[0]).Const()
	hi, ok2 := w.known.Number(args[1]).Const()
	step, ok3 := w.known.Number(args[2]).Const()
	return lo, hi, ok1 && ok2 && ok3 && step == 1
}

// depends is the loop variable of the nest on which a value depends.
func (w *nestWalk) depends(v ir.Value) ir.Value {
	if d, ok := w.deps[v]; ok {
		return d
	}
	d := nothing
	r, _, isParam := w.g.Param(v)
	switch {
	case isParam && r == ir.Root:
	case isParam:
		d = several
		if _, _, ok := w.values(v); ok {
			d = v
		}
	case !w.in[v]:
		if _, _, part := w.g.Projection(v); part { // of an op of the nest, perhaps
			d = several
		}
	case len(w.g.Regions(v)) > 0 || !w.g.IsPure(v) && !w.readsSafely(v):
		d = several
	default:
		d = theOne(w.g.Args(v), w.depends)
	}
	w.deps[v] = d
	return d
}

// theOne is what of all of some values is not nothing, if it is one: several, if not.
func theOne(vs []ir.Value, of func(ir.Value) ir.Value) ir.Value {
	one := nothing
	for _, v := range vs {
		switch x := of(v); {
		case one == nothing:
			one = x
		case x != nothing && x != one:
			one = several
		}
	}
	return one
}

// readsSafely reports a load in bounds, whatever the loops do, from memory that the
// nest does not write.
func (w *nestWalk) readsSafely(v ir.Value) bool {
	if w.g.Def(v) != memref.Load {
		return false
	}
	args := w.g.Args(v)
	for d, x := range args[1:] {
		n := w.g.Ctx.Info(w.g.Type(args[0])).Shape[d]
		if n == ir.Dynamic || !w.known.Within(x, 0, n-1) {
			return false
		}
	}
	return !w.mayWrite(w.writes, w.effects(v))
}

// remake makes a value of the nest before it.
func (w *nestWalk) remake(m *ir.Mirror, v ir.Value, made map[ir.Value]ir.Value) ir.Value {
	if x, ok := made[v]; ok {
		return x
	}
	if !w.in[v] {
		return m.Of(w.g.NodeOf(v))
	}
	call := ir.Call{Def: w.g.Def(v), Attr: w.g.AttrsOf(v), Type: w.g.Type(v)}
	for _, a := range w.g.Args(v) {
		call.Args = append(call.Args, w.remake(m, a, made))
	}
	made[v] = m.B.Must(call)
	return made[v]
}
