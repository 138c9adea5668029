package text

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// inSmallPieces makes a test read in pieces of a few functions.
func inSmallPieces(t *testing.T, size int) {
	old, procs := pieceSize, runtime.GOMAXPROCS(4)
	pieceSize = size
	t.Cleanup(func() {
		pieceSize = old
		runtime.GOMAXPROCS(procs)
	})
}

// both reads a source in pieces and in order, and returns whether the pieces were
// taken.
func both(t *testing.T, src string, opts Options) bool {
	t.Helper()
	read := func(order bool) (string, string, bool) {
		file := diag.NewSource("in", src)
		p, taken := newParser(miniContext(), file, opts), false
		var g *ir.Graph
		if order {
			g = p.ops.source()
		} else {
			_, taken = p.pieces.inPieces()
			taken = taken && p.pieces.tries == 0
			g, p.in.Errs = Parse(miniContext(), file, opts)
		}
		if g == nil || p.in.Errs.Err() != nil {
			return "", p.in.Errs.Error(), taken
		}
		return String(g, PrintOptions{Generic: true, DebugInfo: true, Source: file}), p.in.Errs.Error(), taken
	}
	want, wantErr, _ := read(true)
	got, gotErr, taken := read(false)
	if got != want || gotErr != wantErr {
		t.Errorf("%.300s\nread in pieces:\n%.2000s\n%s\nin order:\n%.2000s\n%s", src, got, gotErr, want, wantErr)
	}
	return taken
}

// manyFunctions is a module of n functions, the k-th with the given body.
func manyFunctions(n int, body func(k int) string) string {
	var b strings.Builder
	b.WriteString("module {\n")
	for k := range n {
		fmt.Fprintf(&b, "  func.func @f%d(%%a: i32) -> i32 {\n    %s\n    return %%a : i32\n  }\n", k, body(k))
	}
	return b.String() + "}\n"
}

// What is read of functions, and said of them, does not depend on the pieces.
func TestPieces(t *testing.T) {
	inSmallPieces(t, 300)
	plain := func(k int) string { return fmt.Sprintf(`%%0 = "t_.x"(%%a) {n = %d : i32} : (i32) -> i32`, k) }
	at := func(i int, text string) func(int) string {
		return func(k int) string {
			if k == i {
				return text
			}
			return plain(k)
		}
	}
	cases := map[string]struct {
		src    string
		pieces bool
	}{
		"plain":         {manyFunctions(40, plain), true},
		"generic":       {String(parse(t, manyFunctions(40, plain), verbatim), PrintOptions{Generic: true}), true},
		"top level":     {strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(manyFunctions(40, plain), "\n  ", "\n"), "module {\n  "), "}\n"), true},
		"alias behind":  {manyFunctions(40, func(int) string { return `"t_.x"() {a = #b} : () -> () loc(#c)` }) + "#b = 1 : i8\n#c = loc(\"f\":1:2)\n", true},
		"alias before":  {"#b = 1 : i8\n" + manyFunctions(40, func(int) string { return `"t_.x"() {a = #b} : () -> ()` }), true},
		"alias between": {strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(manyFunctions(40, plain), "\n  ", "\n"), "module {\n  "), "}\n"), "func.func @f20", "#z = 1\nfunc.func @f20"), false},
		"an error":      {manyFunctions(40, at(17, "%0 = %1")), false},
		"two errors":    {manyFunctions(40, func(k int) string { return []string{plain(k), "%1 = %2"}[min(k%13, 1)^1] }), false},
		"other op":      {manyFunctions(40, at(17, plain(1)+"\n return %a : i32 }\n  \"t_.x\"() : () -> ()\n  func.func @g(%a: i32) -> i32 {")), false},
		"comment":       {manyFunctions(40, at(17, "// }\n  func.func\n"+plain(1))), false},
		"nested":        {manyFunctions(40, at(17, "module {\n  func.func @g() {\n return\n }\n}\n"+strings.Repeat(plain(1)[4:], 1)[2:])), false},
		"brackets":      {manyFunctions(40, at(17, plain(1)+"\n return %a : i32 }\n module {")) + "}", false},
		"distinct":      {manyFunctions(40, func(k int) string { return fmt.Sprintf(`"t_.x"() {a = distinct[%d]<%d : i8>} : () -> ()`, k/3, k/5) }), false},
		"resource": {manyFunctions(40, at(17, `"t_.x"() {a = dense_resource<r> : tensor<4xi8>} : () -> ()`)) +
			"{-#\n dialect_resources: { builtin: { r: \"0x0400000001020304\" } }\n#-}\n", false},
		"location": {manyFunctions(40, func(k int) string { return fmt.Sprintf(`"t_.x"() : () -> () loc("f":%d:1)`, k) }), true},
	}
	for name, c := range cases {
		for _, opts := range []Options{{AllowUnregistered: true}, verbatim} {
			if taken := both(t, c.src, opts); taken != c.pieces {
				t.Errorf("%s: read in pieces: %v, want %v", name, taken, c.pieces)
			}
		}
	}
	if files, _ := filepath.Glob("testdata/*/*.mlir"); len(files) == 0 {
		t.Error("there are no files to read")
	} else {
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			both(t, string(data), Options{AllowUnregistered: true})
		}
	}
}

// Attributes of dialects keep a source in pieces, unless there are resources that they
// may name.
func TestPiecesWithAttributes(t *testing.T) {
	inSmallPieces(t, 200)
	body := func(k int) string { return fmt.Sprintf(`"t_.x"() {f = #t_.fast<m%d>} : () -> ()`, k) }
	src := manyFunctions(40, body)
	opts := Options{AllowUnregistered: true}
	if !both(t, src, opts) {
		t.Error("not read in pieces")
	}
	if both(t, src+"\n{-# dialect_resources: { t_: { m3: \"0x01000000aa\" } } #-}\n", opts) {
		t.Error("read in pieces although an attribute may name a resource")
	}
}
