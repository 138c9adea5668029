package parquet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run/table"
)

func read(data []byte, wants ...table.Want) (*table.Table, error) {
	return Read(context.Background(), "t.parquet", bytes.NewReader(data), wants)
}

// A source is a type of a file's columns, and the kinds that hold it.
type source struct {
	name     string
	logical  schema.LogicalType
	physical parquet.Type
	one      func(bits uint64) any
	kinds    []table.Kind
}

var sources = []source{
	{"boolean", schema.NoLogicalType{}, parquet.Types.Boolean, func(b uint64) any { return b&1 == 1 }, []table.Kind{table.I1}},
	{"int8", schema.NewIntLogicalType(8, true), parquet.Types.Int32, func(b uint64) any { return int32(int8(b)) },
		[]table.Kind{table.I8, table.I16, table.I32, table.I64, table.Index, table.F32, table.F64}},
	{"int16", schema.NewIntLogicalType(16, true), parquet.Types.Int32, func(b uint64) any { return int32(int16(b)) },
		[]table.Kind{table.I16, table.I32, table.I64, table.Index, table.F32, table.F64}},
	{"int32", schema.NoLogicalType{}, parquet.Types.Int32, func(b uint64) any { return int32(b) },
		[]table.Kind{table.I32, table.I64, table.Index, table.F64, table.Date}},
	{"int64", schema.NoLogicalType{}, parquet.Types.Int64, func(b uint64) any { return int64(b) }, []table.Kind{table.I64, table.Index}},
	{"uint8", schema.NewIntLogicalType(8, false), parquet.Types.Int32, func(b uint64) any { return int32(uint8(b)) },
		[]table.Kind{table.I16, table.I32, table.I64, table.Index, table.F32, table.F64}},
	{"uint32", schema.NewIntLogicalType(32, false), parquet.Types.Int32, func(b uint64) any { return int32(b) }, []table.Kind{table.I64, table.Index}},
	{"date", schema.DateLogicalType{}, parquet.Types.Int32, func(b uint64) any { return int32(b % 50000) },
		[]table.Kind{table.Date, table.I32, table.I64, table.Index}},
	{"float", schema.NoLogicalType{}, parquet.Types.Float, func(b uint64) any { return math.Float32frombits(uint32(b)) }, []table.Kind{table.F32, table.F64}},
	{"double", schema.NoLogicalType{}, parquet.Types.Double, func(b uint64) any { return math.Float64frombits(b) }, []table.Kind{table.F64}},
	{"string", schema.StringLogicalType{}, parquet.Types.ByteArray, func(b uint64) any { return parquet.ByteArray(fmt.Sprint(b % 1000)) }, []table.Kind{table.String}},
	{"byte array", schema.NoLogicalType{}, parquet.Types.ByteArray, func(b uint64) any { return parquet.ByteArray(fmt.Sprint(b)[1:]) }, []table.Kind{table.String}},
}

// Every type is read as each kind that holds it, with nulls and without, from files of all
// forms, and as no other kind.
func TestReadAllTypes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	forms := [][]parquet.WriterProperty{
		{parquet.WithDictionaryDefault(false), parquet.WithDataPageVersion(parquet.DataPageV1)},
		{parquet.WithDictionaryDefault(true), parquet.WithCompression(compress.Codecs.Snappy), parquet.WithDataPageSize(64)},
		{parquet.WithDictionaryDefault(true), parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Zstd)},
		{parquet.WithDictionaryDefault(false), parquet.WithCompression(compress.Codecs.Gzip), parquet.WithDataPageSize(64)},
	}
	for _, s := range sources {
		for _, nulls := range []bool{false, true} {
			vals := randomly(rng, 500, nulls, s.one)
			data := writeFile(t, []field{{node(t, "x", nulls, s.logical, s.physical, -1), vals}}, 1+rng.IntN(600), forms[rng.IntN(len(forms))]...)
			for k := table.I1; k <= table.String; k++ {
				held := false
				for _, h := range s.kinds {
					held = held || h == k
				}
				got, err := read(data, table.Want{Name: "x", Kind: k, Nullable: nulls})
				if (err == nil) != held {
					t.Errorf("%s as %s: %v", s.name, k, err)
				}
				if err != nil {
					continue
				}
				compare(t, s, got, vals)
				if !nulls { // may be wanted with nulls all the same
					got, err := read(data, table.Want{Name: "x", Kind: k, Nullable: true})
					if err != nil {
						t.Errorf("%s as nullable %s: %v", s.name, k, err)
						continue
					}
					compare(t, s, got, vals)
				}
			}
		}
	}
}

