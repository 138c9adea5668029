package dialects_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// regionRules lists all ops of MLIR's that have regions, with what MLIR's verifier
// says of what may stand in them, and one body of a function for each region (or
// way to nest them) where @ stands for an op that uses %v: i32.
var regionRules = []struct {
	op, rule string
	bodies   []string
}{
	{"builtin.module", "isolated from above: uses nothing from outside", nil},
	{"func.func", "isolated from above", nil},
	{"scf.for", "ends in scf.yield", []string{`scf.for %i = %i0 to %k step %i1 { @ }`}},
	{"scf.while", "its regions end in scf.condition and scf.yield", []string{
		`scf.while : () -> () { @
			scf.condition(%c) } do { scf.yield }`,
		`scf.while : () -> () { scf.condition(%c) } do { @
			scf.yield }`}},
	{"scf.if", "its regions end in scf.yield", []string{`scf.if %c { @ }`, `scf.if %c { } else { @ }`}},
	{"scf.index_switch", "its regions end in scf.yield", []string{
		`scf.index_switch %k
		case 0 { @
			scf.yield }
		default { }`,
		`scf.index_switch %k
		case 0 { scf.yield }
		default { @ }`}},
	{"scf.execute_region", "has at least one block, without arguments", []string{`scf.execute_region { @
			scf.yield }`}},
	{"scf.parallel", "ends in scf.reduce", []string{`scf.parallel (%i) = (%i0) to (%k) step (%i1) { @
			scf.reduce }`}},
	{"scf.reduce", "each region takes two values of its operand's type and ends in scf.reduce.return", []string{
		`%q = scf.parallel (%i) = (%i0) to (%k) step (%i1) init (%x) -> i32 {
			scf.reduce(%y : i32) {
			^bb0(%p: i32, %s: i32):
				@
				%t = arith.addi %p, %v : i32
				scf.reduce.return %t : i32
			}
		}`}},
	{"affine.for", "ends in affine.yield", []string{`affine.for %i = 0 to %k { @ }`}},
	{"affine.if", "its regions end in affine.yield", []string{`affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%k) { @ }`, `affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%k) { } else { @ }`}},
	{"affine.parallel", "ends in affine.yield", []string{`affine.parallel (%i) = (0) to (%k) { @ }`}},
	{"scf.forall", "ends in scf.forall.in_parallel", []string{`scf.forall (%i) in (%k) { @ }`}},
	{"scf.forall.in_parallel", "holds only tensor.parallel_insert_slice, which irc does not have", nil},
	{"vector.mask", "holds one op, which a mask has a meaning for, and ends in vector.yield", nil},
	{"memref.alloca_scope", "ends in memref.alloca_scope.return", []string{`memref.alloca_scope { @
			memref.alloca_scope.return }`}},
	{"memref.generic_atomic_rmw", "holds only ops without side effects, reads and allocations among them", []string{
		rmw(`%s = arith.muli %old, %v : i32`),
		rmw(`%s = scf.if %c -> i32 {
			%t = arith.muli %old, %v : i32
			scf.yield %t : i32
		} else {
			scf.yield %old : i32
		}`),
		`scf.for %i = %i0 to %k step %i1 { ` + rmw(`%s = arith.muli %old, %v : i32`) + ` }`}},
}

func rmw(body string) string {
	return `%q = memref.generic_atomic_rmw %m[%i0] : memref<?xi32> {
		^bb0(%old: i32):
			` + body + `
			memref.atomic_yield %s : i32
		}`
}

