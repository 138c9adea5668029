// Package lower makes func.func @logdensity of a bugs.model, over loops and memory.
//
// Invariants:
//   - A term without meaning is NaN inside of the function; the status says so, and sends
//     the caller to the reference, which decides. What is inf - inf in the forms used here is
//     NaN too; they never give another number.
//   - The density is a sum whose parts are added where they vary (sum.go): what a loop does
//     not change once behind it, what depends on data alone in @logdensity_setup, once.
//   - @logdensity_setup and @logdensity come of one walk, so they agree on what is staged.
//   - Large counts and shapes go to @logdensity_careful (careful.go).
//   - Reads whose index comes from data are checked.
package lower
