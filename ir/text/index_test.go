package text

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/index"
)

// indexed reads a source with an index, and without: what is read and what is said is the same.
func indexed(t *testing.T, src string, opts Options) (x *index.Index, ok bool) {
	t.Helper()
	read := func(x *index.Index) (string, string) {
		opts.Index = x
		g, errs := Parse(miniContext(), diag.NewSource("in", src), opts)
		if errs.Err() != nil || g == nil {
			return "", errs.Error()
		}
		return String(g, PrintOptions{DebugInfo: true}), errs.Error()
	}
	x = &index.Index{}
	got, said := read(x)
	want, wanted := read(nil)
	if got != want || said != wanted {
		t.Fatalf("with an index:\n%s%s\nwithout:\n%s%s\nof:\n%s", got, said, want, wanted, src)
	}
	return x, got != ""
}

func TestIndexOfFiles(t *testing.T) {
	for _, file := range testFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkIndex(t, string(data), verbatim)
	}
	checkIndex(t, manyFunctions(30, func(k int) string { return fmt.Sprintf(`%%0 = "t_.x"(%%a) {n = %d : i32} : (i32) -> i32`, k) }), verbatim)
}

// checkIndex holds the entries of a text that is right against its tokens: each name of a value is defined or used once, and
// where its definition is said to be one stands.
func checkIndex(t *testing.T, src string, opts Options) {
	t.Helper()
	x, ok := indexed(t, src, opts)
	if !ok {
		t.Fatalf("not read:\n%s", src)
	}
	entries := x.Entries()
	defined, named := map[int]string{}, map[int]int{}
	for _, e := range entries {
		switch e.Kind {
		case index.Definition:
			defined[e.Start] = src[e.Start:e.End]
			named[e.Start]++
		case index.Use:
			named[e.Start]++
		case index.Op:
			if name := strings.Trim(e.Def.Name, `"`); !strings.Contains(src[e.Start:e.End], name[strings.LastIndexByte(name, '.')+1:]) {
				t.Errorf("%q is no %s", src[e.Start:e.End], name)
			}
		}
	}
	for _, e := range entries {
		if e.Kind != index.Use {
			continue
		}
		name, _, _ := strings.Cut(src[e.Start:e.End], "#")
		if src[e.Start] == '#' {
			name = src[e.Start:e.End]
		}
		if def, ok := defined[e.Name]; !ok || def != name {
			t.Errorf("%s at %d: its definition is said to be at %d, where %q is", src[e.Start:e.End], e.Start, e.Name, def)
		}
	}
	for tok := range index.Tokens(src) {
		if src[tok.Start] == '%' && named[tok.Start] != 1 {
			t.Errorf("%s at %d stands %d times in the index of\n%s", src[tok.Start:tok.End], tok.Start, named[tok.Start], src)
		}
	}
}

// An index says what an editor asks for: what is under the cursor, of what type, and where it comes from.
func TestIndexAt(t *testing.T) {
	src := "#map = affine_map<(d0) -> (d0)>\nfunc.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %oops : i32\n" +
		"  %c = arith.addi %a, %a {m = #map} : i32\n  return %c : i32\n}\n"
	x := &index.Index{}
	_, errs := Parse(miniContext(), diag.NewSource("in", src), Options{Index: x})
	if len(errs) != 1 || !strings.Contains(errs[0].Message, "oops") {
		t.Fatal(errs)
	}
	at := strings.Index(src, "%a {m")
	got := x.At(at)
	if len(got) != 3 || got[0].Def != mFunc || got[1].Def != mAddi || got[2].Kind != index.Use || got[2].Name != strings.Index(src, "%a") ||
		got[2].Type != ir.I32 {
		t.Errorf("at the second %%a: %+v", got)
	}
	at = strings.Index(src, "#map}")
	if got = x.At(at); got[len(got)-1].Kind != index.Use || got[len(got)-1].Name != 0 {
		t.Errorf("at the alias: %+v", got)
	}
	at = strings.LastIndex(src, "i32")
	if got = x.At(at); got[len(got)-1].Kind != index.Type || got[len(got)-1].Type != ir.I32 {
		t.Errorf("at the last type: %+v", got)
	}
}

// Tokens cover all of any text but white space, in order.
func TestTokensCover(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	data, err := os.ReadFile("testdata/regions.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		src, end := mutate(r, string(data)+"// %x a comment"), 0
		for tok := range index.Tokens(src) {
			if gap := src[end:tok.Start]; strings.Trim(gap, " \t\r\n") != "" || tok.Start >= tok.End {
				t.Fatalf("%q is no part of a token, before %q", gap, src[tok.Start:tok.End])
			}
			end = tok.End
		}
		if strings.Trim(src[end:], " \t\r\n") != "" {
			t.Fatalf("%q is no part of a token", src[end:])
		}
		indexed(t, src, verbatim)
	}
}

// One function read alone says and gives what it does among the others.
func TestParseOp(t *testing.T) {
	src := "func.func @f(%a: i32) -> !t {\n  %b = arith.addi %a, %a : i32\n  return %b : !t\n}\n" +
		"func.func @g() {\n  %b = arith.addi %a, %a : i32\n  return\n}\n!t = i32\n"
	file := diag.NewSource("in", src)
	x := &index.Index{}
	g, end, errs := parseOp(miniContext(), file, 0, Options{Index: x})
	if errs.Err() != nil || src[:end] != src[:strings.Index(src, "func.func @g")-1] {
		t.Fatalf("ended at %d: %v", end, errs)
	}
	if want := strings.TrimSuffix(strings.ReplaceAll(src[:end], "!t", "i32"), "\n"); !strings.Contains(strings.ReplaceAll(String(g, PrintOptions{}), "%0", "%b"),
		"arith.addi") || slices.IndexFunc(x.Entries(), func(e index.Entry) bool { return e.Start > end && e.Kind == index.Op }) >= 0 {
		t.Errorf("read\n%s\nof\n%s", String(g, PrintOptions{}), want)
	}
	_, whole := Parse(miniContext(), file, Options{})
	g, end, errs = parseOp(miniContext(), file, strings.Index(src, "func.func @g"), Options{})
	if g != nil || errs.Error() != whole.Error() || src[end-1] != '}' {
		t.Errorf("alone: %v, ends at %d\nin the whole: %v", errs, end, whole)
	}
}
