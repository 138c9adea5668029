package tensors

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// The rules of MLIR's verifiers for ops that are text only.

// checkIndexed checks the dimensions by which elements of a tensor are found, and that parts is what is found at indices.
func checkIndexed(c *ir.Call, name string, whole, indices ir.Value, parts ir.Type) error {
	w, at := c.Ctx().Info(c.Graph().Type(whole)), c.Ctx().Info(c.Graph().Type(indices))
	if w.Kind != ir.KindTensor || at.Kind != ir.KindTensor || w.Unranked || at.Unranked {
		return c.Errorf("takes tensors whose ranks are known")
	}
	dims, rank := c.Ctx().Ints(c.Get(name)), len(w.Shape)
	last := len(at.Shape) - 1
	switch {
	case len(dims) == 0:
		return c.Errorf("%s must be non-empty", name)
	case len(dims) > rank:
		return c.Errorf("%s has %d dimensions of a tensor of rank %d", name, len(dims), rank)
	case last < 0 || at.Shape[last] != int64(len(dims)):
		return c.Errorf("%s has %d dimensions, and the last dimension of the indices is another number", name, len(dims))
	}
	for i, d := range dims {
		if d < 0 || d >= int64(rank) || i > 0 && d <= dims[i-1] {
			return c.Errorf("%s must be dimensions of a tensor of rank %d, strictly increasing, not %v", name, rank, dims)
		}
	}
	full, less := slices.Clone(at.Shape[:last]), slices.Clone(at.Shape[:last])
	for d, n := range w.Shape {
		if slices.Contains(dims, int64(d)) {
			full = append(full, 1)
		} else {
			full, less = append(full, n), append(less, n)
		}
	}
	info := c.Ctx().Info(parts)
	if info.Kind != ir.KindTensor || info.Elem != w.Elem || !slices.Equal(info.Shape, full) && !slices.Equal(info.Shape, less) {
		return c.Errorf("has parts of type %s, or with fewer dimensions %s, not %s", quote(c, c.Ctx().Tensor(full, w.Elem)),
			quote(c, c.Ctx().Tensor(less, w.Elem)), quote(c, parts))
	}
	return nil
}

func checkGather(c *ir.Call, args [][]ir.Value) error {
	return checkIndexed(c, "gather_dims", args[0][0], args[1][0], c.Type)
}

func checkScatter(c *ir.Call, args [][]ir.Value) error {
	if c.Get("unique") == 0 {
		return c.Errorf("requires 'unique' attribute to be set")
	}
	return checkIndexed(c, "scatter_dims", args[1][0], args[2][0], c.Graph().Type(args[0][0]))
}

// A tiling is how a tensor is packed.
type tiling struct {
	c             *ir.Call
	plain, packed *ir.TypeInfo
	dims, perm    []int64 // which dimensions are in tiles; the order of the outer ones
	static        []int64 // sizes of tiles
	tiles         []ir.Bound
}

func newTiling(c *ir.Call, plain, packed ir.Value, open []ir.Value) *tiling {
	x := c.Ctx()
	t := &tiling{c: c, plain: x.Info(c.Graph().Type(plain)), packed: x.Info(c.Graph().Type(packed)),
		dims: x.Ints(c.Get("inner_dims_pos")), static: x.Ints(c.Get("static_inner_tiles"))}
	if a := c.Get("outer_dims_perm"); a != 0 {
		t.perm = x.Ints(a)
	}
	t.tiles = ir.MixedBounds(t.static, open)
	return t
}

// some reports dimensions of a rank of which none is there twice.
func some(dims []int64, rank int) bool {
	for i, d := range dims {
		if d < 0 || d >= int64(rank) || slices.Contains(dims[:i], d) {
			return false
		}
	}
	return true
}

func (t *tiling) check() error {
	c, rank := t.c, len(t.plain.Shape)
	switch {
	case t.plain.Kind != ir.KindTensor || t.packed.Kind != ir.KindTensor || t.plain.Unranked || t.packed.Unranked:
		return c.Errorf("takes tensors whose ranks are known")
	case slices.Contains(t.tiles, ir.Bound{}):
		return c.Errorf("invalid zero tile factor")
	case !some(t.dims, rank):
		return c.Errorf("invalid inner_dims_pos vector")
	case !some(t.perm, rank) || len(t.perm) > 0 && len(t.perm) != rank:
		return c.Errorf("outer_dims_perm must be a permutation of %d dimensions or empty", rank)
	case len(t.tiles) != len(t.dims):
		return c.Errorf("tiling factors must equal the number of dimensions to tile")
	case len(t.packed.Shape) != rank+len(t.tiles):
		return c.Errorf("expects a packed tensor of rank %d, the unpacked rank and the number of tiling factors, not %d", rank+len(t.tiles), len(t.packed.Shape))
	}
	for d, n := range t.shape() {
		if got := t.packed.Shape[d]; n != ir.Dynamic && got != ir.Dynamic && n > got {
			return c.Errorf("dimension %d of the packed tensor is %d, and must be at least %d", d, got, n)
		}
	}
	for i, n := range t.packed.Shape[rank:] {
		b := t.tiles[i]
		if b.Value != 0 { // it may become a constant later: then nothing else is asked of it than before
			if v, ok := c.Graph().Const(b.Value); ok && v.Ref == nil {
				b = ir.Bound{Const: int64(v.Bits)}
			}
		}
		if n != ir.Dynamic && (b.Value != 0 || b.Const != n) {
			return c.Errorf("dimension %d of the packed tensor is %d, which the size of tiles is not", rank+i, n)
		}
	}
	return nil
}

// shape is that of a packed tensor which is not larger than it need be.
func (t *tiling) shape() []int64 {
	outer := slices.Clone(t.plain.Shape)
	for i, d := range t.dims {
		switch tile := t.static[i]; {
		case outer[d] == ir.Dynamic:
		case tile <= 0:
			outer[d] = ir.Dynamic
		default:
			outer[d] = (outer[d] + tile - 1) / tile
		}
	}
	if len(t.perm) > 0 {
		old := slices.Clone(outer)
		for i, d := range t.perm {
			outer[i] = old[d]
		}
	}
	return append(outer, t.static...)
}

// checkPack checks the padding, too: without, all tiles are full as far as their sizes are known.
func checkPack(c *ir.Call, args [][]ir.Value) error {
	t := newTiling(c, args[0][0], args[1][0], args[3])
	if err := t.check(); err != nil {
		return err
	}
	if pad := args[2]; len(pad) > 0 {
		if p := c.Graph().Type(pad[0]); p != t.plain.Elem {
			return c.Errorf("has elements of %s, and pads with %s", quote(c, t.plain.Elem), quote(c, p))
		}
		return nil
	}
	outer := slices.Clone(t.packed.Shape[:len(t.plain.Shape)])
	for i, d := range t.perm {
		outer[d] = t.packed.Shape[i]
	}
	for i, d := range t.dims {
		n, by := t.plain.Shape[d], t.tiles[i].Const
		if t.tiles[i].Value != 0 {
			by = outer[d]
		}
		if n != ir.Dynamic && by != ir.Dynamic && by > 0 && n%by != 0 {
			return c.Errorf("dimension %d is %d, which are no full tiles: that needs a padding_value", d, n)
		}
	}
	return nil
}
