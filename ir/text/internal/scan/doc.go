// Package scan reads words and punctuation of the text of IR, looks ahead, and reports what is wrong.
//
// It knows tokens and nothing of what they mean: no types, no values, no ops. All parts of the parser share one Reader: one
// place, one list of what is wrong, one count of nesting.
package scan
