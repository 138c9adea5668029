package passes_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/dependence"
	"github.com/irc-lang/irc/passes/pass"
)

// A dialect of another: a loop over 0 to n-1 whose rounds may run in any order, its
// end, a conditional, and an access that adds to an element.
var (
	sayEnd  = ir.Define(&ir.OpDef{Name: "say.end", Doc: "Ends a region.", Traits: ir.Terminator, Infer: nothing})
	sayEach = ir.Define(&ir.OpDef{Name: "say.each", Doc: "Runs its region for 0 to n-1.", Args: []string{"n"}, Body: ir.Loop, Infer: nothing})
	sayWhen = ir.Define(&ir.OpDef{Name: "say.when", Doc: "Runs its region if the condition is false.", Args: []string{"c"}, Body: ir.Branch, Infer: nothing})
	sayBump = ir.Define(&ir.OpDef{Name: "say.bump", Doc: "Adds to an element.", Args: []string{"m", "i", "x"}, Infer: nothing,
		Effects: func(c *ir.Call) []ir.Effect {
			return []ir.Effect{{Kind: ir.Write, On: c.Builder().ResourceOf(c.Args[0])}}
		}})
	say = &ir.Dialect{Name: "say", Doc: "What passes know by interfaces alone.", Ops: []*ir.OpDef{sayEnd, sayEach, sayWhen, sayBump},
		Tables: []any{
			ir.Interface[ir.LoopLike]{sayEach: func(n ir.Node) ir.LoopLike {
				g := n.Graph()
				body := g.Regions(n.Old())[0]
				return ir.LoopLike{Body: body, Indices: g.Params(body), Lower: []ir.Bound{{}}, Upper: ir.Bounds(g.Args(n.Old())...), Step: []ir.Bound{{Const: 1}}, Parallel: true}
			}},
			ir.Interface[ir.BranchLike]{sayWhen: func(n ir.Node) ir.BranchLike {
				return ir.BranchLike{On: n.Arg(0).Old(), Values: []int64{0}, Default: -1}
			}},
			ir.Interface[ir.AccessLike]{sayBump: func(n ir.Node) ir.AccessLike {
				args := n.Graph().Args(n.Old())
				return ir.AccessLike{Accesses: []ir.Access{{Memory: args[0], Indices: args[1:2], Reads: true, Writes: true}}}
			}},
		}}
)

func nothing(*ir.Call) (ir.Type, error) { return ir.Void, nil }

func readSay(t *testing.T, code string) *ir.Graph {
	t.Helper()
	c := ir.NewContext(append(dialects.All[:len(dialects.All):len(dialects.All)], say)...)
	g, ds := text.Parse(c, diag.NewSource("say.mlir", code), text.Options{})
	if err := ds.Err(); err != nil {
		t.Fatal(err)
	}
	return g
}

// A parallel loop of a dialect that no pass imports becomes a kernel.
func TestOutlineOfAnotherDialectsLoop(t *testing.T) {
	g := readSay(t, `func.func @f(%x: memref<?xf32>, %n: index) {
  "say.each"(%n) ({
  ^bb0(%i: index):
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %x[%i] : memref<?xf32>
    "say.end"() : () -> ()
  }) : (index) -> ()
  return
}`)
	p, err := pass.Parse("outline-kernels", passes.All())
	if err != nil {
		t.Fatal(err)
	}
	g, err = (&pass.Manager{}).Run(t.Context(), g, p)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := text.Print(&b, g, text.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{"device.kernel @f_kernel", "device.launch @f_kernel", "arith.mulf"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "say.") {
		t.Errorf("the loop is left in\n%s", got)
	}
}

// Dependences see its loops, conditions and accesses.
func TestDependencesOfAnotherDialect(t *testing.T) {
	g := readSay(t, `func.func @f(%x: memref<?xf32>, %n: index, %c: i1, %a: f32) {
  "say.each"(%n) ({
  ^bb0(%i: index):
    "say.when"(%c) ({
      "say.bump"(%x, %i, %a) : (memref<?xf32>, index, f32) -> ()
      "say.end"() : () -> ()
    }) : (i1) -> ()
    "say.end"() : () -> ()
  }) : (index) -> ()
  return
}`)
	us := dependence.Read(g, dependence.Options{})
	if len(us) != 1 || len(us[0].Program.Statements) != 1 {
		t.Fatalf("want one program of one statement, got %+v", us)
	}
	s := us[0].Program.Statements[0]
	if s.Text != "arg0[i1] (atomic)" || len(s.Domain.Loops) != 1 || len(s.Domain.Conds) != 1 {
		t.Errorf("the statement is %q in %d loops and %d conditions", s.Text, len(s.Domain.Loops), len(s.Domain.Conds))
	}
	if l := s.Domain.Loops[0]; !reflect.DeepEqual(l.Lo, ptr(presburger.Number(0))) || !reflect.DeepEqual(l.Hi, ptr(presburger.Variable("arg1"))) {
		t.Errorf("the loop runs from %v to %v", l.Lo, l.Hi)
	}
	if want := dependence.Not(dependence.Holds("arg2")); !reflect.DeepEqual(s.Domain.Conds[0], want) {
		t.Errorf("the condition is %v", s.Domain.Conds[0])
	}
}

func ptr[T any](x T) *T { return &x }
