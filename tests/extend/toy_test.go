package extend_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Toy, the language of MLIR's tutorial, from its text to what runs: functions are inlined, shapes worked out, arrays become loops
// over memory. What is printed is the same on the way.
func testToy(t *testing.T, bin string) {
	const printed = "2\n32\n8\n50\n18\n72\n1\n16\n81\n256\n625\n1296\n"
	const shapes = "-passes=inline,symbol-dce,toy-shapes"
	for _, args := range [][]string{{"-engine=eval"}, {"-engine=eval", shapes}, {"-engine=eval", shapes + ",lower{to=scf}"}, {"-engine=llvm", shapes}, {shapes}} {
		out, stderr, err := both(bin, append([]string{"run", "transpose.toy"}, args...)...)
		if err != nil && strings.Contains(stderr, "libLLVM") {
			continue
		}
		if !strings.HasPrefix(out, printed) || err != nil {
			t.Errorf("%v: %v prints\n%s%s", args, err, out, stderr)
		}
	}
	for _, c := range []struct {
		passes     string
		has, lacks []string
	}{
		{"-passes=", []string{"toy.cast %0 : (!toy.array<2, 3>) -> !toy.array\n", "private @multiply_transpose(%arg0: !toy.array, %arg1: !toy.array)"}, nil},
		{shapes, []string{"toy.mul %3, %4 : !toy.array<3, 2>"}, []string{"toy.cast", "call", "!toy.array\n"}},
		{shapes + ",lower{to=toy}", []string{"affine.load %alloc_5[%arg1 + %arg0 * 3]", "vector.print"}, []string{"toy."}},
		{shapes + ",lower{to=scf}", []string{"scf.for"}, []string{"toy.", "affine."}},
	} {
		got := run(t, bin, c.passes, "transpose.toy")
		for _, w := range c.has {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %q in\n%s", c.passes, w, got)
			}
		}
		for _, w := range c.lacks {
			if strings.Contains(got, w) {
				t.Errorf("%s: leaves %q in\n%s", c.passes, w, got)
			}
		}
	}
	text := run(t, bin, "transpose.toy")
	again := filepath.Join(t.TempDir(), "again.mlir")
	if write(t, again, text); run(t, bin, again) != text {
		t.Errorf("what is printed reads as something else:\n%s", text)
	}
	wrongToy(t, bin, shapes)
}

// What is wrong with a program of Toy is said at its place, by the reader, by the pass and by the interpreter.
func wrongToy(t *testing.T, bin, shapes string) {
	const differ = "def f(a) { return a + [1, 2]; }\ndef main() {\n  print(f([1, 2, 3]));\n}\n"
	file := filepath.Join(t.TempDir(), "wrong.toy")
	for _, c := range []struct{ text, want string }{
		{"def main() {\n  var b = [[1, 2], [3]];\n}\n", "wrong.toy:2:11: error: an array has one or two dimensions, rows of one length, and numbers in it\n"},
		{"def main() {\n  var a<2, 3> = [1, 2];\n}\n", "wrong.toy:2:17: error: the shape has another number of elements\n"},
		{"def main() {\n  print(a);\n}\n", "wrong.toy:2:9: error: there is no array a\n"},
		{"def f(a) { return a; }\ndef main() {\n  print(f([1], [2]));\n}\n", "wrong.toy:3:9: error: f takes 1 arrays, and here are 2\n"},
		{"def main() {\n  print([1]) print([2]);\n}\n", "wrong.toy:2:14: error: ';' is wanted behind a statement, not 'print'\n"},
		{"def main() {\n  print([1, 2] + [1, 2, 3]);\n}\n", "wrong.toy:2:16: error: 'toy.add' op takes arrays of one shape, not !toy.array<2> and !toy.array<3>\n"},
		{differ, "wrong.toy:1:21: error: pass toy-shapes: 'toy.add' op takes arrays of one shape, not !toy.array<3> and !toy.array<2>\n"},
	} {
		write(t, file, c.text)
		if _, stderr, err := both(bin, shapes, file); err == nil || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: %v says\n%s", c.text, err, stderr)
		}
	}
	if _, stderr, err := both(bin, "-passes=toy-shapes", "transpose.toy"); err == nil || !strings.Contains(stderr, "transpose.toy:3:10: error: pass toy-shapes: 'toy.transpose' op gives an array whose shape nobody knows") {
		t.Errorf("without inlining: %v\n%s", err, stderr)
	}
	write(t, file, differ)
	out, err := exec.Command(bin, "run", "-engine=eval", file).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "wrong.toy:1:21: error: 'toy.add' op: trap: arrays of shapes [3] and [2] in @f") {
		t.Errorf("the interpreter: %v\n%s", err, out)
	}
}

// unstable are packages that the page names as meant for outsiders, and does not promise to keep yet.
var unstable = []string{"ir/derive"}

// The module imports what docs/compatibility.md promises to keep, or names as not stable yet, and nothing else of this repository.
func TestImportsAreStable(t *testing.T) {
	page, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	stable := slices.Clone(unstable)
	for _, name := range unstable {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/compatibility.md does not name %s", name)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\|").FindAllSubmatch(page, -1) {
		stable = append(stable, string(m[1]))
	}
	seen := 0
	err = filepath.WalkDir(module, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			if pkg, ours := strings.CutPrefix(name, "github.com/irc-lang/irc/"); ours {
				if seen++; !slices.Contains(stable, pkg) {
					t.Errorf("%s imports %s, which is not in the table of docs/compatibility.md", path, pkg)
				}
			}
		}
		return nil
	})
	if err != nil || seen < 40 {
		t.Errorf("%v: %d imports", err, seen)
	}
}
