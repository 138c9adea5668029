package memref

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
)

func runSame(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	out[0] = args[0]
	return nil
}

// parts evaluates offsets, sizes and strides: the static ones, and from args
// those that are not.
func parts(o *interp.Op, args []ir.Val) (out [3][]int64, err error) {
	rest := args
	for i, name := range offsetSizesStrides[1:] {
		out[i] = slices.Clone(o.G.Ctx.Ints(o.Call.Get(name)))
		for k, n := range out[i] {
			if n != ir.Dynamic {
				continue
			}
			if out[i][k], err = interp.Index(rest[0]); err != nil {
				return out, err
			}
			rest = rest[1:]
		}
	}
	return out, nil
}

func runReinterpretCast(_ *interp.Machine, o *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	p, err := parts(o, args[1:])
	if err != nil {
		return err
	}
	for i, n := range p[1] {
		if n < 0 {
			return ir.Trapf("the size of dimension %d of memref.reinterpret_cast is %d", i, n)
		}
	}
	r := &interp.MemRef{Buf: src.Buf, Offset: p[0][0], Sizes: p[1], Strides: p[2]}
	out[0] = r.Val()
	return made(r)
}

func runSubview(_ *interp.Machine, o *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	p, err := parts(o, args[1:])
	if err != nil {
		return err
	}
	if err := strided.CheckPart(p[0], p[1], p[2], src.Sizes); err != nil {
		return err
	}
	kept, ok := reduced(o.G.Ctx.Ints(o.Call.Get("static_sizes")), o.G.Ctx.Info(o.G.Type(o.V)).Shape)
	if !ok {
		return ir.Trapf("a subview has a rank that does not follow from its sizes")
	}
	r := &interp.MemRef{Buf: src.Buf, Offset: src.Offset}
	for i := range src.Sizes {
		r.Offset += p[0][i] * src.Strides[i]
	}
	for _, i := range kept {
		r.Sizes = append(r.Sizes, p[1][i])
		r.Strides = append(r.Strides, p[2][i]*src.Strides[i])
	}
	out[0] = ir.Val{Ref: r}
	return nil
}

// runView sees bytes as elements of another type. They must be aligned: an access
// that is not has no meaning in LLVM.
func runView(_ *interp.Machine, o *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	info := o.G.Ctx.Info(o.G.Type(o.V))
	shift, err := interp.Index(args[1])
	if err != nil {
		return err
	}
	sizes, err := shape(info.Shape, args[2:])
	if err != nil {
		return err
	}
	for i, n := range sizes {
		if n < 0 {
			return ir.Trapf("the size of dimension %d of memref.view is %d", i, n)
		}
	}
	if _, ok := ir.Product(sizes...); !ok {
		return ir.Trapf("a memref.view of sizes %v is too large", sizes)
	}
	at, ok := ir.Sum(src.Offset, shift)
	if shift < 0 || !ok {
		return ir.Trapf("the shift of memref.view is %d", shift)
	}
	buf, err := src.Buf.View(o.G.Ctx, info.Elem, at)
	if err != nil {
		return err
	}
	r := &interp.MemRef{Buf: buf, Sizes: sizes, Strides: layouts.RowMajor(sizes)}
	out[0] = r.Val()
	return made(r)
}

// shape fills in the dynamic extents.
func shape(static []int64, args []ir.Val) ([]int64, error) {
	out := slices.Clone(static)
	for i, n := range out {
		if n != ir.Dynamic {
			continue
		}
		var err error
		if out[i], err = interp.Index(args[0]); err != nil {
			return nil, err
		}
		args = args[1:]
	}
	return out, nil
}

