package simt_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// launch runs the body of a kernel on %x, 4096 floats of the device, by so many blocks of so many threads.
func launch(t *testing.T, body string, blocks, threads string) (simt.Counts, []float64, error) {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x.mlir", `
device.kernel @k(%x: memref<4096xf32, 1>) {
  %t = device.thread_id x
  %b = device.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  %c31 = arith.constant 31 : index
  %one = arith.constant 1.0 : f32
  %n1 = arith.constant 1 : i32
  %n16 = arith.constant 16 : i32
`+body+`
  device.return
}
func.func @main(%x: memref<4096xf32, 1>) {
  %blocks = arith.constant `+blocks+` : index
  %threads = arith.constant `+threads+` : index
  device.launch @k blocks(%blocks) threads(%threads) args(%x : memref<4096xf32, 1>)
  return
}`), text.Options{Verbatim: true})
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	c := simt.New()
	m, err := interp.New(g, interp.Options{Watch: c, Wrap: c.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	b := interp.NewBuffer(g.Ctx, ir.F32, 4096, false)
	b.Static = true
	for i := range 4096 {
		b.Store(i, ir.FloatVal(float64(i), ir.F32))
	}
	_, err = m.Call("main", []ir.Val{{Ref: &interp.MemRef{Buf: b, Sizes: []int64{4096}, Strides: []int64{1}}}})
	out := make([]float64, 4096)
	for i := range out {
		out[i] = b.Load(i).Float(ir.F32)
	}
	return c.Counts(), out, err
}

// What is wrong with a kernel is found, and what is right passes.
func TestFaults(t *testing.T) {
	const shared = "%s = device.shared : memref<64xf32, 3>\n"
	const next = "%u = arith.addi %t, %c1 : index\n%n = arith.andi %u, %c31 : index\n"
	for _, c := range []struct{ name, body, blocks, threads, says string }{
		{"own elements", "%v = memref.load %x[%t] : memref<4096xf32, 1>\nmemref.store %v, %x[%t] : memref<4096xf32, 1>", "1", "64", ""},
		{"two threads write one element", "memref.store %one, %x[%c0] : memref<4096xf32, 1>", "1", "2", "writes element 0, which thread 0 of its block writes"},
		{"two blocks write one element", "memref.store %one, %x[%t] : memref<4096xf32, 1>", "2", "1", "writes element 0, which a thread of block 0 writes"},
		{"a thread reads what another writes", `%is = arith.cmpi eq, %t, %c0 : index
			scf.if %is { memref.store %one, %x[%c0] : memref<4096xf32, 1> }
			%v = memref.load %x[%c0] : memref<4096xf32, 1>
			%w = arith.addi %t, %c32 : index
			memref.store %v, %x[%w] : memref<4096xf32, 1>`, "1", "2", "reads element 0, which thread 0 of its block writes"},
		{"a block reads what another writes", `%v = memref.load %x[%c0] : memref<4096xf32, 1>
			%w = arith.addi %b, %c1 : index
			memref.store %v, %x[%w] : memref<4096xf32, 1>
			%is = arith.cmpi eq, %b, %c1 : index
			scf.if %is { memref.store %one, %x[%c0] : memref<4096xf32, 1> }`, "2", "1", "writes element 0, which a thread of block 0 reads"},
		{"the last but one reader is of another block", `%v = memref.load %x[%c0] : memref<4096xf32, 1>
			%is = arith.cmpi eq, %b, %c1 : index
			scf.if %is { memref.store %one, %x[%c0] : memref<4096xf32, 1> }`, "2", "1", "writes element 0, which a thread of block 0 reads"},
		{"a neighbour's element, with a barrier", shared + next + `memref.store %one, %s[%t] : memref<64xf32, 3>
			device.barrier
			%v = memref.load %s[%n] : memref<64xf32, 3>
			memref.store %v, %x[%t] : memref<4096xf32, 1>`, "1", "32", ""},
		{"a neighbour's element, without", shared + next + `memref.store %one, %s[%t] : memref<64xf32, 3>
			%v = memref.load %s[%n] : memref<64xf32, 3>
			memref.store %v, %x[%t] : memref<4096xf32, 1>`, "1", "32", "which nothing has written"},
		{"the second round without a barrier", shared + next + `scf.for %i = %c0 to %c2 step %c1 {
			memref.store %one, %s[%t] : memref<64xf32, 3>
			device.barrier
			%v = memref.load %s[%n] : memref<64xf32, 3>
			memref.store %v, %x[%t] : memref<4096xf32, 1>
			}`, "1", "32", "writes element 1, which thread 0 of its block reads"},
		{"the second round with two", shared + next + `scf.for %i = %c0 to %c2 step %c1 {
			memref.store %one, %s[%t] : memref<64xf32, 3>
			device.barrier
			%v = memref.load %s[%n] : memref<64xf32, 3>
			memref.store %v, %x[%t] : memref<4096xf32, 1>
			device.barrier
			}`, "1", "32", ""},
		{"three readers, then the second writes", shared + `memref.store %one, %s[%t] : memref<64xf32, 3>
			device.barrier
			%v = memref.load %s[%c0] : memref<64xf32, 3>
			%is = arith.cmpi eq, %t, %c2 : index
			scf.if %is { memref.store %v, %s[%c0] : memref<64xf32, 3> }`, "1", "3", "writes element 0, which thread 1 of its block reads"},
		{"shared memory is another block's no more", shared + `%is = arith.cmpi eq, %b, %c0 : index
			scf.if %is { memref.store %one, %s[%c0] : memref<64xf32, 3> }
			%v = memref.load %s[%c0] : memref<64xf32, 3>
			%w = arith.addi %b, %c1 : index
			memref.store %v, %x[%w] : memref<4096xf32, 1>`, "2", "1", "thread 0 of block 1 reads element 0 of shared memory, which nothing has written"},
		{"its own memory", "%a = memref.alloca() : memref<4xf32>\n%v = memref.load %a[%c0] : memref<4xf32>\nmemref.store %v, %x[%t] : memref<4096xf32, 1>", "1", "1", "of its own memory, which nothing has written"},
		{"outside", "%i = arith.muli %b, %c32 : index\nscf.for %j = %c0 to %c32 step %c1 {\n%k = arith.addi %i, %j : index\nmemref.store %one, %x[%k] : memref<4096xf32, 1>\n}", "129", "1", "out of bounds"},
		{"atomics", "%v = memref.atomic_rmw addf %one, %x[%c0] : (f32, memref<4096xf32, 1>) -> f32", "3", "64", ""},
		{"an atomic and a store", "%v = memref.atomic_rmw addf %one, %x[%c0] : (f32, memref<4096xf32, 1>) -> f32\nmemref.store %v, %x[%c0] : memref<4096xf32, 1>", "1", "2", "which thread 0 of its block writes"},
		{"aligned", "%i = arith.muli %t, %c4 : index\n%v = vector.load %x[%i] {alignment = 16 : i64} : memref<4096xf32, 1>, vector<4xf32>\nvector.store %v, %x[%i] {alignment = 16 : i64} : memref<4096xf32, 1>, vector<4xf32>", "1", "64", ""},
		{"not aligned", "%i = arith.muli %t, %c5 : index\n%v = vector.load %x[%i] {alignment = 16 : i64} : memref<4096xf32, 1>, vector<4xf32>\nvector.store %v, %x[%i] : memref<4096xf32, 1>, vector<4xf32>", "1", "2", "aligned to 16 bytes, and goes to byte 20"},
		{"a shuffle in a branch", "%is = arith.cmpi ult, %t, %c5 : index\nscf.if %is {\n%v = device.shuffle xor %one, %n1 : f32\nmemref.store %v, %x[%t] : memref<4096xf32, 1>\n}", "1", "32", "5 of the threads of a warp of block [0 0 0] wait here, but thread [5 0 0] does not come"},
		{"a shuffle of half a warp", "%v = device.shuffle xor %one, %n1 : f32\nmemref.store %v, %x[%t] : memref<4096xf32, 1>", "1", "16", "launch blocks of whole warps"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := launch(t, c.body, c.blocks, c.threads)
			switch {
			case c.says == "" && err != nil:
				t.Fatal(err)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("it says %v\nwant %s", err, c.says)
			}
			var v *interp.Violation
			if errors.As(err, &v) && v.Fix == "" {
				t.Error("there is no way out")
			}
		})
	}
}

// What is counted is what the hardware's counters say of these accesses.
func TestCounts(t *testing.T) {
	const shared = "%s = device.shared : memref<1056xf32, 3>\n"
	for _, c := range []struct {
		name, body                  string
		sectors                     int // of loads
		wavefronts, conflicts, asks int
	}{
		{"one after the other", "%v = memref.load %x[%t] : memref<4096xf32, 1>", 4, 0, 0, 0},
		{"every other", "%i = arith.muli %t, %c2 : index\n%v = memref.load %x[%i] : memref<4096xf32, 1>", 8, 0, 0, 0},
		{"far apart", "%i = arith.muli %t, %c32 : index\n%v = memref.load %x[%i] : memref<4096xf32, 1>", 32, 0, 0, 0},
		{"all the same", "%v = memref.load %x[%c0] : memref<4096xf32, 1>", 1, 0, 0, 0},
		{"vectors", "%i = arith.muli %t, %c4 : index\n%v = vector.load %x[%i] : memref<4096xf32, 1>, vector<4xf32>", 16, 0, 0, 0},
		{"banks, one after the other", shared + "memref.store %one, %s[%t] : memref<1056xf32, 3>", 0, 1, 0, 1},
		{"banks, a column", shared + "%i = arith.muli %t, %c32 : index\nmemref.store %one, %s[%i] : memref<1056xf32, 3>", 0, 32, 31, 1},
		{"banks, every other", shared + "%i = arith.muli %t, %c2 : index\nmemref.store %one, %s[%i] : memref<1056xf32, 3>", 0, 2, 1, 1},
		{"banks, five apart", shared + "%i = arith.muli %t, %c5 : index\nmemref.store %one, %s[%i] : memref<1056xf32, 3>", 0, 1, 0, 1},
		{"banks, vectors", shared + "%i = arith.muli %t, %c4 : index\n%v = vector.broadcast %one : f32 to vector<4xf32>\nvector.store %v, %s[%i] : memref<1056xf32, 3>, vector<4xf32>", 0, 4, 0, 1},
		{"a loop", shared + "scf.for %j = %c0 to %c2 step %c1 {\n%i = arith.muli %t, %c2 : index\nmemref.store %one, %s[%i] : memref<1056xf32, 3>\n}", 0, 4, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, _, err := launch(t, c.body, "1", "32")
			if err != nil {
				t.Fatal(err)
			}
			if n.Loads.Sectors != c.sectors || n.Shared.Wavefronts != c.wavefronts || n.Shared.Conflicts != c.conflicts || n.Shared.Requests != c.asks {
				t.Errorf("%s", n)
			}
		})
	}
}

// A sum by shuffles, and what each mode reads.
func TestShuffle(t *testing.T) {
	for mode, from := range map[string]func(i int) int{
		"xor": func(i int) int { return i ^ 16 }, "idx": func(int) int { return 16 },
		"up": func(i int) int {
			if i < 16 {
				return i
			}
			return i - 16
		},
		"down": func(i int) int {
			if i > 15 {
				return i
			}
			return i + 16
		},
	} {
		_, out, err := launch(t, "%v = memref.load %x[%t] : memref<4096xf32, 1>\n%w = device.shuffle "+mode+" %v, %n16 : f32\nmemref.store %w, %x[%t] : memref<4096xf32, 1>", "1", "64")
		if err != nil {
			t.Fatal(err)
		}
		for i := range 64 {
			if want := i/32*32 + from(i%32); out[i] != float64(want) {
				t.Errorf("%s: thread %d gets %v, want %d", mode, i, out[i], want)
			}
		}
	}
}
