package nvgpu

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/text/textonly"
)

// What the GPUs of compute capability 9.0 have, and sparse products: it is read and printed, and does not run.
var textOnly, textSyntax = textonly.Define("nvgpu",
	only("mbarrier.create", "Makes barriers in shared memory.", "attr-dict `->` type($result)"),
	only("mbarrier.init", "Sets how many arrive at a barrier.", "$barriers `[` $mbarId `]` `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)",
		"barriers", "count", "mbarId", "predicate?"),
	gives(ir.I1, only("mbarrier.test.wait", "Whether a phase of a barrier is over.", "$barriers `[` $mbarId `]` `,` $token attr-dict `:` type($barriers) `,` type($token)",
		"barriers", "token", "mbarId")),
	only("mbarrier.arrive", "Arrives at a barrier.", "$barriers `[` $mbarId `]` attr-dict `:` type($barriers) `->` type($result)", "barriers", "mbarId"),
	only("mbarrier.arrive.nocomplete", "Arrives at a barrier some times, without the last.", "$barriers `[` $mbarId `]` `,` $count attr-dict `:` type($barriers) `->` type($result)",
		"barriers", "mbarId", "count"),
	only("mbarrier.arrive.expect_tx", "Arrives at a barrier that waits for bytes, too.", "$barriers `[` $mbarId `]` `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)",
		"barriers", "txcount", "mbarId", "predicate?"),
	only("mbarrier.try_wait.parity", "Waits for a phase of a barrier for some time.", "$barriers `[` $mbarId `]` `,` $phaseParity `,` $ticks attr-dict `:` type($barriers)",
		"barriers", "phaseParity", "ticks", "mbarId"),
	with(only("mma.sp.sync", "The product of two matrices, of which one is sparse, plus a third.",
		"`(` $matrixA `,` $matrixB `,` $matrixC `)` `metadata` `(` $sparseMetadata `)` attr-dict `:` `(` type($matrixA) `,` type($matrixB) `,` type($matrixC) `)` `->` type($result)",
		"matrixA", "matrixB", "matrixC", "sparseMetadata"), "mmaShape", "sparsitySelector", "tf32Enabled?"),
	only("tma.prefetch.descriptor", "Fetches a descriptor of a tensor.", "$tensorMapDescriptor (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tensorMapDescriptor)",
		"tensorMapDescriptor", "predicate?"),
	with(only("tma.async.load", "Begins to copy a box of a tensor to shared memory.",
		"$tensorMapDescriptor `[` $coordinates `]` `,` $barriers `[` $mbarId `]` `to` $dst (`multicast_mask` `=` $multicastMask^)? (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tensorMapDescriptor) `,` type($barriers) `->` type($dst)",
		"dst", "barriers", "tensorMapDescriptor", "coordinates...", "mbarId", "multicastMask?", "predicate?"), "operandSegmentSizes"),
	with(only("tma.async.store", "Begins to copy a box of a tensor from shared memory.",
		"$src `to` $tensorMapDescriptor `[` $coordinates `]` (`,` `predicate` `=` $predicate^)? attr-dict `:` type($src) `->` type($tensorMapDescriptor)",
		"src", "tensorMapDescriptor", "coordinates...", "predicate?"), "operandSegmentSizes"),
	only("tma.create.descriptor", "Describes boxes of a tensor.", "$tensor `box` `[` $boxDimensions `]` attr-dict `:` type($tensor) `->` type($result)", "tensor", "boxDimensions..."),
	only("warpgroup.generate.descriptor", "Describes a matrix in shared memory.", "$tensor `,` $tensorMap attr-dict `:` type($tensor) `,` type($tensorMap) `->` type($result)",
		"tensor", "tensorMap"),
	with(only("warpgroup.mma", "The product of two matrices plus a third, of four warps.",
		"$descriptorA `,` $descriptorB `,` $matrixC attr-dict `:` type($descriptorA) `,` type($descriptorB) `,` type($matrixC) `->` type($result)",
		"descriptorA", "descriptorB", "matrixC"), "transposeA?", "transposeB?", "waitGroup?"),
	only("warpgroup.mma.init.accumulator", "A matrix of zeros.", "attr-dict `->` type($result)"),
	only("warpgroup.mma.store", "Stores a matrix that four warps have.", "$matrixD `,` $dstMemref attr-dict `:` type($matrixD) `to` type($dstMemref)", "matrixD", "dstMemref"),
)

func only(name, doc, format string, args ...string) textonly.Op {
	return textonly.Op{Name: name, Doc: doc, Args: args, Form: text.Form{Format: format, Short: short(name)}}
}

// Types that are kept as text.
var asText = text.AsText{group, "nvgpu.mbarrier.token", tensorMap, descriptor, accumulator}

const (
	group       = "nvgpu.mbarrier.group"
	tensorMap   = "nvgpu.tensormap.descriptor"
	descriptor  = "nvgpu.warpgroup.descriptor"
	accumulator = "nvgpu.warpgroup.accumulator"
)

// short says which operands and results of an op are of these types.
func short(name string) map[string]string {
	out := map[string]string{"barriers": group, "tensorMapDescriptor": tensorMap, "tensorMap": tensorMap, "descriptorA": descriptor, "descriptorB": descriptor,
		"matrixC": accumulator, "matrixD": accumulator}
	switch name {
	case "mbarrier.create":
		out["result"] = group
	case "tma.create.descriptor":
		out["result"] = tensorMap
	case "warpgroup.generate.descriptor":
		out["result"] = descriptor
	case "warpgroup.mma", "warpgroup.mma.init.accumulator":
		out["result"] = accumulator
	}
	return out
}

// with adds properties.
func with(row textonly.Op, attrs ...string) textonly.Op {
	row.Attrs = attrs
	if slices.Contains(attrs, "sparsitySelector") {
		zero := text.AttrForm{}.WithDefault(func(c *ir.Context) ir.Attr { return c.IntAttr(0, ir.I32) })
		row.Form.Attrs = map[string]text.AttrForm{"sparsitySelector": zero}
	}
	return row
}

// gives says the type of the result, where the text does not.
func gives(t ir.Type, row textonly.Op) textonly.Op {
	row.Gives = t
	return row
}
