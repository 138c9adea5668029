package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/passes/pass"
)

// VersionBounds takes bounds checks out of nests of loops.
type VersionBounds struct{}

// VersionBoundsInfo is the row of version-bounds.
var VersionBoundsInfo = &pass.Info{
	Name: "version-bounds",
	Doc: "Asks before an outermost loop once whether all indices that are linear in the indices of its loops are inside of their memory. " +
		"If so, a version of the loop runs whose accesses say that they are in bounds, else the loop as it is, which traps where it always did. " +
		"The greatest and the least index follow from the bounds of the loops, as in inductive range check elimination.",
	Why: "Late: it copies loops. Before loop-hints and lowering to LLVM, for which a check is a way out of a loop, and such loops become no vectors.",
	Example: `func.func @f(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return
}
`,
	Statistics: []pass.Statistic{
		{Name: "versions", Doc: "loops that got a version"},
		{Name: "accesses", Doc: "accesses in these that are not checked"},
	},
	New: func() pass.Pass { return &VersionBounds{} },
}

// Numbers of which the least and greatest index are computed are at most this far from 0, which
// is asked when it runs, and multiples and constants at most that far: then no sum of a few
// products overflows.
const farNumber, farMultiple = 1 << 40, 1 << 16

// Run copies the loops for which that pays.
func (*VersionBounds) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	x := &bounds{versions[*version]{of: map[ir.Node]*version{}}}
	eachCode(g, ir.Node{}, func(c *code, _ ir.Node) {
		x.find(c, func(loop *nest) (*version, bool) {
			p := &versionPlan{nest: loop, made: &version{proved: map[ir.Value]bool{}}}
			return p.made, p.accesses(loop.body) && len(p.made.ranges) > 0
		})
	})
	if len(x.of) == 0 {
		return g, nil
	}
	ctx.Count("versions", len(x.of))
	for _, v := range x.of {
		ctx.Count("accesses", len(v.proved))
	}
	return x.rebuild(g, ir.Rules{memref.Load: x.access, memref.Store: x.access, vector.Load: x.access, vector.Store: x.access}, x.condition), nil
}

// bounds are the versions of the loops of a program.
type bounds struct{ versions[*version] }

// A version is a loop and what has to hold where it runs without checks.
type version struct {
	proved map[ir.Value]bool // the accesses
	ranges []*indexRange
	atoms  []ir.Value // of the bounds
}

// An indexRange is what is asked of an index of memory: least >= 0 and most < the extent of a
// dimension. Both are forms in what does not change in the loop; those of accesses that differ
// by constants are one.
type indexRange struct {
	memory      ir.Value
	dim         int
	least, most affine.Linear
}

// versionPlan finds what has to hold for the version of a loop.
type versionPlan struct {
	*nest
	made *version
}

// accesses looks at the accesses of a region that run whenever the loops around them do: what
// is under a condition may be inside only because of it. It reports that one in an innermost
// loop is freed of its check.
func (p *versionPlan) accesses(r ir.Region) (pays bool) {
	innermost, freed := true, false
	for _, v := range p.s.Body(r) {
		switch def := p.g.Def(v); {
		case isCounted(p.g, v):
			innermost = false
			pays = p.accesses(p.g.Regions(v)[0]) || pays
		case def == memref.Load || def == vector.Load:
			freed = p.access(v, p.g.Args(v), p.g.Type(v)) || freed
		case def == memref.Store || def == vector.Store:
			freed = p.access(v, p.g.Args(v)[1:], p.g.Type(p.g.Args(v)[0])) || freed
		}
	}
	return pays || innermost && freed
}

