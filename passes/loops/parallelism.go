package loops

import (
	"cmp"
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Parallelism says which loops of a graph are parallel, whether or not that pays.
type Parallelism struct{ f *function }

// NewParallelism looks at the loops of a schedule.
func NewParallelism(ctx *pass.Context, s *ir.Schedule) *Parallelism {
	return &Parallelism{&function{ctx: ctx, g: s.Graph(), s: s, which: &Which{}, changes: map[ir.Value]*change{}, found: map[string]bool{}}}
}

// Independent is nil if the iterations of a loop may run in any order, or at once: no iteration writes what another one
// accesses, and what they carry in values is a reduction whose order is free. Else it says what stands in the way.
func (j *Parallelism) Independent(loop ir.Value) error {
	if !isFor(j.f.g.Def(loop)) {
		return fmt.Errorf("is no loop that counts up by a step")
	}
	n := &nest{function: j.f, loops: []ir.Value{loop}}
	return cmp.Or(n.regular(), (&Parallelize{Reduce: true}).reduces(n), n.independent(false))
}
