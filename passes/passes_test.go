package passes_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tests/built"
)

func all() pass.List { return lowering.AllPasses() }

func read(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return ir.Settle(g)
}

// apply runs a pipeline with every check on.
func apply(t *testing.T, g *ir.Graph, pipeline string) (*ir.Graph, *pass.Manager) {
	t.Helper()
	return built.Counted(t, g, pipeline)
}

func show(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }

// call runs @f on integers and shows what it gives and prints, or that it traps.
func call(t *testing.T, g *ir.Graph, args ...int64) string {
	t.Helper()
	var out strings.Builder
	m, err := interp.New(g, interp.Options{Fuel: 1 << 20, Output: func(p interp.Printed) { out.WriteString(interp.FormatPrinted(g.Ctx, p)) }})
	if err != nil {
		t.Fatal(err)
	}
	vals := make([]ir.Val, len(args))
	for i, a := range args {
		vals[i] = ir.Val{Bits: uint64(a)}
	}
	r, err := m.Call("f", vals)
	if ir.IsTrap(err) {
		return "trap"
	}
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	for _, v := range r {
		fmt.Fprintf(&out, " %#x", v.Bits)
	}
	return out.String()
}

func TestRows(t *testing.T) {
	if err := all().Validate(); err != nil {
		t.Error(err)
	}
}

// The example of each pass reads, runs, and ends in a program that prints and
// reads again; unless the pass changes nothing, it does something to it.
func TestExamples(t *testing.T) {
	quiet := map[string]bool{"verify": true, "roofline": true, "strip-debuginfo": true, "print-op-stats": true}
	for _, info := range all() {
		pipeline := info.Pipeline
		if pipeline == "" {
			pipeline = info.Name
		}
		g := read(t, info.Example)
		n, m := apply(t, g, pipeline)
		if again := show(read(t, show(n))); again != show(ir.Settle(n)) {
			t.Errorf("%s: printed and read again:\n%s\nwant\n%s", info.Name, again, show(n))
		}
		if changed := show(g) != show(n); changed == (quiet[info.Name] || info.End != nil) {
			t.Errorf("%s: changed its example: %v\n%s", info.Name, changed, show(n))
		}
		for _, s := range info.Statistics {
			_ = m.Stats(info.Name, s.Name)
		}
	}
}

const loopSource = `func.func @f(%lo: TYPE, %hi: TYPE) -> (TYPE, TYPE) {
  %step = arith.constant STEP : TYPE
  %zero = arith.constant 0 : TYPE
  %seven = arith.constant 7 : TYPE
  %r:2 = scf.for %i = %lo to %hi step %step iter_args(%a = %zero, %b = %seven) -> (TYPE, TYPE) KIND {
    %x = arith.muli %b, %seven : TYPE
    %y = arith.xori %x, %i : TYPE
    special.print %i : TYPE
    %z = arith.addi %a, %y : TYPE
    scf.yield %z, %y : TYPE, TYPE
  }
  return %r#0, %r#1 : TYPE, TYPE
}
`

// Unrolling keeps what a loop does: for bounds around zero, empty and reversed
// ranges, and at the ends of the type, where the arithmetic could overflow.
func TestUnroll(t *testing.T) {
	bounds := [][2]int64{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 7}, {0, 8}, {-5, 6}, {3, -3}, {10, 10}, {1, 40},
		{math.MaxInt64 - 20, math.MaxInt64 - 8}, {math.MinInt64, math.MinInt64 + 9}, {math.MaxInt64, math.MinInt64},
		{math.MaxInt64 - 12, math.MaxInt64}, {math.MaxInt64 - 28, math.MaxInt64 - 1}, {math.MaxInt64 - 3, math.MaxInt64}}
	for _, typ := range []string{"index", "i64", "i32"} {
		for _, step := range []int64{1, 2, 3, 7} {
			src := strings.NewReplacer("STEP", fmt.Sprint(step), " KIND", map[bool]string{true: "", false: " : " + typ}[typ == "index"], "TYPE", typ).Replace(loopSource)
			g := read(t, src)
			for _, factor := range []int{2, 3, 4, 8} {
				n, m := apply(t, g, fmt.Sprintf("unroll{factor=%d}", factor))
				if m.Stats("unroll", "unrolled") != 1 {
					t.Fatalf("not unrolled: %s", show(n))
				}
				for _, b := range bounds {
					lo, hi := b[0], b[1]
					if typ == "i32" {
						lo, hi = narrow(lo), narrow(hi)
					}
					if want, got := call(t, g, lo, hi), call(t, n, lo, hi); got != want {
						t.Fatalf("%s, step %d, factor %d, from %d to %d:\n%q, want\n%q\n%s", typ, step, factor, lo, hi, got, want, show(n))
					}
				}
			}
		}
	}
}

