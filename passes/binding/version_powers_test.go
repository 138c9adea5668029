package binding_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// Which powers become exponentials of a version of their loop: want is how many.
func TestVersionPowers(t *testing.T) {
	const head = "func.func @f(%x: memref<8xf64> {llvm.noalias}, %y: memref<8xf64> {llvm.noalias}, %b: f64, %i: index) -> f64 {\n" +
		"%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n%z = arith.constant 0.0 : f64\n%h = arith.constant 0.5 : f64\n"
	loop := func(before, base, flags string) string {
		return before + "%r = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %z) -> (f64) {\n%e = memref.load %x[%k] : memref<8xf64>\n%p = math.powf " + base + ", %e " + flags + " : f64\n%n = arith.addf %a, %p : f64\nscf.yield %n : f64\n}\n"
	}
	const afn = "fastmath<afn>"
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"an argument", loop("", "%b", afn), 1},
		{"without the flag", loop("", "%b", ""), 0},
		{"a base that the loop changes", loop("", "%e", afn), 0},
		{"an exponent that it does not", "%r = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %z) -> (f64) {\n%p = math.powf %b, %h fastmath<afn> : f64\n%n = arith.mulf %a, %p : f64\nscf.yield %n : f64\n}\n", 0},
		{"an expression", loop("%s = math.exp %b : f64\n%t = arith.subf %s, %h : f64\n", "%t", afn), 1},
		{"one that may be poison", loop("%s = arith.subf %b, %h fastmath<nnan> : f64\n", "%s", afn), 0},
		{"poison for some", loop("%m = memref.alloca() : memref<8xf64>\nmemref.store %b, %m[%c0] : memref<8xf64>\n%s = memref.load %m[%i] : memref<8xf64>\n", "%s", afn), 0},
		{"an element", loop("%s = memref.load %y[%i] : memref<8xf64>\n", "%s", afn), 1},
		{"an element of what is written", loop("%s = memref.load %y[%i] : memref<8xf64>\nmemref.store %b, %y[%c0] : memref<8xf64>\n", "%s", afn), 0},
		{"of loops the outermost that does not change it", "%r = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %z) -> (f64) {\n%s = memref.load %y[%k] : memref<8xf64>\n%q = scf.for %l = %c0 to %c8 step %c1 iter_args(%d = %a) -> (f64) {\n" +
			"%e = memref.load %x[%l] : memref<8xf64>\n%p = math.powf %s, %e fastmath<afn> : f64\n%v = math.powf %b, %p fastmath<afn> : f64\n%n = arith.addf %d, %v : f64\nscf.yield %n : f64\n}\nscf.yield %q : f64\n}\n", 3},
	} {
		g := settled(t, head+c.body+"return %r : f64\n}\n")
		out, m := built.Counted(t, g, "version-powers")
		got := text.String(out, text.PrintOptions{})
		if n := m.Stats("version-powers", "powers"); n != c.want {
			t.Errorf("%s: %d powers are exponentials, want %d\n%s", c.name, n, c.want, got)
		}
		for _, args := range []string{"[[1, 2, 0.5, 0, 3, -1, 2, 1], [2, 0.5, 1, 3, 4, 0.25, 2, 1], 1.5, 1]", "[[1, 2, 0.5, 0, 3, -1, 2, 1], [2, -0.5, 0, 3, 4, 0.25, 2, 1], -2, 2]"} {
			samePowers(t, built.Run(t, out, "f", args), built.Run(t, g, "f", args), got)
		}
	}
}

// A private function may be given poison; a public one never is.
func TestVersionPowersOfCallees(t *testing.T) {
	src := "func.func @f(%x: memref<8xf64>, %b: f64) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\nscf.for %k = %c0 to %c8 step %c1 {\n%e = memref.load %x[%k] : memref<8xf64>\n%p = math.powf %b, %e fastmath<afn> : f64\nmemref.store %p, %x[%k] : memref<8xf64>\n}\nreturn\n}\n"
	const g = "func.func @g(%x: memref<8xf64>) {\n%p = ub.poison : f64\ncall @f(%x, %p) : (memref<8xf64>, f64) -> ()\nreturn\n}\n"
	for src, want := range map[string]int{src: 1, src + g: 1, strings.Replace(src, "@f", "private @f", 1) + g: 0} {
		if _, m := built.Counted(t, settled(t, src), "version-powers"); m.Stats("version-powers", "versions") != want {
			t.Errorf("%d versions, want %d of\n%s", m.Stats("version-powers", "versions"), want, src)
		}
	}
}

