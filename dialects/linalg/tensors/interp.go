package tensors

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
)

var table = interp.Table{Cast: first(runCast), CollapseShape: first(runCollapse), Concat: runConcat, Dim: first(runDim), Empty: runEmpty, ExpandShape: first(runExpand),
	Extract: first(runExtract), ExtractSlice: first(runExtractSlice), FromElements: runFromElements, Generate: runGenerate, Insert: runInsert,
	InsertSlice: first(runInsertSlice), Pad: first(runPad), Rank: runRank, Reshape: first(runReshape), Splat: runSplat}

// An array is a tensor of a running program.
type array struct {
	shape []int64
	elems ir.Vector
}

// first is what runs an op whose first operand is a tensor.
func first(run func(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error) interp.Func {
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		a, err := at(o, args, 0)
		if err != nil {
			return err
		}
		return run(m, o, a, args, out)
	}
}

// at is operand i.
func at(o *interp.Op, args []ir.Val, i int) (a array, err error) {
	a.shape, a.elems, err = o.G.Ctx.TensorOf(o.Call.ArgType(i), args[i])
	return a, err
}

// offset is where the element at an index lies; one that is not there traps.
func (a array) offset(index []int64) (int64, error) {
	n := int64(0)
	for d, i := range index {
		if i < 0 || i >= a.shape[d] {
			return 0, ir.Trapf("index %d is outside of dimension %d, which is %d", i, d, a.shape[d])
		}
		n = n*a.shape[d] + i
	}
	return n, nil
}

// newArray makes an array of a shape.
func newArray(m *interp.Machine, shape []int64) (array, error) {
	for d, n := range shape {
		if n < 0 {
			return array{}, ir.Trapf("dimension %d has the extent %d", d, n)
		}
	}
	_, n, ok := strided.RowMajor(shape)
	if !ok {
		return array{}, ir.Trapf("a tensor of size %v", shape)
	}
	if n > 1<<16 { // asks whether there is memory
		b, err := m.Alloc(ir.I64, n)
		if err == nil {
			err = m.Free(b)
		}
		if err != nil {
			return array{}, err
		}
	}
	return array{slices.Clone(shape), make(ir.Vector, n)}, m.Spend(n)
}

func (a array) give(o *interp.Op, out []ir.Val) {
	out[0] = o.G.Ctx.TensorVal(o.G.Type(o.V), a.shape, a.elems)
}

// shapeOf is the shape of the result, with operands for the extents that its type leaves open.
func shapeOf(o *interp.Op, args []ir.Val) ([]int64, error) {
	shape := slices.Clone(o.G.Ctx.Info(o.G.Type(o.V)).Shape)
	for d, n := range shape {
		if n != ir.Dynamic {
			continue
		}
		var err error
		if shape[d], err = interp.Index(args[0]); err != nil {
			return nil, err
		}
		args = args[1:]
	}
	return shape, nil
}

// each calls f at each index of a shape, in row-major order.
func each(shape []int64, f func(index []int64) error) error {
	if slices.Contains(shape, 0) {
		return nil
	}
	index := make([]int64, len(shape))
	for {
		if err := f(index); err != nil {
			return err
		}
		if !lists.NextPoint(index, shape) {
			return nil
		}
	}
}

// indexVals are the indices as operands of a region.
func indexVals(index []int64) []ir.Val {
	return lists.Map(index, func(n int64) ir.Val { return ir.Val{Bits: uint64(n)} })
}

