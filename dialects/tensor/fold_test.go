package tensor_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"

	"github.com/irc-lang/irc/ir/text"
)

// rules lists bodies of functions of %a: tensor<2x3xf64>, %b: tensor<3x3xf64>, %d: tensor<?x3xf64>, and what is left of them.
var rules = []struct{ body, left string }{
	{`%0 = ten.transpose %a [1, 0] : tensor<2x3xf64>
%r = ten.transpose %0 [1, 0] : tensor<3x2xf64>`, ``},
	{`%r = ten.transpose %a [0, 1] : tensor<2x3xf64>`, ``},
	{`%0 = ten.reshape %a : tensor<2x3xf64> -> tensor<6xf64>
%r = ten.reshape %0 : tensor<6xf64> -> tensor<3x2xf64>`, `ten.reshape %arg0 : tensor<2x3xf64> -> tensor<3x2xf64>`},
	{`%r = ten.reshape %a : tensor<2x3xf64> -> tensor<2x3xf64>`, ``},
	{`%r = ten.reduce add %a along [0] : tensor<2x3xf64>`, `ten.einsum "ij->j" %arg0 : tensor<2x3xf64> -> tensor<3xf64>`},
	{`%r = ten.reduce max %a along [] : tensor<2x3xf64>`, ``},
	{`%0 = ten.transpose %a [1, 0] : tensor<2x3xf64>
%r = ten.einsum "ji,ik->jk" %0, %a : tensor<3x2xf64>, tensor<2x3xf64> -> tensor<3x3xf64>`, `ten.einsum "ij,ik->jk" %arg0, %arg0 : tensor<2x3xf64>, tensor<2x3xf64> -> tensor<3x3xf64>`},
	{`%i = arith.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
%r = ten.einsum "ij,jk->ik" %i, %b : tensor<3x3xf64>, tensor<3x3xf64> -> tensor<3x3xf64>`, ``},
	{`%i = arith.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf64>
%0 = ten.einsum "ji,jk->ik" %i, %a : tensor<2x2xf64>, tensor<2x3xf64> -> tensor<2x3xf64>
%r = ten.einsum "ij,jk->ki" %0, %b : tensor<2x3xf64>, tensor<3x3xf64> -> tensor<3x2xf64>`, `ten.einsum "ij,jk->ki" %arg0, %arg1`},
	{`%i = arith.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 1.0]]> : tensor<3x3xf64>
%r = ten.einsum "ij,jk->ik" %i, %b : tensor<3x3xf64>, tensor<3x3xf64> -> tensor<3x3xf64>`, `ten.einsum`},
	{`%i = arith.constant dense<[[2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0]]> : tensor<3x3xf64>
%r = ten.einsum "ij,jk->ik" %i, %b : tensor<3x3xf64>, tensor<3x3xf64> -> tensor<3x3xf64>`, `ten.einsum "i,ij->ij" %cst, %arg1 : tensor<3xf64>`},
	{`%i = arith.constant dense<[[2.0, 0.0], [0.0, 3.0]]> : tensor<2x2xf64>
%r = ten.einsum "ij,ij->ij" %i, %i : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>`, `ten.einsum "ij,ij->ij"`},
	{`%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%0 = ten.slice %b[%c1, %c0] by [1, 2] : tensor<3x3xf64> -> tensor<2x2xf64>
%r = ten.slice %0[%c1, %c1] by [5, 1] : tensor<2x2xf64> -> tensor<1x1xf64>`, `ten.slice %arg1[%c2, %c2] by [1, 1] : tensor<3x3xf64> -> tensor<1x1xf64>`},
	{`%c0 = arith.constant 0 : index
%c2 = arith.constant 2 : index
%0 = ten.slice %b[%c0, %c0] by [1, 2] : tensor<3x3xf64> -> tensor<3x2xf64>
%r = ten.slice %0[%c0, %c2] by [1, 1] : tensor<3x2xf64> -> tensor<3x0xf64>`, `ten.slice %arg1[%c0, %c0] by [1, 1] : tensor<3x3xf64> -> tensor<3x0xf64>`},
	{`%0 = ten.reshape %a : tensor<2x3xf64> -> tensor<1x6xf64>
%r = ten.einsum "...i->...i" %0 : tensor<1x6xf64> -> tensor<1x6xf64>`, `ten.reshape`},
	{`%c0 = arith.constant 0 : index
%r = ten.slice %a[%c0, %c0] by [1, 1] : tensor<2x3xf64> -> tensor<2x3xf64>`, ``},
	{`%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%0 = ten.transpose %a [1, 0] : tensor<2x3xf64>
%1 = ten.slice %0[%c1, %c0] by [1, 1] : tensor<3x2xf64> -> tensor<2x2xf64>
%2 = ten.transpose %1 [1, 0] : tensor<2x2xf64>
%r = ten.slice %2[%c0, %c0] by [1, 1] : tensor<2x2xf64> -> tensor<1x2xf64>`, `ten.slice %arg0[%c0, %c1] by [1, 1] : tensor<2x3xf64> -> tensor<1x2xf64>`},
	{`%0 = ten.reshape %a : tensor<2x3xf64> -> tensor<2x1x3xf64>
%r = ten.einsum "iaj,jk->ik" %0, %b : tensor<2x1x3xf64>, tensor<3x3xf64> -> tensor<2x3xf64>`, `ten.einsum "ij,jk->ik" %arg0, %arg1`},
	{`%0 = ten.einsum "ij->" %a : tensor<2x3xf64> -> tensor<f64>
%r = ten.einsum "xy,->y" %a, %0 : tensor<2x3xf64>, tensor<f64> -> tensor<3xf64>`, `ten.einsum "ij,->j" %arg0`},
	{`%r = ten.einsum "ij->ji" %a : tensor<2x3xf64> -> tensor<3x2xf64>`, `ten.transpose %arg0 [1, 0] : tensor<2x3xf64>`},
	{`%r = ten.map (%x = %d : tensor<?x3xf64>) -> tensor<?x3xf64> { ten.yield %x : f64 }`, ``},
	{`%c = ten.einsum "ij,jk->ik" %a, %b : tensor<2x3xf64>, tensor<3x3xf64> -> tensor<2x3xf64>
%e = ten.einsum "xy,yz->xz" %a, %b : tensor<2x3xf64>, tensor<3x3xf64> -> tensor<2x3xf64>
%r = arith.addf %c, %e : tensor<2x3xf64>`, `ten.einsum`},
}

