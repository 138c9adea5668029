package parquet

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// A field is a column to be written: a node of a schema and, of each row, a value of its
// physical type, or nil.
type field struct {
	node schema.Node
	vals []any
}

// node makes a column's place in a schema.
func node(t testing.TB, name string, nulls bool, logical schema.LogicalType, physical parquet.Type, size int) schema.Node {
	t.Helper()
	rep := parquet.Repetitions.Required
	if nulls {
		rep = parquet.Repetitions.Optional
	}
	n, err := schema.NewPrimitiveNodeLogical(name, rep, logical, physical, size, -1)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// writeFile makes a Parquet file with groups of some rows.
func writeFile(t testing.TB, fields []field, perGroup int, o ...parquet.WriterProperty) []byte {
	t.Helper()
	nodes := make(schema.FieldList, len(fields))
	rows := 0
	for i, f := range fields {
		nodes[i], rows = f.node, len(f.vals)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(o...)))
	for at := 0; at < rows; at += perGroup {
		g, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			c, err := g.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			writeChunk(t, c, f.vals[at:min(at+perGroup, rows)])
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func writeChunk(t testing.TB, c file.ColumnChunkWriter, vals []any) {
	t.Helper()
	var err error
	levels := make([]int16, len(vals))
	for i, v := range vals {
		if v != nil {
			levels[i] = 1
		}
	}
	var reps []int16
	if c.Descr().MaxRepetitionLevel() > 0 {
		reps = make([]int16, len(vals))
	}
	switch c := c.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = c.WriteBatch(those[bool](vals), levels, reps)
	case *file.Int32ColumnChunkWriter:
		_, err = c.WriteBatch(those[int32](vals), levels, reps)
	case *file.Int64ColumnChunkWriter:
		_, err = c.WriteBatch(those[int64](vals), levels, reps)
	case *file.Int96ColumnChunkWriter:
		_, err = c.WriteBatch(those[parquet.Int96](vals), levels, reps)
	case *file.Float32ColumnChunkWriter:
		_, err = c.WriteBatch(those[float32](vals), levels, reps)
	case *file.Float64ColumnChunkWriter:
		_, err = c.WriteBatch(those[float64](vals), levels, reps)
	case *file.ByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(those[parquet.ByteArray](vals), levels, reps)
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(those[parquet.FixedLenByteArray](vals), levels, reps)
	default:
		t.Fatalf("%T", c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// those are the values that are there.
func those[T any](vals []any) []T {
	var out []T
	for _, v := range vals {
		if v != nil {
			out = append(out, v.(T))
		}
	}
	return out
}

// randomly makes values, a third of them absent if there are nulls.
func randomly(rng *rand.Rand, rows int, nulls bool, one func(bits uint64) any) []any {
	vals := make([]any, rows)
	for i := range vals {
		if !nulls || rng.IntN(3) > 0 {
			vals[i] = one(rng.Uint64() >> rng.IntN(64))
		}
	}
	return vals
}
