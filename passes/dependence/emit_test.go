package dependence

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
)

// A random program written as MLIR, each statement in loops of its own, and read again
// has the dependences, offsets and dummies of the program itself.
func TestReader(t *testing.T) {
	rounds := 500
	if testing.Short() {
		rounds = 60
	}
	rng := rand.New(rand.NewPCG(8, 21))
	edges := 0
	for range rounds {
		lines := randomProgram(rng)
		p := program(t, lines)
		for _, s := range p.Statements { // loops are shared by nobody
			own := map[*Loop]*Loop{}
			for i, l := range s.Domain.Loops {
				c := *l
				own[l], s.Domain.Loops[i] = &c, &c
			}
			for i := range s.Accesses {
				s.Accesses[i].Domain = s.Domain
			}
		}
		source := written(p)
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("p.mlir", source), text.Options{Verbatim: true})
		if list.Err() != nil {
			t.Fatalf("%v\n%s", list, source)
		}
		got, err := AnalyzeAll(g, Options{})
		if err != nil || len(got) != 1 {
			t.Fatal(len(got), err)
		}
		want := Analyze(p)
		for k, i := range want.Infos {
			a, b := ordinary(i), ordinary(got[0].Infos[k])
			if a != b {
				t.Fatalf("%s\n%s\n%s: %s as a program, %s as MLIR", lines, source, i.ID, a, b)
			}
			edges += strings.Count(a, "S") + strings.Count(a, "K")
		}
		if a, b := cliqueText(want), cliqueText(got[0]); a != b {
			t.Fatalf("%s\n%s\ndummies %s as a program, %s as MLIR", lines, source, a, b)
		}
	}
	t.Logf("%d programs, %d dependences", rounds, edges)
}

// ordinary spells ordinary dependences with offsets, loops without names.
func ordinary(i *Info) string {
	var out []string
	for _, d := range i.Dependences {
		if d.Kind != Ordinary {
			continue
		}
		x := d.Label()
		for _, o := range d.Offsets {
			x += " " + o.String()
		}
		out = append(out, x)
	}
	return strings.Join(out, ", ")
}

// mlir writes a program as MLIR.
type mlir struct{ *irtest.Writer }

func written(p *Program) string {
	w := mlir{irtest.NewWriter(0, 0)}
	w.Line("func.func @f(%%a: i1, %%k: index, %%x: memref<4xf64>, %%z: memref<3x2xf64>, %%s: memref<f64>) {")
	w.Line("%%one = arith.constant 1 : index")
	w.Line("%%true = arith.constant true")
	w.Line("%%zero = arith.constant 0.0 : f64")
	for _, s := range p.Statements {
		for _, l := range s.Domain.Loops {
			lo, hi := w.affine(*l.Lo), w.affine(*l.Hi)
			w.Line("scf.for %%%s = %s to %s step %%one {", l.Index, lo, hi)
		}
		for _, c := range s.Domain.Conds {
			w.Line("scf.if %s {", w.cond(c))
		}
		sum := "%zero"
		for i := range s.Accesses[1:] {
			e := w.element(&s.Accesses[1+i])
			v := w.Def("memref.load %s", e)
			sum = w.Def("arith.addf %s, %s : f64", sum, v)
		}
		w.Line("memref.store %s, %s", sum, strings.Replace(w.element(&s.Accesses[0]), " : ", " {dep.operator} : ", 1))
		for range len(s.Domain.Loops) + len(s.Domain.Conds) {
			w.Line("}")
		}
	}
	w.Line("return\n}")
	return w.String()
}

func (w mlir) affine(a presburger.Sum) string {
	v := w.Def("arith.constant %d : index", a.Const)
	for _, t := range a.Terms {
		c := w.Def("arith.constant %d : index", t.Times)
		v = w.Def("arith.addi %s, %s : index", v, w.Def("arith.muli %%%s, %s : index", t.Var, c))
	}
	return v
}

func (w mlir) cond(c Cond) string {
	switch c.op {
	case holds:
		return "%a"
	case fails:
		return w.Def("arith.xori %%a, %%true : i1")
	}
	name := map[condOp]string{equal: "eq", unequal: "ne", atLeast: "sge"}[c.op]
	return w.Def("arith.cmpi %s, %s, %s : index", name, w.affine(c.a), w.affine(presburger.Number(0)))
}

func (w mlir) element(a *Access) string {
	var subs []string
	for _, s := range a.Subs {
		subs = append(subs, w.affine(s.Lo))
	}
	types := map[string]string{"x": "memref<4xf64>", "z": "memref<3x2xf64>", "s": "memref<f64>"}
	return fmt.Sprintf("%%%s[%s] : %s", a.Var.Name, strings.Join(subs, ", "), types[a.Var.Name])
}
