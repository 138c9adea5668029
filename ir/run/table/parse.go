package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// A part is the rows of a piece.
type part struct {
	text    []byte
	wants   []Want
	plan    []int // for each column of the file, which of the wanted ones it is, or -1
	columns []values
	rows    int
	bad     *Fault // at the first row that is wrong, which is the last
}

// values are those of a column in a part.
type values struct {
	data  []byte
	ends  []int64 // of strings, in data
	valid []byte
}

// parse reads the rows of the text.
func (p *part) parse() {
	p.columns = make([]values, len(p.wants))
	for at := 0; at < len(p.text); {
		if len(p.plan) > 1 && (p.text[at] == '\n' || p.text[at] == '\r') {
			if next, ok := blank(p.text, at); ok {
				at = next
				continue
			}
		}
		if at, p.bad = p.record(at); p.bad != nil {
			return
		}
		p.rows++
	}
}

// record reads the row that begins at a byte, and gives where the next one does.
func (p *part) record(at int) (int, *Fault) {
	for i, k := range p.plan {
		cell, end, quoted, bad := scan(p.text, at)
		if bad != nil {
			return 0, bad
		}
		if k >= 0 {
			if msg, fix := p.columns[k].add(&p.wants[k], cell, quoted); msg != "" {
				return 0, &Fault{at, max(end, at), msg, fix}
			}
		}
		last := end == len(p.text) || p.text[end] == '\n'
		switch {
		case last && i+1 < len(p.plan):
			return 0, &Fault{end, end, fmt.Sprintf("the row has %s, and the header has %d", plural(i+1, "cell"), len(p.plan)), "an empty cell is null, and its comma stays"}
		case last:
			return end + 1, nil
		case i+1 == len(p.plan):
			return 0, &Fault{end, end + 1, fmt.Sprintf("the row has more cells than the header, which has %d", len(p.plan)), `put a cell with a comma between quotes: "a, b"`}
		}
		at = end + 1
	}
	panic("table: a header without cells")
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// add appends a cell; msg says what is wrong with it, and fix is a way out.
func (v *values) add(w *Want, cell []byte, quoted bool) (msg, fix string) {
	if len(cell) == 0 && (!quoted || w.Kind != String) && (w.Nullable || w.Kind != String) {
		if !w.Nullable {
			return fmt.Sprintf("column %q has an empty cell, and %s cannot be null", w.Name, article(w.Kind)),
				fmt.Sprintf("fill it, or declare the column nullable: !loop.nullable<%s>", w.Kind.Spelled())
		}
		v.null(w)
		return "", ""
	}
	if w.Nullable {
		v.valid = append(v.valid, 1)
	}
	switch w.Kind {
	case String:
		v.data = append(v.data, cell...)
		v.ends = append(v.ends, int64(len(v.data)))
		return "", ""
	case F32, F64:
		return v.addFloat(w, cell)
	case I1:
		x, err := strconv.ParseBool(view(cell))
		if err != nil {
			return wrong(w, cell)
		}
		v.data = append(v.data, b2b(x))
		return "", ""
	}
	return v.addInt(w, cell)
}

// null appends a null.
func (v *values) null(w *Want) {
	v.valid = append(v.valid, 0)
	if w.Kind == String {
		v.ends = append(v.ends, int64(len(v.data)))
		return
	}
	var zero [8]byte
	v.data = append(v.data, zero[:w.Kind.Size()]...)
}

func (v *values) addFloat(w *Want, cell []byte) (msg, fix string) {
	bits := 8 * w.Kind.Size()
	x, ok, big := parseFloat(cell, bits)
	switch {
	case big:
		return fmt.Sprintf("column %q: %s is too large for %s", w.Name, cell, w.Kind), "write Infinity for infinity"
	case !ok:
		return wrong(w, cell)
	case bits == 32:
		v.data = binary.LittleEndian.AppendUint32(v.data, math.Float32bits(float32(x)))
	default:
		v.data = binary.LittleEndian.AppendUint64(v.data, math.Float64bits(x))
	}
	return "", ""
}

func (v *values) addInt(w *Want, cell []byte) (msg, fix string) {
	bits := w.Kind.bits()
	var x int64
	var ok, big bool
	if w.Kind != Date {
		x, ok, big = parseInt(cell, bits)
	}
	if !ok && !big && bits >= 32 {
		var d int32
		d, ok = parseDate(cell)
		x = int64(d)
	}
	switch {
	case big:
		return tooLarge(w, cell)
	case !ok:
		return wrong(w, cell)
	}
	switch bits {
	case 8:
		v.data = append(v.data, byte(x))
	case 16:
		v.data = binary.LittleEndian.AppendUint16(v.data, uint16(x))
	case 32:
		v.data = binary.LittleEndian.AppendUint32(v.data, uint32(x))
	default:
		v.data = binary.LittleEndian.AppendUint64(v.data, uint64(x))
	}
	return "", ""
}

func tooLarge(w *Want, cell []byte) (msg, fix string) {
	low, high := Limits(w.Kind.bits())
	msg = fmt.Sprintf("column %q: %s does not fit into %s, which holds %d to %d", w.Name, cell, w.Kind, low, high)
	if w.Kind.bits() < 64 {
		return msg, "declare the column as a wider integer"
	}
	return msg, "declare the column as f64, which rounds it, or as a string"
}

// wrong says that a cell is nothing of its kind.
func wrong(w *Want, cell []byte) (msg, fix string) {
	msg = fmt.Sprintf("column %q: %q is not %s", w.Name, shorten(cell), article(w.Kind))
	if trimmed := bytes.TrimSpace(cell); len(trimmed) < len(cell) {
		var v values
		if m, _ := v.add(w, trimmed, false); m == "" {
			return msg, "leave out the spaces, which belong to the cell"
		}
	}
	if fix := noDate(w, cell); fix != "" {
		if w.Kind.bits() < 32 {
			return msg, fix
		}
		return fmt.Sprintf("column %q: %q is not a date", w.Name, shorten(cell)), fix
	}
	switch {
	case w.Kind == I1:
		fix = "write true or false, or 1 or 0"
	case w.Kind.Integer():
		if _, ok, _ := parseFloat(cell, 64); ok {
			fix = "declare the column as f64"
		}
	case bytes.Count(cell, []byte(",")) > 0:
		fix = "the decimal sign is a point, and thousands have none"
	}
	return msg, fix
}

// shorten cuts a long cell for a message.
func shorten(cell []byte) string {
	const most = 40 // bytes: a message is a line
	if len(cell) > most {
		return string(cell[:most]) + "..."
	}
	return string(cell)
}

// article is a kind as it is called in a sentence.
func article(k Kind) string {
	switch {
	case k == Date:
		return "a date"
	case k == String:
		return "a string"
	case k == F32 || k == F64:
		return "a number of type " + k.String()
	case k == I1:
		return "a truth value of type i1"
	}
	return "an integer of type " + k.String()
}

// Spelled is the type of a kind as programs write it.
func (k Kind) Spelled() string {
	switch k {
	case String:
		return "!loop.string"
	case Date:
		return I32.String()
	}
	return k.String()
}

func b2b(x bool) byte {
	if x {
		return 1
	}
	return 0
}