// compare holds a column against the values that were written.
func compare(t *testing.T, s source, got *table.Table, vals []any) {
	t.Helper()
	c := got.Columns[0]
	if got.Rows != len(vals) || c.Rows() != len(vals) {
		t.Fatalf("%s as %s: %d rows, want %d", s.name, c.Kind, c.Rows(), len(vals))
	}
	for i, v := range vals {
		if v == nil != c.Null(i) {
			t.Fatalf("%s as %s: row %d is null: %v", s.name, c.Kind, i, c.Null(i))
		}
		if v == nil {
			continue
		}
		if s.name == "uint32" {
			v = int64(uint32(v.(int32)))
		}
		if want, is := fmt.Sprint(wide(v)), fmt.Sprint(wide(at(c, i))); want != is {
			t.Fatalf("%s as %s: row %d is %s, want %s", s.name, c.Kind, i, is, want)
		}
	}
}

// wide is a value in the largest type of its sort.
func wide(v any) any {
	switch v := v.(type) {
	case int8:
		return float64(v)
	case int16:
		return float64(v)
	case int32:
		return float64(v)
	case int64:
		if int64(float64(v)) == v {
			return float64(v)
		}
		return v
	case float32:
		return float64(v)
	case parquet.ByteArray:
		return string(v)
	}
	return v
}

func at(c *table.Column, i int) any {
	switch c.Kind {
	case table.I1:
		return c.Data[i] == 1
	case table.I8:
		return table.Values[int8](c)[i]
	case table.I16:
		return table.Values[int16](c)[i]
	case table.I32, table.Date:
		return table.Values[int32](c)[i]
	case table.F32:
		return table.Values[float32](c)[i]
	case table.F64:
		return table.Values[float64](c)[i]
	case table.String:
		return string(c.Text(i))
	}
	return table.Values[int64](c)[i]
}

// several makes a file with columns that most tests need.
func several(t testing.TB) []byte {
	rng := rand.New(rand.NewPCG(3, 4))
	plain := func(name string, p parquet.Type, one func(uint64) any) field {
		return field{node(t, name, false, schema.NoLogicalType{}, p, -1), randomly(rng, 100, false, one)}
	}
	list, err := schema.ListOf(node(t, "element", true, schema.NoLogicalType{}, parquet.Types.Int32, -1), parquet.Repetitions.Optional, -1)
	if err != nil {
		t.Fatal(err)
	}
	nested, err := schema.NewGroupNode("nested", parquet.Repetitions.Optional, schema.FieldList{list}, -1)
	if err != nil {
		t.Fatal(err)
	}
	gap := randomly(rng, 100, false, sources[4].one)
	gap[17] = nil
	return writeFile(t, []field{
		plain("id", parquet.Types.Int64, sources[4].one),
		{nested, make([]any, 100)},
		{node(t, "price", false, schema.NewDecimalLogicalType(15, 2), parquet.Types.Int64, -1), randomly(rng, 100, false, sources[4].one)},
		{node(t, "when", false, schema.NewTimestampLogicalType(true, schema.TimeUnitMicros), parquet.Types.Int64, -1), randomly(rng, 100, false, sources[4].one)},
		plain("old", parquet.Types.Int96, func(uint64) any { return parquet.Int96{} }),
		{node(t, "big", false, schema.NewIntLogicalType(64, false), parquet.Types.Int64, -1), randomly(rng, 100, false, sources[4].one)},
		{node(t, "uuid", false, schema.UUIDLogicalType{}, parquet.Types.FixedLenByteArray, 16), randomly(rng, 100, false, func(uint64) any { return parquet.FixedLenByteArray(make([]byte, 16)) })},
		{node(t, "fixed", false, schema.NoLogicalType{}, parquet.Types.FixedLenByteArray, 4), randomly(rng, 100, false, func(uint64) any { return parquet.FixedLenByteArray("abcd") })},
		{node(t, "gap", true, schema.NoLogicalType{}, parquet.Types.Int64, -1), gap},
		plain("x", parquet.Types.Double, sources[9].one),
		{node(t, "again", false, schema.NoLogicalType{}, parquet.Types.Boolean, -1), randomly(rng, 100, false, sources[0].one)},
		{node(t, "again", false, schema.NoLogicalType{}, parquet.Types.Boolean, -1), randomly(rng, 100, false, sources[0].one)},
		{node(t, "tiny", false, schema.NewIntLogicalType(8, true), parquet.Types.Int32, -1), randomly(rng, 100, false, func(uint64) any { return int32(300) })},
	}, 60)
}

