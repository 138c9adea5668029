package poly

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/interp"
)

// execute runs the instances of a system in the order of its schedule, on memory.
func (r *running) execute() error {
	return &interp.Unsupported{Reason: "poly.system with a schedule"}
}

func ints(x []int64) []presburger.Int {
	out := make([]presburger.Int, len(x))
	for i, v := range x {
		out[i] = presburger.NewInt(v)
	}
	return out
}
