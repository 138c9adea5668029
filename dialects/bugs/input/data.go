package input

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// An Array is a value of a data or inits file. Values are stored row by row:
// element (i, j) of an array with Dims {m, n} is Values[(i-1)*n + j-1].
type Array struct {
	Dims    []int // nil for a scalar
	Values  []float64
	Missing []bool // nil if nothing is missing; Values has NaN where it is true
	IsInt   bool   // every value that is present is an integer
	Shape   bool   // the values are not there yet (ParseShapes)

	Frame   *Frame // of R's data frames and lists under one name
	numbers bool
}

// AreNumbers reports an array that was read from a file and has no NaN but for what is
// missing.
func (a *Array) AreNumbers() bool { return a.numbers }

// IsMissing says whether element k, counted from 0 in storage order, is missing.
func (a *Array) IsMissing(k int) bool { return a.Missing != nil && a.Missing[k] }

// finish brings an array into normal form: no Missing without a missing value.
func (a *Array) finish() *Array {
	any := false
	a.IsInt, a.numbers = true, true
	for i, v := range a.Values {
		if a.IsMissing(i) {
			any = true
			a.Values[i] = math.NaN()
		} else if v != math.Trunc(v) || math.IsInf(v, 0) {
			a.IsInt = false // NaN differs from itself
			a.numbers = a.numbers && v == v
		}
	}
	if !any {
		a.Missing = nil
	}
	return a
}

// Data is the content of a file: names with values, in the order of the file.
type Data struct {
	Names  []string
	arrays map[string]*Array
	at     map[string]diag.Span
	lists  []list
}

// NewData makes an empty Data.
func NewData() *Data { return &Data{arrays: map[string]*Array{}, at: map[string]diag.Span{}} }

// Get returns the value of a name, or nil.
func (d *Data) Get(name string) *Array { return d.arrays[name] }

// Span returns the place of a name; it has no source if the name is not there.
func (d *Data) Span(name string) diag.Span { return d.at[name] }

// Set adds or replaces a value.
func (d *Data) Set(name string, at diag.Span, a *Array) {
	if _, ok := d.arrays[name]; !ok {
		d.Names = append(d.Names, name)
	}
	d.arrays[name], d.at[name] = a, at
}

// Merge adds the data of another file; a name in both is an error.
func (d *Data) Merge(from *Data) (list diag.List) {
	for _, name := range from.Names {
		if d.Get(name) != nil {
			list = append(list, diag.Errorf(from.Span(name), "%s is given twice", name).WithFix("remove one of the two").WithNote(d.Span(name), "here first"))
			continue
		}
		d.Set(name, from.Span(name), from.Get(name))
	}
	d.lists = append(d.lists, from.lists...)
	return list
}

// Detach makes the data independent of the text that they were read from, which is given up.
func (d *Data) Detach(src *diag.Source) {
	if d.lists != nil || d.hasFrames() {
		return // whose columns have places, too
	}
	var names []string
	var spans []diag.Span
	for _, name := range d.Names {
		if at := d.at[name]; at.Source == src {
			names, spans = append(names, name), append(spans, at)
		}
	}
	src.Excerpts(spans)
	for i, name := range names {
		d.at[name] = spans[i]
	}
	src.Text = ""
}

// A Kind is a format of data files.
type Kind uint8

// The formats. Unknown makes ParseData look at the name and the text.
const (
	Unknown Kind = iota
	JSON
	RDump    // name <- value, column by column
	BUGSList // list(name = value), and tables that end with END; R's dput of a list, too
	CSV
)

func (k Kind) String() string {
	return [...]string{"unknown", "JSON", "R dump", "OpenBUGS list", "CSV"}[k]
}