// narrow takes a bound of 64 bits to the one at the same place of 32 bits, as
// the bits of a value.
func narrow(x int64) int64 {
	if x > math.MaxInt32 || x < math.MinInt32 {
		x = int64(int32(x>>32&^0xff) | int32(uint8(x)))
	}
	return int64(uint32(x))
}

// Bounds that are known: completely, and with what is left over.
func TestUnrollConstant(t *testing.T) {
	for trips := range int64(10) {
		src := strings.NewReplacer("%lo: TYPE, %hi: TYPE", "", "STEP", "3", " KIND", "", "TYPE", "index",
			"%zero = arith", fmt.Sprintf("%%lo = arith.constant 5 : index\n  %%hi = arith.constant %d : index\n  %%zero = arith", 5+3*trips)).Replace(loopSource)
		g := read(t, src)
		want := call(t, g)
		for pipeline, loops := range map[string]int{"unroll{full}": 0, "unroll{factor=4}": -1, "unroll{full limit=3}": -1, "unroll{factor=1}": -1} {
			n, _ := apply(t, g, pipeline)
			if got := call(t, n); got != want {
				t.Errorf("%s of %d iterations: %q, want %q", pipeline, trips, got, want)
			}
			if loops == 0 && strings.Contains(show(n), "scf.for") {
				t.Errorf("%s of %d iterations leaves a loop\n%s", pipeline, trips, show(n))
			}
		}
	}
}

// A number of rounds may be known where the bounds are not, unless they wrap.
func TestUnrollBetweenUnknownBounds(t *testing.T) {
	for bits, loops := range map[int]int{40: 0, -1: 1} {
		g := read(t, fmt.Sprintf(`func.func @f(%%n: index) {
  %%mask = arith.constant %d : index
  %%c1 = arith.constant 1 : index
  %%c4 = arith.constant 4 : index
  %%lo = arith.andi %%n, %%mask : index
  %%hi = arith.addi %%lo, %%c4 : index
  scf.for %%i = %%lo to %%hi step %%c1 {
    special.print %%i : index
  }
  return
}
`, bits))
		n, _ := apply(t, g, "unroll{full}")
		if got := strings.Count(show(n), "scf.for"); got != loops {
			t.Errorf("mask %d: %d loops, want %d\n%s", bits, got, loops, show(n))
		}
		for _, x := range []int64{0, 42, math.MaxInt64 - 2} {
			if want, got := call(t, g, x), call(t, n, x); got != want {
				t.Errorf("mask %d: %d gives %q, want %q", bits, x, got, want)
			}
		}
	}
}

// What cannot be unrolled stays as it is.
func TestUnrollRefuses(t *testing.T) {
	src := `func.func @f(%lo: index, %hi: index, %step: index) {
  scf.for %i = %lo to %hi step %step {
    special.print %i : index
  }
  return
}
`
	g := read(t, src)
	n, m := apply(t, g, "unroll")
	if show(n) != show(g) || m.Stats("unroll", "unrolled") != 0 {
		t.Errorf("a loop of unknown step was unrolled:\n%s", show(n))
	}
}

