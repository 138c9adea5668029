package poly

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// A store is an array of a running system: memory of the program around, or a box of
// elements around the extent of a local array.
type store struct {
	array   *ArrayDecl
	memory  *interp.MemRef // of a bound array, or of a local one
	lower   []int64        // of a local one, the least index in each dimension
	storage *function      // where an element is kept, if that is not where it stands
	owners  *owners        // what each place holds, of an array that has a storage
	cells   []int64        // room for an index
	place   []int64        // room for a place
	at      []ir.Val
}

// store finds the store of an array, and makes that of a local one.
func (r *running) store(v ir.Value, val ir.Val) (*store, error) {
	if s := r.arrays[v]; s != nil {
		return s, nil
	}
	s := &store{array: r.sys.array(v), cells: make([]int64, 0, 8)}
	switch x := val.Ref.(type) {
	case *interp.MemRef:
		s.memory = x
	case *localArray:
		if err := r.allocate(s); err != nil {
			return nil, err
		}
	default:
		return nil, ir.Trapf("the memory of an array is poison")
	}
	s.cells = make([]int64, s.array.Rank)
	s.at = make([]ir.Val, len(s.memory.Sizes))
	r.arrays[v] = s
	return s, nil
}

// array finds an array of the system by the op that makes it.
func (s *System) array(v ir.Value) *ArrayDecl {
	for _, a := range s.Arrays {
		if a.Node.Old() == v {
			return a
		}
	}
	return nil
}

// allocate makes the memory of a local array. Where elements are stored is for an order in which
// they live one after the other; equations have each in a place of its own.
func (r *running) allocate(s *store) error {
	extent := fixed(s.array.Extent, r.params)
	rank := s.array.Rank
	if s.array.IsStored && r.sys.Schedule != nil {
		f, err := newFunction(s.array.Storage, rank, r.params, false)
		if err != nil {
			return err
		}
		s.storage = f
		if extent, err = extent.Apply(s.array.Storage); err != nil {
			return err
		}
		extent = fixed(extent, r.params)
		rank = extent.Tuple().Len()
		s.place = make([]int64, rank)
	}
	var sizes []int64
	for d := range rank {
		low, high, err := bounds(extent, d)
		if err != nil {
			return fmt.Errorf("the extent of %s: %w", s.array.Name, err)
		}
		s.lower, sizes = append(s.lower, low), append(sizes, max(high-low+1, 0))
	}
	m, err := r.m.NewMemRef(s.array.Elem, sizes...)
	if err == nil && s.storage != nil {
		s.owners = newOwners(s.array.Rank, m.Buf.Len())
	}
	s.memory = m
	return err
}

// Sizes are how many elements an array has in each dimension, from 0 to the greatest index of
// its extent, for given values of all parameters.
func Sizes(extent presburger.Set, params map[string]presburger.Int) ([]int64, error) {
	at := fixed(extent, params)
	sizes := make([]int64, extent.Tuple().Len())
	for d := range sizes {
		_, high, err := bounds(at, d)
		if err != nil {
			return nil, err
		}
		sizes[d] = high + 1
	}
	return sizes, nil
}

// bounds are the least and the greatest value of a dimension of a set; of an empty set 0, -1.
func bounds(s presburger.Set, d int) (low, high int64, err error) {
	x, err := coordinate(s, d)
	if err != nil {
		return 0, 0, err
	}
	least, err := s.MinVal(x)
	if err != nil {
		return 0, 0, err
	}
	greatest, err := s.MaxVal(x)
	if err != nil {
		return 0, 0, err
	}
	switch {
	case least.Status == presburger.Empty:
		return 0, -1, nil
	case least.Status != presburger.Optimal || greatest.Status != presburger.Optimal:
		return 0, 0, fmt.Errorf("dimension %d has no bound", d)
	}
	low, ok1 := least.Value.Num.Int64()
	high, ok2 := greatest.Value.Num.Int64()
	if !ok1 || !ok2 {
		return 0, 0, fmt.Errorf("dimension %d does not fit 64 bits", d)
	}
	return low, high, nil
}

// coordinate is the function that gives dimension d of the points of a set.
func coordinate(s presburger.Set, d int) (presburger.Aff, error) {
	m, err := presburger.IdentityMultiAff(s)
	if err != nil {
		return presburger.Aff{}, err
	}
	return m.At(d), nil
}

// cellIndex is an index of the array, good until it is asked for again.
func (s *store) cellIndex() []int64 { return s.cells }

// position is where an element is in the buffer. It traps outside of the array.
func (s *store) position(e []int64) (int, error) {
	if s.storage != nil {
		ok, err := s.storage.at(e, s.place)
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, s.outside(e)
		}
		e = s.place
	}
	for d, v := range e {
		if s.lower != nil {
			v -= s.lower[d]
		}
		if v < 0 || v >= s.memory.Sizes[d] {
			return 0, s.outside(e)
		}
		s.at[d] = ir.IntVal(v, 64)
	}
	return s.memory.At(s.at)
}

func (s *store) outside(e []int64) error {
	return ir.Trapf("the element %s is outside of the array", element(s.array.Name, e))
}

// element spells A[1, 2].
func element(name string, at []int64) string {
	out := lists.Map(at, func(v int64) string { return fmt.Sprint(v) })
	return name + "[" + strings.Join(out, ", ") + "]"
}

func (s *store) load(e []int64) (ir.Val, error) {
	at, err := s.position(e)
	if err == nil && s.owners != nil {
		err = s.owners.check(s.array.Name, at, e)
	}
	if err != nil {
		return ir.Val{}, err
	}
	return s.memory.Buf.Load(at), nil
}

func (s *store) put(e []int64, v ir.Val) error {
	at, err := s.position(e)
	if err != nil {
		return err
	}
	if s.owners != nil {
		s.owners.take(at, e)
	}
	s.memory.Buf.Store(at, v)
	return nil
}
