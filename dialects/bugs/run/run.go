package run

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// A Session is what a bugs.model runs with in the interpreter: the values of its
// variables, and what is done at a stochastic node. Running the ops themselves is
// what the lowering of a model is checked against.
type Session struct {
	// Values gives the elements of a variable in row-major order: data, parameters,
	// or for `x.observed` which elements of x are data. The run works on a copy.
	Values func(name string) []float64
	// Random, if not nil, draws the nodes that are no data; else they have values.
	Random *draw.Random
	// Factor gets each factor of the density; it may be nil.
	Factor func(name string, elem int, observed bool, logp float64)

	refs map[string]*interp.MemRef
}

type sessionKey struct{}

// Attach makes s the session of the models that a machine runs.
func (s *Session) Attach(m *interp.Machine) error {
	s.refs = map[string]*interp.MemRef{}
	x, err := m.Global(sessionKey{}, func() (any, error) { return s, nil })
	if err == nil && x != any(s) {
		err = fmt.Errorf("bugs: the machine has a session already")
	}
	return err
}

// Result returns the elements of a variable after a run; nil if the model does not
// declare it.
func (s *Session) Result(name string) []float64 {
	r := s.refs[name]
	if r == nil {
		return nil
	}
	out := make([]float64, r.Buf.Len())
	for i := range out {
		out[i] = r.Buf.Load(i).F64()
	}
	return out
}

func sessionOf(m *interp.Machine) (*Session, error) {
	x, err := m.Global(sessionKey{}, func() (any, error) {
		return nil, &interp.Unsupported{Reason: "a bugs.model needs data to run", Fix: "use irc logdensity or irc run on the model"}
	})
	if err != nil {
		return nil, err
	}
	return x.(*Session), nil
}

var Table = interp.Table{
	ops.Written: func(*interp.Machine, *interp.Op, []ir.Val, []ir.Val) error { return nil },
	ops.Data:    runDeclaration, ops.Param: runDeclaration, ops.LogicalVar: runDeclaration,
	ops.For: runFor, ops.Read: runRead, ops.Reduce: runReduce, ops.Function: runFunction, ops.IndexOf: runIndex, ops.Assign: runAssign, ops.Stochastic: runStochastic,
	ops.Multivariate: runMultivariate, ops.Fold: runFold, ops.Temporary: runTemporary, ops.Apply: runApply, ops.Compute: runCompute,
	ops.Constrain: runConstrain, ops.Term: runTerm,
}

func runDeclaration(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	s, err := sessionOf(m)
	if err != nil {
		return err
	}
	c := o.G.Ctx
	name := c.AttrInfo(o.Call.Get("name")).Str
	ref, err := m.NewMemRef(ir.F64, c.Info(o.G.Type(o.V)).Shape...)
	if err != nil {
		return err
	}
	vals := s.Values(name)
	if vals != nil && len(vals) != ref.Buf.Len() {
		return fmt.Errorf("%s has %d values and %d elements", name, len(vals), ref.Buf.Len())
	}
	for i, x := range vals {
		ref.Buf.Store(i, ir.F64Val(x))
	}
	s.refs[name] = ref
	out[0] = ref.Val()
	return nil
}

func runFor(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	reverse := o.Call.Get("reverse") != 0
	lo, err := interp.Index(args[0])
	if err != nil {
		return err
	}
	hi, err := interp.Index(args[1])
	if err != nil {
		return err
	}
	in := m.Temp(1)
	for i := lo; i <= hi; i++ {
		in[0] = ir.IntVal(i, 64)
		if reverse {
			in[0] = ir.IntVal(lo+hi-i, 64)
		}
		if _, err := m.Run(o.Regions[0], in); err != nil {
			return err
		}
	}
	return nil
}

// cell finds an element; indices count from 1.
func cell(m *interp.Machine, node ir.Val, indices []ir.Val) (*interp.MemRef, int, error) {
	r, err := interp.AsMemRef(node)
	if err != nil {
		return nil, 0, err
	}
	at := m.Temp(len(indices))
	for d, v := range indices {
		i, err := interp.Index(v)
		if err != nil {
			return nil, 0, err
		}
		if i < 1 || i > r.Sizes[d] {
			return nil, 0, ir.Trapf("index %d is out of range: the dimension has %d elements", i, r.Sizes[d])
		}
		at[d] = ir.IntVal(i-1, 64)
	}
	k, err := r.At(at)
	return r, k, err
}

func runRead(m *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	r, k, err := cell(m, args[0], args[1:])
	if err == nil {
		out[0] = r.Buf.Load(k)
	}
	return err
}

