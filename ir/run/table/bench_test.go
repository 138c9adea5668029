package table

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// lineitem is a table like that of TPC-H, 4.2.5 of its specification, and the columns that its
// query 1 reads.
func lineitem(rows int) ([]byte, []Want) {
	var b bytes.Buffer
	b.WriteString("l_orderkey,l_partkey,l_suppkey,l_linenumber,l_quantity,l_extendedprice,l_discount,l_tax,l_returnflag,l_linestatus,l_shipdate,l_commitdate,l_receiptdate,l_shipinstruct,l_shipmode,l_comment\n")
	rng := rand.New(rand.NewPCG(1, 2))
	comments := []string{"egular courts above the", "ly final dependencies: slyly bold", "riously. regular, express dep", "lites. fluffily even de"}
	date := func() string {
		y, m, d := civilFromDays(int32(8036 + rng.IntN(2500)))
		return fmt.Sprintf("%d-%02d-%02d", y, m, d)
	}
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d.%02d,0.%02d,0.%02d,%s,%s,%s,%s,%s,DELIVER IN PERSON,TRUCK,", i/4+1, rng.IntN(200000), rng.IntN(10000), i%4+1,
			1+rng.IntN(50), 900+rng.IntN(100000), rng.IntN(100), rng.IntN(11), rng.IntN(9), []string{"A", "N", "R"}[rng.IntN(3)], []string{"O", "F"}[rng.IntN(2)], date(), date(), date())
		if c := comments[rng.IntN(4)]; c[8] == ' ' {
			fmt.Fprintf(&b, "\"%s\"\n", c)
		} else {
			b.WriteString(c + "\n")
		}
	}
	return b.Bytes(), []Want{{"l_quantity", F64, false}, {"l_extendedprice", F64, false}, {"l_discount", F64, false}, {"l_tax", F64, false},
		{"l_returnflag", String, false}, {"l_linestatus", String, false}, {"l_shipdate", Date, false}}
}

// What TPC-H's query 1 reads of lineitem, and all of it.
func BenchmarkReadCSV(b *testing.B) {
	text, wants := lineitem(200000)
	for _, c := range []struct {
		name  string
		wants []Want
	}{{"q1", wants}, {"rows", nil}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for range b.N {
				if _, err := ReadCSV(context.Background(), "lineitem.csv", bytes.NewReader(text), int64(len(text)), c.wants); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
