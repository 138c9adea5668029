package libm_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
)

// survey is a function that compares the op on the f32 of the bits from %lo on, %n
// of them, %step apart, with the op on f64. It returns the greatest error, in
// ulp of f32, as the bits of an f32, over the bits of the argument. %least is the
// exponent field, in f64, of the least number whose ulp counts.
const survey = `
func.func @survey(%lo: i64, %n: index, %step: i64, %least: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %worst = scf.for %i = %c0 to %n step %c1 iter_args(%w = %zero) -> (i64) {
    %k = arith.index_cast %i : index to i64
    %ks = arith.muli %k, %step : i64
    %bits = arith.addi %lo, %ks : i64
    %b32 = arith.trunci %bits : i64 to i32
    %x = arith.bitcast %b32 : i32 to f32
    %y = OP %x : f32
    %xx = arith.extf %x : f32 to f64
    %ref0 = OP %xx : f64
    %yy0 = arith.extf %y : f32 to f64
    %top = arith.constant 3.4028236692093846e+38 : f64
    %bottom = arith.constant -3.4028236692093846e+38 : f64
    %ref1 = arith.minimumf %ref0, %top : f64
    %ref = arith.maximumf %ref1, %bottom : f64
    %yy1 = arith.minimumf %yy0, %top : f64
    %yy = arith.maximumf %yy1, %bottom : f64
    %d = arith.subf %yy, %ref : f64
    %abs = math.absf %d : f64
    %rbits = arith.bitcast %ref : f64 to i64
    %c52 = arith.constant 52 : i64
    %mask = arith.constant 2047 : i64
    %field0 = arith.shrui %rbits, %c52 : i64
    %field1 = arith.andi %field0, %mask : i64
    %field2 = arith.maxui %field1, %least : i64
    %c23 = arith.constant 2069 : i64
    %inverse = arith.subi %c23, %field2 : i64
    %scale0 = arith.shli %inverse, %c52 : i64
    %scale = arith.bitcast %scale0 : i64 to f64
    %u0 = arith.mulf %abs, %scale : f64
    %ynan = arith.cmpf uno, %y, %y : f32
    %rnan = arith.cmpf uno, %ref0, %ref0 : f64
    %both = arith.andi %ynan, %rnan : i1
    %either = arith.ori %ynan, %rnan : i1
    %fzero = arith.constant 0.0 : f64
    %inf = arith.constant 0x7FF0000000000000 : f64
    %u1 = arith.select %either, %inf, %u0 : f64
    %u2 = arith.select %both, %fzero, %u1 : f64
    %isz = arith.cmpf oeq, %yy, %fzero : f64
    %ybits = arith.bitcast %yy : f64 to i64
    %diff = arith.xori %ybits, %rbits : i64
    %sign = arith.cmpi slt, %diff, %zero : i64
    %badz = arith.andi %isz, %sign : i1
    %u3 = arith.select %badz, %inf, %u2 : f64
    %u32 = arith.truncf %u3 : f64 to f32
    %ubits = arith.bitcast %u32 : f32 to i32
    %key0 = arith.extui %ubits : i32 to i64
    %c32 = arith.constant 32 : i64
    %key1 = arith.shli %key0, %c32 : i64
    %low = arith.extui %b32 : i32 to i64
    %key = arith.ori %key1, %low : i64
    %next = arith.maxui %w, %key : i64
    scf.yield %next : i64
  }
  return %worst : i64
}
`

// quick are the functions that are looked at without a flag.
var quick = []string{"math.exp", "math.log", "math.sin"}

// TestExhaustive compares f32 functions of one operand with the same op on f64, which
// TestAccuracy holds to 200 bits: on arguments that are -stride apart (1: all).
func TestExhaustive(t *testing.T) {
	step := uint64(*stride)
	if step == 0 {
		step = 100003
	}
	how := fmt.Sprintf("every-%d", step)
	if *exhaustive {
		step, how = 1, "exhaustive"
	}
	for _, c := range checks {
		if c.arity() > 1 || !selected(c.op) || *stride == 0 && !*exhaustive && !slices.Contains(quick, c.op) {
			continue
		}
		t.Run(c.op, func(t *testing.T) {
			e := start(t, "llvm", jit.O3)
			p := prepare(t, e, lowered(t, strings.ReplaceAll(survey, "OP", c.op)))
			var worst uint64
			count := (uint64(1)<<32 - 1) / step
			for at := uint64(0); at <= count; {
				n := min(count-at+1, 1<<26)
				least := int64(1023 - 126)
				if c.scale != nil { // it takes effect below some argument; here it does everywhere
					least = int64(1023 + math.Ilogb(max(c.scale([]float64{-9}), 0x1p-126)))
				}
				out, _, err := p.Call(t.Context(), "survey", []ir.Val{ir.IntVal(int64(at*step), 64), ir.IntVal(int64(n), 64), ir.IntVal(int64(step), 64), ir.IntVal(least, 64)})
				if err != nil {
					t.Fatal(err)
				}
				worst = max(worst, out[0].Bits)
				at += n
			}
			u, x := math.Float32frombits(uint32(worst>>32)), math.Float32frombits(uint32(worst))
			t.Logf("%-18s %.4f ulp at %x = %v, of %d arguments", c.op, u, x, x, count+1)
			if *exhaustive || *stride > 0 {
				record(t, measured{c.op, "f32", how, int64(count + 1), float64(u)})
			}
			if !(float64(u) <= boundOf(t, c.op, formats[0])) {
				t.Errorf("%s: %v ulp at %x", c.op, u, x)
			}
		})
	}
}
