// Package run is what the ops of the dialect do in the interpreter, given a Session.
//
// Invariants:
//   - It is what the lowering of a model is checked against: it shares no code with it but
//     the laws.
//   - A session belongs to one machine; a run works on copies of its values.
package run
