package loops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// counting adds up memory from a to n: the condition, what is passed, and the next number are to be filled in.
const counting = `func.func @f(%%x: memref<?xi64>, %%n: i64, %%a: i64) -> (i64, i64) {
  %%one = arith.constant 1 : i64
  %%two = arith.constant 2 : i64
  %%zero = arith.constant 0 : i64
  %%r:2 = scf.while (%%i = %%a, %%s = %%zero) : (i64, i64) -> (i64, i64) {
    %s
    scf.condition(%%go) %s : i64, i64
  } do {
  ^bb0(%%s: i64, %%i: i64):
    %%k = arith.index_cast %%i : i64 to index
    %%v = memref.load %%x[%%k] : memref<?xi64>
    %%t = arith.addi %%s, %%v : i64
    %%next = %s
    scf.yield %%next, %%t : i64, i64
  }
  return %%r#0, %%r#1 : i64, i64
}
`

// A while that counts is a for, with the same results for all bounds; what counts otherwise stays as it is.
func TestUpliftWhile(t *testing.T) {
	for _, c := range []struct {
		cond, pass, next string
		is               bool
	}{
		{"%go = arith.cmpi slt, %i, %n : i64", "%s, %i", "arith.addi %i, %one : i64", true},
		{"%go = arith.cmpi sgt, %n, %i : i64", "%s, %i", "arith.addi %one, %i : i64", true},
		{"%go = arith.cmpi sle, %i, %n : i64", "%s, %i", "arith.addi %i, %one : i64", false},
		{"%go = arith.cmpi ult, %i, %n : i64", "%s, %i", "arith.addi %i, %one : i64", false},
		{"%go = arith.cmpi slt, %n, %i : i64", "%s, %i", "arith.subi %i, %one : i64", false},
		{"%go = arith.cmpi slt, %i, %n : i64", "%s, %i", "arith.addi %i, %two : i64", false}, // it may pass the greatest number
		{"%go = arith.cmpi slt, %i, %n : i64", "%s, %i", "arith.addi %i, %s : i64", false},
		{"%go = arith.cmpi slt, %i, %s : i64", "%s, %i", "arith.addi %i, %one : i64", false}, // the bound changes
		{"%go = arith.cmpi slt, %s, %n : i64", "%s, %i", "arith.addi %i, %one : i64", false}, // another is compared
		{"%go = arith.cmpi slt, %i, %n : i64", "%i, %s", "arith.addi %i, %one : i64", false}, // they change places
	} {
		src := fmt.Sprintf(counting, c.cond, c.pass, c.next)
		before := ir.Settle(built.Parse(t, src, text.Options{}))
		after, _ := built.Counted(t, before, "uplift-while")
		out := text.String(after, text.PrintOptions{})
		if strings.Contains(out, "scf.for") != c.is || strings.Contains(out, "scf.while") == c.is {
			t.Errorf("%s, passed %s, then %s:\n%s", c.cond, c.pass, c.next, out)
		}
		if !c.is {
			continue
		}
		for _, args := range []string{"[[1, 2, 3], 3, 0]", "[[1, 2, 3], 3, 2]", "[[1, 2, 3], 3, 3]", "[[1, 2, 3], -5, 7]", "[[1, 2, 3], 4, 0]", "[[], 9223372036854775807, 9223372036854775807]", "[[], -9223372036854775808, 9223372036854775807]"} {
			if got, want := built.Run(t, after, "f", args), built.Run(t, before, "f", args); got != want {
				t.Errorf("%s of %s: %s, want %s", c.cond, args, got, want)
			}
		}
	}
}
