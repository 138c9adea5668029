// Package roles says what each node is for: observed, a parameter, computed from them, or
// made for its own sake.
//
// Invariants:
//   - A role is liveness, backward from the observations: a node that none of them depends
//     on is a generated quantity, whatever it is called.
//   - It is found by statement where subscripts show that all instances are read, else by
//     instance, in time linear in the elements that are read.
package roles
