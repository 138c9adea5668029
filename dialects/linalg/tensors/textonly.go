package tensors

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/text/textonly"
)

const tiles = " `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)"

// What is read and printed, and does not run.
var textOnly, textSyntax = textonly.Define("tensor",
	textonly.Op{Name: "bitcast", Doc: "The bits of elements as those of another type.", Args: []string{"source"},
		Form: text.Form{Format: "$source attr-dict `:` type($source) `to` type($result)", Name: named("bitcast")}},
	textonly.Op{Name: "gather", Doc: "Parts of a tensor at indices that another tensor holds.", Args: []string{"source", "indices"},
		Attrs: []string{"gather_dims", "unique?"},
		Form: text.Form{Format: "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? attr-dict `:` functional-type(operands, results)",
			Attrs: map[string]text.AttrForm{"gather_dims": text.IntList(), "unique": text.UnitFlag()}, Name: named("gather")}, Check: checkGather},
	textonly.Op{Name: "pack", Doc: "A tensor in tiles.", Args: []string{"source", "dest", "padding_value?", "inner_tiles..."}, Like: "dest",
		Attrs: []string{"inner_dims_pos", "operandSegmentSizes", "outer_dims_perm?", "static_inner_tiles"},
		Form:  tiled("$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? (`outer_dims_perm` `=` $outer_dims_perm^)?"+tiles, "pack"), Check: checkPack},
	textonly.Op{Name: "parallel_insert_slice", Doc: "Ends an iteration of scf.forall by inserting a part.",
		Args: InsertSlice.Args, Attrs: sliceAttrs,
		Form: text.Form{Format: "$source `into` $dest ``" + part + " attr-dict `:` type($source) `into` type($dest)", Custom: indexLists}},
	textonly.Op{Name: "scatter", Doc: "A tensor with other parts at indices that another tensor holds.", Args: []string{"source", "dest", "indices"},
		Attrs: []string{"scatter_dims", "unique?"},
		Form: text.Form{Format: "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` $unique^)? attr-dict `:` functional-type(operands, results)",
			Attrs: map[string]text.AttrForm{"scatter_dims": text.IntList(), "unique": text.UnitFlag()}, Name: named("scatter")}, Check: checkScatter},
	textonly.Op{Name: "unpack", Doc: "A tensor from its tiles.", Args: []string{"source", "dest", "inner_tiles..."}, Like: "dest",
		Attrs: []string{"inner_dims_pos", "outer_dims_perm?", "static_inner_tiles"},
		Form:  tiled("$source (`outer_dims_perm` `=` $outer_dims_perm^)?"+tiles, "unpack"), Check: func(c *ir.Call, args [][]ir.Value) error {
			return newTiling(c, args[1][0], args[0][0], args[2]).check()
		}},
)

// tiled is the form of an op that says by attributes which dimensions are in tiles.
func tiled(format, name string) text.Form {
	return text.Form{Format: format, Custom: indexLists, Name: named(name),
		Attrs: map[string]text.AttrForm{"inner_dims_pos": text.IntList(), "outer_dims_perm": text.IntList()}}
}
