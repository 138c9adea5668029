package engine

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
)

// A narrowCase is a function of x, a bf16 or f16, that is tried on all 2^16 of them.
type narrowCase struct {
	name, body, result string
	bits               bool // NaN must have the interpreter's bits, too
}

// narrowCases are what is done with a value of type T; W is the integer that a value
// of the result is told by.
func narrowCases(t string) (out []narrowCase) {
	add := func(result, format string, bits bool) {
		name := fmt.Sprintf("%s_%d", t, len(out))
		out = append(out, narrowCase{name, strings.ReplaceAll(format, "T", t), strings.ReplaceAll(result, "T", t), bits})
	}
	bf16 := t == "bf16"
	add("T", "%r = arith.select %c, %x, %y : T", true)
	add("T", "%r = arith.negf %x : T", true)
	add("f32", "%r = arith.extf %x : T to f32", bf16)
	add("f64", "%r = arith.extf %x : T to f64", bf16)
	for _, op := range strings.Fields("math.absf math.sqrt math.floor math.ceil math.trunc math.round math.roundeven") {
		add("T", "%r = "+op+" %x : T", false)
	}
	for _, op := range strings.Fields("arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf arith.minimumf arith.maxnumf arith.minnumf math.copysign") {
		add("T", "%r = "+op+" %x, %y : T", false)
	}
	for _, op := range strings.Fields("subf divf remf") {
		add("T", "%r = arith."+op+" %y, %x : T", false)
	}
	add("T", "%r = math.fma %x, %y, %z : T", false)
	add("T", "%r = math.fma %y, %z, %x : T", false)
	for _, p := range strings.Fields("oeq uge uno") {
		add("i1", "%r = arith.cmpf "+p+", %x, %y : T", true)
	}
	for _, w := range []int{7, 33, 64} {
		add(fmt.Sprintf("i%d", w), fmt.Sprintf("%%r = arith.fptosi %%x : T to i%d", w), true)
		add(fmt.Sprintf("i%d", w), fmt.Sprintf("%%r = arith.fptoui %%x : T to i%d", w), true)
	}
	// From f32: x is its upper half, k the lower one; from f64: that, moved by some
	// units in the last place.
	const single = `%w = arith.extui %i : i16 to i32
%s = arith.shli %w, %c16 : i32
%b = arith.ori %s, %k : i32
%f = arith.bitcast %b : i32 to f32
`
	add("T", single+"%r = arith.truncf %f : f32 to T", bf16)
	add("T", single+`%e = arith.extf %f : f32 to f64
%d = arith.bitcast %e : f64 to i64
%m = arith.addi %d, %u : i64
%g = arith.bitcast %m : i64 to f64
%r = arith.truncf %g : f64 to T`, bf16)
	return out
}

// width is that of the integer which holds a value of a type.
func width(t string) int {
	n := 0
	fmt.Sscanf(strings.TrimLeft(t, "bfi"), "%d", &n)
	return n
}

// source makes a function that does it for each i16 of memory.
func (k *narrowCase) source(t string) string {
	put := "%o = arith.bitcast %r : " + k.result + fmt.Sprintf(" to i%d", width(k.result))
	if k.result[0] == 'i' {
		put = ""
	}
	o := "%o"
	if put == "" {
		o = "%r"
	}
	if w := width(k.result); w < 64 {
		put += fmt.Sprintf("\n%%wide = arith.extui %s : i%d to i64", o, w)
		o = "%wide"
	}
	return fmt.Sprintf(`func.func @%s(%%in: memref<?xi16>, %%out: memref<?xi64>, %%n: index, %%yi: i16, %%zi: i16, %%k: i32, %%u: i64, %%c: i1) {
%%c0 = arith.constant 0 : index
%%c1 = arith.constant 1 : index
%%c16 = arith.constant 16 : i32
%%y = arith.bitcast %%yi : i16 to %[2]s
%%z = arith.bitcast %%zi : i16 to %[2]s
scf.for %%at = %%c0 to %%n step %%c1 {
%%i = memref.load %%in[%%at] : memref<?xi16>
%%x = arith.bitcast %%i : i16 to %[2]s
%[3]s
%[4]s
memref.store %[5]s, %%out[%%at] : memref<?xi64>
}
return
}
`, k.name, t, k.body, put, o)
}

// filled makes memory with the given patterns.
func filled(t *testing.T, g *ir.Graph, elem ir.Type, xs []uint64) ir.Val {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.NewMemRef(elem, int64(len(xs)))
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range xs {
		r.Buf.Store(i, ir.Val{Bits: x})
	}
	r.Buf.Static = true
	return ir.Val{Ref: r}
}

func elements(v ir.Val) []ir.Val {
	b := v.Ref.(*interp.MemRef).Buf
	out := make([]ir.Val, b.Len())
	for i := range out {
		out[i] = b.Load(i)
	}
	return out
}

