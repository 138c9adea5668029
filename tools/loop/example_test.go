package loop_test

import (
	"context"
	"fmt"
	"log"

	"github.com/irc-lang/irc/tools/loop"
)

// lineRow is a row of examples/loop/lineitem.csv in a query.
type lineRow struct {
	Ship     loop.Num[int32]   `loop:"l_shipdate"`
	Quantity loop.Num[float64] `loop:"l_quantity"`
	Price    loop.Num[float64] `loop:"l_extendedprice"`
	Discount loop.Num[float64] `loop:"l_discount"`
	Tax      loop.Num[float64] `loop:"l_tax"`
	Flag     loop.Str          `loop:"l_returnflag"`
	Status   loop.Str          `loop:"l_linestatus"`
}

const lineitem = loop.CSV("../../examples/loop/lineitem.csv")

// TPC-H Q6 over a table: a filter and a sum.
func Example() {
	ctx := context.Background()
	lines := loop.From[lineRow]("lines")
	cheap := lines.Filter(func(l lineRow) loop.Bool {
		return l.Ship.Ge(loop.Date(1994, 1, 1)).And(l.Ship.Lt(loop.Date(1995, 1, 1))).
			And(l.Discount.Between(loop.Lit(0.05), loop.Lit(0.07))).
			And(l.Quantity.Lt(loop.Lit(24.0)))
	})
	revenue := loop.SumInAnyOrder(cheap, func(l lineRow) loop.Num[float64] { return l.Price.Mul(l.Discount) })

	p, err := loop.Compile[float64](ctx, revenue, lines)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	x, err := p.Run(ctx, lineitem)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", x)

	// Output:
	// 527.4555
}

// TPC-H Q1: the aggregates of groups, as rows.
func Example_groupBy() {
	type key struct{ Flag, Status loop.Str }
	type summaryRow struct {
		Flag, Status           loop.Str
		Quantity, Net, Average loop.Num[float64]
		Lines                  loop.Num[int64]
	}
	type summary struct {
		Flag, Status           string
		Quantity, Net, Average float64
		Lines                  int64
	}

	ctx := context.Background()
	lines := loop.From[lineRow]("lines")
	shipped := lines.Filter(func(l lineRow) loop.Bool { return l.Ship.Le(loop.Date(1998, 9, 2)) })
	q := loop.GroupBy(shipped,
		func(l lineRow) key { return key{l.Flag, l.Status} },
		func(k key, g *loop.Group[lineRow]) summaryRow {
			return summaryRow{
				Flag: k.Flag, Status: k.Status,
				Quantity: loop.Sum(g, func(l lineRow) loop.Num[float64] { return l.Quantity }),
				Net:      loop.Sum(g, func(l lineRow) loop.Num[float64] { return l.Price.Mul(loop.Lit(1.0).Sub(l.Discount)) }),
				Average:  loop.Mean(g, func(l lineRow) loop.Num[float64] { return l.Quantity }),
				Lines:    loop.Count(g, nil),
			}
		})

	p, err := loop.Compile[[]summary](ctx, q, lines)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	rows, err := p.Run(ctx, lineitem)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%s %s %g %.2f %.2f %d\n", r.Flag, r.Status, r.Quantity, r.Net, r.Average, r.Lines)
	}

	// Output:
	// R F 422 641197.05 21.10 20
	// A F 597 837854.19 22.11 27
	// N O 97 147890.13 16.17 6
}

// Word count, of strings that are a slice.
func Example_words() {
	type countRow struct {
		Word  loop.Str
		Count loop.Num[int64]
	}
	type count struct {
		Word  string
		Count int64
	}

	ctx := context.Background()
	words := loop.From[loop.Str]("words")
	q := loop.GroupBy(words, func(w loop.Str) loop.Str { return w }, func(w loop.Str, g *loop.Group[loop.Str]) countRow {
		return countRow{w, loop.Count(g, nil)}
	})
	p, err := loop.Compile[[]count](ctx, q, words)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	counts, err := p.Run(ctx, []string{"to", "be", "or", "not", "to", "be"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts)

	// Output:
	// [{to 2} {be 2} {or 1} {not 1}]
}

// A step of k-means, often, on points that are bound once: the nearest of two centres, and where they
// move.
func Example_bind() {
	type pointRow struct{ X, Y loop.Num[float64] }
	type point struct{ X, Y float64 }

	ctx := context.Background()
	points := loop.From[pointRow]("points")
	var centres [4]loop.Num[float64]
	inputs := []loop.Input{points}
	for i := range centres {
		centres[i] = loop.Param[loop.Num[float64]](fmt.Sprintf("centre %d", i))
		inputs = append(inputs, centres[i])
	}
	distance := func(p pointRow, x, y loop.Num[float64]) loop.Num[float64] {
		dx, dy := p.X.Sub(x), p.Y.Sub(y)
		return dx.Mul(dx).Add(dy.Mul(dy))
	}
	moved := loop.GroupBy(points,
		func(p pointRow) loop.Bool {
			return distance(p, centres[2], centres[3]).Lt(distance(p, centres[0], centres[1]))
		},
		func(_ loop.Bool, g *loop.Group[pointRow]) pointRow {
			return pointRow{
				loop.Mean(g, func(p pointRow) loop.Num[float64] { return p.X }),
				loop.Mean(g, func(p pointRow) loop.Num[float64] { return p.Y }),
			}
		})

	p, err := loop.Compile[[]point](ctx, moved, inputs...)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	b, err := p.Bind(ctx, []point{{1, 1}, {1.5, 2}, {8, 8}, {9, 9}, {1, 0}}, 0.0, 0.0, 4.0, 4.0)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close(ctx)
	for range 2 {
		at, err := b.Run(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.3f\n", at)
		for i, x := range []float64{at[0].X, at[0].Y, at[1].X, at[1].Y} {
			if err := b.Set(1+i, x); err != nil {
				log.Fatal(err)
			}
		}
	}

	// Output:
	// [{1.167 1.000} {8.500 8.500}]
	// [{1.167 1.000} {8.500 8.500}]
}