// numbers are operands as indices.
func numbers(args []ir.Val) ([]int64, error) {
	out := make([]int64, len(args))
	for i, a := range args {
		var err error
		if out[i], err = interp.Index(a); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// made runs an op that makes a tensor whose elements f gives, one after the other.
func made(m *interp.Machine, o *interp.Op, args, out []ir.Val, f func(k int, index []int64) (ir.Val, error)) error {
	shape, err := shapeOf(o, args)
	if err != nil {
		return err
	}
	a, err := newArray(m, shape)
	if err != nil {
		return err
	}
	k := 0
	err = each(shape, func(index []int64) error {
		x, err := f(k, index)
		if err == nil {
			a.elems[k] = x
			k++
		}
		return err
	})
	a.give(o, out)
	return err
}

func runEmpty(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	return made(m, o, args, out, func(int, []int64) (ir.Val, error) { return ir.Val{Ref: ir.Poison}, nil })
}

func runSplat(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	return made(m, o, args[1:], out, func(int, []int64) (ir.Val, error) { return args[0], nil })
}

func runFromElements(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	return made(m, o, nil, out, func(k int, _ []int64) (ir.Val, error) { return args[k], nil })
}

func runGenerate(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	return made(m, o, args, out, func(_ int, index []int64) (ir.Val, error) {
		ys, err := m.Run(o.Regions[0], indexVals(index))
		if err != nil {
			return ir.Val{}, err
		}
		return ys[0], nil
	})
}

func runExtract(_ *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	index, err := numbers(args[1:])
	if err != nil {
		return err
	}
	k, err := a.offset(index)
	if err == nil {
		out[0] = a.elems[k]
	}
	return err
}

// changed is a copy of operand i.
func changed(m *interp.Machine, o *interp.Op, args []ir.Val, i int) (array, error) {
	a, err := at(o, args, i)
	if err != nil {
		return a, err
	}
	a.elems = slices.Clone(a.elems)
	return a, m.Spend(int64(len(a.elems)))
}

func runInsert(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	a, err := changed(m, o, args, 1)
	if err != nil {
		return err
	}
	index, err := numbers(args[2:])
	if err != nil {
		return err
	}
	k, err := a.offset(index)
	if err != nil {
		return err
	}
	a.elems[k] = args[0]
	a.give(o, out)
	return nil
}

// bounds is a number or an operand of a running op.
func bounds(o *interp.Op, args []ir.Val, bs []ir.Bound) ([]int64, error) {
	out := make([]int64, len(bs))
	all := o.G.Args(o.V)
	for i, b := range bs {
		out[i] = b.Const
		if b.Value == 0 {
			continue
		}
		n, err := interp.Index(args[slices.Index(all, b.Value)])
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// A walk is the part of a tensor that a running op takes or replaces.
type walk struct{ offsets, sizes, strides []int64 }

// partOf is that of an op, which lies in the whole.
func partOf(o *interp.Op, args []ir.Val, before int, whole array) (w walk, err error) {
	s, _ := sliceOf(o.G.Ctx, o.G.AttrsOf(o.V), o.G.Args(o.V), before)
	if w.offsets, err = bounds(o, args, s.offsets); err != nil {
		return w, err
	}
	if w.sizes, err = bounds(o, args, s.sizes); err != nil {
		return w, err
	}
	if w.strides, err = bounds(o, args, s.strides); err != nil {
		return w, err
	}
	return w, strided.CheckPart(w.offsets, w.sizes, w.strides, whole.shape)
}

// each calls f with the place in the whole of each element of a part, in order.
func (w walk) each(whole array, f func(k int64) error) error {
	index := make([]int64, len(whole.shape))
	return each(w.sizes, func(i []int64) error {
		for d := range index {
			index[d] = w.offsets[d] + i[d]*w.strides[d]
		}
		k, err := whole.offset(index)
		if err == nil {
			err = f(k)
		}
		return err
	})
}

// kept is a list at the dimensions that a part of lower rank keeps.
func kept(list []int64, dims []int) []int64 {
	return lists.Map(dims, func(d int) int64 { return list[d] })
}

func runExtractSlice(m *interp.Machine, o *interp.Op, whole array, args, out []ir.Val) error {
	w, err := partOf(o, args, 1, whole)
	if err != nil {
		return err
	}
	dims, _ := keptDims(o.G.Ctx.Ints(o.G.Attr(o.V, "static_sizes")), o.G.Ctx.Info(o.G.Type(o.V)).Shape)
	part := array{shape: kept(w.sizes, dims)}
	err = w.each(whole, func(k int64) error {
		part.elems = append(part.elems, whole.elems[k])
		return m.Spend(1)
	})
	part.give(o, out)
	return err
}

func runInsertSlice(m *interp.Machine, o *interp.Op, part array, args, out []ir.Val) error {
	whole, err := changed(m, o, args, 1)
	if err != nil {
		return err
	}
	w, err := partOf(o, args, 2, whole)
	if err != nil {
		return err
	}
	dims, _ := keptDims(o.G.Ctx.Ints(o.G.Attr(o.V, "static_sizes")), o.G.Ctx.Info(o.Call.ArgType(0)).Shape)
	if sizes := kept(w.sizes, dims); !slices.Equal(sizes, part.shape) {
		return ir.Trapf("a part of sizes %v is to replace one of sizes %v", part.shape, sizes)
	}
	i := 0
	err = w.each(whole, func(k int64) error {
		whole.elems[k] = part.elems[i]
		i++
		return m.Spend(1)
	})
	whole.give(o, out)
	return err
}

func runPad(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	l, h, _ := padding(o.G.Ctx, o.G.AttrsOf(o.V), o.G.Args(o.V))
	low, err := bounds(o, args, l)
	if err != nil {
		return err
	}
	high, err := bounds(o, args, h)
	if err != nil {
		return err
	}
	shape := make([]int64, len(low))
	for d := range shape {
		if low[d] < 0 || high[d] < 0 {
			return ir.Trapf("tensor.pad adds %d and %d in dimension %d", low[d], high[d], d)
		}
		shape[d] = low[d] + a.shape[d] + high[d]
	}
	to, err := newArray(m, shape)
	if err != nil {
		return err
	}
	k, from := 0, make([]int64, len(shape))
	err = each(shape, func(index []int64) error {
		ys, err := m.Run(o.Regions[0], indexVals(index))
		if err != nil {
			return err
		}
		to.elems[k] = ys[0]
		for d := range index {
			from[d] = index[d] - low[d]
		}
		if i, err := a.offset(from); err == nil {
			to.elems[k] = a.elems[i]
		}
		k++
		return nil
	})
	to.give(o, out)
	return err
}

func runConcat(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	dim := int(o.G.Ctx.AttrInfo(o.G.Attr(o.V, "dim")).Int)
	inputs := make([]array, len(args))
	var shape []int64
	for i := range args {
		a, err := at(o, args, i)
		if err != nil {
			return err
		}
		if inputs[i] = a; i == 0 {
			shape = slices.Clone(a.shape)
			continue
		}
		for d, n := range a.shape {
			if d == dim {
				shape[d] += n
			} else if n != shape[d] {
				return ir.Trapf("tensors that are joined are %d and %d long in dimension %d", shape[d], n, d)
			}
		}
	}
	to, err := newArray(m, shape)
	if err != nil {
		return err
	}
	start := int64(0)
	for _, a := range inputs {
		k := 0
		err := each(a.shape, func(index []int64) error {
			there := slices.Clone(index)
			there[dim] += start
			at, err := to.offset(there)
			if err == nil {
				to.elems[at] = a.elems[k]
				k++
			}
			return err
		})
		if err != nil {
			return err
		}
		start += a.shape[dim]
	}
	to.give(o, out)
	return nil
}
