// Package rewrite is the pass that applies rules of text files, in the grammar of irc prove (package rule).
//
// A rule is proven when its file is read, at 1 to 4 bits, or at more where it has none: what is refuted is an error with the
// counterexample, and what cannot be proven is one unless the pass is told to take it unproven. Then each rule is a pattern
// as the folds of dialects have it (ir.Pattern). They are applied as the graph is rebuilt, the first that matches, until
// nothing changes. Rules that never come to an end are an error that names them.
package rewrite
