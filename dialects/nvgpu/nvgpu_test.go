package nvgpu_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// What is printed is what was read: mlir-opt takes the file too.
func TestRoundTrip(t *testing.T) {
	src, err := os.ReadFile("testdata/nvgpu.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for _, generic := range []bool{false, true} {
		first := ""
		for _, from := range []string{string(src), ""} {
			if from == "" {
				from = first
			}
			g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("nvgpu.mlir", from), text.Options{Verbatim: true})
			if err := errs.Err(); err != nil {
				t.Fatal(err)
			}
			got := text.String(g, text.PrintOptions{Generic: generic})
			if first != "" && got != first {
				t.Errorf("%s\nbecomes\n%s", first, got)
			}
			first = got
		}
		if n := strings.Count(first, "nvgpu."); n < 7 {
			t.Errorf("%d ops are left of 7:\n%s", n, first)
		}
	}
}

// ids are what the kernels below need.
const ids = `
  %lane = device.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %g = arith.divui %lane, %c4 : index
  %g8 = arith.addi %g, %c8 : index
  %q = arith.remui %lane, %c4 : index
  %q4 = arith.addi %q, %c4 : index
  %p = arith.muli %q, %c2 : index
  %p1 = arith.addi %p, %c1 : index
  %p8 = arith.addi %p, %c8 : index
  %p9 = arith.addi %p, %c9 : index
`

// gather loads elements of a memref one by one, as the tables of the PTX ISA say which thread has which.
func gather(name, memory, typ, elem string, rows, columns int, places ...string) string {
	var b strings.Builder
	last := name + "_0"
	fmt.Fprintf(&b, "  %%%s = arith.constant dense<0.0> : vector<%dx%dx%s>\n", last, rows, columns, elem)
	for i, p := range places {
		next := fmt.Sprintf("%s_%d", name, i+1)
		fmt.Fprintf(&b, "  %%%s_e%d = memref.load %%%s[%s] : %s\n", name, i, memory, p, typ)
		fmt.Fprintf(&b, "  %%%s = vector.insert %%%s_e%d, %%%s [%d, %d] : %s into vector<%dx%dx%s>\n", next, name, i, last, i/columns, i%columns, elem, rows, columns, elem)
		last = next
	}
	return b.String()
}

const scatter = `
  %r0 = vector.extract %d[0, 0] : f32 from vector<2x2xf32>
  %r1 = vector.extract %d[0, 1] : f32 from vector<2x2xf32>
  %r2 = vector.extract %d[1, 0] : f32 from vector<2x2xf32>
  %r3 = vector.extract %d[1, 1] : f32 from vector<2x2xf32>
  memref.store %r0, %c[%g, %p] : memref<16x8xf32, 1>
  memref.store %r1, %c[%g, %p1] : memref<16x8xf32, 1>
  memref.store %r2, %c[%g8, %p] : memref<16x8xf32, 1>
  memref.store %r3, %c[%g8, %p1] : memref<16x8xf32, 1>
`

// kernel has one warp multiply a, 16 x k, by b, k x 8, and add c.
func kernel(elem string, k int, body string) string {
	args := fmt.Sprintf("%%a: memref<16x%d%s, 1>, %%b: memref<%dx8%s, 1>, %%c: memref<16x8xf32, 1>", k, "x"+elem, k, "x"+elem)
	types := fmt.Sprintf("memref<16x%dx%s, 1>, memref<%dx8x%s, 1>, memref<16x8xf32, 1>", k, elem, k, elem)
	return "device.kernel @k(" + args + ") {" + ids + body + "  device.return\n}\nfunc.func @main(" + args + ") {\n  %one = arith.constant 1 : index\n  %warp = arith.constant 32 : index\n" +
		"  device.launch @k blocks(%one) threads(%warp) args(%a, %b, %c : " + types + ")\n  return\n}\n"
}

