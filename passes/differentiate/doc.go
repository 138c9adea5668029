// Package differentiate makes derivatives of functions, by the rules that dialects have (ir/derive).
//
// In reverse mode a function becomes one that runs it, and then its ops backwards. Each value has an adjoint, which is how
// the results change with it; an op gives its operands what its rule says (transposed, in Griewank's sense), in a
// region of its own for each region of the function. An adjoint of a value from outside of a loop or branch is
// carried through it. Memory has a shadow that holds the adjoints of its elements: where the function reads an element, the
// way back adds to the shadow, and where it writes one, it takes the shadow's element and leaves a zero.
//
// What rules need of the function's values in a loop is at hand again in three ways (kept.go): it is computed
// again, read again from memory that still holds it, or recorded in an array with an element for each round.
//
// In forward mode each value has a tangent, which is how it changes in one direction: an op is followed by one for its tangent.
//
// The files, in the order in which the work is done:
//
//   - options.go: the function, and what is asked of its arguments; interface.go: what its derivatives take and give.
//   - pass.go: the function, its arguments and what each is to its derivatives.
//   - prepare.go: the function without calls, and with parallel loops in order.
//   - activity.go: which values and which memory have derivatives that somebody asks for.
//   - recursion.go: functions that call themselves, and for which of their arguments they have derivatives.
//   - plan.go: what the way back needs of the function's values.
//   - kept.go: how it has each: done again, read again, or recorded.
//   - overwritten.go: which elements of memory are still what they were, by dependences.
//   - checked.go: rules of ops, and what has none.
//   - recording.go: the function's own run, which fills the tapes.
//   - counted.go: the numbers of rounds, by which tapes are read and written.
//   - updates.go: stores that add to what is there, whose way back writes nothing.
//   - gathers.go: reads of neighbours, whose adjoints loops of their own add up; gather.go: these loops.
//   - reverse.go: the way back, region by region and op by op.
//   - branches.go: the way back through the region that ran.
//   - arms.go: which values are used in an arm of a select or branch alone.
//   - apart.go: the way back through loops of which it is not known before how often they run.
//   - snapshots.go: copies of memory, for loops that run again.
//   - checkpoints.go: the way back through loops that keep their state in a few rounds.
//   - calls.go: calls of functions that call themselves, and what is made of these functions.
//   - stack.go: what they record, and the run anew where the stacks are too short; whiles.go: their while loops.
//   - tangent.go: forward mode.
//   - parts.go: accesses to parts of memory, as vectors.
//   - equations.go: systems of equations, whose adjoint is one, too.
//   - instances.go: the adjoints of what a statement of equations reads.
//   - tangents.go: forward mode of equations.
//   - memory.go: shadows, and loops over all elements of a memory.
//
// Where things stand is asked of the schedule (ir.Schedule), not of the region in which they were built: a loop that does
// not depend on the one around it stands outside of it, and is run once.
//
// What the way back computes stands for real numbers: its sums may be taken in any order, and products contracted with
// them. What comes from an arm that is not taken is zero, whatever the slopes are there: these would be infinite or no
// numbers where the arm has no meaning (Griewank and Walther, 14.2). Within the arm nothing is tested.
//
// A loop of which a round only adds to what it carries, and asks for none of it, keeps its order on the way back: then
// the adjoint of what is carried is the same in all rounds. All others run from the last round to the first.
//
// Whatever the way back carries through a loop or a branch is in one list: first the adjoints of what the op carries or
// gives, then those of active values from outside, of which each region may add to any. A region that adds nothing
// hands them on, and folds see to it that nothing is carried for nobody.
//
// A value that an error names is the first in the order of the function that stops the way back. What may help is
// in the error, since the pass cannot know which level its caller wants.
//
// The way back allocates what it needs once, as memory of its own (memref.owned), which the passes over buffers give back.
//
// A function that calls itself has no tapes, since nobody knows how long they would be. It puts what it records on stacks, and its way
// back is a function that takes it off, in the exact opposite order; so no level runs again what is below it.
//
// What nobody needs of all this is never scheduled: a tape that no rule reads is not even
// allocated.
//
// Sources: A. Griewank and A. Walther, Evaluating Derivatives (2008), for the modes and the names; the rows that serve
// both modes are those of JAX (Frostig, Johnson, Leary 2018).
package differentiate
