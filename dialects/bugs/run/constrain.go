package run

import (
	"math"

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
	if o.Call.Get(ops.InverseAttr) != 0 {
		out[0] = ir.F64Val(0)
		return runInverse(c.AttrInfo(o.Call.Get("kind")).Str, x, vals[1].V, ps[2].Array)
	}
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

// runInverse writes the numbers of a node into the vector.
func runInverse(kind string, x, positions []float64, vector ir.Val) error {
	r, err := interp.AsMemRef(vector)
	if err != nil {
		return err
	}
	var at []int
	for i, p := range positions {
		switch {
		case p < 0 || int64(p) > r.Sizes[0]:
			return ir.Trapf("position %v is outside of the vector", p)
		case p > 0 && kind == support.Identity.String():
			r.Buf.Store(int(p)-1, ir.F64Val(x[i]))
		case p > 0:
			at = append(at, int(p)-1)
		}
	}
	if kind == support.Identity.String() {
		return nil
	}
	u := make([]float64, len(at))
	fits := true
	if n := len(x); kind == support.Simplex.String() {
		if len(u) != n-1 {
			return ir.Trapf("%d positions for a simplex of %d", len(u), n)
		}
		fits = support.StickBreaks(x, u)
	} else {
		k := space.Isqrt(n)
		if k*k != n || len(u) != k*(k+1)/2 {
			return ir.Trapf("%d positions for a matrix of %d elements", len(u), n)
		}
		fits = support.FactorRows(x, u, k) == ""
	}
	for i, p := range at {
		if !fits {
			u[i] = math.NaN()
		}
		r.Buf.Store(p, ir.F64Val(u[i]))
	}
	return nil
}
