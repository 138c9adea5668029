package loop_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/tools/loop"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

type (
	float  = loop.Num[float64]
	int64s = loop.Num[int64]
)

// sale is a row of data, and saleRow one in a query.
type sale struct {
	Shop   string
	Day    int32
	Amount float64
	Units  int
	Gift   bool
	note   string // of no query
}

type saleRow struct {
	Shop   loop.Str
	Day    loop.Num[int32]
	Amount float
	Units  loop.Num[int]
	Gift   loop.Bool
}

var sales = []sale{
	{"north", 3, 10.5, 1, false, "a"}, {"south", 1, 4, 2, true, "b"}, {"north", 2, 7.25, 3, true, "c"},
	{"west", 9, 1, 1, false, "d"}, {"south", 5, 2.5, 4, false, "e"}, {"north", 1, 0, 0, false, "f"},
}

// On each engine that there is.
func onEngines(t *testing.T, f func(t *testing.T, kind *engine.Kind)) {
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		t.Run(kind.Name, func(t *testing.T) { f(t, kind) })
	}
}

// compile compiles, or skips where there is no native code.
func compile[R any](t *testing.T, kind *engine.Kind, q any, inputs ...loop.Input) *loop.Program[R] {
	t.Helper()
	p, err := loop.CompileOn[R](t.Context(), kind, q, inputs...)
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("native code needs libLLVM: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// check compiles and runs a query of sales.
func check[R any](t *testing.T, name string, q func(loop.Query[saleRow]) any, want func(rows []sale) R) {
	t.Run(name, func(t *testing.T) {
		onEngines(t, func(t *testing.T, kind *engine.Kind) {
			in := loop.From[saleRow]("sales")
			p := compile[R](t, kind, q(in), in)
			for _, data := range [][]sale{sales, {}, sales[1:4]} {
				got, err := p.Run(t.Context(), data)
				if err != nil {
					t.Fatal(err)
				}
				if w := want(data); !reflect.DeepEqual(got, w) {
					t.Errorf("of %v: %v, want %v", data, got, w)
				}
			}
		})
	})
}

func amount(r saleRow) float { return r.Amount }

type shopSum struct {
	Shop  string
	Sum   float64
	Most  float64
	Mean  float64
	Sales int64
}

type shopRow struct {
	Shop  loop.Str
	Sum   float
	Most  float
	Mean  float
	Sales int64s
}

func byShop(q loop.Query[saleRow]) loop.Query[shopRow] {
	return loop.GroupBy(q, func(r saleRow) loop.Str { return r.Shop }, func(shop loop.Str, g *loop.Group[saleRow]) shopRow {
		return shopRow{Shop: shop, Sum: loop.Sum(g, amount), Most: loop.Max(g, amount), Mean: loop.Mean(g, amount), Sales: loop.Count(g, nil)}
	})
}

// sums is byShop in plain Go.
func sums(rows []sale) []shopSum {
	out := []shopSum{}
	for _, r := range rows {
		i := slices.IndexFunc(out, func(s shopSum) bool { return s.Shop == r.Shop })
		if i < 0 {
			i, out = len(out), append(out, shopSum{Shop: r.Shop, Most: r.Amount})
		}
		s := &out[i]
		s.Sum, s.Most, s.Sales = s.Sum+r.Amount, max(s.Most, r.Amount), s.Sales+1
		s.Mean = s.Sum / float64(s.Sales)
	}
	return out
}

func TestQueries(t *testing.T) {
	check(t, "filter and map to numbers", func(q loop.Query[saleRow]) any {
		late := q.Filter(func(r saleRow) loop.Bool { return r.Day.Gt(loop.Lit[int32](1)).And(r.Gift.Not()) })
		return loop.Map(late, func(r saleRow) float { return r.Amount.Mul(loop.To[float64](r.Units)) })
	}, func(rows []sale) []float64 {
		out := []float64{}
		for _, r := range rows {
			if r.Day > 1 && !r.Gift {
				out = append(out, r.Amount*float64(r.Units))
			}
		}
		return out
	})
	check(t, "rows", func(q loop.Query[saleRow]) any {
		return q.Filter(func(r saleRow) loop.Bool { return r.Shop.Eq(loop.Text("north")) })
	}, func(rows []sale) []sale {
		out := []sale{}
		for _, r := range rows {
			if r.Shop == "north" {
				r.note = ""
				out = append(out, r)
			}
		}
		return out
	})
	check(t, "groups", func(q loop.Query[saleRow]) any { return byShop(q) }, sums)
	check(t, "a single number", func(q loop.Query[saleRow]) any { return loop.Sum(q, amount) }, func(rows []sale) (s float64) {
		for _, r := range rows {
			s += r.Amount
		}
		return s
	})
	type facts struct {
		Units int
		Gifts int64
		Any   bool
		Last  string
	}
	check(t, "a single row", func(q loop.Query[saleRow]) any {
		return struct {
			Units loop.Num[int]
			Gifts int64s
			Any   loop.Bool
			Last  loop.Str
		}{
			loop.Sum(q, func(r saleRow) loop.Num[int] { return r.Units }),
			loop.Count(q, func(r saleRow) loop.Bool { return r.Gift }),
			loop.Any(q, func(r saleRow) loop.Bool { return r.Amount.Gt(loop.Lit(5.0)) }),
			loop.If(q.Len().Gt(loop.Lit[int64](0)), q.At(q.Len().Sub(loop.Lit[int64](1))).Shop, loop.Text("none")),
		}
	}, func(rows []sale) facts {
		f := facts{Last: "none"}
		for _, r := range rows {
			f.Units += r.Units
			f.Last = r.Shop
			f.Any = f.Any || r.Amount > 5
			if r.Gift {
				f.Gifts++
			}
		}
		return f
	})
	check(t, "sort and take", func(q loop.Query[saleRow]) any {
		sorted := q.SortBy(func(r saleRow) []loop.Order { return []loop.Order{loop.Asc(r.Shop), loop.Desc(r.Amount)} })
		return loop.Map(sorted.Take(loop.Lit[int64](3)), func(r saleRow) loop.Num[int32] { return r.Day })
	}, func(rows []sale) []int32 {
		rows = slices.Clone(rows)
		slices.SortStableFunc(rows, func(x, y sale) int {
			if c := strings.Compare(x.Shop, y.Shop); c != 0 {
				return c
			}
			return int(4 * (y.Amount - x.Amount))
		})
		out := []int32{}
		for _, r := range rows[:min(3, len(rows))] {
			out = append(out, r.Day)
		}
		return out
	})
}

// More than one input: rows, numbers of one column, and a parameter.
func TestJoinAndParam(t *testing.T) {
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		in, days, rate := loop.From[saleRow]("sales"), loop.From[loop.Num[int32]]("days"), loop.Param[float]("rate")
		type pay struct {
			Shop loop.Str
			Pay  float
		}
		q := loop.Join(days, in, func(d loop.Num[int32]) loop.Num[int32] { return d }, func(r saleRow) loop.Num[int32] { return r.Day },
			func(_ loop.Num[int32], r saleRow) pay { return pay{r.Shop, r.Amount.Mul(rate)} })
		type paid struct {
			Shop string
			Pay  float64
		}
		p := compile[[]paid](t, kind, q, in, rate, days)
		got, err := p.Run(t.Context(), sales, 2.0, []int32{1, 7, 9, 1})
		if want := []paid{{"south", 8}, {"north", 0}, {"west", 2}, {"south", 8}, {"north", 0}}; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v; want %v", got, err, want)
		}
		b, err := p.Bind(t.Context(), sales, 2.0, []int32{9})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []float64{2, 3, 4} {
			if err := b.Set(1, r); err != nil {
				t.Fatal(err)
			}
			if got, err := b.Run(t.Context()); err != nil || !reflect.DeepEqual(got, []paid{{"west", r}}) {
				t.Errorf("bound, rate %v: %v, %v", r, got, err)
			}
		}
		if err := b.Set(0, sales); err == nil || !strings.Contains(err.Error(), "no Param") {
			t.Errorf("rows were set: %v", err)
		}
		if err := b.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// What is asked about in inner loops is a query too.
func TestInnerQueries(t *testing.T) {
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		n := loop.Param[int64s]("n")
		primes := loop.Range(n).Filter(func(i int64s) loop.Bool {
			divides := loop.Any(loop.Range(i), func(d int64s) loop.Bool {
				return d.Gt(loop.Lit[int64](1)).And(i.Rem(d.Max(loop.Lit[int64](1))).Eq(loop.Lit[int64](0)))
			})
			return i.Gt(loop.Lit[int64](1)).And(divides.Not())
		})
		p := compile[[]int64](t, kind, primes, n)
		if got, err := p.Run(t.Context(), int64(20)); err != nil || !slices.Equal(got, []int64{2, 3, 5, 7, 11, 13, 17, 19}) {
			t.Errorf("%v, %v", got, err)
		}
		flat := loop.Sums(loop.FlatMap(loop.Range(n), func(i int64s) loop.Query[int64s] { return loop.Range(i).Reverse() }), func(i int64s) int64s { return i })
		q := compile[[]int64](t, kind, flat.Concat(loop.Range(n)).Drop(loop.Lit[int64](1)).Distinct(), n)
		if got, err := q.Run(t.Context(), int64(4)); err != nil || !slices.Equal(got, []int64{1, 3, 4, 0, 2}) {
			t.Errorf("%v, %v", got, err)
		}
	})
}

