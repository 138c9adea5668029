// Package stage takes the steps from a program as it is written to its sequential form one
// at a time, for passes and for people.
//
// Invariants:
//   - Every stage is a model with a graph, and all give the same density.
//   - All stages together do what package order does at once.
package stage