// access notes what has to hold for an access of memory at indices, of an element or of a vector of type t that begins there,
// unless that is known; it reports a check that is freed.
func (p *versionPlan) access(v ir.Value, args []ir.Value, t ir.Type) bool {
	m := args[0]
	info := p.g.Ctx.Info(p.g.Type(m))
	var lanes []int64
	if t != info.Elem {
		lanes = p.g.Ctx.Info(t).Shape
	}
	if p.has(m) || info.Unranked || info.Layout != 0 || p.g.Attr(v, memref.InBoundsAttr) != 0 {
		return false
	}
	var ranges []*indexRange
	for d, index := range args[1:] {
		x := &indexRange{memory: m, dim: d}
		form := p.known.Linear(index)
		var ok1, ok2 bool
		x.least, ok1 = p.extreme(form, false)
		x.most, ok2 = p.extreme(form, true)
		if !ok1 || !ok2 {
			return false
		}
		if k := d - len(args) + 1 + len(lanes); k >= 0 && len(lanes) > 0 {
			x.most.Const += uint64(lanes[k] - 1)
			if !p.small(x.most) {
				return false
			}
		}
		ranges = append(ranges, x)
	}
	asks := false
	for _, x := range ranges {
		asks = p.ask(x) || asks
	}
	p.made.proved[v] = true
	return asks
}

// extreme is a bound of a form, from above or below, in what is made before the loop: the
// index of a loop is replaced by its bounds, the innermost first.
func (p *versionPlan) extreme(l affine.Linear, above bool) (affine.Linear, bool) {
	const most = 32 // replacements
	for range most {
		at := -1
		for i, t := range l.Terms {
			if p.has(t.Value) {
				at = i // the last is that of the innermost loop
			}
		}
		if at < 0 {
			return l, p.small(l) && !slices.ContainsFunc(l.Terms, func(t affine.Term) bool { return !p.defined(t.Value) })
		}
		t := l.Terms[at]
		by, ok := p.boundOf(t.Value, (l.Int(t.Coef) > 0) == above)
		if !ok || !p.small(l) {
			return l, false
		}
		without := l
		without.Terms = slices.Delete(slices.Clone(l.Terms), at, at+1)
		l = without.Plus(t.Coef, by)
	}
	return l, false
}

// defined reports a value that is not poison, of which a condition would trap: what a loop that
// does not run would have counted to may be. If a bound of the loop looked at is, that traps.
func (p *versionPlan) defined(v ir.Value) bool { return !p.g.MayBePoison(v) || p.bounds(v) }

func (p *versionPlan) loopOf(v ir.Value) ir.LoopLike {
	l, _ := ir.As[ir.LoopLike](p.g.NodeOf(v))
	return l
}

// bounds reports a value of which a bound of the loop looked at is a form.
func (p *versionPlan) bounds(v ir.Value) bool {
	l := p.loopOf(p.g.Owner(p.body))
	for _, bound := range slices.Concat(l.Lower, l.Upper) {
		b := bound.Value
		if b == v || slices.ContainsFunc(p.known.Linear(b).Terms, func(t affine.Term) bool { return t.Value == v }) {
			return true
		}
	}
	return false
}

// boundOf bounds a value made in the loop: an index by those of its loop, a minimum from above
// and a maximum from below by an operand.
func (p *versionPlan) boundOf(v ir.Value, above bool) (affine.Linear, bool) {
	if r, i, ok := p.g.Param(v); ok {
		owner := p.g.Owner(r)
		if !isCounted(p.g, owner) {
			return affine.Linear{}, false
		}
		l := p.loopOf(owner)
		if i >= len(l.Indices) {
			return affine.Linear{}, false
		}
		if above {
			by := p.operand(l.Upper[i].Value, arith.Minsi)
			by.Const--
			return by, true
		}
		return p.operand(l.Lower[i].Value, arith.Maxsi), true
	}
	if def := p.g.Def(v); def == arith.Minsi && above || def == arith.Maxsi && !above {
		return p.operand(v, def), true
	}
	return affine.Linear{}, false
}

// operand is a form that bounds a value: its own, or of a minimum or maximum that of an operand,
// one that is made before the loop if there is one.
func (p *versionPlan) operand(v ir.Value, extreme *ir.OpDef) affine.Linear {
	for p.g.Def(v) == extreme {
		args := p.g.Args(v)
		if v = args[0]; p.has(v) && !p.has(args[1]) {
			v = args[1]
		}
	}
	return p.known.Linear(v)
}

