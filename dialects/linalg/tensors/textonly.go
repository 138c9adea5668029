package tensors

import "github.com/irc-lang/irc/ir"

// textOnly are ops that are read and printed, in the generic form, and do not run.
var textOnly = []*ir.OpDef{
	unrun("bitcast", "The bits of elements as those of another type."),
	unrun("gather", "Parts of a tensor at indices that another tensor holds.", "gather_dims", "unique"),
	unrun("pack", "A tensor in tiles.", "inner_dims_pos", "operandSegmentSizes", "outer_dims_perm", "static_inner_tiles"),
	unrun("parallel_insert_slice", "Ends an iteration of scf.forall by inserting a part.", sliceAttrs...),
	unrun("scatter", "A tensor with other parts at indices that another tensor holds.", "scatter_dims", "unique"),
	unrun("unpack", "A tensor from its tiles.", "inner_dims_pos", "outer_dims_perm", "static_inner_tiles"),
}

func unrun(name, doc string, attrs ...string) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "tensor." + name, Doc: doc, Args: []string{"operands..."}, Attrs: attrs, Traits: ir.TextOnly,
		Infer: func(c *ir.Call) (ir.Type, error) { return c.Type, nil }})
}
