// Package syntax reads the BUGS language; it knows nothing
// of the intermediate representation and nothing of what a model means.
//
// Programs: Parse turns a text into a Program, a tree with a place on every node,
// and a list of diagnostics; Print writes a Program back in one normal form, and
// parsing that form in either dialect gives an equal tree.
//
// Grammar (white space and line ends separate, `;` may):
//
//	program  = { "var" decl { "," decl } | "data" block | "model" [name] block }
//	decl     = name [ "[" expr { "," expr } "]" ]
//	block    = "{" { stmt } "}"
//	stmt     = "for" "(" name "in" expr ")" block
//	         | ref ("<-" | "=") expr
//	         | link "(" ref ")" ("<-" | "=") expr
//	         | ref "~" name "(" [exprs] ")" [ ("T"|"C"|"I") "(" [expr] "," [expr] ")" ]
//	ref      = name [ "[" [expr] { "," [expr] } "]" ]
//
// Operators from loosest to tightest: `:` (BUGS), ||, &&, comparisons (which do
// not chain), + -, * /, %*%, `:` (JAGS), unary - and !, ^ (also **, to the
// right). A name is a function only directly before a parenthesis; T, C and I are
// bounds only between a distribution's closing parenthesis and an opening one.
//
// Names of functions and distributions and the number of their arguments are
// checked here against the tables Functions and Distributions; whether a name is
// data, a parameter or nothing at all is for the next stage.
package syntax