func byElements(elem string) string {
	if elem == "f32" {
		return kernel(elem, 8, gather("x", "a", "memref<16x8xf32, 1>", elem, 4, 1, "%g, %q", "%g8, %q", "%g, %q4", "%g8, %q4")+
			gather("y", "b", "memref<8x8xf32, 1>", elem, 2, 1, "%q, %g", "%q4, %g")+
			gather("z", "c", "memref<16x8xf32, 1>", "f32", 2, 2, "%g, %p", "%g, %p1", "%g8, %p", "%g8, %p1")+
			"  %d = nvgpu.mma.sync(%x_4, %y_2, %z_4) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>\n"+scatter)
	}
	return kernel(elem, 16, gather("x", "a", "memref<16x16x"+elem+", 1>", elem, 4, 2, "%g, %p", "%g, %p1", "%g8, %p", "%g8, %p1", "%g, %p8", "%g, %p9", "%g8, %p8", "%g8, %p9")+
		gather("y", "b", "memref<16x8x"+elem+", 1>", elem, 2, 2, "%p, %g", "%p1, %g", "%p8, %g", "%p9, %g")+
		gather("z", "c", "memref<16x8xf32, 1>", "f32", 2, 2, "%g, %p", "%g, %p1", "%g8, %p", "%g8, %p1")+
		fmt.Sprintf("  %%d = nvgpu.mma.sync(%%x_8, %%y_4, %%z_4) {mmaShape = [16, 8, 16]} : (vector<4x2x%s>, vector<2x2x%[1]s>, vector<2x2xf32>) -> vector<2x2xf32>\n", elem)+scatter)
}

// byCopies brings both matrices to shared memory by asynchronous copies, and from there as fragments.
func byCopies(elem, wait string) string {
	return kernel(elem, 16, strings.ReplaceAll(`
  %sa = device.shared : memref<16x24xTYPE, 3>
  %sb = device.shared : memref<16x8xTYPE, 3>
  %row = arith.remui %lane, %c16 : index
  %half = arith.divui %lane, %c16 : index
  %col = arith.muli %half, %c8 : index
  %t0 = nvgpu.device_async_copy %a[%row, %col], %sa[%row, %col], 8 {bypassL1} : memref<16x16xTYPE, 1> to memref<16x24xTYPE, 3>
  %low = arith.cmpi ult, %lane, %c16 : index
  scf.if %low {
    %t1 = nvgpu.device_async_copy %b[%row, %c0], %sb[%row, %c0], 8 : memref<16x8xTYPE, 1> to memref<16x8xTYPE, 3>
  }
  %grp = nvgpu.device_async_create_group %t0
  `+wait+`
  device.barrier
  %x = nvgpu.ldmatrix %sa[%row, %col] {numTiles = 4 : i32, transpose = false} : memref<16x24xTYPE, 3> -> vector<4x2xTYPE>
  %y = nvgpu.ldmatrix %sb[%row, %c0] {numTiles = 2 : i32, transpose = true} : memref<16x8xTYPE, 3> -> vector<2x2xTYPE>
`, "TYPE", elem)+gather("z", "c", "memref<16x8xf32, 1>", "f32", 2, 2, "%g, %p", "%g, %p1", "%g8, %p", "%g8, %p1")+
		fmt.Sprintf("  %%d = nvgpu.mma.sync(%%x, %%y, %%z_4) {mmaShape = [16, 8, 16]} : (vector<4x2x%s>, vector<2x2x%[1]s>, vector<2x2xf32>) -> vector<2x2xf32>\n", elem)+scatter)
}