func TestDiagnostics(t *testing.T) {
	data := several(t)
	for _, c := range []struct {
		data []byte
		w    table.Want
		want string
	}{
		{data, table.Want{Name: "idd", Kind: table.I64}, `error: t.parquet has no column "idd"; it has "id", "nested", "price", "when", "old", "big", "uuid", "fixed", "gap", "x", "again", "again" and "tiny"
help: did you mean "id"?`},
		{data, table.Want{Name: "again", Kind: table.I1}, `error: t.parquet has two columns "again", the columns 11 and 12
help: give one of them another name`},
		{data, table.Want{Name: "nested", Kind: table.I32}, `error: t.parquet: column "nested" is nested, which is not read
help: write a column for each of its parts, or a row for each of its elements`},
		{data, table.Want{Name: "price", Kind: table.F64}, `error: t.parquet: column "price" is decimal(15, 2), which is not read
help: write it as double, which rounds it (CAST(x AS DOUBLE)), or as int64 in units of its last digit`},
		{data, table.Want{Name: "when", Kind: table.I64}, `error: t.parquet: column "when" is timestamp, which is not read
help: write it as int64 in a unit of your choice, or as date`},
		{data, table.Want{Name: "old", Kind: table.I64}, `error: t.parquet: column "old" is int96, which is not read
help: it is a timestamp of old: write it as int64 in a unit of your choice, or as date`},
		{data, table.Want{Name: "big", Kind: table.I64}, `error: t.parquet: column "big" is uint64, which is not read
help: write it as int64, if it fits`},
		{data, table.Want{Name: "uuid", Kind: table.String}, `error: t.parquet: column "uuid" is uuid, which is not read
help: write it as a string or as numbers`},
		{data, table.Want{Name: "fixed", Kind: table.String}, `error: t.parquet: column "fixed" is fixed-length byte array, which is not read
help: write it as a string or as numbers`},
		{data, table.Want{Name: "id", Kind: table.I32}, `error: t.parquet: column "id" is int64, which i32 does not hold exactly
help: declare it as i64`},
		{data, table.Want{Name: "x", Kind: table.String}, `error: t.parquet: column "x" is double, which string does not hold exactly
help: declare it as f64`},
		{data, table.Want{Name: "gap", Kind: table.I64}, `error: t.parquet: column "gap" has no value in row 17 (counted from 0), and i64 cannot be null
help: declare the column nullable: !loop.nullable<i64>`},
		{data, table.Want{Name: "tiny", Kind: table.I8}, `error: t.parquet is damaged or not complete: column "tiny": 300 is not of the type that the column has
help: write or copy it again`},
		{data[:len(data)-1], table.Want{Name: "id", Kind: table.I64}, `error: t.parquet is damaged or not complete: parquet: file is smaller than indicated metadata size
help: write or copy it again`},
		{data[:5], table.Want{Name: "id", Kind: table.I64}, `error: t.parquet is damaged or not complete: parquet: file too small (size=5)
help: write or copy it again`},
		{[]byte("id,x\n1,2\n"), table.Want{Name: "id", Kind: table.I64}, `error: t.parquet is no Parquet file: it does not begin with PAR1
help: name a CSV file .csv`},
		{nil, table.Want{Name: "id", Kind: table.I64}, `error: t.parquet is no Parquet file: it does not begin with PAR1
help: name a CSV file .csv`},
	} {
		if _, err := read(c.data, c.w); err == nil || err.Error() != c.want {
			t.Errorf("%s as %s: got\n%v\nwant\n%s", c.w.Name, c.w.Kind, err, c.want)
		}
	}
}

