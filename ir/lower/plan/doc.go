// Package plan makes one phase of the lowerings that all dialects have to a level (package ir/lower): New puts them in an
// order, Plan.Phase runs them.
package plan