// sunk are ways to make %v: i32 of each kind of op that might be moved to its use.
var sunk = []string{
	`%v = arith.muli %x, %y : i32`,
	`%v = arith.divsi %x, %y : i32`,
	`%v = arith.constant 77 : i32`,
	`%v0 = math.exp %f : f32
	%v = arith.fptosi %v0 : f32 to i32`,
	`%v = memref.load %n[%i0] : memref<?xi32>`,
	`%v0 = memref.get_global @g : memref<8xi32>
	%v = memref.load %v0[%i1] : memref<8xi32>`,
	`%v0 = memref.subview %n[1] [%k] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: 1>>
	%v1 = memref.cast %v0 : memref<?xi32, strided<[1], offset: 1>> to memref<?xi32, strided<[?], offset: ?>>
	%v = memref.load %v1[%i0] : memref<?xi32, strided<[?], offset: ?>>`,
	`%v0 = memref.dim %n, %i0 : memref<?xi32>
	%v = arith.index_cast %v0 : index to i32`,
	`%v0 = memref.dim %n, %k : memref<?xi32>
	%v = arith.index_cast %v0 : index to i32`,
	`%v0, %v1, %v2, %v3 = memref.extract_strided_metadata %n : memref<?xi32> -> memref<i32>, index, index, index
	%v = memref.load %v0[] : memref<i32>`,
	`%v0 = memref.reshape %n(%shape) : (memref<?xi32>, memref<1xindex>) -> memref<?xi32>
	%v1 = memref.dim %v0, %i0 : memref<?xi32>
	%v = arith.index_cast %v1 : index to i32`,
	`%v = func.call @ext(%x) : (i32) -> i32`,
	`%v = func.call @ext(%x) {irc.effects = "pure"} : (i32) -> i32`,
	`%v = func.call @ext(%x) {irc.effects = "reads"} : (i32) -> i32`,
	`%v0 = func.constant @ext : (i32) -> i32
	%v = func.call_indirect %v0(%x) : (i32) -> i32`,
	`%v = scf.if %c -> i32 {
		%v0 = arith.muli %x, %y : i32
		scf.yield %v0 : i32
	} else {
		scf.yield %x : i32
	}`,
	`%v = scf.if %c -> i32 {
		%v0 = memref.load %n[%i0] : memref<?xi32>
		scf.yield %v0 : i32
	} else {
		scf.yield %x : i32
	}`,
	`%v = scf.if %c -> i32 {
		%v0 = func.call @ext(%x) {irc.effects = "pure"} : (i32) -> i32
		scf.yield %v0 : i32
	} else {
		scf.yield %x : i32
	}`,
	`%v = scf.for %j = %i0 to %k step %i1 iter_args(%v0 = %x) -> (i32) {
		%v1 = arith.muli %v0, %y : i32
		scf.yield %v1 : i32
	}`,
	`%v = scf.for %j = %i0 to %k step %i1 iter_args(%v0 = %x) -> (i32) {
		%v1 = memref.alloc() : memref<8xi32>
		memref.store %v0, %v1[%k] : memref<8xi32>
		%v2 = memref.load %v1[%i0] : memref<8xi32>
		memref.dealloc %v1 : memref<8xi32>
		scf.yield %v2 : i32
	}`,
	`%v = scf.while (%v0 = %x) : (i32) -> i32 {
		scf.condition(%c) %v0 : i32
	} do {
	^bb0(%v0: i32):
		%v1 = arith.muli %v0, %y : i32
		scf.yield %v1 : i32
	}`,
	`%v = scf.parallel (%j) = (%i0) to (%k) step (%i1) init (%x) -> i32 {
		scf.reduce(%y : i32) {
		^bb0(%v0: i32, %v1: i32):
			%v2 = arith.muli %v0, %v1 : i32
			scf.reduce.return %v2 : i32
		}
	}`,
	`%v = scf.execute_region -> i32 {
		%v0 = arith.muli %x, %y : i32
		scf.yield %v0 : i32
	}`,
	`%v = scf.index_switch %k -> i32
	case 0 {
		%v0 = arith.muli %x, %y : i32
		scf.yield %v0 : i32
	}
	default {
		scf.yield %x : i32
	}`,
	`%v = memref.alloca_scope -> (i32) {
		%v1 = memref.alloca() : memref<8xi32>
		memref.store %x, %v1[%k] : memref<8xi32>
		%v2 = memref.load %v1[%i0] : memref<8xi32>
		memref.alloca_scope.return %v2 : i32
	}`,
	`%v = memref.atomic_rmw addi %x, %n[%i0] : (i32, memref<?xi32>) -> i32`,
	`%v = memref.generic_atomic_rmw %n[%i0] : memref<?xi32> {
	^bb0(%v0: i32):
		%v1 = arith.muli %v0, %y : i32
		memref.atomic_yield %v1 : i32
	}`,
	`%v0 = memref.alloc() : memref<8xi32>
	memref.store %x, %v0[%k] : memref<8xi32>
	%v = memref.load %v0[%i0] : memref<8xi32>`,
}

// regionModules has a module for each region and each kind of op.
func regionModules() (out []string) {
	for _, r := range regionRules {
		for _, body := range r.bodies {
			for _, v := range sunk {
				use := strings.Replace(body, "@", `memref.store %v, %m[%k] : memref<?xi32>`, 1)
				out = append(out, fmt.Sprintf(`memref.global "private" @g : memref<8xi32> = dense<1>
func.func private @ext(i32) -> i32
func.func @f(%%x: i32, %%y: i32, %%f: f32, %%k: index, %%c: i1, %%m: memref<?xi32>, %%n: memref<?xi32>, %%shape: memref<1xindex>) {
	%%i0 = arith.constant 0 : index
	%%i1 = arith.constant 1 : index
	%s
	%s
	return
}
`, v, use))
			}
		}
	}
	return out
}

