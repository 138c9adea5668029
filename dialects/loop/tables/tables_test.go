package tables

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/ir/text"
)

// rowType has a field of each kind, without null and with.
func rowType(c *ir.Context) ir.Type {
	var fields []ir.Field
	for _, k := range []table.Kind{table.I1, table.I8, table.I16, table.I32, table.I64, table.Index, table.F32, table.F64, table.String} {
		t := loop.String(c)
		if k != table.String {
			t = elemOf(k)
		}
		fields = append(fields, ir.Field{Name: k.String(), Type: t}, ir.Field{Name: "maybe " + k.String(), Type: loop.Nullable(c, t)})
	}
	return loop.Array(c, loop.StructOf(c, fields...))
}

const csv = `i1,maybe i1,i8,maybe i8,i16,maybe i16,i32,maybe i32,i64,maybe i64,index,maybe index,f32,maybe f32,f64,maybe f64,string,maybe string
true,,-1,,-2,,-3,,-4,,5,,0.5,,-0.25,,"a, b",
false,true,1,2,3,4,5,6,7,8,9,10,1.5,2.5,NaN,Infinity,,""
`

// A table becomes the parts of an array and a value, and these the table again.
func TestRoundTrip(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	typ := rowType(c)
	wants, err := Wants(c, typ)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := table.ReadCSV(context.Background(), "t.csv", strings.NewReader(csv), 0, wants)
	if err != nil {
		t.Fatal(err)
	}
	parts := Parts(c, wants, slices.Repeat([]bool{true}, len(wants)), tab)
	var want []ir.Type
	for _, p := range parts {
		r := p.Ref.(*interp.MemRef)
		want = append(want, c.MemRef([]int64{ir.Dynamic}, r.Buf.Elem))
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
	if got := c.LoweringOf(typ).Parts(c, typ); !slices.Equal(got, want) {
		t.Errorf("the parts are of types %v, want %v", got, want)
	}
	for name, flat := range map[string][]ir.Val{"parts": parts, "values": throughValues(t, c, typ, parts)} {
		got, err := Of(c, []ir.Type{typ}, flat)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := table.WriteCSV(&b, got); err != nil {
			t.Fatal(err)
		}
		if b.String() != csv {
			t.Errorf("%s: got\n%s\nwant\n%s", name, b.String(), csv)
		}
	}
	if &parts[2].Ref.(*interp.MemRef).Buf.Bytes()[0] != &tab.Columns[1].Valid[0] {
		t.Error("a mask was copied")
	}
}

func throughValues(t *testing.T, c *ir.Context, typ ir.Type, parts []ir.Val) []ir.Val {
	vals, err := partwise.Unflatten(c, []ir.Type{typ}, parts)
	if err != nil {
		t.Fatal(err)
	}
	flat, _ := partwise.Flatten(c, []ir.Type{typ}, vals)
	return flat
}

// Where a column is not used, there is memory of its size all the same.
func TestUnusedColumns(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	typ := rowType(c)
	wants, _ := Wants(c, typ)
	used := make([]bool, len(wants))
	used[16] = true
	tab, err := table.ReadCSV(context.Background(), "t.csv", strings.NewReader(csv), 0, Chosen(wants, used))
	if err != nil {
		t.Fatal(err)
	}
	flat := throughValues(t, c, typ, Parts(c, wants, used, tab))
	got, err := Of(c, []ir.Type{typ}, flat)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows != 2 || string(got.Columns[16].Text(0)) != "a, b" || got.Columns[14].Rows() != 2 {
		t.Errorf("%d rows, %q", got.Rows, got.Columns[16].Text(0))
	}
}

// function is the graph of the one function of a text.
func function(t *testing.T, source string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", source), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	return f.Graph
}

func TestUsed(t *testing.T) {
	const rows = "!loop.array<!loop.struct<a: i64, s: !loop.string, m: !loop.nullable<f64>>>"
	for _, c := range []struct {
		name, body string
		want       []bool
	}{
		{"length", "func.func @main(%r: " + rows + ") -> index {\n  %n = loop.len %r : " + rows + "\n  return %n : index\n}", []bool{false, false, false}},
		{"column", "func.func @main(%r: " + rows + ") -> !loop.array<!loop.string> {\n  %s = loop.column %r[\"s\"] : " + rows + "\n  return %s : !loop.array<!loop.string>\n}", []bool{false, true, false}},
		{"whole", "func.func @main(%r: " + rows + ") -> " + rows + " {\n  return %r : " + rows + "\n}", []bool{true, true, true}},
		{"field of an element", "func.func @main(%r: " + rows + ", %i: index) -> i64 {\n  %x = loop.at %r[%i] : " + rows + "\n  %a = loop.field %x[\"a\"] : !loop.struct<a: i64, s: !loop.string, m: !loop.nullable<f64>>\n  return %a : i64\n}", []bool{true, false, false}},
		{"parts", "func.func @main(%a: memref<?xi64>, %o: memref<?xindex>, %b: memref<?xi8>, %m: memref<?xf64>, %v: memref<?xi1>, %i: index) -> (index, i1) {\n  %c0 = arith.constant 0 : index\n  %n = memref.dim %a, %c0 : memref<?xi64>\n  %x = memref.load %v[%i] : memref<?xi1>\n  return %n, %x : index, i1\n}",
			[]bool{false, false, true}},
	} {
		g := function(t, c.body)
		wants := []table.Want{{Name: "a", Kind: table.I64}, {Name: "s", Kind: table.String}, {Name: "m", Kind: table.F64, Nullable: true}}
		params := g.Params(ir.Root)
		if c.name != "parts" {
			params = params[:1]
		}
		if got := Used(g, wants, params); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What is no table is refused, as an argument and as a result.
func TestNoTable(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	f := loop.Array(c, ir.F64)
	memory := func(elem ir.Type, n int) ir.Val { return vector(interp.NewBuffer(c, elem, n, false), n) }
	for _, x := range []struct {
		t     ir.Type
		parts []ir.Val
		want  string
	}{
		{ir.F64, []ir.Val{ir.F64Val(1)}, "a result of type f64 is no table: an array is one, of structs, numbers or strings"},
		{loop.Array(c, f), []ir.Val{memory(ir.Index, 1), memory(ir.F64, 0)}, `column "result" would hold values of type !loop.array<f64>, which are no cells`},
		{loop.StructOf(c, ir.Field{Name: "a", Type: f}, ir.Field{Name: "b", Type: f}), []ir.Val{memory(ir.F64, 2), memory(ir.F64, 3)},
			`column "a" has 2 rows, and column "b" has 3: a table has columns of one length`},
		{f, []ir.Val{vector(interp.NewBuffer(c, ir.F64, 2, true), 2)}, `column "result": row 0 is poison`},
	} {
		if _, err := Of(c, []ir.Type{x.t}, x.parts); err == nil || err.Error() != x.want {
			t.Errorf("got %v, want %s", err, x.want)
		}
	}
	if _, err := Wants(c, f); err == nil || err.Error() != "a table is a value of type !loop.array<!loop.struct<...>>, not of !loop.array<f64>" {
		t.Errorf("got %v", err)
	}
}
