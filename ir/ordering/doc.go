// Package ordering says what the ops of one region may pass. With it one
//
//   - asks whether an op has to stand before another one: New, Order.Needs;
//   - asks which ops stand between two, for whatever moves or merges them;
//   - makes one op of several where nothing lies between them that they need: NewGroups.
//
// It stands on package ir alone and knows no dialect. Dependences are those of values, memory and traps, as effects and traits
// say them.
package ordering
