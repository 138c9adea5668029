package derivatives

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// A network is a loss over tensors, by what the body of a function holds between reading the arguments and the sum of %q.
type network struct {
	name   string
	shapes [][]int64 // of the arguments %m0, ..., whose tensors are %t0, ...
	body   string
	of     string // the type of %q
}

var networks = []network{
	{"dense", [][]int64{{4, 3}, {3, 2}, {4, 2}}, `
  %h = ten.einsum "ij,jk->ik" %t0, %t1 : tensor<4x3xf64>, tensor<3x2xf64> -> tensor<4x2xf64>
  %r = ten.relu %h above 0.0 : f64 : tensor<4x2xf64>
  %d = arith.subf %r, %t2 : tensor<4x2xf64>
  %q = arith.mulf %d, %d : tensor<4x2xf64>`, "4x2"},
	{"attention", [][]int64{{3, 2}, {3, 2}, {3, 2}}, `
  %s = ten.einsum "id,jd->ij" %t0, %t1 : tensor<3x2xf64>, tensor<3x2xf64> -> tensor<3x3xf64>
  %p = ten.softmax %s along 1 : tensor<3x3xf64>
  %o = ten.einsum "ij,jd->id" %p, %t2 : tensor<3x3xf64>, tensor<3x2xf64> -> tensor<3x2xf64>
  %q = math.tanh %o : tensor<3x2xf64>`, "3x2"},
	{"norm", [][]int64{{3, 4}, {4}, {4}}, `
  %n = ten.layer_norm %t0 scale %t1 bias %t2 epsilon 1.0e-5 : f64 : tensor<3x4xf64>, tensor<4xf64>, tensor<4xf64>
  %q = ten.gelu exact %n : tensor<3x4xf64>`, "3x4"},
	{"convolution", [][]int64{{1, 2, 5, 5}, {3, 2, 3, 3}}, `
  %c = ten.conv %t0 by %t1 low [1, 1] high [1, 1] strides [2, 2] dilations [1, 1] groups 1 : tensor<1x2x5x5xf64>, tensor<3x2x3x3xf64> -> tensor<1x3x3x3xf64>
  %q = math.sin %c : tensor<1x3x3x3xf64>`, "1x3x3x3"},
	{"shapes", [][]int64{{2, 3}, {2, 3}}, `
  %j = ten.concat %t0, %t1 along 0 : tensor<2x3xf64>, tensor<2x3xf64>
  %x = ten.transpose %j [1, 0] : tensor<4x3xf64>
  %m = ten.reduce max %x along [1] : tensor<3x4xf64>
  %l = ten.logsumexp %x along 0 : tensor<3x4xf64>
  %a = ten.einsum "i,j->ij" %m, %l : tensor<3xf64>, tensor<4xf64> -> tensor<3x4xf64>
  %q = math.sin %a : tensor<3x4xf64>`, "3x4"},
}

func typeOf(shape []int64, what string) string {
	return what + "<" + strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", "x"), "[]") + "xf64>"
}

// Derivatives of networks by their arguments, lowered to loops first, are those by differences.
func TestNetworks(t *testing.T) {
	for _, n := range networks {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			g := n.program(t)
			p, err := pass.Parse("lower{to=affine},lower-affine,lower{to=scf},differentiate{of=f}", lowering.AllPasses())
			if err != nil {
				t.Fatal(err)
			}
			for _, of := range []*target.Target{target.Interp(), target.Host()} { // loops, and vectors
				d, err := (&pass.Manager{VerifyEach: true, Target: of}).Run(context.Background(), g, p)
				if err != nil {
					t.Fatal(err)
				}
				compareNetwork(t, machine(t, d), n.shapes)
			}
		})
	}
}

// program is a network as a function @f of memory.
func (n network) program(t *testing.T) *ir.Graph {
	t.Helper()
	var args []string
	var body strings.Builder
	for i, s := range n.shapes {
		args = append(args, fmt.Sprintf("%%m%d: %s", i, typeOf(s, "memref")))
		fmt.Fprintf(&body, "  %%t%d = ten.pack %%m%d : %s\n", i, i, typeOf(s, "memref"))
	}
	src := "module {\nfunc.func @f(" + strings.Join(args, ", ") + ") -> f64 {\n" + body.String() + n.body + "\n" +
		"  %w = ten.einsum \"" + "abcd"[:1+strings.Count(n.of, "x")] + "->\" %q : tensor<" + n.of + "xf64> -> tensor<f64>\n" +
		"  %y = ten.extract %w[] : tensor<f64>\n  return %y : f64\n}\n}\n"
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("n.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

func compareNetwork(t *testing.T, m *interp.Machine, shapes [][]int64) {
	r := rand.New(rand.NewPCG(5, 6))
	var args, shadows []ir.Val
	var data, slopes [][]float64
	for _, s := range shapes {
		n := int64(1)
		for _, k := range s {
			n *= k
		}
		for _, to := range []*[]ir.Val{&args, &shadows} {
			buf := interp.Floats(make([]float64, n))
			x := &interp.MemRef{Buf: buf, Sizes: s, Strides: make([]int64, len(s))}
			for i, stride := len(s)-1, int64(1); i >= 0; i-- {
				x.Strides[i] = stride
				stride *= s[i]
			}
			*to = append(*to, x.Val())
			if to == &args {
				data = append(data, buf.Floats())
			} else {
				slopes = append(slopes, buf.Floats())
			}
		}
		for i := range data[len(data)-1] {
			data[len(data)-1][i] = r.Float64()*2 - 1
		}
	}
	value := func() float64 {
		out, err := m.Call("f", args)
		if err != nil {
			t.Fatal(err)
		}
		return out[0].F64()
	}
	if _, err := m.Call("f_grad", append(append(append([]ir.Val(nil), args...), ir.F64Val(1)), shadows...)); err != nil {
		t.Fatal(err)
	}
	for i, x := range data {
		for k := range x {
			old, by := x[k], func(h float64) float64 {
				before := x[k]
				x[k] = before + h
				high := value()
				x[k] = before - h
				low := value()
				x[k] = before
				return (high - low) / (2 * h)
			}
			want := (4*by(1e-4) - by(2e-4)) / 3
			if x[k] = old; math.Abs(slopes[i][k]-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("by element %d of argument %d: %v, by differences %v", k, i, slopes[i][k], want)
			}
		}
	}
}
