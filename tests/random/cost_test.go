package random

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

var costOps = flag.Int("cost-ops", 1000, "how many ops the smaller programs of TestCostIsLinear have")

// shapes are functions of about n ops, each hard for some data structure of the
// core: many effects, many resources, many regions.
var shapes = map[string]func(w *strings.Builder, n int){
	"straight": func(w *strings.Builder, n int) {
		for i := range n {
			fmt.Fprintf(w, "%%x%d = arith.muli %s, %%a : i64\n", i, last(i))
		}
	},
	"constants": func(w *strings.Builder, n int) {
		for i := range n / 2 {
			fmt.Fprintf(w, "%%c%d = arith.constant %d : i64\n%%x%d = arith.muli %s, %%c%d : i64\n", i, i+3, i, last(i), i)
		}
	},
	"stores": func(w *strings.Builder, n int) {
		for i := range n {
			fmt.Fprintf(w, "%%y%d = arith.constant %d : index\nmemref.store %%a, %s[%%y%d] : memref<?xi64>\n", i, i, []string{"%m", "%p"}[i%2], i)
		}
	},
	"loads": func(w *strings.Builder, n int) {
		for i := range n / 2 {
			fmt.Fprintf(w, "%%l%d = memref.load %%m[%%i%d] : memref<?xi64>\n%%x%d = arith.muli %s, %%l%d : i64\n", i, i%3, i, last(i), i)
			if i%100 == 99 {
				w.WriteString("memref.store %a, %p[%i0] : memref<?xi64>\n")
			}
		}
		w.WriteString("\"test.op\"() : () -> ()\n")
	},
	"allocs": func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, "%%m%d = memref.alloc() : memref<4xi64>\nmemref.store %%a, %%m%d[%%i1] : memref<4xi64>\n", i, i)
			fmt.Fprintf(w, "%%l%d = memref.load %%m%d[%%q] : memref<4xi64>\n%%x%d = arith.muli %s, %%l%d : i64\n", i, i, i, last(i), i)
		}
	},
	"allocs-and-unknowns": func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, "%%m%d = memref.alloc() : memref<4xi64>\nmemref.store %%a, %%m%d[%%i1] : memref<4xi64>\n", i, i)
			fmt.Fprintf(w, "memref.store %%a, %%m%d[%%q] : memref<4xi64>\n%%l%d = memref.load %%m%d[%%q] : memref<4xi64>\nmemref.store %%l%d, %%p[%%q] : memref<?xi64>\n", i/2, i, i/3, i)
			if i%50 == 49 {
				w.WriteString("memref.store %a, %s[%i1] : memref<?xi64>\n\"test.op\"() : () -> ()\n")
			}
		}
	},
	"allocs-alive": func(w *strings.Builder, n int) { // all together, then reads of memory that may be any of them
		for i := range n / 4 {
			fmt.Fprintf(w, "%%m%d = memref.alloc() : memref<4xi64>\nmemref.store %%a, %%m%d[%%i1] : memref<4xi64>\n", i, i)
		}
		for i := range n / 4 {
			fmt.Fprintf(w, "memref.store %%a, %%m%d[%%i1] : memref<4xi64>\n%%l%d = memref.load %%s[%%i%d] : memref<?xi64>\n", i, i, i%3)
			fmt.Fprintf(w, "%%x%d = arith.muli %s, %%l%d : i64\n", i, last(i), i)
		}
	},
	"loops": func(w *strings.Builder, n int) {
		for i := range n / 5 {
			fmt.Fprintf(w, "scf.for %%j = %%i0 to %%i2 step %%i1 {\n%%u = memref.load %%m[%%j] : memref<?xi64>\n%%v = arith.addi %%u, %%a : i64\nmemref.store %%v, %%p[%%j] : memref<?xi64>\n}\n")
			_ = i
		}
	},
	"loops-of-allocs": func(w *strings.Builder, n int) {
		for i := range n / 5 {
			fmt.Fprintf(w, "%%m%d = memref.alloc() : memref<4xi64>\nscf.for %%j = %%i0 to %%i2 step %%i1 {\nmemref.store %%a, %%m%d[%%j] : memref<4xi64>\n%%l = memref.load %%m%d[%%j] : memref<4xi64>\nmemref.store %%l, %%m%d[%%i1] : memref<4xi64>\n}\n", i, i, i/2, i)
			fmt.Fprintf(w, "%%l%d = memref.load %%m%d[%%q] : memref<4xi64>\n%%x%d = arith.muli %s, %%l%d : i64\n", i, i, i, last(i), i)
		}
	},
	"ifs": func(w *strings.Builder, n int) {
		for i := range n / 6 {
			fmt.Fprintf(w, "%%c%d = arith.cmpi slt, %s, %%a : i64\n%%x%d = scf.if %%c%d -> (i64) {\n", i, last(i), i, i)
			fmt.Fprintf(w, "%%u = arith.muli %s, %%a : i64\nscf.yield %%u : i64\n} else {\nspecial.print %%a : i64\nmemref.store %s, %%m[%%i0] : memref<?xi64>\nscf.yield %%a : i64\n}\n", last(i), last(i))
		}
	},
	"loop-of-many": func(w *strings.Builder, n int) {
		w.WriteString("scf.for %j = %i0 to %i2 step %i1 {\n")
		for i := range n / 4 {
			fmt.Fprintf(w, "%%m%d = memref.alloc() : memref<4xi64>\nmemref.store %%a, %%m%d[%%i1] : memref<4xi64>\n", i, i)
			fmt.Fprintf(w, "%%l%d = memref.load %%m%d[%%q] : memref<4xi64>\nspecial.print %%l%d : i64\n", i, i, i)
		}
		w.WriteString("}\n")
	},
	"globals": func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, "%%m%d = memref.get_global @g%d : memref<4xi64>\nmemref.store %%a, %%m%d[%%i1] : memref<4xi64>\n", i, i, i)
			fmt.Fprintf(w, "%%l%d = memref.load %%p[%%i2] : memref<?xi64>\n%%x%d = arith.muli %s, %%l%d : i64\n", i, i, last(i), i)
		}
	},
	"prints": func(w *strings.Builder, n int) {
		for i := range n / 2 {
			fmt.Fprintf(w, "%%x%d = arith.muli %s, %%a : i64\nspecial.print %%x%d : i64\n", i, last(i), i)
		}
	},
	"calls": func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, "%%x%d = func.call @h%d(%s) : (i64) -> i64\n", i, i, last(i))
		}
	},
	"captured": func(w *strings.Builder, n int) {
		for i := range n / 3 {
			fmt.Fprintf(w, "%%m%d = memref.alloc() : memref<4xi64>\nmemref.store %%a, %%m%d[%%i1] : memref<4xi64>\nfunc.call @g(%%m%d) : (memref<4xi64>) -> ()\n", i, i, i)
		}
	},
}

