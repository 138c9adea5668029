package loops

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
)

// Interchange puts the loops of a nest in another order.
type Interchange struct {
	Which
	Order []int `opt:"order" doc:"the loops by their place now, 0 the outermost, in their new order; if it is empty the order is the best of those allowed: the one with the fewest large strides of accesses in its inner loops"`
	Sums  bool  `opt:"sums" doc:"only loops in which an inner one adds up what both carry, and writes nothing: each gets a nest of its own behind what else the outer loop does (loop distribution), where the innermost loop has fewer large strides then"`
	Over  int   `opt:"over" doc:"with sums: only nests that access more bytes of memory than so many, or memory of unknown size: what is in a cache can be accessed in any order; 0 is the target's innermost cache"`
}

// InterchangeInfo is the row of the pass.
var InterchangeInfo = &pass.Info{
	Name: "loop-interchange",
	Doc: "Puts the loops of a nest in another order, of affine or scf. Each pair of accesses to one element, one of which writes, has to stay in its order, as have additions of floats that are not flagged reassoc. " +
		"What stands between the loops of a nest may only compute and read; it goes into the innermost. Bounds of affine loops may be sums of the indices around them. " +
		"With sums, a loop may do more than its inner loop does. That one has to add up what the loop carries, by additions that may be done in any order, and to read what the loop does not write: so much can be done behind it.",
	Why: "Before lower-affine, while bounds and indices are to be read; before loop-tile and unroll-and-jam, which keep the order of loops, and unroll{inner=true} and split-sums, which look at inner loops.",
	Example: `func.func @f(%A: memref<8x16xf64>, %B: memref<16x8xf64> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %x = affine.load %A[%i, %j] : memref<8x16xf64>
      affine.store %x, %B[%j, %i] : memref<16x8xf64>
    }
  }
  return
}
`,
	Pipeline:   "loop-interchange{order=1,0}",
	Statistics: []pass.Statistic{{Name: "interchanged", Doc: "nests whose loops got another order"}},
	New:        func() pass.Pass { return &Interchange{} },
}

// Check refuses what is no order.
func (p *Interchange) Check() error {
	if p.Sums && len(p.Order) > 0 {
		return errors.New("sums=true has no order=: it is that of the accesses")
	}
	if p.Over < 0 || p.Over > 0 && !p.Sums {
		return fmt.Errorf("over=%d is for sums=true, and not negative", p.Over)
	}
	sorted := slices.Sorted(slices.Values(p.Order))
	for i, k := range sorted {
		if i != k || len(sorted) < 2 || len(sorted) > mostLoops {
			return fmt.Errorf("order=%s is no order of two to six loops: 1,0 exchanges two", numbers(p.Order))
		}
	}
	return nil
}

// numbers writes a list as options take it: 1,0.
func numbers(ns []int) string {
	out := lists.Map(ns, func(n int) string { return fmt.Sprint(n) })
	return strings.Join(out, ",")
}

// Run rewrites the nests of every function.
func (p *Interchange) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "interchanged", "cannot be interchanged", p.find)
}

// find takes the order of the option, or the best legal one. It gives nothing where the best is the order
// there is.
func (p *Interchange) find(f *function, v ir.Value) (*change, error) {
	if p.Sums {
		return p.sums(f, v)
	}
	n, why := f.nestAt(v, cmp.Or(len(p.Order), usualLoops))
	if len(n.loops) < max(2, len(p.Order)) {
		return nil, why
	}
	o, s, err := n.reordered()
	if err != nil {
		return nil, err
	}
	order := p.Order
	if len(order) == 0 {
		if order = n.best(o); order == nil {
			return nil, nil
		}
	}
	if err := n.permutes(o, order); err != nil {
		return nil, err
	}
	if s != nil {
		var ok bool
		if s, ok = s.ordered(order); !ok {
			return nil, fmt.Errorf("has bounds of which too many others follow")
		}
	}
	return &change{rule: n.interchanged(order, s), loops: n.loops, inside: n.insides(), what: fmt.Sprintf("is the outermost of %d that got the order %s", len(order), numbers(order))}, nil
}

// mostLoops bounds the loops of a nest, and usualLoops those of one of which it is not said how many it has: conflicts
// have up to 3^n directions.
const mostLoops, usualLoops = 6, 4

// insides are the regions of the last loop of a nest.
func (n *nest) insides() []ir.Region { return n.g.Regions(n.loops[len(n.loops)-1]) }

// permutes checks that no conflict is turned around if the loops stand in another order.
func (n *nest) permutes(o *order, order []int) error {
	return n.turned(o, order, func(c conflict, v depend.Vector) error {
		return fmt.Errorf("has a dependence that would be turned around: %s", o.says(c, v))
	})
}

// errTurned says no more than that there is such a conflict: to show one takes longer than to find it.
var errTurned = errors.New("has a dependence that would be turned around")

// turned gives what is said of the first conflict that another order of the loops turns around.
func (n *nest) turned(o *order, order []int, says func(c conflict, v depend.Vector) error) error {
	return o.each(func(c conflict) error {
		for _, v := range c.Vectors {
			// The signs move with their loops: the vector may not become lexicographically negative.
			old := signs(v, len(n.loops))
			now := lists.Map(order, func(k int) depend.Sign { return old[k] })
			if mayBeBackward(now) {
				return says(c, v)
			}
		}
		return nil
	})
}

// interchanged makes the nest with its loops in another order.
func (n *nest) interchanged(order []int, s shape) func(m *ir.Mirror, old ir.Node) ir.Value {
	return func(m *ir.Mirror, old ir.Node) ir.Value {
		return m.B.Pack(n.inOrder(m, order, s, inits(m, old))...)
	}
}

// inOrder makes the nest with its loops in an order, which carries values on.
func (n *nest) inOrder(m *ir.Mirror, order []int, s shape, carried []ir.Value) []ir.Value {
	ivs := make([]ir.Value, len(order))
	var level func(k int, carried []ir.Value) []ir.Value
	level = func(k int, carried []ir.Value) []ir.Value {
		if k == len(order) {
			return n.iteration(m, ivs, carried)
		}
		x := order[k]
		like := n.g.NodeOf(n.loops[x])
		var over span
		if s == nil {
			over = n.span(m, x)
		} else {
			// The rows of loop x have indices of loops around it alone, which ivs has by now.
			over = n.spanBy(m, s[x], x, func(k int, _ int64) affinedialect.Point { return affinedialect.Just(ivs[k]) })
		}
		return makeLoop(m, like, like.Attrs(), over, carried, func(iv ir.Value, carried []ir.Value) []ir.Value {
			ivs[x] = iv
			return level(k+1, carried)
		})
	}
	return level(0, carried)
}

// span is what a loop of the nest runs over, whose bounds are from outside of the nest.
func (n *nest) span(m *ir.Mirror, k int) span {
	step, _ := n.stepOf(n.loops[k])
	return spanOf(n.g.NodeOf(n.loops[k]), step).mirrored(m, n.g)
}
