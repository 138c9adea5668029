package mlir_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
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
	var doubtful []chunk
	var why []error
	refused := 0
	for _, c := range chunks(t) {
		if strings.Contains(c.text, "ub.freeze") { // MLIR 19 does not have it
			continue
		}
		ctx := newContext()
		for _, verbatim := range []bool{true, false} {
			g, err := parse(ctx, c.file, c.text, verbatim)
			if err != nil {
				if refused++; verbatim && !isOursAlone(err) {
					doubtful, why = append(doubtful, c), append(why, err)
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
	for i, reads := range whichAreRead(t, opt, doubtful) {
		if reads {
			t.Errorf("%s chunk %d: MLIR reads it, irc says %v", doubtful[i].file, doubtful[i].n, why[i])
		}
	}
	accepted(t, opt, tried)
	same(t, opt, tried)
}

// oursAlone are refusals of what MLIR reads: several blocks in a region, which -verbatim does not keep, and uses
// before definitions, which it allows right inside a module.
var oursAlone = []string{"becomes ifs and loops when it is read", "has one block only", "nothing says where it goes", "is not visible here"}

func isOursAlone(why error) bool {
	return slices.ContainsFunc(oursAlone, func(s string) bool { return strings.Contains(why.Error(), s) })
}

var errorLine = regexp.MustCompile(`(?m)^within split at <stdin>:(\d+) offset \S+ error: `)

// whichAreRead gives programs to one mlir-opt, which goes on behind those that it refuses.
func whichAreRead(t *testing.T, opt string, cs []chunk) []bool {
	t.Helper()
	out, ends, line := make([]bool, len(cs)), make([]int, len(cs)), 0
	var all strings.Builder
	for i, c := range cs {
		text := c.text + "\n" + separator
		all.WriteString(text)
		line += strings.Count(text, "\n")
		out[i], ends[i] = true, line
	}
	cmd := exec.CommandContext(t.Context(), opt, "-allow-unregistered-dialect", "-split-input-file", "-o", os.DevNull)
	cmd.Stdin = strings.NewReader(all.String())
	said, _ := cmd.CombinedOutput()
	for _, m := range errorLine.FindAllStringSubmatch(string(said), -1) {
		n, _ := strconv.Atoi(m[1])
		at, behind := slices.BinarySearch(ends, n) // it names the line that ends the program before
		if behind {
			at++
		}
		out[at] = false
	}
	return out
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
	var all []chunk
	tried = slices.DeleteFunc(tried, func(r reread) bool { return !r.verbatim })
	for _, r := range tried {
		all = append(all, r.chunk)
	}
	for i, reads := range whichAreRead(t, opt, all) {
		if reads { // ours is more than MLIR has: the dialects bugs, device ...
			r := tried[i]
			about, theirs, ours = append(about, r), append(theirs, r.text), append(ours, r.ours)
		}
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
	t.Logf("%d programs are compared", len(about))
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