// A function is left with the one op that is said, or with none.
func TestRules(t *testing.T) {
	for _, x := range rules {
		typ := typeOfResult(t, x.body)
		src := "func.func @f(%a: tensor<2x3xf64>, %b: tensor<3x3xf64>, %d: tensor<?x3xf64>) -> " + typ + " {\n" + x.body + "\nreturn %r : " + typ + "\n}\n"
		got := print(built.Parse(t, src, text.Options{}), false)
		if n := strings.Count(got, "ten."); n > 1+strings.Count(x.body, "-> tensor<f64>") || n == 0 && x.left != "" || !strings.Contains(got, x.left) || n == 1 && x.left == "" {
			t.Errorf("%s\nleaves\n%s\nwant %q", x.body, got, x.left)
		}
	}
}

// typeOfResult is the type of %r, by what verbatim reading of the body says.
func typeOfResult(t *testing.T, body string) string {
	t.Helper()
	src := "func.func @f(%a: tensor<2x3xf64>, %b: tensor<3x3xf64>, %d: tensor<?x3xf64>) {\n" + body + "\nreturn\n}\n"
	g := built.Parse(t, src, text.Options{Verbatim: true})
	lines := strings.Split(strings.TrimSpace(print(g, true)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if at := strings.LastIndex(lines[i], "-> tensor"); at >= 0 {
			return lines[i][at+3:]
		}
	}
	t.Fatal("no result", print(g, true))
	return ""
}