// small reports a form with multiples and a constant that are near 0.
func (p *versionPlan) small(l affine.Linear) bool {
	near := func(n int64) bool { return -farMultiple <= n && n <= farMultiple }
	for _, t := range l.Terms {
		if !near(l.Int(t.Coef)) {
			return false
		}
	}
	return l.Width == 64 && near(l.Int(l.Const))
}

// ask notes a range, if it is not known to be inside.
func (p *versionPlan) ask(x *indexRange) bool {
	if p.known.NumberOf(x.least).Low >= 0 && p.below(x) {
		return false
	}
	for _, l := range []affine.Linear{x.least, x.most} {
		for _, t := range l.Terms {
			if !slices.Contains(p.made.atoms, t.Value) {
				p.made.atoms = append(p.made.atoms, t.Value)
			}
		}
	}
	for _, y := range p.made.ranges {
		if x.memory == y.memory && x.dim == y.dim && slices.Equal(x.least.Terms, y.least.Terms) && slices.Equal(x.most.Terms, y.most.Terms) {
			if y.least.Int(y.least.Const) > x.least.Int(x.least.Const) {
				y.least = x.least
			}
			if y.most.Int(y.most.Const) < x.most.Int(x.most.Const) {
				y.most = x.most
			}
			return true
		}
	}
	p.made.ranges = append(p.made.ranges, x)
	return true
}

// below reports that the greatest index is known to be less than the extent: that less
// something.
func (p *versionPlan) below(x *indexRange) bool {
	if n := p.g.Ctx.Info(p.g.Type(x.memory)).Shape[x.dim]; n != ir.Dynamic {
		return p.known.NumberOf(x.most).High < n
	}
	if len(x.most.Terms) != 1 || x.most.Int(x.most.Terms[0].Coef) != 1 || x.most.Int(x.most.Const) >= 0 {
		return false
	}
	v := x.most.Terms[0].Value
	if p.g.Def(v) != memref.Dim || p.g.Args(v)[0] != x.memory {
		return false
	}
	d, ok := p.g.Const(p.g.Args(v)[1])
	return ok && d.Ref == nil && int64(d.Bits) == int64(x.dim)
}

// access copies an access; in a version it says that it is in bounds.
func (x *bounds) access(m *ir.Mirror, n ir.Node) ir.Value {
	if c := x.copied(n.Graph()); c == nil || !c.first || !c.of.proved[n.Old()] {
		return 0
	}
	c := m.B.Ctx()
	return m.CopyWith(n, c.WithDiscardable(n.Attrs(), memref.InBoundsAttr, c.UnitAttr()))
}

// condition is what has to hold for a version to run.
func (*bounds) condition(m *ir.Mirror, n ir.Node, x *version) ir.Value {
	b, g := m.B, n.Graph()
	all := b.Const(ir.I1, ir.IntVal(1, 1))
	ask := func(p arith.CmpIPredicate, lhs, rhs ir.Value) {
		all = b.Op(arith.Andi, all, arith.CmpI(b, p, lhs, rhs))
	}
	index := func(v ir.Value) ir.Value {
		if g.Type(v) == ir.Index {
			return m.Of(g.NodeOf(v))
		}
		return b.Must(ir.Call{Def: arith.IndexCast, Args: []ir.Value{m.Of(g.NodeOf(v))}, Type: ir.Index})
	}
	for _, v := range x.atoms {
		ask(arith.ULE, b.Op(arith.Addi, index(v), b.Index(farNumber)), b.Index(2*farNumber))
	}
	value := func(l affine.Linear) ir.Value {
		sum := b.Index(l.Int(l.Const))
		for _, t := range l.Terms {
			sum = b.Op(arith.Addi, sum, b.Op(arith.Muli, index(t.Value), b.Index(l.Int(t.Coef))))
		}
		return sum
	}
	for _, r := range x.ranges {
		mem := m.Of(g.NodeOf(r.memory))
		size := b.Op(memref.Dim, mem, b.Index(int64(r.dim)))
		ask(arith.SGE, value(r.least), b.Index(0))
		ask(arith.SLT, value(r.most), size)
	}
	return all
}
