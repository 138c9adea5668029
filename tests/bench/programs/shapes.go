package programs

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A shape is a kind of program in which something could cost more than its share.
type shape struct {
	Name  string
	Write func(w *bufio.Writer, n int)
}

// shapes are the ones whose growth is measured. n is about the number of ops.
var Shapes = []shape{
	{"mix", func(w *bufio.Writer, n int) { function(w, n) }},
	{"chain", chain},
	{"constants", constants},
	{"loads-opaque", loadsThenOpaque},
	{"stores", storesThenLoad},
	{"allocations", allocations},
	{"loops", loopsInARow},
	{"carried", carried},
	{"dead-chain", deadChain},
	{"functions", functions},
}

func put(w *bufio.Writer, s string) { w.WriteString(s + "\n") }

// function is one function of n ops as in the module of the first rows.
func function(w io.Writer, n int) int { return Module(w, n, n) }

func inFunction(w *bufio.Writer, args, result string, body func()) {
	fmt.Fprintf(w, "func.func @f(%s) -> %s {\n", args, result)
	body()
	put(w, "}")
}

// chain is n ops, each of which needs the one before.
func chain(w *bufio.Writer, n int) {
	inFunction(w, "%x: f64, %y: f64", "f64", func() {
		put(w, `  %0 = "arith.addf"(%x, %y) : (f64, f64) -> f64`)
		for i := range n {
			fmt.Fprintf(w, "  %%%d = \"arith.%s\"(%%%d, %%y) : (f64, f64) -> f64\n", i+1, []string{"mulf", "addf"}[i%2], i)
		}
		fmt.Fprintf(w, "  return %%%d : f64\n", n)
	})
}

// constants are n/2 distinct ones, each with a location of its own and one use.
func constants(w *bufio.Writer, n int) {
	for f := 0; f*2000 < n; f++ {
		fmt.Fprintf(w, "func.func @f%d(%%x: i64) -> i64 {\n", f)
		last := "%x"
		for i := range 1000 {
			k := f*1000 + i
			fmt.Fprintf(w, "  %%c%d = \"arith.constant\"() <{value = %d : i64}> : () -> i64 loc(\"c.mlir\":%d:1)\n", i, k*7+3, k+1)
			fmt.Fprintf(w, "  %%v%d = \"arith.%s\"(%s, %%c%d) : (i64, i64) -> i64 loc(\"c.mlir\":%d:2)\n", i, []string{"muli", "xori"}[i%2], last, i, k+1)
			last = fmt.Sprintf("%%v%d", i)
		}
		fmt.Fprintf(w, "  return %s : i64\n}\n", last)
	}
}

// loadsThenOpaque is n/2 loads, one op of which nothing is known, and one more load.
func loadsThenOpaque(w *bufio.Writer, n int) {
	inFunction(w, "%m: memref<?xf64>, %i0: index, %d: index, %s0: f64", "f64", func() {
		for i := range n / 3 {
			fmt.Fprintf(w, "  %%i%d = \"arith.addi\"(%%i%d, %%d) : (index, index) -> index\n", i+1, i)
			fmt.Fprintf(w, "  %%v%d = \"memref.load\"(%%m, %%i%d) : (memref<?xf64>, index) -> f64\n", i, i+1)
			fmt.Fprintf(w, "  %%s%d = \"arith.addf\"(%%s%d, %%v%d) : (f64, f64) -> f64\n", i+1, i, i)
		}
		put(w, `  "test.opaque"() : () -> ()`)
		fmt.Fprintf(w, "  %%v = \"memref.load\"(%%m, %%i1) : (memref<?xf64>, index) -> f64\n  %%s = \"arith.addf\"(%%s%d, %%v) : (f64, f64) -> f64\n  return %%s : f64\n", n/3)
	})
}

// storesThenLoad is n stores to places that may or may not be the same.
func storesThenLoad(w *bufio.Writer, n int) {
	inFunction(w, "%m: memref<?xf64>, %i0: index, %d: index, %x: f64", "f64", func() {
		for i := range n / 2 {
			fmt.Fprintf(w, "  %%i%d = \"arith.addi\"(%%i%d, %%d) : (index, index) -> index\n", i+1, i)
			fmt.Fprintf(w, "  \"memref.store\"(%%x, %%m, %%i%d) : (f64, memref<?xf64>, index) -> ()\n", i+1)
		}
		put(w, "  %v = \"memref.load\"(%m, %i0) : (memref<?xf64>, index) -> f64\n  return %v : f64")
	})
}

