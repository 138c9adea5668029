package vector

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

var table = interp.Table{Load: runLoad, Store: runStore, Mask: runMask,
	MaskedLoad: runMaskedRead, ExpandLoad: runMaskedRead, Gather: runMaskedRead,
	MaskedStore: runMaskedWrite, CompressStore: runMaskedWrite, Scatter: runMaskedWrite,
	TransferRead: runTransferRead, TransferWrite: runTransferWrite, Print: runPrint}

// tooLong is why a vector is not computed with.
var tooLong = &interp.Unsupported{Reason: "has a vector that scales, or that is too long to compute with", Fix: "use vectors of up to 65536 lanes whose shape is known"}

// memoryOf is the memory that an access goes to.
func memoryOf(o *interp.Op, args []ir.Val, i int) (*interp.MemRef, error) {
	if isTensor(o.Call, i) {
		return nil, &interp.Unsupported{Reason: "reads or writes a tensor, which has no memory here", Fix: "make it a memref: bufferize first"}
	}
	return interp.AsMemRef(args[i])
}

// noPoison traps if an index is poison, also where a mask or the bounds leave no element to access.
func noPoison(indices []ir.Val) error {
	for _, v := range indices {
		if _, err := interp.Index(v); err != nil {
			return err
		}
	}
	return nil
}

// elements finds the places of the elements of a rectangular part of memory of a shape, which begins
// at indices and lies in the last dimensions. A place is -1 where skip says so.
func elements(r *interp.MemRef, indices []ir.Val, shape []int64, skip func(i int) (bool, error)) ([]int, error) {
	out := make([]int, count(shape))
	at := make([]ir.Val, len(indices))
	lead := len(indices) - len(shape)
	var err error
	points(shape, func(i int, p []int) {
		if err != nil {
			return
		}
		no := false
		if skip != nil {
			no, err = skip(i)
		}
		if out[i] = nowhere; no || err != nil {
			return
		}
		copy(at, indices)
		for d, k := range p {
			at[lead+d].Bits += uint64(k)
		}
		out[i], err = r.At(at)
	})
	return out, err
}

// shapeIn is the shape of a vector in memory: none if it is an element.
func shapeIn(c *ir.Context, memory, t ir.Type) []int64 {
	if c.Info(memory).Elem == t {
		return nil
	}
	return shapeOf(c, t)
}

// Fits reports that a rectangular part of memory, in its last dimensions, is a vector, or an element: what
// vector.load and vector.store take.
func Fits(c *ir.Context, memory, t ir.Type) bool {
	m, v := c.Info(memory), c.Info(t)
	return m.Elem == t || v.Elem == m.Elem && len(v.Shape) <= len(m.Shape) && (len(v.Shape) == 0 || unitStride(c, memory))
}

// ReadPart reads the part of a memory of a type that begins at indices, as a vector of type t. It is for an
// interp.Func. It traps out of bounds and on poison, and cannot run where Fits does not hold, or the vector is too long.
func ReadPart(m *interp.Machine, memory, t ir.Type, base ir.Val, indices []ir.Val) (ir.Val, error) {
	r, places, err := partAtIndices(m, memory, t, base, indices)
	if err != nil {
		return ir.Val{}, err
	}
	if m.Ctx.Info(memory).Elem == t {
		return r.Buf.Load(places[0]), nil
	}
	lanes := make(ir.Vector, len(places))
	for i, at := range places {
		lanes[i] = r.Buf.Load(at)
	}
	return ir.Val{Ref: lanes}, nil
}

// WritePart writes a vector of type t to such a part, with the errors of ReadPart.
func WritePart(m *interp.Machine, memory, t ir.Type, v, base ir.Val, indices []ir.Val) error {
	r, places, err := partAtIndices(m, memory, t, base, indices)
	if err != nil {
		return err
	}
	if m.Ctx.Info(memory).Elem == t {
		r.Buf.Store(places[0], v)
		return nil
	}
	for i, x := range lanesOf(v, len(places)) {
		r.Buf.Store(places[i], x)
	}
	return nil
}

func partAtIndices(m *interp.Machine, memory, t ir.Type, base ir.Val, indices []ir.Val) (*interp.MemRef, []int, error) {
	r, err := interp.AsMemRef(base)
	if err != nil {
		return nil, nil, err
	}
	n, ok := lanes(m.Ctx, t)
	switch {
	case !ok:
		return nil, nil, tooLong
	case !Fits(m.Ctx, memory, t):
		return nil, nil, &interp.Unsupported{Reason: "goes to elements that do not lie one behind the other", Fix: "read and write single elements"}
	}
	if err := m.Spend(int64(n)); err != nil {
		return nil, nil, err
	}
	places, err := elements(r, indices, shapeIn(m.Ctx, memory, t), nil)
	return r, places, err
}

func runLoad(m *interp.Machine, o *interp.Op, args, out []ir.Val) (err error) {
	out[0], err = ReadPart(m, o.Call.ArgType(0), o.Call.Type, args[0], args[1:])
	return err
}

func runStore(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	return WritePart(m, o.Call.ArgType(1), o.Call.ArgType(0), args[0], args[1], args[2:])
}
