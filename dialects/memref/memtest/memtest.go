// Package memtest helps the tests of scf, memref and tests/extend/lms: it reads programs,
// runs them as written and as built, and compares them with mlir-opt.
package memtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/cf"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
)

// Context has the dialects that the tests are written in, and more.
func Context(more ...*ir.Dialect) *ir.Context {
	return ir.NewContext(append([]*ir.Dialect{builtin.Dialect, funcs.Dialect, arith.Dialect, cf.Dialect, scf.Dialect, memref.Dialect, ub.Dialect}, more...)...)
}

// Parse reads a program that must be right.
func Parse(t *testing.T, c *ir.Context, src string, opts text.Options) *ir.Graph {
	t.Helper()
	opts.AllowUnregistered = true
	g, errs := text.Parse(c, diag.NewSource("test.mlir", src), opts)
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\nin\n%s", err, src)
	}
	if err := ir.Verify(g); err != nil {
		t.Fatalf("%v\nin\n%s", err, text.String(g, text.PrintOptions{}))
	}
	return g
}

// Rebuild is the identity: it sees what loops write.
func Rebuild(t *testing.T, g *ir.Graph) *ir.Graph {
	t.Helper()
	return Rewrite(t, g, nil)
}

// Rewrite applies rules once.
func Rewrite(t *testing.T, g *ir.Graph, r ir.Rules) *ir.Graph {
	t.Helper()
	out := ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), r, nil)
	if err := ir.Verify(out); err != nil {
		t.Fatalf("after rewriting: %v\n%s", err, text.String(out, text.PrintOptions{}))
	}
	return out
}

// Text prints a graph.
func Text(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }

// Outcome is what a run shows: its output and results, or its trap.
func Outcome(t *testing.T, g *ir.Graph, fn string, args ...ir.Val) string {
	t.Helper()
	m, err := interp.New(g, interp.Options{Fuel: 1 << 22, Extern: Externs})
	if err != nil {
		t.Fatal(err)
	}
	res, err := m.Call(fn, args)
	var b strings.Builder
	for _, p := range m.Printed() {
		b.WriteString(interp.FormatPrinted(g.Ctx, p))
	}
	if err != nil {
		if f := new(interp.Failure); errors.As(err, &f) && f.IsTrap() {
			return b.String() + "trap: " + f.Err.Error()
		}
		t.Fatalf("%v\n%s", err, Text(g))
	}
	for _, r := range res {
		fmt.Fprintf(&b, "%d ", int64(r.Bits))
	}
	return b.String()
}

// Externs are the functions that programs may declare: @show prints an index.
var Externs = map[string]func(m *interp.Machine, args []ir.Val) ([]ir.Val, error){
	"show": func(m *interp.Machine, args []ir.Val) ([]ir.Val, error) {
		m.Emit(interp.Printed{Kind: interp.PrintText, Text: fmt.Sprintf("%d,", int64(args[0].Bits))})
		return nil, nil
	},
}

// Same runs @f as written, as built, and rebuilt, for each list of arguments; all
// must show the same, and that is returned. A trap of the program as written may
// be gone afterwards, but no new one may come.
func Same(t *testing.T, src string, argLists ...[]int64) []string {
	t.Helper()
	return SameIn(t, Context(), src, argLists...)
}

// SameIn is Same in a given context.
func SameIn(t *testing.T, c *ir.Context, src string, argLists ...[]int64) []string {
	t.Helper()
	written := Parse(t, c, src, text.Options{Verbatim: true})
	built := Parse(t, c, src, text.Options{})
	graphs := map[string]*ir.Graph{"built": built, "rebuilt": Rebuild(t, built), "pruned": Prune(t, built)}
	var out []string
	for _, list := range argLists {
		args := lists.Map(list, func(n int64) ir.Val { return ir.Val{Bits: uint64(n)} })
		want := Outcome(t, written, "f", args...)
		for name, g := range graphs {
			if got := Outcome(t, g, "f", args...); got != want && !strings.Contains(want, "trap: ") {
				t.Errorf("@f%v %s gives %q, as written %q\n%s", list, name, got, want, Text(g))
			}
		}
		out = append(out, want)
	}
	return out
}

// Prune applies the rules that see users.
func Prune(t *testing.T, g *ir.Graph) *ir.Graph {
	t.Helper()
	return Rewrite(t, g, g.Ctx.Cleanups())
}

// Fires checks that a program's construction uses a fold.
func Fires(t *testing.T, rule, src string) *ir.Graph {
	t.Helper()
	c := Context()
	g := Parse(t, c, src, text.Options{})
	if !slices.Contains(c.FiredRules(), rule) {
		t.Errorf("rule %q does not fire; there fired %q\n%s", rule, c.FiredRules(), Text(g))
	}
	return g
}

