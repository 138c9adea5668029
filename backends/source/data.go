package source

import (
	"io"
	"strings"
)

// Data is the second file of a program: the elements of globals that have more than LargeData bytes.
type Data struct {
	Name string // that it will have
	text strings.Builder
}

// dataAlign is where the elements of a global begin in the file, and in memory that it is mapped to.
const dataAlign = 64

// String is what stands in it, "" if nothing does.
func (d *Data) String() string { return d.text.String() }

// Add appends elements and returns where they begin, in bytes.
func (d *Data) Add(elements string) int {
	d.text.WriteString(strings.Repeat("\x00", -d.text.Len()&(dataAlign-1)))
	at := d.text.Len()
	d.text.WriteString(elements)
	return at
}

// DataOf is the second file that a global with Data needs; none is an error that says what to name.
func DataOf(m *Module, g *Global, d *Data, extension string) *Data {
	if d == nil {
		FailAt(m.G, g.V, "has %d bytes: what has more than %d is not written as numbers, but in a second file; name the first with -o FILE%s, and it is FILE.bin", len(g.Data), LargeData, extension)
	}
	return d
}

// Write writes a program, and if that goes to a file, where beside makes a second one with an extension, its large
// constants there.
func Write(w io.Writer, beside func(ext string, text func(name string) string) error, emit func(*Data) (string, error)) error {
	var text string
	var err error
	if beside == nil {
		text, err = emit(nil)
	} else if late := beside(".bin", func(name string) string {
		d := &Data{Name: name}
		text, err = emit(d)
		return d.String()
	}); late != nil {
		return late
	}
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return err
}
