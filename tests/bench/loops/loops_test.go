package loops

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// small are the tables with so few rows that a test has time for them.
func small() map[string]*Table {
	out := map[string]*Table{}
	for _, t := range []*Table{Lineitem(20_011), Points(20_011), Rows(20_011)} {
		out[t.Name] = t
	}
	return out
}

// The data are the same everywhere and at all times: results in files stay comparable.
func TestDataAreFixed(t *testing.T) {
	want := map[string]uint64{
		"lineitem": 0x7e7a886d731e2100, "orders": 0x951af7597470867b, "customer": 0x2321c8e90f410425, "points": 0xcbd27297c22dd3b0, "rows": 0x7a5f711880984b5b}
	for _, tab := range []*Table{Lineitem(1000), Orders(250, 25), Customer(25), Points(1000), Rows(1000)} {
		h := fnv.New64a()
		for _, c := range tab.Columns {
			for _, p := range c.parts() {
				if err := binary.Write(h, binary.LittleEndian, p.data); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := h.Sum64(); got != want[tab.Name] {
			t.Errorf("%s: %#x, want %#x", tab.Name, got, want[tab.Name])
		}
	}
}

// Shares of TPC-H's answers at scale factor 1 (TPC-H specification 3.0.1, 2.4.1.5 and
// 2.4.6.5): 98.6 % of the lines are shipped in time for Q1, and 1.9 % are of Q6.
func TestLineitemHasSharesOfTPCH(t *testing.T) {
	tables := map[string]*Table{"lineitem": Lineitem(600_000)}
	rows := map[string]float64{}
	for _, g := range reference(t, tables, "q1") {
		rows[string([]byte{byte(g[0]), byte(g[1])})] = g[9]
	}
	total := 0.0
	for group, want := range map[string]float64{"AF": 1478493, "NF": 38854, "NO": 2920374, "RF": 1478870} {
		got := rows[group] * 6_001_215 / 600_000
		if math.Abs(got-want) > 0.03*want {
			t.Errorf("%s: %.0f lines at scale factor 1, want about %.0f", group, got, want)
		}
		total += got
	}
	if len(rows) != 4 || math.Abs(total/6_001_215-0.986) > 0.002 {
		t.Errorf("%d groups of %.0f lines", len(rows), total)
	}
	revenue := reference(t, tables, "q6")[0][0] * 6_001_215 / 600_000
	if want := 123141078.23; math.Abs(revenue-want) > 0.03*want {
		t.Errorf("Q6 is %.0f, want about %.0f", revenue, want)
	}
}

// sums is what a group-by keeps of a group.
type sums struct {
	sum, max float64
	count    int
}

// grouped groups values by keys, in the order of first appearance.
func grouped(keys []float64, v []float64) (out [][]float64) {
	groups, order := map[float64]*sums{}, []float64(nil)
	for i, k := range keys {
		g := groups[k]
		if g == nil {
			g = &sums{max: math.Inf(-1)}
			groups[k] = g
			order = append(order, k)
		}
		g.sum += v[i]
		g.max = max(g.max, v[i])
		g.count++
	}
	for _, k := range order {
		g := groups[k]
		out = append(out, []float64{k, g.sum, float64(g.count), g.max})
	}
	return out
}

// keysOf are keys as numbers.
func keysOf(t *testing.T, data any) (out []float64) {
	switch x := data.(type) {
	case []int64:
		for _, k := range x {
			out = append(out, float64(k))
		}
	case Strings:
		for i := range len(x.Offsets) - 1 {
			k, err := strconv.Atoi(x.At(i)[2:])
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, float64(k))
		}
	}
	return out
}

// reference answers a query row by row, the plain way.
func reference(t *testing.T, tables map[string]*Table, name string) [][]float64 {
	switch name {
	case "q1", "q6":
		return lines(tables["lineitem"], name)
	case "int10", "int10000", "int1000000":
		return grouped(keysOf(t, tables["rows"].Column("k"+name[3:])), tables["rows"].Column("v").([]float64))
	case "text10", "text10000", "text1000000":
		return grouped(keysOf(t, tables["rows"].Column("s"+name[4:])), tables["rows"].Column("v").([]float64))
	}
	x, y := tables["points"].Column("x").([]float64), tables["points"].Column("y").([]float64)
	var squares, dot, sum, all, most, at float64
	var radii [][]float64
	for i, a := range x {
		dot, sum, all = dot+float64(a*y[i]), sum+a, all+float64(a*a)
		if a > 0 {
			squares += float64(a * a)
		}
		if r := float64(a*a) + float64(y[i]*y[i]); r < 0.5 {
			radii = append(radii, []float64{math.Sqrt(r)})
		}
		if d := math.Abs(a - y[i]); d > most {
			most, at = d, float64(i)
		}
	}
	n := float64(len(x))
	return map[string][][]float64{"squares": {{squares}}, "dot": {{dot}}, "radii": radii, "farthest": {{most, at}},
		"variance": {{sum / n, (all - sum*(sum/n)) / (n - 1)}}}[name]
}

func lines(l *Table, name string) (out [][]float64) {
	f := func(c string) []float64 { return l.Column(c).([]float64) }
	quantity, price, discount, tax := f("l_quantity"), f("l_extendedprice"), f("l_discount"), f("l_tax")
	flag, status, ship := l.Column("l_returnflag").([]int8), l.Column("l_linestatus").([]int8), l.Column("l_shipdate").([]int32)
	groups, revenue := map[[2]int8]int{}, 0.0
	for i, q := range quantity {
		if ship[i] >= 8766 && ship[i] < 9131 && discount[i] >= 0.05 && discount[i] <= 0.07 && q < 24 {
			revenue += float64(price[i] * discount[i])
		}
		if ship[i] > 10471 {
			continue
		}
		key := [2]int8{flag[i], status[i]}
		g, ok := groups[key]
		if !ok {
			g = len(out)
			groups[key] = g
			out = append(out, make([]float64, 10))
			out[g][0], out[g][1] = float64(key[0]), float64(key[1])
		}
		net := float64(price[i] * float64(1-discount[i]))
		for k, x := range []float64{q, price[i], net, float64(net * float64(1+tax[i])), q, price[i], discount[i], 1} {
			out[g][2+k] += x
		}
	}
	for _, g := range out {
		for k := 6; k < 9; k++ {
			g[k] /= g[9]
		}
	}
	if name == "q6" {
		return [][]float64{{revenue}}
	}
	return out
}

// Peers give what the plain way gives: to the bit, and in its order, where they take sums
// in the order of rows.
func TestPeersAgree(t *testing.T) {
	ctx, dir, tables := context.Background(), t.TempDir(), small()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, tab := range tables {
		if err := tab.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("C", func(t *testing.T) {
		exe := filepath.Join(dir, "peer")
		skipMissing(t, BuildC(ctx, root, exe))
		p, err := StartC(ctx, exe, dir)
		agree(t, p, err, dir, tables, func(q Query) (keys int, bound float64) {
			if q.Exact {
				return 0, 0
			}
			return 0, 1e-12
		})
	})
	t.Run("DuckDB", func(t *testing.T) {
		p, err := StartDuckDB(ctx, root, dir)
		agree(t, p, err, dir, tables, func(q Query) (keys int, bound float64) { return q.Keys, 1e-12 })
	})
}

// Our programs give the same, as they are written, on the interpreter.
func TestPrograms(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]*Table{"lineitem": Lineitem(3000), "points": Points(3000), "rows": Rows(3000)}
	for _, q := range Queries() {
		g, err := Parse(root, q)
		if err != nil {
			t.Fatal(err)
		}
		m, err := interp.New(g, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Resolve(q.Program)
		if err != nil {
			t.Fatal(err)
		}
		c := g.Ctx
		rows := c.LoweringOf(f.Params[0]).JoinVal(c, f.Params[0], Arguments(c, q, tables[q.Table]))
		vals, err := m.Invoke(f, []ir.Val{rows})
		if err != nil {
			t.Fatal(err)
		}
		var parts []ir.Val
		var types []ir.Type
		for i, v := range vals {
			ts, changed := c.PartsOf(f.Results[i], loop.Level)
			if types = append(types, ts...); changed {
				parts = append(parts, c.LoweringOf(f.Results[i]).SplitVal(c, f.Results[i], v, len(ts))...)
			} else {
				parts = append(parts, v)
			}
		}
		want := Result{Width: q.Width}
		for _, row := range reference(t, tables, q.Name) {
			want.Data = append(want.Data, row...)
		}
		if err := Collect(types, parts).Same(want, 0); err != nil {
			t.Errorf("%s: %v", q.Name, err)
		}
	}
}

func skipMissing(t *testing.T, err error) {
	t.Helper()
	var missing *ErrMissing
	switch {
	case errors.As(err, &missing):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
}

// agree asks a peer for all queries; how says which columns sort the rows before they are
// compared, and by what share numbers may differ.
func agree(t *testing.T, p *Peer, err error, dir string, tables map[string]*Table, how func(Query) (int, float64)) {
	skipMissing(t, err)
	defer p.Close()
	for _, q := range Queries() {
		file := filepath.Join(dir, q.Name+".out")
		if s, err := p.Run(q, 2, file); err != nil || s <= 0 {
			t.Fatalf("%s: %v s, %v", q.Name, s, err)
		}
		got, err := ReadResult(file, q.Width)
		if err != nil {
			t.Fatal(err)
		}
		want := Result{Width: q.Width}
		for _, row := range reference(t, tables, q.Name) {
			want.Data = append(want.Data, row...)
		}
		if want.Rows() == 0 {
			t.Fatalf("%s: no rows", q.Name)
		}
		keys, bound := how(q)
		if err := got.Sorted(keys).Same(want.Sorted(keys), bound); err != nil {
			t.Errorf("%s: %v", q.Name, err)
		}
	}
	if _, err := p.Run(Query{Name: "none", Table: "points", SQL: "SELECT none FROM points"}, 1, ""); err == nil {
		t.Error("a query that there is not runs")
	}
}

// Results differ where one bit does, unless a bound allows it.
func TestSame(t *testing.T) {
	a, b := Result{2, []float64{1, 2, 3, 4}}, Result{2, []float64{1, 2, 3, math.Nextafter(4, 5)}}
	if a.Same(a, 0) != nil || a.Same(b, 1e-12) != nil {
		t.Error("equal results differ")
	}
	for name, other := range map[string]Result{"one bit": b, "fewer rows": {2, []float64{1, 2}}, "another width": {4, a.Data}} {
		if a.Same(other, 0) == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
	if a.Same(Result{2, []float64{1, 2, 3, math.NaN()}}, 1e-12) == nil {
		t.Error("NaN: not noticed")
	}
	if err := (Result{2, []float64{3, 4, 1, 2}}).Sorted(1).Same(a, 0); err != nil {
		t.Error(err)
	}
}
