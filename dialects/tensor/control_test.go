package tensor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// relu is a map of one tensor of 2 by 2, whose elements above a number stay.
func relu(to, of string, above int) string {
	return fmt.Sprintf("%s = ten.relu %s above %d.0 : f64 : tensor<2x2xf64>\n", to, of, above)
}

// shifted is a map that adds a number to each element.
func shifted(to, of string) string {
	return to + " = ten.map (%e = " + of + " : tensor<2x2xf64>) -> tensor<2x2xf64> {\n%0 = arith.addf %e, %s : f64\nten.yield %0 : f64\n}\n"
}

const (
	product = `%p = ten.einsum "ij,jk->ik" %a, %b : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>` + "\n"
	result  = " : tensor<2x2xf64>\n"
)

// either is an if that yields the one or the other, after some ops each.
func either(to, then, a, els, b string) string {
	return to + " = scf.if %t -> tensor<2x2xf64> {\n" + then + "scf.yield " + a + result + "} else {\n" + els + "scf.yield " + b + result + "}\n"
}

// rounds is a loop that carries %h, which is %a first.
func rounds(body, yield string) string {
	return "%l = scf.for %i = %c0 to %n step %c1 iter_args(%h = %a) -> (tensor<2x2xf64>) {\n" + body + "scf.yield " + yield + result + "}\n"
}

var controlled = []struct{ why, body, has, hasNot string }{
	{"the same map in both branches is one behind the product", product + either("%r", relu("%x", "%p", 1), "%x", relu("%y", "%p", 1), "%y"), "ten.einsum|ten.map", "scf.if"},
	{"a map in one branch picks by the condition", product + either("%r", relu("%x", "%p", 1), "%x", "", "%p"), "ten.einsum|ten.map|cmpf|select|select", "scf.if"},
	{"and so do different ones", product + either("%r", relu("%x", "%p", 1), "%x", relu("%y", "%p", 2), "%y"), "ten.einsum|ten.map|cmpf|cmpf|select", "scf.if"},
	{"by a number that a branch computes", product + either("%r", "%f = arith.addf %s, %s : f64\n%k = ten.fill %f"+result+"%x = arith.addf %p, %k"+result, "%x", "", "%p"), "ten.einsum|addf|ten.map|addf|select", "scf.if"},
	{"of maps of maps, and a tensor from outside", product + either("%r", relu("%x", "%p", 1)+"%y = arith.subf %x, %b"+result, "%y", "%z = arith.addf %p, %b"+result, "%z"), "ten.einsum|ten.map|subf|addf|select", "scf.if"},
	{"but not where the product is read elsewhere", product + either("%q", relu("%x", "%p", 1), "%x", "", "%p") + "%z = ten.softmax %p along 0" + result + "%r = arith.addf %q, %z" + result, "scf.if|ten.map", ""},
	{"nor what a branch sums up", product + either("%r", `%q = ten.einsum "ij,jk->ki" %a, %b : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>`+"\n%x = arith.addf %p, %q"+result, "%x", relu("%y", "%p", 0), "%y"), "scf.if|ten.einsum", ""},
	{"nor without a product", either("%r", relu("%x", "%a", 1), "%x", "", "%a"), "scf.if|ten.map", ""},
	{"nor what takes long", product + either("%r", "%x = math.exp %p"+result, "%x", "", "%p"), "scf.if|math.exp", ""},
	{"a product in one branch alone is there", product + either("%r", relu("%x", "%p", 1), "%x", "", "%a"), "scf.if|ten.einsum|ten.map", ""},
	{"a map behind an if is in its branches", either("%q", product, "%p", `%p2 = ten.einsum "ij,kj->ik" %a, %b : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>`+"\n", "%p2") + relu("%r", "%q", 0), "scf.if|ten.einsum|ten.map|else|ten.einsum|ten.map|return", ""},
	{"with its other operands", either("%q", product, "%p", "", "%a") + "%r = ten.map (%e = %b : tensor<2x2xf64>, %f = %q : tensor<2x2xf64>) -> tensor<2x2xf64> {\n%0 = arith.subf %e, %f : f64\nten.yield %0 : f64\n}\n", "scf.if|ten.einsum|ten.map|else|ten.map|return", ""},
	{"a sum behind it too", either("%q", relu("%x", "%a", 1), "%x", relu("%y", "%b", 2), "%y") + `%z = ten.einsum "ij->i" %q : tensor<2x2xf64> -> tensor<2xf64>` + "\n%r = ten.map (%e = %b : tensor<2x2xf64>, %f = %z : tensor<2xf64>) -> tensor<2x2xf64> {\n%0 = arith.subf %e, %f : f64\nten.yield %0 : f64\n}\n", "scf.if|ten.map|ten.einsum|else|ten.map|ten.einsum|}", ""},
	{"and the greatest", either("%q", relu("%x", "%a", 1), "%x", relu("%y", "%b", 2), "%y") + "%z = ten.reduce max %q along [0]" + result + "%r = ten.map (%e = %b : tensor<2x2xf64>, %f = %z : tensor<2xf64>) -> tensor<2x2xf64> {\n%0 = arith.subf %e, %f : f64\nten.yield %0 : f64\n}\n", "scf.if|ten.map|ten.reduce|else|ten.map|ten.reduce|}", ""},
	{"but not where someone else reads the result", either("%q", product, "%p", "", "%a") + relu("%x", "%q", 0) + "%r = ten.einsum \"ij,jk->ik\" %x, %q : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>\n", "else|}|ten.map", ""},
	{"what is done to a product in the next round is done in this one", rounds(relu("%x", "%h", 1)+`%y = ten.einsum "ij,jk->ik" %x, %b : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>`+"\n", "%y") + relu("%r", "%l", 1), "ten.map|scf.for|ten.einsum|ten.map|scf.yield|return", ""},
	{"which another map reads, and does not do again", rounds(shifted("%x", "%h")+`%y = ten.einsum "ij,jk->ik" %x, %b : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>`+"\n", "%y") + shifted("%z", "%l") + "%r = ten.map (%e = %z : tensor<2x2xf64>) -> tensor<2x2xf64> {\n%0 = arith.mulf %e, %e : f64\nten.yield %0 : f64\n}\n", "ten.map|scf.for|ten.einsum|ten.map|scf.yield|ten.map|return", ""},
	{"but not where what is behind the loop is another map", rounds(relu("%x", "%h", 1)+`%y = ten.einsum "ij,jk->ik" %x, %b : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>`+"\n", "%y") + relu("%r", "%l", 2), "scf.for|ten.map|ten.einsum|scf.yield|ten.map|return", ""},
	{"nor none", rounds(relu("%x", "%h", 1)+`%y = ten.einsum "ij,jk->ik" %x, %b : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>`+"\n", "%y") + "%r = arith.addf %l, %l" + result, "scf.for|ten.map|ten.einsum|scf.yield", ""},
	{"nor a map of what changes", `%l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %a, %g = %b) -> (tensor<2x2xf64>, tensor<2x2xf64>) {
  %x = ten.map (%e = %h : tensor<2x2xf64>, %f = %g : tensor<2x2xf64>) -> tensor<2x2xf64> {
    %0 = arith.addf %e, %f : f64
    ten.yield %0 : f64
  }
  %y = ten.einsum "ij,jk->ik" %x, %b : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>
  scf.yield %y, %x : tensor<2x2xf64>, tensor<2x2xf64>
}
%r = ten.map (%e = %l#0 : tensor<2x2xf64>, %f = %b : tensor<2x2xf64>) -> tensor<2x2xf64> {
  %0 = arith.addf %e, %f : f64
  ten.yield %0 : f64
}
`, "scf.for|arith.addf|ten.einsum|scf.yield", ""},
	{"open extents are those of the product", `%c2 = arith.constant 2 : index
%u = ten.reshape %a[%c2, %c2] : tensor<2x2xf64> -> tensor<?x?xf64>
%p = ten.einsum "ij,jk->ik" %u, %u : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
%q = scf.if %t -> tensor<?x?xf64> {
  %x = ten.relu %p above 1.0 : f64 : tensor<?x?xf64>
  scf.yield %x : tensor<?x?xf64>
} else {
  scf.yield %p : tensor<?x?xf64>
}
%r = ten.reshape %q : tensor<?x?xf64> -> tensor<2x2xf64>
`, "ten.einsum|ten.map|select|select", "scf.if"},
}

