package ops

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// The ops of the dialect. Indices are of type index and start at 1.
var (
	ModelOp = ir.Define(&ir.OpDef{Name: "bugs.model",
		Doc:    "A BUGS model bound to its data: declarations, and its statements in a sequential order.",
		Attrs:  []string{"sym_name", "values", "form"},
		Traits: ir.Symbol | ir.Isolated, Infer: inferModel})

	Data = declaration("bugs.data", "An array whose elements are all known.")

	Param = declaration("bugs.param", "A variable with parameters; elements that are no parameters are known.")

	LogicalVar = declaration("bugs.logical", "A variable with logical elements. With `given` a point or the data give others, with `holes` nothing does.", "given", "holes")

	For = ir.Define(&ir.OpDef{Name: "bugs.for",
		Doc:  "Runs its region for i from the lower to the upper bound, both included; with `reverse` from the upper to the lower.",
		Args: []string{"lower", "upper"}, Attrs: []string{"reverse"}, Body: ir.Loop, Infer: inferFor})

	Stochastic = ir.Define(&ir.OpDef{Name: "bugs.stochastic",
		Doc: "node ~ dist(args): a factor of the joint density. `observed` is all, none or mask: then a further operand says it by element, " +
			"as with parts, where nodes of which it is negative are left out. A lower and an upper limit restrict the node; with `truncated` its density is renormalised. `small` says that no count is above 1e4.",
		Args:  []string{"node", "indices...", "args...", "lower?", "upper?", "mask?"},
		Attrs: []string{"dist", "name", "observed", "truncated", SmallAttr, "operandSegmentSizes"}, Infer: inferStochastic, Effects: stochasticEffects})

	Assign = ir.Define(&ir.OpDef{Name: "bugs.assign",
		Doc:  "node <- value; with `link`, the node is the inverse link of the value.",
		Args: []string{"value", "node", "indices..."}, Attrs: []string{"name", "link"}, Infer: inferAssign, Effects: assignEffects})

	Read = ir.Define(&ir.OpDef{Name: "bugs.read", Doc: "The value of an element.",
		Args: []string{"node", "indices..."}, Infer: inferRead, Effects: readEffects, Traits: ir.NoCapture})

	Reduce = ir.Define(&ir.OpDef{Name: "bugs.reduce",
		Doc:  "sum, prod, max, min or count of the elements of a rectangular part of an array: a lowest and a highest index for each dimension.",
		Args: []string{"node", "bounds..."}, Attrs: []string{"kind"}, Infer: inferReduce, Effects: readEffects, Traits: ir.NoCapture})

	IndexOf = ir.Define(&ir.OpDef{Name: "bugs.index",
		Doc:  "A number as an index. With `checked` it may be no integer in range, and what is read there then has no value.",
		Args: []string{"x"}, Attrs: []string{"checked"}, Infer: inferIndex})

	Yield = ir.Define(&ir.OpDef{Name: "bugs.yield", Doc: "Ends a region.", Traits: ir.Terminator,
		Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})
)

// declaration defines an op that stands for the storage of a variable.
func declaration(name, doc string, attrs ...string) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: doc, Attrs: append([]string{"name"}, attrs...), Traits: ir.Unique, Infer: inferDeclaration})
}

func inferModel(c *ir.Call) (ir.Type, error) {
	if len(c.Graphs) != 1 || len(c.Args) != 0 {
		return 0, c.Errorf("wants one region and no operands")
	}
	if a := c.Get("sym_name"); a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrString {
		return 0, c.Errorf("requires the string attribute 'sym_name'")
	}
	return ir.Void, nil
}

// IsArray reports a memref of f64 with a static shape.
func IsArray(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	if info.Kind != ir.KindMemRef || info.Unranked || info.Elem != ir.F64 || info.Layout != 0 {
		return false
	}
	return lists.All(info.Shape, func(n int64) bool { return n >= 0 })
}

func inferDeclaration(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 0 || c.Type == ir.NoType || !IsArray(c.Ctx(), c.Type) {
		return 0, c.Errorf("wants no operands, and a memref of f64 with a static shape as its result")
	}
	if a := c.Get("name"); a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrString {
		return 0, c.Errorf("requires the string attribute 'name'")
	}
	return c.Type, nil
}

func inferFor(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 2 || c.ArgType(0) != ir.Index || c.ArgType(1) != ir.Index || len(c.Regions) != 1 {
		return 0, c.Errorf("wants two operands of type index and one region")
	}
	if p := c.Graph().Params(c.Regions[0]); len(p) != 1 || c.Graph().Type(p[0]) != ir.Index {
		return 0, c.Errorf("its region wants one argument of type index")
	}
	return ir.Void, nil
}

// access checks operands from i on: an array and an index for each dimension.
func access(c *ir.Call, i, n int) error {
	if i >= len(c.Args) || !IsArray(c.Ctx(), c.ArgType(i)) {
		return c.Errorf("operand #%d must be a memref of f64 with a static shape", i)
	}
	if rank := len(c.Ctx().Info(c.ArgType(i)).Shape); n != rank || i+1+n > len(c.Args) {
		return c.Errorf("wants %d indices, has %d", rank, n)
	}
	for k := range n {
		if c.ArgType(i+1+k) != ir.Index {
			return c.Errorf("operand #%d must be index", i+1+k)
		}
	}
	return nil
}

func inferRead(c *ir.Call) (ir.Type, error) { return ir.F64, access(c, 0, len(c.Args)-1) }

