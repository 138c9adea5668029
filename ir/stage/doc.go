// Package stage finds the program that a Go function writes: the function is run over and over, and what it
// does is recorded as ops. Where it asks for what is known only later, it is told one thing first, and the
// other in a run of its own. It follows BuildIt (Brahmakshatriya and Amarasinghe, "BuildIt: a type-based
// multi-stage programming framework", CGO 2021), whose prophecy variables are those of "Backwards Data-Flow
// Analysis using Prophecy Variables in the BuildIt System".
//
// The package knows no dialect: an op is a code that can be compared, and the nodes whose results it takes. Package
// tools/stage is the front with types and control flow.
//
// Invariants:
//
//   - A node is a tag and an op. A tag is where the op was made (the calls that were under way) with which host state (the
//     statics). Ops of one tag are one node: that is how paths meet again and loops close.
//   - Each edge of the graph is found by one run: with D branches there are D+1.
//   - A run that comes to a node which is there goes on in its steps for a while: each op must be the node's, at its tag. So
//     host state that is no static shows as a difference, and a difference is an error that names the line.
//   - Where paths meet, the host may hold results that were made with different statics. Each use of a result or variable of a place
//     comes after the same one on all paths; if not, the place is told apart, and the program found again (meet.go).
//   - What was found is checked by up to 16 runs along other paths (check.go), so that host state that shows only on some ways
//     from where paths met is found too. They are not among the D+1.
//   - The function is stopped by ending its goroutine: no recover of its own swallows that, and what it stages in
//     deferred calls meanwhile is not recorded.
//   - Prophecies only grow. When one does, what was found after it was asked for is found again, and nothing else is.
package stage
