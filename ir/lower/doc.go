// Package lower is what a dialect says of how its ops are lowered, and how the rules
// of all dialects become one phase. With it one
//
//   - says what the ops of a dialect become: rows of rules in a Table;
//   - says what a row depends on: the target, options and the schedule that its Env has;
//   - says before which level one of its own comes: Order.
//
// A dialect has a Table: rows of rules, each for a level ("scf", "arith"). A row is a
// map of rules, or a constructor that makes them for a graph. The constructor knows the target, the options
// of the pass `lower` and the schedule. Rules of two rows for one op at one level are a mistake of the
// authors, reported with both names, unless the rows say which comes first; then the first that gives a
// result wins.
package lower
