package dialects_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/cf"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

var mine = []*ir.Dialect{builtin.Dialect, ub.Dialect, funcs.Dialect, arith.Dialect, math.Dialect, special.Dialect, cf.Dialect}

func samples(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, d := range []string{"builtin", "ub", "func", "arith", "math", "special", "cf"} {
		files, err := filepath.Glob(d + "/testdata/*.mlir")
		if err != nil || len(files) == 0 {
			t.Fatalf("no samples of %s (%v)", d, err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			out[f] = string(src)
		}
	}
	return out
}

func parse(t *testing.T, name, src string, verbatim bool) *ir.Graph {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(mine...), &diag.Source{Name: name, Text: src}, text.Options{Verbatim: verbatim, AllowUnregistered: true})
	if err := errs.Err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return g
}

// Each op has a sample, which prints in the custom and in the generic form so
// that reading it again gives the same.
func TestSamples(t *testing.T) {
	seen := map[*ir.OpDef]bool{}
	for name, src := range samples(t) {
		g := parse(t, name, src, true)
		walk(g, func(g *ir.Graph, v ir.Value) { seen[g.Def(v)] = true })
		for _, generic := range []bool{false, true} {
			opts := text.PrintOptions{Generic: generic}
			once := text.String(g, opts)
			twice := text.String(parse(t, name+" printed", once, true), opts)
			if once != twice {
				t.Errorf("%s: printing is no fixed point:\n%s\nthen\n%s", name, once, twice)
			}
			if generic {
				continue
			}
			for _, line := range strings.Split(once, "\n") {
				if s := strings.TrimSpace(line); strings.HasPrefix(s, `"`) || strings.Contains(s, `= "`) && !strings.Contains(s, "{") {
					t.Errorf("%s: generic form among the custom: %s", name, line)
				}
			}
		}
	}
	for _, d := range mine {
		for _, op := range d.Ops {
			if !seen[op] && ir.Table[text.Branches](d)[op] == nil { // which no graph has
				t.Errorf("%s has no sample", op.Name)
			}
		}
	}
}

func walk(g *ir.Graph, f func(g *ir.Graph, v ir.Value)) {
	for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
		f(g, v)
		for _, c := range g.Children(v) {
			walk(c, f)
		}
	}
}

// mlir-opt reads what we print, in both forms, as what it reads in the sample.
func TestAgainstMLIR(t *testing.T) {
	tool, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("comparing with MLIR needs mlir-opt-19")
	}
	mlir := func(src string) string {
		t.Helper()
		cmd := exec.Command(tool, "-mlir-print-op-generic", "-allow-unregistered-dialect")
		cmd.Stdin = strings.NewReader(src)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("mlir-opt: %v\n%s\n%s", err, errs.String(), src)
		}
		return out.String()
	}
	for name, src := range samples(t) {
		if strings.Contains(src, "ub.freeze") {
			continue // which MLIR 19 has not
		}
		g := parse(t, name, src, true)
		generic := text.String(g, text.PrintOptions{Generic: true})
		if strings.HasPrefix(name, "special") {
			if got := mlir(generic); got != mlir(got) {
				t.Errorf("%s: mlir-opt changes what it printed", name)
			}
			continue
		}
		want := mlir(src)
		if got := mlir(generic); got != want {
			t.Errorf("%s: the generic form differs: %s", name, firstDiff(got, want))
		}
		if got := mlir(text.String(g, text.PrintOptions{})); got != want {
			t.Errorf("%s: the custom form differs: %s", name, firstDiff(got, want))
		}
		back := text.String(parse(t, name+" of mlir-opt", want, true), text.PrintOptions{Generic: true})
		if back != generic {
			t.Errorf("%s: what mlir-opt prints reads differently: %s", name, firstDiff(back, generic))
		}
	}
}

func firstDiff(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "\n got " + a[i] + "\nwant " + b[i]
		}
	}
	return "in length"
}
