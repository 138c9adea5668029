// Package table reads the columns of a table that a program wants, by name, into memory
// as compiled code has it, and writes columns as CSV.
//
// A Want names a column, its Kind and whether it may have nulls; what is not wanted is
// skipped without conversion. What is read is one Column each, values row by row: numbers
// little end first, strings as bytes and offsets, nulls as a mask.
//
// # CSV
//
// The form is that of RFC 4180, Common Format and MIME Type for Comma-Separated Values:
//
//   - The first line is the header; it names the columns. A UTF-8 byte order mark before it
//     is left out.
//   - Records end with LF or CRLF, the last one need not. A line without anything is no
//     record, unless the table has one column.
//   - A cell with a comma, a quote or an end of line is put between quotes; a quote in it is
//     written twice. All else in a cell belongs to it, spaces too; text need not be UTF-8.
//   - Every record has as many cells as the header.
//   - An empty cell is null. Of a string column that has no nulls it is the empty string;
//     of one that has, the empty string is "".
//   - Integers are decimal and must fit their type as signed numbers. An integer column of
//     32 bits or more takes ISO 8601 dates (2026-11-23), as days since 1970-01-01.
//   - Floats are what strconv.ParseFloat takes, NaN and Infinity too, rounded once to the
//     nearest value of the type.
//   - i1 is what strconv.ParseBool takes: true, false, 1, 0 and their short forms.
//
// The file is cut into pieces of whole records, which are parsed on all cores and put
// together in order: what is read, and which error is reported, the first of the file, do
// not depend on the number of cores. Errors are *diag.Diagnostic with the line and a caret.
//
// Parquet is read by the room parquet, which nothing imports that must start fast.
package table
