package placement_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// moved runs a program with transfers, which must give what it gives without, and returns what moved.
func moved(t *testing.T, g *ir.Graph, entry, args, pipeline string) transfers.Counts {
	t.Helper()
	want, err := built.Interpret(g, entry, args, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := transfers.New()
	got, err := built.Interpret(built.Through(t, g, pipeline), entry, args, interp.Options{Watch: c, Wrap: c.Wrap})
	if err != nil || got != want {
		t.Fatalf("%v\ngot  %s\nwant %s", err, got, want)
	}
	return c.Counts()
}

func matrix(n int) string {
	return "[" + strings.Join(repeat(vector(n), n), ", ") + "]"
}

func vector(n int) string { return "[" + strings.Join(repeat("2", n), ", ") + "]" }

func repeat(s string, n int) (out []string) {
	for range n {
		out = append(out, s)
	}
	return out
}

// The paper's programs move their operands in and the result out, each once; in rounds, the sum moves in once.
func TestPaper(t *testing.T) {
	src, err := os.ReadFile("../../examples/device/transfers.mlir")
	if err != nil {
		t.Fatal(err)
	}
	g := built.Parse(t, string(src), text.Options{})
	for _, n := range []int{1, 5, 33} {
		m, v := 4*int64(n*n), 4*int64(n)
		for _, c := range []struct {
			entry         string
			args          []string
			in, out       int
			inside, outto int64 // bytes
		}{
			{"matmul", repeat(matrix(n), 4), 3, 1, 3 * m, m},
			{"matvec", []string{vector(n), matrix(n), vector(n), vector(n)}, 3, 1, m + 2*v, v},
			{"rounds", repeat(matrix(n), 3), 21, 10, 21 * m, 10 * m},
		} {
			for _, pipeline := range []string{"outline-kernels,place-transfers", "outline-kernels,place-transfers,mem2reg"} {
				got := moved(t, g, c.entry, fmt.Sprintf("[%d, %s]", n, strings.Join(c.args, ", ")), pipeline)
				got.Launches = 0
				want := transfers.Counts{In: transfers.Moved{Copies: c.in, Bytes: c.inside}, Out: transfers.Moved{Copies: c.out, Bytes: c.outto}}
				if got != want {
					t.Errorf("@%s, n = %d, %s: %s; want %s", c.entry, n, pipeline, got, want)
				}
			}
		}
	}
}

// What the host frees is freed on the device there, and copies of arguments at the end.
func TestFrees(t *testing.T) {
	src, err := os.ReadFile("../../examples/device/transfers.mlir")
	if err != nil {
		t.Fatal(err)
	}
	g := built.Through(t, built.Parse(t, string(src), text.Options{}), "outline-kernels,place-transfers,mem2reg,free-buffers")
	out := text.String(g, text.PrintOptions{})
	for what, want := range map[string]int{"memref.alloc(": 16, "memref.dealloc": 16, "device.launch": 3} {
		if n := strings.Count(out, what); n != want {
			t.Errorf("%d of %s, not %d\n%s", n, what, want, out)
		}
	}
}

const double = `
device.kernel @double(%x: memref<?xi32>) {
  %i = device.thread_id x
  %v = memref.load %x[%i] : memref<?xi32>
  %w = arith.addi %v, %v : i32
  memref.store %w, %x[%i] : memref<?xi32>
  device.return
}
`

// Memory in a loop has a copy in each round; a view of memory is that of its copy, and whole memory moves for it.
func TestMemory(t *testing.T) {
	for _, c := range []struct{ name, src, args, want string }{
		{"loop", `func.func @main(%x: memref<?xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %t = memref.alloc(%n) : memref<?xi32>
    memref.copy %x, %t : memref<?xi32> to memref<?xi32>
    device.launch @double blocks(%c1) threads(%n) args(%t : memref<?xi32>)
    memref.copy %t, %x : memref<?xi32> to memref<?xi32>
    memref.dealloc %t : memref<?xi32>
  }
  return
}`, "[[1, 2]]", "3 launches; to the device: 3 copies of 24 bytes; back: 3 copies of 24 bytes"},
		{"view", `func.func @main(%x: memref<?xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[1] [2] [1] : memref<?xi32> to memref<2xi32, strided<[1], offset: 1>>
  %w = memref.cast %v : memref<2xi32, strided<[1], offset: 1>> to memref<?xi32, strided<[?], offset: ?>>
  device.launch @part blocks(%c1) threads(%c1) args(%w : memref<?xi32, strided<[?], offset: ?>>)
  device.launch @part blocks(%c1) threads(%c1) args(%w : memref<?xi32, strided<[?], offset: ?>>)
  return
}
device.kernel @part(%x: memref<?xi32, strided<[?], offset: ?>>) {
  %i = device.thread_id x
  %c7 = arith.constant 7 : i32
  memref.store %c7, %x[%i] : memref<?xi32, strided<[?], offset: ?>>
  device.return
}`, "[[1, 2, 3]]", "2 launches; to the device: 1 copy of 12 bytes, 12 of them needless; back: 1 copy of 12 bytes, 8 of them needless"},
		{"while", `func.func @main(%x: memref<?xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %c9 = arith.constant 9 : i32
  scf.while : () -> () {
    %v = memref.load %x[%c0] : memref<?xi32>
    %more = arith.cmpi slt, %v, %c9 : i32
    scf.condition(%more)
  } do {
    device.launch @double blocks(%c1) threads(%n) args(%x : memref<?xi32>)
    device.launch @double blocks(%c1) threads(%n) args(%x : memref<?xi32>)
    scf.yield
  }
  return
}`, "[[1, 2]]", "4 launches; to the device: 1 copy of 8 bytes; back: 2 copies of 16 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := built.Parse(t, double+c.src, text.Options{})
			for _, pipeline := range []string{"place-transfers", "place-transfers,mem2reg,free-buffers"} {
				if got := moved(t, g, "main", c.args, pipeline).String(); got != c.want {
					t.Errorf("%s: %s\nwant %s", pipeline, got, c.want)
				}
			}
		})
	}
}

