package draws

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// Draws are those of one run: of some quantities, by chain.
type Draws struct {
	Names  []string // of the quantities
	Chains []*Chain
}

// A Chain is what one chain drew after its warm-up.
type Chain struct {
	File    string
	Columns [][]float64          // by quantity, in the order of Names
	Sampler map[string][]float64 // what the sampler says of each draw, by Stan's name without the underscores: energy, divergent
	// Settings is what the head of the file says: max_depth -> 10.
	Settings map[string]string
}

// Len is the number of draws.
func (c *Chain) Len() int {
	if len(c.Columns) == 0 {
		return 0
	}
	return len(c.Columns[0])
}

// Len is the number of draws of each chain.
func (d *Draws) Len() int { return d.Chains[0].Len() }

// Of is the draws of a quantity, by chain.
func (d *Draws) Of(quantity int) [][]float64 {
	return lists.Map(d.Chains, func(c *Chain) []float64 { return c.Columns[quantity] })
}

// All are the quantities, by number.
func (d *Draws) All() []int {
	out := make([]int, len(d.Names))
	for i := range out {
		out[i] = i
	}
	return out
}

// Sampler is what the sampler says of each draw, by chain; nil if it is not known of all chains.
func (d *Draws) Sampler(name string) [][]float64 {
	var out [][]float64
	for _, c := range d.Chains {
		if c.Sampler[name] == nil {
			return nil
		}
		out = append(out, c.Sampler[name])
	}
	return out
}

// A part is what one file has: chains, and the names of their columns.
type part struct {
	src    *diag.Source
	names  []string
	chains []*Chain
}

// Read reads the files of one run. Chains are in the order of the files, an index of CODA before its chains. Of chains that are longer than
// others the error names both.
func Read(files []*diag.Source) (*Draws, error) {
	d := &Draws{}
	var first *part
	for len(files) > 0 {
		p, n, err := read(files)
		if err != nil {
			return nil, err
		}
		files = files[n:]
		if first == nil {
			first, d.Names = p, p.names
		} else if err := p.arrange(first); err != nil {
			return nil, err
		}
		d.Chains = append(d.Chains, p.chains...)
	}
	for _, c := range d.Chains {
		if c.Len() != d.Len() {
			return nil, diag.Errorf(diag.Span{}, "%s has chains of %d draws, and %s of %d", d.Chains[0].File, d.Len(), c.File, c.Len()).
				WithFix("give the files of one run: chains are compared draw by draw")
		}
	}
	if d.Len() == 0 {
		return nil, diag.Errorf(first.src.At(0), "there are no draws in %s", first.src.Name).WithFix("warm-up is not counted")
	}
	return d, nil
}

// read reads the first of some files, and says how many belong together.
func read(files []*diag.Source) (*part, int, error) {
	src := files[0]
	line := firstLine(src.Text)
	fields := strings.Fields(line)
	switch {
	case strings.HasPrefix(strings.TrimSpace(src.Text), "{"):
		p, err := readArviz(src)
		return p, 1, err
	case len(fields) == 3 && !isNumber(fields[0]) && isNumber(fields[1]) && isNumber(fields[2]):
		n := 1
		for n < len(files) && isCodaChain(files[n].Text) {
			n++
		}
		p, err := readCoda(src, files[1:n])
		return p, n, err
	case isCodaChain(src.Text):
		return nil, 1, diag.Errorf(src.At(0), "%s is a chain of CODA, whose index says what is in it", src.Name).
			WithFix("give the index first: `irc summary CODAindex.txt CODAchain1.txt CODAchain2.txt`")
	}
	p, err := readTable(src)
	return p, 1, err
}

// arrange brings the columns in the order of another part.
func (p *part) arrange(like *part) error {
	if slices.Equal(p.names, like.names) {
		return nil
	}
	at := map[string]int{}
	for i, n := range p.names {
		at[n] = i
	}
	order := make([]int, len(like.names))
	for i, n := range like.names {
		k, ok := at[n]
		if !ok {
			return diag.Errorf(p.src.At(0), "%s has no %s, and %s has: they are of two models", p.src.Name, n, like.src.Name).
				WithFix("give the files of one run")
		}
		order[i] = k
	}
	if len(p.names) > len(like.names) {
		for _, n := range p.names {
			if !slices.Contains(like.names, n) {
				return diag.Errorf(like.src.At(0), "%s has no %s, and %s has: they are of two models", like.src.Name, n, p.src.Name).
					WithFix("give the files of one run")
			}
		}
	}
	for _, c := range p.chains {
		c.Columns = lists.Map(order, func(k int) []float64 { return c.Columns[k] })
	}
	return nil
}

// Matching are the quantities of which one of some patterns is the name, the name without indices, or fits as patterns of files do, in the order of the
// patterns. A pattern without a quantity is an error.
func (d *Draws) Matching(patterns []string) ([]int, error) {
	var out []int
	for _, p := range patterns {
		found := false
		for i, name := range d.Names {
			base, _, _ := strings.Cut(name, "[")
			fits := name == p || base == p
			if !fits && strings.ContainsAny(p, "*?") {
				fits, _ = filepath.Match(strings.NewReplacer("[", `\[`, "]", `\]`).Replace(p), name)
			}
			if fits {
				found = true
				if !slices.Contains(out, i) {
					out = append(out, i)
				}
			}
		}
		if !found {
			return nil, d.unknown(p)
		}
	}
	return out, nil
}

func (d *Draws) unknown(name string) error {
	e := diag.Errorf(diag.Span{}, "there are no draws of %s", name)
	var bases []string
	for _, n := range d.Names {
		base, _, _ := strings.Cut(n, "[")
		bases = append(bases, n, base)
	}
	if near := diag.Nearest(name, bases); near != "" {
		e.WithFix("did you mean %s?", near)
	}
	return e
}

// firstLine is the first that is neither empty nor a comment.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line
		}
	}
	return ""
}
