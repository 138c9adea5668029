package bugs

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir"
)

// Multivariate is a stochastic node that is a part of an array, or one with
// parameters that are. Its operands tell by their types what they are: an array is
// followed by a lowest and a highest index for each of its dimensions, a number
// stands alone. The attribute `ranges` says for each of these dimensions whether it
// is one of the part (1) or picks a position (0).
var Multivariate = ir.Define(&ir.OpDef{Name: "bugs.multivariate",
	Doc: "node ~ dist(args), one factor of the joint density, where the node or a parameter is a part of an array: " +
		"a lowest and a highest index for each dimension, of which `ranges` tells those that the part has. " +
		"`limits` says whether a lower and an upper bound of a single node follow its parameters, and `truncated` that they renormalise. " +
		"`observed` is all, none or mask: then a last part tells it by element.",
	Args: []string{"operands..."}, Attrs: []string{"dist", "name", "observed", "ranges", "limits", "truncated"},
	Infer: inferMultivariate, Effects: multivariateEffects})

// operandPart is one operand of bugs.multivariate with the bounds that belong to it.
type operandPart[T any] struct {
	array  T // or a number
	scalar bool
	bounds []T // lowest and highest index by dimension
	ranged []bool
}

// operandParts groups operands; rank is the number of dimensions of an operand, -1
// for a number. ok is false if they do not add up.
func operandParts[T any](ranges []int64, args []T, rank func(i int) int) (out []operandPart[T], ok bool) {
	for i := 0; i < len(args); {
		p := operandPart[T]{array: args[i], scalar: rank(i) < 0}
		n := max(rank(i), 0)
		if i++; i+2*n > len(args) || n > len(ranges) {
			return nil, false
		}
		p.bounds = args[i : i+2*n]
		for _, r := range ranges[:n] {
			p.ranged = append(p.ranged, r != 0)
		}
		ranges, i = ranges[n:], i+2*n
		out = append(out, p)
	}
	return out, len(out) > 0 && len(ranges) == 0
}

// rank is the number of dimensions that a part has itself.
func (p operandPart[T]) rank() int {
	n := 0
	for _, r := range p.ranged {
		if r {
			n++
		}
	}
	return n
}

// arrayRank is the number of dimensions of an array, -1 for another type.
func arrayRank(c *ir.Context, t ir.Type) int {
	if !isArray(c, t) {
		return -1
	}
	return len(c.Info(t).Shape)
}

func inferMultivariate(c *ir.Call) (ir.Type, error) {
	ctx, g := c.Ctx(), c.Graph()
	for _, n := range []string{"dist", "name", "observed"} {
		if a := c.Get(n); a == 0 || ctx.AttrInfo(a).Kind != ir.AttrString {
			return 0, c.Errorf("requires the string attribute '%s'", n)
		}
	}
	ps, ok := operandParts(ctx.Ints(c.Get("ranges")), c.Args, func(i int) int { return arrayRank(ctx, c.ArgType(i)) })
	if !ok || ps[0].scalar {
		return 0, c.Errorf("wants an array first, two bounds for each dimension of an array, and 'ranges' for all of them")
	}
	for _, p := range ps {
		if p.scalar && g.Type(p.array) != ir.F64 {
			return 0, c.Errorf("operands must be arrays with their bounds, or f64")
		}
		for _, b := range p.bounds {
			if g.Type(b) != ir.Index {
				return 0, c.Errorf("bounds must be index")
			}
		}
	}
	j := jointOf(ctx.AttrInfo(c.Get("dist")).Str)
	if j == nil {
		return 0, c.Errorf("attribute 'dist' is no distribution of arrays")
	}
	obs := ctx.AttrInfo(c.Get("observed")).Str
	want := 1 + len(j.Args)
	if a := c.Get("limits"); a != 0 {
		has := ctx.Ints(a)
		if len(has) != 2 || j.Node != 0 {
			return 0, c.Errorf("attribute 'limits' says of a lower and of an upper bound of a single node whether there is one")
		}
		want += int(has[0] + has[1])
	}
	if c.Get("truncated") != 0 && j.MassOps == nil {
		return 0, c.Errorf("'truncated' wants a distribution with a distribution function")
	}
	switch obs {
	case "all", "none":
	case "mask", "parts":
		want++
	default:
		return 0, c.Errorf("attribute 'observed' must be all, none, mask or parts")
	}
	if len(ps) != want {
		return 0, c.Errorf("wants a node and %d parameters, and a mask only where 'observed' is mask or parts", len(j.Args))
	}
	if (obs == "mask" || obs == "parts") && g.Type(ps[want-1].array) != g.Type(ps[0].array) {
		return 0, c.Errorf("the mask must have the type of the node")
	}
	for i, p := range ps[:1+len(j.Args)] {
		rank := j.Node
		if i > 0 {
			rank = j.Args[i-1]
		}
		if p.rank() != rank || p.scalar != (i > 0 && rank == 0) {
			return 0, c.Errorf("part %d must be %s", i, prob.ShapeName(rank))
		}
	}
	return ir.Void, nil
}

