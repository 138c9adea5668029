package text

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

// byTokens reads a source with lines taken as a whole, or all by tokens, and returns what is read, what is said, and how
// many lines were taken.
func byTokens(src string, opts Options, tokens bool) (out, said string, taken int) {
	file := diag.NewSource("in", src)
	p := newParser(miniContext(), file, opts)
	p.gen.tokens = tokens
	g := p.ops.source()
	said = p.in.Errs.Error()
	if g == nil || p.in.Errs.Err() != nil {
		return "", said, p.gen.taken
	}
	return String(g, PrintOptions{Generic: true, DebugInfo: true, Source: file}), said, p.gen.taken
}

// sameByTokens compares the two ways to read a source, and returns how many lines were taken.
func sameByTokens(t *testing.T, src string) (taken int) {
	t.Helper()
	for _, opts := range []Options{verbatim, {AllowUnregistered: true}, {}} {
		want, wantErr, none := byTokens(src, opts, true)
		got, gotErr, n := byTokens(src, opts, false)
		if got != want || gotErr != wantErr {
			t.Errorf("%+v: of\n%s\nby lines:\n%s%s\nby tokens:\n%s%s", opts, src, got, gotErr, want, wantErr)
		}
		if none > 0 {
			t.Errorf("lines were taken where none should be")
		}
		taken += n
	}
	return taken
}

// lines makes a program of ops that are alike, some of them wrong.
func lines(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("\"func.func\"() <{function_type = (i32, i64) -> (), sym_name = \"f\"}> ({\n^bb0(%a: i32, %b0: i64):\n")
	odd := 1 + r.IntN(400) // one in so many is
	last := 0              // number of an i32
	name := func(i int) string {
		switch r.IntN(12 + odd) {
		case 0:
			return "%a"
		case 1:
			return "%b0"
		case 2:
			return fmt.Sprintf("%%%d", r.IntN(1<<28)) // of nothing, as a rule
		case 3:
			return []string{"%0", "%00", "%01", "%7", "%1#0", "%x_1"}[r.IntN(6)]
		}
		if last == 0 || r.IntN(8) == 0 {
			return "%a"
		}
		return fmt.Sprintf("%%%d", last)
	}
	for i := range 4 + r.IntN(40) {
		op := [...]string{
			fmt.Sprintf("\"arith.addi\"(%s, %s) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32", name(i), name(i)),
			fmt.Sprintf("\"arith.cmpi\"(%s, %s) <{predicate = %d : i64}> : (i32, i32) -> i1", name(i), name(i), r.IntN(3)),
			fmt.Sprintf("\"arith.constant\"() <{value = %d : i32}> : () -> i32", r.IntN(40)),
			fmt.Sprintf("\"t_.x\"(%s) {n = %d : i8} : (i32) -> i32", name(i), r.IntN(3)),
			fmt.Sprintf("\"t_.two\"(%s) : (i32) -> (i32, i32)", name(i)),
			"\"t_.x\"() : () -> ()",
		}
		kind := r.IntN(len(op))
		end := ""
		if r.IntN(odd) < 3 {
			end = [...]string{" ", " loc(\"a\":1:2)", "\n  loc(unknown)", " // ...", "\r", " \"t_.x\"() : () -> ()"}[r.IntN(6)]
		}
		switch r.IntN(10 + odd) {
		case 0:
			fmt.Fprintf(&b, "  %s%s\n", op[kind], end)
		case 1:
			fmt.Fprintf(&b, "  %s=%s%s\n", name(i), op[kind], end)
		case 2:
			fmt.Fprintf(&b, "  %%9%d:%d = %s%s\n", i, 1+r.IntN(2), op[kind], end)
		default:
			fmt.Fprintf(&b, "  %%%d = %s%s\n", i+1, op[kind], end)
			if kind != 1 && kind != 4 {
				last = i + 1
			}
		}
	}
	b.WriteString("  \"func.return\"() : () -> ()\n}) : () -> ()\n")
	return b.String()
}

// What is read of a line as a whole is what its tokens say, and so is what is wrong with it.
func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	taken, right := 0, 0
	for range 400 {
		src := lines(r)
		taken += sameByTokens(t, src)
		if out, _, _ := byTokens(src, verbatim, false); out != "" {
			right++
		}
		taken += sameByTokens(t, mutate(r, src))
	}
	for _, file := range append(testFiles(t), "testdata/errors/cases.mlir") {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			taken += sameByTokens(t, mutate(r, string(src)))
		}
	}
	if taken < 1000 || right == 0 {
		t.Errorf("%d lines were taken, %d programs are right", taken, right)
	}
}

// Most lines of a large program are taken as a whole, of ops with few texts and with many.
func TestMostLinesAreTaken(t *testing.T) {
	for _, c := range []struct{ texts, missed int }{{1, 5}, {5, 4500}, {20, 4500}, {100, 4500}, {1000, 7500}} { // two texts with one place take turns
		const n = 10000
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%%%d = \"arith.constant\"() <{value = %d : i32}> : () -> i32\n", i, i*7919%c.texts)
		}
		if out, said, taken := byTokens(b.String(), verbatim, false); taken < n-c.missed || said != "" {
			t.Errorf("of %d texts: %d of %d: %s", c.texts, taken, n, said)
		} else if want, _, _ := byTokens(b.String(), verbatim, true); out != want {
			t.Errorf("of %d texts: lines and tokens differ", c.texts)
		}
	}
}

// Lines and tokens read any text alike.
func FuzzLines(f *testing.F) {
	seeds(f)
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(lines(r))
	}
	f.Fuzz(func(t *testing.T, src string) { sameByTokens(t, src) })
}