// allocations are n/4 memories of their own, all of them used to the end.
func allocations(w *bufio.Writer, n int) {
	inFunction(w, "%s0: f64, %i: index", "f64", func() {
		for i := range n / 4 {
			fmt.Fprintf(w, "  %%m%d = \"memref.alloc\"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>\n", i)
			fmt.Fprintf(w, "  \"memref.store\"(%%s%d, %%m%d, %%i) : (f64, memref<4xf64>, index) -> ()\n", i, i)
			fmt.Fprintf(w, "  %%v%d = \"memref.load\"(%%m%d, %%i) : (memref<4xf64>, index) -> f64\n", i, max(0, i-7))
			fmt.Fprintf(w, "  %%s%d = \"arith.addf\"(%%s%d, %%v%d) : (f64, f64) -> f64\n", i+1, i, i)
		}
		fmt.Fprintf(w, "  return %%s%d : f64\n", n/4)
	})
}

// loopsInARow are n/5 small loops, each of which loads and stores.
func loopsInARow(w *bufio.Writer, n int) {
	inFunction(w, "%m: memref<?xf64>, %lo: index, %hi: index, %step: index, %x: f64", "f64", func() {
		for i := range n / 5 {
			put(w, "  \"scf.for\"(%lo, %hi, %step) ({\n  ^bb0(%i: index):")
			fmt.Fprintf(w, "    %%v = \"memref.load\"(%%m, %%i) : (memref<?xf64>, index) -> f64\n    %%w = \"arith.%s\"(%%v, %%x) : (f64, f64) -> f64\n", floatOps[i%len(floatOps)])
			put(w, "    \"memref.store\"(%w, %m, %i) : (f64, memref<?xf64>, index) -> ()\n    \"scf.yield\"() : () -> ()\n  }) : (index, index, index) -> ()")
		}
		put(w, "  return %x : f64")
	})
}

// carried is one loop with n/2 values that it carries.
func carried(w *bufio.Writer, n int) {
	k := n / 2
	list := func(f string) {
		for i := range k {
			if i > 0 {
				w.WriteString(", ")
			}
			w.WriteString(strings.ReplaceAll(f, "#", strconv.Itoa(i)))
		}
	}
	inFunction(w, "%lo: index, %hi: index, %step: index, %x: f64", "f64", func() {
		for i := range k {
			fmt.Fprintf(w, "  %%c%d = \"arith.constant\"() <{value = %d.5 : f64}> : () -> f64\n", i, i)
		}
		fmt.Fprintf(w, "  %%r:%d = \"scf.for\"(%%lo, %%hi, %%step, ", k)
		list("%c#")
		w.WriteString(") ({\n  ^bb0(%i: index, ")
		list("%p#: f64")
		w.WriteString("):\n")
		for i := range k {
			fmt.Fprintf(w, "    %%q%d = \"arith.addf\"(%%p%d, %%p%d) : (f64, f64) -> f64\n", i, i, (i+1)%k)
		}
		w.WriteString("    \"scf.yield\"(")
		list("%q#")
		w.WriteString(") : (")
		list("f64")
		w.WriteString(") -> ()\n  }) : (index, index, index, ")
		list("f64")
		w.WriteString(") -> (")
		list("f64")
		fmt.Fprintf(w, ")\n  return %%r#%d : f64\n", k-1)
	})
}

// deadChain is n ops of which none is needed.
func deadChain(w *bufio.Writer, n int) {
	inFunction(w, "%v0: f64, %y: f64", "f64", func() {
		for i := range n {
			fmt.Fprintf(w, "  %%v%d = \"arith.%s\"(%%v%d, %%y) : (f64, f64) -> f64\n", i+1, []string{"mulf", "addf"}[i%2], i)
		}
		put(w, "  return %y : f64")
	})
}

// functions are n/4 tiny ones, each of which calls the one before.
func functions(w *bufio.Writer, n int) {
	put(w, "func.func @f0(%x: i64) -> i64 {\n  return %x : i64\n}")
	for i := range n / 4 {
		fmt.Fprintf(w, "func.func @f%d(%%x: i64, %%y: i64) -> i64 {\n  %%a = \"arith.muli\"(%%x, %%y) : (i64, i64) -> i64\n", i+1)
		if i == 0 {
			put(w, "  %b = call @f0(%a) : (i64) -> i64")
		} else {
			fmt.Fprintf(w, "  %%b = call @f%d(%%a, %%y) : (i64, i64) -> i64\n", i)
		}
		put(w, "  return %b : i64\n}")
	}
}
