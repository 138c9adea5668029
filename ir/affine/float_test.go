package affine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/text"
)

// chooses writes floats that comparisons with constants choose, and what is whole of them.
func (g *gen) chooses() {
	number := func() string {
		return g.DefOf("constant", "arith.constant %s : f64", g.One("0.0", "-0.0", "1.0", "2.0", "2.5", "-3.5", "16.0", "1.0e10", "-2.0e20", "0x7FF8000000000000", "0x7FF0000000000000", "0xFFF0000000000000"))
	}
	number()
	for range 12 {
		x := g.value("f64")
		switch g.IntN(5) {
		case 0:
			g.DefOf("f64", "math.%s %s : f64", g.One("floor", "ceil", "round", "roundeven", "trunc", "absf"), x)
		case 1:
			y := g.One(number(), g.value("f64"))
			if g.IntN(2) == 0 {
				x, y = y, x
			}
			p := g.One("oge", "ole", "ogt", "olt", "oeq", "one", "ord", "uge", "ule", "ugt", "ult", "une", "uno", "ueq")
			g.DefOf("i1", "arith.cmpf %s, %s, %s : f64", p, x, y)
		case 2:
			g.DefOf("i1", "arith.%s %s, %s : i1", g.One("andi", "ori", "andi", "xori"), g.value("i1"), g.value("i1"))
		default:
			p := g.value("i1")
			if g.IntN(2) == 0 { // within bounds
				low := g.DefOf("i1", "arith.cmpf oge, %s, %s : f64", x, number())
				p = g.DefOf("i1", "arith.andi %s, %s : i1", low, g.DefOf("i1", "arith.cmpf %s, %s, %s : f64", g.One("ole", "olt", "ule"), x, number()))
			}
			y := g.One(x, g.value("f64"), number())
			if g.IntN(2) == 0 {
				x, y = y, x
			}
			g.DefOf("f64", "arith.select %s, %s, %s : f64", p, x, y)
		}
	}
	for range 4 {
		t := g.One("i64", "i32", "i8")
		g.DefOf(t, "arith.fptosi %s : f64 to %s", g.Vals["f64"][max(0, len(g.Vals["f64"])-1-g.IntN(4))], t)
		g.show()
	}
}

// What is said of the whole part of a float holds, whatever comparisons chose it.
func TestRandomFloats(t *testing.T) {
	said, seen := 0, 0
	for seed := range uint64(200) {
		ctx := ir.NewContext(dialects.All...)
		g := newGen(seed, 12)
		g.Vals = map[string][]string{"f64": {"%x", "%y"}, "i1": {"%p"}}
		g.WriteString("func.func @f(%x: f64, %y: f64, %p: i1) {\n")
		g.chooses()
		g.WriteString("return\n}\n")
		m, f := read(t, ctx, g.String())
		places := placesOf(f)
		numbers := []float64{0, math.Copysign(0, -1), 0.5, 1, 1.5, 2, 2.5, 2.75, 3, 15.5, 16, 16.5, 17, -3, -3.5, -4, 127, 128, 1e9, 1e10, 1e18, 1e300, -2e20, math.NaN(), math.Inf(1), math.Inf(-1)}
		for range 12 {
			args := []ir.Val{ir.F64Val(numbers[g.IntN(len(numbers))]), ir.F64Val(numbers[g.IntN(len(numbers))]), ir.BoolVal(g.IntN(2) == 0)}
			printed := run(t, m, args)
			for i := 0; i+1 < len(printed); i += 2 {
				p, ok := places[printed[i].Bits]
				if !ok || printed[i+1].IsPoison() || f.Type(p.v) == ir.I1 || f.Type(p.v) == ir.F64 {
					continue
				}
				seen++
				n := affine.Of(f).Certain().Number(p.v)
				if x := printed[i+1].Int(n.Width); !n.Has(x) {
					t.Fatalf("seed %d: place %d has %d, but %+v is said\n%s", seed, printed[i].Bits, x, n, text.String(m, text.PrintOptions{}))
				}
				if n != affine.Any(n.Width) {
					said++
				}
			}
		}
	}
	t.Logf("something is said of %d of %d values", said, seen)
	if seen < 500 || said < seen/4 {
		t.Errorf("something is said of %d of %d values only", said, seen)
	}
}

// floatFacts are decided as they are built, as facts are.
var floatFacts = []fact{
	{"a checked index is below the extent", fmt.Sprintf(checked, "oge", "ole", "%f"), "scf.if", "return"},
	{"a rounded one", strings.Replace(fmt.Sprintf(checked, "oge", "ole", "%f"), "%w = arith.fptosi %s", "%t = math.roundeven %s : f64\n  %w = arith.fptosi %t", 1), "scf.if", "return"},
	{"one that may be NaN is not", fmt.Sprintf(checked, "uge", "ule", "%f"), "memref", "scf.if"},
	{"nor one without a lower bound", fmt.Sprintf(checked, "ole", "ole", "%f"), "memref", "scf.if"},
	{"nor where another is compared", fmt.Sprintf(checked, "oge", "ole", "%f0"), "memref", "scf.if"},
}

// checked reads a number from outside as an index of 1 to 16, by comparisons of %f; what is checked is the third.
const checked = `
  %%f0 = arith.sitofp %%x : i64 to f64
  %%f = arith.negf %%f0 : f64
  %%one = arith.constant 1.0 : f64
  %%sixteen = arith.constant 16.0 : f64
  %%low = arith.cmpf %s, %%f, %%one : f64
  %%high = arith.cmpf %s, %%f, %%sixteen : f64
  %%in = arith.andi %%low, %%high : i1
  %%s = arith.select %%in, %s, %%one : f64
  %%w = arith.fptosi %%s : f64 to i64
  %%k = arith.index_cast %%w : i64 to index
  %%i = arith.subi %%k, %%c1 : index
  %%c16 = arith.constant 16 : index
  %%p = arith.cmpi uge, %%i, %%c16 : index
  scf.if %%p {
    special.print %%x : i64
  }`

func TestWhatFloatsDecide(t *testing.T) {
	decide(t, floatFacts, func(g *ir.Graph) *ir.Graph { return g })
}
