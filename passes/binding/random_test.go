package binding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/target"
)

// writer writes random functions with static and dynamic arguments.
type writer struct {
	*irtest.Writer
	exact  bool // all numbers are small and whole, and sums in any order
	mixed  bool // own memory may be dynamic
	always bool // every call gets here
}

// block writes ops that use numbers and loop variables, and returns the numbers there are.
func (w *writer) block(values, indices []string, depth int) []string {
	values = append([]string(nil), values...)
	for range 1 + w.IntN(5) {
		v := w.Name()
		a, b := w.One(values...), w.One(values...)
		flags := ""
		if w.exact {
			flags = " fastmath<reassoc>"
		}
		switch w.IntN(15) {
		case 0, 1:
			fmt.Fprintf(w, "%s = arith.%s %s, %s%s : f64\n", v, w.One("addf", "subf"), a, b, flags)
		case 2:
			if w.exact {
				fmt.Fprintf(w, "%s = arith.minimumf %s, %s : f64\n", v, a, b)
			} else {
				fmt.Fprintf(w, "%s = arith.mulf %s, %s : f64\n", v, a, b)
			}
		case 3, 4:
			fmt.Fprintf(w, "%s = memref.load %s[%s, %s] : memref<3x4xf64>\n", v, w.One("%x", "%x", "%y"), w.One(indices...), w.One(indices...))
		case 5, 6:
			op := w.One("log1p", "exp", "tanh", "absf")
			if w.exact {
				op = "absf"
			}
			fmt.Fprintf(w, "%s = math.%s %s : f64\n", v, op, a)
		case 7:
			fmt.Fprintf(w, "%sc = arith.cmpf ogt, %s, %s : f64\n%s = arith.select %sc, %s, %s : f64\n", v, a, b, v, v, w.One(values...), w.One(values...))
		case 8:
			fmt.Fprintf(w, "memref.store %s, %%y[%s, %s] : memref<3x4xf64>\n", a, w.One(indices...), w.One(indices...))
			continue
		case 12:
			fmt.Fprintf(w, "%s = memref.load %%o[%s, %s] : memref<3x4xf64>\n", v, w.One(append([]string{"%late", "%late"}, indices...)...), w.One(indices...))
		case 13:
			w.own(v, a, indices)
			continue
		case 14:
			w.count(v, indices)
		case 9:
			if depth == 0 {
				continue
			}
			fmt.Fprintf(w, "%sc = arith.cmpf ogt, %s, %s : f64\n%s = scf.if %sc -> (f64) {\n", v, a, b, v, v)
			fmt.Fprintf(w, "scf.yield %s : f64\n} else {\n", w.One(w.inside(values, indices, depth-1)...))
			fmt.Fprintf(w, "scf.yield %s : f64\n}\n", w.One(w.inside(values, indices, depth-1)...))
		default:
			if depth == 0 {
				continue
			}
			w.loop(v, a, b, values, indices, depth)
			values = append(values, v+"#0")
			v += "#1"
		}
		values = append(values, v)
	}
	return values
}

// own stores into the function's own memory, %o: what is static, in code that every call reaches,
// but for programs that are mixed.
func (w *writer) own(v, any string, indices []string) {
	if !w.always && !w.mixed {
		return
	}
	x := w.One("%a", "%none", v+"x")
	if w.mixed {
		x = any
	}
	fmt.Fprintf(w, "%sx = memref.load %s[%s, %s] : memref<3x4xf64>\n", v, w.One("%x", "%o"), w.One(indices...), w.One(indices...))
	fmt.Fprintf(w, "memref.store %s, %%o[%s, %s] : memref<3x4xf64>\n", x, w.One(indices...), w.One(indices...))
}

