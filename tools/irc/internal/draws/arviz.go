package draws

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// ArviZ's JSON has groups of quantities, each an array whose first two dimensions are the chain and the draw.

// samplerNames are Stan's names for those of ArviZ's schema.
var samplerNames = map[string]string{"diverging": "divergent", "tree_depth": "treedepth", "step_size": "stepsize", "acceptance_rate": "accept_stat", "n_steps": "n_leapfrog"}

func readArviz(src *diag.Source) (*part, error) {
	var file struct {
		Posterior json.RawMessage `json:"posterior"`
		Stats     map[string]any  `json:"sample_stats"`
	}
	if err := json.Unmarshal(quoted(src.Text), &file); err != nil {
		at := src.At(0)
		if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
			at = src.At(min(int(e.Offset), len(src.Text)))
		}
		return nil, diag.Errorf(at, "%s is no JSON of draws: %v", src.Name, err)
	}
	posterior, err := members(file.Posterior)
	if err != nil || len(posterior) == 0 {
		return nil, diag.Errorf(src.At(0), "%s has no group \"posterior\"", src.Name).
			WithFix(`ArviZ's JSON is {"posterior": {"mu": [[draws of chain 1], [draws of chain 2]]}}`)
	}
	p := &part{src: src}
	chains := 0
	for _, m := range posterior {
		name := m.Key
		columns, names, err := unfold(name, m.Value)
		if err != nil {
			return nil, diag.Errorf(src.At(max(strings.Index(src.Text, `"`+name+`"`), 0)), "%s: %v", name, err)
		}
		if len(p.names) == 0 {
			chains = len(columns[0])
			for range chains {
				p.chains = append(p.chains, &Chain{File: src.Name, Sampler: map[string][]float64{}})
			}
		}
		for i, c := range columns {
			if len(c) != chains {
				return nil, diag.Errorf(src.At(0), "%s has %d chains, and %s has %d", name, len(c), p.names[0], chains)
			}
			p.names = append(p.names, names[i])
			for k, x := range c {
				p.chains[k].Columns = append(p.chains[k].Columns, x)
				if len(x) != p.chains[k].Len() {
					return nil, diag.Errorf(src.At(0), "%s has %d draws, and %s has %d", name, len(x), p.names[0], p.chains[k].Len())
				}
			}
		}
	}
	for name, v := range file.Stats {
		columns, _, err := unfold(name, v)
		if err != nil || len(columns) != 1 || len(columns[0]) != chains {
			continue // it is not one number a draw
		}
		if of, ok := samplerNames[name]; ok {
			name = of
		}
		for k, x := range columns[0] {
			p.chains[k].Sampler[name] = x
		}
	}
	return p, nil
}

// quoted puts quotes around what Python writes for numbers that JSON lacks: NaN, Infinity.
func quoted(text string) []byte {
	var out []byte
	inString := false
	for i := 0; i < len(text); i++ {
		if c := text[i]; inString {
			if c == '\\' && i+1 < len(text) {
				out = append(out, c)
				i++
			}
			inString = c != '"'
		} else if c == '"' {
			inString = true
		} else if word := bareNumber.FindString(text[i:min(i+9, len(text))]); word != "" {
			out = append(append(append(out, '"'), word...), '"')
			i += len(word) - 1
			continue
		}
		out = append(out, text[i])
	}
	return out
}

var bareNumber = regexp.MustCompile(`^(NaN|-?Infinity)`)

// members are those of an object in their order.
func members(object []byte) (out []jsontext.Member, err error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("this is no object")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := jsontext.Member{Key: key.(string)}
		if err := d.Decode(&m.Value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// unfold is an array by element, chain and draw, with the names of its elements.
func unfold(name string, v any) (columns [][][]float64, names []string, err error) {
	chains, ok := v.([]any)
	if !ok || len(chains) == 0 {
		return nil, nil, errors.New("this is no list of chains")
	}
	var dims []int
	for k, c := range chains {
		drawn, ok := c.([]any)
		if !ok {
			return nil, nil, errors.New("a chain is no list of draws")
		}
		for _, d := range drawn {
			values, shape, err := flatten(d)
			if err != nil {
				return nil, nil, err
			}
			if columns == nil {
				dims, columns = shape, make([][][]float64, len(values))
				for i := range columns {
					columns[i] = make([][]float64, len(chains))
				}
			}
			if !slices.Equal(dims, shape) {
				return nil, nil, fmt.Errorf("one draw is of shape %v, another one of %v", dims, shape)
			}
			for i, x := range values {
				columns[i][k] = append(columns[i][k], x)
			}
		}
	}
	if columns == nil {
		return nil, nil, errors.New("there are no draws")
	}
	return columns, elements(name, dims), nil
}

// flatten is an array row by row.
func flatten(v any) (values []float64, dims []int, err error) {
	switch x := v.(type) {
	case float64:
		return []float64{x}, nil, nil
	case bool:
		if x {
			return []float64{1}, nil, nil
		}
		return []float64{0}, nil, nil
	case string:
		f, err := number(x)
		return []float64{f}, nil, err
	case nil:
		f, err := number("NA")
		return []float64{f}, nil, err
	case []any:
		for i, part := range x {
			more, inner, err := flatten(part)
			if err != nil {
				return nil, nil, err
			}
			if shape := append([]int{len(x)}, inner...); i == 0 {
				dims = shape
			} else if !slices.Equal(dims, shape) {
				return nil, nil, errors.New("rows are not of one length")
			}
			values = append(values, more...)
		}
		return values, dims, nil
	}
	return nil, nil, errors.New("this is no number")
}

// elements are the names of those of an array, row by row, from 1.
func elements(name string, dims []int) []string {
	if len(dims) == 0 {
		return []string{name}
	}
	index := [][]int{nil}
	for _, n := range dims {
		var next [][]int
		for _, at := range index {
			for i := range n {
				next = append(next, append(slices.Clone(at), i+1))
			}
		}
		index = next
	}
	return lists.Map(index, func(at []int) string {
		return name + "[" + strings.Join(lists.Map(at, func(i int) string { return fmt.Sprint(i) }), ",") + "]"
	})
}
