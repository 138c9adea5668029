package builtin

import "github.com/irc-lang/irc/ir/text"

var syntax = text.Syntax{
	Module: {Format: "($sym_name^)? attr-dict-with-keyword $bodyRegion", Regions: []string{"bodyRegion"},
		Attrs: map[string]text.AttrForm{"sym_name": text.SymbolName()}},
	Cast: {Format: "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict", Results: []string{"outputs..."}},
}
