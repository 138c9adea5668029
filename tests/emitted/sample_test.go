package emitted

import (
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// sample is a call of a program of equations: each parameter is 3 or some more, integers are
// 0 and 1, so that they are indices of all, and floats between 0 and 1.
func sample(t *testing.T, ctx *ir.Context, g *ir.Graph, in equations.Interface) (call, func() []ir.Val) {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve(in.Name)
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() (args []ir.Val) {
		values := map[string]presburger.Int{}
		for i, name := range in.Params {
			n := int64(3 + i)
			values[name] = presburger.NewInt(n)
			args = append(args, ir.IntVal(n, 64))
		}
		for _, a := range in.Arrays {
			sizes, err := poly.Sizes(a.Extent, values)
			if err != nil {
				t.Fatal(err)
			}
			strides, n, _ := strided.RowMajor(sizes)
			buf := interp.NewBuffer(ctx, a.Type, int(n), false)
			for i := range buf.Len() {
				if ctx.IsFloat(a.Type) {
					buf.Store(i, ir.FloatVal(float64(i*7%11+1)/13, a.Type))
				} else {
					buf.Store(i, ir.IntVal(int64(i%2), ctx.Info(a.Type).Width))
				}
			}
			buf.Static = true
			args = append(args, ir.Val{Ref: &interp.MemRef{Buf: buf, Sizes: sizes, Strides: strides}})
		}
		return args
	}
	return call{in.Name, f.Params, f.Results, nil}, fresh
}