// What may be another's memory, or is handed on, stays, and all that one kernel uses with it; a remark says why.
func TestStays(t *testing.T) {
	const launch = `%c1 = arith.constant 1 : index
  device.launch @double blocks(%c1) threads(%c1) args(%x : memref<?xi32>)
`
	for _, c := range []struct{ src, want string }{
		{"func.func @main(%x: memref<?xi32>, %y: memref<?xi32>) {\n" + launch + "return\n}", "may be what another argument is"},
		{"func.func private @same(memref<?xi32>) -> memref<?xi32>\nfunc.func @main(%x: memref<?xi32> {llvm.noalias}) {\n" + launch + "%y = func.call @same(%x) : (memref<?xi32>) -> memref<?xi32>\nreturn\n}", "hands it on"},
		{"memref.global \"private\" @g : memref<4xi32> = dense<1>\nfunc.func @main() {\n%g = memref.get_global @g : memref<4xi32>\n%x = memref.cast %g : memref<4xi32> to memref<?xi32>\n" + launch + "return\n}", "neither allocated"},
		{"func.func @main(%x: memref<?xi32> {llvm.noalias}, %k: memref<?xi32>) {\n" + launch + "device.launch @double blocks(%c1) threads(%c1) args(%k : memref<?xi32>)\nreturn\n}", "also launched with memory that stays"},
	} {
		g := built.Parse(t, double+c.src, text.Options{})
		before := text.String(g, text.PrintOptions{})
		said := strings.Join(built.Remarks(t, double+c.src, g, "place-transfers"), "\n")
		if !strings.Contains(said, c.want) {
			t.Errorf("%s\nremarks are %q, without %q", c.src, said, c.want)
		}
		if after := text.String(built.Through(t, g, "place-transfers"), text.PrintOptions{}); after != before {
			t.Errorf("changed to\n%s", after)
		}
	}
}

// Kernels of one name in two modules are two: what one overwrites the other needs.
func TestModules(t *testing.T) {
	const function = `func.func @NAME(%x: memref<4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  device.launch @k blocks(%c1) threads(%c4) args(%x : memref<4xi32>)
  return
}
device.kernel @k(%x: memref<4xi32>) {
  %i = device.thread_id x
  %v = VALUE
  memref.store %v, %x[%i] : memref<4xi32>
  device.return
}
`
	one := strings.NewReplacer("NAME", "one", "VALUE", "memref.load %x[%i] : memref<4xi32>").Replace(function)
	two := strings.NewReplacer("NAME", "two", "VALUE", "arith.constant 7 : i32").Replace(function)
	for _, src := range []string{"module @a {\n" + one + "}\nmodule @b {\n" + two + "}", "module @b {\n" + two + "}\nmodule @a {\n" + one + "}"} {
		low := text.String(built.Through(t, built.Parse(t, src, text.Options{}), "place-transfers"), text.PrintOptions{})
		built.Parse(t, low, text.Options{})
		if n := strings.Count(low, "@k(%arg0: memref<4xi32, 1>"); n != 2 {
			t.Errorf("%d kernels are for memory of the device\n%s", n, low)
		}
	}
}

// Why memory stays does not depend on the order in which kernels are looked at: what a kernel has against it is said of all that it
// is launched with, and of what others are launched with too that it is mixed.
func TestWhy(t *testing.T) {
	src := double + `device.kernel @own(%x: memref<?xi32>, %y: memref<?xi32>) {
  %i = device.thread_id x
  %a = memref.alloca() : memref<2xi32>
  %v = memref.load %x[%i] : memref<?xi32>
  memref.store %v, %a[%i] : memref<2xi32>
  %j = arith.index_cast %v : i32 to index
  %w = memref.load %a[%j] : memref<2xi32>
  memref.store %w, %y[%i] : memref<?xi32>
  device.return
}
func.func @main(%n: index) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xi32>
  %b = memref.alloc(%n) : memref<?xi32>
  %c = memref.alloc(%n) : memref<?xi32>
  device.launch @double blocks(%c1) threads(%n) args(%c : memref<?xi32>)
  device.launch @double blocks(%c1) threads(%n) args(%b : memref<?xi32>)
  device.launch @own blocks(%c1) threads(%n) args(%a, %b : memref<?xi32>, memref<?xi32>)
  return
}`
	said := strings.Join(built.Remarks(t, src, built.Parse(t, src, text.Options{}), "place-transfers"), "\n")
	if own, other := strings.Count(said, "with memory of its own"), strings.Count(said, "also launched with memory that stays"); own != 2 || other != 1 {
		t.Errorf("it says\n%s", said)
	}
}
