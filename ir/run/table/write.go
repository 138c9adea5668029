package table

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/irc-lang/irc/ir/diag"
)

// WriteCSV writes a table as CSV with a header, lines that end with LF, such that reading it
// gives the same columns: floats in the fewest digits that round to them, strings between
// quotes where they need them.
func WriteCSV(w io.Writer, t *Table) error {
	buf := make([]byte, 0, pieceSize+pieceSize/8)
	for i, c := range t.Columns {
		if err := c.check(t.Rows); err != nil {
			return err
		}
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendText(buf, []byte(c.Name), len(t.Columns) == 1)
	}
	buf = append(buf, '\n')
	for row := range t.Rows {
		for i, c := range t.Columns {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = c.appendCell(buf, row)
		}
		if buf = append(buf, '\n'); len(buf) >= pieceSize {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.Write(buf)
	return err
}

// appendCell writes a value; null is nothing.
func (c *Column) appendCell(buf []byte, row int) []byte {
	if c.Null(row) {
		return buf
	}
	switch c.Kind {
	case String:
		return appendText(buf, c.Text(row), c.Nullable)
	case F32:
		return appendFloat(buf, float64(Values[float32](c)[row]), 32)
	case F64:
		return appendFloat(buf, Values[float64](c)[row], 64)
	case I1:
		return strconv.AppendBool(buf, c.Data[row] != 0)
	case Date:
		return appendDate(buf, Values[int32](c)[row])
	case I8:
		return strconv.AppendInt(buf, int64(int8(c.Data[row])), 10)
	case I16:
		return strconv.AppendInt(buf, int64(Values[int16](c)[row]), 10)
	case I32:
		return strconv.AppendInt(buf, int64(Values[int32](c)[row]), 10)
	}
	return strconv.AppendInt(buf, Values[int64](c)[row], 10)
}

// appendText writes a string; full says that an empty one needs quotes, so as not to be null
// or no line.
func appendText(buf, text []byte, full bool) []byte {
	if len(text) == 0 && full {
		return append(buf, `""`...)
	}
	if !bytes.ContainsAny(text, ",\"\r\n") {
		return append(buf, text...)
	}
	buf = append(buf, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return append(append(buf, text...), '"')
		}
		buf = append(append(buf, text[:i+1]...), '"')
		text = text[i+1:]
	}
}

// appendFloat writes a number as JSON does, and what is no number by name.
func appendFloat(buf []byte, x float64, bits int) []byte {
	switch a := math.Abs(x); {
	case math.IsInf(x, 1):
		return append(buf, "Infinity"...)
	case math.IsInf(x, -1):
		return append(buf, "-Infinity"...)
	case a != 0 && (a < 1e-6 || a >= 1e21):
		return strconv.AppendFloat(buf, x, 'e', -1, bits)
	}
	return strconv.AppendFloat(buf, x, 'f', -1, bits)
}

// The days of the years 0 to 9999, which dates are written of.
const (
	firstDay = -719528
	lastDay  = 2932896
)

// check says what cannot be written of a column of a table.
func (c *Column) check(rows int) error {
	if c.Rows() != rows || c.Nullable && len(c.Valid) != rows {
		return fmt.Errorf("table: column %q has %d rows, and the table has %d", c.Name, c.Rows(), rows)
	}
	if c.Kind != Date {
		return nil
	}
	for row, d := range Values[int32](c) {
		if (d < firstDay || d > lastDay) && !c.Null(row) {
			return diag.Errorf(diag.Span{}, "column %q, row %d: day %d from 1970-01-01 is not in the years 0 to 9999, as dates are", c.Name, row, d).
				WithFix("write the column as i32")
		}
	}
	return nil
}

// appendDate writes a day of a year from 0 to 9999.
func appendDate(buf []byte, days int32) []byte {
	y, m, d := civilFromDays(days)
	return fmt.Appendf(buf, "%04d-%02d-%02d", y, m, d)
}
