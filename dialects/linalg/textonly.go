package linalg

import "github.com/irc-lang/irc/ir"

// textOnly are ops that are read and printed, in the generic form, and do not run.
var textOnly = []*ir.OpDef{
	unrun("fill_rng_2d", "Sets elements to random numbers.", "operandSegmentSizes"),
	unrun("softmax", "exp(x) divided by the sum of such along a dimension.", "dimension", "operandSegmentSizes"),
	unrun("winograd_filter_transform", "A part of a convolution by Winograd's algorithm.", "m", "r"),
	unrun("winograd_input_transform", "A part of a convolution by Winograd's algorithm.", "m", "r"),
	unrun("winograd_output_transform", "A part of a convolution by Winograd's algorithm.", "m", "r"),
}

func unrun(name, doc string, attrs ...string) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "linalg." + name, Doc: doc, Args: []string{"operands..."}, Attrs: attrs, Traits: ir.TextOnly, Body: ir.Loop,
		Infer:   func(c *ir.Call) (ir.Type, error) { return c.Type, nil },
		Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.Memory}} }})
}