const callsSource = `memref.global "private" @state : memref<1xi32> = dense<5>
func.func private @twice(%a: i32) -> i32 {
  %x = arith.addi %a, %a : i32
  return %x : i32
}
func.func private @bump(%a: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @state : memref<1xi32>
  %old = memref.load %m[%c0] : memref<1xi32>
  %x = call @twice(%a) : (i32) -> i32
  %new = arith.addi %old, %x : i32
  memref.store %new, %m[%c0] : memref<1xi32>
  special.print %new : i32
  return %old, %new : i32, i32
}
func.func private @down(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %more = arith.cmpi sgt, %n, %c0 : i32
  %r = scf.if %more -> (i32) {
    %m = arith.subi %n, %c1 : i32
    %q = func.call @down(%m) : (i32) -> i32
    %s = arith.addi %q, %n : i32
    scf.yield %s : i32
  } else {
    scf.yield %c0 : i32
  }
  return %r : i32
}
func.func private @fill(%m: memref<4xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %m[%i] : memref<4xi32>
  }
  return
}
func.func @f(%a: i32) -> (i32, i32, i32) {
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<4xi32>
  %p:2 = call @bump(%a) : (i32) -> (i32, i32)
  call @fill(%m, %p#1) : (memref<4xi32>, i32) -> ()
  %q:2 = call @bump(%p#1) : (i32) -> (i32, i32)
  %unused = call @twice(%a) : (i32) -> i32
  %d = call @down(%a) : (i32) -> i32
  %x = memref.load %m[%c2] : memref<4xi32>
  return %q#1, %d, %x : i32, i32, i32
}
`

func TestInline(t *testing.T) {
	g := read(t, callsSource)
	for _, pipeline := range []string{"inline", "inline,dce", "inline{threshold=0}", "inline{threshold=-1},repeat(canonicalize,unroll{full},cse),symbol-dce", "func(canonicalize),inline,func(licm,cse)"} {
		n, _ := apply(t, g, pipeline)
		for _, a := range []int64{0, 1, 5} {
			if got, want := call(t, n, a), call(t, g, a); got != want {
				t.Errorf("%s: @f(%d) gives %q, want %q\n%s", pipeline, a, got, want, show(n))
			}
		}
	}
	n, m := apply(t, g, "inline,dce")
	for name, want := range map[string]int{"inlined": 5, "dropped": 1, "recursive": 1} {
		if got := m.Stats("inline", name); got != want {
			t.Errorf("%s = %d, want %d", name, got, want)
		}
	}
	if s := show(n); strings.Contains(s, "@bump") || strings.Contains(s, "@twice") || strings.Contains(s, "@fill") || !strings.Contains(s, "call @down") {
		t.Errorf("after inline,dce:\n%s", s)
	}
	// @down is pure but recursive, so that a call of it stays even if unused.
	if s := show(n); !strings.Contains(s, "memref.global") {
		t.Errorf("a global that is used is gone:\n%s", s)
	}
}

// A dead private global goes; a symbol that only unknown text names stays.
func TestSymbolDCE(t *testing.T) {
	src := `memref.global "private" @gone : memref<1xi32> = dense<5>
func.func private @named() {
  return
}
func.func private @gone2() {
  return
}
func.func @f() attributes {note = #foo.bar<@named>} {
  return
}
`
	n, m := apply(t, read(t, src), "symbol-dce")
	if s := show(n); strings.Contains(s, "gone") || !strings.Contains(s, "func.func private @named") || m.Stats("symbol-dce", "symbols-removed") != 2 {
		t.Errorf("got\n%s", s)
	}
}

// Visibility and references through modules are those of MLIR: what is left is what mlir-opt -symbol-dce leaves.
func TestSymbolDCENested(t *testing.T) {
	src := `module {
  func.func private @gone()
  func.func nested @gone1()
  func.func private @kept2()
  module @public {
    func.func private @gone2() { return }
    func.func nested @gone3() { return }
    func.func @kept() { func.call @kept1() : () -> () return }
    func.func private @kept1() { return }
    func.func nested @kept3() { return }
    module @gone4 attributes {sym_visibility = "nested"} { func.func @gone5() { return } }
  }
  module @gone6 attributes {sym_visibility = "private"} { func.func @gone7() { func.call @gone8() : () -> () return } func.func private @gone8() { return } }
  module @kept4 attributes {sym_visibility = "private"} {
    func.func @kept5() attributes {note = #foo.bar<@kept2>} { return }
    func.func nested @kept6() { return }
    func.func private @gone9() { return }
  }
  module {
    func.func nested @gone10() { return }
    func.func @kept7() { return }
  }
  module attributes {test.uses = [@public::@kept3, @kept4::@kept6, @nowhere, @public::@nowhere]} { }
}`
	n, _ := apply(t, read(t, src), "symbol-dce")
	s := show(n)
	if strings.Contains(s, "@gone") || strings.Count(s, "func.func") != 7 || !strings.Contains(s, "module @kept4") || !strings.Contains(s, "private @kept2()") {
		t.Error(s)
	}
}

