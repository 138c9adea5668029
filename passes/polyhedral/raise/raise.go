package raise

import (
	"errors"
	"fmt"
	"math"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/ordering"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Pass makes systems of affine loops.
type Pass struct {
	Only string // the attribute that loops have; "" for all
}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "raise-affine",
	Doc: "Makes programs over polyhedra of loops whose bounds, conditions and indices are affine: a poly.system of a statement for each store, in the order of the loops. " +
		"Loops that stand one after the other become one system. That an access is outside of its memory is found before the loops. Loops of which something is not affine, " +
		"or which do more than to access memory, stay as they are, and those in them are tried. Sums of indices of 64 bits are taken not to wrap.",
	Why: "Before poly-schedule and poly-codegen, which make better loops of the same instances.",
	Example: `func.func @f(%n: index, %a: memref<?xf64> {llvm.noalias}, %b: memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%i - %j] : memref<?xf64>
      %y = affine.load %b[%i] : memref<?xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %b[%i] : memref<?xf64>
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "raised", Doc: "loops that became part of a system"}},
	New:        func() pass.Pass { return &Pass{} },
}

// Run reads all loops before anything is rebuilt.
func (p *Pass) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, err error) {
	defer unwind.To(&err)
	all := map[*ir.Graph]*raiser{}
	rules := ir.Rules{}
	n := 0
	unwind.Check(systems.EveryGraph(g, func(g *ir.Graph) error {
		s := ir.ScheduleOf(g)
		r := &raiser{ctx: ctx, only: p.Only, g: g, s: s, known: affine.Of(g), effects: g.Effects(), groups: ordering.NewGroups(s), programs: map[ir.Value]*program{}}
		r.block(ir.Root)
		for v := range r.programs {
			n++
			rules[g.Def(v)] = func(m *ir.Mirror, n ir.Node) ir.Value {
				if r := all[n.Graph()]; r != nil {
					return r.rule(m, n)
				}
				return 0
			}
		}
		all[g] = r
		return nil
	}))
	if n == 0 {
		return g, nil
	}
	ctx.Count("raised", n)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), nil
}

// A raiser finds what can be raised in a graph.
type raiser struct {
	ctx      *pass.Context
	only     string
	g        *ir.Graph
	s        *ir.Schedule
	known    affine.Analysis
	effects  func(v ir.Value) []ir.Effect
	groups   *ordering.Groups
	programs map[ir.Value]*program // by the loops that they replace
}

// rule replaces a loop by the system of its program, in the place that its group finds.
func (r *raiser) rule(m *ir.Mirror, n ir.Node) ir.Value {
	p := r.programs[n.Old()]
	if p == nil {
		return 0
	}
	return r.groups.Rule(p.emit)(m, n)
}

// block finds the loops of a region that stand one after the other, and goes into those that
// stay.
func (r *raiser) block(region ir.Region) {
	// The run has what may become one system; what can neither join nor stand between ends it.
	var run []ir.Value
	flush := func() {
		r.raise(run)
		run = nil
	}
	for _, v := range r.s.Body(region) {
		if r.only != "" && r.g.Attr(v, r.only) == 0 {
			flush()
			for _, in := range r.g.Regions(v) {
				r.block(in)
			}
			continue
		}
		if !r.isLoop(v) {
			if r.joins(v) {
				run = append(run, v)
				continue
			}
			if len(r.g.Regions(v)) > 0 || r.g.HasEffect(v) && !r.onlyReads(v) {
				flush()
			}
			for _, in := range r.g.Regions(v) {
				r.block(in)
			}
			continue
		}
		if _, err := r.read([]ir.Value{v}); err != nil {
			r.stays(v, err)
			flush()
			for _, in := range r.g.Regions(v) {
				r.block(in)
			}
			continue
		}
		run = append(run, v)
		// What follows may use the results, which the system has only behind all of its loops.
		if r.g.Results(v) > 0 {
			flush()
		}
	}
	flush()
}

// onlyReads reports an op that may stand between loops which become one system; whether it
// can be before or after that, the group decides.
func (r *raiser) onlyReads(v ir.Value) bool {
	if ir.Implements[ir.Allocation](r.g.Ctx, r.g.Def(v)) {
		return true
	}
	return lists.All(r.effects(v), func(e ir.Effect) bool { return e.Kind == ir.Read })
}

// joins reports what stands between loops and is raised with them: a store, or a conditional that has loops
// in it.
func (r *raiser) joins(v ir.Value) bool {
	if r.g.Results(v) > 0 || len(r.g.Regions(v)) > 0 && !r.holdsLoop(v) || !r.g.HasEffect(v) && len(r.g.Regions(v)) == 0 {
		return false
	}
	n := r.g.NodeOf(v)
	_, isBranch := ir.As[ir.BranchLike](n)
	_, isAccess := ir.As[ir.AccessLike](n)
	if !isBranch && !isAccess && n.Def() != affinedialect.If {
		return false
	}
	_, err := r.read([]ir.Value{v})
	return err == nil
}

// holdsLoop reports a loop, or what has one in it.
func (r *raiser) holdsLoop(v ir.Value) bool {
	if r.isLoop(v) {
		return true
	}
	for _, in := range r.g.Regions(v) {
		if slices.ContainsFunc(r.s.Body(in), r.holdsLoop) {
			return true
		}
	}
	return false
}

// isLoop reports a loop of the affine dialect or of another one.
func (r *raiser) isLoop(v ir.Value) bool {
	d := r.g.Def(v)
	return d == affinedialect.For || d == affinedialect.Parallel || ir.Implements[ir.LoopLike](r.g.Ctx, d)
}

// raise makes one system of loops, or one for each if something stands between them.
func (r *raiser) raise(run []ir.Value) {
	if !slices.ContainsFunc(run, r.holdsLoop) {
		return
	}
	p, err := r.program(run)
	if err == nil && !r.groups.Add(run...) {
		err = errors.New("what stands between the loops needs one and is needed by another")
	}
	// Halves may succeed where the whole does not; the recursion ends at single ops.
	if err != nil && len(run) > 1 {
		r.raise(run[:len(run)/2])
		r.raise(run[len(run)/2:])
		return
	}
	if err != nil {
		r.stays(run[0], err)
		// A conditional that joined may still have loops in it that can be raised by themselves.
		if !r.isLoop(run[0]) {
			for _, in := range r.g.Regions(run[0]) {
				r.block(in)
			}
		}
		return
	}
	for _, v := range run {
		r.programs[v] = p
	}
	if r.ctx.Reports() {
		r.ctx.Remark("%s: the loop is raised: %s", r.ctx.Where(r.g, run[0]), p.describe(len(run)))
	}
}

// describe says in a remark what a program has.
func (p *program) describe(loops int) string {
	arrays := 0
	for _, m := range p.arrays {
		if m.value != 0 {
			arrays++
		}
	}
	out := fmt.Sprintf("%s over %s", count(len(p.sentences), "statement"), count(arrays, "array"))
	if loops > 1 {
		out += fmt.Sprintf(", with the %s behind it", count(loops-1, "loop"))
	}
	return out
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// stays says why a loop is not raised.
func (r *raiser) stays(v ir.Value, err error) {
	if !r.ctx.Reports() {
		return
	}
	var h *hindrance
	if errors.As(err, &h) && h.at != 0 {
		r.ctx.Remark("%s: the loop stays as it is: %s, at %s", r.ctx.Where(r.g, v), h.why, r.ctx.Where(r.g, h.at))
		return
	}
	r.ctx.Remark("%s: the loop stays as it is: %v", r.ctx.Where(r.g, v), err)
}

// read reads loops that stand one after the other.
func (r *raiser) read(loops []ir.Value) (_ *nest, err error) {
	defer unwind.To(&err)
	n := &nest{g: r.g, s: r.s, known: r.known, effects: r.effects, inside: map[ir.Value]bool{}, dims: map[ir.Value]string{},
		named: map[ir.Value]string{}, of: map[value]*memory{}, reads: map[value]*access{},
		choices: map[ir.Value]ir.Value{}, carried: map[value]carrier{}}
	for _, v := range loops {
		n.op(v, moment{})
	}
	if len(n.writes) == 0 {
		return nil, errors.New("it writes nothing")
	}
	slices.Sort(n.params) // arguments in their order
	n.apart()
	return n, nil
}

// program makes a program of loops that stand one after the other.
func (r *raiser) program(loops []ir.Value) (_ *program, err error) {
	defer unwind.To(&err)
	n := unwind.Must(r.read(loops))
	p := n.build()
	// Assertions come before bounds, which uses them as facts. Extents come last, since bounds names the
	// sizes.
	p.asserted = p.assumed(loops[0], math.MaxInt)
	p.bounds()
	p.context = unwind.Must(presburger.SetWhere(p.parameters(), presburger.Tuple{}, presburger.And(p.facts()...)))
	p.extents()
	return p, nil
}

// extents are those of what a system has for itself, and of arrays that are read by indices
// that are computed.
func (p *program) extents() {
	for _, m := range p.arrays {
		var dims []string
		var box []presburger.Formula
		names := p.parameters()
		// The cell of a value has no dimensions, and so an empty box.
		switch {
		case m.value == 0:
		case m.gathered:
			for d, k := range p.sizesOf(m) {
				i := fmt.Sprintf("a%d", d)
				dims = append(dims, i)
				box = append(box, presburger.NonNeg(presburger.Variable(i)), presburger.NonNeg(k.Minus(presburger.Variable(i)).Minus(presburger.Number(1))))
			}
			for _, s := range p.sizes {
				if s.memory == m {
					names = append(names, s.name)
				}
			}
		default:
			continue
		}
		m.extent = unwind.Must(presburger.SetWhere(names, presburger.NewTuple(m.name, dims...), presburger.And(box...)))
	}
}