var floatTypes = map[string]ir.Type{"bf16": ir.BF16, "f16": ir.F16, "f32": ir.F32, "f64": ir.F64}

// sameBits compares patterns; NaN are one unless their bits are asked for.
func (k *narrowCase) same(a, b ir.Val) bool {
	if a.IsPoison() || a.Bits == b.Bits {
		return true
	}
	t, isFloat := floatTypes[k.result]
	return isFloat && !k.bits && math.IsNaN(a.Float(t)) && math.IsNaN(b.Float(t))
}

// machines are the processors that code is compiled for: the least x86-64, and this.
var machines = []string{"x86-64", ""}

func onMachines(t *testing.T, test func(t *testing.T, e Engine)) {
	for _, cpu := range machines {
		to, err := target.Named("host", cpu)
		if err != nil {
			t.Fatal(err)
		}
		t.Run("cpu="+cpu, func(t *testing.T) { test(t, native(t, Options{Target: to, Level: level()})) })
	}
}

// Whatever is done with any of the 2^16 values of bf16 and of f16 gives the same bits
// natively as on the interpreter.
func TestAllNarrowFloats(t *testing.T) {
	const y, z = 0x4049, 0xBF2B
	all := make([]uint64, 1<<16)
	for i := range all {
		all[i] = uint64(i)
	}
	for _, typ := range []string{"bf16", "f16"} {
		cases := narrowCases(typ)
		var src strings.Builder
		for _, k := range cases {
			src.WriteString(k.source(typ))
		}
		g := parse(t, src.String())
		ref := prepare(t, endless(t), g)
		calls := func(p Program) (out [][]ir.Val) {
			for i, k := range cases {
				in, res := filled(t, g, ir.I16, all), filled(t, g, ir.I64, make([]uint64, len(all)))
				r := rand.New(rand.NewPCG(uint64(i), 1))
				low := []uint64{0, 1, 0x0FFF, 0x1000, 0x1001, 0x2FFF, 0x3000, 0x7FFF, 0x8000, 0x8001}[r.IntN(10)]
				args := []ir.Val{in, res, {Bits: uint64(len(all))}, {Bits: y}, {Bits: z}, {Bits: low}, {Bits: uint64(int64(r.IntN(3) - 1))}, {Bits: 1}}
				if _, _, err := p.Call(t.Context(), k.name, args); err != nil {
					t.Fatalf("%s: %v", k.body, err)
				}
				out = append(out, elements(res))
			}
			return out
		}
		wants := calls(ref)
		t.Run(typ, func(t *testing.T) {
			onMachines(t, func(t *testing.T, e Engine) {
				for i, got := range calls(prepare(t, e, g)) {
					bad := 0
					for x, w := range wants[i] {
						if !cases[i].same(w, got[x]) && bad < 3 {
							bad++
							t.Errorf("%s of %#04x gives %#x, want %#x", cases[i].body, x, got[x].Bits, w.Bits)
						}
					}
				}
			})
		})
	}
}

// boundaries are integers near powers of two and near the ties of the float formats.
func boundaries() (out []uint64) {
	out = append(out, 131858431) // which f32 rounds to a tie of bf16
	for b := range 64 {
		x := uint64(1) << b
		for _, digits := range []int{64, 7, 8, 9, 10, 11, 12, 23, 24, 25, 52, 53, 54} {
			y := x
			if digits <= b {
				y |= x >> digits
			}
			for d := range uint64(5) {
				out = append(out, y+d-2, -(y + d - 2), y|x>>9<<2+d)
			}
		}
	}
	return out
}

// rounded is an integer in a float format, by math/big.
func rounded(x *big.Int, t ir.Type) uint64 {
	digits := map[ir.Type]uint{ir.BF16: 8, ir.F16: 11, ir.F32: 24, ir.F64: 53}[t]
	f, _ := new(big.Float).SetPrec(digits).SetMode(big.ToNearestEven).SetInt(x).Float64()
	return ir.FloatToBits(f, t) // which f is, or beyond it
}

