package loops

import (
	"cmp"
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// A Judge says of the loops of a graph which are parallel, without a look at whether it is worth it.
type Judge struct{ f *function }

// NewJudge looks at the loops of a schedule.
func NewJudge(ctx *pass.Context, s *ir.Schedule) *Judge {
	return &Judge{&function{ctx: ctx, g: s.Graph(), s: s, which: &Which{}, changes: map[ir.Value]*change{}, found: map[string]bool{}}}
}

// Independent is nil if the iterations of a loop may run in any order, or at once: no iteration writes what another one
// accesses, and what they carry in values is a reduction whose order is free. Else it says what stands in the way.
func (j *Judge) Independent(loop ir.Value) error {
	if !isFor(j.f.g.Def(loop)) {
		return fmt.Errorf("is no loop that counts up by a step")
	}
	n := &nest{function: j.f, loops: []ir.Value{loop}}
	return cmp.Or(n.regular(), (&Parallelize{Reduce: true}).reduces(n), n.independent(false))
}
