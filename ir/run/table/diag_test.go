package table

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

// What is wrong with a file is said at its place, with a way out.
func TestDiagnostics(t *testing.T) {
	qty := Want{"qty", F64, false}
	kind := func(k Kind) []Want { return []Want{{"a", k, false}} }
	for _, c := range []struct {
		name, text string
		wants      []Want
		want       string
	}{
		{"missing", "id,qty,price\n1,2,3\n", []Want{{"prize", F64, false}}, `t.csv:1:1: error: t.csv has no column "prize"; it has "id", "qty" and "price"
  id,qty,price
  ^
help: did you mean "price"?`},
		{"nothing near", "id,qty\n1,2\n", []Want{{"comment", String, false}}, `t.csv:1:1: error: t.csv has no column "comment"; it has "id" and "qty"
  id,qty
  ^`},
		{"no header", "1,2.5,x\n2,3.5,y\n", []Want{qty}, `t.csv:1:1: error: t.csv has no column "qty"; it has "1", "2.5" and "x"
  1,2.5,x
  ^
help: the first line is to name the columns, and "1" is no name: add a header`},
		{"other separator", "id;qty\n1;2\n", []Want{qty}, `t.csv:1:1: error: t.csv has no column "qty"; it has "id;qty"
  id;qty
  ^
help: cells are separated by commas, and here by ";": convert the file`},
		{"two of a name", "qty,id,qty\n1,2,3\n", []Want{qty}, `t.csv:1:1: error: t.csv has two columns "qty", the columns 1 and 3
  qty,id,qty
  ^
help: give one of them another name`},
		{"empty", "", []Want{qty}, `error: t.csv is empty: a line with the names of its columns is wanted`},
		{"mark alone", "\ufeff", []Want{qty}, `error: t.csv is empty: a line with the names of its columns is wanted`},
		{"blank", "\ufeff\r\n\n", []Want{qty}, `error: t.csv begins with an empty line: one with the names of its columns is wanted`},
		{"bad number", "id,qty,s\n1,2,x\n2,12x,\"a\nb\"\n", []Want{qty}, `t.csv:3:3: error: column "qty": "12x" is not a number of type f64
  2,12x,"a
    ^~~`},
		{"after a cell of two lines", "s,qty\n\"a\nb\",x\n", []Want{qty}, `t.csv:3:4: error: column "qty": "x" is not a number of type f64
  b",x
     ^`},
		{"decimal comma", "qty\n\"12,5\"\n", []Want{qty}, `t.csv:2:1: error: column "qty": "12,5" is not a number of type f64
  "12,5"
  ^~~~~~
help: the decimal sign is a point, and thousands have none`},
		{"spaces", "id,qty\n1, 2\n", []Want{qty}, `t.csv:2:3: error: column "qty": " 2" is not a number of type f64
  1, 2
    ^~
help: leave out the spaces, which belong to the cell`},
		{"columns count characters", "s,qty\nüü,x\n", []Want{qty}, `t.csv:2:4: error: column "qty": "x" is not a number of type f64
  üü,x
     ^`},
		{"too large for i8", "a\n128\n", kind(I8), `t.csv:2:1: error: column "a": 128 does not fit into i8, which holds -128 to 127
  128
  ^~~
help: declare the column as a wider integer`},
		{"too large for i64", "a\n9223372036854775808\n", kind(I64), `t.csv:2:1: error: column "a": 9223372036854775808 does not fit into i64, which holds -9223372036854775808 to 9223372036854775807
  9223372036854775808
  ^~~~~~~~~~~~~~~~~~~
help: declare the column as f64, which rounds it, or as a string`},
		{"too large for f32", "a\n1e39\n", kind(F32), `t.csv:2:1: error: column "a": 1e39 is too large for f32
  1e39
  ^~~~
help: write Infinity for infinity`},
		{"a fraction", "a\n1.0\n", kind(I32), `t.csv:2:1: error: column "a": "1.0" is not an integer of type i32
  1.0
  ^~~
help: declare the column as f64`},
		{"no date", "a\n2024-02-30\n", kind(Date), `t.csv:2:1: error: column "a": "2024-02-30" is not a date
  2024-02-30
  ^~~~~~~~~~
help: month 02 of 2024 has 29 days`},
		{"no date for an integer", "a\n2023-02-29\n", kind(I32), `t.csv:2:1: error: column "a": "2023-02-29" is not a date
  2023-02-29
  ^~~~~~~~~~
help: month 02 of 2023 has 28 days`},
		{"no month", "a\n2024-13-01\n", kind(I64), `t.csv:2:1: error: column "a": "2024-13-01" is not a date
  2024-13-01
  ^~~~~~~~~~
help: months are 01 to 12: a date is written 2026-11-23`},
		{"a time", "a\n2023-02-28T10:00\n", kind(I32), `t.csv:2:1: error: column "a": "2023-02-28T10:00" is not a date
  2023-02-28T10:00
  ^~~~~~~~~~~~~~~~
help: give the day alone, 2023-02-28, or declare the column as a string`},
		{"another form", "a\n28.2.2023\n", kind(I32), `t.csv:2:1: error: column "a": "28.2.2023" is not a date
  28.2.2023
  ^~~~~~~~~
help: a date is written 2026-11-23`},
		{"no date at all", "a\nsoon\n", kind(Date), `t.csv:2:1: error: column "a": "soon" is not a date
  soon
  ^~~~
help: a date is written 2026-11-23`},
		{"a date in a short integer", "a\n2024-02-28\n", kind(I16), `t.csv:2:1: error: column "a": "2024-02-28" is not an integer of type i16
  2024-02-28
  ^~~~~~~~~~
help: i16 does not hold days since 1970-01-01: declare the column as i32, or as a string`},
		{"no truth value", "a\nyes\n", kind(I1), `t.csv:2:1: error: column "a": "yes" is not a truth value of type i1
  yes
  ^~~
help: write true or false, or 1 or 0`},
		{"null", "id,qty,s\n1,2,x\n2,,y\n", []Want{qty}, `t.csv:3:3: error: column "qty" has an empty cell, and a number of type f64 cannot be null
  2,,y
    ^
help: fill it, or declare the column nullable: !loop.nullable<f64>`},
		{"a null at the end", "id,qty\n1,\n", []Want{qty}, `t.csv:2:3: error: column "qty" has an empty cell, and a number of type f64 cannot be null
  1,
    ^
help: fill it, or declare the column nullable: !loop.nullable<f64>`},
		{"few cells", "id,qty,s\n1,2\n", []Want{qty}, `t.csv:2:4: error: the row has 2 cells, and the header has 3
  1,2
     ^
help: an empty cell is null, and its comma stays`},
		{"many cells", "id,s\n1,x, y\n", nil, `t.csv:2:4: error: the row has more cells than the header, which has 2
  1,x, y
     ^
help: put a cell with a comma between quotes: "a, b"`},
		{"open quote", "id,s\n1,x\n2,\"y\n3,z\n", nil, `t.csv:3:3: error: the quote that begins here never ends
  2,"y
    ^
help: a quote within a cell is written twice`},
		{"open quote of the header", "id,\"s\n1,x\n", nil, `t.csv:1:4: error: the quote that begins here never ends
  id,"s
     ^
help: a quote within a cell is written twice`},
		{"a quote in a cell", "id,s\n1,5\" disk\n", nil, `t.csv:2:4: error: a quote stands in a cell that does not begin with one
  1,5" disk
     ^
help: put the whole cell between quotes and write the quote in it twice: "5"" disk"`},
		{"text after a quote", "id,s\n1,\"x\"y\n", nil, `t.csv:2:6: error: text follows the quote that ends a cell
  1,"x"y
       ^
help: a quote within a cell is written twice`},
		{"the first of two", "id,qty\n1,x\n2\n", []Want{qty}, `t.csv:2:3: error: column "qty": "x" is not a number of type f64
  1,x
    ^`},
		{"a long cell", "qty\n" + strings.Repeat("y", 500) + "\n", []Want{qty}, `t.csv:2:1: error: column "qty": "` + strings.Repeat("y", 40) + `..." is not a number of type f64
  ` + strings.Repeat("y", 60) + `...
  ^` + strings.Repeat("~", 59)},
	} {
		for _, size := range []int{1, 5, 1000} {
			got, err := inPieces(c.text, size, c.wants...)
			if err == nil {
				t.Errorf("%s: read, %d rows", c.name, got.Rows)
			} else if err.Error() != c.want {
				t.Errorf("%s, pieces of %d:\n%v\nwant:\n%s", c.name, size, err, c.want)
			}
		}
	}
}

