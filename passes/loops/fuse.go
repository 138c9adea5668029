package loops

import (
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/ordering"
	"github.com/irc-lang/irc/passes/pass"
)

// Fuse makes one loop of several with the same bounds.
type Fuse struct{ Which }

// FuseInfo is the row of the pass.
var FuseInfo = &pass.Info{
	Name: "loop-fuse",
	Doc: "Makes one loop of several that stand in one region and have the same bounds, each iteration doing what those of each do, one after the other. No iteration may need what a later one of a loop before it does. " +
		"Loops in loops that were fused are with repeat(loop-fuse). A loop that is chosen is fused with at least the next one that has its bounds.",
	Why: "After inline, when the loops of several functions stand in one; before loop-tile, which wants what belongs together in one nest.",
	Example: `func.func @f(%A: memref<8xf64> {llvm.noalias}, %B: memref<8xf64> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    %x = affine.load %A[%i] : memref<8xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %B[%i] : memref<8xf64>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %B[%i] : memref<8xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %A[%i] : memref<8xf64>
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "fused", Doc: "loops that became one with others"}},
	New:        func() pass.Pass { return &Fuse{} },
}

// Run rewrites the loops of every function.
func (p *Fuse) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "fused", "cannot be fused", p.find)
}

// maxGroup bounds the loops that become one, each of which is compared with each, and maxBetween the ops among which they are
// looked for.
const maxGroup, maxBetween = 16, 200

// find makes a group of a loop and those behind it that can be.
func (p *Fuse) find(f *function, v ir.Value) (*change, error) {
	if _, err := f.stepOf(v); err != nil {
		return nil, err
	}
	group, why := []ir.Value{v}, fmt.Errorf("has no loop of the same bounds behind it")
	body := f.s.Body(f.s.Place(v))
	at := slices.Index(body, v) + 1
	for _, w := range body[at:min(len(body), at+maxBetween)] {
		if len(group) == maxGroup {
			break
		}
		if !isFor(f.g.Def(w)) || !f.sameBounds(v, w) || f.changes[w] != nil {
			continue
		}
		if err := f.fuses(group, w); err != nil {
			why = err
			break
		}
		group = append(group, w)
	}
	if f.groups == nil {
		f.groups = ordering.NewGroups(f.s)
	}
	// The ops between must be able to move out: the last loop is left out until they can.
	for ; len(group) > 1; group = group[:len(group)-1] {
		if f.groups.Add(group...) {
			return f.fused(group), nil
		}
		why = fmt.Errorf("gives what is needed between it and %s, or what stands there is needed by that", f.at(group[len(group)-1]))
	}
	return nil, why
}

// sameBounds reports two loops of one kind that run over the same.
func (f *function) sameBounds(v, w ir.Value) bool {
	a, b := f.g.NodeOf(v), f.g.NodeOf(w)
	if a.Def() != b.Def() {
		return false
	}
	x, errX := f.stepOf(v)
	y, errY := f.stepOf(w)
	if errX != nil || errY != nil || x != y {
		return false
	}
	s, t := spanOf(a, x), spanOf(b, y)
	same := func(p, q affinedialect.Point) bool {
		return expr.Equal(p.Expr, q.Expr) && slices.Equal(p.Dims, q.Dims) && slices.Equal(p.Syms, q.Syms)
	}
	return slices.EqualFunc(s.lower, t.lower, same) && slices.EqualFunc(s.upper, t.upper, same)
}

// fuses checks that no iteration of a loop needs to come after a later one of the loops before it.
func (f *function) fuses(group []ir.Value, w ir.Value) error {
	for _, v := range group {
		if f.uses(w, v) {
			return fmt.Errorf("gives a value that %s needs", f.at(w))
		}
		o, err := f.orderOf(1, v, w)
		if err != nil {
			return err
		}
		o.as = map[ir.Value]ir.Value{w: v}
		if err := o.across(v, w); err != nil {
			return o.plain(err)
		}
	}
	return nil
}

// uses reports an op that has a result of another for an operand, or something in it that has.
func (f *function) uses(w, v ir.Value) bool {
	for _, a := range f.g.Args(w) {
		if n, _, _ := f.g.Projection(a); n == v || a == v {
			return true
		}
	}
	for _, r := range f.g.Regions(w) {
		if slices.ContainsFunc(f.s.Body(r), func(x ir.Value) bool { return f.uses(x, v) }) {
			return true
		}
	}
	return false
}

// across checks the accesses of a loop against those of one behind it.
func (o *order) across(v, w ir.Value) error {
	for i, a := range o.acc.List {
		for j, b := range o.acc.List {
			same := a.Memory == b.Memory
			if a.Loops[0] != v || b.Loops[0] != w || !a.Writes && !b.Writes || !same && !o.g.MayAlias(a.On, b.On) || same && a.Update != poly.Set && a.Update == b.Update {
				continue
			}
			d, exact, err := o.test(i, j, 1)
			if err != nil {
				return err
			}
			for _, x := range d.Vectors {
				// The later loop would do this in an iteration before the one in which the earlier loop does
				// its part.
				if x.At(0) == depend.Negative {
					return fmt.Errorf("has a dependence that would be turned around: %s", o.says(conflict{a, b, i, j, exact, d}, x))
				}
			}
		}
	}
	return nil
}

// fused makes one loop of a group.
func (f *function) fused(group []ir.Value) *change {
	rule := f.groups.Rule(func(m *ir.Mirror, members []ir.Node) []ir.Value {
		first := members[0]
		var carried []ir.Value
		at := []int{0}
		for _, n := range members {
			carried = append(carried, inits(m, n)...)
			at = append(at, len(carried))
		}
		step, _ := f.stepOf(first.Old())
		out := makeLoop(m, first, first.Attrs(), spanOf(first, step).mirrored(m, f.g), carried, func(iv ir.Value, carried []ir.Value) []ir.Value {
			var ys []ir.Value
			for k, n := range members {
				ys = append(ys, m.Body(n.Region(0), append([]ir.Value{iv}, carried[at[k]:at[k+1]]...)...)...)
			}
			return ys
		}, group[1:]...)
		vals := make([]ir.Value, len(members))
		for k := range members {
			vals[k] = m.B.Pack(out[at[k]:at[k+1]]...)
		}
		return vals
	})
	c := &change{rule: rule, loops: group, what: fmt.Sprintf("and %d behind it became one", len(group)-1)}
	for _, v := range group {
		c.inside = append(c.inside, f.body(v))
		f.changes[v] = c
	}
	return c
}
