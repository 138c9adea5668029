package script

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/passes/pass/diff"
	"github.com/irc-lang/irc/tools/irc/product"
)

// everything shows all that there is to see of passes.
var everything = []string{"-print-before-all", "-print-after-all", "-print-after-change", "-stats", "-time-passes"}

// irc runs a command line within this process.
func irc(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	p := product.All()
	status = p.Main(args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// watch runs a command line with and without dumps and compares what it gives. It
// returns that, and the dumps after passes.
func watch(t *testing.T, stdin string, args ...string) (out string, after []dump) {
	t.Helper()
	line := strings.Join(args, " ")
	status, out, errs := irc(stdin, args...)
	watched, seen, dumps := irc(stdin, append(args, everything...)...)
	switch {
	case status != watched:
		t.Errorf("%s: status %d, and %d when passes are shown:\n%s%s", line, status, watched, errs, dumps)
	case out != seen:
		t.Errorf("%s: something else comes out when passes are shown:\n%s", line, diff.Lines(out, seen))
	}
	return out, dumpsOf(dumps)
}

// A dump is the IR after a pass.
type dump struct{ pass, text string }

func dumpsOf(stderr string) (out []dump) {
	for _, part := range strings.Split(stderr, "// -----// IR Dump ")[1:] {
		head, body, _ := strings.Cut(part, " //----- //\n")
		body, _, _ = strings.Cut(body, "\n===") // statistics
		name, after := strings.CutPrefix(head, "After ")
		if after && strings.HasPrefix(body, "module") { // else it is a diff, or a function
			out = append(out, dump{name, strings.TrimSpace(body) + "\n"})
		}
	}
	return out
}

// To look at passes changes nothing of what they do; and what is shown after a pass
// is what a pipeline that ends there gives.
func TestDumpsChangeNothing(t *testing.T) {
	files, _ := filepath.Glob("../../examples/mlir/*.mlir")
	if len(files) < 10 {
		t.Fatalf("only %d examples", len(files))
	}
	steps := []string{"inline", "canonicalize", "infer-effects", "split-effects", "speculate", "licm", "unroll", "cse", "dce", "lower{to=scf}", "lower-math"}
	dumps := 0
	for _, file := range files {
		_, after := watch(t, "", file, "-passes="+strings.Join(steps, ","))
		for i, d := range after {
			want, got := "", ""
			if _, want, _ = irc("", file, "-passes="+strings.Join(steps[:i+1], ",")); want != "" {
				_, got, _ = irc(d.text, "-")
			}
			if name, _, _ := strings.Cut(steps[i], "{"); d.pass != name || got != want || want == "" {
				t.Errorf("%s: the dump after %s, which should be %s, is not what the pipeline up to there gives:\n%s", file, d.pass, steps[i], diff.Lines(want, got))
			}
			dumps++
		}
		watch(t, "", file, "-passes=func(repeat(canonicalize,licm)),any(inline)", "-emit=generic")
		watch(t, "", file, "-emit=llvm")
		watch(t, "", "explain", file, "-passes=inline,cse")
	}
	if want := len(files) * len(steps); dumps != want {
		t.Errorf("%d dumps were seen, not %d", dumps, want)
	}
}

func TestDumpsOfEachPass(t *testing.T) {
	for _, info := range product.Passes() {
		if info.Model || info.End != nil {
			continue
		}
		pipeline := info.Pipeline
		if pipeline == "" {
			pipeline = info.Name
		}
		out, after := watch(t, info.Example, "-", "-passes="+pipeline)
		if len(after) == 0 || after[len(after)-1].pass != info.Name {
			t.Errorf("%s is not shown", pipeline)
			continue
		}
		if _, got, _ := irc(after[len(after)-1].text, "-"); got != out {
			t.Errorf("what is shown of %s is not what comes out:\n%s", pipeline, diff.Lines(out, got))
		}
	}
}

// Of a model what is done without passes is shown too, and what is asked of it stays
// as it is.
func TestDumpsOfModels(t *testing.T) {
	const sequence = "bugs-statement-graph bugs-remove-transformed-data bugs-fission bugs-classify bugs-order bugs-fuse bugs-reconstruct bugs-lower-observations"
	for _, name := range []string{"rats", "dyes", "seeds", "stacks"} {
		model := []string{"../../examples/bugs/" + name + ".bug", "-data", "../../examples/bugs/" + name + "-data.json"}
		for _, what := range [][]string{{}, {"-emit=llvm"}, {"-passes=lower{to=scf},cse"}, {"-passes=bugs-fission,bugs-order"}, {"explain"}, {"-emit=svg"}} {
			_, after := watch(t, "", append(what, model...)...)
			var names []string
			for _, d := range after {
				names = append(names, d.pass)
			}
			if got := strings.Join(names, " "); len(what) == 0 && got != sequence {
				t.Errorf("%s: shown are %s", name, got)
			}
		}
	}
}

// A pass that is named is shown each time that it runs, and no other.
func TestDumpsOfOnePass(t *testing.T) {
	_, _, errs := irc("", "testdata/sum.mlir", "-passes=inline,cse,inline", "-print-after=inline")
	if n := strings.Count(errs, "IR Dump After inline"); n != 2 || strings.Contains(errs, "After cse") {
		t.Errorf("%d dumps:\n%s", n, errs)
	}
}
