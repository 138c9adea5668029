package loops

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// A Table is columns of equal length.
type Table struct {
	Name    string
	Rows    int
	Columns []Column
}

// A Column is []float64, []int64, []int32, []int8 or Strings.
type Column struct {
	Name string
	Data any
}

// Strings are bytes and where each string begins; the last offset is where they end.
type Strings struct {
	Offsets []int64
	Bytes   []byte
}

// At is string i.
func (s Strings) At(i int) string { return string(s.Bytes[s.Offsets[i]:s.Offsets[i+1]]) }

// Column is the data of a column, or nil.
func (t *Table) Column(name string) any {
	for _, c := range t.Columns {
		if c.Name == name {
			return c.Data
		}
	}
	return nil
}

// part is one file of a column.
type part struct {
	ext  string
	data any
}

func (c Column) parts() []part {
	switch x := c.Data.(type) {
	case []float64:
		return []part{{"f64", x}}
	case []int64:
		return []part{{"i64", x}}
	case []int32:
		return []part{{"i32", x}}
	case []int8:
		return []part{{"i8", x}}
	case Strings:
		return []part{{"offsets", x.Offsets}, {"bytes", x.Bytes}}
	}
	return nil
}

// Write puts the columns into dir/NAME, each as COLUMN.TYPE with its little-endian
// bytes, strings as COLUMN.offsets and COLUMN.bytes, and their types into schema.json.
func (t *Table) Write(dir string) error {
	dir = filepath.Join(dir, t.Name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	type field struct {
		Name string `json:"name"`
		Type string `json:"type"`
	}
	var fields []field
	for _, c := range t.Columns {
		parts := c.parts()
		if parts == nil {
			return fmt.Errorf("column %s of %s is a %T", c.Name, t.Name, c.Data)
		}
		fields = append(fields, field{c.Name, parts[0].ext})
		for _, p := range parts {
			if err := writeFile(filepath.Join(dir, c.Name+"."+p.ext), p.data); err != nil {
				return err
			}
		}
	}
	schema, err := json.Marshal(map[string]any{"rows": t.Rows, "columns": fields})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "schema.json"), schema, 0o644)
}

func writeFile(path string, data any) error {
	bytes, err := binary.Append(nil, binary.LittleEndian, data)
	if err != nil {
		return err
	}
	return os.WriteFile(path, bytes, 0o644)
}
