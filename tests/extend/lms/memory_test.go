package lms_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/extend/lms"
)

// The same programs with memrefs of one number in the place of variables.
var asMemory = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`(%\w+) = lms\.var (%\w+) : i64`), "$1 = memref.alloca() : memref<i64> memref.store $2, $1[] : memref<i64>"},
	{regexp.MustCompile(`lms\.get (%\w+) : i64`), "memref.load $1[] : memref<i64>"},
	{regexp.MustCompile(`lms\.set (%\w+), (%\w+) : i64`), "memref.store $2, $1[] : memref<i64>"},
}

// alike leaves out of a tree how variables are made and set: a memref's first
// value is a store, which may be dead.
func alike(tree string) string {
	tree = strings.NewReplacer("{", " { ", "}", " } ").Replace(tree)
	var out []string
	for _, f := range strings.Fields(tree) {
		switch f {
		case "var", "set", "alloca", "store":
		case "load":
			out = append(out, "get")
		default:
			out = append(out, f)
		}
	}
	return strings.Join(out, " ")
}

// Every case about variables holds for memory too, at the same places.
func TestCasesInMemory(t *testing.T) {
	n := 0
	for _, k := range slices.Concat(cases, loopCases, branchCases) {
		src := k.src
		for _, r := range asMemory {
			src = r.re.ReplaceAllString(src, r.to)
		}
		if src == k.src {
			continue
		}
		n++
		pipeline := k.pipeline
		if pipeline == "" {
			pipeline = "canonicalize"
		}
		c := memtest.Context(lms.Dialect)
		g := graph(t, c, src, pipeline)
		if got, want := alike(tree(g)), alike(k.want); got != want {
			t.Errorf("%s: got\n  %s\nwanted\n  %s\n%s", k.id, got, want, memtest.Text(g))
		}
		written := memtest.Parse(t, c, head+k.src+"\n  return }", text.Options{Verbatim: true})
		for _, in := range inputs() {
			if got, want := memtest.Outcome(t, g, "f", vals(in)...), memtest.Outcome(t, written, "f", vals(in)...); got != want && !strings.Contains(want, "trap") {
				t.Errorf("%s: @f%v shows %q, wanted %q", k.id, in, got, want)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d cases have variables", n)
	}
}
