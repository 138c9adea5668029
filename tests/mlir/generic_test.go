package mlir_test

import (
	"regexp"
	"strings"
	"testing"
)

// reread is one of our prints for MLIR to read.
type reread struct {
	chunk
	verbatim bool
	ours     string
}

// What we print in generic form is read by MLIR; and built verbatim, it is for
// MLIR the same program as what was written.
func TestGenericAccepted(t *testing.T) {
	opt := tool(t, "mlir-opt-19")
	var tried []reread
	refused := 0
	for _, c := range chunks(t) {
		if strings.Contains(c.text, "ub.freeze") { // MLIR 19 does not have it
			continue
		}
		ctx := newContext()
		for _, verbatim := range []bool{true, false} {
			g, err := parse(ctx, c.file, c.text, verbatim)
			if err != nil {
				if refused++; verbatim {
					checkRefusal(t, opt, c, err)
				}
				continue
			}
			tried = append(tried, reread{c, verbatim, printed(t, g, true)})
		}
	}
	t.Logf("%d prints, %d refusals", len(tried), refused)
	if len(tried) < 30 {
		t.Fatalf("only %d programs of ours were read", len(tried))
	}
	accepted(t, opt, tried)
	same(t, opt, tried)
}

// oursAlone are refusals of what MLIR reads: several blocks in a region, which -verbatim does not keep, and uses
// before definitions, which it allows right inside a module.
var oursAlone = []string{"becomes ifs and loops when it is read", "has one block only", "nothing says where it goes", "is not visible here"}

// checkRefusal says whether MLIR too refuses a program that we refuse.
func checkRefusal(t *testing.T, opt string, c chunk, why error) {
	t.Helper()
	for _, s := range oursAlone {
		if strings.Contains(why.Error(), s) {
			return
		}
	}
	if _, err := pipe(t, c.text, opt, "-allow-unregistered-dialect"); err == nil {
		t.Errorf("%s chunk %d: MLIR reads it, irc says %v", c.file, c.n, why)
	}
}

// read gives many programs to one mlir-opt; ok is false if it refuses any.
func read(t *testing.T, opt string, texts []string) (out []string, err error) {
	t.Helper()
	all, err := pipe(t, strings.Join(texts, separator), opt, "-allow-unregistered-dialect", "-split-input-file", "-mlir-print-op-generic")
	if err != nil {
		return nil, err
	}
	return strings.Split(all, separator), nil
}

// accepted finds the prints that MLIR refuses, all at once, and one by one only
// if there are any.
func accepted(t *testing.T, opt string, tried []reread) {
	t.Helper()
	var texts []string
	for _, r := range tried {
		texts = append(texts, r.ours)
	}
	if _, err := read(t, opt, texts); err == nil {
		return
	}
	for _, r := range tried {
		if _, err := pipe(t, r.ours, opt, "-allow-unregistered-dialect"); err != nil {
			t.Errorf("%s chunk %d (verbatim: %v): mlir-opt refuses what we print: %v\n%s", r.file, r.n, r.verbatim, err, clip(r.ours, 2000))
		}
	}
}

// same compares what MLIR reads of the verbatim prints with what it reads of the
// sources.
func same(t *testing.T, opt string, tried []reread) {
	t.Helper()
	var theirs, ours []string
	var about []reread
	for _, r := range tried {
		if !r.verbatim {
			continue
		}
		if _, err := pipe(t, r.text, opt, "-allow-unregistered-dialect"); err != nil {
			continue // ours is more than MLIR has: the dialects bugs, device ...
		}
		about, theirs, ours = append(about, r), append(theirs, r.text), append(ours, r.ours)
	}
	if len(about) < 15 {
		t.Fatalf("only %d programs can be compared", len(about))
	}
	want, err := read(t, opt, theirs)
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(t, opt, ours)
	if err != nil {
		return // said already
	}
	if len(got) != len(want) || len(got) != len(about) {
		t.Fatalf("%d programs in, %d and %d out", len(about), len(want), len(got))
	}
	for i, r := range about {
		if strings.TrimSpace(want[i]) != strings.TrimSpace(got[i]) {
			t.Errorf("%s chunk %d: verbatim print is another program to MLIR:\n%s", r.file, r.n, difference(want[i], got[i]))
		}
	}
}

// difference shows the first line that differs.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) || w[i] != g[i] {
			return "want " + w[i] + "\ngot  " + strings.Join(g[min(i, len(g)):min(i+1, len(g))], "")
		}
	}
	return "more lines: " + g[len(w)]
}

var opName = regexp.MustCompile(`"[A-Za-z_][\w]*\.[\w.]+"(<[^>]*>)?\(`)

// numOps counts the ops of a program in generic form.
func numOps(generic string) int { return len(opName.FindAllString(generic, -1)) }
