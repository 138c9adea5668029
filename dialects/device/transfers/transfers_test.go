package transfers_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// kernels of one thread for each of eight elements, or for the four at %first.
const kernels = `
device.kernel @double(%x: memref<8xi32, 1>) {
  %i = device.thread_id x
  %v = memref.load %x[%i] : memref<8xi32, 1>
  %w = arith.addi %v, %v : i32
  memref.store %w, %x[%i] : memref<8xi32, 1>
  device.return
}
device.kernel @fill(%x: memref<8xi32, 1>, %first: index) {
  %t = device.thread_id x
  %i = arith.addi %t, %first : index
  %v = arith.index_cast %i : index to i32
  memref.store %v, %x[%i] : memref<8xi32, 1>
  device.return
}
device.kernel @own(%x: memref<8xi32, 1>) {
  %s = device.shared : memref<8xi32, 3>
  %a = memref.alloca() : memref<1xi32>
  %g = memref.get_global @seven : memref<1xi32>
  %c0 = arith.constant 0 : index
  %i = device.thread_id x
  %v = memref.load %g[%c0] : memref<1xi32>
  memref.store %v, %s[%i] : memref<8xi32, 3>
  memref.store %v, %a[%c0] : memref<1xi32>
  device.barrier
  %u = memref.load %s[%i] : memref<8xi32, 3>
  %w = memref.load %a[%c0] : memref<1xi32>
  %z = arith.addi %u, %w : i32
  memref.store %z, %x[%i] : memref<8xi32, 1>
  device.return
}
memref.global "private" constant @seven : memref<1xi32> = dense<7>
device.kernel @plain(%x: memref<8xi32>) {
  %i = device.thread_id x
  %v = arith.index_cast %i : index to i32
  memref.store %v, %x[%i] : memref<8xi32>
  device.return
}
func.func @main(%h: memref<8xi32>, %given: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %seven = arith.constant 7 : i32
  %d = memref.alloc() : memref<8xi32, 1>
`

// What a program does between the allocation of %d and its end.
const (
	in     = "memref.copy %h, %d : memref<8xi32> to memref<8xi32, 1>\n"
	out    = "memref.copy %d, %h : memref<8xi32, 1> to memref<8xi32>\n"
	double = "device.launch @double blocks(%c1) threads(%c8) args(%d : memref<8xi32, 1>)\n"
	fill   = "device.launch @fill blocks(%c1) threads(%c8) args(%d, %c0 : memref<8xi32, 1>, index)\n"
	half   = "device.launch @fill blocks(%c1) threads(%c4) args(%d, %c4 : memref<8xi32, 1>, index)\n"
	free   = "memref.dealloc %d : memref<8xi32, 1>\n"
	halves = `%hh = memref.subview %h[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
		%dh = memref.subview %d[4] [4] [1] : memref<8xi32, 1> to memref<4xi32, strided<[1], offset: 4>, 1>
		memref.copy %dh, %hh : memref<4xi32, strided<[1], offset: 4>, 1> to memref<4xi32, strided<[1], offset: 4>>
`
)

func counts(launches, ins int, inBytes, inNeedless int64, outs int, outBytes, outNeedless int64) transfers.Counts {
	return transfers.Counts{Launches: launches, In: transfers.Moved{Copies: ins, Bytes: inBytes, Needless: inNeedless},
		Out: transfers.Moved{Copies: outs, Bytes: outBytes, Needless: outNeedless}}
}