func last(i int) string {
	if i == 0 {
		return "%a"
	}
	return fmt.Sprintf("%%x%d", i-1)
}

func shape(name string, n int) string {
	var w strings.Builder
	if name == "globals" {
		for i := range n / 4 {
			fmt.Fprintf(&w, "memref.global \"private\" @g%d : memref<4xi64>\n", i)
		}
	}
	if name == "calls" {
		for i := range n / 4 {
			fmt.Fprintf(&w, "func.func @h%d(%%a: i64) -> i64 {\n%%b = arith.muli %%a, %%a : i64\nreturn %%b : i64\n}\n", i)
		}
	}
	w.WriteString("func.func private @g(memref<4xi64>)\n")
	w.WriteString("func.func @f(%a: i64, %m: memref<?xi64>, %p: memref<?xi64>, %k: i1, %q: index) -> i64 {\n")
	w.WriteString("%i0 = arith.constant 0 : index\n%i1 = arith.constant 1 : index\n%i2 = arith.constant 2 : index\n")
	w.WriteString("%s = arith.select %k, %m, %p : memref<?xi64>\n")
	var body strings.Builder
	shapes[name](&body, n)
	w.WriteString(body.String())
	at := strings.LastIndex(body.String(), "%x")
	res := "%a"
	if at >= 0 {
		fmt.Sscanf(body.String()[strings.LastIndex(body.String(), "\n%x")+1:], "%s", &res)
	}
	fmt.Fprintf(&w, "func.return %s : i64\n}\n", res)
	return w.String()
}

func rewrite(g *ir.Graph, line string) error {
	pl, err := pass.Parse(line, passes.All())
	if err == nil {
		_, err = (&pass.Manager{}).Run(context.Background(), g, pl)
	}
	return err
}

// work is what something takes, whatever else the machine does: steps of the core, and
// objects and bytes that are allocated.
type work [3]int64

var units = [3]string{"steps", "objects", "bytes"}

// workOf counts what f does. Nothing else may run in this process.
func workOf(c *ir.Context, f func() error) (work, error) {
	now := func() work {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return work{c.Steps(), int64(m.Mallocs), int64(m.TotalAlloc)}
	}
	before := now()
	err := f()
	after := now()
	for i := range after {
		after[i] -= before[i]
	}
	return after, err
}