// DetectKind tells the format of a file from the end of its name and its text.
func DetectKind(filename, text string) Kind {
	switch strings.ToLower(filepath.Ext(filename)) {
	case ".json":
		return JSON
	case ".csv":
		return CSV
	}
	text = skipRSpace(strings.TrimPrefix(text, "\ufeff"))
	switch {
	case text == "":
		return RDump
	case text[0] == '{' || text[0] == '[':
		return JSON
	case strings.HasPrefix(text, "list") && strings.HasPrefix(skipRSpace(text[4:]), "("):
		return BUGSList
	}
	line, _, _ := strings.Cut(text, "\n")
	quoted := text[0] == '"' || text[0] == '\'' || text[0] == '`'
	n := 0
	for n < len(text) && syntax.IsNameByte(text[n]) {
		n++
	}
	switch next := skipRSpace(text[n:]); {
	case n > 0 && strings.HasPrefix(next, "["):
		if commaOutside(line) {
			return CSV
		}
		return BUGSList
	case n > 0 && (strings.HasPrefix(next, "<-") || strings.HasPrefix(next, "=")):
		return RDump
	case quoted && (strings.Contains(line, "<-") || strings.Contains(line, "=")):
		return RDump
	case (text[:n] == "assign" || text[:n] == "structure") && strings.HasPrefix(next, "("), strings.EqualFold(filepath.Ext(filename), ".r"):
		return RDump
	case strings.EqualFold(filepath.Ext(filename), ".tsv"), separator(line) != 0:
		return CSV
	case quoted:
		return RDump
	}
	return Unknown
}

// commaOutside says whether a line has a comma outside of brackets.
func commaOutside(line string) bool {
	depth := 0
	for i := range len(line) {
		switch line[i] {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth <= 0 {
				return true
			}
		}
	}
	return false
}

// skipRSpace passes white space and `#` comments.
func skipRSpace(s string) string {
	for {
		s = strings.TrimLeft(s, " \t\r\n\f\v")
		if !strings.HasPrefix(s, "#") {
			return s
		}
		n := strings.IndexByte(s, '\n')
		if n < 0 {
			return ""
		}
		s = s[n:]
	}
}

// ParseData reads a data or inits file. The Data holds whatever could be read;
// it is complete if the list's Err is nil.
func ParseData(src *diag.Source, kind Kind) (*Data, diag.List) {
	if d := syntax.WideText(src); d != nil {
		return NewData(), diag.List{d}
	}
	if kind == Unknown {
		kind = DetectKind(src.Name, src.Text)
	}
	b := &builder{src: src, data: NewData(), errs: &syntax.Reporter{}}
	switch kind {
	case JSON:
		parseJSON(b)
	case RDump, BUGSList:
		parseR(b, kind)
	case CSV:
		parseCSV(b)
	default:
		b.errs.Add(diag.Errorf(src.At(0), "cannot tell the format of the data").
			WithFix("name the file .json, .csv or .R, or write JSON, an R dump, an OpenBUGS list or table, or CSV"))
	}
	return b.data, b.errs.Sorted()
}

// A builder collects the values of a file.
type builder struct {
	src  *diag.Source
	data *Data
	errs *syntax.Reporter

	generator bool // a name of JAGS's random numbers was seen
	lists     int  // of R, at the top
}

// isGenerator reports names of JAGS that set its random numbers.
func isGenerator(name string) bool { return strings.HasPrefix(name, ".RNG.") }

// add takes a value; a name that is there already is an error.
func (b *builder) add(name string, at diag.Span, a *Array) {
	if isGenerator(name) {
		if !b.generator {
			b.errs.Add(diag.Warningf(at, "%s is for the random numbers of JAGS and is left out", syntax.Clip(name)).
				WithFix("remove it; `irc run -seed=N` sets those of irc"))
		}
		b.generator = true
		return
	}
	if _, ok := b.data.at[name]; ok {
		fix := "remove one of the two"
		if b.lists > 1 {
			fix = "keep one list in the file, where each is that of a chain; -points takes many points, in JSON or CSV"
		}
		b.errs.Add(diag.Errorf(at, "%s is given twice", name).WithFix("%s", fix).
			WithNote(b.data.at[name], "the first is here"))
		return
	}
	b.data.Set(strings.Clone(name), at, a.finish()) // else the text lives as long as the name
}

// maxGenerated bounds the elements that short notations such as 1:n and
// rep(x, n), or an index far out, may ask for in one file.
const maxGenerated = 1 << 24