// Rules across conditionals and loops fire where they should, and what is left gives what was written, whichever way it goes.
func TestControlled(t *testing.T) {
	for _, x := range controlled {
		src := "func.func @f(%a: tensor<2x2xf64>, %b: tensor<2x2xf64>, %s: f64, %t: i1, %n: index) -> tensor<2x2xf64> {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n" +
			x.body + "return %r : tensor<2x2xf64>\n}\n"
		g := simplified(t, ir.Settle(built.Parse(t, src, text.Options{})))
		left := print(g, false)
		for _, args := range []string{"1, 3]", "0, 0]", "1, 1]"} {
			args = "[[[1, 2], [-1, 3]], [[2, -1], [1, 1]], 3, " + args
			want, err := built.Interpret(built.Parse(t, src, text.Options{Verbatim: true}), "f", args, interp.Options{})
			if err != nil {
				t.Fatal(x.why, err)
			}
			if got, err := built.Interpret(g, "f", args, interp.Options{}); err != nil || got != want {
				t.Errorf("%s: gives %s, %v, not %s:\n%s", x.why, got, err, want, left)
			}
		}
		rest := left
		for _, part := range strings.Split(x.has, "|") {
			_, after, ok := strings.Cut(rest, part)
			if rest = after; !ok {
				t.Errorf("%s: %q is not where it should be in\n%s", x.why, part, left)
				break
			}
		}
		if strings.Count(left, "scf.if") > 1 {
			t.Errorf("%s: the conditional is there twice in\n%s", x.why, left)
		}
		if x.hasNot != "" && strings.Contains(left, x.hasNot) {
			t.Errorf("%s: %q is left in\n%s", x.why, x.hasNot, left)
		}
	}
}
