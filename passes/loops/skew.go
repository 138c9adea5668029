package loops

import (
	"fmt"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Skew makes the index of a loop a sum with that of the loop around it.
type Skew struct {
	Which
	Factor int `opt:"factor" doc:"how often the outer index is added; 0 is the least with which no dependence goes backward in the inner loop"`
}

// SkewInfo is the row of the pass.
var SkewInfo = &pass.Info{
	Name: "loop-skew",
	Doc: "Adds the index of a loop, some times, to that of the loop in it. The order of the iterations stays, so that it always may be done; but what was a dependence backward in the inner loop is one forward, " +
		"and the loops may be interchanged and tiled (Wolfe, \"Loops skewing: the wavefront method revisited\", 1986).",
	Why: "Before loop-interchange and loop-tile, where those are refused for a dependence backward in the inner loop.",
	Example: `func.func @f(%A: memref<10x11xf64>) {
  affine.for %i = 1 to 10 {
    affine.for %j = 0 to 10 {
      %x = affine.load %A[%i - 1, %j + 1] : memref<10x11xf64>
      affine.store %x, %A[%i, %j] : memref<10x11xf64>
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "skewed", Doc: "loops whose index is a sum"}},
	New:        func() pass.Pass { return &Skew{} },
}

// maxFactor bounds what indices are multiplied with.
const maxFactor = 1 << 10

// Check refuses factors that are none.
func (p *Skew) Check() error {
	if p.Factor < -maxFactor || p.Factor > maxFactor {
		return fmt.Errorf("factor=%d is not between %d and %d", p.Factor, -maxFactor, maxFactor)
	}
	return nil
}

// Run rewrites the loops of every function.
func (p *Skew) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "skewed", "cannot be skewed", p.find)
}

// find gives nothing where the least factor is 0: no dependence goes backward then.
func (p *Skew) find(f *function, v ir.Value) (*change, error) {
	n, why := f.nestAt(v, 2)
	if len(n.loops) < 2 {
		return nil, why
	}
	factor, err := int64(p.Factor), n.regular()
	if err == nil && factor == 0 {
		factor, err = n.leastFactor()
	}
	if err != nil {
		return nil, err
	}
	if factor == 0 {
		return nil, nil
	}
	return &change{rule: n.skewed(factor), loops: n.loops, inside: n.insides(), what: fmt.Sprintf("has its index %d times in that of the loop in it", factor)}, nil
}

// leastFactor is the least number of times by which the outer index has to be added so that no dependence goes backward in
// the inner loop.
func (n *nest) leastFactor() (int64, error) {
	o, err := n.orderOf(2, n.loops[0])
	if err != nil {
		return 0, err
	}
	factor := int64(0)
	err = o.each(func(c conflict) error {
		for _, v := range c.Vectors {
			s := signs(v, 2)
			if s[0] == depend.Zero || s[1]&depend.Negative == 0 {
				continue
			}
			if len(c.Distances) < 2 || !c.Distances[0].IsConst() || !c.Distances[1].IsConst() {
				return fmt.Errorf("has a dependence backward in the inner loop whose distance is not constant: %s", o.says(c, v))
			}
			far, back := c.Distances[0].Const, -c.Distances[1].Const
			if k := (back + far - 1) / far; k > factor {
				factor = k
			}
			if factor > maxFactor {
				return fmt.Errorf("has a dependence that is too far backward in the inner loop: %s", o.says(c, v))
			}
		}
		return nil
	})
	return factor, err
}

// skewed makes the loops with the inner index shifted.
func (n *nest) skewed(factor int64) func(m *ir.Mirror, old ir.Node) ir.Value {
	inner := n.g.NodeOf(n.loops[1])
	return func(m *ir.Mirror, old ir.Node) ir.Value {
		return m.B.Pack(makeLoop(m, old, old.Attrs(), n.span(m, 0), inits(m, old), func(i ir.Value, carried []ir.Value) []ir.Value {
			m.BodyWithout(old.Region(0), func(x ir.Node) bool { return x.Old() == n.loops[1] }, append([]ir.Value{i}, carried...)...)
			s := n.span(m, 1).shifted(m, inner, factor, i)
			return makeLoop(m, inner, inner.Attrs(), s, carried, func(j ir.Value, carried []ir.Value) []ir.Value {
				p, _ := affinedialect.Just(j).Plus(-factor, affinedialect.Just(i))
				return m.Body(inner.Region(0), append([]ir.Value{compute(m, inner, p)}, carried...)...)
			})
		})...)
	}
}

// shifted is a span that begins and ends later.
func (s span) shifted(m *ir.Mirror, like ir.Node, factor int64, by ir.Value) span {
	move := func(ps []affinedialect.Point) []affinedialect.Point {
		out := make([]affinedialect.Point, len(ps))
		for k, p := range ps {
			var ok bool
			if out[k], ok = p.Plus(factor, affinedialect.Just(by)); !ok {
				x, _ := affinedialect.Just(affinedialect.Compute(m.B, p)).Plus(factor, affinedialect.Just(by))
				out[k] = x
			}
		}
		return out
	}
	return span{move(s.lower), move(s.upper), s.step}
}