// An error far down is at its line, and nothing but the line is shown.
func TestDiagnosticFarDown(t *testing.T) {
	text := "id,qty\n" + strings.Repeat("1,2\n", 600000) + "1,x\n" + strings.Repeat("1,2\n", 600000)
	_, err := read(text, Want{"qty", F64, false})
	if want := "t.csv:600002:3: error: column \"qty\": \"x\" is not a number of type f64\n  1,x\n    ^"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A record is not read without end.
func TestRecordIsLimited(t *testing.T) {
	s := newSplitter(&endless{}, 0)
	s.size, s.limit = 1<<10, 1<<16
	_, err := readCSV(context.Background(), "t.csv", s, 0, nil)
	if want := "t.csv:1:1: error: the quote that begins here never ends"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// endless is a quote and what follows.
type endless struct{ begun bool }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	if !e.begun {
		e.begun, p[0] = true, '"'
	}
	return len(p), nil
}

// A read that fails is told, and a run that is given up ends.
func TestReadFails(t *testing.T) {
	r := io.MultiReader(strings.NewReader("a\n1\n2\n"), failing{})
	_, err := ReadCSV(context.Background(), "t.csv", r, 0, []Want{{"a", I64, false}})
	if want := "error: cannot read t.csv: the disk is gone"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadCSV(ctx, "t.csv", strings.NewReader("a\n1\n"), 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

// Days that have no date are not written as one.
func TestWriteNoDate(t *testing.T) {
	c := &Column{Want: Want{"d", Date, false}, Data: []byte{0, 0, 0, 0x7f}}
	err := WriteCSV(&bytes.Buffer{}, &Table{Rows: 1, Columns: []*Column{c}})
	var d *diag.Diagnostic
	if want := "error: column \"d\", row 0: day 2130706432 from 1970-01-01 is not in the years 0 to 9999, as dates are\nhelp: write the column as i32"; !errors.As(err, &d) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