// count writes a loop that counts down while that is above 0.
func (w *writer) count(v string, indices []string) {
	from := "%a"
	if w.mixed {
		from = "%b"
	}
	fmt.Fprintf(w, "%s = scf.while (%sh = %s) : (f64) -> f64 {\n%sg = arith.cmpf ogt, %sh, %%none : f64\nscf.condition(%sg) %sh : f64\n} do {\n^bb0(%sh: f64):\n%si = arith.subf %sh, %%unit : f64\n", v, v, from, v, v, v, v, v, v, v)
	w.own(v, from, indices)
	fmt.Fprintf(w, "scf.yield %si : f64\n}\n", v)
}

// inside writes a block that some calls do not reach.
func (w *writer) inside(values, indices []string, depth int) []string {
	was := w.always
	w.always = false
	defer func() { w.always = was }()
	return w.block(values, indices, depth)
}

// loop writes a loop that carries two numbers, the first of which is a sum mostly.
func (w *writer) loop(v, a, b string, values, indices []string, depth int) {
	upper := w.One("%three", "%three", "%n", "%m")
	fmt.Fprintf(w, "%s:2 = scf.for %si = %%zero to %s step %%one iter_args(%sp = %s, %sq = %s) -> (f64, f64) {\n", v, v, upper, v, a, v, b)
	inner := append([]string{v + "p", v + "q"}, values...)
	if w.IntN(2) == 0 {
		inner = inner[1:] // only the sum reads it
	}
	block := w.block
	if upper == "%m" {
		block = w.inside
	}
	inner = block(inner, append([]string{v + "i", v + "i"}, indices...), depth-1)
	if t := w.One(inner...); w.exact {
		fmt.Fprintf(w, "%ss = arith.minimumf %s, %%eight : f64\n%st = arith.addf %sp, %ss fastmath<reassoc> : f64\n", v, t, v, v, v)
	} else {
		fmt.Fprintf(w, "%st = arith.addf %sp, %s : f64\n", v, v, t)
	}
	fmt.Fprintf(w, "scf.yield %st, %s : f64, f64\n}\n", v, w.One(inner...))
}

// Random functions give the same after specialize-data, bit for bit, and after split-sums
// before it where sums are exact.
func TestSpecializeRandom(t *testing.T) {
	seed, ahead := uint64(0), 0
	packs := *target.Host() // packs whatever loops read with steps of more than an element
	packs.Vector, packs.Costs.MinRounds = 64, 1
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	for ; seed < 400; seed++ {
		w := &writer{Writer: irtest.NewWriter(seed, 19), exact: seed%2 == 0, mixed: seed%8 == 7, always: true}
		fmt.Fprintf(w, "func.func @f(%s) -> f64 {\n%s  %%eight = arith.constant 8.0 : f64\n  %%unit = arith.constant 1.0 : f64\n  %%o = memref.alloca() : memref<3x4xf64>\n  %%late = arith.minui %%m, %%one : index\n", params, constants)
		w.WriteString("scf.for %oi = %zero to %three step %one {\nscf.for %oj = %zero to %four step %one {\n%ov = memref.load %x[%oi, %oj] : memref<3x4xf64>\nmemref.store %ov, %o[%oi, %oj] : memref<3x4xf64>\n}\n}\n")
		values := w.block([]string{"%a", "%b", "%none"}, []string{"%zero", "%one"}, 3)
		fmt.Fprintf(w, "return %s : f64\n}\n", values[len(values)-1])
		number := func() string { return fmt.Sprint(w.IntN(9) - 2) }
		rows := func() string {
			var out []string
			for range 3 {
				out = append(out, "["+strings.Join([]string{number(), number(), number(), number()}, ", ")+"]")
			}
			return "[" + strings.Join(out, ", ") + "]"
		}
		args := fmt.Sprintf("[%s, %s, %s, %s, %d, %d]", rows(), rows(), number(), number(), w.IntN(4), w.IntN(4))
		pipeline := "specialize-data"
		if w.exact {
			pipeline = "licm,split-sums,specialize-data"
		}
		if strings.Contains(sameFor(t, &packs, w.String(), params, pipeline, args), "func.staged") {
			ahead++
		}
	}
	if ahead < 50 {
		t.Errorf("only %d functions have something to compute ahead", ahead)
	}
}
