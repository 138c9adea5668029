package scf

import "github.com/irc-lang/irc/ir"

// The ops of the dialect.
var (
	Condition = ir.Define(&ir.OpDef{
		Name: "scf.condition", Doc: "Ends the first region of scf.while: goes on if the condition is true.",
		Args: []string{"condition", "args..."}, Traits: ir.Terminator | ir.Carries, Infer: inferCondition})

	ExecuteRegion = ir.Define(&ir.OpDef{
		Name: "scf.execute_region", Doc: "Runs its region once and returns what it yields.",
		Traits: ir.Carries, Infer: inferExecuteRegion})

	For = ir.Define(&ir.OpDef{
		Name: "scf.for", Doc: "Runs its region for lower bound <= i < upper bound, by a positive step; values are carried from one iteration to the next.",
		Args: []string{"lowerBound", "upperBound", "step", "initArgs..."}, Traits: ir.Partial | ir.SingleRegion | ir.Carries,
		Body: ir.Loop, Infer: inferFor, Traps: stepTraps, Enter: enterFor, Feeds: feedsFor,
		Harmless: func(_ *ir.Call, i int) bool { return i > 2 }})

	Forall = ir.Define(&ir.OpDef{
		Name: "scf.forall", Doc: "Runs its region for all points of a box, in any order.",
		Args:   []string{"dynamicLowerBound...", "dynamicUpperBound...", "dynamicStep...", "outputs..."},
		Attrs:  []string{"operandSegmentSizes", "staticLowerBound", "staticUpperBound", "staticStep", "mapping"},
		Traits: ir.Partial | ir.SingleRegion, Body: ir.Loop, Infer: inferForall, Traps: forallTraps, Enter: enterForall, Harmless: isOutput})

	InParallel = ir.Define(&ir.OpDef{
		Name: "scf.forall.in_parallel", Doc: "Ends the region of scf.forall; its region puts the parts of the results together.",
		Traits: ir.Terminator | ir.ForeignOps, Bodies: []ir.RegionKind{ir.Once}, Infer: inferInParallel})

	If = ir.Define(&ir.OpDef{
		Name: "scf.if", Doc: "Runs its first region if the condition is true, else the second, if there is one.",
		Args: []string{"condition"}, Body: ir.Branch, Traits: ir.Carries, Infer: inferIf, Enter: enterIf, Refs: branches})

	IndexSwitch = ir.Define(&ir.OpDef{
		Name: "scf.index_switch", Doc: "Runs the region of the case that equals its operand, or the first region if none does.",
		Args: []string{"arg"}, Attrs: []string{"cases"}, Body: ir.Branch, Traits: ir.Carries, Infer: inferIndexSwitch, Enter: enterSwitch})

	Parallel = ir.Define(&ir.OpDef{
		Name: "scf.parallel", Doc: "Runs its region for all points of a box, in any order, and reduces what the iterations give: see scf.reduce.",
		Args:  []string{"lowerBound...", "upperBound...", "step...", "initVals..."},
		Attrs: []string{"operandSegmentSizes"}, Traits: ir.Partial | ir.SingleRegion, Body: ir.Loop,
		Infer: inferParallel, Traps: parallelTraps, Enter: enterParallel, Harmless: isOutput})

	Reduce = ir.Define(&ir.OpDef{
		Name: "scf.reduce", Doc: "Ends the region of scf.parallel: each region combines two values of one reduction, of which the first is of earlier iterations. " +
			"The order is the same on every engine, target and number of cores: iterations are numbered in the order of their indices (the last changes fastest) and cut into chunks of 64; " +
			"a chunk is combined from its first value to its last. Where floats are added or multiplied, that is done in 16 lanes: value i goes to lane i mod 16, and the lanes are combined in halves; the initial value is combined with the first one; n chunks are combined as a tree: the first m, with m the largest power of two below n, with the rest, both in the same way.",
		Args: []string{"operands..."}, Traits: ir.Terminator, Body: ir.Loop, Infer: inferReduce})

	ReduceReturn = ir.Define(&ir.OpDef{
		Name: "scf.reduce.return", Doc: "Ends a region of scf.reduce.",
		Args: []string{"result"}, Traits: ir.Terminator, Infer: inferReduceReturn})

	While = ir.Define(&ir.OpDef{
		Name: "scf.while", Doc: "Runs its first region, and as long as that says so its second one and the first again.",
		Args: []string{"inits..."}, Traits: ir.Partial | ir.Carries, Body: ir.Loop, Infer: inferWhile, Feeds: feedsWhile,
		Harmless: func(*ir.Call, int) bool { return true }})

	Yield = ir.Define(&ir.OpDef{
		Name: "scf.yield", Doc: "Ends a region and gives the values of its op, or of the next iteration.",
		Args: []string{"results..."}, Traits: ir.Terminator | ir.Carries, Infer: inferYield})
)

// isOutput: the last segment of operands is not of the box.
func isOutput(c *ir.Call, i int) bool {
	segments := c.Ctx().Ints(c.Get("operandSegmentSizes"))
	return len(segments) == 4 && i >= int(segments[0]+segments[1]+segments[2])
}

// stepTraps: a step that is not positive is undefined.
func stepTraps(c *ir.Call) bool {
	w := c.Ctx().Info(c.ArgType(2)).Width
	v, ok := c.Const(2)
	return !ok || v.Ref != nil || v.Int(w) <= 0
}

func parallelTraps(c *ir.Call) bool {
	n := len(c.Ctx().Ints(c.Get("operandSegmentSizes")))
	if n != 4 {
		return true
	}
	box := c.Ctx().Ints(c.Get("operandSegmentSizes"))
	for i := box[0] + box[1]; i < box[0]+box[1]+box[2]; i++ {
		if v, ok := c.Const(int(i)); !ok || int64(v.Bits) <= 0 {
			return true
		}
	}
	return false
}

func forallTraps(c *ir.Call) bool {
	for _, s := range c.Ctx().Ints(c.Get("staticStep")) {
		if s <= 0 { // Dynamic is below zero too
			return true
		}
	}
	return false
}

// branches: what an op with branches gives is what one of them yields.
func branches(c *ir.Call) (r ir.Refs) {
	for _, in := range c.Regions {
		r.Alias = append(r.Alias, c.Graph().Yields(in)...)
	}
	return r
}
