// Package parquet reads the columns of a Parquet file that a program wants, by name, with
// github.com/apache/arrow-go; of the file it reads the footer and the chunks of those columns.
//
// A process that links arrow-go starts 1.5 ms later and is 31 MB larger, so that nothing
// may import this room that has to start fast: irc starts tools/irc-parquet instead, which
// hands it the columns (table.Send).
//
// A column has to hold values of its kind, or of one that the kind holds exactly:
//
//	boolean                          i1
//	int8, int16, int32               integers of at least as many bits, f64, and f32 up to int16
//	uint8, uint16, uint32            integers of more bits, f64, and f32 up to uint16
//	int64                            i64, index
//	date                             date and integers of 32 bits or more: days since 1970-01-01
//	float, double                    f32 and f64, f64
//	byte array: string, enum, JSON   string
//
// The rest is refused with advice: decimals, timestamps, uint64, nested and repeated columns,
// arrays of fixed length. A file that is damaged is an error, never a panic.
package parquet