// Count counts the ops of a name in all functions.
func Count(g *ir.Graph, name string) int {
	n := 0
	for x := range g.All() {
		if x.Def().Name == name {
			n++
		}
	}
	return n
}

// RoundTrip reads a file, prints it in the pretty form and reads that again;
// both must print alike, and mlir-opt must read what is printed as it reads the
// file itself.
func RoundTrip(t *testing.T, file string, more ...*ir.Dialect) {
	t.Helper()
	src, pretty := fixedPoint(t, Context(more...), file)
	c := Context(more...)
	g := Parse(t, c, src, text.Options{Verbatim: true})
	built := Text(Parse(t, c, src, text.Options{}))
	opt, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("the comparison with MLIR needs mlir-opt-19 (mlir-19-tools)")
	}
	want := mlir(t, opt, src, "-mlir-print-op-generic")
	if got := mlir(t, opt, pretty, "-mlir-print-op-generic"); got != want {
		t.Errorf("%s: mlir-opt reads our pretty form otherwise: %s", file, firstDifference(got, want))
	}
	generic := text.String(g, text.PrintOptions{Generic: true})
	if got := mlir(t, opt, generic, "-mlir-print-op-generic"); got != want {
		t.Errorf("%s: mlir-opt reads our generic form otherwise: %s", file, firstDifference(got, want))
	}
	mlir(t, opt, built)
	back := Parse(t, c, want, text.Options{Verbatim: true})
	if got := Text(back); got != pretty {
		t.Errorf("%s: we read mlir-opt's generic form otherwise: %s", file, firstDifference(got, pretty))
	}
}

// FixedPoint is the part of RoundTrip that needs no mlir-opt, in a given context.
func FixedPoint(t *testing.T, c *ir.Context, file string) {
	t.Helper()
	fixedPoint(t, c, file)
}

func fixedPoint(t *testing.T, c *ir.Context, file string) (source, pretty string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g := Parse(t, c, string(src), text.Options{Verbatim: true})
	pretty = Text(g)
	again := Parse(t, c, pretty, text.Options{Verbatim: true})
	if p := Text(again); p != pretty {
		t.Errorf("%s: printing is no fixed point:\n%s\nthen\n%s", file, pretty, p)
	}
	built := Text(Parse(t, c, string(src), text.Options{}))
	if p := Text(Parse(t, c, built, text.Options{})); p != built {
		t.Errorf("%s: printing what was built is no fixed point:\n%s\nthen\n%s", file, built, p)
	}
	return string(src), pretty
}

func mlir(t *testing.T, opt, src string, flags ...string) string {
	t.Helper()
	cmd := exec.Command(opt, flags...)
	cmd.Stdin = strings.NewReader(src)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		t.Fatalf("mlir-opt: %v\n%s\nin\n%s", err, msg.String(), src)
	}
	return out.String()
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is\n%s\nwanted\n%s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, wanted %d", len(a), len(b))
}

// Refused checks that a program is refused with a message that contains want.
func Refused(t *testing.T, src, want string) {
	t.Helper()
	_, errs := text.Parse(Context(), diag.NewSource("test.mlir", src), text.Options{})
	switch err := errs.Err(); {
	case err == nil:
		t.Errorf("accepted, though %q:\n%s", want, src)
	case !strings.Contains(err.Error(), want):
		t.Errorf("refused with\n%v\nwanted %q", err, want)
	}
}

// Shape prints the ops of a function that have the given names, without the
// dialect, and braces for the regions of those.
func Shape(g *ir.Graph, fn string, names ...string) string {
	var out []string
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	for v := range s.All() {
		for _, c := range g.Children(v) {
			if a := g.Attr(v, "sym_name"); a != 0 && g.Ctx.AttrInfo(a).Str == fn {
				out = append(out, shapeOf(ir.NewSchedule(c, ir.ScheduleOptions{}), ir.Root, names))
			} else if in := Shape(c, fn, names...); in != "" {
				out = append(out, in)
			}
		}
	}
	return strings.Join(out, " ")
}

func shapeOf(s *ir.Schedule, r ir.Region, names []string) string {
	g := s.Graph()
	var out []string
	for _, v := range s.Body(r) {
		name := g.Def(v).Name
		if !slices.Contains(names, name) {
			continue
		}
		_, name, _ = strings.Cut(name, ".")
		for _, in := range g.Regions(v) {
			name += "{" + shapeOf(s, in, names) + "}"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}
