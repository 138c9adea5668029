package run

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// readPart gives the values and the positions of an operand's elements.
func readPart(p ops.Part[ir.Val]) (function.Value, []int, error) {
	if p.Scalar {
		return function.Value{V: []float64{p.Array.F64()}}, nil, nil
	}
	r, err := interp.AsMemRef(p.Array)
	if err != nil {
		return function.Value{}, nil, err
	}
	var out function.Value
	dims, span := toInts(r.Sizes), make([]int32, 2*len(r.Sizes))
	for d, b := range p.Bounds {
		i, err := interp.Index(b)
		if err != nil {
			return out, nil, err
		}
		if i < int64(1-d%2) || i > r.Sizes[d/2] { // an empty range may end at 0
			return out, nil, ir.Trapf("index %d is out of range: the dimension has %d elements", i, r.Sizes[d/2])
		}
		span[d] = int32(i)
	}
	for d, ranged := range p.Ranged {
		if ranged {
			out.Dims = append(out.Dims, int(span[2*d+1]-span[2*d]+1))
		}
	}
	var elems []int
	if len(dims) == 0 {
		elems = []int{0}
	} else {
		model.EachInBox(dims, span, 0, 0, func(k int) { elems = append(elems, k) })
	}
	for _, k := range elems {
		out.V = append(out.V, r.Buf.Load(k).F64())
	}
	return out, elems, nil
}

func runTemporary(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	ref, err := m.NewMemRef(ir.F64, o.G.Ctx.Info(o.G.Type(o.V)).Shape...)
	if err == nil {
		out[0] = ref.Val()
	}
	return err
}

func runFold(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	lo, err := interp.Index(args[0])
	if err != nil {
		return err
	}
	hi, err := interp.Index(args[1])
	if err != nil {
		return err
	}
	kind := o.G.Ctx.AttrInfo(o.Call.Get("kind")).Str
	total, in := function.ReduceStart[kind], m.Temp(1)
	for i := lo; i <= hi; i++ {
		in[0] = ir.IntVal(i, 64)
		ys, err := m.Run(o.Regions[0], in)
		if err != nil {
			return err
		}
		total = function.Reductions[kind]([]float64{total, ys[0].F64()})
	}
	out[0] = ir.F64Val(total)
	return nil
}

func runApply(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	x, _, err := callParts(o, args)
	if err == nil {
		out[0] = ir.F64Val(x.V[0])
	}
	return err
}

func runCompute(_ *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	x, dest, err := callParts(o, args)
	if err != nil {
		return err
	}
	_, cells, err := readPart(dest)
	if err != nil {
		return err
	}
	r, err := interp.AsMemRef(dest.Array)
	if err != nil {
		return err
	}
	if len(cells) != len(x.V) {
		return ir.Trapf("%d values are assigned to %d elements", len(x.V), len(cells))
	}
	for i, k := range cells {
		r.Buf.Store(k, ir.F64Val(x.V[i]))
	}
	return nil
}

// callParts evaluates the function of bugs.apply or bugs.compute; dest is the part
// that the latter writes.
func callParts(o *interp.Op, args []ir.Val) (out function.Value, dest ops.Part[ir.Val], err error) {
	c, olds := o.G.Ctx, o.G.Args(o.V)
	f := function.ArrayOpOf(c.AttrInfo(o.Call.Get("name")).Str)
	ps, _ := ops.Parts(c.Ints(o.Call.Get("ranges")), args, func(i int) int { return ops.ArrayRank(c, o.G.Type(olds[i])) })
	if f.Result > 0 {
		dest, ps = ps[0], ps[1:]
	}
	vals := make([]function.Value, len(ps))
	for i, p := range ps {
		if vals[i], _, err = readPart(p); err != nil {
			return out, dest, err
		}
	}
	if out, err = f.InGo(vals); err != nil {
		err = ir.Trapf("%s: %v", c.AttrInfo(o.Call.Get("name")).Str, err)
	}
	return out, dest, err
}
