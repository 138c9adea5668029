package random

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
)

// accesses writes functions that load and store, in all memory and in parts of it, at indices of loops, sums of them and
// remainders, under comparisons of these with each other and with the extent.
type accesses struct {
	*irtest.Writer
	indices []string
}

func (a *accesses) pick() string { return a.indices[a.IntN(len(a.indices))] }

// index makes another index.
func (a *accesses) index() string {
	op := []string{"addi", "addi", "subi", "subi", "remui", "minsi", "divui", "muli"}[a.IntN(8)]
	y := a.pick()
	if a.IntN(3) > 0 {
		y = "%c" + fmt.Sprint(1+a.IntN(3))
	}
	if strings.HasSuffix(op, "ui") {
		y = a.Def("arith.maxsi %s, %%c1 : index", y)
	}
	return a.Def("arith.%s %s, %s : index", op, a.pick(), y)
}

// part is a view from an index on, which a loop may carry.
func (a *accesses) part(x string) (name, typ string) {
	size := []string{"1", "2", "3", a.pick()}[a.IntN(4)]
	stride := []string{"1", "1", "2", "-1", a.pick()}[a.IntN(5)]
	open := func(s string) string {
		if s[0] == '%' {
			return "?"
		}
		return s
	}
	typ = fmt.Sprintf("memref<%sxi64, strided<[%s], offset: ?>>", open(size), open(stride))
	from := func(x string) string {
		return a.Def("memref.subview %%a[%s] [%s] [%s] : memref<?xi64> to %s", x, size, stride, typ)
	}
	name = from(x)
	if a.IntN(3) == 0 {
		name = a.Def("scf.for %s = %%c0 to %s step %%c1 iter_args(%s = %s) -> (%s) { scf.yield %s : %s }", a.Name(), a.pick(), a.Name(), from(a.pick()), typ, name, typ)
	}
	return name, typ
}

func (a *accesses) body(depth int) {
	outer := len(a.indices)
	for range 1 + a.IntN(2) {
		a.indices = append(a.indices, a.index())
	}
	for range a.IntN(3 - depth/2) {
		x, end := a.pick(), ""
		if a.IntN(3) > 0 {
			end = "}\n"
			a.Line("scf.if %s {", a.inside(x))
		}
		memory, typ := "%a", "memref<?xi64>"
		if a.IntN(3) == 0 {
			memory, typ = a.part(x)
			x = []string{"%c0", "%c1", x}[a.IntN(3)]
		}
		if a.IntN(2) == 0 {
			a.Line("special.print %s : i64", a.Def("memref.load %s[%s] : %s", memory, x, typ))
		} else {
			a.Line("memref.store %s, %s[%s] : %s", a.Def("arith.index_cast %s : index to i64", a.pick()), memory, x, typ)
		}
		a.WriteString(end)
	}
	if depth > 0 {
		if a.IntN(5) < 2 {
			lower, upper := []string{"%c0", "%c1", "%i"}[a.IntN(3)], []string{"%d", "%d", "%n", "%c3", a.pick()}[a.IntN(5)]
			v := a.Name()
			a.Line("scf.for %s = %s to %s step %%c%d {", v, lower, upper, 1+a.IntN(2))
			a.indices = append(a.indices, v)
			a.body(depth - 1)
			a.Line("}")
		} else {
			a.Line("scf.if %s {", a.condition())
			a.body(depth - 1)
			a.Line("} else {")
			a.body(depth - 1)
			a.Line("}")
		}
	}
	a.indices = a.indices[:outer]
}

// inside is a condition under which an index is within bounds, or almost.
func (a *accesses) inside(x string) string {
	if a.IntN(2) == 0 {
		return a.Def("arith.cmpi %s, %s, %%d : index", []string{"ult", "ult", "ult", "ule"}[a.IntN(4)], x)
	}
	low := a.Def("arith.cmpi %s, %%c0, %s : index", []string{"sle", "slt"}[a.IntN(2)], x)
	return a.Def("arith.andi %s, %s : i1", low, a.Def("arith.cmpi %s, %%d, %s : index", []string{"sgt", "sgt", "sge"}[a.IntN(3)], x))
}

func (a *accesses) condition() string {
	compare := func() string {
		p := []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}[a.IntN(10)]
		x, y := a.pick(), []string{"%d", "%c0", "%n", a.pick()}[a.IntN(4)]
		if a.IntN(3) == 0 {
			x, y = y, x
		}
		return a.Def("arith.cmpi %s, %s, %s : index", p, x, y)
	}
	c := compare()
	if a.IntN(2) == 0 {
		c = a.Def("arith.%s %s, %s : i1", []string{"andi", "andi", "ori"}[a.IntN(3)], c, compare())
	}
	return c
}

