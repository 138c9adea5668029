package input

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// A Frame is what an array was before it became a matrix: a data frame of R. Where the
// model has no variable of its name, its columns are data of their own (OpenFrames).
type Frame struct {
	Columns []Column
	wrong   *diag.Diagnostic // why it is no matrix
}

// A Column of a data frame. Levels are those of a factor, whose values are codes from 1.
type Column struct {
	Name   string
	At     diag.Span
	Values *Array // nil where they are no numbers
	Levels []string
	not    string // what they are then
}

// list is R's list under a name, whose members became data of their own.
type list struct {
	name    string
	at      diag.Span
	members []string
}

// frameOf makes the matrix of a data frame, a row each; it is that of R's data.matrix.
func (p *rParser) frameOf(name string, v *rValue) *Array {
	out := &Array{Frame: &Frame{}}
	for i, a := range v.parts {
		if a.name == "" {
			p.fail(a.at, "write data.frame(name = value, ...)", "column %d of %s has no name", i+1, syntax.Clip(name))
		}
		c := Column{Name: strings.Clone(a.name), At: a.at, Levels: a.v.levels, not: a.v.not}
		switch first := v.parts[0].v; {
		case a.v.not != "":
			out.Frame.wrong = diag.Errorf(a.at, "the column %s of %s is %s where numbers are wanted", syntax.Clip(a.name), syntax.Clip(name), a.v.not).
				WithFix("leave the column out, or make it a factor")
		case len(a.v.dim) > 1:
			out.Frame.wrong = diag.Errorf(a.at, "the column %s of %s is a matrix", syntax.Clip(a.name), syntax.Clip(name)).
				WithFix("write its columns one by one")
		case first.not == "" && len(a.v.vals) != len(first.vals):
			out.Frame.wrong = diag.Errorf(a.at, "the columns of %s have different lengths", syntax.Clip(name)).
				WithFix("write one value a row in each column, NA where one is missing")
		}
		if a.v.not == "" {
			c.Values = p.array(a.v).finish()
		}
		out.Frame.Columns = append(out.Frame.Columns, c)
	}
	if out.Frame.wrong == nil {
		out.join()
	}
	return out
}

// join fills a matrix with the columns of its frame.
func (a *Array) join() {
	cols := a.Frame.Columns
	rows := len(cols[0].Values.Values)
	a.Dims = []int{rows, len(cols)}
	a.Values = make([]float64, rows*len(cols))
	a.Missing = make([]bool, len(a.Values))
	for j, c := range cols {
		for i, x := range c.Values.Values {
			a.Values[i*len(cols)+j], a.Missing[i*len(cols)+j] = x, c.Values.IsMissing(i)
		}
	}
}

// recycled repeats the single values of a data.frame(...) in every row, as R does.
func recycled(v *rValue) *rValue {
	rows := 0
	for _, a := range v.parts {
		rows = max(rows, len(a.v.vals))
	}
	for i, a := range v.parts {
		if a.v.not == "" && len(a.v.vals) == 1 && a.v.dim == nil && rows > 1 {
			w := &rValue{vals: slices.Repeat(a.v.vals, rows)}
			if a.v.miss != nil {
				w.miss = slices.Repeat(a.v.miss, rows)
			}
			v.parts[i].v = w
		}
	}
	return v
}

// OpenFrames settles what the data frames and lists of R in the data are, by the names
// that the model has: a data frame is the matrix that the model calls by its name, which a note says. Else
// its columns are data of their own, and so are the members of a list.
func (d *Data) OpenFrames(has func(name string) bool) diag.List {
	if d.lists == nil && !d.hasFrames() {
		return nil
	}
	var out diag.List
	for _, l := range d.lists {
		if has(l.name) && d.Get(l.name) == nil {
			out = append(out, diag.Warningf(l.at, "%s is a list: its members %s became data of their own, and the model has a variable %s", syntax.Clip(l.name), listed(l.members), syntax.Clip(l.name)).
				WithFix("write %s <- cbind(...) in R, or structure(c(...), .Dim = c(...)), for a matrix", syntax.Clip(l.name)))
		}
	}
	d.lists = nil
	for _, name := range slices.Clone(d.Names) {
		a, at := d.arrays[name], d.at[name]
		switch f := a.Frame; {
		case f == nil:
		case has(name) && f.wrong != nil:
			out = append(out, f.wrong)
		case has(name):
			a.Frame = nil
			out = append(out, f.note(name, at))
		default:
			out = append(out, d.spread(name, f)...)
		}
	}
	return out
}

func (d *Data) hasFrames() bool {
	for _, a := range d.arrays {
		if a.Frame != nil {
			return true
		}
	}
	return false
}

// spread puts the columns of a data frame in its place.
func (d *Data) spread(name string, f *Frame) (out diag.List) {
	i := slices.Index(d.Names, name)
	rest := slices.Clone(d.Names[i+1:])
	d.Names = d.Names[:i]
	delete(d.arrays, name)
	delete(d.at, name)
	for _, c := range f.Columns {
		switch {
		case c.Values == nil:
			out = append(out, diag.Errorf(c.At, "the value of %s is %s where numbers are wanted", syntax.Clip(c.Name), c.not).
				WithFix("write numbers, or remove %s", syntax.Clip(c.Name)))
		case d.arrays[c.Name] != nil:
			out = append(out, diag.Errorf(c.At, "%s is given twice", syntax.Clip(c.Name)).WithFix("remove one of the two").
				WithNote(d.at[c.Name], "the other is here"))
		default:
			d.Set(c.Name, c.At, c.Values)
			if c.Levels != nil {
				out = append(out, factorNote(c.Name, c.At, c.Levels))
			}
		}
	}
	d.Names = append(d.Names, rest...)
	return out
}

// note says what became of a data frame.
func (f *Frame) note(name string, at diag.Span) *diag.Diagnostic {
	var names, more []string
	for j, c := range f.Columns {
		names = append(names, c.Name)
		if c.Levels != nil {
			more = append(more, fmt.Sprintf("; %s[,%d] is a factor: %s", syntax.Clip(name), j+1, codes(c.Levels)))
		}
	}
	rows := len(f.Columns[0].Values.Values)
	return &diag.Diagnostic{Severity: diag.Note, Span: at, Message: fmt.Sprintf("%s is a data frame: the matrix of %d rows with the columns %s%s",
		syntax.Clip(name), rows, listed(names), strings.Join(more, ""))}
}

// factorNote says what the numbers of a factor are.
func factorNote(name string, at diag.Span, levels []string) *diag.Diagnostic {
	return &diag.Diagnostic{Severity: diag.Note, Span: at, Message: syntax.Clip(name) + " is a factor: " + codes(levels)}
}

// codes says which number stands for which level: 1 is "a" and 2 is "b".
func codes(levels []string) string {
	var out []string
	for i, l := range levels[:min(len(levels), diag.MaxShown)] {
		out = append(out, fmt.Sprintf("%d is %q", i+1, syntax.Clip(l)))
	}
	if len(levels) > diag.MaxShown {
		return strings.Join(out, ", ") + ", ..."
	}
	return listed(out)
}

// listed writes names as a, b and c.
func listed(names []string) string {
	if len(names) > diag.MaxShown {
		return strings.Join(names[:diag.MaxShown], ", ") + ", ..."
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

func memberNames(v *rValue) []string {
	return lists.Map(v.parts, func(a rArg) string { return strings.Clone(a.name) })
}

// textsOf are the strings of an argument; nil if there is none or it is no text.
func textsOf(a rArg) []string {
	if a.v == nil {
		return nil
	}
	return lists.Map(a.v.texts, strings.Clone)
}
