package bugs

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
)

func spanText(lo, hi int) string {
	if lo == hi {
		return strconv.Itoa(lo)
	}
	return fmt.Sprintf("%d:%d", lo, hi)
}

// joint gives the unobserved elements of a node of an array distribution values, or
// the node its one factor.
func (r *runner) joint(s *Statement, j *prob.Joint) error {
	elems, name, err := r.f.nodeElements(s)
	if err != nil {
		return err
	}
	fail := func(err error) error {
		if d, ok := err.(*diag.Diagnostic); ok {
			return d
		}
		return diag.Errorf(s.Span(), "node %s: %v", name, err)
	}
	if r.factor == nil && !slices.ContainsFunc(elems, func(k int) bool { return r.chooses(s.v, k) }) {
		return nil
	}
	if err := r.f.misfit(s, j); err != nil {
		return err
	}
	p := make([]value, len(s.Sample.Args))
	for i, e := range s.Sample.Args {
		if j.Args[i] > 0 {
			p[i], err = r.f.array(e)
			p[i].Dims = j.Fitted(p[i].Dims, j.Args[i])
		} else {
			p[i].V = []float64{0}
			p[i].V[0], err = r.f.scalar(e)
		}
		if err != nil {
			return fail(err)
		}
	}
	b := bounds{lo: -inf, hi: inf}
	if s.Sample.Bound != nil {
		if b, err = r.limits(s); err != nil {
			return fail(err)
		}
		if err := b.check(); err != nil {
			return diag.Errorf(s.Sample.Bound.Span(), "node %s: %v", name, err)
		}
		j = j.Within(b.lo, b.hi, b.truncated)
	}
	if why := j.Wrong(p); why != "" {
		return r.m.adviseInvalid(diag.Errorf(s.Sample.DistAt, "node %s: %s", name, why), s)
	}
	store := r.f.store[s.v.ID]
	x, keep, data := make([]float64, len(elems)), make([]bool, len(elems)), true
	for i, k := range elems {
		x[i] = store[k]
		data = data && s.v.ClassAt(k) == Observed
		keep[i] = s.v.ClassAt(k) != Parameter || r.want != nil && !r.want(s.v, k)
	}
	if r.chooseJoint != nil && slices.Contains(keep, false) {
		r.random.Node(s.v.Name, elems[0])
		if err := r.chooseJoint(j, x, keep, p); err != nil {
			return fail(err)
		}
		for i, k := range elems {
			if !keep[i] {
				store[k] = x[i]
			}
		}
	}
	if r.factor != nil {
		logp := j.Logp(x, p)
		if r.outside != nil && math.IsInf(logp, -1) {
			r.outside(s, elems, x, p, b)
		}
		r.factor(Factor{s, s.v, elems[0], data, logp})
	}
	return nil
}

// boundable refuses bounds on nodes that are arrays.
func boundable(s *Statement) *diag.Diagnostic {
	if s.Sample.Bound == nil || nodeRank(s) == 0 {
		return nil
	}
	return diag.Errorf(s.Sample.Bound.Span(), "%s takes no bounds", s.Sample.Dist).WithFix("remove the bound")
}

