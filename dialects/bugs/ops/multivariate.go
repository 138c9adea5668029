package ops

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
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

// Part is one operand of bugs.multivariate with the bounds that belong to it.
type Part[T any] struct {
	Array  T // or a number
	Scalar bool
	Bounds []T // lowest and highest index by dimension
	Ranged []bool
}

// Parts groups operands; rank is the number of dimensions of an operand, -1
// for a number. ok is false if they do not add up.
func Parts[T any](ranges []int64, args []T, rank func(i int) int) (out []Part[T], ok bool) {
	for i := 0; i < len(args); {
		p := Part[T]{Array: args[i], Scalar: rank(i) < 0}
		n := max(rank(i), 0)
		if i++; i+2*n > len(args) || n > len(ranges) {
			return nil, false
		}
		p.Bounds = args[i : i+2*n]
		for _, r := range ranges[:n] {
			p.Ranged = append(p.Ranged, r != 0)
		}
		ranges, i = ranges[n:], i+2*n
		out = append(out, p)
	}
	return out, len(out) > 0 && len(ranges) == 0
}

// rank is the number of dimensions that a part has itself.
func (p Part[T]) rank() int {
	n := 0
	for _, r := range p.Ranged {
		if r {
			n++
		}
	}
	return n
}

// ArrayRank is the number of dimensions of an array, -1 for another type.
func ArrayRank(c *ir.Context, t ir.Type) int {
	if !IsArray(c, t) {
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
	ps, ok := Parts(ctx.Ints(c.Get("ranges")), c.Args, func(i int) int { return ArrayRank(ctx, c.ArgType(i)) })
	if !ok || ps[0].Scalar {
		return 0, c.Errorf("wants an array first, two bounds for each dimension of an array, and 'ranges' for all of them")
	}
	for _, p := range ps {
		if p.Scalar && g.Type(p.Array) != ir.F64 {
			return 0, c.Errorf("operands must be arrays with their bounds, or f64")
		}
		for _, b := range p.Bounds {
			if g.Type(b) != ir.Index {
				return 0, c.Errorf("bounds must be index")
			}
		}
	}
	j := JointOf(ctx.AttrInfo(c.Get("dist")).Str)
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
	if c.Get("truncated") != 0 && j.Go.Mass == nil {
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
	if (obs == "mask" || obs == "parts") && g.Type(ps[want-1].Array) != g.Type(ps[0].Array) {
		return 0, c.Errorf("the mask must have the type of the node")
	}
	return ir.Void, ranksFit(c, j, ps)
}

// ranksFit checks the numbers of dimensions of a node and its parameters.
func ranksFit(c *ir.Call, j *family.Joint, ps []Part[ir.Value]) error {
	for i, p := range ps[:1+len(j.Args)] {
		rank := j.Node
		if i > 0 {
			rank = j.Args[i-1]
		}
		if p.rank() != rank || p.Scalar != (i > 0 && rank == 0) {
			return c.Errorf("part %d must be %s", i, apply.ShapeName(rank))
		}
	}
	return nil
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
		if IsArray(ctx, c.ArgType(i)) {
			out = append(out, ir.Effect{Kind: kind, On: b.ResourceOf(v)})
			kind = ir.Read
		}
	}
	return out
}

// MaxRows bounds matrices that are factored.
const MaxRows = 4096

// MatrixRows bounds the rows of the matrices of a bugs.multivariate by the shapes of
// the arrays that they are parts of; 0 if it has none, nor a law that makes one. The
// parameters with extents of their own do not count.
func MatrixRows(g *ir.Graph, v ir.Value) int64 {
	c, args := g.Ctx, g.Args(v)
	ps, _ := Parts(c.Ints(g.Attr(v, "ranges")), args, func(i int) int { return ArrayRank(c, g.Type(args[i])) })
	j := &family.Joint{}
	if a := g.Attr(v, "dist"); a != 0 {
		j = JointOf(c.AttrInfo(a).Str)
	}
	least, matrix := int64(gomath.MaxInt64), j.Square
	for i, p := range ps {
		if apply.Group(j, i-1) != 0 {
			continue
		}
		matrix = matrix || p.rank() > 1
		for d, ranged := range p.Ranged {
			if ranged {
				least = min(least, c.Info(g.Type(p.Array)).Shape[d])
			}
		}
	}
	if !matrix {
		return 0
	}
	return least
}

// JointOf is the law of arrays that has a name; nil for another.
func JointOf(name string) *family.Joint {
	if law := prob.Lookup(name); law != nil {
		return law.Joint
	}
	return nil
}