func runExpandShape(_ *interp.Machine, o *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	sizes, err := shape(o.G.Ctx.Info(o.G.Type(o.V)).Shape, args[1:])
	if err != nil {
		return err
	}
	groups, _, _ := layouts.Groups(o.G.Ctx, o.Call.Get("reassociation"))
	strides := layouts.RowMajor(sizes)
	for i, g := range groups {
		parts := lists.Map(g, func(d int) int64 { return sizes[d] })
		if n, ok := ir.Product(parts...); !ok || n != src.Sizes[i] {
			return ir.Trapf("dimension %d is %d, and is to be expanded to sizes %v", i, src.Sizes[i], parts)
		}
		n := src.Strides[i]
		for j := len(g) - 1; j >= 0; j-- {
			strides[g[j]] = n
			n *= sizes[g[j]] // modulo 2^64, as natively: see MemRef.At
		}
	}
	out[0] = ir.Val{Ref: &interp.MemRef{Buf: src.Buf, Offset: src.Offset, Sizes: sizes, Strides: strides}}
	return nil
}

// runCollapseShape joins dimensions: the stride is that of the innermost one
// that has more than one element.
func runCollapseShape(_ *interp.Machine, o *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	groups, _, _ := layouts.Groups(o.G.Ctx, o.Call.Get("reassociation"))
	r := &interp.MemRef{Buf: src.Buf, Offset: src.Offset}
	for _, g := range groups {
		size, stride := int64(1), int64(1)
		for j := len(g) - 1; j >= 0; j-- {
			if size == 1 {
				stride = src.Strides[g[j]]
			}
			size *= src.Sizes[g[j]]
		}
		r.Sizes, r.Strides = append(r.Sizes, size), append(r.Strides, stride)
	}
	out[0] = ir.Val{Ref: r}
	return nil
}

func runReshape(_ *interp.Machine, _ *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	dims, err := interp.AsMemRef(args[1])
	if err != nil {
		return err
	}
	var sizes []int64
	for i := range dims.Sizes[0] {
		at, err := dims.At([]ir.Val{{Bits: uint64(i)}})
		if err != nil {
			return err
		}
		n, err := interp.Index(dims.Buf.Load(at))
		if err != nil {
			return err
		}
		if n < 0 {
			return ir.Trapf("memref.reshape to size %d", n)
		}
		sizes = append(sizes, n)
	}
	if total, ok := ir.Product(sizes...); !ok || total != src.Len() {
		return ir.Trapf("memref.reshape from sizes %v to sizes %v", src.Sizes, sizes)
	}
	out[0] = ir.Val{Ref: &interp.MemRef{Buf: src.Buf, Offset: src.Offset, Sizes: sizes, Strides: layouts.RowMajor(sizes)}}
	return nil
}

func runTranspose(_ *interp.Machine, o *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	perm, _ := permutationOf(o.G.Ctx, o.Call.Get("permutation"))
	r := &interp.MemRef{Buf: src.Buf, Offset: src.Offset}
	for _, d := range perm {
		r.Sizes, r.Strides = append(r.Sizes, src.Sizes[d]), append(r.Strides, src.Strides[d])
	}
	out[0] = ir.Val{Ref: r}
	return nil
}

func runDim(_ *interp.Machine, _ *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	i, err := interp.Index(args[1])
	if err != nil {
		return err
	}
	if i < 0 || i >= int64(len(src.Sizes)) {
		return ir.Trapf("dimension %d of a memref of rank %d", i, len(src.Sizes))
	}
	out[0] = ir.Val{Bits: uint64(src.Sizes[i])}
	return nil
}

func runRank(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	src, err := interp.AsMemRef(args[0])
	if err == nil {
		out[0] = ir.Val{Bits: uint64(len(src.Sizes))}
	}
	return err
}

func runAddress(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	src, err := interp.AsMemRef(args[0])
	if err == nil {
		out[0] = ir.Val{Bits: src.Buf.Address()}
	}
	return err
}

func runMetadata(_ *interp.Machine, _ *interp.Op, src *interp.MemRef, args, out []ir.Val) error {
	out[0] = ir.Val{Ref: &interp.MemRef{Buf: src.Buf}}
	out[1] = ir.Val{Bits: uint64(src.Offset)}
	for i, n := range append(slices.Clone(src.Sizes), src.Strides...) {
		out[2+i] = ir.Val{Bits: uint64(n)}
	}
	return nil
}

// made traps if a view reaches beyond its memory. To make one of memory that was freed is no access.
func made(r *interp.MemRef) error {
	if r.Buf.Freed {
		return nil
	}
	return r.Check()
}
