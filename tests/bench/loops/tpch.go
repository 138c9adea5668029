package loops

// Days of TPC-H since 1970-01-01 (TPC-H specification 3.0.1, 4.2.3).
const (
	firstOrder = 8035        // 1992-01-01
	lastOrder  = 10591 - 151 // 1998-12-31, less the days that a delivery may take
	today      = 9298        // 1995-06-17
)

var orderDates, orderLines = newDraw("o_orderdate"), newDraw("o_lines")

func orderDate(order int) int { return orderDates.between(order, firstOrder, lastOrder) }

// orderKey leaves 24 of 32 keys out, as dbgen does.
func orderKey(order int) int64 { return int64(order/8*32 + order%8 + 1) }

// Lineitem is the columns of TPC-H's lineitem that Q1, Q3 and Q6 read, distributed as
// there: so many lines of consecutive orders of 1 to 7, dates as days since 1970.
func Lineitem(rows int) *Table {
	order, shipped := make([]int64, rows), make([]int32, rows)
	quantity, price := make([]float64, rows), make([]float64, rows)
	discount, tax := make([]float64, rows), make([]float64, rows)
	returned, status := make([]int8, rows), make([]int8, rows)
	quantities, parts, discounts, taxes := newDraw("l_quantity"), newDraw("l_partkey"), newDraw("l_discount"), newDraw("l_tax")
	ships, receipts, returns := newDraw("l_shipdate"), newDraw("l_receiptdate"), newDraw("l_returnflag")
	for i, o := 0, 0; i < rows; o++ {
		date := orderDate(o)
		for line := orderLines.between(o, 1, 7); line > 0 && i < rows; line-- {
			ship := date + ships.between(i, 1, 121)
			q, part := quantities.between(i, 1, 50), parts.between(i, 1, 200_000)
			order[i], shipped[i], quantity[i] = orderKey(o), int32(ship), float64(q)
			price[i] = float64(q*(90_000+part/10%20_001+100*(part%1000))) / 100
			discount[i] = float64(discounts.between(i, 0, 10)) / 100
			tax[i] = float64(taxes.between(i, 0, 8)) / 100
			returned[i], status[i] = 'N', 'F'
			if ship+receipts.between(i, 1, 30) <= today {
				returned[i] = []int8{'R', 'A'}[returns.at(i)>>63]
			}
			if ship > today {
				status[i] = 'O'
			}
			i++
		}
	}
	return &Table{Name: "lineitem", Rows: rows, Columns: []Column{
		{"l_orderkey", order}, {"l_quantity", quantity}, {"l_extendedprice", price}, {"l_discount", discount},
		{"l_tax", tax}, {"l_returnflag", returned}, {"l_linestatus", status}, {"l_shipdate", shipped},
	}}
}

// Orders is those columns of orders that Q3 reads, of the orders whose lines Lineitem
// has; a third of the customers has none.
func Orders(rows, customers int) *Table {
	key, customer := make([]int64, rows), make([]int64, rows)
	date, priority := make([]int32, rows), make([]int32, rows)
	who := newDraw("o_custkey")
	for o := range rows {
		c := who.between(o, 0, max(1, customers/3*2)-1)
		key[o], customer[o], date[o] = orderKey(o), int64(c/2*3+c%2+1), int32(orderDate(o))
	}
	return &Table{Name: "orders", Rows: rows, Columns: []Column{
		{"o_orderkey", key}, {"o_custkey", customer}, {"o_orderdate", date}, {"o_shippriority", priority},
	}}
}

// segments are those of TPC-H; a customer has the number of one.
var segments = []string{"AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"}

// Customer is those columns of customer that Q3 reads.
func Customer(rows int) *Table {
	key := make([]int64, rows)
	segment := Strings{Offsets: []int64{0}}
	which := newDraw("c_mktsegment")
	for c := range rows {
		key[c] = int64(c + 1)
		segment.Bytes = append(segment.Bytes, segments[which.between(c, 0, len(segments)-1)]...)
		segment.Offsets = append(segment.Offsets, int64(len(segment.Bytes)))
	}
	return &Table{Name: "customer", Rows: rows, Columns: []Column{{"c_custkey", key}, {"c_mktsegment", segment}}}
}
