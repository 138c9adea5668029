package table

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func read(text string, wants ...Want) (*Table, error) {
	return ReadCSV(context.Background(), "t.csv", strings.NewReader(text), int64(len(text)), wants)
}

// inPieces reads with pieces of a few bytes, as a large file has many.
func inPieces(text string, size int, wants ...Want) (*Table, error) {
	s := newSplitter(strings.NewReader(text), 0)
	s.size = size
	return readCSV(context.Background(), "t.csv", s, 0, wants)
}

// cells writes a table one row a string, for comparison; null is "-".
func cells(t *Table) []string {
	var out []string
	for row := range t.Rows {
		line := ""
		for i, c := range t.Columns {
			if i > 0 {
				line += "|"
			}
			if c.Null(row) {
				line += "-"
			} else {
				line += string(c.appendCell(nil, row))
			}
		}
		out = append(out, line)
	}
	return out
}

func TestReadCSV(t *testing.T) {
	i64, str := Want{"a", I64, false}, Want{"s", String, false}
	maybe, text := Want{"a", F64, true}, Want{"s", String, true}
	for _, c := range []struct {
		name, text string
		wants      []Want
		want       []string
	}{
		{"one", "a\n1\n", []Want{i64}, []string{"1"}},
		{"no last end of line", "a,s\n1,x", []Want{i64, str}, []string{"1|x"}},
		{"other order", "a,s\n1,x\n2,y\n", []Want{str, i64}, []string{"x|1", "y|2"}},
		{"CRLF", "a,s\r\n1,x\r\n\"2\",\"y\"\r\n", []Want{i64, str}, []string{"1|x", "2|y"}},
		{"CR at the end", "a,s\r\n1,x\r", []Want{i64, str}, []string{"1|x"}},
		{"CR in a cell", "s\na\rb\n", []Want{str}, []string{"\"a\rb\""}},
		{"byte order mark", "\ufeffa\n1\n", []Want{i64}, []string{"1"}},
		{"quotes", "s,a\n\"x, \"\"y\"\"\nz\",1\n", []Want{str, i64}, []string{"\"x, \"\"y\"\"\nz\"|1"}},
		{"quoted header", "\"a\",\"s, t\"\n1,2\n", []Want{{"s, t", I64, false}}, []string{"2"}},
		{"no rows", "a,s\n", []Want{i64}, nil},
		{"no rows, no end", "a,s", []Want{i64}, nil},
		{"nothing wanted", "a,s\n1,x\n2,y\n", nil, []string{"", ""}},
		{"others are not looked at", "b,a\nzz,1\n,2\n", []Want{i64}, []string{"1", "2"}},
		{"null", "a,s\n,\n1,\"\"\n", []Want{maybe, text}, []string{"-|-", "1|\"\""}},
		{"empty strings", "a,s\n1,\n2,\"\"\n", []Want{i64, str}, []string{"1|", "2|"}},
		{"quoted null", "a\n\"\"\n", []Want{maybe}, []string{"-"}},
		{"blank lines", "a,s\n\n1,x\n\r\n2,y\n\n", []Want{i64, str}, []string{"1|x", "2|y"}},
		{"blank lines of one column", "a\n\n1\n\r\n", []Want{maybe}, []string{"-", "1", "-"}},
		{"spaces in strings", "s\n x \n", []Want{str}, []string{" x "}},
		{"dates", "a,d,e\n2026-11-23,1970-01-01,0000-03-01\n", []Want{i64, {"d", I32, false}, {"e", Date, false}}, []string{"20780|0|0000-03-01"}},
		{"numbers", "a,b,c,d\n-9223372036854775808,+7,007,-128\n", []Want{i64, {"b", Index, false}, {"c", I16, false}, {"d", I8, false}}, []string{"-9223372036854775808|7|7|-128"}},
		{"truth", "a,b,c,d\ntrue,0,TRUE,f\n", []Want{{"a", I1, false}, {"b", I1, false}, {"c", I1, false}, {"d", I1, false}}, []string{"true|false|true|false"}},
		{"floats", "a,b,c,d\nNaN,-Infinity,inf,1e-400\n", []Want{{"a", F64, false}, {"b", F64, false}, {"c", F32, false}, {"d", F64, false}}, []string{"NaN|-Infinity|Infinity|0"}},
		{"no UTF-8", "s\n\xff\xfe\n", []Want{str}, []string{"\xff\xfe"}},
	} {
		for size := range 9 {
			got, err := inPieces(c.text, size+1, c.wants...)
			if err != nil {
				t.Errorf("%s, pieces of %d: %v", c.name, size+1, err)
			} else if !slices.Equal(cells(got), c.want) {
				t.Errorf("%s, pieces of %d: got %q, want %q", c.name, size+1, cells(got), c.want)
			}
		}
	}
}

