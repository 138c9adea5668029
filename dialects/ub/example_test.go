package ub_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
)

// An index that may be poison is frozen before something branches on it; what cannot be poison stays as it is.
func ExampleFrozen() {
	b := ir.NewBuilder(ir.NewContext(ub.Dialect, arith.Dialect))
	unknown, clean := b.Param(ir.Index), b.Param(ir.Index)
	b.SetClean(clean)
	fmt.Println(ub.Frozen(b, clean) == clean, b.Graph().Def(ub.Frozen(b, unknown)).Name)

	p := ub.Of(b, ir.Index)
	fmt.Println(b.Graph().Def(p).Name, b.Graph().Def(arith.AddI(b, p, clean)).Name)
	// Output:
	// true ub.freeze
	// ub.poison ub.poison
}
