package saturate_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/passes"
)

// The rules that a result rests on are counted: those that made its terms, those that found them equal, and arrows.
func TestRulesOfResults(t *testing.T) {
	for _, x := range []struct{ body, want string }{
		{"%a = arith.muli %x, %y : i32\n%b = arith.muli %x, %z : i32\n%r = arith.addi %a, %b : i32", "1 x*y + x*z = x*(y + z)"},
		{"%a = arith.xori %x, %y : i32\n%b = arith.andi %x, %y : i32\n%c = arith.constant 2 : i32\n%d = arith.muli %b, %c : i32\n%r = arith.addi %a, %d : i32",
			"1 (x ^ y) + (x & y)*2 = x + y"},
		{"%a = arith.addi %x, %y : i32\n%r = arith.muli %a, %z : i32", ""},
	} {
		g := read(t, "func.func @f(%x: i32, %y: i32, %z: i32) -> i32 {\n"+x.body+"\nreturn %r : i32\n}\n")
		_, m := run(t, g, "saturate{rules=arith}")
		var b strings.Builder
		m.WriteStats(&b, passes.All())
		_, rules, _ := strings.Cut(b.String(), "rules that fired\n")
		rules, _, _ = strings.Cut(rules, "analyses")
		if x.want == "" && rules != "" || !strings.Contains(rules, x.want) || x.want != "" && strings.Count(rules, "(R)") != 1 {
			t.Errorf("of %s it counts\n%s", x.body, rules)
		}
	}
}
