package mlir_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
)

// What MLIR takes is read and printed, as the same program, in both forms. Where it has no meaning it is text only: no lowering pipeline takes it,
// and what is said names the op and, of an op that has a meaning elsewhere, the reason.
func TestTextOnly(t *testing.T) {
	data, err := os.ReadFile("testdata/textonly/programs.mlir")
	if err != nil {
		t.Fatal(err)
	}
	all := chunkLine.Split(string(data), -1)
	ours := [2][]string{}
	for i, src := range all {
		g, err := parse(newContext(), "textonly.mlir", src, true)
		if err != nil {
			t.Fatalf("chunk %d: %v", i+1, err)
		}
		for k, generic := range []bool{true, false} {
			ours[k] = append(ours[k], printed(t, g, generic))
			if again, err := parse(newContext(), "printed.mlir", ours[k][i], true); err != nil {
				t.Errorf("chunk %d: what is printed is not read: %v\n%s", i+1, err, ours[k][i])
			} else if s := printed(t, again, generic); s != ours[k][i] {
				t.Errorf("chunk %d: printed as\n%s\nand then as\n%s", i+1, ours[k][i], s)
			}
		}
		if g, err = parse(newContext(), "textonly.mlir", src, false); err == nil {
			err = ir.Verify(g)
		}
		if err != nil {
			t.Fatalf("chunk %d: %v", i+1, err)
		}
		checkTextOnly(t, i+1, g, src)
	}
	opt := tool(t, "mlir-opt-19")
	want := genericByMLIR(t, opt, all)
	for _, texts := range ours {
		for i, got := range genericByMLIR(t, opt, texts) {
			if got != want[i] {
				t.Errorf("chunk %d: MLIR makes of what is printed\n%s\nand of the program\n%s", i+1, got, want[i])
			}
		}
	}
}

// genericByMLIR is what MLIR makes of programs in the generic form.
func genericByMLIR(t *testing.T, opt string, texts []string) []string {
	t.Helper()
	const mark = "// ===== next ====="
	out, err := pipe(t, strings.Join(texts, "\n// -----\n"), opt, "-allow-unregistered-dialect", "-mlir-print-op-generic", "-split-input-file", "-output-split-marker="+mark)
	if err != nil {
		t.Fatalf("MLIR refuses a program: %v", err)
	}
	return strings.Split(out, mark)
}

// checkTextOnly compiles a program: what is text only in it is refused for that.
func checkTextOnly(t *testing.T, n int, g *ir.Graph, src string) {
	t.Helper()
	_, what, _ := strings.Cut(src, "// text only: ")
	what, _, _ = strings.Cut(what, "\n")
	_, err := lowering.Compile(context.Background(), g, target.Host())
	op, why, _ := strings.Cut(what, ": ")
	var only []string
	eachOp(g, func(g *ir.Graph, v ir.Value) {
		if g.Def(v).Has(ir.TextOnly) {
			only = append(only, g.Def(v).Name+": "+ir.CallsOf(g).Of(v).WhyTextOnly())
		}
	})
	switch {
	case what == "" && (err != nil || only != nil):
		t.Errorf("chunk %d: it runs, and is refused with %v; text only are %v", n, err, only)
	case what != "" && (only == nil || !strings.HasPrefix(only[0], op+": "+why)):
		t.Errorf("chunk %d: text only are %v, not %s", n, only, what)
	case what != "" && err != nil && (!strings.Contains(err.Error(), "'"+op+"' op is text only") || !strings.Contains(err.Error(), why)):
		t.Errorf("chunk %d: it is refused with %v, not for %s", n, err, what)
	}
}

func eachOp(g *ir.Graph, f func(*ir.Graph, ir.Value)) {
	for v := range ir.ScheduleOf(g).All() {
		f(g, v)
		for _, c := range g.Children(v) {
			eachOp(c, f)
		}
	}
}
