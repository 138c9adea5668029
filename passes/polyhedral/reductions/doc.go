// Package reductions has the pass simplify-reductions: it reads systems of equations (dialect poly)
// for package simplify, which lowers the complexity of their reductions, and writes what that
// makes of them. The theory is in the comment of dialects/poly/simplify.
package reductions
