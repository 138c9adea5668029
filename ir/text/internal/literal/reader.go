package literal

import (
	"maps"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// A Reader is the parts that read one source.
type Reader struct {
	Types     Types       // i32, tensor<4xf32>
	Attrs     Attrs       // 1 : i32, [@a, unit]
	Aliases   Aliases     // #name = ..., !name = ...
	Resources Resources   // {-# ... #-}
	Places    Places      // loc(...)
	Defs      Definitions // !dialect.name, #dialect.name
}

// NewReader reads with in. The dialects are those that are known to define what is named after them.
func NewReader(ctx *ir.Context, in *scan.Reader, dialects map[string]bool, formats Formats) *Reader {
	r := &Reader{}
	r.Defs = Definitions{in: in, ctx: ctx, dialects: dialects, formats: formats}
	r.Types = Types{in: in, ctx: ctx, words: map[string]ir.Type{}, attrs: &r.Attrs, aliases: &r.Aliases, defs: &r.Defs}
	r.Attrs = Attrs{in: in, ctx: ctx, types: &r.Types, aliases: &r.Aliases, resources: &r.Resources, places: &r.Places, defs: &r.Defs}
	r.Aliases = Aliases{in: in, ctx: ctx, known: map[string]alias{}, lines: &aliasLines{}, pending: map[string]bool{}, read: map[string]int{},
		types: &r.Types, attrs: &r.Attrs, defs: &r.Defs}
	r.Resources = Resources{in: in, ctx: ctx, defs: &r.Defs}
	r.Places = Places{in: in, ctx: ctx, attrs: &r.Attrs, defs: &r.Defs}
	return r
}

// ForPiece reads a piece of the same source with in. It knows the aliases that were read so far, and looks for no
// resources where there are none.
func (r *Reader) ForPiece(in *scan.Reader, formats Formats) *Reader {
	q := NewReader(r.Defs.ctx, in, r.Defs.dialects, formats)
	q.Aliases.lines = r.Aliases.lines
	maps.Copy(q.Aliases.known, r.Aliases.known)
	q.Resources.ahead = r.Resources.ahead && r.Resources.blobs == nil
	return q
}
