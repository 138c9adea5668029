// Package cf is MLIR's dialect of control flow: assertions, and branches between blocks. With it one
//
//   - builds an assertion: Builder.OpAttr with Assert and its msg;
//   - finds assertions, to compile or to remove them: Assert;
//   - reads programs that have blocks: Dialect, among those of the context.
//
// No graph has a branch. A region of several blocks is read by ir/text, which asks this package where a branch goes
// (branches), lets ir/cfg find ifs and loops, and dialect scf build them; irreducible control flow comes in with guard
// variables. What control does not reach is read and left out.
package cf