// A CSV file is an argument; what is not read may be wrong.
func TestCSV(t *testing.T) {
	path := t.TempDir() + "/sales.csv"
	if err := os.WriteFile(path, []byte("Units,Shop,Amount,Day,Gift\nx,north,1.5,y,true\nx,south,2,y,false\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		in := loop.From[saleRow]("sales")
		p := compile[float64](t, kind, loop.Sum(in, amount), in)
		if got, err := p.Run(t.Context(), loop.CSV(path)); err != nil || got != 3.5 {
			t.Errorf("%v, %v", got, err)
		}
		p = compile[float64](t, kind, loop.Sum(in, func(r saleRow) float { return loop.To[float64](r.Units) }), in)
		if _, err := p.Run(t.Context(), loop.CSV(path)); err == nil || !strings.Contains(err.Error(), `column "Units": "x" is not`) {
			t.Error(err)
		}
	})
}

// What is wrong is told, when the query is compiled, or when it runs.
func TestMistakes(t *testing.T) {
	in := loop.From[saleRow]("sales")
	sum := loop.Sum(in, amount)
	one := func(err error) string { return fmt.Sprint(err) }
	var kept float // an expression of a row, or of a group
	leaks := loop.Sum(in, func(r saleRow) float { kept = r.Amount; return kept }).Add(loop.Sum(in, func(saleRow) float { return kept }))
	leaksGroup := loop.Sum(loop.GroupBy(in, func(r saleRow) loop.Str { return r.Shop }, func(_ loop.Str, g *loop.Group[saleRow]) shopRow {
		kept = loop.Sum(g, amount)
		return shopRow{loop.Text(""), kept, kept, kept, loop.Count(g, nil)}
	}), func(r shopRow) float { return kept })
	twice := loop.GroupBy(in, func(r saleRow) loop.Str { return r.Shop }, func(_ loop.Str, g *loop.Group[saleRow]) float {
		mean := loop.Mean(g, amount)
		return loop.Sum(g, func(r saleRow) float { return r.Amount.Sub(mean) })
	})
	for _, x := range []struct {
		name, got, want string
	}{
		{"an input that is not given", one(second(loop.Compile[float64](t.Context(), sum))), `reads the input "sales", which Compile was not given; it was given none`},
		{"one that is computed", one(second(loop.Compile[float64](t.Context(), sum, in.Reverse()))), "argument 0 of the program is computed"},
		{"two of one name", one(second(loop.Compile[float64](t.Context(), sum, in, in))), `two inputs are named "sales"`},
		{"a result of another type", one(second(loop.Compile[int64](t.Context(), sum, in))), "the result of the query is of type float64, not int64"},
		{"rows as no slice", one(second(loop.Compile[sale](t.Context(), in, in))), "is no slice: it is []T for a type T of struct {Shop string; Day int32"},
		{"a field that the result lacks", one(second(loop.Compile[[]struct{ Shop string }](t.Context(), in, in))), `has the column "Day", and struct { Shop string } has only "Shop"`},
		{"a plain field in a query", one(second(loop.Compile[[]sale](t.Context(), loop.From[struct{ X float64 }]("x"), in))), "fields of a row in a query are loop.Num[T], loop.Str or loop.Bool, or a loop.Opt of one, here loop.Num[float64]"},
		{"a hidden field", one(second(loop.Compile[[]sale](t.Context(), loop.From[struct{ x float }]("x"), in))), "the field x of struct { x loop.Num[float64] } is not exported"},
		{"a value that was not set", one(second(loop.Compile[[]shopSum](t.Context(), loop.Map(in, func(r saleRow) shopRow { return shopRow{Shop: r.Shop} }), in))), "the field Sum of loop_test.shopRow has no value here"},
		{"an expression of another row", one(second(loop.Compile[float64](t.Context(), leaks, in))), "an expression of a row, of a group or of its key is used outside of the function that was given it"},
		{"an expression of a group", one(second(loop.Compile[float64](t.Context(), leaksGroup, in))), "is used outside of the function that was given it"},
		{"a sum that needs another", one(second(loop.Compile[[]float64](t.Context(), twice, in))), "the sum of a group is used to make a sum of its rows"},
		{"nothing to sort by", one(second(loop.Compile[[]sale](t.Context(), in.SortBy(func(saleRow) []loop.Order { return nil }), in))), "SortBy is given nothing"},
	} {
		if !strings.Contains(x.got, x.want) {
			t.Errorf("%s: %s; want %s", x.name, x.got, x.want)
		}
	}
	p := compile[float64](t, engine.Eval, sum, in)
	for _, x := range []struct {
		args []any
		want string
	}{
		{nil, `the program has 1 inputs, "sales", and is given 0 arguments`},
		{[]any{3.0}, `the input "sales" is rows, and float64 is no slice`},
		{[]any{nil}, `the input "sales" is rows, and <nil> is no slice`},
		{[]any{[]struct{ Shop int }{}}, `the column "Shop" is string in the query, and the field Shop of struct { Shop int } is int`},
		{[]any{loop.CSV("no such file")}, "no such file"},
	} {
		if _, err := p.Run(context.Background(), x.args...); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: %v; want %s", x.args, err, x.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
