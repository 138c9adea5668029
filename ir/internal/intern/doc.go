// Package intern holds the numbers of types, attributes and locations, and the tables in
// which a context keeps attributes and places, each of them once. It knows no op, no graph
// and no dialect.
//
//   - An entry never changes, so that it is read without a lock.
//   - Nothing observable depends on a number but that equal things have equal ones.
//   - Tables keep copies: no piece of a source text holds all of it.
//   - Outsiders use the names that package ir has for what is here.
package intern
