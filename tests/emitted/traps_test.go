package emitted

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/backends/golang"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
)

// twins are the declarations of functions that return a status.
var twins = regexp.MustCompile(`(?m)^int32_t \w+_checked\(.*\);$`)

// compiledC takes a program down to C, and runs it.
func compiledC(t *testing.T, g *ir.Graph, to *target.Target, main string, flags ...string) string {
	t.Helper()
	low, err := lowering.Compile(t.Context(), g, to)
	if err != nil {
		t.Fatal(err)
	}
	return compiledFrom(t, low, to, main, flags...)
}

// compiledFrom compiles a program as it is and a main in C, which begins with what it declares, and runs them.
func compiledFrom(t *testing.T, low *ir.Graph, to *target.Target, main string, flags ...string) string {
	t.Helper()
	src, err := c.Emit(low, c.Options{Freestanding: to.Library == ""})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range map[string]string{"program.c": src, "main.c": "#include <stdbool.h>\n#include <stdint.h>\n" + strings.Join(twins.FindAllString(src, -1), "\n") + "\n" + main} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	object, exe := filepath.Join(dir, "program.o"), filepath.Join(dir, "main")
	if err := clean(filepath.Join(dir, "program.c")); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if err := compile(append(flags, "-c", "-o", object, filepath.Join(dir, "program.c"))...); err != nil {
		t.Fatal(err)
	}
	if err := compile("-o", exe, filepath.Join(dir, "main.c"), object, "-lm"); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(exe).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

const trapsMain = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
const char *irc_trap_text(int32_t status);
void irc_trap(int32_t status) { puts(irc_trap_text(status)); abort(); }
`

// Every op does in C what it means, at the edges of its types: to the bit, and with the trap that it has, with a library
// and without.
func TestOpsC(t *testing.T) {
	needCompiler(t)
	for _, to := range []*target.Target{target.C(), target.FreestandingC()} {
		t.Run(fmt.Sprintf("library=%s", to.Library), func(t *testing.T) {
			var flags []string
			if to.Library == "" {
				flags = []string{"-ffreestanding"}
			}
			opsInC(t, to, flags...)
		})
	}
}

func opsInC(t *testing.T, to *target.Target, flags ...string) {
	ctx := ir.NewContext(dialects.All...)
	cases := slices.DeleteFunc(opCases(ctx), func(x opCase) bool {
		floats := strings.Contains(x.text, "f32") || strings.Contains(x.text, "f64") // of the others the text is the same
		return strings.Contains(x.text, "i13") || strings.Contains(x.text, "rsqrt") /* rounded twice */ || to.Library == "" && !floats
	})
	var all, main, calls strings.Builder
	main.WriteString(trapsMain)
	for _, x := range cases {
		all.WriteString(x.text)
		x.loopInC(ctx, &main, &calls)
	}
	out := compiledC(t, parsed(t, ctx, all.String(), false), to, main.String()+"int main(void)\n{\n"+calls.String()+"\treturn 0;\n}\n", flags...)
	lines := strings.Split(out, "\n")
	m, err := interp.New(parsed(t, ctx, all.String(), true), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trapped := 0
	for _, x := range cases {
		for _, args := range x.rows(ctx) {
			got := lines[0]
			lines = lines[1:]
			want, err := m.Call(x.name, args)
			switch {
			case ir.IsTrap(err):
				trapped++
				if !strings.HasPrefix(got, "@"+x.name+": ") {
					t.Errorf("%v of\n%s: %s, but %v", args, x.text, got, err)
				}
			case err != nil:
				t.Fatal(err)
			case !want[0].IsPoison() && shown(want[0], ctx, x.out) != got:
				t.Errorf("%v of\n%s: %s, in C %s", args, x.text, shown(want[0], ctx, x.out), got)
			}
		}
	}
	if trapped < 50 && to.Library != "" {
		t.Errorf("only %d calls trap", trapped)
	}
}

// rows are the grid of a case, and of one that is computed by integers where there is no library many floats more.
func (x opCase) rows(ctx *ir.Context) [][]ir.Val {
	out := x.grid(ctx)
	if !strings.Contains(x.text, "math.fma") && !strings.Contains(x.text, "math.sqrt") && !strings.Contains(x.text, "arith.remf") {
		return out
	}
	rng := rand.New(rand.NewPCG(1, 2))
	mant, wide := 23, 8
	if x.out == ir.F64 {
		mant, wide = 52, 11
	}
	for i := range 2000 {
		var row []ir.Val
		spread := []int{1 << wide, 4, 60, mant * 2}[i%4]
		from := rng.IntN(1 << wide)
		for k := range x.in {
			e := from + rng.IntN(spread)
			if k == 2 { // about that of the product of the others
				e = int(row[0].Bits>>mant&(1<<wide-1)) + int(row[1].Bits>>mant&(1<<wide-1)) - (1<<(wide-1) - 1) + rng.IntN(2*spread) - spread
			}
			m := rng.Uint64() >> rng.IntN(64) << rng.IntN(mant)
			row = append(row, ir.Val{Bits: m&(1<<mant-1) | uint64(e)&(1<<wide-1)<<mant | rng.Uint64()&1<<(mant+wide)})
		}
		out = append(out, row)
	}
	return out
}

// loopInC writes the calls of a case: a table of arguments as their bits, and a loop over it.
func (x opCase) loopInC(ctx *ir.Context, main, calls *strings.Builder) {
	bits, typ := cells(ctx, x.out)
	var args []string
	for i, in := range x.in {
		_, of := cells(ctx, in)
		args = append(args, fmt.Sprintf("*(%s *)&row[%d]", of, i))
	}
	grid := x.rows(ctx)
	fmt.Fprintf(main, "static uint64_t args%s[%d][%d] = {", x.name, len(grid), len(x.in))
	for _, row := range grid {
		main.WriteByte('{')
		for _, v := range row {
			fmt.Fprintf(main, "%#x,", v.Bits)
		}
		main.WriteString("},")
	}
	main.WriteString("};\n")
	fmt.Fprintf(calls, "\tfor (int i = 0; i < %d; i++) {\n\t\tuint64_t *row = args%s[i];\n\t\t%s y = 0;\n\t\tint32_t s = %s_checked(&y, %s);\n", len(grid), x.name, typ, x.name, strings.Join(args, ", "))
	fmt.Fprintf(calls, "\t\t%s b;\n\t\tmemcpy(&b, &y, sizeof b);\n\t\tif (s != 0)\n\t\t\tputs(irc_trap_text(s));\n\t\telse if (y != y)\n\t\t\tputs(\"nan\");\n\t\telse\n\t\t\tprintf(\"0x%%llx\\n\", (unsigned long long)b);\n\t}\n", bits)
}

// trapping are functions that trap on what is known at run time alone, with arguments for C and as JSON, and the reason.
var trapping = []struct{ name, inC, args, reason, text string }{
	{"load", "&r, a, 2, 2", "[[1, 2], 2]", "memref.load: index out of bounds", `(%m: memref<?xi32>, %i: index) -> i32 {
  %x = memref.load %m[%i] : memref<?xi32>
  return %x : i32`},
	{"below", "&r, a, 2, -1", "[[1, 2], -1]", "memref.load: index out of bounds", `(%m: memref<?xi32>, %i: index) -> i32 {
  %x = memref.load %m[%i] : memref<?xi32>
  return %x : i32`},
	{"store", "a, 1, 2", "[[[1, 2], [3, 4]], 1, 2]", "memref.store: index out of bounds", `(%m: memref<2x2xi32>, %i: index, %j: index) {
  %x = arith.constant 5 : i32
  memref.store %x, %m[%i, %j] : memref<2x2xi32>
  return`},
	{"row", "&r, a, 1, 2", "[[[1, 2], [3, 4]], 1, 2]", "memref.subview: a part is not in its memory", `(%m: memref<2x2xi32>, %i: index, %n: index) -> i32 {
  %c1 = arith.constant 1 : index
  %r = memref.subview %m[%i, 0] [1, %n] [1, 1] : memref<2x2xi32> to memref<?xi32, strided<[1], offset: ?>>
  %s = memref.subview %r[%c1] [%n] [1] : memref<?xi32, strided<[1], offset: ?>> to memref<?xi32, strided<[1], offset: ?>>
  %x = memref.load %s[%c1] : memref<?xi32, strided<[1], offset: ?>>
  return %x : i32`},
	{"negative", "-1", "[-1]", "memref.alloc: a size of an allocation is negative", `(%n: index) {
  %m = memref.alloc(%n) : memref<?xf64>
  call @use(%m) : (memref<?xf64>) -> ()
  memref.dealloc %m : memref<?xf64>
  return`},
	{"wraps", "4294967296, 4294967296", "[4294967296, 4294967296]", "memref.alloc: an allocation is too large", `(%n: index, %k: index) {
  %m = memref.alloc(%n, %k) : memref<?x?xf64>
  %c = memref.collapse_shape %m [[0, 1]] : memref<?x?xf64> into memref<?xf64>
  call @use(%c) : (memref<?xf64>) -> ()
  memref.dealloc %m : memref<?x?xf64>
  return`},
	{"hidden", "0, 4294967296, 4294967296", "[0, 4294967296, 4294967296]", "memref.alloc: an allocation is too large", `(%n: index, %k: index, %l: index) {
  %m = memref.alloc(%n, %k, %l) : memref<?x?x?xf64>
  %c = memref.collapse_shape %m [[0, 1, 2]] : memref<?x?x?xf64> into memref<?xf64>
  call @use(%c) : (memref<?xf64>) -> ()
  memref.dealloc %m : memref<?x?x?xf64>
  return`},
	{"step", "&r, 0", "[0]", "scf.for: the step of a loop is not positive", `(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %z = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %c9 step %n iter_args(%a = %z) -> i32 {
    %b = arith.addi %a, %a : i32
    %o = arith.ori %b, %a : i32
    %k = arith.index_cast %i : index to i32
    %t = arith.addi %o, %k : i32
    scf.yield %t : i32
  }
  return %s : i32`},
	{"copy", "d, 2, d, 3", "[[1, 2], [1, 2, 3]]", "memref.copy: memref.copy between different sizes", `(%x: memref<?xf64>, %y: memref<?xf64>) {
  memref.copy %x, %y : memref<?xf64> to memref<?xf64>
  return`},
	{"assert", "3, 4", "[3, 4]", "cf.assert: assertion failed: they */ differ", `(%x: i32, %y: i32) {
  %b = arith.cmpi eq, %x, %y : i32
  cf.assert %b, "they */ differ"
  return`},
	{"divide", "&r, 3, 0", "[3, 0]", "arith.floordivsi: division by zero", `(%x: i32, %y: i32) -> i32 {
  %q = arith.floordivsi %x, %y : i32
  return %q : i32`},
	{"passedOn", "&r, a, 2, 2", "[[1, 2], 2]", "memref.load: index out of bounds", `(%m: memref<?xi32>, %i: index) -> i32 {
  %x, %y = call @two(%m, %i) : (memref<?xi32>, index) -> (i32, i32)
  %z = arith.addi %x, %y : i32
  return %z : i32`},
	{"after", "&r, a, 2, 2, 0", "[[1, 2], 2, false]", "memref.load: index out of bounds", `(%m: memref<?xi32>, %i: index, %c: i1) -> i32 {
  %z = arith.constant 0 : i32
  %x = scf.if %c -> i32 {
    %v = memref.load %m[%i] : memref<?xi32>
    memref.store %z, %m[%i] : memref<?xi32>
    scf.yield %v : i32
  } else {
    scf.yield %z : i32
  }
  %y = memref.load %m[%i] : memref<?xi32>
  %s = arith.addi %x, %y : i32
  return %s : i32`},
	{"again", "&r, 2", "[2]", "arith.divsi: division by zero", `(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = arith.divsi %c1, %n : i32
  %m = arith.subi %n, %c1 : i32
  %r = call @again(%m) : (i32) -> i32
  %s = arith.addi %r, %q : i32
  return %s : i32`},
}

const trapped = `
func.func private @use(%m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f64
  memref.store %x, %m[%c0] : memref<?xf64>
  return
}
func.func private @two(%m: memref<?xi32>, %i: index) -> (i32, i32) {
  %x = memref.load %m[%i] : memref<?xi32>
  return %x, %x : i32, i32
}
func.func private @nobody(%m: memref<?xi32>, %i: index) {
  %x = memref.load %m[%i] : memref<?xi32>
  memref.store %x, %m[%i] : memref<?xi32>
  return
}
`

// What traps is told as it is in the interpreter: by the status of a twin in C, by a panic in Go.
func TestTraps(t *testing.T) {
	var all strings.Builder
	all.WriteString(trapped)
	for _, x := range trapping {
		fmt.Fprintf(&all, "func.func @%s%s\n}\n", x.name, x.text)
	}
	ctx := ir.NewContext(dialects.All...)
	g := parsed(t, ctx, all.String(), false)
	m, err := interp.New(parsed(t, ctx, all.String(), true), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b batch
	text, err := printedGo(t, g, golang.Options{Package: "p0"})
	if err != nil {
		t.Fatal(err)
	}
	pkg := b.add(text)
	calls := "static int32_t a[4] = {1, 2, 3, 4}, r;\nstatic double d[3];\nint main(void)\n{\n"
	for _, x := range trapping {
		f, err := m.Resolve(x.name)
		if err != nil {
			t.Fatal(err)
		}
		k := call{entry: x.name, in: f.Params, out: f.Results}
		fresh := func() []ir.Val {
			args, err := interp.ArgsFromJSON(ctx, f.Params, []byte(x.args), nil)
			if err != nil {
				t.Fatal(err)
			}
			return args
		}
		if _, err := m.Call(x.name, fresh()); !ir.IsTrap(err) {
			t.Fatalf("@%s: %v, which is no trap", x.name, err)
		}
		k.args = fresh()
		b.call(ctx, pkg, k)
		calls += fmt.Sprintf("\tputs(irc_trap_text(%s_checked(%s)));\n", x.name, x.inC)
	}
	for i, got := range b.run(t) {
		if got.Trap == "" {
			t.Errorf("@%s does not trap in Go", trapping[i].name)
		}
	}
	needCompiler(t)
	for _, to := range []*target.Target{target.C(), target.FreestandingC()} {
		main := trapsMain + allocMain + calls + "\treturn 0;\n}\n"
		lines := strings.Split(compiledC(t, g, to, main), "\n")
		for i, x := range trapping {
			if want := "@" + x.name + ": " + x.reason; !strings.HasSuffix(lines[i], x.reason) {
				t.Errorf("in C %q, want %q", lines[i], want)
			}
		}
	}
}

// held has memory of a known size that is in use when its allocation runs again, or may be; of the last it is not.
const held = `
func.func @iterations(%n: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = memref.alloc() : memref<2xi32>
  memref.store %n, %first[%c0] : memref<2xi32>
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %first) -> memref<2xi32> {
    %new = memref.alloc() : memref<2xi32>
    %k = arith.index_cast %i : index to i32
    memref.store %k, %new[%c0] : memref<2xi32>
    %old = memref.load %m[%c0] : memref<2xi32>
    %now = memref.load %new[%c0] : memref<2xi32>
    %x = arith.muli %old, %n : i32
    %y = arith.addi %x, %now : i32
    memref.store %y, %new[%c0] : memref<2xi32>
    memref.dealloc %m : memref<2xi32>
    scf.yield %new : memref<2xi32>
  }
  %r = memref.load %last[%c0] : memref<2xi32>
  memref.dealloc %last : memref<2xi32>
  return %r : i32
}
func.func @recursive(%n: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloc() : memref<2xi32>
  memref.store %n, %m[%c0] : memref<2xi32>
  %more = arith.cmpi sgt, %n, %z : i32
  %s = scf.if %more -> i32 {
    %k = arith.subi %n, %one : i32
    %t = func.call @recursive(%k) : (i32) -> i32
    scf.yield %t : i32
  } else {
    scf.yield %z : i32
  }
  %x = memref.load %m[%c0] : memref<2xi32>
  %r = arith.addi %s, %x : i32
  memref.dealloc %m : memref<2xi32>
  return %r : i32
}
func.func private @fresh(%n: i32) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi32>
  memref.store %n, %m[%c0] : memref<2xi32>
  %v = memref.cast %m : memref<2xi32> to memref<?xi32>
  return %v : memref<?xi32>
}
func.func @returned(%n: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %k = arith.addi %n, %one : i32
  %a = func.call @fresh(%n) : (i32) -> memref<?xi32>
  %b = func.call @fresh(%k) : (i32) -> memref<?xi32>
  %x = memref.load %a[%c0] : memref<?xi32>
  %y = memref.load %b[%c0] : memref<?xi32>
  %r = arith.muli %x, %y : i32
  memref.dealloc %a : memref<?xi32>
  memref.dealloc %b : memref<?xi32>
  return %r : i32
}
func.func @within(%n: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> i32 {
    %m = memref.alloc() : memref<2xi32>
    %v = memref.subview %m[1] [1] [1] : memref<2xi32> to memref<1xi32, strided<[1], offset: 1>>
    %k = arith.index_cast %i : index to i32
    memref.store %k, %m[%c1] : memref<2xi32>
    func.call @twice(%m) : (memref<2xi32>) -> ()
    %x = memref.load %v[%c0] : memref<1xi32, strided<[1], offset: 1>>
    %b = arith.muli %a, %n : i32
    %c = arith.addi %b, %x : i32
    memref.dealloc %m : memref<2xi32>
    scf.yield %c : i32
  }
  return %s : i32
}
func.func private @twice(%m: memref<2xi32>) {
  %c1 = arith.constant 1 : index
  %x = memref.load %m[%c1] : memref<2xi32>
  %y = arith.addi %x, %x : i32
  memref.store %y, %m[%c1] : memref<2xi32>
  return
}
`

// Without a library an allocation is a static array only where nothing sees it.
func TestStaticMemory(t *testing.T) {
	needCompiler(t)
	ctx := ir.NewContext(dialects.All...)
	m, err := interp.New(parsed(t, ctx, held, true), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"iterations", "recursive", "returned", "within"}
	main, want := trapsMain+allocMain+"int main(void)\n{\n\tint32_t r;\n", ""
	for _, name := range names {
		main += fmt.Sprintf("\t%s_checked(&r, 3);\n\tprintf(\"%%d\\n\", r);\n", name)
		out, err := m.Call(name, []ir.Val{ir.IntVal(3, 32)})
		if err != nil {
			t.Fatal(err)
		}
		want += fmt.Sprintln(out[0].Int(32))
	}
	main += "\tprintf(\"%d %d\\n\", made, freed);\n\treturn 0;\n}\n"
	want += "11 11\n" // all but those of @within
	g := parsed(t, ctx, held, false)
	if got := compiledFrom(t, g, target.FreestandingC(), main); got != want {
		t.Errorf("in C\n%s\nwant\n%s", got, want)
	}
}

// allocMain counts allocations, which nothing shares.
const allocMain = `static int made, freed;
void *irc_malloc(size_t align, size_t n) { made++; return aligned_alloc(align, (n + align - 1) / align * align); }
void irc_free(void *p) { freed++; free(p); }
`
