// Package explain says for people what became of a program and why: where each op
// stands, what was shared, folded or left out, what a model consists of, and which
// statement needs which. It reads graphs and reports of models, and writes text or
// what -json encodes; it knows no command line.
//
//	New           listens while a program is read and passes run
//	Model         what there is to say of a model
//	Hoisted       what its lowered density computes outside of loops
//	Table         the table of dependences between statements
package explain
