package mlir_test

import (
	"strings"
	"testing"
)

// What construction and schedule leave is no more than MLIR's canonicalizer and
// CSE leave, on average over the examples; and never much more.
func TestNoMoreOpsThanCanonicalize(t *testing.T) {
	opt := tool(t, "mlir-opt-19")
	ours, theirs := 0, 0
	for _, c := range chunks(t) {
		if !strings.HasPrefix(c.file, "examples/mlir/") || strings.Contains(c.text, "cf.br") || strings.Contains(c.text, "cf.cond_br") {
			continue // mlir-opt keeps branches between blocks
		}
		g, err := parse(newContext(), c.file, c.text, false)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		out, err := pipe(t, c.text, opt, "-canonicalize", "-cse", "-mlir-print-op-generic")
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		n, m := numOps(printed(t, g, true)), numOps(out)
		t.Logf("%-32s written %3d  irc %3d  mlir-opt %3d", c.file, countWritten(t, opt, c), n, m)
		if n > m+3 {
			t.Errorf("%s: %d ops left, mlir-opt leaves %d:\n%s", c.file, n, m, printed(t, g, false))
		}
		ours, theirs = ours+n, theirs+m
	}
	t.Logf("%-32s              irc %3d  mlir-opt %3d", "all", ours, theirs)
	if ours > theirs || ours == 0 {
		t.Errorf("%d ops left in all examples, mlir-opt -canonicalize -cse leaves %d", ours, theirs)
	}
}

func countWritten(t *testing.T, opt string, c chunk) int {
	t.Helper()
	out, err := pipe(t, c.text, opt, "-mlir-print-op-generic")
	if err != nil {
		t.Fatal(err)
	}
	return numOps(out)
}
