package parquet

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/irc-lang/irc/ir/run/table"
)

const (
	batch   = 1 << 13 // values that are decoded together
	mostNow = 1 << 26 // bytes that are reserved on the word of a footer
)

// A sink is a column that is filled.
type sink struct {
	*table.Column
	rows   int  // of the file
	levels bool // the chunk says which rows have values
}

// A nullError is the first row without a value of a column that has to have them.
type nullError int

func (n nullError) Error() string { return fmt.Sprintf("row %d is null", int(n)) }

// take appends all values of a chunk.
func (s *sink) take(ctx context.Context, chunk file.ColumnChunkReader, unsigned bool) error {
	switch r := chunk.(type) {
	case *file.BooleanColumnChunkReader:
		return drain(ctx, s, r, r.ReadBatch, putBools)
	case *file.Int32ColumnChunkReader:
		if unsigned {
			return drain(ctx, s, r, r.ReadBatch, func(s *sink, vals []int32, valid []byte) error {
				return putter[uint32](s.Kind)(s, unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(vals))), len(vals)), valid)
			})
		}
		return drain(ctx, s, r, r.ReadBatch, putter[int32](s.Kind))
	case *file.Int64ColumnChunkReader:
		return drain(ctx, s, r, r.ReadBatch, putter[int64](s.Kind))
	case *file.Float32ColumnChunkReader:
		return drain(ctx, s, r, r.ReadBatch, putter[float32](s.Kind))
	case *file.Float64ColumnChunkReader:
		return drain(ctx, s, r, r.ReadBatch, putter[float64](s.Kind))
	case *file.ByteArrayColumnChunkReader:
		return drain(ctx, s, r, r.ReadBatch, putTexts)
	}
	return fmt.Errorf("a chunk of %T", chunk)
}

// drain reads the batches of a chunk. put gets the values that there are and a mask of the
// rows that have one, one for each row.
func drain[T any](ctx context.Context, s *sink, chunk file.ColumnChunkReader,
	read func(int64, []T, []int16, []int16) (int64, int, error), put func(*sink, []T, []byte) error) error {
	vals, valid := make([]T, batch), make([]byte, batch)
	var levels []int16
	if s.levels {
		levels = make([]int16, batch)
	}
	for chunk.HasNext() {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, got, err := read(batch, vals, levels, nil)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		if err := s.mark(valid[:n], levels, got); err != nil {
			return err
		}
		if err := put(s, vals[:got], valid[:n]); err != nil {
			return err
		}
	}
	return chunk.Err()
}

// mark makes the mask of rows of the levels that the file has for them.
func (s *sink) mark(valid []byte, levels []int16, got int) error {
	there := 0
	for i := range valid {
		valid[i] = 1
		if levels != nil && levels[i] == 0 {
			if valid[i] = 0; !s.Nullable {
				return nullError(s.Rows() + i)
			}
		}
		there += int(valid[i])
	}
	if there != got {
		return fmt.Errorf("%d values where %d are said to be", got, there)
	}
	if s.Nullable {
		s.Valid = append(table.Reserve(s.Valid, len(valid), min(s.rows, mostNow)), valid...)
	}
	return nil
}

// grow appends zeros for some rows, and gives them.
func (s *sink) grow(bytes, room int) []byte {
	n := len(s.Data)
	s.Data = table.Reserve(s.Data, bytes, min(room, mostNow))[:n+bytes]
	return s.Data[n:]
}

func putBools(s *sink, vals []bool, valid []byte) error {
	to := s.grow(len(valid), s.rows)
	for i, ok := range valid {
		if to[i] = 0; ok != 0 {
			if vals[0] {
				to[i] = 1
			}
			vals = vals[1:]
		}
	}
	return nil
}

func putTexts(s *sink, vals []parquet.ByteArray, valid []byte) error {
	n := 0
	for _, v := range vals {
		n += len(v)
	}
	to, end := s.grow(n, 0), int64(len(s.Data)-n)
	for _, ok := range valid {
		if ok != 0 {
			k := copy(to, vals[0])
			to, vals = to[k:], vals[1:]
			end += int64(k)
		}
		s.Offsets = append(s.Offsets, end)
	}
	return nil
}

type number interface {
	int8 | int16 | int32 | uint32 | int64 | float32 | float64
}

// putter appends numbers of one type to a column of a kind that holds them.
func putter[T number](k table.Kind) func(*sink, []T, []byte) error {
	switch k {
	case table.I8:
		return put[T, int8]
	case table.I16:
		return put[T, int16]
	case table.I32, table.Date:
		return put[T, int32]
	case table.I64, table.Index:
		return put[T, int64]
	case table.F32:
		return put[T, float32]
	}
	return put[T, float64]
}

// put appends numbers; one that its column's logical type has not is the file's fault.
func put[T, U number](s *sink, vals []T, valid []byte) error {
	var zero U
	size := int(unsafe.Sizeof(zero))
	room := s.grow(size*len(valid), size*min(s.rows, mostNow))
	to := unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(room))), len(valid))
	next := 0
	for i, ok := range valid {
		if ok == 0 {
			to[i] = 0
			continue
		}
		x := vals[next]
		next++
		if to[i] = U(x); T(to[i]) != x && x == x {
			return fmt.Errorf("%v is not of the type that the column has", x)
		}
	}
	return nil
}