// runMultivariate is the meaning of bugs.multivariate in the interpreter.
func runMultivariate(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	s, err := sessionOf(m)
	if err != nil {
		return err
	}
	c := o.G.Ctx
	str := func(name string) string { return c.AttrInfo(o.Call.Get(name)).Str }
	j := jointOf(str("dist"))
	olds := o.G.Args(o.V)
	ps, ok := operandParts(c.Ints(o.Call.Get("ranges")), args, func(i int) int { return arrayRank(c, o.G.Type(olds[i])) })
	if j == nil || !ok {
		return &interp.Unsupported{Reason: "the distribution " + str("dist") + " is not supported in this version"}
	}
	vals := make([]value, len(ps))
	cells := make([][]int, len(ps))
	for i, p := range ps {
		if vals[i], cells[i], err = readPart(p); err != nil {
			return err
		}
	}
	n := jointNode{name: str("name"), cell: ps[0], elems: cells[0], x: vals[0].V, keep: make([]bool, len(cells[0]))}
	if obs := str("observed"); obs == "mask" || obs == "parts" {
		last := len(vals) - 1
		for i, y := range vals[last].V {
			if n.keep[i] = y != 0; y < 0 {
				return nil
			}
		}
		vals = vals[:last]
	} else if str("observed") == "all" {
		n.keep = slices.Repeat([]bool{true}, len(n.keep))
	}
	if limits := c.Ints(o.Call.Get("limits")); limits != nil {
		b := bounds{lo: -inf, hi: inf, truncated: o.Call.Get("truncated") != 0}
		k := 1 + len(j.Args)
		if limits[0] != 0 {
			b.lo = vals[k].V[0]
			k++
		}
		if limits[1] != 0 {
			b.hi = vals[k].V[0]
		}
		if err := b.check(); err != nil {
			return ir.Trapf("node %s: %v", n.name, err)
		}
		j, vals = j.Within(b.lo, b.hi, b.truncated), vals[:1+len(j.Args)]
	}
	dims := make([][]int, len(vals)-1)
	for i := range dims {
		dims[i] = vals[i+1].Dims
	}
	if arg, why := j.Mismatch(vals[0].Dims, dims); why != "" {
		return ir.Trapf("node %s: parameter %d: %s", n.name, arg+1, why)
	}
	return s.visitJoint(j, n, vals[1:])
}

// readPart gives the values and the positions of an operand's elements.
func readPart(p operandPart[ir.Val]) (value, []int, error) {
	if p.scalar {
		return value{V: []float64{p.array.F64()}}, nil, nil
	}
	r, err := interp.AsMemRef(p.array)
	if err != nil {
		return value{}, nil, err
	}
	var out value
	dims, span := toInts(r.Sizes), make([]int32, 2*len(r.Sizes))
	for d, b := range p.bounds {
		i, err := interp.Index(b)
		if err != nil {
			return out, nil, err
		}
		if i < int64(1-d%2) || i > r.Sizes[d/2] { // an empty range may end at 0
			return out, nil, ir.Trapf("index %d is out of range: the dimension has %d elements", i, r.Sizes[d/2])
		}
		span[d] = int32(i)
	}
	for d, ranged := range p.ranged {
		if ranged {
			out.Dims = append(out.Dims, int(span[2*d+1]-span[2*d]+1))
		}
	}
	var elems []int
	if len(dims) == 0 {
		elems = []int{0}
	} else {
		box(dims, span, 0, 0, func(k int) { elems = append(elems, k) })
	}
	for _, k := range elems {
		out.V = append(out.V, r.Buf.Load(k).F64())
	}
	return out, elems, nil
}

// jointNode is a node of an array distribution that is being visited.
type jointNode struct {
	name  string
	cell  operandPart[ir.Val]
	elems []int
	x     []float64
	keep  []bool // observed
}

// visitJoint draws a node or gives its factor.
func (s *Session) visitJoint(j *prob.Joint, n jointNode, p []value) error {
	if why := j.Wrong(p); why != "" {
		return ir.Trapf("node %s: %s", n.name, why)
	}
	if s.Random != nil && slices.Contains(n.keep, false) {
		s.Random.Node(n.name, n.elems[0])
		if err := j.Simulate(s.Random.Rand, n.x, n.keep, p); err != nil {
			return fmt.Errorf("node %s: %w", n.name, err)
		}
		r, err := interp.AsMemRef(n.cell.array)
		if err != nil {
			return err
		}
		for i, k := range n.elems {
			if !n.keep[i] {
				r.Buf.Store(k, ir.F64Val(n.x[i]))
			}
		}
	}
	if s.Factor != nil {
		s.Factor(n.name, n.elems[0], !slices.Contains(n.keep, false), j.Logp(n.x, p))
	}
	return nil
}