func TestTransfers(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       transfers.Counts
		says       string // what is wrong, "" for nothing
	}{
		{name: "in and out", body: in + double + out + free, want: counts(1, 1, 32, 0, 1, 32, 0)},
		{name: "nothing", body: free, want: counts(0, 0, 0, 0, 0, 0, 0)},
		{name: "it stays on the device", body: in + double + double + out + free, want: counts(2, 1, 32, 0, 1, 32, 0)},
		{name: "all is written", body: fill + out + free, want: counts(1, 0, 0, 0, 1, 32, 0)},
		{name: "moved in though all is written", body: in + fill + out + free, want: counts(1, 1, 32, 32, 1, 32, 0)},
		{name: "moved in twice", body: in + in + double + out + free, want: counts(1, 2, 64, 32, 1, 32, 0)},
		{name: "moved in and freed", body: in + free, want: counts(0, 1, 32, 32, 0, 0, 0)},
		{name: "moved in and left", body: in, want: counts(0, 1, 32, 32, 0, 0, 0)},
		{name: "moved out twice", body: fill + out + out + free, want: counts(1, 0, 0, 0, 2, 64, 32)},
		{name: "moved out unchanged", body: in + out + free, want: counts(0, 1, 32, 32, 1, 32, 32)},
		{name: "a part is written, all moves", body: in + half + out + free, want: counts(1, 1, 32, 32, 1, 32, 16)},
		{name: "a part is written, it moves", body: half + halves + free, want: counts(1, 0, 0, 0, 1, 16, 0)},
		{name: "what the caller gives holds values", body: strings.ReplaceAll(double+out, "%d", "%given") + free, want: counts(1, 0, 0, 0, 1, 32, 0)},
		{name: "from device to device", body: in + "memref.copy %d, %given : memref<8xi32, 1> to memref<8xi32, 1>\n" + strings.ReplaceAll(double+out, "%d", "%given") + free,
			want: counts(1, 1, 32, 0, 1, 32, 0)},
		{name: "memory of threads and constants", body: "device.launch @own blocks(%c2) threads(%c8) args(%d : memref<8xi32, 1>)\n" + out + free, want: counts(1, 0, 0, 0, 1, 32, 0)},

		{name: "what was not moved", body: double + free, says: "the kernel reads element 0, which neither moved"},
		{name: "a part that was not moved", body: half + double + free, says: "the kernel reads element 0, which neither moved"},
		{name: "a part that was not written", body: half + out + free, says: "element 0 leaves the device, where it neither moved"},
		{name: "host memory in a kernel", body: "device.launch @plain blocks(%c1) threads(%c8) args(%h : memref<8xi32>)\n" + free, says: "the kernel writes memory of the host"},
		{name: "host memory under another name", body: "%cast = memref.memory_space_cast %h : memref<8xi32> to memref<8xi32, 1>\n" + strings.ReplaceAll(double, "%d", "%cast") + free, says: "the kernel reads memory of the host"},
		{name: "the host reads", body: in + "%v = memref.load %d[%c0] : memref<8xi32, 1>\nmemref.store %v, %h[%c1] : memref<8xi32>\n" + free, says: "the host reads memory of the device"},
		{name: "the host writes", body: "memref.store %seven, %d[%c0] : memref<8xi32, 1>\n" + double + free, says: "the host writes memory of the device"},
		{name: "the host reads what it was given", body: "%v = memref.load %given[%c0] : memref<8xi32, 1>\nmemref.store %v, %h[%c1] : memref<8xi32>\n" + free, says: "the host reads memory of the device"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := run(t, kernels+c.body+"return }\n")
			var v *interp.Violation
			switch {
			case c.says == "" && err != nil:
				t.Fatal(err)
			case c.says == "" && got != c.want:
				t.Errorf("%v\nwant %v", got, c.want)
			case c.says != "" && (!errors.As(err, &v) || !strings.Contains(v.What, c.says) || v.Fix == ""):
				t.Errorf("it says %v\nwant %s", err, c.says)
			}
		})
	}
}

// run calls main as the program is written, so that unneeded work is done too.
func run(t *testing.T, program string) (transfers.Counts, error) {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x.mlir", program), text.Options{Verbatim: true})
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	c := transfers.New()
	m, err := interp.New(g, interp.Options{Watch: c, Wrap: c.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	var args []ir.Val
	for range 2 {
		b := interp.NewBuffer(g.Ctx, ir.I32, 8, false)
		b.Static = true
		args = append(args, ir.Val{Ref: &interp.MemRef{Buf: b, Sizes: []int64{8}, Strides: []int64{1}}})
	}
	_, err = m.Call("main", args)
	return c.Counts(), err
}

// The example moves what it needs and no more.
func TestExample(t *testing.T) {
	src, err := os.ReadFile("../../../examples/device/moved.mlir")
	if err != nil {
		t.Fatal(err)
	}
	got, err := run(t, string(src)+`
func.func @main(%x: memref<8xi32>, %y: memref<8xi32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %two = arith.constant 2.0 : f32
  %p = memref.cast %a : memref<8xf32> to memref<?xf32>
  %q = memref.cast %b : memref<8xf32> to memref<?xf32>
  func.call @saxpy(%two, %p, %q) : (f32, memref<?xf32>, memref<?xf32>) -> ()
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}`)
	if err != nil || got != counts(1, 2, 64, 0, 1, 32, 0) {
		t.Errorf("%v, %v", got, err)
	}
}