// Random tables are read as encoding/csv reads them, whatever the size of the pieces.
func TestReadAsEncodingCSV(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "bc", " ", ",", "\"", "\n", "é", "\xff", "\r", "0", "abcdefghijklmnop"}
	for round := range 2000 {
		cols, rows := 1+rng.IntN(4), rng.IntN(6)
		var b bytes.Buffer
		for i := range cols {
			fmt.Fprintf(&b, "%sc%d", []string{"", ","}[min(i, 1)], i)
		}
		for range rows {
			b.WriteString([]string{"\n", "\r\n"}[rng.IntN(2)])
			for i := range cols {
				if i > 0 {
					b.WriteByte(',')
				}
				cell := ""
				for range rng.IntN(4) {
					cell += alphabet[rng.IntN(len(alphabet))]
				}
				cell = strings.ReplaceAll(cell, "\r", "r") // which encoding/csv changes
				if cell == "" || strings.ContainsAny(cell, ",\"\n") || rng.IntN(3) == 0 {
					cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
				}
				b.WriteString(cell)
			}
		}
		if rng.IntN(2) == 0 {
			b.WriteString("\n")
		}
		want, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		wants := make([]Want, cols)
		for i := range wants {
			wants[i] = Want{fmt.Sprintf("c%d", i), String, false}
		}
		got, err := inPieces(b.String(), 1+rng.IntN(30), wants...)
		if err != nil {
			t.Fatalf("round %d: %v\n%q", round, err, b.String())
		}
		if got.Rows != len(want)-1 {
			t.Fatalf("round %d: %d rows, want %d\n%q", round, got.Rows, len(want)-1, b.String())
		}
		for row := range got.Rows {
			for i, c := range got.Columns {
				if string(c.Text(row)) != want[row+1][i] {
					t.Fatalf("round %d: row %d of %s is %q, want %q", round, row, c.Name, c.Text(row), want[row+1][i])
				}
			}
		}
	}
}

// Bytes at random: what is no error here is none in encoding/csv, and the same; nothing hangs
// or panics, and pieces of any size give the same.
func TestReadAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		text := []byte("s,t\n")
		for range rng.IntN(12) {
			text = append(text, "ab,,\"\n\r\n "[rng.IntN(9)])
		}
		wants := []Want{{"s", String, false}, {"t", String, false}}
		got, err := read(string(text), wants...)
		other, err2 := inPieces(string(text), 1+rng.IntN(6), wants...)
		if fmt.Sprint(err) != fmt.Sprint(err2) || err == nil && !slices.Equal(cells(got), cells(other)) {
			t.Fatalf("%q: %v, in pieces %v", text, err, err2)
		}
		want, bad := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if (err == nil) != (bad == nil) {
			t.Fatalf("%q: %v, encoding/csv: %v", text, err, bad)
		}
		if err != nil {
			continue
		}
		for row := range got.Rows {
			for i, c := range got.Columns {
				if strings.ReplaceAll(string(c.Text(row)), "\r\n", "\n") != want[row+1][i] {
					t.Fatalf("%q: %q, encoding/csv: %q", text, cells(got), want)
				}
			}
		}
	}
}

// What is written is read as the same columns, with every kind, nulls and odd strings.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 200 {
		rows := rng.IntN(50)
		tab := &Table{Rows: rows}
		for i := range 1 + rng.IntN(6) {
			w := Want{fmt.Sprintf("c%d, %q", i, "x"), Kind(rng.IntN(int(String) + 1)), rng.IntN(2) == 0}
			tab.Columns = append(tab.Columns, randomColumn(rng, w, rows))
		}
		var b bytes.Buffer
		if err := WriteCSV(&b, tab); err != nil {
			t.Fatal(err)
		}
		wants := make([]Want, len(tab.Columns))
		for i, c := range tab.Columns {
			wants[i] = c.Want
		}
		got, err := inPieces(b.String(), 1+rng.IntN(200), wants...)
		if err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, b.String())
		}
		for i, c := range got.Columns {
			o := tab.Columns[i]
			if !bytes.Equal(c.Data, o.Data) || !bytes.Equal(c.Valid, o.Valid) || !slices.Equal(c.Offsets, o.Offsets) {
				t.Fatalf("round %d: column %d (%v) is not the same:\n%v\n%v", round, i, c.Want, c, o)
			}
		}
	}
}