// Integers of every width become the nearest float, natively as on the interpreter.
func TestIntegersToFloats(t *testing.T) {
	widths := []int{1, 8, 17, 24, 25, 26, 33, 53, 54, 55, 63, 64}
	var src strings.Builder
	type conversion struct {
		name   string
		w      int
		signed bool
		to     ir.Type
	}
	var all []conversion
	for _, w := range widths {
		for to, typ := range floatTypes {
			for _, op := range []string{"sitofp", "uitofp"} {
				k := conversion{fmt.Sprintf("%s_%d_%s", op, w, to), w, op == "sitofp", typ}
				all = append(all, k)
				in := "%x = arith.trunci %v : i64 to i" + fmt.Sprint(w)
				if w == 64 {
					in = "%x = arith.ori %v, %v : i64"
				}
				out, res := "%o = arith.bitcast %r : f64 to i64", "%o"
				if fw := width(to); fw < 64 {
					out = fmt.Sprintf("%%b = arith.bitcast %%r : %s to i%d\n%%o = arith.extui %%b : i%d to i64", to, fw, fw)
				}
				fmt.Fprintf(&src, `func.func @%s(%%in: memref<?xi64>, %%out: memref<?xi64>, %%n: index) {
%%c0 = arith.constant 0 : index
%%c1 = arith.constant 1 : index
scf.for %%at = %%c0 to %%n step %%c1 {
%%v = memref.load %%in[%%at] : memref<?xi64>
%s
%%r = arith.%s %%x : i%d to %s
%s
memref.store %s, %%out[%%at] : memref<?xi64>
}
return
}
`, k.name, in, op, w, to, out, res)
			}
		}
	}
	g := parse(t, src.String())
	xs := boundaries()
	check := func(t *testing.T, p Program) {
		for _, k := range all {
			res := filled(t, g, ir.I64, make([]uint64, len(xs)))
			if _, _, err := p.Call(t.Context(), k.name, []ir.Val{filled(t, g, ir.I64, xs), res, {Bits: uint64(len(xs))}}); err != nil {
				t.Fatal(err)
			}
			bad := 0
			for i, y := range elements(res) {
				x := new(big.Int).SetUint64(ir.IntVal(int64(xs[i]), k.w).Bits)
				if k.signed {
					x.SetInt64(ir.Val{Bits: xs[i]}.Int(k.w))
				}
				if want := rounded(x, k.to); y.Bits != want && bad < 3 {
					bad++
					t.Errorf("%s of %v gives %#x, want %#x", k.name, x, y.Bits, want)
				}
			}
		}
	}
	t.Run("eval", func(t *testing.T) { check(t, prepare(t, endless(t), g)) })
	onMachines(t, func(t *testing.T, e Engine) { check(t, prepare(t, e, g)) })
}

// On a GPU, bf16 is what it is elsewhere: integers are rounded once.
func TestNarrowFloatsOnDevices(t *testing.T) {
	const src = `device.kernel @k(%in: memref<?xi64>, %out: memref<?xi16>, %w: index, %n: index) {
  %i = device.thread_id x
  scf.for %at = %i to %n step %w {
    %l = memref.load %in[%at] : memref<?xi64>
    %s = arith.trunci %l : i64 to i32
    %h = arith.trunci %l : i64 to i16
    %f = arith.bitcast %s : i32 to f32
    %g = arith.bitcast %l : i64 to f64
    %x = arith.bitcast %h : i16 to bf16
    %r0 = arith.sitofp %l : i64 to bf16
    %r1 = arith.uitofp %l : i64 to bf16
    %r2 = arith.sitofp %s : i32 to bf16
    %r3 = arith.truncf %f : f32 to bf16
    %r4 = arith.truncf %g : f64 to bf16
    %r5 = arith.addf %x, %r2 : bf16
    %r6 = math.fma %x, %r1, %r3 : bf16
    %r7 = arith.negf %x : bf16
    PUT
  }
  device.return
}
func.func @run(%in: memref<?xi64>, %out: memref<?xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %in, %c0 : memref<?xi64>
  device.launch @k blocks(%c1) threads(%c32) args(%in, %out, %c32, %n : memref<?xi64>, memref<?xi16>, index, index)
  return
}`
	put := "%c8 = arith.constant 8 : index\n%base = arith.muli %at, %c8 : index\n"
	for i := range 8 {
		put += fmt.Sprintf("%%b%d = arith.bitcast %%r%d : bf16 to i16\n%%k%d = arith.constant %d : index\n%%to%d = arith.addi %%base, %%k%d : index\nmemref.store %%b%d, %%out[%%to%d] : memref<?xi16>\n", i, i, i, i, i, i, i, i)
	}
	text := strings.Replace(src, "PUT", put, 1)
	xs := boundaries()
	r := rand.New(rand.NewPCG(4, 4))
	for range 1000 {
		xs = append(xs, r.Uint64())
	}
	onDevices(t, Options{}, func(t *testing.T, e Engine, _ *cudatest.Driver) {
		g := parse(t, text)
		run := func(p Program) []ir.Val {
			out := filled(t, g, ir.I16, make([]uint64, 8*len(xs)))
			if _, _, err := p.Call(t.Context(), "run", []ir.Val{filled(t, g, ir.I64, xs), out}); err != nil {
				t.Fatal(err)
			}
			return elements(out)
		}
		got := run(prepare(t, e, g))
		k := narrowCase{result: "bf16"}
		for i, want := range run(prepare(t, endless(t), g)) {
			if !k.same(want, got[i]) {
				t.Fatalf("result %d of %#x is %#x, want %#x", i%8, xs[i/8], got[i].Bits, want.Bits)
			}
		}
	})
}

// endless is the interpreter without a limit.
func endless(t *testing.T) Engine {
	t.Helper()
	e, _, err := New(t.Context(), "eval", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