func runAssign(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	r, k, err := cell(m, args[1], args[2:])
	if err != nil {
		return err
	}
	x := args[0].F64()
	if a := o.Call.Get("link"); a != 0 {
		x = function.InverseLink(o.G.Ctx.AttrInfo(a).Str, x)
	}
	r.Buf.Store(k, ir.F64Val(x))
	return nil
}

func runIndex(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	x := args[0].F64()
	n := math.Round(x)
	if !(math.Abs(x-n) <= function.IndexSlack) || math.Abs(n) >= 1<<31 {
		return ir.Trapf("an index is %v, which is not an integer", x)
	}
	out[0] = ir.IntVal(int64(n), 64)
	return nil
}

func runReduce(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	r, err := interp.AsMemRef(args[0])
	if err != nil {
		return err
	}
	var vals []float64
	dims, span := make([]int, len(r.Sizes)), make([]int32, 2*len(r.Sizes))
	for d := range dims {
		dims[d] = int(r.Sizes[d])
		for e := range 2 {
			i, err := interp.Index(args[1+2*d+e])
			if err != nil {
				return err
			}
			if i < int64(1-e) || i > r.Sizes[d]+int64(1-e) {
				return ir.Trapf("index %d is out of range: the dimension has %d elements", i, r.Sizes[d])
			}
			span[2*d+e] = int32(i)
		}
	}
	if len(dims) == 0 {
		vals = append(vals, r.Buf.Load(0).F64())
	} else {
		model.EachInBox(dims, span, 0, 0, func(k int) { vals = append(vals, r.Buf.Load(k).F64()) })
	}
	out[0] = ir.F64Val(function.Reductions[o.G.Ctx.AttrInfo(o.Call.Get("kind")).Str](vals))
	return nil
}

func runStochastic(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	s, err := sessionOf(m)
	if err != nil {
		return err
	}
	c := o.G.Ctx
	str := func(name string) string { return c.AttrInfo(o.Call.Get(name)).Str }
	seg, _ := ops.Segments(c.Ints(o.Call.Get("operandSegmentSizes")), args)
	r, k, err := cell(m, seg[ops.SegNode][0], seg[ops.SegIndices])
	if err != nil {
		return err
	}
	law := prob.Lookup(str("dist"))
	if law == nil || law.Joint != nil {
		return &interp.Unsupported{Reason: "the distribution " + str("dist") + " is not supported in this version"}
	}
	observed := str("observed") == "all"
	if len(seg[ops.SegMask]) == 1 {
		mask, at, err := cell(m, seg[ops.SegMask][0], seg[ops.SegIndices])
		if err != nil {
			return err
		}
		x := mask.Buf.Load(at).F64()
		if observed = x != 0; x < 0 {
			return nil
		}
	}
	n := node{name: str("name"), law: law, elem: k, observed: observed, cell: r,
		bounds: eval.Bounds{Lo: -function.Inf, Hi: function.Inf, Truncated: o.Call.Get("truncated") != 0}}
	for _, v := range seg[ops.SegArgs] {
		n.params = append(n.params, v.F64())
	}
	if len(seg[ops.SegLower]) == 1 {
		n.bounds.Lo = seg[ops.SegLower][0].F64()
	}
	if len(seg[ops.SegUpper]) == 1 {
		n.bounds.Hi = seg[ops.SegUpper][0].F64()
	}
	return s.visit(n)
}

// node is a stochastic node that is being visited.
type node struct {
	name     string
	elem     int
	observed bool
	cell     *interp.MemRef
	params   []float64
	bounds   eval.Bounds
	law      *family.Law
}

// visit draws a node or gives its factor.
func (s *Session) visit(n node) error {
	where := (&model.Var{Name: n.name, Dims: toInts(n.cell.Sizes)}).ElemName(n.elem)
	if why := n.law.Wrong(n.params); why != "" {
		return ir.Trapf("node %s: %s", where, why)
	}
	if err := n.bounds.Check(); err != nil {
		return ir.Trapf("node %s: %v", where, err)
	}
	if s.Random != nil && !n.observed {
		s.Random.Node(n.name, n.elem)
		x, err := apply.DrawWithin(n.law, s.Random.Rand, n.params, n.bounds.Lo, n.bounds.Hi)
		if err != nil {
			return fmt.Errorf("node %s: %w", where, err)
		}
		n.cell.Buf.Store(n.elem, ir.F64Val(x))
	}
	if s.Factor != nil {
		logp, err := n.bounds.Logp(n.law, n.cell.Buf.Load(n.elem).F64(), n.params)
		if err != nil {
			return ir.Trapf("node %s: %v", where, err)
		}
		s.Factor(n.name, n.elem, n.observed, logp)
	}
	return nil
}

func toInts(xs []int64) []int {
	return lists.Map(xs, func(x int64) int { return int(x) })
}