// Powers of all kinds of bases and exponents, in random nests, are what they were but for 2^-41
// of themselves; where they are no number, infinite, or 0, they are so still.
func TestVersionPowersRandom(t *testing.T) {
	special := []string{"0", "1", "-1", "2", "-2", "0.5", "-0.5", "3", "1e300", "1e-300", "-1e-300", "7.25", "-7", `"Infinity"`, `"-Infinity"`, `"NaN"`, "-0.0", "600", "-600"}
	powers := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 41))
		var b strings.Builder
		b.WriteString("func.func @f(%x: memref<6xf64> {llvm.noalias}, %y: memref<6xf64> {llvm.noalias}, %out: memref<6x6xf64> {llvm.noalias}, %a: f64, %b: f64, %i: index) {\n")
		for _, k := range []int{0, 1, 6} {
			fmt.Fprintf(&b, "%%c%d = arith.constant %d : index\n", k, k)
		}
		values, n := []string{"%a", "%b"}, 0
		ops := func(index string, some int) {
			for range some {
				n++
				v, p, q := fmt.Sprintf("%%v%d", n), values[r.IntN(len(values))], values[r.IntN(len(values))]
				switch r.IntN(6) {
				case 0, 1:
					fmt.Fprintf(&b, "%s = math.powf %s, %s %s: f64\n", v, p, q, []string{"", "fastmath<afn> ", "fastmath<afn> "}[r.IntN(3)])
				case 2, 3:
					fmt.Fprintf(&b, "%s = memref.load %s[%s] : memref<6xf64>\n", v, []string{"%x", "%y"}[r.IntN(2)], []string{index, "%i"}[r.IntN(2)])
				case 4:
					fmt.Fprintf(&b, "%s = arith.negf %s : f64\n", v, p)
				default:
					fmt.Fprintf(&b, "%s = arith.maximumf %s, %s : f64\n", v, p, q)
				}
				values = append(values, v)
			}
		}
		ops("%c1", 1+r.IntN(2))
		b.WriteString("scf.for %k = %c0 to %c6 step %c1 {\n")
		ops("%k", 1+r.IntN(3))
		b.WriteString("scf.for %l = %c0 to %c6 step %c1 {\n")
		ops("%l", 1+r.IntN(3))
		fmt.Fprintf(&b, "%%last = math.powf %s, %s fastmath<afn> : f64\n", values[r.IntN(len(values))], values[len(values)-1])
		b.WriteString("memref.store %last, %out[%k, %l] : memref<6x6xf64>\n}\n}\nreturn\n}\n")
		g := settled(t, b.String())
		out, m := built.Counted(t, g, "version-powers")
		powers += min(m.Stats("version-powers", "powers"), 1)
		any := func() string { return special[r.IntN(len(special))] }
		six := func(x func() string) string {
			return "[" + strings.Join([]string{x(), x(), x(), x(), x(), x()}, ", ") + "]"
		}
		for range 4 {
			args := fmt.Sprintf("[%s, %s, %s, %s, %s, %d]", six(any), six(any), six(func() string { return "[0, 0, 0, 0, 0, 0]" }), any(), any(), r.IntN(6))
			samePowers(t, built.After(t, out, "f", args), built.After(t, g, "f", args), b.String())
		}
	}
	if powers < 50 {
		t.Errorf("only %d programs have a version", powers)
	}
}

// samePowers compares numbers that programs show.
func samePowers(t *testing.T, got, want, program string) {
	t.Helper()
	if got == want {
		return
	}
	numbers := func(shown string) (out []float64) {
		for _, s := range strings.FieldsFunc(shown, func(r rune) bool { return strings.ContainsRune("[], \"{}:\n", r) }) {
			if x, err := strconv.ParseFloat(s, 64); err == nil {
				out = append(out, x)
			}
		}
		return out
	}
	xs, ys := numbers(got), numbers(want)
	if len(xs) != len(ys) || len(xs) == 0 {
		t.Fatalf("%s, want %s", got, want)
	}
	for i, x := range xs {
		// A power of a power has the error of its base as often as its exponent says.
		if y := ys[i]; !(x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-9*math.Abs(y)) {
			t.Fatalf("%s, want %s\n%s", got, want, program)
		}
	}
}

// Many bases in as many loops take work in their number: eight times as many no more than twelve times the memory.
func TestVersionPowersOfMany(t *testing.T) {
	work := func(n int) float64 {
		var b strings.Builder
		b.WriteString("func.func @f(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n")
		for i := range n {
			fmt.Fprintf(&b, "%%i%[1]d = arith.constant %[2]d : index\n%%b%[1]d = memref.load %%y[%%i%[1]d] : memref<?xf64>\nscf.for %%k = %%c0 to %%i%[1]d step %%c1 {\n"+
				"%%e = memref.load %%x[%%k] : memref<?xf64>\n%%p = math.powf %%b%[1]d, %%e fastmath<afn> : f64\nmemref.store %%p, %%x[%%k] : memref<?xf64>\n}\n", i, i+8)
		}
		g := settled(t, b.String()+"return\n}\n")
		return testing.AllocsPerRun(1, func() {
			if _, m := built.Counted(t, g, "version-powers"); m.Stats("version-powers", "powers") != n {
				t.Fatalf("%d powers of %d", m.Stats("version-powers", "powers"), n)
			}
		})
	}
	if few, many := work(100), work(800); many > 12*few {
		t.Errorf("100 loops allocate %v times, 800 %v", few, many)
	}
}
