package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// Each "// run: NAME [arguments as JSON]" line of the files gives the same results,
// arguments, output and traps on both engines.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	e, ref := native(t, Options{}), eval(t)
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g := parse(t, string(src))
		p, q := prepare(t, e, g), prepare(t, ref, g)
		vg := parseAs(t, string(src), text.Options{Verbatim: true})
		verbatim := prepare(t, e, vg)
		for line := range strings.Lines(string(src)) {
			rest, ok := strings.CutPrefix(line, "// run: ")
			if !ok {
				continue
			}
			name, json, _ := strings.Cut(strings.TrimSpace(rest), " ")
			want, got := runJSON(t, g, q, name, json), runJSON(t, g, p, name, json)
			if got != want {
				t.Errorf("%s: %s\neval: %s\nllvm: %s", file, rest, want, got)
			}
			if name == "globals" {
				continue // it counts its calls
			}
			if got := runJSON(t, vg, verbatim, name, json); got != want {
				t.Errorf("%s: %s\neval: %s\nverbatim: %s", file, rest, want, got)
			}
		}
	}
}

// runJSON runs a function and writes all that it shows.
func runJSON(t *testing.T, g *ir.Graph, p Program, name, json string) string {
	in, out, err := p.Signature(name)
	if err != nil {
		return err.Error()
	}
	args, err := interp.ArgsFromJSON(g.Ctx, in, []byte(json), nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	vals, printed, err := p.Call(t.Context(), name, args)
	var b bytes.Buffer
	for _, x := range printed {
		b.WriteString(interp.FormatPrinted(g.Ctx, x))
	}
	if ir.IsTrap(err) {
		return b.String() + "trap"
	}
	if err != nil {
		return b.String() + err.Error()
	}
	for _, part := range []struct {
		vals  []ir.Val
		types []ir.Type
	}{{vals, out}, {args, in}} {
		s, err := interp.ToJSON(g.Ctx, part.vals, part.types)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(s)
		b.WriteByte(' ')
	}
	return b.String()
}
