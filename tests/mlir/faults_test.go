package mlir_test

import (
	"fmt"
	"regexp"
	"strings"
)

// A fault of MLIR's or LLVM's own: programs are changed before they run so that they
// do not meet it, on neither side.
type fault struct {
	name string // what is wrong
	find *regexp.Regexp
	tame func(m []string, n int) string // of the n-th line that is found, by its groups
}

// with is a tame by a format: $1 is the first group, $n the number of the line.
func with(format string) func([]string, int) string {
	return func(m []string, n int) string {
		out := strings.ReplaceAll(format, "$n", fmt.Sprint(n))
		for i, s := range m {
			out = strings.ReplaceAll(out, fmt.Sprintf("$%d", i), s)
		}
		return out
	}
}

var faults = []fault{
	{"scf.index_switch looks at the low 32 bits of its operand only (MLIR 19)",
		regexp.MustCompile(`(?m)^( *)(.*)"scf.index_switch"\((%[\w#]+)\)`),
		with(`$1%lo$n = "arith.constant"() <{value = -2 : index}> : () -> index
$1%hi$n = "arith.constant"() <{value = 7 : index}> : () -> index
$1%up$n = "arith.maxsi"($3, %lo$n) : (index, index) -> index
$1%on$n = "arith.minsi"(%up$n, %hi$n) : (index, index) -> index
$1$2"scf.index_switch"(%on$n)`)},
	{"ops with two results on index are not lowered (MLIR 19)",
		regexp.MustCompile(`(?m)^( *)(%\w+):2 = ("arith.\w+_extended")\((%[\w#]+), (%[\w#]+)\) : \(index, index\) -> \(index, (index|i1)\)`),
		func(m []string, n int) string {
			cast, high := `$1%high$n = "arith.index_castui"(%both$n#1) : (i64) -> index`+"\n", "%high$n"
			if m[6] == "i1" {
				cast, high = "", "%both$n#1"
			}
			return with(`$1%first$n = "arith.index_castui"($4) : (index) -> i64
$1%second$n = "arith.index_castui"($5) : (index) -> i64
$1%both$n:2 = $3(%first$n, %second$n) : (i64, i64) -> (i64, `+map[string]string{"i1": "i1", "index": "i64"}[m[6]]+`)
$1%part$n = "arith.index_castui"(%both$n#0) : (i64) -> index
`+cast+`$1$2:2 = "scf.execute_region"() ({
$1  "scf.yield"(%part$n, `+high+`) : (index, $6) -> ()
$1}) : () -> (index, $6)`)(m, n)
		}},
	{"atomics on integers of odd widths are not lowered (MLIR 19)",
		regexp.MustCompile(`(?m)^( *)(%\w+) = "memref.atomic_rmw"\((%[\w#]+), (.*)\) <.*> : \((i\d+), (.*)\) -> (i1|i3|i7|i17|i24|i33|i48|i63)$`),
		with(`$1$2 = "memref.load"($4) <{nontemporal = false}> : ($6) -> $7
$1"memref.store"($3, $4) <{nontemporal = false}> : ($7, $6) -> ()`)},
	{"atomic products and maxnumf are not lowered, and maximumf is LLVM's fmax, which drops NaN (MLIR 19)",
		regexp.MustCompile(`(?m)^( *)(%\w+) = "memref.atomic_rmw"\((%[\w#]+), (.*)\) <\{kind = (?:3|6|9|10|13|14) : i64\}> : \((\w+), (.*)\) -> (\w+)$`),
		with(`$1$2 = "memref.load"($4) <{nontemporal = false}> : ($6) -> $7
$1"memref.store"($3, $4) <{nontemporal = false}> : ($7, $6) -> ()`)},
	{"maxnumf and minnumf of constants fold to NaN if one is NaN (MLIR 19)",
		regexp.MustCompile(`(?m)^( *)(%\w+) = "arith.(max|min)numf"\((%[\w#]+), (%[\w#]+)\)( <.*>) : \((vector<4x)?(\w+)(>?), .*$`),
		with(`$1%nox$n = "arith.cmpf"($4, $4) <{fastmath = #arith.fastmath<none>, predicate = 14 : i64}> : ($7$8$9, $7$8$9) -> $7i1$9
$1%noy$n = "arith.cmpf"($5, $5) <{fastmath = #arith.fastmath<none>, predicate = 14 : i64}> : ($7$8$9, $7$8$9) -> $7i1$9
$1%most$n = "arith.$3imumf"($4, $5)$6 : ($7$8$9, $7$8$9) -> $7$8$9
$1%some$n = "arith.select"(%noy$n, $4, %most$n) : ($7i1$9, $7$8$9, $7$8$9) -> $7$8$9
$1$2 = "arith.select"(%nox$n, $5, %some$n) : ($7i1$9, $7$8$9, $7$8$9) -> $7$8$9`)},
	{"arith.ceildivsi of what is near the least integer, by its expansion",
		regexp.MustCompile(`"arith.ceildivsi"`), with(`"arith.floordivsi"`)},
	{"integers of more than 24 bits become bf16 by way of f32, rounded twice (LLVM 19)",
		regexp.MustCompile(`(?m)^( *)(%\w+ = "arith.[su]itofp")\((%[\w#]+)\) : \((i2[5-9]|i[3-6]\d)\) -> bf16`),
		with(`$1%low$n = "arith.trunci"($3) : ($4) -> i17
$1$2(%low$n) : (i17) -> bf16`)},
	{"vectors of such integers, likewise",
		regexp.MustCompile(`(?m)^( *)(%\w+ = "arith.[su]itofp")\((%[\w#]+)\) : \((vector<4xi(?:2[5-9]|[3-6]\d)>)\) -> vector<4xbf16>`),
		with(`$1%few$n = "arith.trunci"($3) : ($4) -> vector<4xi17>
$1$2(%few$n) : (vector<4xi17>) -> vector<4xbf16>`)},
	{"math.fma of bf16 and f16 is that of f32, rounded twice (LLVM 19)",
		regexp.MustCompile(`"math.fma"\((%[\w#]+), (%[\w#]+), %[\w#]+\)(.*) : \((v?e?c?t?o?r?<?4?x?b?f16>?), .*\) -> `),
		with(`"arith.mulf"($1, $2)$3 : ($4, $4) -> `)},
	{"memref.copy of memory with gaps calls a library of MLIR's",
		regexp.MustCompile(`(?m)^ *"memref.copy"\(.*strided.*\n`), with("")},
	{"dense<-0.0> as the value of a global is 0.0 (MLIR 19)",
		regexp.MustCompile(`dense<(\[[^\]]*\]|[^>]*)> : tensor<8xb?f\d+>`), func(m []string, _ int) string {
			return regexp.MustCompile(`\b0x80+\b`).ReplaceAllString(m[0], "0x0000")
		}},
}

