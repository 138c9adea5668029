package loop_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tools/loop"
)

// The first rows of an order, however they are asked for, are those that a sort of all rows has first.
func TestTop(t *testing.T) {
	type plain struct {
		K int64
		X float64
		V *int32
		S string
	}
	type row struct {
		K int64s
		X float
		V loop.Opt[loop.Num[int32]]
		S loop.Str
	}
	rows, n := loop.From[row]("rows"), loop.Param[int64s]("n")
	number := func(r row) int64s { return r.K }
	float := func(x, y float64) int { // NaN is behind all numbers
		if x != x || y != y {
			return cmp.Compare(map[bool]int{true: 1}[x != x], map[bool]int{true: 1}[y != y])
		}
		return cmp.Compare(x, y)
	}
	missing := func(x, y *int32) int { // without a value first
		if x == nil || y == nil {
			return cmp.Compare(map[bool]int{true: 1}[x != nil], map[bool]int{true: 1}[y != nil])
		}
		return cmp.Compare(*x, *y)
	}
	programs := 0
	defer func() { t.Logf("%d programs", programs) }()
	for name, order := range map[string]struct {
		by      func(r row) []loop.Order
		compare func(x, y plain) int
	}{
		"float down":          {func(r row) []loop.Order { return []loop.Order{loop.Desc(r.X)} }, func(x, y plain) int { return -float(x.X, y.X) }},
		"null, float":         {func(r row) []loop.Order { return []loop.Order{loop.Asc(r.V), loop.Desc(r.X)} }, func(x, y plain) int { return cmp.Or(missing(x.V, y.V), -float(x.X, y.X)) }},
		"float, text":         {func(r row) []loop.Order { return []loop.Order{loop.Asc(r.X), loop.Asc(r.S)} }, func(x, y plain) int { return cmp.Or(float(x.X, y.X), cmp.Compare(x.S, y.S)) }},
		"text down, and null": {func(r row) []loop.Order { return []loop.Order{loop.Desc(r.S), loop.Desc(r.V)} }, func(x, y plain) int { return cmp.Or(cmp.Compare(y.S, x.S), missing(y.V, x.V)) }},
	} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(t *testing.T, kind *engine.Kind) {
				sorted := rows.SortBy(order.by)
				all := kind == engine.Eval || name == "float down" || built.Soaking() // a sort takes a second to compile
				var seven *loop.Program[[]int64]
				var at *loop.Program[int64]
				if programs++; all {
					programs += 2
					seven = compile[[]int64](t, kind, loop.Map(sorted.Take(loop.Lit[int64](7)), number), rows)
					at = compile[int64](t, kind, sorted.At(n).K, rows, n)
				}
				some := compile[[]int64](t, kind, loop.Map(sorted.Take(n), number), rows, n)
				r := rand.New(rand.NewPCG(1, 9))
				for _, size := range []int{0, 1, 5, 40, 600, 1100} {
					in := make([]plain, size)
					for i := range in {
						in[i] = plain{int64(i), float64(r.IntN(size)), nil, fmt.Sprint(r.IntN(20))}
						if v := int32(r.IntN(5)); v > 0 {
							in[i].V = &v
						}
						if r.IntN(10) == 0 {
							in[i].X = []float64{math.NaN(), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(3)]
						}
					}
					want := []int64{}
					for _, x := range slices.SortedStableFunc(slices.Values(in), order.compare) {
						want = append(want, x.K)
					}
					k := int64(r.IntN(size + 2))
					list, err := some.Run(t.Context(), in, k)
					if end := min(int(k), size); err != nil || !slices.Equal(list, want[:end]) {
						t.Fatalf("the first %d of %d: %v, %v; want %v", k, size, list, err, want[:end])
					}
					if !all {
						continue
					}
					first, err := seven.Run(t.Context(), in)
					if err != nil || !slices.Equal(first, want[:min(7, size)]) {
						t.Fatalf("the first 7 of %d: %v, %v; want %v", size, first, err, want[:min(7, size)])
					}
					x, err := at.Run(t.Context(), in, k)
					if k < int64(size) && (err != nil || x != want[k]) || k >= int64(size) && err == nil {
						t.Fatalf("number %d of %d: %d, %v; of %v", k, size, x, err, want)
					}
				}
			})
		})
	}
}
