// Package tables binds tables to arguments of type !loop.array<!loop.struct<...>>, a column for
// each field of the same name, and makes tables of results that are arrays.
//
// A field is i1, i8 to i64, index, f32, f64 or a string, or one of them nullable. The columns
// become the parts of the array as lowered programs take them, without a copy; of what a
// function does not read (Used) there need be no column.
package tables
