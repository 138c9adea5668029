// Package ir is a sea of nodes: programs as graphs in which pure nodes float,
// structured regions nest, and effects are edges. With it one
//
//   - defines ops and dialects: Define, Dialect, and NewContext, which registers them;
//   - builds graphs: NewBuilder, Builder.Op, Builder.Region, Builder.Finish;
//   - reads and rewrites them: ScheduleOf, Graph.All, Rewrite.
//
// Outsiders import ir alone, and ir/ordering where one op is to replace several. What needs no context and no
// graph stands below ir, which has its names: ir/internal/intern (numbers of types, attributes and places), value
// (values of running programs), extent (products that do not wrap around) and parallel.
//
// What always holds:
//
//   - A node is built once, normalised (checked and folded) as it is built, and found again when it is
//     built again, in whatever region: Builder.share says which are not. Its number is higher than that of
//     everything it uses.
//   - Control is structured: an op owns regions, a region has parameters and at
//     most one terminator. A function is a Graph of its own.
//   - A node knows the depths of the regions it needs ("must inside"); the
//     innermost is its home, and no schedule moves it out of that. The regions that are open while it is
//     built are one path, so that a depth names one of them.
//   - An op declares what it reads and writes; the Builder makes hard edges to the
//     writes it sees (they are scheduled with it) and soft edges from a write to
//     the reads before it (they only order).
//   - To branch on poison, to bound a loop with it, or to index or divide by it is
//     undefined, as in LLVM. An op with regions, or a Partial one, whose operand may be
//     poison leaves neither a guard nor a loop, unless its definition calls the operand
//     Harmless; ub.freeze makes a number of poison. What may be poison is one question
//     (Graph.MayBePoison): what ops make (OpDef.Poisons) and pass on, but never an
//     argument of a public function, which the interpreter and the engines refuse to call with
//     poison.
//   - A change is a rebuild: a Mirror replays a Schedule through a Builder.
//   - What is known in a region only (the condition of a branch) is put in the
//     place of operands as nodes are made (Builder.Know). It never makes a node
//     total that may trap elsewhere, for pure nodes leave the region.
//
// A rebuild trusts what it was told of loops: that they write what they wrote
// before. Speculate trusts nothing but its own result: it starts from loops that
// change nothing, and costs a few builds of each body. That is why it is a pass
// and not every rebuild.
//
// Common subexpressions and dead code, hoisting out of loops and sinking into
// branches, store-to-load forwarding and dead stores are not passes here: they
// follow from construction and schedule. The design follows the LMS compiler
// (chapters 2 and 3 of its internals) and goes past it. Loops are equal up to the names of their parameters,
// and a region set per node takes the place of its fixpoint over bound symbols.
package ir

// Where to read:
//
//   - graph.go stores nodes and regions; build.go makes a node: checks, folds, needs and edges, then share or add.
//   - call.go is an op about to be made, with its checks; normalise.go has folds, cleanups and the shared nodes.
//   - pattern.go matches folds that are data.
//   - region.go opens and closes regions: what is live in one, what it needs and does, when two are equal.
//   - effect.go and dead_stores.go make the edges between reads and writes; resource.go tells memory apart.
//   - facts.go has what is known of values: equal ones in a region, ranges, poison.
//   - schedule.go places nodes; analysis.go keeps schedules, uses and other results with a graph.
//   - mirror.go rebuilds; rewrite.go copies regions, inserts graphs and runs phases; retype.go takes values apart.
//   - settle.go rebuilds until nothing changes, or knows that nothing will, and has the optimistic rebuild.
//   - verify.go checks what always holds, and refuses types that no engine runs.
//   - op.go defines ops, traits, dialects and interfaces; context.go registers dialects and has events.
//   - type.go, attr.go and val.go have types, attributes and values; typedef.go and param.go those of dialects.
