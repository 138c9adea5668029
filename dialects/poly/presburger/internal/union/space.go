package union

import (
	"slices"
	"strings"
)

// A Tuple names the dimensions of one side of a map, or of a set. A wrapped map has
// two tuples instead of dimensions of its own.
type Tuple struct {
	Name    string
	Dims    []string // may be empty strings
	In, Out *Tuple   // both or neither
}

// Len counts the dimensions.
func (t *Tuple) Len() int {
	if t == nil {
		return 0
	}
	if t.In != nil {
		return t.In.Len() + t.Out.Len()
	}
	return len(t.Dims)
}

// Equal compares names and structure; the names of dimensions do not matter.
func (t *Tuple) Equal(u *Tuple) bool {
	if t == nil || u == nil {
		return t == u
	}
	if t.Name != u.Name || (t.In != nil) != (u.In != nil) {
		return false
	}
	if t.In != nil {
		return t.In.Equal(u.In) && t.Out.Equal(u.Out)
	}
	return len(t.Dims) == len(u.Dims)
}

// Names lists the names of all dimensions.
func (t *Tuple) Names() []string {
	if t == nil {
		return nil
	}
	if t.In != nil {
		return append(t.In.Names(), t.Out.Names()...)
	}
	return slices.Clone(t.Dims)
}

// Space is a pair of tuples; a set has no in, a set of parameters alone none at all.
type Space struct{ In, Out *Tuple }

// IsParams reports the space of conditions on parameters alone.
func (s Space) IsParams() bool { return s.Out == nil }

func (s Space) equal(t Space) bool { return s.In.Equal(t.In) && s.Out.Equal(t.Out) }

// NumIn counts the dimensions of In.
func (s Space) NumIn() int {
	if s.In == nil {
		return 0
	}
	return s.In.Len()
}

// NumOut counts those of Out.
func (s Space) NumOut() int { return s.Out.Len() }

// Dims counts those of both.
func (s Space) Dims() int { return s.NumIn() + s.NumOut() }

// Text names a space in messages.
func (t *Tuple) Text() string {
	if t == nil {
		return "the parameters"
	}
	if t.In != nil {
		return t.Name + "[" + t.In.Text() + " -> " + t.Out.Text() + "]"
	}
	names := t.Names()
	for i, n := range names {
		if n == "" {
			names[i] = "*"
		}
	}
	return t.Name + "[" + strings.Join(names, ", ") + "]"
}
