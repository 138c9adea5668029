package prove

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

func module(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("in.mlir", src), text.Options{Verbatim: true})
	if errs.Err() != nil {
		t.Fatalf("%v\nin\n%s", errs, src)
	}
	return g
}

// agree runs @main, whose arguments are integers of the given widths, on all of them, by the interpreter and by the circuit.
func agree(t *testing.T, src string, widths ...int) {
	t.Helper()
	g := module(t, src)
	p := &proof{Circuit: circuit.New()}
	main := Function{Bodies(g)["main"], Bodies(g)}
	if err := p.arguments(Question{Src: main, Tgt: main, NoPoison: true}); err != nil {
		t.Fatal(err)
	}
	got, err := p.translate(main)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, src)
	}
	machine, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bits := 0
	for _, w := range widths {
		bits += w
	}
	for n := range uint64(1) << bits {
		m, args, rest := circuit.Model{}, []ir.Val{}, n
		for i, w := range widths {
			args = append(args, ir.IntVal(int64(rest&(1<<w-1)), w))
			for k, b := range p.args[i][0].Bits {
				m[b] = rest>>k&1 == 1
			}
			rest >>= w
		}
		want := "undefined behaviour"
		if out, err := machine.Call("main", args); err == nil {
			want = ""
			for i, v := range out {
				if i > 0 {
					want += ", "
				}
				want += written(v, len(got.results[i][0].Bits))
			}
		}
		if have := p.describe(m, got); have != want {
			t.Fatalf("on %v the circuit gives %s, and the interpreter %s, of\n%s", args, have, want, src)
		}
	}
}

func written(v ir.Val, w int) string {
	switch {
	case v.IsPoison():
		return "poison"
	case w == 1:
		return fmt.Sprint(v.Bits&1 == 1)
	}
	return fmt.Sprint(v.Int(w))
}

// poisonable is the text of a function @main that calls an op on arguments, each poison where a flag says so.
func poisonable(op, types string, results string, n, w int) (src string, widths []int) {
	var b strings.Builder
	b.WriteString("func.func @main(")
	for i := range n {
		fmt.Fprintf(&b, "%%a%d: i%d, %%p%d: i1, ", i, w, i)
		widths = append(widths, w, 1)
	}
	src = strings.TrimSuffix(b.String(), ", ") + ") -> (" + results + ") {\n"
	args := make([]string, n)
	for i := range n {
		src += fmt.Sprintf("  %%q%d = ub.poison : i%d\n  %%x%d = arith.select %%p%d, %%q%d, %%a%d : i%d\n", i, w, i, i, i, i, w)
		args[i] = fmt.Sprintf("%%x%d", i)
	}
	k := strings.Count(results, ",") + 1
	left, out := "%r", "%r"
	if k == 2 {
		left, out = "%r:2", "%r#0, %r#1"
	}
	return src + "  " + left + " = " + fmt.Sprintf(op, lists(args)...) + " : " + types + "\n  return " + out + " : " + results + "\n}\n", widths
}

func lists(args []string) (out []any) {
	for _, a := range args {
		out = append(out, a)
	}
	return out
}

