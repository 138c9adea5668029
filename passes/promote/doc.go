// Package promote makes values of memory that a function alone has.
//
// Memory is local if all its uses are seen: loads, stores, copies and views at constant places. mem2reg
// gives what one of a single element holds from store to load, through branches and loops, and
// sroa splits memory of several elements into such.
//
// Invariants:
//   - Memory that anything else may see stays as it is.
//   - A load before any store gives no value of its own: the memory holds poison.
package promote
