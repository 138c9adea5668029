// Package input reads what a program is given: data, and points.
//
// ParseData reads JSON, R dumps, OpenBUGS lists and tables, and CSV into arrays stored row
// by row (the last index runs fastest); ParsePoints reads several assignments of values to
// names.
//
// Invariants:
//   - It says nothing of what a model means: a name is a name, an array its extents and
//     numbers.
//   - Each format has a plain reader that knows all of it; the fast ones (jsonfast, rrun)
//     read what most files are, give up at the first byte that they do not know, and
//     agree with the plain one on the rest. CSV has one reader, on the cells of ir/run/table.
//   - A number is the nearest one to its text. NA is a gap, not a number.
//   - Points are read one at a time, and none is kept.
package input
