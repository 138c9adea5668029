package run

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// runMultivariate is the meaning of bugs.multivariate in the interpreter.
func runMultivariate(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	s, err := sessionOf(m)
	if err != nil {
		return err
	}
	c := o.G.Ctx
	str := func(name string) string { return c.AttrInfo(o.Call.Get(name)).Str }
	j := ops.JointOf(str("dist"))
	olds := o.G.Args(o.V)
	ps, ok := ops.Parts(c.Ints(o.Call.Get("ranges")), args, func(i int) int { return ops.ArrayRank(c, o.G.Type(olds[i])) })
	if j == nil || !ok {
		return &interp.Unsupported{Reason: "the distribution " + str("dist") + " is not supported in this version"}
	}
	vals := make([]function.Value, len(ps))
	cells := make([][]int, len(ps))
	for i, p := range ps {
		if vals[i], cells[i], err = readPart(p); err != nil {
			return err
		}
	}
	n := eval.JointNode{Name: str("name"), Cell: ps[0], Elems: cells[0], X: vals[0].V, Keep: make([]bool, len(cells[0]))}
	if obs := str("observed"); obs == "mask" || obs == "parts" {
		last := len(vals) - 1
		for i, y := range vals[last].V {
			if n.Keep[i] = y != 0; y < 0 {
				return nil
			}
		}
		vals = vals[:last]
	} else if str("observed") == "all" {
		n.Keep = slices.Repeat([]bool{true}, len(n.Keep))
	}
	if limits := c.Ints(o.Call.Get("limits")); limits != nil {
		b := eval.Bounds{Lo: -function.Inf, Hi: function.Inf, Truncated: o.Call.Get("truncated") != 0}
		k := 1 + len(j.Args)
		if limits[0] != 0 {
			b.Lo = vals[k].V[0]
			k++
		}
		if limits[1] != 0 {
			b.Hi = vals[k].V[0]
		}
		if err := b.Check(); err != nil {
			return ir.Trapf("node %s: %v", n.Name, err)
		}
		j, vals = apply.JointWithin(j, b.Lo, b.Hi, b.Truncated), vals[:1+len(j.Args)]
	}
	dims := make([][]int, len(vals)-1)
	for i := range dims {
		dims[i] = vals[i+1].Dims
	}
	if arg, why := apply.Mismatch(j, vals[0].Dims, dims); why != "" {
		return ir.Trapf("node %s: parameter %d: %s", n.Name, arg+1, why)
	}
	return s.visitJoint(j, n, vals[1:])
}

// visitJoint draws a node or gives its factor.
func (s *Session) visitJoint(j *family.Joint, n eval.JointNode, p []function.Value) error {
	if why := apply.JointWrong(j, p); why != "" {
		return ir.Trapf("node %s: %s", n.Name, why)
	}
	if s.Random != nil && slices.Contains(n.Keep, false) {
		s.Random.Node(n.Name, n.Elems[0])
		if err := apply.JointSimulate(j, s.Random.Rand, n.X, n.Keep, p); err != nil {
			return fmt.Errorf("node %s: %w", n.Name, err)
		}
		r, err := interp.AsMemRef(n.Cell.Array)
		if err != nil {
			return err
		}
		for i, k := range n.Elems {
			if !n.Keep[i] {
				r.Buf.Store(k, ir.F64Val(n.X[i]))
			}
		}
	}
	if s.Factor != nil {
		s.Factor(n.Name, n.Elems[0], !slices.Contains(n.Keep, false), apply.JointDensity(j, n.X, p))
	}
	return nil
}
