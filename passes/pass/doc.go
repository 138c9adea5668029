// Package pass is the pass manager: it reads pipelines, runs them, checks what
// each pass leaves behind, and shows, times and counts what happened. With it one
//
//   - writes a pass: a struct with a method Run, and its row, an Info;
//   - reads a pipeline of passes of a List: Parse;
//   - runs it: Manager.Run.
//
// A pass is a struct value whose exported fields are its options:
//
//	type Unroll struct {
//		Factor int  `opt:"factor" doc:"bodies in a row"`
//		Full   bool `opt:"full" doc:"unroll loops of constant trip count completely"`
//	}
//
// (ints, floats, strings, lists of them, and words of a few that a tag lists: see Option)
//
//	func (p *Unroll) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error)
//
// Its row, an Info, holds what people read: name, documentation, why it stands
// where it does among the others, and an example that a test runs.
//
// What always holds:
//
//   - A pass returns a graph; it changes none. The one it was given stays valid,
//     so that a failure can be reproduced from it.
//   - After each pass the invariants of ir.Verify and the symbols hold, or the
//     run ends with a CrashError that names pass, function, node and invariant.
//   - A panic in a pass is recovered in exactly one place, Manager.guard.
//
// The pipeline syntax is that of mlir-opt, `a,b{opt=v opt2=w},func.func(c)`,
// with `repeat(...)` for a fixpoint and `func(...)` short for `func.func(...)`
// at any depth.
package pass
