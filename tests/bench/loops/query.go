package loops

import "fmt"

// A Query is one row of the table. C has a function of its name (peers/*.c).
type Query struct {
	Name  string
	Kind  Kind
	Table string
	What  string

	// Our program is the function of this name in queries/PROGRAM.mlir; its argument is an
	// array of these columns.
	Program string
	Columns []string

	SQL   string
	Width int // columns of its result, its keys first
	Keys  int // of DuckDB's result rows come in any order, and these tell them

	// Exact says that C and we give the same bits: no sum is reassociable.
	Exact bool
}

// Kind is which of the table's parts a query is in.
type Kind int

// The parts.
const (
	TPCH Kind = iota
	Pipeline
	GroupBy
)

// Queries lists them all.
func Queries() []Query {
	out := []Query{
		{Name: "q1", Kind: TPCH, Table: "lineitem", What: "TPC-H Q1", Width: 10, Keys: 2, Exact: true,
			Program: "q1", Columns: []string{"l_quantity", "l_extendedprice", "l_discount", "l_tax", "l_returnflag", "l_linestatus", "l_shipdate"},
			SQL: `SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice),
 sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)),
 avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*)
 FROM lineitem WHERE l_shipdate <= 10471 GROUP BY l_returnflag, l_linestatus`},
		{Name: "q6", Kind: TPCH, Table: "lineitem", What: "TPC-H Q6", Width: 1,
			Program: "q6", Columns: []string{"l_quantity", "l_extendedprice", "l_discount", "l_shipdate"},
			SQL: `SELECT sum(l_extendedprice * l_discount) FROM lineitem
 WHERE l_shipdate >= 8766 AND l_shipdate < 9131 AND l_discount BETWEEN 0.05::DOUBLE AND 0.07::DOUBLE AND l_quantity < 24`},
		{Name: "squares", Kind: Pipeline, Table: "points", What: "filter, map, sum: squares", Width: 1,
			Program: "squares", Columns: []string{"x"},
			SQL: `SELECT sum(x * x) FROM points WHERE x > 0`},
		{Name: "dot", Kind: Pipeline, Table: "points", What: "zip, map, sum: a dot product", Width: 1,
			Program: "dot", Columns: []string{"x", "y"},
			SQL: `SELECT sum(x * y) FROM points`},
		{Name: "variance", Kind: Pipeline, Table: "points", What: "map, two sums: mean and variance", Width: 2,
			Program: "variance", Columns: []string{"x"},
			SQL: `SELECT sum(x) / count(*), (sum(x * x) - sum(x) * (sum(x) / count(*))) / (count(*) - 1) FROM points`},
		{Name: "radii", Kind: Pipeline, Table: "points", What: "zip, map, filter, map, collect", Width: 1, Exact: true,
			Program: "radii", Columns: []string{"x", "y"},
			SQL: `SELECT sqrt(r) FROM (SELECT x * x + y * y AS r FROM points) WHERE r < 0.5`},
		{Name: "farthest", Kind: Pipeline, Table: "points", What: "zip, map, max with its index", Width: 2, Exact: true,
			Program: "farthest", Columns: []string{"x", "y"},
			SQL: `SELECT max(abs(x - y)), arg_max(rowid, abs(x - y)) FROM points`},
	}
	for _, kind := range []struct{ name, column, what string }{{"int", "k", "integer"}, {"text", "s", "string"}} {
		for _, n := range Groups {
			out = append(out, Query{Name: fmt.Sprint(kind.name, n), Program: kind.name, Columns: []string{fmt.Sprint(kind.column, n), "v"}, Kind: GroupBy, Table: "rows", Width: 4, Keys: 1, Exact: true,
				What: fmt.Sprintf("group by %s %s keys", map[int]string{10: "10", 10_000: "10k", 1_000_000: "1M"}[n], kind.what),
				SQL:  fmt.Sprintf("SELECT %[1]s%[2]d, sum(v), count(*), max(v) FROM rows GROUP BY %[1]s%[2]d", kind.column, n)})
		}
	}
	return out
}
