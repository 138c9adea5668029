package draws

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// A table is CSV with names in its first line: what CmdStan writes, with comments about the run and columns about the sampler, or any other
// program, with a column that numbers the chains or none.

// The columns that say where a draw is from, in tables that R's posterior and others write.
var (
	chainNames = []string{".chain", "chain", "chain__"}
	placeNames = []string{".iteration", ".draw", "iteration", "draw", "iter__", "draw__"}
)

// A tableReader reads one table.
type tableReader struct {
	src   *diag.Source
	csv   *csv.Reader
	lines []int // where lines begin
	part  part

	columns []column
	chain   int            // the column that numbers chains, or -1
	chains  map[string]int // by what it says
	warmup  int            // draws that come first and do not count
}

// A column is where its numbers go.
type column struct {
	name     string
	quantity int    // or -1
	sampler  string // or ""
}

func readTable(src *diag.Source) (*part, error) {
	r := &tableReader{src: src, csv: csv.NewReader(strings.NewReader(src.Text)), chain: -1, chains: map[string]int{}}
	r.csv.Comment, r.csv.ReuseRecord, r.csv.TrimLeadingSpace, r.csv.FieldsPerRecord = '#', true, true, -1
	settings := r.settings()
	isStan := settings["stan_version_major"] != "" || settings["model"] != ""
	head, err := r.csv.Read()
	switch {
	case err == io.EOF:
		return nil, diag.Errorf(src.At(0), "%s has no names of quantities", src.Name).WithFix("the first line that is no comment names the columns, with commas")
	case err != nil:
		return nil, r.broken(err)
	}
	if err := r.head(slices.Clone(head), isStan || slices.Contains(head, "lp__")); err != nil {
		return nil, err
	}
	if saved := settings["save_warmup"]; saved == "1" || saved == "true" {
		n, _ := strconv.Atoi(settings["num_warmup"])
		thin, _ := strconv.Atoi(settings["thin"])
		thin = max(thin, 1)
		r.warmup = (n + thin - 1) / thin
	}
	for {
		row, err := r.csv.Read()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = r.row(row)
		}
		if err != nil {
			return nil, r.broken(err)
		}
	}
	for _, c := range r.part.chains {
		c.Settings = settings
		drop := min(r.warmup, c.Len())
		for i := range c.Columns {
			c.Columns[i] = c.Columns[i][drop:]
		}
		for name, x := range c.Sampler {
			c.Sampler[name] = x[min(drop, len(x)):]
		}
	}
	if len(r.part.chains) == 0 {
		return nil, diag.Errorf(src.At(0), "there are no draws in %s", src.Name).WithFix("each line behind the names is a draw")
	}
	return &r.part, nil
}

// settings reads the comments, and where lines begin.
func (r *tableReader) settings() map[string]string {
	out := map[string]string{}
	offset := 0
	for line := range strings.Lines(r.src.Text) {
		r.lines = append(r.lines, offset)
		offset += len(line)
		if rest, is := strings.CutPrefix(line, "#"); is {
			if key, value, ok := strings.Cut(rest, "="); ok {
				value, _, _ = strings.Cut(value, "(Default)")
				if key = strings.TrimSpace(key); out[key] == "" {
					out[key] = strings.TrimSpace(value)
				}
			}
		}
	}
	return out
}

// head says what the columns are.
func (r *tableReader) head(names []string, isStan bool) error {
	r.part.src = r.src
	for i, n := range names {
		n = strings.TrimSpace(n)
		c := column{name: n, quantity: -1}
		own, ofSampler := strings.CutSuffix(n, "__")
		switch {
		case slices.Contains(chainNames, n):
			r.chain = i
		case slices.Contains(placeNames, n) || n == "" && i == 0: // R numbers rows in a column without a name
		case ofSampler:
			c.sampler = own
		default:
			if isStan {
				n = ofStan(n)
			}
			if slices.Contains(r.part.names, n) {
				line, _ := r.csv.FieldPos(i)
				return diag.Errorf(r.at(line, 1), "there are two columns %s", n).WithFix("a column has the draws of one quantity")
			}
			c.quantity = len(r.part.names)
			r.part.names = append(r.part.names, n)
		}
		r.columns = append(r.columns, c)
	}
	if len(r.part.names) == 0 {
		return diag.Errorf(r.src.At(0), "no column of %s is a quantity of the model", r.src.Name).
			WithFix("columns whose names end with __ are the sampler's own, others are quantities")
	}
	return nil
}

// ofStan spells Stan's theta.1.2 as theta[1,2].
func ofStan(name string) string {
	base, rest, ok := strings.Cut(name, ".")
	if !ok {
		return name
	}
	index := strings.Split(rest, ".")
	if slices.ContainsFunc(index, func(s string) bool { _, err := strconv.Atoi(s); return err != nil }) {
		return name
	}
	return base + "[" + strings.Join(index, ",") + "]"
}

// row takes a draw.
func (r *tableReader) row(fields []string) error {
	if len(fields) != len(r.columns) {
		line, _ := r.csv.FieldPos(0)
		what := "the line"
		if line == len(r.lines) {
			what = "the last line"
		}
		return diag.Errorf(r.at(line, 1), "%s has %d values for %d columns", what, len(fields), len(r.columns)).
			WithFix("a draw has a value for each: of a run that broke off, take the last line away")
	}
	which := ""
	if r.chain >= 0 {
		which = fields[r.chain]
	}
	k, ok := r.chains[which]
	if !ok {
		k = len(r.part.chains)
		r.chains[which] = k
		r.part.chains = append(r.part.chains, &Chain{File: r.src.Name, Columns: make([][]float64, len(r.part.names)), Sampler: map[string][]float64{}})
	}
	c := r.part.chains[k]
	for i, x := range r.columns {
		if x.quantity < 0 && x.sampler == "" {
			continue
		}
		v, err := number(fields[i])
		if err != nil {
			line, col := r.csv.FieldPos(i)
			return diag.Errorf(r.at(line, col), "%q is no number, in column %s", fields[i], x.name)
		}
		if x.quantity >= 0 {
			c.Columns[x.quantity] = append(c.Columns[x.quantity], v)
		} else {
			c.Sampler[x.sampler] = append(c.Sampler[x.sampler], v)
		}
	}
	return nil
}

// number reads what Stan, R and Go write for numbers; NA, R's missing value, is NaN.
func number(s string) (float64, error) {
	switch s = strings.TrimSpace(s); s {
	case "NA":
		return math.NaN(), nil
	case "TRUE", "true":
		return 1, nil
	case "FALSE", "false":
		return 0, nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if errors.Is(err, strconv.ErrRange) { // it is the nearest that there is
		err = nil
	}
	return v, err
}

func isNumber(s string) bool { _, err := number(s); return err == nil }

// at is a place in the file: a line, and a byte of it, from 1.
func (r *tableReader) at(line, col int) diag.Span {
	return r.src.At(min(r.lines[min(line, len(r.lines))-1]+col-1, len(r.src.Text)))
}

// broken gives an error of the format its place.
func (r *tableReader) broken(err error) error {
	var e *csv.ParseError
	if errors.As(err, &e) {
		return diag.Errorf(r.at(e.Line, e.Column), "this is no line of a table: %v", e.Err).WithFix("a name with a comma stands in quotes")
	}
	return err
}
