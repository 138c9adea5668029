// Package backward finds out what the future of a program holds, at each of its points, by running it forward: the
// analysis by repeated execution of Brahmakshatriya, Amarasinghe and Rinard, "Backwards Data-Flow Analysis using Prophecy
// Variables in the BuildIt System" (sections 3.4 and 3.5).
//
// A point has a prediction, an element of a lattice, the least at first. While the program runs it states
//
//   - what a point must have predicted (Require, the paper's precondition S ⊆ π),
//   - what predictions follow from each other from a point to the next (Flow, the paper's π' ⊆ π ∪ S): that of the point is at
//     least a function of that of the next, and
//   - it asks for predictions (At), and does one thing or another by what it learns.
//
// Solve runs it until no prediction changes that it has asked for. Invariants:
//
//   - Predictions grow; each is the least that all that was ever stated allows. So the heights of the
//     lattices bound the number of runs. If what is stated does not depend on what was learned, the result is
//     the least solution.
//   - What was stated in a run holds in all later ones.
//
// Two things differ from the paper as printed. Its Solve is called at violated preconditions only. A
// constraint which is met after its target has grown is then never solved, and the second arm of a
// conditional keeps an empty prediction; here each constraint is solved when it is met. Its driver starts
// again once; here the program runs until nothing changes. And a run goes on after a prediction was too
// small: only if it was asked for is there another run (Eager is the paper's way).
package backward
