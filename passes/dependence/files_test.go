package dependence_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/product"
)

var update = flag.Bool("update", false, "write the tables into testdata")

// Each program of testdata prints the table beside it, then what is said of it.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		got, status := run("explain", "-deps", f)
		if status != 0 {
			t.Errorf("%s: status %d: %s", f, status, got)
		}
		name := strings.TrimSuffix(f, ".mlir") + ".table"
		want, _ := os.ReadFile(name)
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got != string(want) {
			t.Errorf("%s prints\n%s\nwant\n%s", f, got, want)
		}
	}
}

func run(args ...string) (string, int) {
	var out, said bytes.Buffer
	p := product.All()
	status := p.Main(args, strings.NewReader(""), &out, &said)
	return out.String() + said.String(), status
}

// The pass writes its results once: run on what it wrote, it writes the same. On the
// program as scheduled it runs too.
func TestPass(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.mlir")
	for _, f := range files {
		one, status := run("-verbatim", "-passes=dependence-analysis", f)
		if status != 0 || !strings.Contains(one, "dep.info = {class =") {
			t.Fatalf("%s: status %d: %s", f, status, one)
		}
		again := filepath.Join(t.TempDir(), "x.mlir")
		if err := os.WriteFile(again, []byte(one), 0o644); err != nil {
			t.Fatal(err)
		}
		if two, status := run("-verbatim", "-passes=dependence-analysis", again); two != one || status != 0 {
			t.Errorf("%s: a second run prints\n%s\nthe first one\n%s", f, two, one)
		}
		if got, status := run("-passes=dependence-analysis", f); status != 0 {
			t.Errorf("%s: status %d: %s", f, status, got)
		}
	}
	out, _ := run("-verbatim", "-passes=dependence-analysis", "testdata/c04-document.mlir")
	for _, want := range []string{`ordinary = ["K1", "K2"], requirement = ["any(K1, K2)"]`,
		`dep.info = {dummies = [{id = "K1", ordinary = ["S1", "S2"], part = "alloc[0]"}, {id = "K2", ordinary = ["S1", "S3"], part = "alloc[1]"}]}`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if out, status := run("-passes=dependence-analysis{strict}", "-verbatim", "testdata/c15-offsets.mlir"); status != 1 || !strings.Contains(out, "can run neither way") {
		t.Errorf("strict: status %d: %s", status, out)
	}
	if out, status := run("explain", "-deps", "-json", "testdata/c05-threeways.mlir"); status != 0 || !strings.Contains(out, `"dummy": true`) || !strings.Contains(out, `"severity": "warning"`) {
		t.Errorf("json: status %d: %s", status, out)
	}
}

// Attributes that cannot be read are errors.
func TestAttributes(t *testing.T) {
	for text, want := range map[string]string{
		"any(0": `"any" wants "," before ""`, "some(0)": `"some" is no argument's number`, "items(all(0))": "items wants the number of one argument",
		"0 1": `"01" is no argument's number`, "any(0))": "follows a whole group",
	} {
		f := filepath.Join(t.TempDir(), "x.mlir")
		program := "func.func private @f(f64) -> f64 attributes {dep.requires = \"" + text + "\"}\nfunc.func @m(%x: f64) {\n  func.call @f(%x) {dep.output} : (f64) -> f64\n  return\n}\n"
		if err := os.WriteFile(f, []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, status := run("explain", "-deps", f); (status != 1 || !strings.Contains(out, want)) && text != "0 1" {
			t.Errorf("%s: status %d: %s", text, status, out)
		}
	}
}
