package keyed_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// A key that is poison ends no program: where a guard does not hold, nothing comes of the comparison.
func TestKeyThatMayBePoison(t *testing.T) {
	const src = `func.func @f(%n: index, %w: index, %doc: memref<?xi32>, %c: memref<?xi64>) {
  poly.system (%n = "N", %w = "W") context "[N, W] -> { : N >= 0 and W >= 0 }" {
    %D = poly.bind %doc as input "D" in "[W] -> { D[i] : 0 <= i < W }" : memref<?xi32>
    %C = poly.bind %c as output "C" in "[N] -> { C[i] : 0 <= i < N }" : memref<?xi64>
    poly.statement "S" over "[N, W] -> { S[d, w] : 0 <= d < N and 0 <= w < W }" add %C at "{ S[d, w] -> C[d] }" reading %D at "{ S[d, w] -> D[w] }" do (%d: index, %w_: index, %x: i32) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %five = arith.constant 5 : i32
      %seven = arith.constant 7 : i32
      %most = arith.constant 2147483640 : i32
      %y = arith.index_cast %d : index to i32
      %sum = arith.addi %x, %most overflow<nsw> : i32
      %key = arith.andi %sum, %seven : i32
      %small = arith.cmpi sle, %x, %five : i32
      %same = arith.cmpi eq, %key, %y : i32
      %counted = arith.select %same, VALUE, %zero : i64
      %v = arith.select %small, %counted, %zero : i64
      poly.yield %v : i64
    }
  }
  return
}
`
	const args = `[4, 6, [0, 3, 100, 1, 9, 3], [0, 0, 0, 0]]`
	for _, value := range []string{"%one", "%z"} {
		prog := strings.Replace(src, "VALUE", value, 1)
		prog = strings.Replace(prog, "      %same =", "      %z = arith.index_cast %d : index to i64\n      %same =", 1)
		g := built.Parse(t, prog, text.Options{})
		want := built.After(t, g, "f", args)
		h := built.Through(t, g, "poly-key")
		if keyedIn(h) != 1 {
			t.Fatalf("%s: no computed index in %s", value, text.String(h, text.PrintOptions{}))
		}
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, built.Through(t, h, q), "f", args); got != want {
				t.Errorf("%s, %s: got %s, want %s", value, q, got, want)
			}
		}
	}
}

// Data that is poison makes sums poison, in each form that a reduction takes: it ends no program.
func TestDataThatIsPoison(t *testing.T) {
	const src = `func.func @f(%n: index, %w: index, %doc: memref<?xi32>, %c: memref<?xi64>, %x: memref<?xi64>) {
  %poison = ub.poison : i32
  %one = arith.constant 1 : index
  memref.store %poison, %doc[%one] : memref<?xi32>
  poly.system (%n = "N", %w = "W") context "[N, W] -> { : N >= 0 and W >= 2 }" {
    %D = poly.bind %doc as input "D" in "[W] -> { D[i] : 0 <= i < W }" : memref<?xi32>
    %C = poly.bind %c as output "C" in "[N] -> { C[i] : 0 <= i < N }" : memref<?xi64>
    %X = poly.bind %x as output "X" in "[W] -> { X[i] : 0 <= i < W }" : memref<?xi64>
    poly.statement "S" over "[N, W] -> { S[d, w] : 0 <= d < N and 0 <= w < W }" add %C at "{ S[d, w] -> C[d] }" reading %D at "{ S[d, w] -> D[w] }" do (%d: index, %w_: index, %a: i32) {
      %y = arith.index_cast %d : index to i32
      %same = arith.cmpi eq, %a, %y : i32
      %v = arith.extui %same : i1 to i64
      poly.yield %v : i64
    }
    poly.statement "R" over "[W] -> { R[i, j] : 0 <= i < W and 0 <= j < i }" add %X at "{ R[i, j] -> X[i] }" reading %D at "{ R[i, j] -> D[i] }", %D at "{ R[i, j] -> D[j] }" do (%i: index, %j: index, %a: i32, %b: i32) {
      %same = arith.cmpi eq, %a, %b : i32
      %v = arith.extui %same : i1 to i64
      poly.yield %v : i64
    }
  }
  return
}
`
	const args = `[4, 4, [0, 3, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]`
	g := built.Parse(t, src, text.Options{})
	if want := built.After(t, g, "f", args); !strings.HasPrefix(want, "[") {
		t.Fatal(want)
	}
	for _, group := range []string{"auto", "always", "never"} {
		h := built.Through(t, g, "poly-key{group="+group+"}")
		if keyedIn(h) != 2 {
			t.Fatalf("%s: no computed indices in %s", group, text.String(h, text.PrintOptions{}))
		}
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, built.Through(t, h, q), "f", args); !strings.HasPrefix(got, "[") {
				t.Errorf("%s, %s: %s", group, q, got)
			}
		}
	}
}
