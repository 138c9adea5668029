// Package loops has what the rows of `make bench` about data-parallel loops measure: the
// data, the queries in SQL and C, and the peers that run them, each a process that times
// a query where its data lie.
//
// Data are made by counters: the draw of a row depends on the name of its column and its
// number alone. A Table is written as a folder of raw columns, which all peers read.
// Sums are f64 on every side. Those over all rows may be reassociated, by us, by C and by
// DuckDB; those of groups are taken in the order of the rows by us and by C. C contracts
// no products, since our programs do not.
package loops
