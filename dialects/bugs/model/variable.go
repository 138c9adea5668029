package model

import (
	"math"
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
	n := 1
	for _, d := range v.Dims {
		n *= d
	}
	v.Size, v.Given, v.Known = n, Mask{Len: n}, Mask{Len: n}
}

// Grow enlarges an array and keeps its elements.
func (v *Var) Grow(dims []int) {
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
		if old.Given.Has(k) {
			v.Given.Set(to)
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

func (v *Var) What() string {
	if v.Fixed {
		return "the data " + v.Name
	}
	return "the node " + v.Name
}