func inferReduce(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 || !IsArray(c.Ctx(), c.ArgType(0)) || len(c.Args) != 1+2*len(c.Ctx().Info(c.ArgType(0)).Shape) {
		return 0, c.Errorf("wants a memref of f64 and two bounds for each of its dimensions")
	}
	for i := range c.Args[1:] {
		if c.ArgType(i+1) != ir.Index {
			return 0, c.Errorf("operand #%d must be index", i+1)
		}
	}
	if a := c.Get("kind"); a == 0 || function.ReduceOps[c.Ctx().AttrInfo(a).Str] == nil {
		return 0, c.Errorf("attribute 'kind' must be sum, prod, max or min")
	}
	return ir.F64, nil
}

func inferIndex(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != ir.F64 {
		return 0, c.Errorf("wants one operand of type f64")
	}
	return ir.Index, nil
}

func inferAssign(c *ir.Call) (ir.Type, error) {
	if len(c.Args) < 2 || c.ArgType(0) != ir.F64 {
		return 0, c.Errorf("operand #0 must be f64")
	}
	if a := c.Get("link"); a != 0 && function.Links[c.Ctx().AttrInfo(a).Str] == nil {
		return 0, c.Errorf("attribute 'link' must be log, logit, probit or cloglog")
	}
	return ir.Void, access(c, 1, len(c.Args)-2)
}

// segments of the operands of bugs.stochastic.
const (
	SegNode = iota
	SegIndices
	SegArgs
	SegLower
	SegUpper
	SegMask
	NumSegments
)

// Segments splits the operands of bugs.stochastic; ok is false if they do not add up.
func Segments[T any](sizes []int64, args []T) (out [NumSegments][]T, ok bool) {
	if len(sizes) != NumSegments {
		return out, false
	}
	for i, n := range sizes {
		if n < 0 || n > int64(len(args)) {
			return out, false
		}
		out[i], args = args[:n], args[n:]
	}
	return out, len(args) == 0 && len(out[SegNode]) == 1 && len(out[SegLower]) <= 1 && len(out[SegUpper]) <= 1 && len(out[SegMask]) <= 1
}

func inferStochastic(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	seg, ok := Segments(ctx.Ints(c.Get("operandSegmentSizes")), c.Args)
	if !ok {
		return 0, c.Errorf("'operandSegmentSizes' do not fit its operands")
	}
	for _, n := range []string{"dist", "name", "observed"} {
		if a := c.Get(n); a == 0 || ctx.AttrInfo(a).Kind != ir.AttrString {
			return 0, c.Errorf("requires the string attribute '%s'", n)
		}
	}
	obs := ctx.AttrInfo(c.Get("observed")).Str
	masked := obs == "mask" || obs == "parts"
	if obs != "all" && obs != "none" && !masked || masked != (len(seg[SegMask]) == 1) {
		return 0, c.Errorf("attribute 'observed' must be all, none, or mask or parts with a further operand")
	}
	if law := prob.Lookup(ctx.AttrInfo(c.Get("dist")).Str); c.Get("truncated") != 0 && (law == nil || law.Joint != nil || !apply.HasCDF(law)) {
		return 0, c.Errorf("'truncated' wants a distribution with a distribution function")
	}
	for _, s := range [][]ir.Value{seg[SegArgs], seg[SegLower], seg[SegUpper]} {
		for _, v := range s {
			if c.Graph().Type(v) != ir.F64 {
				return 0, c.Errorf("parameters and limits must be f64")
			}
		}
	}
	if len(seg[SegMask]) == 1 && c.Graph().Type(seg[SegMask][0]) != c.ArgType(0) {
		return 0, c.Errorf("the mask must have the type of the node")
	}
	return ir.Void, access(c, 0, len(seg[SegIndices]))
}

func readEffects(c *ir.Call) []ir.Effect {
	return []ir.Effect{{Kind: ir.Read, On: c.Builder().ResourceOf(c.Args[0])}}
}

func assignEffects(c *ir.Call) []ir.Effect {
	return []ir.Effect{{Kind: ir.Write, On: c.Builder().ResourceOf(c.Args[1])}}
}

// stochasticEffects: a factor is visible; a parameter is drawn before it is read.
func stochasticEffects(c *ir.Call) []ir.Effect {
	b := c.Builder()
	kind := ir.Write
	if a := c.Get("observed"); a != 0 && c.Ctx().AttrInfo(a).Str == "all" {
		kind = ir.Read
	}
	out := []ir.Effect{{Kind: ir.Write, On: b.Named("bugs.density", ir.World)}, {Kind: kind, On: b.ResourceOf(c.Args[0])}}
	if seg, ok := Segments(c.Ctx().Ints(c.Get("operandSegmentSizes")), c.Args); ok && len(seg[SegMask]) == 1 {
		out = append(out, ir.Effect{Kind: ir.Read, On: b.ResourceOf(seg[SegMask][0])})
	}
	return out
}

// MaskSuffix makes the name of the array that says which elements are observed.
const MaskSuffix = ".observed"

// The plain formulas of densities lose digits where counts or shapes exceed prob.Large:
// there the careful ones are used. Counts that are data say by the attribute `small` of
// bugs.stochastic that they never do.
const SmallAttr = "small"

// FindModel finds the first bugs.model in a graph or its children; 0 if there is none.
func FindModel(g *ir.Graph) (in *ir.Graph, op ir.Value) {
	for n := range g.All() {
		if n.Def() == ModelOp {
			return n.Graph(), n.Old()
		}
	}
	return nil, 0
}
