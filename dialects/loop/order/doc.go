// Package order sorts rows and lays groups out, as ops of arith, scf and memref for the
// rules that lower sorts and buckets.
//
// Sort is stable and gives the permutation: row p[0] comes first. Keys are numbers and
// strings, each ascending or, the other way round, descending. Integers are signed, false is
// before true, -0 is 0, NaN is behind all numbers, and strings are in the order of their
// bytes, unsigned, a prefix before what it begins.
//
// Rows of numbers are sorted digit by digit from the lowest, a key after the other from the
// last (Knuth, The Art of Computer Programming, volume 3, section 5.2.5, algorithm R): a
// digit that all rows share is left out. Where there are strings, runs that were sorted by insertion are
// merged (section 5.2.4, algorithm S). They compare by the first eight bytes of the first key, which go along
// with the rows, and by the keys themselves where those are equal.
//
// First gives the first rows of that order alone, by one look at each row: those that come before the last
// of the best so far are gathered, and sorted with these when there are as many again.
//
// Counting is a distribution sort (section 5.2, algorithm D): of rows that know the number
// of their group, where each group begins and its rows, in their order.
package order
