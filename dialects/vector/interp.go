package vector

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

var table = interp.Table{Load: runLoad, Store: runStore, Mask: runMask,
	MaskedLoad: runMaskedRead, ExpandLoad: runMaskedRead, Gather: runMaskedRead,
	MaskedStore: runMaskedWrite, CompressStore: runMaskedWrite, Scatter: runMaskedWrite,
	TransferRead: runTransferRead, TransferWrite: runTransferWrite}

// tooLong is why a vector is not computed with.
var tooLong = &interp.Unsupported{Reason: "has a vector that scales, or that is too long to compute with", Fix: "use vectors of up to 65536 lanes whose shape is known"}

// memoryOf is the memory that an access goes to.
func memoryOf(o *interp.Op, args []ir.Val, i int) (*interp.MemRef, error) {
	if isTensor(o.Call, i) {
		return nil, &interp.Unsupported{Reason: "reads or writes a tensor, which has no memory here", Fix: "make it a memref: bufferize first"}
	}
	return interp.AsMemRef(args[i])
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

func runLoad(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	r, err := interp.AsMemRef(args[0])
	if err != nil {
		return err
	}
	n, ok := Lanes(o.G.Ctx, o.Call.Type)
	if !ok {
		return tooLong
	}
	if err := m.Spend(int64(n)); err != nil {
		return err
	}
	places, err := elements(r, args[1:], shapeIn(o.G.Ctx, o.Call.ArgType(0), o.Call.Type), nil)
	if err != nil {
		return err
	}
	if o.G.Ctx.Info(o.Call.ArgType(0)).Elem == o.Call.Type {
		out[0] = r.Buf.Load(places[0])
		return nil
	}
	lanes := make(ir.Vector, n)
	for i, at := range places {
		lanes[i] = r.Buf.Load(at)
	}
	out[0] = ir.Val{Ref: lanes}
	return nil
}

func runStore(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	r, err := interp.AsMemRef(args[1])
	if err != nil {
		return err
	}
	t := o.Call.ArgType(0)
	n, ok := Lanes(o.G.Ctx, t)
	if !ok {
		return tooLong
	}
	if err := m.Spend(int64(n)); err != nil {
		return err
	}
	places, err := elements(r, args[2:], shapeIn(o.G.Ctx, o.Call.ArgType(1), t), nil)
	if err != nil {
		return err
	}
	if o.G.Ctx.Info(o.Call.ArgType(1)).Elem == t {
		r.Buf.Store(places[0], args[0])
		return nil
	}
	for i, x := range lanesOf(args[0], n) {
		r.Buf.Store(places[i], x)
	}
	return nil
}
