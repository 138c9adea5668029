package nvvm

import (
	"fmt"
	"strings"
	"testing"
)

// snippets is a line for each op and type, between a load of %x, %y, %z of type T
// and a store of %r of type R.
func snippets() (out []string) {
	add := func(in, res, format string, args ...any) {
		t := res
		if t == "" {
			t = in
		}
		body := fmt.Sprintf(format, args...)
		out = append(out, fmt.Sprintf(`device.kernel @k%d(%%a: memref<?x%s>, %%b: memref<?x%s>, %%c: i1, %%w: index) {
  %%i = device.thread_id x
  %%x = memref.load %%a[%%i] : memref<?x%s>
  %%y = memref.load %%a[%%w] : memref<?x%s>
  %s
  memref.store %%r, %%b[%%i] : memref<?x%s>
  device.return
}`, len(out), in, t, in, in, body, t))
	}
	for _, t := range []string{"i1", "i8", "i16", "i32", "i64", "i24", "index", "vector<4xi32>", "vector<2xi64>"} {
		for _, op := range strings.Fields("addi subi muli andi ori xori shli shrui shrsi maxsi maxui minsi minui divui divsi remui remsi ceildivui ceildivsi floordivsi") {
			add(t, "", "%%r = arith.%s %%x, %%y : %s", op, t)
		}
		for _, p := range []string{"eq", "slt", "uge"} {
			if !strings.HasPrefix(t, "vector") {
				add(t, "i1", "%%r = arith.cmpi %s, %%x, %%y : %s", p, t)
			}
		}
		add(t, "", "%%r = arith.select %%c, %%x, %%y : %s", t)
		if t != "index" {
			for _, op := range strings.Fields("math.absi math.ctlz math.cttz math.ctpop") {
				add(t, "", "%%r = %s %%x : %s", op, t)
			}
			add(t, "", "%%r = math.ipowi %%x, %%y : %s", t)
			if !strings.HasPrefix(t, "vector") {
				add(t, "f32", "%%r = arith.sitofp %%x : %s to f32", t)
				add(t, "f64", "%%r = arith.uitofp %%x : %s to f64", t)
				add(t, "index", "%%r = arith.index_cast %%x : %s to index", t)
				add(t, "", "%%r, %%s = arith.mulsi_extended %%x, %%y : %s", t)
				add(t, "i1", "%%s, %%r = arith.addui_extended %%x, %%y : %s, i1", t)
			}
		}
	}
	for _, t := range []string{"f16", "bf16", "f32", "f64", "vector<4xf32>", "vector<2xf16>"} {
		for _, op := range strings.Fields("arith.addf arith.subf arith.mulf arith.divf arith.maximumf arith.minimumf arith.maxnumf arith.minnumf math.copysign") {
			add(t, "", "%%r = %s %%x, %%y : %s", op, t)
		}
		for _, op := range strings.Fields("arith.negf math.absf math.ceil math.floor math.round math.roundeven math.sqrt math.trunc math.rsqrt") {
			add(t, "", "%%r = %s %%x : %s", op, t)
		}
		add(t, "", "%%r = math.fma %%x, %%y, %%x : %s", t)
		if strings.HasPrefix(t, "vector") {
			continue
		}
		for _, p := range []string{"oeq", "une", "olt", "uno"} {
			add(t, "i1", "%%r = arith.cmpf %s, %%x, %%y : %s", p, t)
		}
		add(t, "i32", "%%r = arith.fptosi %%x : %s to i32", t)
		add(t, "i64", "%%r = arith.fptoui %%x : %s to i64", t)
		if t != "f64" {
			add(t, "f64", "%%r = arith.extf %%x : %s to f64", t)
			add("f64", t, "%%r = arith.truncf %%x : f64 to %s", t)
		}
	}
	add("f32", "i32", "%%r = arith.bitcast %%x : f32 to i32")
	add("i16", "bf16", "%%r = arith.bitcast %%x : i16 to bf16")
	const ints, floats = "addi maxs maxu mins minu ori andi muli assign", "addf mulf maximumf minimumf maxnumf minnumf assign"
	for _, k := range [][2]string{{"i8", ints}, {"i16", "addi assign"}, {"i32", ints}, {"i64", ints}, {"f16", "addf assign maximumf"}, {"bf16", "addf"}, {"f32", floats}, {"f64", floats}} {
		t := k[0]
		for _, kind := range strings.Fields(k[1]) {
			add(t, "", "%%r = memref.atomic_rmw %s %%x, %%a[%%w] : (%s, memref<?x%s>) -> %s", kind, t, t, t)
			add(t, "", `%%s = device.shared : memref<8x%s, 3>
  memref.store %%x, %%s[%%i] : memref<8x%s, 3>
  device.barrier
  %%r = memref.atomic_rmw %s %%x, %%s[%%w] : (%s, memref<8x%s, 3>) -> %s`, t, t, kind, t, t, t)
			add(t, "", `%%m = memref.alloca() : memref<8x%s>
  memref.store %%x, %%m[%%i] : memref<8x%s>
  %%s = memref.atomic_rmw %s %%y, %%m[%%w] : (%s, memref<8x%s>) -> %s
  %%r = memref.load %%m[%%w] : memref<8x%s>`, t, t, kind, t, t, t, t)
		}
		add(t, "", "%%r = device.atomic_cas %%x, %%y, %%a[%%w] : memref<?x%s>", t)
		add(t, "", `%%m = memref.alloca() : memref<8x%s>
  memref.store %%x, %%m[%%i] : memref<8x%s>
  %%s = device.atomic_cas %%x, %%y, %%m[%%w] : memref<8x%s>
  %%r = memref.load %%m[%%w] : memref<8x%s>`, t, t, t, t)
	}
	add("f32", "", `%%r = memref.generic_atomic_rmw %%a[%%w] : memref<?xf32> { ^bb0(%%o: f32): %%n = arith.divf %%o, %%x : f32 memref.atomic_yield %%n : f32 }`)
	add("f32", "", `%%m = memref.alloca() : memref<16xf32>
  memref.store %%x, %%m[%%i] : memref<16xf32>
  %%r = memref.load %%m[%%w] : memref<16xf32>`)
	add("f32", "", `%%s = device.shared : memref<4x4xf32, 3>
  %%q = memref.subview %%s[0, %%w][4, 1][1, 1] : memref<4x4xf32, 3> to memref<4x1xf32, strided<[4, 1], offset: ?>, 3>
  %%c0 = arith.constant 0 : index
  memref.store %%x, %%q[%%i, %%c0] : memref<4x1xf32, strided<[4, 1], offset: ?>, 3>
  device.barrier
  %%r = memref.load %%s[%%i, %%i] : memref<4x4xf32, 3>`)
	add("f32", "", `%%s = device.shared : memref<4x4xf32, 3>
  %%t = device.shared : memref<4x4xf32, 3>
  memref.store %%x, %%s[%%i, %%i] : memref<4x4xf32, 3>
  memref.copy %%s, %%t : memref<4x4xf32, 3> to memref<4x4xf32, 3>
  device.barrier
  %%r = memref.load %%t[%%w, %%i] : memref<4x4xf32, 3>`)
	add("f32", "", `%%c1 = arith.constant 1 : index
  %%r = scf.parallel (%%p, %%q) = (%%i, %%i) to (%%w, %%w) step (%%c1, %%c1) init (%%x) -> f32 {
    %%v = memref.load %%a[%%p] : memref<?xf32>
    scf.reduce(%%v : f32) { ^bb0(%%l: f32, %%h: f32): %%n = arith.addf %%l, %%h : f32 scf.reduce.return %%n : f32 }
  }`)
	return out
}

// Every op that kernels may have compiles for both architectures, and assembles.
func TestOps(t *testing.T) {
	needsLLVM(t)
	all := snippets()
	for _, o := range []Options{{}, {Target: GPU("sm_90"), Unchecked: true}} {
		p, err := compile(parse(t, "x", strings.Join(all, "\n")), o)
		if err == nil {
			assembles(t, p)
			continue
		}
		for _, src := range all { // which one?
			if _, err := compile(parse(t, "x", src), o); err != nil {
				t.Errorf("%v\n%s", err, src)
			}
		}
	}
}