// What is printed may stand where it stands, wherever the schedule likes best to
// put it, and mlir-opt accepts it.
func TestRegionsHoldWhatTheyMay(t *testing.T) {
	var printed []string
	inside := map[string]int{}
	for i, src := range regionModules() {
		g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("r.mlir", src), text.Options{})
		if err := errs.Err(); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		g = ir.Settle(g)
		printed = append(printed, text.String(g, text.PrintOptions{}))
		r := rand.New(rand.NewPCG(uint64(i), 1))
		done := map[*ir.Graph]bool{}
		walk(g, func(g *ir.Graph, v ir.Value) {
			if done[g] {
				return
			}
			done[g] = true
			for range 5 {
				restricted(t, ir.NewSchedule(g, ir.ScheduleOptions{Shuffle: r.IntN}), nil)
			}
			restricted(t, ir.NewSchedule(g, ir.ScheduleOptions{Copies: true}), inside)
		})
	}
	for _, r := range regionRules {
		if inside[r.op] == 0 && len(r.bodies) > 0 && r.op != "scf.execute_region" { // which goes as it is built
			t.Errorf("%s never held anything", r.op)
		}
	}
	tool, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("comparing with MLIR needs mlir-opt-19")
	}
	cmd := exec.Command(tool, "-split-input-file")
	cmd.Stdin = strings.NewReader(strings.Join(printed, "// -----\n"))
	var says bytes.Buffer
	cmd.Stderr = &says
	if err := cmd.Run(); err != nil {
		t.Errorf("mlir-opt refuses what is printed: %v\n%.3000s", err, says.String())
	}
}

// restricted checks the regions of ops that say what they may hold, and counts
// what stands in all.
func restricted(t *testing.T, s *ir.Schedule, inside map[string]int) {
	t.Helper()
	g := s.Graph()
	for v := range s.All() {
		for _, r := range g.Regions(v) {
			if inside != nil {
				inside[g.Def(v).Name] += len(s.Body(r))
			}
		}
		if !g.Def(v).Has(ir.EffectFree) {
			continue
		}
		for _, r := range g.Regions(v) {
			for _, in := range s.Body(r) {
				if g.CanAct(in) {
					t.Errorf("%s holds %s", g.Def(v).Name, g.Def(in).Name)
				}
			}
		}
	}
}

// The list of ops with regions is complete.
func TestRegionRulesAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, r := range regionRules {
		listed[r.op] = true
	}
	found := map[string]bool{}
	for _, d := range []string{"builtin", "ub", "func", "arith", "math", "cf", "scf", "memref", "vector", "affine"} {
		files, err := filepath.Glob(d + "/testdata/*.mlir")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(f, string(src)), text.Options{Verbatim: true, AllowUnregistered: true})
			if errs.Err() != nil {
				continue // another test says so
			}
			walk(g, func(g *ir.Graph, v ir.Value) {
				if name := g.Def(v).Name; len(g.Regions(v))+len(g.Children(v)) > 0 && g.Def(v).Registered() {
					found[name] = true
				}
			})
		}
	}
	for name := range found {
		if !listed[name] {
			t.Errorf("%s has regions: list in regionRules what MLIR allows in them", name)
		}
	}
	for name := range listed {
		if !found[name] {
			t.Errorf("%s has no sample", name)
		}
	}
}

// What may not stand in a region is refused, as MLIR refuses it.
func TestRegionsRefuse(t *testing.T) {
	for _, c := range []struct{ body, says string }{
		{rmw(`%v = memref.load %n[%k] : memref<?xi32>
			%s = arith.muli %old, %v : i32`), "should contain only operations with no side effects, but has 'memref.load'"},
		{rmw(`%g = memref.get_global @g : memref<8xi32>
			%v = memref.load %g[%i0] : memref<8xi32>
			%s = arith.muli %old, %v : i32`), "should contain only operations with no side effects, but has 'memref.load'"},
		{rmw(`%s = arith.muli %old, %old : i32
			memref.store %s, %n[%k] : memref<?xi32>`), "but has 'memref.store'"},
		{rmw(`%s = scf.if %c -> i32 {
				%v = func.call @ext(%old) : (i32) -> i32
				scf.yield %v : i32
			} else {
				scf.yield %old : i32
			}`), "but has 'scf.if'"},
		{`%r = scf.forall (%i) in (%k) shared_outs(%o = %t) -> (tensor<?xf32>) {
			scf.forall.in_parallel {
				%v = arith.muli %x, %y : i32
			}
		}`, "'scf.forall.in_parallel' op"},
	} {
		src := `memref.global "private" @g : memref<8xi32> = dense<1>
func.func private @ext(i32) -> i32
func.func @f(%x: i32, %y: i32, %k: index, %c: i1, %m: memref<?xi32>, %n: memref<?xi32>, %t: tensor<?xf32>) {
	%i0 = arith.constant 0 : index
	` + c.body + `
	return
}
`
		for _, verbatim := range []bool{false, true} {
			_, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("r.mlir", src), text.Options{Verbatim: verbatim})
			if err := errs.Err(); err == nil && (verbatim || strings.Contains(c.body, "rmw")) {
				t.Errorf("accepted (verbatim %v): %s", verbatim, c.body)
			} else if err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v\nwant %s", err, c.says)
			}
		}
		tool, err := exec.LookPath("mlir-opt-19")
		if err != nil {
			continue
		}
		cmd := exec.Command(tool)
		cmd.Stdin = strings.NewReader(src)
		if out, err := cmd.CombinedOutput(); err == nil || !bytes.Contains(out, []byte("expected only")) && !bytes.Contains(out, []byte("no side effects")) {
			t.Errorf("mlir-opt: %v %s\n%s", err, out, src)
		}
	}
}