func TestStripDebugInfo(t *testing.T) {
	n, _ := apply(t, read(t, callsSource), "strip-debuginfo")
	var check func(g *ir.Graph)
	check = func(g *ir.Graph) {
		for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
			if len(g.LocsOf(v)) > 0 && !g.Def(v).Has(ir.ConstantLike) {
				t.Errorf("%s has a location", g.Name(v))
			}
			for _, c := range g.Children(v) {
				check(c)
			}
		}
	}
	check(n)
}

func TestCanonicalizeDropsUnusedResults(t *testing.T) {
	g := read(t, passes.All().Find("canonicalize").Example)
	n, _ := apply(t, g, "canonicalize")
	if strings.Contains(show(n), "arith.muli") {
		t.Errorf("what nothing uses is still carried:\n%s", show(n))
	}
}

func TestLower(t *testing.T) {
	src := `func.func @f(%x: f64) -> f64 {
  %y = special.log1pexp %x : f64
  return %y : f64
}
`
	n, _ := apply(t, read(t, src), "lower{to=math}")
	if strings.Contains(show(n), "special.") {
		t.Errorf("after lower{to=math}:\n%s", show(n))
	}
	p, err := pass.Parse("lower{to=mth}", all())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&pass.Manager{}).Run(context.Background(), read(t, src), p); err == nil || !strings.Contains(err.Error(), `did you mean "math"`) {
		t.Errorf("got %v", err)
	}
}

// What a callee allocates on the stack is given back where the call was.
func TestInlineKeepsTheScopeOfAlloca(t *testing.T) {
	src := `func.func private @g(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca(%n) : memref<?xi32>
  func.call @fill(%m, %x) : (memref<?xi32>, i32) -> ()
  %y = memref.load %m[%c0] : memref<?xi32>
  return %y : i32
}
func.func private @fill(memref<?xi32>, i32)
func.func private @one(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @f(%n: index, %x: i32) -> i32 {
  %a = call @g(%n, %x) : (index, i32) -> i32
  %b = call @one(%a) : (i32) -> i32
  %c = call @g(%n, %b) : (index, i32) -> i32
  return %c : i32
}
`
	n, _ := apply(t, read(t, src), "inline,symbol-dce")
	out := show(n)
	if got := strings.Count(out, "memref.alloca_scope -> (i32)"); got != 2 || strings.Contains(out, "@g") || strings.Contains(out, "@one") {
		t.Errorf("%d scopes, want 2:\n%s", got, out)
	}
}

// Only a function that refers to nothing around it is alone.
func TestAlone(t *testing.T) {
	cases := map[string]bool{
		`func.func @f(%x: i32) -> i32 { %y = arith.addi %x, %x : i32 return %y : i32 }`:                     true,
		`func.func @f(%x: i32) -> i32 { %y = func.call @f(%x) : (i32) -> i32 return %y : i32 }`:             false,
		`func.func @f(%x: i32) -> i32 { %y = arith.addi %x, %x {callee = @nowhere} : i32 return %x : i32 }`: true,
		`func.func @f() { "builtin.module"() ({ func.func @g() { return } }) : () -> () return }`:           false,
		`func.func @f(%b: index) { device.launch @k blocks(%b) threads(%b) args(%b : index) return }`:       false,
		`func.func @f(%c: i1) { scf.if %c { func.call @f(%c) : (i1) -> () } return }`:                       false,
	}
	for src, want := range cases {
		ctx := ir.NewContext(dialects.All...)
		alone, got, n := symbols.Alone(ctx), false, 0
		each := func(g *ir.Graph) *ir.Graph {
			got = alone(g)
			n++
			return g
		}
		if _, list := text.Parse(ctx, diag.NewSource("t.mlir", src), text.Options{Each: each}); list.Err() != nil {
			t.Fatalf("%s: %v", src, list.Err())
		}
		if got != want || n == 0 {
			t.Errorf("%s: alone is %v", src, got)
		}
	}
}
