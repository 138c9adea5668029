// Package loop writes queries over rows in Go and runs them as native code. With it one
//
//   - writes a query: From, Query.Filter, Map, GroupBy, Sum;
//   - compiles it: Compile;
//   - runs it on rows of Go or on a CSV file: Program.Run, and Program.Bind for data that stay.
//
// A row in a query is a struct of expressions; filters, maps and groups are Go functions of
// such rows, which Go checks:
//
//	type line struct {
//		Ship                      loop.Num[int32]
//		Quantity, Price, Discount loop.Num[float64]
//	}
//
//	lines := loop.From[line]("lines")
//	cheap := lines.Filter(func(l line) loop.Bool { return l.Quantity.Lt(loop.Lit(24.0)) })
//	cost := loop.Sum(cheap, func(l line) loop.Num[float64] { return l.Price.Mul(l.Discount) })
//
//	p, err := loop.Compile[float64](ctx, cost, lines)
//	defer p.Close()
//	x, err := p.Run(ctx, rows) // rows is a slice of structs of plain values; once, or often
//
// The functions are called once, when Compile makes a program of the dialect loop. So an if of Go decides
// what the program is, and loop.If what happens to a row. Rows of data are structs of numbers, strings and
// truth values with fields of the same names, or of the names in the tags `loop:"name"`; only the columns
// that the program reads in the end are copied. Bind keeps data where the program has them. What may be
// missing is an Opt in a query and a pointer in data: of an empty cell of a CSV file, nil. Without an Opt, an
// empty cell in a column of numbers that is read is refused. Results are slices of structs, of values, or
// single ones.
//
// Programs are native code where there is libLLVM, and are interpreted elsewhere. Native
// code runs in a child process, which is this program again: main calls engine.ServeIfChild first.
//
// Another way would have been to name fields by strings, r.Float("price"): then a row is
// declared once, and a wrong name or type is found only when the query is compiled. Here a
// row that comes from outside is declared twice, as data and in queries, and what is between
// only in queries; in return Go's compiler and editors know every field.
package loop
