package binding

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Tabulate computes functions of one loop variable before a nest of loops.
type Tabulate struct {
	Limit int `opt:"limit" doc:"most entries of a table; 0 is what fits into the target's innermost cache"`
}

// TabulateInfo is the row of tabulate.
var TabulateInfo = &pass.Info{
	Name: "tabulate",
	Doc: "Computes, before a nest of loops, elementary functions that depend on one of its loop variables alone, into an array on the stack: " +
		"once for each value in place of once for each iteration of the nest. They get a loop of their own, which can be vectorised (scalar expansion, after Allen and Kennedy). " +
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

// MaxTable bounds the entries of tables, which are on the stack.
const MaxTable = 1 << 16

// tabulate does it for a graph and its children, with tables of least to limit entries;
// it tells how many it made.
func tabulate(g *ir.Graph, limit, least int) (*ir.Graph, int) {
	t, count := tabulation{}, 0
	eachCode(g, ir.Node{}, func(c *code, _ ir.Node) { count += t.plan(c, limit, least) })
	if count == 0 {
		return g, 0
	}
	rules := ir.Rules{scf.For: t.nest}
	for _, def := range opcost.Functions {
		rules[def] = t.lookup
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), count
}

// tabulation is what is done to each graph.
type tabulation map[*ir.Graph]*tables

// tables are those of one graph. A nest is its outermost loop.
type tables struct {
	nests map[ir.Value][]*tableLoop
	of    map[ir.Value]table // by the op that it replaces

	elements map[ir.Value][]*elementTable // by the nest before which they are made
	lookups  map[ir.Value]lookup          // by the op that it replaces
	live     []*elementTable              // those whose array was not written since
	pending  []ir.Value                   // costly ops of straight-line code since which nothing was written
	before   map[ir.Value][]*elementTable // by the op of straight-line code before which they are made
}

// tableLoop makes tables of functions of one loop variable.
type tableLoop struct {
	nest  *tableNest
	iv    ir.Value
	lower int64
	trips int64
	ops   []ir.Value
	reads []ir.Effect
	same  map[ir.Value][]alias // of an op: those of later loops that give the same
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
func (t tabulation) plan(c *code, limit, least int) (count int) {
	g := c.g
	here := &tables{nests: map[ir.Value][]*tableLoop{}, of: map[ir.Value]table{}, elements: map[ir.Value][]*elementTable{}, lookups: map[ir.Value]lookup{}, before: map[ir.Value][]*elementTable{}}
	t[g] = here
	var made []*tableLoop // those whose memory was not written since
	straight := &tableNest{nest: nest{code: c, body: ir.Root}}
	straight.begin(0)
	for _, v := range c.s.Body(ir.Root) {
		made = slices.DeleteFunc(made, func(l *tableLoop) bool { return c.mayWrite(c.effects(v), l.reads) })
		here.elementsAt(v, straight)
		if g.Def(v) != scf.For {
			continue
		}
		w := newTableNest(c, v, limit, least)
		if found := here.elementsOf(v, w, straight); found > 0 {
			count += found
			straight.begin(v + 1)
		}
		here.nests[v] = w.loops
		for _, l := range made {
			l.share(w)
		}
		for _, l := range w.loops {
			l.reads = l.nest.readsOf(l.ops)
			made = append(made, l)
			for _, op := range l.ops {
				here.of[op] = table{of: l, iv: l.iv}
				count++
			}
		}
	}
	return count
}

// readsOf lists what ops of the nest read.
func (w *tableNest) readsOf(ops []ir.Value) []ir.Effect {
	var out []ir.Effect
	read := gather(w.code, func(v ir.Value) (none struct{}, whole bool) {
		if !w.has(v) || !w.g.IsOp(v) {
			return none, true
		}
		out = append(out, w.effects(v)...)
		return none, false
	}, func(_ ir.Value, x, _ struct{}) struct{} { return x })
	for _, v := range ops {
		read.of(v)
	}
	return out
}

// share finds ops of a later loop, which is no nest, that the tables have.
func (l *tableLoop) share(w *tableNest) {
	iv := w.g.Params(w.body)[0]
	lower, trips, ok := w.counts(w.g.Owner(w.body))
	if !ok || lower != l.lower || trips != l.trips || len(w.loops) > 0 {
		return
	}
	p := pairs{&w.nest, &l.nest.nest, map[[2]ir.Value]bool{{iv, l.iv}: true}}
	for _, v := range w.s.Body(w.body) {
		for _, op := range l.ops {
			if w.g.Def(v) == w.g.Def(op) && p.same(v, op) {
				if l.same == nil {
					l.same = map[ir.Value][]alias{}
				}
				l.same[op] = append(l.same[op], alias{v, iv})
			}
		}
	}
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
	if l.lower == 0 {
		return iv
	}
	return arith.SubI(b, iv, b.Index(l.lower))
}

// nest makes the tables of an outermost loop, and leaves the loop.
func (t tabulation) nest(m *ir.Mirror, n ir.Node) ir.Value {
	here := t[n.Graph()]
	for _, l := range here.nests[n.Old()] {
		l.build(m, here)
	}
	for _, t := range here.elements[n.Old()] {
		if !t.hoisted {
			t.build(m)
		}
	}
	return 0
}

// build makes the tables of functions of one loop variable, in one loop.
func (l *tableLoop) build(m *ir.Mirror, here *tables) {
	b, g := m.B, l.nest.g
	mems := make([]ir.Value, len(l.ops))
	for i, v := range l.ops {
		mems[i] = b.Must(ir.Call{Def: memref.Alloca, Type: g.Ctx.MemRef([]int64{l.trips}, g.Type(v))})
	}
	scf.BuildFor(b, b.Index(l.lower), b.Index(l.lower+l.trips), b.Index(1), nil, func(x ir.Value, _ []ir.Value) []ir.Value {
		again := l.nest.again(m, map[ir.Value]ir.Value{l.iv: x})
		for i, v := range l.ops {
			b.Op(memref.Store, again(v), mems[i], l.index(b, x))
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

// A tableNest is looked through for functions that are worth a table.
type tableNest struct {
	nest
	limit, least int
	ops          []costlyOp
	loops        []*tableLoop
	reads        *gathered[ir.Value] // the one read of which a value is made
}

// A costlyOp is one that may be worth a table.
type costlyOp struct {
	v      ir.Value
	trips  int64 // how often the nest has it; 0 where that is not known
	nested bool  // two loops are around it, or there is another one beside it
}

func newTableNest(c *code, loop ir.Value, limit, least int) *tableNest {
	w := &tableNest{nest: nest{code: c, body: c.g.Regions(loop)[0]}, limit: limit, least: least}
	w.reads = w.sources(w.readOf)
	_, trips, _ := c.counts(loop)
	w.enter(w.body, trips, false)
	depends := w.sources(w.dependsOn)
	for _, op := range w.ops {
		if op.nested {
			w.consider(op.v, depends.of(op.v))
		}
	}
	return w
}

// enter lists the costly ops of a region, which runs so often.
func (w *tableNest) enter(r ir.Region, trips int64, nested bool) {
	body := w.s.Body(r)
	nested = nested || slices.ContainsFunc(body, func(v ir.Value) bool { return w.g.Def(v) == scf.For })
	for _, v := range body {
		if slices.Contains(opcost.Functions, w.g.Def(v)) && w.g.Type(v) == ir.F64 {
			w.ops = append(w.ops, costlyOp{v, trips, nested})
		}
		if w.g.Def(v).Has(ir.EffectFree) {
			continue // a table is read
		}
		_, times, _ := w.counts(v)
		for _, in := range w.g.Regions(v) {
			w.enter(in, ir.Times(trips, times), true)
		}
	}
}

// consider gives an op a table if it is a function of one loop variable.
func (w *tableNest) consider(v, iv ir.Value) {
	if iv == nothing || iv == several {
		return
	}
	r, _, _ := w.g.Param(iv)
	lower, trips, _ := w.counts(w.g.Owner(r))
	if trips < int64(w.least) || trips > int64(w.limit) {
		return
	}
	i := slices.IndexFunc(w.loops, func(l *tableLoop) bool { return l.iv == iv })
	if i < 0 {
		i = len(w.loops)
		w.loops = append(w.loops, &tableLoop{nest: w, iv: iv, lower: lower, trips: trips})
	}
	w.loops[i].ops = append(w.loops[i].ops, v)
}

// dependsOn says of a value itself on which loop variable it depends.
func (w *tableNest) dependsOn(v ir.Value) (iv ir.Value, whole bool) {
	if r, i, isParam := w.g.Param(v); isParam {
		if _, _, ok := w.counts(w.g.Owner(r)); ok && i == 0 {
			return v, true
		}
		return several, true
	}
	if w.g.IsPure(v) || w.g.Def(v) == memref.Load && !w.mayTrap(v) && !w.writes(w.effects(v)) {
		return nothing, false
	}
	return several, true
}

// mayTrap reports a read of which an index may be out of bounds.
func (w *tableNest) mayTrap(read ir.Value) bool {
	shape := w.g.Ctx.Info(w.g.Type(w.g.Args(read)[0])).Shape
	for i, x := range w.g.Args(read)[1:] {
		if shape[i] == ir.Dynamic || !w.known.Within(x, 0, shape[i]-1) {
			return true
		}
	}
	return false
}
