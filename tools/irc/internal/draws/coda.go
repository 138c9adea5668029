package draws

import (
	"iter"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// CODA has an index and a file for each chain. A line of the index is a name, and the numbers of the first and the last line of its draws. A line
// of a chain is the number of a draw, and its value.

// fieldsOf visits the fields of each line that has some, with its place.
func fieldsOf(src *diag.Source) iter.Seq2[diag.Span, []string] {
	return func(yield func(diag.Span, []string) bool) {
		offset := 0
		for line := range strings.Lines(src.Text) {
			at := src.At(offset)
			offset += len(line)
			if f := strings.Fields(line); len(f) > 0 && !yield(at, f) {
				return
			}
		}
	}
}

// isCodaChain reports that a file begins with two numbers and nothing else.
func isCodaChain(text string) bool {
	f := strings.Fields(firstLine(text))
	return len(f) == 2 && isNumber(f[0]) && isNumber(f[1])
}

// A codaEntry is a line of the index: its lines of a chain from first to last, from 1.
type codaEntry struct {
	name        string
	first, last int
}

func readCoda(index *diag.Source, files []*diag.Source) (*part, error) {
	if len(files) == 0 {
		return nil, diag.Errorf(index.At(0), "%s is an index of CODA, and no chains follow", index.Name).
			WithFix("`irc summary CODAindex.txt CODAchain1.txt CODAchain2.txt`")
	}
	p := &part{src: index}
	var entries []codaEntry
	for at, f := range fieldsOf(index) {
		var e codaEntry
		ok := len(f) == 3
		if ok {
			var wrong, also error
			e.name = f[0]
			e.first, wrong = strconv.Atoi(f[1])
			e.last, also = strconv.Atoi(f[2])
			ok = wrong == nil && also == nil && e.first >= 1 && e.last >= e.first
		}
		if !ok {
			return nil, diag.Errorf(at, "this is no line of an index: a name, and the numbers of the first and the last line of its draws")
		}
		if n := len(entries); n > 0 && e.last-e.first != entries[0].last-entries[0].first {
			return nil, diag.Errorf(at, "%s has %d draws, and %s has %d", e.name, e.last-e.first+1, entries[0].name, entries[0].last-entries[0].first+1).
				WithFix("monitor all quantities for as long")
		}
		entries = append(entries, e)
		p.names = append(p.names, e.name)
	}
	for _, src := range files {
		c, err := codaChain(src, index, entries)
		if err != nil {
			return nil, err
		}
		p.chains = append(p.chains, c)
	}
	return p, nil
}

func codaChain(src, index *diag.Source, entries []codaEntry) (*Chain, error) {
	var all []float64
	for at, f := range fieldsOf(src) {
		v, err := 0.0, error(nil)
		if len(f) == 2 {
			v, err = number(f[1])
		}
		if err != nil || len(f) != 2 {
			return nil, diag.Errorf(at, "this is no line of a chain: the number of a draw, and its value")
		}
		all = append(all, v)
	}
	c := &Chain{File: src.Name}
	for _, e := range entries {
		if e.last > len(all) {
			return nil, diag.Errorf(src.At(len(src.Text)), "%s ends at line %d, and %s is in the lines up to %d by %s", src.Name, len(all), e.name, e.last, index.Name).
				WithFix("give the index that was written with the chains")
		}
		c.Columns = append(c.Columns, all[e.first-1:e.last])
	}
	return c, nil
}
