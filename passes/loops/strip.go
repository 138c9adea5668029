package loops

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target/tuning"
	"github.com/irc-lang/irc/passes/pass"
)

// Strip cuts a loop into strips.
type Strip struct {
	Which
	Size int `opt:"size" doc:"iterations of a strip; 0 is as many as the target's vectors have lanes of 64 bits"`
}

// StripInfo is the row of the pass.
var StripInfo = &pass.Info{
	Name:       "strip-mine",
	Doc:        "Makes of a loop one over strips and one in a strip, of so many iterations or, at the end, fewer. The order of the iterations stays, so that it always may be done. Without a choice of loops the innermost are.",
	Why:        "Before vectors are made of strips, and before loop-peel, which takes away the strip that is cut off.",
	Example:    "func.func @f(%n: index, %A: memref<?xf64>) {\n  %z = arith.constant 0.0 : f64\n  affine.for %i = 0 to %n {\n    affine.store %z, %A[%i] : memref<?xf64>\n  }\n  return\n}\n",
	Pipeline:   "strip-mine{size=8}",
	Statistics: []pass.Statistic{{Name: "stripped", Doc: "loops that are cut into strips"}},
	New:        func() pass.Pass { return &Strip{} },
}

// Check refuses sizes that are none.
func (p *Strip) Check() error {
	if p.Size < 0 || p.Size == 1 || p.Size > tuning.MostTile {
		return fmt.Errorf("size=%d is not between 2 and %d", p.Size, tuning.MostTile)
	}
	return nil
}

// Run rewrites the loops of every function.
func (p *Strip) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "stripped", "cannot be cut into strips", p.find)
}

// find takes innermost loops where none is named. A strip is a tile of one loop, whose order stays: no
// dependence is asked for.
func (p *Strip) find(f *function, v ir.Value) (*change, error) {
	if !p.isNamed() && f.holdsLoop(f.body(v)) {
		return nil, nil
	}
	if _, err := f.stepOf(v); err != nil {
		return nil, err
	}
	size := int64(p.Size)
	if size == 0 {
		// These are lanes of 8 bytes; a strip of one iteration would be the loop itself.
		size = int64(max(2, f.ctx.Target().Lanes(8)))
	}
	n := &nest{function: f, loops: []ir.Value{v}}
	t := &tiling{nest: n, sizes: []int64{size}}
	return &change{rule: t.rule, loops: n.loops, inside: n.insides(), what: fmt.Sprintf("runs in strips of %d iterations", size)}, nil
}

// holdsLoop reports a region with a loop in it.
func (f *function) holdsLoop(r ir.Region) bool {
	for _, v := range f.s.Body(r) {
		if _, ok := ir.As[ir.LoopLike](f.g.NodeOf(v)); ok {
			return true
		}
		for _, in := range f.g.Regions(v) {
			if f.holdsLoop(in) {
				return true
			}
		}
	}
	return false
}
