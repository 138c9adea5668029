package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/text"
)

// npyExt is the extension of files with an array.
const npyExt = ".npy"

// fileArgument makes an argument of a file: a table, or an array.
func (j *job) fileArgument(t ir.Type, path string) (ir.Val, error) {
	if err := j.s.mayName(path); err != nil {
		return ir.Val{}, err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case npyExt:
	case ".npz":
		return ir.Val{}, fmt.Errorf("%s holds several arrays; save the one that is wanted as %s (numpy.save)", path, npyExt)
	default:
		return j.tableArgument(t, path)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return ir.Val{}, err
	}
	v, err := arrayValue(j.g.Ctx, t, file)
	if err != nil {
		return ir.Val{}, fmt.Errorf("%s %w", path, err)
	}
	return v, nil
}

// arrayValue is the array of a file as a tensor or memory of a type.
func arrayValue(c *ir.Context, t ir.Type, file []byte) (ir.Val, error) {
	a, err := npy.Read(c, file)
	if err != nil {
		return ir.Val{}, err
	}
	info := c.Info(t)
	if info.Kind != ir.KindTensor && (info.Kind != ir.KindMemRef || info.Layout != 0) || info.Unranked {
		return ir.Val{}, fmt.Errorf("is an array, and %s is wanted", text.TypeString(c, t))
	}
	if info.Kind == ir.KindTensor {
		return a.Tensor(c, t)
	}
	if err := a.Fits(c, t); err != nil {
		return ir.Val{}, err
	}
	size := npy.Size(c, a.Elem)
	n := len(a.Data) / size
	b := interp.NewBuffer(c, a.Elem, n, false)
	b.Static = true
	for i := range n {
		b.Store(i, ir.Val{Bits: a.Bits(i, size)})
	}
	strides, _, _ := strided.RowMajor(a.Shape)
	return (&interp.MemRef{Buf: b, Sizes: slices.Clone(a.Shape), Strides: strides}).Val(), nil
}

// npyOf is memory as a file.
func npyOf(c *ir.Context, m *interp.MemRef) []byte {
	elem := m.Buf.Elem
	a := &npy.Array{Elem: elem, Shape: m.Sizes}
	n := 1
	for _, s := range m.Sizes {
		n = ir.Times(n, int(s))
	}
	for i := range n {
		a.Data = ir.AppendElem(a.Data, m.Buf.Load(i).Bits, npy.Size(c, elem))
	}
	return npy.Write(a)
}
