package table

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unsafe"

	"github.com/irc-lang/irc/ir/diag"
)

// A process that reads tables for another one sends what it has read: a line of JSON, then of
// each column its data, offsets and mask, as they are in memory.

// sent is the line.
type sent struct {
	Rows    int    `json:"rows"`
	Bytes   []int  `json:"bytes"`             // of the data of each column
	Message string `json:"message,omitempty"` // why there is no table
	Fix     string `json:"fix,omitempty"`
}

// Send writes a table, or why there is none, for Receive.
func Send(w io.Writer, t *Table, why error) error {
	s := sent{}
	if t == nil || why != nil {
		t = &Table{}
		s.Message = fmt.Sprint(why)
		if d := (*diag.Diagnostic)(nil); errors.As(why, &d) {
			s.Message, s.Fix = d.Message, d.Fix
		}
	}
	s.Rows = t.Rows
	for _, c := range t.Columns {
		s.Bytes = append(s.Bytes, len(c.Data))
	}
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return err
	}
	for _, c := range t.Columns {
		for _, part := range [][]byte{c.Data, Bytes(c.Offsets), c.Valid} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// Receive reads what Send has written of the wanted columns, each of at most so many bytes; an error that was sent is a
// *diag.Diagnostic. What was not sent whole is io.ErrUnexpectedEOF.
func Receive(r io.Reader, wants []Want, most int64) (*Table, error) {
	in := bufio.NewReader(r)
	line, err := in.ReadBytes('\n')
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	var s sent
	if err == nil {
		err = json.Unmarshal(line, &s)
	}
	if err != nil {
		return nil, err
	}
	if s.Message != "" {
		return nil, &diag.Diagnostic{Message: s.Message, Fix: s.Fix}
	}
	if len(s.Bytes) != len(wants) {
		return nil, fmt.Errorf("table: %d columns came, and %d are wanted", len(s.Bytes), len(wants))
	}
	if s.Rows < 0 || slices.ContainsFunc(s.Bytes, func(n int) bool { return n < 0 || int64(n) > most }) {
		return nil, fmt.Errorf("table: %d rows came, of %v bytes", s.Rows, s.Bytes)
	}
	t := &Table{Rows: s.Rows}
	for i, w := range wants {
		c := &Column{Want: w, Data: Alloc(s.Bytes[i], 0)}
		if w.Kind == String {
			c.Offsets = make([]int64, s.Rows+1)
		}
		if w.Nullable {
			c.Valid = make([]byte, s.Rows)
		}
		for _, part := range [][]byte{c.Data, Bytes(c.Offsets), c.Valid} {
			if _, err := io.ReadFull(in, part); err != nil {
				return nil, io.ErrUnexpectedEOF
			}
		}
		t.Columns = append(t.Columns, c)
	}
	return t, nil
}

// Bytes is the memory of numbers.
func Bytes(x []int64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
}