func randomColumn(rng *rand.Rand, w Want, rows int) *Column {
	c := &Column{Want: w}
	if w.Kind == String {
		c.Offsets = []int64{0}
	}
	v := values{}
	for range rows {
		if w.Nullable && rng.IntN(3) == 0 {
			v.null(&w)
			continue
		}
		bits := rng.Uint64() >> rng.IntN(64)
		var cell string
		switch {
		case w.Kind == String:
			for range rng.IntN(4) {
				cell += []string{"x", ",", "\"", "\r\n", "\r", "ü", " "}[rng.IntN(7)]
			}
		case w.Kind == F32:
			cell = strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
		case w.Kind == F64:
			cell = strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
		case w.Kind == I1:
			cell = strconv.FormatBool(bits&1 == 1)
		case w.Kind == Date:
			cell = string(appendDate(nil, int32(bits%lastDay)))
		default:
			cell = strconv.FormatInt(int64(bits)<<(64-w.Kind.bits())>>(64-w.Kind.bits()), 10)
		}
		if strings.Contains(cell, "NaN") {
			cell = "NaN"
		}
		if msg, _ := v.add(&w, []byte(cell), true); msg != "" {
			panic(msg)
		}
	}
	c.Data, c.Valid = v.data, v.valid
	c.Offsets = append(c.Offsets, v.ends...)
	return c
}

// Floats are those that strconv reads: at the limits of the short way, too.
func TestFloatsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	check := func(cell string) {
		want, err := strconv.ParseFloat(cell, 64)
		got, ok, _ := parseFloat([]byte(cell), 64)
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q is %v (%v), want %v (%v)", cell, got, ok, want, err)
		}
	}
	for _, cell := range []string{"", "-", "+", ".", "-.", "+.", "-0", "0", "-0.0", "1.", ".1", "+.5", "1..2", "0x1p-2", "1_0", "999999999999999", "9999999999999999",
		"0.99999999999999", "0.999999999999999", "9007199254740993", "1e5", "1E+5", "nan", "infinity", "1,5", "--1", "0.000000000000001", "123456789012345.", "1234567890123456."} {
		check(cell)
	}
	for range 200000 {
		n := rng.IntN(18)
		cell := []byte{}
		for range n {
			cell = append(cell, byte('0'+rng.IntN(10)))
		}
		if n > 0 && rng.IntN(4) > 0 {
			cell = slices.Insert(cell, rng.IntN(n+1), '.')
		}
		if rng.IntN(3) == 0 {
			cell = append([]byte{'-'}, cell...)
		}
		check(string(cell))
	}
}

// Integers are those that strconv reads.
func TestIntsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	check := func(cell string, bits int) {
		want, err := strconv.ParseInt(cell, 10, bits)
		got, ok, _ := parseInt([]byte(cell), bits)
		if ok != (err == nil) || ok && got != want {
			t.Fatalf("%q of %d bits is %v (%v), want %v (%v)", cell, bits, got, ok, want, err)
		}
	}
	for _, bits := range []int{8, 16, 32, 64} {
		low, high := Limits(bits)
		for _, x := range []int64{low, high} {
			check(strconv.FormatInt(x, 10), bits)
		}
		check(strconv.FormatUint(uint64(high)+1, 10), bits)
		check("-"+strconv.FormatUint(uint64(high)+2, 10), bits)
		for range 20000 {
			check([]string{"", "-", "+", "0"}[rng.IntN(4)]+strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10)+[]string{"", "0", "a"}[rng.IntN(3)], bits)
		}
	}
	check("", 64)
	check("-", 64)
	check("00000000000000000000000000000000001", 8)
}

// Dates are those of package time, each day of 10,000 years.
func TestDates(t *testing.T) {
	day := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	for d := int32(firstDay); d <= lastDay; d++ {
		y, m, dd := civilFromDays(d)
		if y != day.Year() || m != int(day.Month()) || dd != day.Day() || daysFromCivil(y, m, dd) != d {
			t.Fatalf("day %d is %d-%d-%d, want %v", d, y, m, dd, day)
		}
		if d%37 == 0 {
			text := appendDate(nil, d)
			if got, ok := parseDate(text); !ok || got != d || string(text) != day.Format(time.DateOnly) {
				t.Fatalf("%s: %d %v", text, got, ok)
			}
		}
		day = day.AddDate(0, 0, 1)
	}
	for _, bad := range []string{"2023-02-29", "1900-02-29", "2024-00-01", "2024-13-01", "2024-04-31", "2024-1-1", "20240101", "2024-01-0x", "2024/01/01"} {
		if _, ok := parseDate([]byte(bad)); ok {
			t.Errorf("%s is a date", bad)
		}
	}
}
