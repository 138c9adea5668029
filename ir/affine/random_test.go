package affine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
)

// gen writes programs that print numbers, each after a constant that names the place.
type gen struct {
	*irtest.Writer
	places int
}

func newGen(seed, stream uint64) *gen {
	g := &gen{Writer: irtest.NewWriter(seed, stream)}
	g.Vals = map[string][]string{"i8": {"%a"}, "i32": {"%b"}, "i64": {"%c"}, "index": {"%d"}}
	return g
}

var types = []string{"i1", "i8", "i32", "i64", "index"}

func (g *gen) constant(t string) string {
	n := []int64{0, 1, 2, 3, 4, 7, 8, 12, -1, -2, -8, 100, 127, -128, 1 << 20, 1<<31 - 1, -1 << 31, 1 << 62}[g.IntN(18)]
	switch t {
	case "i1":
		return g.DefOf(t, "arith.constant %t", n&1 == 1)
	case "f64":
		return g.DefOf(t, "arith.constant %d.0 : f64", n)
	case "i8":
		n = int64(int8(n))
	case "i32":
		n = int64(int32(n))
	}
	return g.DefOf(t, "arith.constant %d : %s", n, t)
}

func (g *gen) value(t string) string {
	if vs := g.Vals[t]; len(vs) > 0 && g.IntN(4) > 0 {
		return vs[len(vs)-1-g.IntN(min(len(vs), 5))]
	}
	return g.constant(t)
}

var binary = []string{"addi", "addi", "subi", "subi", "muli", "muli", "shli", "andi", "ori", "xori", "shrui", "shrsi",
	"divui", "divsi", "remui", "remsi", "minui", "minsi", "maxui", "maxsi"}

