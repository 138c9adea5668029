package run

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

func runTerm(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	s, err := sessionOf(m)
	if err == nil && s.Factor != nil {
		s.Factor(o.G.Ctx.AttrInfo(o.Call.Get("name")).Str, 0, false, args[0].F64())
	}
	return err
}

func runConstrain(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	c := o.G.Ctx
	olds := o.G.Args(o.V)
	ps, _ := ops.Parts(c.Ints(o.Call.Get("ranges")), args, func(i int) int { return ops.ArrayRank(c, o.G.Type(olds[i])) })
	var vals [3]function.Value
	var elems []int
	for i, p := range ps {
		x, cells, err := readPart(p)
		if err != nil {
			return err
		}
		if vals[i] = x; i == 0 {
			elems = cells
		}
	}
	x, vec := vals[0].V, vals[2].V
	var u []float64
	for i, p := range vals[1].V {
		if p < 0 || int(p) > len(vec) {
			return ir.Trapf("position %v is outside of the vector", p)
		}
		if p > 0 {
			u = append(u, vec[int(p)-1])
			if o.Call.Get("kind") != 0 && c.AttrInfo(o.Call.Get("kind")).Str == support.Identity.String() {
				x[i] = u[len(u)-1]
			}
		}
	}
	logJ := 0.0
	switch n := len(x); c.AttrInfo(o.Call.Get("kind")).Str {
	case support.Simplex.String():
		if len(u) != n-1 {
			return ir.Trapf("%d positions for a simplex of %d", len(u), n)
		}
		logJ = support.StickBreaking(u, x)
	case support.Cholesky.String():
		if k := space.Isqrt(n); k*k != n || len(u) != k*(k+1)/2 {
			return ir.Trapf("%d positions for a matrix of %d elements", len(u), n)
		} else {
			logJ = support.FromFactor(u, x, k)
		}
	}
	r, err := interp.AsMemRef(ps[0].Array)
	if err != nil {
		return err
	}
	for i, k := range elems {
		r.Buf.Store(k, ir.F64Val(x[i]))
	}
	out[0] = ir.F64Val(logJ)
	return nil
}
