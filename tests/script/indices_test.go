package script

import (
	"fmt"
	"strings"
	"testing"
)

// manyResults is a call with n results, the last 40 of which are stored, behind constants that
// carry attributes with names of their own.
func manyResults(n int, names bool) string {
	types := strings.TrimSuffix(strings.Repeat("i32, ", n), ", ")
	var s strings.Builder
	fmt.Fprintf(&s, "func.func private @g() -> (%s)\nfunc.func @f(%%m: memref<?xi32>, %%x: index) {\n", types)
	for i := n - 40; i < n; i++ {
		attr := ""
		if names {
			attr = fmt.Sprintf(` {other = "other%d"}`, i)
		}
		fmt.Fprintf(&s, "%%k%d = arith.constant%s %d : index\n", i, attr, i)
	}
	fmt.Fprintf(&s, "%%r:%d = func.call @g() : () -> (%s)\n", n, types)
	for i := n - 40; i < n; i++ {
		fmt.Fprintf(&s, "memref.store %%r#%d, %%m[%%k%d] : memref<?xi32>\n", i, i)
	}
	return s.String() + "return\n}\n"
}

// What is asked about a result of more than a page of attributes is answered, and
// attributes of other ops change no name.
func TestResultsHaveNoAttributes(t *testing.T) {
	for _, args := range [][]string{{"explain", "-deps"}, {"-passes=dependence-analysis"}, {"-emit=dot"}, {"-emit=svg"}} {
		status, out, errs := irc(manyResults(1100, false), append(args, "-")...)
		if status != 0 || out == "" {
			t.Errorf("%v: status %d, %d bytes: %s", args, status, len(out), errs)
		}
	}
	_, plain, _ := irc(manyResults(40, false), "explain", "-deps", "-")
	named := strings.ReplaceAll(manyResults(40, true), "other =", "dep.name =")
	_, other, _ := irc(named, "explain", "-deps", "-")
	for i := range 40 { // the constants themselves are called so, the results are not
		other = strings.ReplaceAll(other, fmt.Sprintf("other%d ", i), fmt.Sprintf("e%d     ", i)[:len(fmt.Sprint("other", i))+1])
	}
	if strings.Join(strings.Fields(plain), " ") != strings.Join(strings.Fields(other), " ") {
		t.Errorf("got\n%s\nfor\n%s", other, plain)
	}
}
