package model

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Elements are the values of a variable in storage order, NaN where it has none. The
// caller must not write them if all are known.
func (v *Var) Elements() []float64 {
	if v.Known.All() {
		return v.Value
	}
	return v.WithGaps()
}

func (v *Var) WithGaps() []float64 {
	out := make([]float64, v.Len())
	if !v.Known.None() {
		copy(out, v.Value)
	}
	if v.Known.All() {
		return out
	}
	none := v.Known.None()
	for k := range out {
		if none || !v.Known.Has(k) {
			out[k] = math.NaN()
		}
	}
	return out
}

// SetValue makes an element known.
func (v *Var) SetValue(k int, x float64) {
	switch {
	case v.Value == nil:
		v.Value = make([]float64, v.Len())
	case v.Shared:
		v.Value = append([]float64(nil), v.Value...)
	}
	v.Shared = false
	v.Value[k] = x
	v.Known.Set(k)
}

// Resize makes the storage for the dimensions that v has.
func (v *Var) Resize() {
	n := ir.Elements(v.Dims)
	v.Size, v.FromFile, v.Known = n, Mask{Len: n}, Mask{Len: n}
}

// Grow enlarges an array and keeps its elements.
func (v *Var) Grow(dims []int) {
	if v.Size > 0 && len(dims) > 0 && dims[0] >= v.Dims[0] && slices.Equal(dims[1:], v.Dims[1:]) {
		v.lengthen(dims)
		return
	}
	old := *v
	v.Dims = dims
	v.Resize()
	if old.Value != nil {
		v.Value, v.Shared = make([]float64, v.Size), false
	}
	move := func(from []Origin) []Origin {
		if from == nil {
			return nil
		}
		return make([]Origin, v.Size)
	}
	v.Assigned.Dense, v.Drawn.Dense = move(old.Assigned.Dense), move(old.Drawn.Dense)
	if old.Size == 0 || old.Known.None() && old.Assigned.Dense == nil && old.Drawn.Dense == nil {
		return
	}
	k := 0
	EachInBox(dims, wholeOf(old.Dims), 0, 0, func(to int) {
		if old.Known.Has(k) {
			if old.Value != nil {
				v.Value[to] = old.Value[k]
			}
			v.Known.Set(to)
		}
		if old.FromFile.Has(k) {
			v.FromFile.Set(to)
		}
		if old.Assigned.Dense != nil {
			v.Assigned.Dense[to] = old.Assigned.Dense[k]
		}
		if old.Drawn.Dense != nil {
			v.Drawn.Dense[to] = old.Drawn.Dense[k]
		}
		k++
	})
}

// lengthen is Grow where elements stay where they are: a model that defines one by one makes an array in time
// that grows as their number does.
func (v *Var) lengthen(dims []int) {
	more := v.Size/v.Dims[0]*dims[0] - v.Size
	v.Dims, v.Size = dims, v.Size+more
	if v.Value != nil {
		if v.Shared {
			v.Value = slices.Clip(v.Value)
		}
		v.Value, v.Shared = append(v.Value, make([]float64, more)...), false
	}
	for _, o := range []*Owners{&v.Assigned, &v.Drawn} {
		if o.Dense != nil {
			o.Dense = append(o.Dense, make([]Origin, more)...)
		}
	}
	v.FromFile.lengthen(v.Size)
	v.Known.lengthen(v.Size)
}

func (v *Var) What() string {
	if v.Fixed {
		return "the data " + v.Name
	}
	return "the node " + v.Name
}