// cost runs everything that is done to a program and says how much work each part was.
func cost(t *testing.T, src string) (names []string, spent []work) {
	ctx := ir.NewContext(dialects.All...)
	var g *ir.Graph
	var out string
	parts := []struct {
		name string
		do   func() error
	}{
		{"parse", func() error {
			h, ds := text.Parse(ctx, diag.NewSource("p.mlir", src), text.Options{AllowUnregistered: true})
			g = h
			return ds.Err()
		}},
		{"settle", func() error { g = ir.Settle(g); return nil }},
		{"schedule", func() error {
			for v := range ir.NewSchedule(g, ir.ScheduleOptions{Copies: true}).All() {
				for _, c := range g.Children(v) {
					s := ir.NewSchedule(c, ir.ScheduleOptions{Copies: true})
					for v := range s.All() {
						for _, c := range s.Graph().Children(v) {
							ir.NewSchedule(c, ir.ScheduleOptions{Copies: true})
						}
					}
				}
			}
			return nil
		}},
		{"verify", func() error { return ir.Verify(g) }},
		{"passes", func() error { return rewrite(g, "canonicalize,licm,inline,dce,split-effects,speculate") }},
		{"print", func() (err error) { out, err = print(g, false); return err }},
	}
	for _, p := range parts {
		w, err := workOf(ctx, p.do)
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		names, spent = append(names, p.name), append(spent, w)
	}
	if len(out) == 0 {
		t.Error("nothing is printed")
	}
	return names, spent
}

// Twice the ops take about twice the work, in every part: 8 times the ops may take 16 times
// as much, where a square would be 64 times as much, and no more.
func TestCostIsLinear(t *testing.T) {
	const times = 8
	slack := work{1 << 10, 1 << 10, 1 << 20}
	few := *costOps
	for name := range shapes {
		t.Run(name, func(t *testing.T) {
			names, small := cost(t, shape(name, few))
			_, large := cost(t, shape(name, few*times))
			for i := range names {
				for k, unit := range units {
					if large[i][k] > 2*times*small[i][k]+slack[k] {
						t.Errorf("%s: %d ops take %d %s, %d take %d", names[i], few, small[i][k], unit, few*times, large[i][k])
					}
				}
			}
			t.Logf("%s: %v: %v: %v", name, names, small, large)
		})
	}
}

// nested is d loops in one another. Each carries the memory that the one around it made, of
// which it makes its own, and writes what it is given.
func nested(d int) string {
	var w strings.Builder
	w.WriteString("func.func @f(%a: memref<?xi64>, %n: index, %v: i64) -> i64 {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%new0 = memref.alloc(%n) : memref<?xi64>\n")
	for k := 1; k <= d; k++ {
		fmt.Fprintf(&w, "%%r%d:2 = scf.for %%i%d = %%c0 to %%n step %%c1 iter_args(%%m%d = %%new%d, %%o%d = %%a) -> (memref<?xi64>, memref<?xi64>) {\n", k, k, k, k-1, k)
		fmt.Fprintf(&w, "%%new%d = memref.alloc(%%n) : memref<?xi64>\nmemref.store %%v, %%new%d[%%c0] : memref<?xi64>\n%%t%d = memref.load %%a[%%c1] : memref<?xi64>\n", k, k, k)
	}
	for k := d; k >= 1; k-- {
		fmt.Fprintf(&w, "memref.store %%t%d, %%m%d[%%c0] : memref<?xi64>\nmemref.store %%v, %%a[%%c0] : memref<?xi64>\n", k, k)
		from := fmt.Sprintf("%%r%d#0", k+1)
		if k == d {
			from = fmt.Sprintf("%%m%d", k)
		}
		fmt.Fprintf(&w, "scf.yield %%m%d, %s : memref<?xi64>, memref<?xi64>\n}\n", k, from)
	}
	w.WriteString("%z = memref.load %r1#0[%c0] : memref<?xi64>\nreturn %z : i64\n}\n")
	return w.String()
}

// Loops in loops that carry memory take work that is at worst the square of their depth, as
// each may be built again without what it need not carry: twice the depth four times as much.
func TestNestedLoopsAreNoPower(t *testing.T) {
	names, small := cost(t, nested(8))
	_, large := cost(t, nested(16))
	for i := range names {
		if large[i][0] > 8*small[i][0]+1<<10 {
			t.Errorf("%s: 8 loops take %d steps, 16 take %d", names[i], small[i][0], large[i][0])
		}
	}
	t.Logf("%v: %v: %v", names, small, large)
}