// tamed changes a program so that it meets none of the faults.
func tamed(text string) string {
	for _, f := range faults {
		n := 0
		text = f.find.ReplaceAllStringFunc(text, func(line string) string {
			n++
			return f.tame(f.find.FindStringSubmatch(line), n)
		})
	}
	return text
}

// narrowRuntime are the functions that LLVM calls to round to 16 bits where a processor
// has no instructions for it, or has those that take denormals for zero.
const narrowRuntime = `
define weak hidden bfloat @__truncsfbf2(float %x) {
  %b = bitcast float %x to i32
  %h = lshr i32 %b, 16
  %last = and i32 %h, 1
  %r = add i32 %b, 32767
  %r1 = add i32 %r, %last
  %nan = fcmp uno float %x, %x
  %r2 = select i1 %nan, i32 2143289344, i32 %r1
  %r3 = lshr i32 %r2, 16
  %t = trunc i32 %r3 to i16
  %y = bitcast i16 %t to bfloat
  ret bfloat %y
}

define internal float @round.to.odd(double %x) {
  %s = fptrunc double %x to float
  %w = fpext float %s to double
  %inexact = fcmp one double %w, %x
  %b = bitcast float %s to i32
  %last = and i32 %b, 1
  %even = icmp eq i32 %last, 0
  %wb = bitcast double %w to i64
  %xb = bitcast double %x to i64
  %aw = shl i64 %wb, 1
  %ax = shl i64 %xb, 1
  %short = icmp ult i64 %aw, %ax
  %step = select i1 %short, i32 1, i32 -1
  %odd = add i32 %b, %step
  %move = and i1 %inexact, %even
  %r = select i1 %move, i32 %odd, i32 %b
  %o = bitcast i32 %r to float
  ret float %o
}

define weak hidden bfloat @__truncdfbf2(double %x) {
  %o = call float @round.to.odd(double %x)
  %y = call bfloat @__truncsfbf2(float %o)
  ret bfloat %y
}

define weak hidden half @__truncdfhf2(double %x) {
  %o = call float @round.to.odd(double %x)
  %y = fptrunc float %o to half
  ret half %y
}
`