// A file that is cut off or has wrong bytes is read, as what it then says, or refused.
func TestDamagedFiles(t *testing.T) {
	data := several(t)
	wants := []table.Want{{Name: "id", Kind: table.I64}, {Name: "gap", Kind: table.I64, Nullable: true}, {Name: "x", Kind: table.F64}}
	check := func(data []byte) {
		tab, err := read(data, wants...)
		var d *diag.Diagnostic
		switch {
		case err != nil && !errors.As(err, &d):
			t.Errorf("%v", err)
		case err == nil && (len(tab.Columns[0].Data) != 8*tab.Rows || len(tab.Columns[1].Valid) != tab.Rows):
			t.Errorf("columns of other lengths than %d rows", tab.Rows)
		}
	}
	for n := 0; n < len(data); n += 1 + len(data)/200 {
		check(data[:n])
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		bad := bytes.Clone(data)
		for range 1 + rng.IntN(3) {
			i := rng.IntN(len(bad))
			if rng.IntN(2) == 0 { // the footer is where lengths are
				i = len(bad) - 1 - rng.IntN(min(len(bad), 2000))
			}
			bad[i] = byte(rng.Uint32())
		}
		check(bad)
	}
}

// Columns that are not wanted are not read: those of other columns may be damaged.
func TestOnlyWantedColumnsAreRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	one := func(name string) field {
		return field{node(t, name, false, schema.NoLogicalType{}, parquet.Types.Int64, -1), randomly(rng, 1000, false, sources[4].one)}
	}
	data := writeFile(t, []field{one("a"), one("b")}, 1000, parquet.WithDictionaryDefault(false))
	for i := 4; i < 4000; i++ {
		data[i] = 0xff
	}
	if _, err := read(data, table.Want{Name: "b", Kind: table.I64}); err != nil {
		t.Errorf("b: %v", err)
	}
	if _, err := read(data, table.Want{Name: "a", Kind: table.I64}); err == nil {
		t.Error("a is read, and its bytes are overwritten")
	}
	if tab, err := read(data); err != nil || tab.Rows != 1000 {
		t.Errorf("no columns: %v", err)
	}
}

// What query 1 of TPC-H reads of lineitem: four numbers, a date, two strings.
func BenchmarkRead(b *testing.B) {
	const rows = 200000
	rng := rand.New(rand.NewPCG(9, 10))
	var fields []field
	var wants []table.Want
	for _, name := range []string{"quantity", "price", "discount", "tax"} {
		fields = append(fields, field{node(b, name, false, schema.NoLogicalType{}, parquet.Types.Double, -1), randomly(rng, rows, false, func(x uint64) any { return float64(x%100000) / 100 })})
		wants = append(wants, table.Want{Name: name, Kind: table.F64})
	}
	fields = append(fields, field{node(b, "date", false, schema.DateLogicalType{}, parquet.Types.Int32, -1), randomly(rng, rows, false, func(x uint64) any { return int32(x % 2500) })})
	wants = append(wants, table.Want{Name: "date", Kind: table.I32})
	for _, name := range []string{"flag", "status"} {
		fields = append(fields, field{node(b, name, false, schema.StringLogicalType{}, parquet.Types.ByteArray, -1), randomly(rng, rows, false, func(x uint64) any { return parquet.ByteArray("ANR"[x%3 : x%3+1]) })})
		wants = append(wants, table.Want{Name: name, Kind: table.String})
	}
	data := writeFile(b, fields, rows, parquet.WithCompression(compress.Codecs.Snappy))
	b.SetBytes(rows)
	for range b.N {
		if _, err := read(data, wants...); err != nil {
			b.Fatal(err)
		}
	}
}