// Compiled code traps where the interpreter does: a check that is left out for what loops
// and conditions around say was of no use. Comparisons that these decide come out as they
// would.
func TestChecks(t *testing.T) {
	t.Parallel()
	e := onLLVM(t, engine.Options{})
	defer e.Close()
	ctx := ir.NewContext(dialects.All...)
	var graphs []*ir.Graph
	var texts []string
	for seed := range uint64(min(*programs, 60)) {
		a := &accesses{Writer: irtest.NewWriter(*firstSeed+seed, 12), indices: []string{"%i", "%n", "%c1"}}
		a.WriteString("func.func @f(%a: memref<?xi64>, %i: index, %n: index) {\n")
		for k := range 4 {
			a.Line("%%c%d = arith.constant %d : index", k, k)
		}
		a.WriteString("%d = memref.dim %a, %c0 : memref<?xi64>\n")
		a.body(3)
		a.WriteString("return\n}\n")
		g, ds := text.Parse(ctx, diag.NewSource("t.mlir", a.String()), text.Options{})
		if err := ds.Err(); err != nil {
			t.Fatalf("%v\n%s", err, a.String())
		}
		graphs, texts = append(graphs, g), append(texts, a.String())
	}
	compiled, err := e.Prepare(context.Background(), graphs...)
	if err != nil {
		t.Fatal(err)
	}
	ended, trapped := 0, 0
	for k, c := range compiled {
		cleaned := graphs[k]
		for range 3 {
			cleaned = ir.Rewrite(ctx, ir.ScheduleOf(cleaned), ctx.Cleanups(), nil)
		}
		for size := range int64(4) {
			for _, in := range [][2]int64{{0, size}, {2, 3}, {-1, 1}, {1<<63 - 1, 2}} {
				want, wantTrap, ok := accessed(t, graphs[k], size, in, nil)
				if !ok {
					continue // it runs for long
				}
				if got, trap, _ := accessed(t, cleaned, size, in, nil); trap != wantTrap || !trap && got != want {
					t.Fatalf("seed %d, %d elements, %v, cleaned up: trap %v, %s, want trap %v, %s\n%s", *firstSeed+uint64(k), size, in, trap, got, wantTrap, want, texts[k])
				}
				got, trap, _ := accessed(t, graphs[k], size, in, c)
				if trap != wantTrap || !trap && got != want {
					t.Fatalf("seed %d, %d elements, %v: trap %v, %s, want trap %v, %s\n%s", *firstSeed+uint64(k), size, in, trap, got, wantTrap, want, texts[k])
				}
				if trap {
					trapped++
				} else {
					ended++
				}
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	const rule = "cmpi: decided by the conditions and the loops around"
	if !slices.Contains(ctx.FiredRules(), rule) {
		t.Errorf("%q never fired", rule)
	}
	t.Logf("%d runs ended, %d trapped", ended, trapped)
	if n := 2 * len(graphs); ended < n || trapped < n {
		t.Errorf("only %d runs ended, and %d trapped", ended, trapped)
	}
}

// accessed runs @f in the interpreter, or compiled: what it prints and leaves in memory,
// and whether it traps; not ok if the interpreter gives up.
func accessed(t *testing.T, g *ir.Graph, size int64, in [2]int64, c engine.Program) (out string, trap, ok bool) {
	t.Helper()
	var printed []interp.Printed
	m, err := interp.New(g, interp.Options{Fuel: 1 << 16, Output: func(p interp.Printed) { printed = append(printed, p) }})
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.NewMemRef(ir.I64, size)
	if err != nil {
		t.Fatal(err)
	}
	for i := range size {
		r.Buf.Store(int(i), ir.IntVal(i*10, 64))
	}
	args := []ir.Val{{Ref: r}, ir.IntVal(in[0], 64), ir.IntVal(in[1], 64)}
	if c == nil {
		_, err = m.Call("f", args)
	} else {
		_, printed, err = c.Call(context.Background(), "f", args)
	}
	if err != nil && !ir.IsTrap(err) {
		if c != nil {
			t.Fatal(err)
		}
		return "", false, false
	}
	var b strings.Builder
	for _, p := range printed {
		fmt.Fprintln(&b, p.Val.Bits)
	}
	for i := range r.Buf.Len() {
		fmt.Fprintln(&b, r.Buf.Load(i).Bits)
	}
	return b.String(), err != nil, true
}
