package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// The PTX of products, by registers and by tensor cores, computes what the ops mean; with operands that lie as they like
// and extents that no tile divides.
func TestProductsOnDevices(t *testing.T) {
	onDevices(t, Options{}, func(t *testing.T, e Engine, _ *cudatest.Driver) {
		for _, c := range []struct {
			spec, a, b, c string
		}{
			{"ik,kj->ij", "40x24xf32", "24x36xf32", "40x36xf32"},
			{"ki,jk->ij", "12x70xf32", "5x12xf32", "70x5xf32"},
			{"bik,bkj->bij", "2x33x8xf64", "2x8x66xf64", "2x33x66xf64"},
			{"ik,kj->ij", "136x40xf16", "40x16xf16", "136x16xf32"},
			{"ki,jk->ij", "72x16xf16", "24x72xf16", "16x24xf32"},
			{"ik,jk->ij", "24x64xbf16", "8x64xbf16", "24x8xf32"},
		} {
			A, B, C := "tensor<"+c.a+">", "tensor<"+c.b+">", "tensor<"+c.c+">"
			g := parse(t, fmt.Sprintf("func.func @main(%%a: %s, %%b: %s) -> %s {\n  %%c = ten.einsum \"%s\" %%a, %%b : %[1]s, %[2]s -> %[3]s\n  return %%c : %[3]s\n}", A, B, C, c.spec))
			p, err := pass.Parse("tensor-to-device", lowering.AllPasses())
			if err != nil {
				t.Fatal(err)
			}
			low, err := (&pass.Manager{}).Run(t.Context(), g, p)
			if err != nil {
				t.Fatal(err)
			}
			results := make([]string, 2)
			for i, x := range []struct {
				e Engine
				g *ir.Graph
			}{{eval(t), g}, {e, low}} {
				down, err := lowering.Compile(t.Context(), x.g, x.e.Target())
				if err != nil {
					t.Fatal(err)
				}
				prepared, err := x.e.Prepare(t.Context(), down)
				if err != nil {
					t.Fatal(err)
				}
				results[i] = callProduct(t, g.Ctx, prepared[0])
			}
			if results[0] != results[1] {
				t.Errorf("%s of %s and %s:\ngot  %s\nwant %s", c.spec, c.a, c.b, results[1], results[0])
			}
		}
	})
}

// callProduct calls main with small whole numbers, of which all sums are exact.
func callProduct(t *testing.T, c *ir.Context, p Program) string {
	t.Helper()
	in, out, err := p.Signature("main")
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	var args []ir.Val
	for _, typ := range in {
		info := c.Info(typ)
		strides, n, _ := strided.RowMajor(info.Shape)
		b := interp.NewBuffer(c, info.Elem, int(n), false)
		b.Static = true
		for i := range int(n) {
			b.Store(i, ir.FloatVal(float64(rnd.IntN(9)-4), info.Elem))
		}
		args = append(args, (&interp.MemRef{Buf: b, Sizes: info.Shape, Strides: strides}).Val())
	}
	got, _, err := p.Call(t.Context(), "main", args)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(interp.FormatVal(c, got[0], out[0]), "-0.0", "0.0")
}