// Each row means what the interpreter does, poison and undefined behaviour included.
func TestRowsAgreeWithInterpreter(t *testing.T) {
	asked := map[string]bool{}
	for _, w := range []int{1, 3, 4} {
		own := fmt.Sprintf("i%d", w)
		try := func(name, form, types, results string, n int) {
			asked[name] = true
			src, widths := poisonable(form, types, results, n, w)
			t.Run(fmt.Sprintf("%s/i%d", form, w), func(t *testing.T) { agree(t, src, widths...) })
		}
		for _, name := range []string{"addi", "subi", "muli", "shli"} {
			for _, flags := range []string{"", " overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"} {
				try("arith."+name, "arith."+name+" %s, %s"+flags, own, own, 2)
			}
		}
		for _, name := range strings.Fields("shrui shrsi andi ori xori maxsi minsi maxui minui divui divsi remui remsi ceildivui ceildivsi floordivsi") {
			try("arith."+name, "arith."+name+" %s, %s", own, own, 2)
		}
		for _, p := range strings.Fields("eq ne slt sle sgt sge ult ule ugt uge") {
			try("arith.cmpi", "arith.cmpi "+p+", %s, %s", own, "i1", 2)
		}
		if w < 4 { // 2^17 programs of two numbers that may be poison are enough elsewhere
			try("math.ipowi", "math.ipowi %s, %s", own, own, 2)
		}
		try("arith.addui_extended", "arith.addui_extended %s, %s", own+", i1", own+", i1", 2)
		for _, name := range []string{"mului_extended", "mulsi_extended"} {
			try("arith."+name, "arith."+name+" %s, %s", own, own+", "+own, 2)
		}
		for _, name := range []string{"absi", "ctlz", "cttz", "ctpop"} {
			try("math."+name, "math."+name+" %s", own, own, 1)
		}
		for _, name := range []string{"extui", "extsi"} {
			try("arith."+name, "arith."+name+" %s", own+" to i6", "i6", 1)
		}
		if w > 1 {
			try("arith.trunci", "arith.trunci %s", own+" to i1", "i1", 1)
		}
		for _, name := range []string{"index_cast", "index_castui"} {
			try("arith."+name, "arith."+name+" %s", own+" to index", "index", 1)
		}
	}
	src, widths := poisonable("arith.select %s, %s, %s", "i1", "i1", 3, 1)
	agree(t, src, widths...)
	asked["arith.select"], asked["ub.poison"] = true, true
	for _, name := range []string{"ub.freeze", "scf.if", "scf.execute_region", "func.call"} { // below
		asked[name] = true
	}
	for def := range Known() {
		if !asked[def.Name] {
			t.Errorf("no program has %s", def.Name)
		}
	}
}

// Choices of regions and calls mean what the interpreter does.
func TestControlAgreesWithInterpreter(t *testing.T) {
	agree(t, `func.func private @f(%x: i3, %y: i3) -> (i3, i1) {
  %z = arith.constant 0 : i3
  %c = arith.cmpi slt, %x, %z : i3
  %r = scf.if %c -> (i3) {
    %q = arith.divsi %y, %x : i3
    scf.yield %q : i3
  } else {
    %e = scf.execute_region -> i3 {
      %s = arith.addi %x, %y overflow<nsw> : i3
      scf.yield %s : i3
    }
    scf.yield %e : i3
  }
  return %r, %c : i3, i1
}
func.func @main(%x: i3, %y: i3) -> (i3, i1, i3) {
  %a:2 = func.call @f(%x, %y) : (i3, i3) -> (i3, i1)
  %b:2 = func.call @f(%y, %x) : (i3, i3) -> (i3, i1)
  %s = arith.select %a#1, %b#0, %y : i3
  return %a#0, %b#1, %s : i3, i1, i3
}
`, 3, 3)
}

// Random programs of all rows mean what the interpreter does.
func TestRandomAgreeWithInterpreter(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 7))
	ops := strings.Fields("addi subi muli shli shrui shrsi andi ori xori maxsi minsi maxui minui divui divsi remui remsi ceildivui ceildivsi floordivsi")
	for range 40 {
		var b strings.Builder
		b.WriteString("func.func @main(%v0: i3, %v1: i3, %v2: i3) -> (i3, i3) {\n")
		n := 3
		for range 6 {
			x, y := r.IntN(n), r.IntN(n)
			switch r.IntN(4) {
			case 0:
				fmt.Fprintf(&b, "  %%c%d = arith.cmpi slt, %%v%d, %%v%d : i3\n  %%v%d = arith.select %%c%d, %%v%d, %%v%d : i3\n", n, x, y, n, n, y, r.IntN(n))
			case 1:
				fmt.Fprintf(&b, "  %%v%d = arith.constant %d : i3\n", n, r.IntN(8)-4)
			default:
				name := ops[r.IntN(len(ops))]
				if r.IntN(3) > 0 {
					name = ops[r.IntN(13)]
				}
				fmt.Fprintf(&b, "  %%v%d = arith.%s %%v%d, %%v%d : i3\n", n, name, x, y)
			}
			n++
		}
		fmt.Fprintf(&b, "  return %%v%d, %%v%d : i3, i3\n}\n", n-1, n-2)
		agree(t, b.String(), 3, 3, 3)
	}
}