// expression makes a value of another type, or of several.
func (g *gen) expression() {
	t := types[g.IntN(len(types))]
	switch g.IntN(10) {
	case 0:
		p := g.One("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
		g.DefOf("i1", "arith.cmpi %s, %s, %s : %s", p, g.value(t), g.value(t), t)
	case 1:
		g.DefOf(t, "arith.select %s, %s, %s : %s", g.value("i1"), g.value(t), g.value(t), t)
	case 2, 3:
		g.cast()
	default:
		op, flags := binary[g.IntN(len(binary))], ""
		if (op == "addi" || op == "subi" || op == "muli" || op == "shli") && g.IntN(3) == 0 {
			flags = " overflow<nsw>"
		}
		y := g.value(t)
		if strings.HasPrefix(op, "sh") || strings.HasPrefix(op, "div") || strings.HasPrefix(op, "rem") {
			y = g.constant(t)
			if op[0] != 's' { // no division by zero
				one := g.DefOf(t, "arith.constant %s", map[bool]string{true: "true", false: "1 : " + t}[t == "i1"])
				if y = g.DefOf(t, "arith.maxsi %s, %s : %s", y, one, t); t == "i1" {
					y = one
				}
			}
		}
		g.DefOf(t, "arith.%s %s, %s%s : %s", op, g.value(t), y, flags, t)
	}
}

func (g *gen) cast() {
	pairs := [][3]string{{"extui", "i8", "i32"}, {"extsi", "i8", "i32"}, {"extui", "i32", "i64"}, {"extsi", "i32", "i64"},
		{"trunci", "i64", "i32"}, {"trunci", "i32", "i8"}, {"extui", "i1", "i64"}, {"extsi", "i1", "i8"},
		{"index_cast", "i64", "index"}, {"index_cast", "index", "i64"}, {"index_castui", "i32", "index"}, {"index_cast", "i32", "index"}, {"index_cast", "index", "i32"}}
	p := pairs[g.IntN(len(pairs))]
	g.DefOf(p[2], "arith.%s %s : %s to %s", p[0], g.value(p[1]), p[1], p[2])
}

// show prints a value of each type.
func (g *gen) show() {
	for _, t := range types {
		if vs := g.Vals[t]; len(vs) > 0 {
			id := g.Name()
			fmt.Fprintf(g, "%s = arith.constant %d : i64\nspecial.print %s : i64\nspecial.print %s : %s\n", id, g.places, id, vs[g.IntN(len(vs))], t)
			g.places++
		}
	}
}

// region writes the body of one, which sees what is outside but not the other way.
func (g *gen) region(depth int, params map[string]string) {
	g.Scoped(func() {
		for t, v := range params {
			g.Vals[t] = append(g.Vals[t], v)
		}
		g.body(depth)
	})
}

func (g *gen) body(depth int) {
	for range 3 + g.IntN(5) {
		g.expression()
	}
	g.show()
	if depth == 0 {
		return
	}
	if g.IntN(2) == 0 {
		lower := g.DefOf("index", "arith.constant %d : index", g.IntN(20)-10)
		upper := g.DefOf("index", "arith.constant %d : index", g.IntN(30)-5)
		if g.IntN(3) == 0 {
			k := g.DefOf("index", "arith.constant 15 : index")
			upper = g.DefOf("index", "arith.andi %s, %s : index", g.value("index"), k)
		}
		step := g.DefOf("index", "arith.constant %d : index", 1+g.IntN(4))
		iv := g.Name()
		fmt.Fprintf(g, "scf.for %s = %s to %s step %s {\n", iv, lower, upper, step)
		g.region(depth-1, map[string]string{"index": iv})
		g.WriteString("}\n")
		return
	}
	fmt.Fprintf(g, "scf.if %s {\n", g.value("i1"))
	g.region(depth-1, nil)
	g.WriteString("} else {\n")
	g.region(depth-1, nil)
	g.WriteString("}\n")
}

// place is a value that is printed, and the region of that.
type place struct {
	v ir.Value
	r ir.Region
}

// placesOf lists what a function prints by the constants before it.
func placesOf(g *ir.Graph) map[uint64]place {
	out := map[uint64]place{}
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	for r := range g.NumRegions() {
		if r > 0 && (g.Owner(ir.Region(r)) == 0 || !s.Live(g.Owner(ir.Region(r)))) {
			continue
		}
		var id uint64
		named := false
		for _, v := range s.Body(ir.Region(r)) {
			if g.Def(v) != special.Print {
				continue
			}
			if named = !named; named {
				c, _ := g.Const(g.Args(v)[0])
				id = c.Bits
			} else {
				out[id] = place{g.Args(v)[0], ir.Region(r)}
			}
		}
	}
	return out
}

// read reads a program of one function, and run runs it and lists what it prints, until
// it ends or traps.
func read(t *testing.T, ctx *ir.Context, src string) (m, f *ir.Graph) {
	t.Helper()
	m, ds := text.Parse(ctx, diag.NewSource("t.mlir", src), text.Options{})
	if err := ds.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	for f = m; !f.IsLeaf(); { // a module of one function
		f = f.Children(ir.NewSchedule(f, ir.ScheduleOptions{}).Body(ir.Root)[0])[0]
	}
	return m, f
}

func run(t *testing.T, m *ir.Graph, args []ir.Val) (printed []ir.Val) {
	t.Helper()
	mach, err := interp.New(m, interp.Options{Fuel: 1 << 20, Output: func(p interp.Printed) { printed = append(printed, p.Val) }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mach.Call("f", args); err != nil && !ir.IsTrap(err) {
		t.Fatal(err)
	}
	return printed
}

// What is said of a value holds for each that it has: in random expressions, loops and
// branches, on random arguments, as the interpreter runs them.
func TestRandomValues(t *testing.T) {
	said, seen := 0, 0
	for seed := range uint64(250) {
		ctx := ir.NewContext(dialects.All...)
		g := newGen(seed, 9)
		g.WriteString("func.func @f(%a: i8, %b: i32, %c: i64, %d: index) {\n")
		g.body(3)
		g.WriteString("return\n}\n")
		m, f := read(t, ctx, g.String())
		places := placesOf(f)
		for range 8 {
			args := make([]ir.Val, 4)
			for i, w := range []int{8, 32, 64, 64} {
				args[i] = ir.IntVal(int64(g.Uint64())>>g.IntN(64), w)
			}
			printed := run(t, m, args)
			for i := 0; i+1 < len(printed); i += 2 {
				p, ok := places[printed[i].Bits]
				if !ok || printed[i+1].IsPoison() {
					continue
				}
				seen++
				n := affine.Of(f).At(p.r).Number(p.v)
				x := printed[i+1].Int(n.Width)
				for _, n := range []affine.Number{n, affine.Of(f).Number(p.v), affine.Of(f).Certain().Number(p.v)} {
					if !n.Has(x) {
						t.Fatalf("seed %d: place %d has %d, but %+v is said\n%s", seed, printed[i].Bits, x, n, text.String(m, text.PrintOptions{}))
					}
				}
				if n != affine.Any(n.Width) {
					said++
				}
			}
		}
	}
	t.Logf("something is said of %d of %d values", said, seen)
	if seen < 10000 || said < seen/4 {
		t.Errorf("something is said of %d of %d values only", said, seen)
	}
}

// A linear form of a value, with what its values are in a run, is what it is in that
// run; and values that are said to differ do.
func TestRandomForms(t *testing.T) {
	forms, apart := 0, 0
	for seed := range uint64(250) {
		ctx := ir.NewContext(dialects.All...)
		g := newGen(seed, 11)
		g.WriteString("func.func @f(%a: i8, %b: i32, %c: i64, %d: index) {\n")
		for range 40 {
			t := types[1+g.IntN(4)]
			g.DefOf(t, "arith.%s %s, %s : %s", g.One("addi", "subi", "muli", "muli", "shli"), g.value(t), g.value(t), t)
		}
		for _, t := range types {
			for _, v := range g.Vals[t] {
				fmt.Fprintf(g, "%%id%d = arith.constant %d : i64\nspecial.print %%id%d : i64\nspecial.print %s : %s\n", g.places, g.places, g.places, v, t)
				g.places++
			}
		}
		g.WriteString("return\n}\n")
		m, f := read(t, ctx, g.String())
		places := placesOf(f)
		args := make([]ir.Val, 4)
		for i, w := range []int{8, 32, 64, 64} {
			args[i] = ir.IntVal(int64(g.Uint64())>>g.IntN(64), w)
		}
		has := map[ir.Value]uint64{}
		printed := run(t, m, args)
		for i := 0; i+1 < len(printed); i += 2 {
			if x := printed[i+1]; !x.IsPoison() {
				has[places[printed[i].Bits].v] = x.Bits
			}
		}
		of := affine.Of(f)
		for v, x := range has {
			l := of.Linear(v)
			sum, known := l.Const, true
			for _, term := range l.Terms {
				y, ok := has[term.Value]
				sum, known = sum+term.Coef*y, known && ok
			}
			if known && (sum^x)<<(64-l.Width) != 0 {
				t.Fatalf("seed %d: node %d has %d, its form %+v gives %d\n%s", seed, v, x, l, sum, g.String())
			}
			if known && (len(l.Terms) > 1 || len(l.Terms) == 1 && l.Terms[0].Value != v) {
				forms++
			}
			for w, y := range has {
				if f.Type(v) == f.Type(w) && of.Differ(v, w) {
					if apart++; x == y {
						t.Fatalf("seed %d: nodes %d and %d are said to differ and have %d\n%s", seed, v, w, x, g.String())
					}
				}
			}
		}
	}
	t.Logf("%d forms, %d pairs differ", forms, apart)
	if forms < 500 || apart < 10000 {
		t.Errorf("only %d forms and %d pairs that differ", forms, apart)
	}
}