// multivariateEffects: as bugs.stochastic, and it reads the arrays of its parameters.
func multivariateEffects(c *ir.Call) []ir.Effect {
	b, ctx := c.Builder(), c.Ctx()
	kind := ir.Write
	if a := c.Get("observed"); a != 0 && ctx.AttrInfo(a).Str == "all" {
		kind = ir.Read
	}
	out := []ir.Effect{{Kind: ir.Write, On: b.Named("bugs.density", ir.World)}}
	for i, v := range c.Args {
		if isArray(ctx, c.ArgType(i)) {
			out = append(out, ir.Effect{Kind: kind, On: b.ResourceOf(v)})
			kind = ir.Read
		}
	}
	return out
}

// multivariate makes the op of a statement whose distribution is of arrays.
func (e *emitter) multivariate(s *Statement, j *prob.Joint) {
	if d := boundable(s); d != nil {
		panic(d)
	}
	c := e.b.Ctx()
	p := partEmitter{e: e}
	p.add(e.mem[s.v], s.v, s.LHS, true)
	for i, a := range s.Sample.Args {
		if j.Args[i] == 0 {
			p.args = append(p.args, e.scalar(a))
			continue
		}
		e.ranked(a, j.Args[i]).part(&p)
	}
	limits := e.jointLimits(s, &p)
	obs, mask := e.observed(s)
	if mask != 0 {
		p.add(mask, s.v, s.LHS, true)
	}
	props := append([]ir.NamedAttr{{Name: "dist", Value: c.StringAttr(s.Dist.Name)}, {Name: "name", Value: c.StringAttr(s.v.Name)},
		{Name: "observed", Value: c.StringAttr(obs)}, {Name: "ranges", Value: c.DenseArray(ir.I32, p.ranges...)}}, limits...)
	v := e.b.Must(ir.Call{Def: Multivariate, Args: p.args, Loc: ir.Loc(s.Span().Start + 1), Attr: e.props(props)})
	if matrixRows(e.b.Graph(), v) > maxRows {
		panic(unsupported(s.Sample.DistAt, fmt.Sprintf("%s of more than %d rows", s.Sample.Dist, maxRows)))
	}
}

// jointLimits adds the bounds of a node to its operands, and tells them by attributes.
func (e *emitter) jointLimits(s *Statement, p *partEmitter) []ir.NamedAttr {
	bd := s.Sample.Bound
	if bd == nil {
		return nil
	}
	truncated, d := e.m.truncates(s)
	if d != nil {
		panic(d)
	}
	c := e.b.Ctx()
	var has [2]int64
	for i, x := range []syntax.Expr{bd.Lower, bd.Upper} {
		if x != nil {
			has[i] = 1
			p.args = append(p.args, e.scalar(x))
		}
	}
	out := []ir.NamedAttr{{Name: "limits", Value: c.DenseArray(ir.I32, has[:]...)}}
	if truncated {
		out = append(out, ir.NamedAttr{Name: "truncated", Value: c.UnitAttr()})
	}
	return out
}

// partEmitter collects the operands of bugs.multivariate.
type partEmitter struct {
	e      *emitter
	args   []ir.Value
	ranges []int64
}

// add adds a part of an array. Without indices it is the whole, and on the left side
// the only element.
func (p *partEmitter) add(mem ir.Value, v *Var, r *syntax.Ref, left bool) {
	e := p.e
	p.args = append(p.args, mem)
	for d, n := range v.Dims {
		lo, ranged := e.b.Index(1), int64(1)
		hi := e.b.Index(int64(n))
		if len(r.Indices) == 0 && left {
			ranged = 0
		}
		if len(r.Indices) > 0 {
			switch x := r.Indices[d].(type) {
			case *syntax.All:
			case *syntax.Range:
				if !e.m.fromData(x) {
					panic(unsupported(x.Span(), "a part of an array that depends on a node"))
				}
				lo, hi = e.index(x.From), e.index(x.To)
			default:
				lo = e.index(x)
				hi, ranged = lo, 0
			}
		}
		p.args = append(p.args, lo, hi)
		p.ranges = append(p.ranges, ranged)
	}
}
