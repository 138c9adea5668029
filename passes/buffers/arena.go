package buffers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
)

// Arena puts allocations of known sizes into one.
type Arena struct {
	All bool `opt:"all" doc:"every allocation that the program does not free itself, marked or not"`
}

// ArenaInfo is the row of the pass.
var ArenaInfo = &pass.Info{
	Name: "plan-buffers",
	Doc: "Plans the memory of each region: its owned allocations (" + memref.OwnedAttr + ") of known sizes that are given back in it become views of one allocation. Its offsets " +
		"let two share bytes where they are not needed at the same time. The largest are placed first, each in the smallest gap between those needed with it that it fits into. " +
		"The report draws when each is needed, and says how much is needed at one time at least and how much the plan takes.",
	Why: "After reuse-buffers, which lets loops write over what they read, and before free-buffers, which frees the one allocation.",
	Example: `func.func @f(%x: memref<64xf64>, %y: memref<64xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() {` + memref.OwnedAttr + `} : memref<64xf64>
  scf.for %i = %c0 to %c64 step %c1 {
    %j = arith.subi %c63, %i : index
    %v = memref.load %x[%j] : memref<64xf64>
    memref.store %v, %a[%i] : memref<64xf64>
  }
  %b = memref.alloc() {` + memref.OwnedAttr + `} : memref<64x2xf64>
  scf.for %i = %c0 to %c64 step %c1 {
    %j = arith.subi %c63, %i : index
    %v = memref.load %a[%j] : memref<64xf64>
    memref.store %v, %b[%i, %c0] : memref<64x2xf64>
    memref.store %v, %b[%i, %c1] : memref<64x2xf64>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %j = arith.subi %c63, %i : index
    %v = memref.load %b[%j, %c1] : memref<64x2xf64>
    memref.store %v, %y[%i] : memref<64xf64>
  }
  return
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "arenas", Doc: "allocations that have others in them"},
		{Name: "placed", Doc: "allocations that became views"},
		{Name: "bytes", Doc: "of the arenas"},
		{Name: "apart", Doc: "bytes of what was placed, each on its own"},
		{Name: "peak", Doc: "bytes needed at one time at least"},
	},
	New: func() pass.Pass { return &Arena{} },
}

// Run plans every region of every function, and rebuilds all at once.
func (p *Arena) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	if !slices.ContainsFunc(allocations(g), func(n ir.Node) bool { return p.All || n.Attr(memref.OwnedAttr) != 0 }) {
		return g, nil
	}
	found, rules := map[*ir.Graph]*arenas{}, ir.Rules{}
	newScope(g, nil, p.All, func(f *function) {
		if f.result == nil || found[f.body] != nil {
			return
		}
		u := &sharing{a: f.result, ctx: ctx, known: affine.Of(f.body)}
		x := &arenas{sharing: u, of: map[ir.Value]*Plan{}}
		x.region(ir.Root)
		for _, pl := range x.plans {
			x.report(ctx, pl)
			for _, b := range pl.Buffers {
				x.of[b.alloc] = pl
				rules[f.body.Def(b.alloc)] = nil
			}
		}
		found[f.body] = x
	})
	if len(rules) == 0 {
		return g, nil
	}
	// The rules were keys only so far: one function serves all definitions, and asks for the plan of the op.
	for def := range rules {
		rules[def] = func(m *ir.Mirror, n ir.Node) ir.Value {
			if x := found[n.Graph()]; x != nil && x.of[n.Old()] != nil {
				return x.rebuild(m, n)
			}
			return 0
		}
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), nil
}

// arenas are the plans of a graph.
type arenas struct {
	*sharing
	plans []*Plan
	of    map[ir.Value]*Plan
}

// region plans a region, and those in it.
func (x *arenas) region(r ir.Region) {
	p := &Plan{region: r}
	for _, v := range x.a.body.s.Body(r) {
		if b, ok := x.buffer(v); ok {
			p.Buffers = append(p.Buffers, b)
		}
		for _, in := range x.a.body.g.Regions(v) {
			x.region(in)
		}
	}
	if len(p.Buffers) > 1 && len(p.Buffers) <= mostPlanned {
		p.place()
		x.plans = append(x.plans, p)
	}
}

// mostPlanned bounds the allocations of one plan: each is compared with all.
const mostPlanned = 4096

// buffer reads an allocation of known size that ends in its region.
func (x *arenas) buffer(v ir.Value) (b Buffer, ok bool) {
	g := x.a.body.g
	info := g.Ctx.Info(g.Type(v))
	if g.Def(v) != memref.Alloc || !x.isOurs(v) || info.Layout != 0 || info.Space != 0 || g.Attr(v, "alignment") != 0 {
		return b, false
	}
	size, ok := g.Ctx.MemBytes(info.Elem)
	if !ok || size == 0 {
		return b, false
	}
	// The bound keeps the product from overflowing.
	for _, n := range info.Shape {
		if n <= 0 || size > ir.MaxElements/n {
			return b, false
		}
		size = ir.Times(size, n)
	}
	if !x.stays(v) {
		return b, false
	}
	last, ok := x.ends(v)
	return Buffer{alloc: v, Size: size, First: x.begins(v), Last: last}, ok && x.begins(v) <= last
}

// stays reports an allocation that nothing but itself and views of it are: no loop carries it, no branch yields it.
func (x *arenas) stays(v ir.Value) bool {
	for _, k := range x.a.alias[x.a.ledger.own[key{v, 0}]] {
		n := k.node
		for n != v {
			view, ok := ir.As[ir.ViewLike](x.a.body.g.NodeOf(n))
			if !ok {
				return false
			}
			n, _, _ = x.a.body.g.Projection(view.Source)
		}
	}
	return true
}

// rebuild makes a view of an allocation; the first of a plan makes the arena.
func (x *arenas) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	p := x.of[n.Old()]
	made := m.Once(x, func() any { return map[*Plan]ir.Value{} }).(map[*Plan]ir.Value)
	c := m.B.Ctx()
	if first := p.Buffers[0].alloc; n.Old() == first {
		made[p] = memref.BuildOwned(m.B, c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: []int64{p.Bytes}, Elem: ir.I8}), align)
	} else {
		// The rule of the first buffer makes the arena, wherever the mirror is.
		m.Of(x.a.body.g.NodeOf(first))
	}
	at := slices.IndexFunc(p.Buffers, func(b Buffer) bool { return b.alloc == n.Old() })
	return m.B.Must(ir.Call{Def: memref.View, Args: []ir.Value{made[p], m.B.Index(p.Buffers[at].Offset)}, Type: n.Type()})
}

// report draws a plan.
func (x *arenas) report(ctx *pass.Context, p *Plan) {
	ctx.Count("arenas", 1)
	ctx.Count("placed", len(p.Buffers))
	ctx.Count("bytes", int(p.Bytes))
	ctx.Count("apart", int(p.Apart()))
	ctx.Count("peak", int(p.Peak()))
	if !ctx.Reports() {
		return
	}
	p.Where = strings.TrimSpace(x.a.where())
	for i, b := range p.Buffers {
		p.Buffers[i].Name = fmt.Sprintf("%s, %s", text.TypeString(x.a.body.g.Ctx, x.a.body.g.Type(b.alloc)), ctx.Where(x.a.body.g, b.alloc))
	}
	ctx.Show(p)
	for line := range strings.Lines(p.String()) {
		ctx.Remark("%s", strings.TrimRight(line, "\n"))
	}
}

// A Plan says where in one allocation the buffers of a region are.
type Plan struct {
	Where   string   // the function
	Buffers []Buffer // in the order of the program
	Bytes   int64    // of the allocation
	region  ir.Region
}

// A Buffer is needed from one op of its region to another, both included, and is at an offset.
type Buffer struct {
	Name         string
	Size, Offset int64
	First, Last  int
	alloc        ir.Value
}

// align is what offsets are multiples of: a line of a cache, or a vector.
const align = 64

// aligned rounds a size up to the next multiple of align.
func aligned(n int64) int64 { return (n + align - 1) / align * align }

// meets reports buffers that are needed at one time.
func (b Buffer) meets(o Buffer) bool { return b.First <= o.Last && o.First <= b.Last }

// place gives the buffers their offsets: the largest first, each in the smallest gap that it fits into between those that are
// needed with it (best fit), or behind them.
func (p *Plan) place() {
	// The least arena is NP-hard to find (dynamic storage allocation, Garey and Johnson 1979). So this is a
	// heuristic.
	order := make([]int, len(p.Buffers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p.Buffers[j].Size, p.Buffers[i].Size) })
	var placed []Buffer // by offset
	for _, i := range order {
		b := &p.Buffers[i]
		// placed is sorted by offset. end is how far the buffers needed with this one reach, so that a gap
		// ends at the next of them.
		end, best := int64(0), int64(-1)
		size := aligned(b.Size)
		for _, o := range placed {
			if !o.meets(*b) {
				continue
			}
			if gap := o.Offset - end; gap >= size && (best < 0 || gap < best) {
				best, b.Offset = gap, end
			}
			end = max(end, o.Offset+aligned(o.Size))
		}
		if best < 0 {
			b.Offset = end
		}
		p.Bytes = max(p.Bytes, b.Offset+size)
		at, _ := slices.BinarySearchFunc(placed, b.Offset, func(o Buffer, x int64) int { return cmp.Compare(o.Offset, x) })
		placed = slices.Insert(placed, at, *b)
	}
}

// Apart is how much the buffers take that are each on its own.
func (p *Plan) Apart() (n int64) {
	for _, b := range p.Buffers {
		n += aligned(b.Size)
	}
	return n
}

// Peak is how much is needed at one time at most: no plan takes less.
func (p *Plan) Peak() (most int64) {
	for _, b := range p.Buffers {
		most = max(most, p.Needed(b.First))
	}
	return most
}

// Needed is how much is needed at an op of the region.
func (p *Plan) Needed(at int) (n int64) {
	for _, b := range p.Buffers {
		if b.First <= at && at <= b.Last {
			n += aligned(b.Size)
		}
	}
	return n
}

// mostColumns is how wide lifetimes are drawn.
const mostColumns = 48

// String is a line about the plan, and one for each buffer with when it is needed.
func (p *Plan) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %d buffers in %d bytes; each on its own they take %d, and %d are needed at one time\n", p.Where, len(p.Buffers), p.Bytes, p.Apart(), p.Peak())
	first, last := p.Span()
	columns := min(last-first+1, mostColumns)
	column := func(at int) int { return (at - first) * columns / (last - first + 1) }
	for _, b := range p.Buffers {
		line := []byte(strings.Repeat(".", columns))
		for i := column(b.First); i <= column(b.Last); i++ {
			line[i] = '#'
		}
		fmt.Fprintf(&out, "  %s  %10d + %-10d %s\n", line, b.Offset, b.Size, b.Name)
	}
	return out.String()
}

// Span is the first and the last op that a buffer is needed at.
func (p *Plan) Span() (first, last int) {
	first = p.Buffers[0].First
	for _, b := range p.Buffers {
		first, last = min(first, b.First), max(last, b.Last)
	}
	return first, last
}