func run(t *testing.T, src string, elem ir.Type, k int) (a, b, c, d []float64, err error) {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x.mlir", src), text.Options{})
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	check := simt.New()
	m, err := interp.New(g, interp.Options{Watch: check, Wrap: check.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	matrix := func(rows, columns int, elem ir.Type) ([]float64, ir.Val, *interp.Buffer) {
		buf := interp.NewBuffer(g.Ctx, elem, rows*columns, false)
		buf.Static = true
		out := make([]float64, rows*columns)
		for i := range out {
			out[i] = float64(rnd.IntN(33) - 16)
			buf.Store(i, ir.FloatVal(out[i], elem))
		}
		return out, ir.Val{Ref: &interp.MemRef{Buf: buf, Sizes: []int64{int64(rows), int64(columns)}, Strides: []int64{int64(columns), 1}}}, buf
	}
	a, va, _ := matrix(16, k, elem)
	b, vb, _ := matrix(k, 8, elem)
	c, vc, buf := matrix(16, 8, ir.F32)
	_, err = m.Call("main", []ir.Val{va, vb, vc})
	for i := range 16 * 8 {
		d = append(d, buf.Load(i).Float(ir.F32))
	}
	return a, b, c, d, err
}

// The fragments of a product are where the PTX ISA says.
func TestFragments(t *testing.T) {
	for _, x := range []struct {
		name, src string
		elem      ir.Type
		k         int
	}{
		{"f16", byElements("f16"), ir.F16, 16}, {"bf16", byElements("bf16"), ir.BF16, 16}, {"tf32", byElements("f32"), ir.F32, 8},
		{"copies and ldmatrix, f16", byCopies("f16", "nvgpu.device_async_wait %grp {numGroups = 0 : i32}"), ir.F16, 16},
		{"copies and ldmatrix, bf16", byCopies("bf16", "nvgpu.device_async_wait %grp"), ir.BF16, 16},
	} {
		t.Run(x.name, func(t *testing.T) {
			a, b, c, d, err := run(t, x.src, x.elem, x.k)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 16 {
				for j := range 8 {
					want := c[8*i+j]
					for k := range x.k {
						want += a[x.k*i+k] * b[8*k+j]
					}
					if d[8*i+j] != want {
						t.Fatalf("element %d, %d is %v, want %v", i, j, d[8*i+j], want)
					}
				}
			}
		})
	}
}

// What is wrong with copies and fragments is found.
func TestFaults(t *testing.T) {
	good := byCopies("f16", "nvgpu.device_async_wait %grp {numGroups = 0 : i32}")
	for _, c := range []struct{ name, from, to, says string }{
		{"nothing waits", "nvgpu.device_async_wait %grp {numGroups = 0 : i32}", "", "which nothing has written"},
		{"it waits for an earlier group", "numGroups = 0", "numGroups = 1", "which nothing has written"},
		{"no barrier after the wait", "device.barrier\n  %x = nvgpu.ldmatrix %sa[%row, %col]", "%x = nvgpu.ldmatrix %sa[%g, %c8]", "'nvgpu.ldmatrix' op: thread 0 of block 0 reads element 8 of shared memory, which nothing has written"},
		{"rows that are not aligned", "memref<16x24xf16, 3>", "memref<16x17xf16, 3>", "no multiple of"},
		{"behind the end", "%x = nvgpu.ldmatrix %sa[%row, %col]", "%x = nvgpu.ldmatrix %sa[%row, %lane]", "no multiple of 16"},
		{"half a warp", "%warp = arith.constant 32", "%warp = arith.constant 16", "all 32 must be here"},
	} {
		src := strings.ReplaceAll(good, c.from, c.to)
		if src == good {
			t.Fatalf("%s: nothing is replaced", c.name)
		}
		if _, _, _, _, err := run(t, src, ir.F16, 16); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: it says %v\nwant %s", c.name, err, c.says)
		}
	}
}

// What ops must be is told.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ from, to, says string }{
		{"mmaShape = [16, 8, 16]", "mmaShape = [16, 8, 32]", "wants the fragment of A to be vector<8x2x...> for mmaShape = [16 8 32], not 'vector<4x2xf16>'"},
		{"mmaShape = [16, 8, 16]", "mmaShape = [16, 8, 8]", "wants the fragment of A to be vector<2x2x...>"},
		{"numTiles = 4", "numTiles = 3", "must be 1, 2 or 4"},
		{"], 8 {bypassL1}", "], 3 {bypassL1}", "copies 4, 8 or 16 bytes, not 6"},
		{"%sa[%row, %col], 8", "%a[%row, %col], 8", "copies to shared memory"},
	} {
		src := strings.ReplaceAll(byCopies("f16", ""), c.from, c.to)
		if c.to[1] == 'a' {
			src = strings.ReplaceAll(src, "memref<16x16xf16, 1> to memref<16x24xf16, 3>", "memref<16x16xf16, 1> to memref<16x16xf16, 1>")
		}
		_, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x.mlir", src), text.Options{})
		if err := errs.Err(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("it says %v\nwant %s", err, c.says)
		}
	}
	src := strings.ReplaceAll(byElements("f32"), ", tf32Enabled", "")
	if _, _, _, _, err := run(t, src, ir.F32, 8); err == nil || !strings.Contains(err.Error(), "tf32Enabled") {
		t.Errorf("it says %v", err)
	}
}
