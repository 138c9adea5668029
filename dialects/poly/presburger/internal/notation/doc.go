// Package notation reads and prints isl's notation of sets, maps and functions, and makes
// conjunctions of formulas that have no text.
//
// What is printed reads back as the same set. Texts are hostile: every length, depth and
// product has a limit, and reading is work within a budget. A wrong text is a SyntaxError
// at its place.
package notation
