package loops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/tests/built"
)

// Sums of inner loops get nests of their own where that makes less of large strides; what else the loop does stays.
func TestSumsApart(t *testing.T) {
	const inner = `%q = scf.for %j = %c0 to %c9 step %c1 iter_args(%t = %s) -> (f64) {
    %x = memref.load %A[%j, %i] : memref<64x64xf64>
    %z = arith.mulf %x, %w : f64
    %y = arith.addf %t, %z fastmath<reassoc> : f64
    scf.yield %y : f64
  }`
	loop := func(body, yield string) string {
		return `%r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %a0, %u = %a0) -> (f64, f64) {
  %w = memref.load %B[%i] : memref<64xf64>
  ` + body + `
  scf.yield ` + yield + ` : f64, f64
}
memref.store %r#0, %C[%c0] : memref<64xf64>
memref.store %r#1, %C[%c1] : memref<64xf64>`
	}
	const stays = "cannot be interchanged: it "
	powers := "%p0 = arith.mulf %x, %w : f64\n" // each is read twice by the next
	for i := range 60 {
		powers += fmt.Sprintf("%%p%d = arith.mulf %%p%d, %%p%d : f64\n", i+1, i, i)
	}
	powers += "%z = arith.addf %p60, %w : f64"
	for _, x := range []struct{ name, options, nest, want string }{
		{"all there is", "over=1", loop(inner, "%q, %u"), "iter_args(%arg7 = %cst) -> (f64) {\n      %1 = scf.for"},
		{"powers of powers", "over=1", loop(strings.Replace(inner, "%z = arith.mulf %x, %w : f64", powers, 1), "%q, %u"), "iter_args(%arg7 = %cst) -> (f64) {\n      %1 = scf.for"},
		{"a sum of its own beside it", "over=1", loop(inner+"\n%v = arith.addf %u, %w : f64", "%q, %v"), "iter_args(%arg7 = %cst) -> (f64) {\n      %2 = scf.for"},
		{"more to the same sum", "over=1", loop(inner+"\n%v = arith.addf %q, %w fastmath<reassoc> : f64", "%v, %u"), "iter_args(%arg7 = %0) -> (f64) {\n      %2 = scf.for"},
		{"a sum from none", "over=1", loop(strings.Replace(inner, "= %s)", "= %none)", 1)+"\n%v = arith.addf %q, %s fastmath<reassoc> : f64", "%v, %u"), "iter_args(%arg7 = %cst) -> (f64) {\n      %1 = scf.for"},
		{"what fits into a cache", "over=40000", loop(inner, "%q, %u"), "memref.load %arg2[%arg8, %arg6]"},
		{"a sum from some", "over=1 line=2", loop(strings.Replace(inner, "= %s)", "= %some)", 1)+"\n%v = arith.addf %q, %s fastmath<reassoc> : f64", "%v, %u"), stays + "has a loop in it whose sum is not only added to: scf.for (line 4)"},
		{"a sum that is read", "over=1 line=2", loop(inner+"\n%v = arith.addf %u, %q : f64", "%q, %v"), stays + "has a loop in it whose sum is not only added to: scf.for (line 4)"},
		{"a sum in an order", "over=1 line=2", loop(inner+"\n%v = arith.addf %q, %w : f64", "%v, %u"), stays + "has a loop in it whose sum is not only added to: scf.for (line 4)"},
		{"a sum of an order in the inner loop", "over=1 line=2", loop(strings.Replace(inner, " fastmath<reassoc>", "", 1), "%q, %u"), stays + "adds up floats in the order of its iterations: arith.addf (line 7) is not flagged fastmath<reassoc>"},
		{"what another number needs", "over=1 line=2", loop(strings.Replace(inner, "%x, %w", "%x, %u", 1), "%q, %w"), stays + "carries a number that scf.for (line 4) needs"},
		{"what is written meanwhile", "over=1 line=2", loop(inner+"\nmemref.store %w, %A[%i, %c0] : memref<64x64xf64>", "%q, %u"), stays + "writes what scf.for (line 4) perhaps reads"},
		{"what perhaps is written meanwhile", "over=1 line=2", loop(inner+"\nmemref.store %w, %C[%i] : memref<64xf64>", "%q, %u"), stays + "writes what memref.load (line 3) perhaps reads"},
		{"what it writes", "over=1 line=2", loop(strings.Replace(inner, "%z = ", "memref.store %x, %A[%j, %i] : memref<64x64xf64>\n%z = ", 1), "%q, %u"), stays + "has a loop in it that does more than to add up and to read: scf.for (line 4)"},
		{"a triangle", "over=1 line=2", loop(strings.Replace(inner, "to %c9", "to %i", 1), "%q, %u"), stays + "has scf.for (line 4) in it, whose bounds are computed in scf.for (line 2)"},
		{"no loop", "over=1 line=2", loop("%q = arith.addf %s, %w fastmath<reassoc> : f64", "%q, %u"), stays + "has no loop in it that adds up what it carries"},
	} {
		t.Run(x.name, func(t *testing.T) {
			src := strings.Replace(body(x.nest), "%l1 = ", "%none = arith.constant -0.0 : f64 %some = arith.constant 1.0 : f64 %l1 = ", 1)
			if got := run(t, src, "loop-interchange{sums=true "+x.options+"}"); !strings.Contains(got, x.want) {
				t.Errorf("got %s\nwant %s", got, x.want)
			}
		})
	}
}

// A sumWriter writes a loop with sums, inner loops that add to some of them, and stores.
type sumWriter struct {
	*irtest.Writer
	values []string // of type f64
}

func (m *sumWriter) value() string {
	return m.values[m.IntN(len(m.values))]
}

// op writes an op that gives a number.
func (m *sumWriter) op(format string, args ...any) string {
	v := m.Def(format, args...)
	m.values = append(m.values, v)
	return v
}

// one writes a thing that a loop does; sums are the numbers that it carries on.
func (m *sumWriter) one(sums []string) {
	k := m.IntN(len(sums))
	flags := m.One(" fastmath<reassoc>", " fastmath<reassoc>", " fastmath<reassoc>", " fastmath<reassoc>", " fastmath<reassoc>", "")
	switch m.IntN(7) {
	case 0:
		m.op("memref.load %%B[%%i] : memref<6xf64>")
	case 1:
		m.op("arith.mulf %s, %s : f64", m.value(), m.value())
	case 2:
		m.Line("memref.store %s, %s[%%i] : memref<6xf64>", m.value(), m.One("%B", "%C", "%D", "%D", "%D", "%D"))
	case 3:
		x := m.value()
		sums[k] = m.op("arith.addf %s, %s%s : f64", sums[k], x, flags)
		m.values = m.values[:len(m.values)-1]
		if m.IntN(12) == 0 {
			m.values = append(m.values, sums[k])
		}
	default:
		init, term := sums[k], m.IntN(4) == 0
		if term {
			init = m.One("%none", "%none", "%one")
		}
		to := m.One("%c4", "%c4", "%c4", "%c4", "%c4", "%c4", "%c0", "%i")
		outer := len(m.values)
		v, j, s := m.Name(), m.Name(), m.Name()
		m.Line("%s = scf.for %s = %%c0 to %s step %%c1 iter_args(%s = %s) -> (f64) {", v, j, to, s, init)
		m.op("memref.load %%A[%s] : memref<6x6xf64>", m.One(j+", %i", j+", %i", "%i, "+j))
		for range m.IntN(3) {
			m.op("arith.addf %s, %s : f64", m.value(), m.value())
		}
		if m.IntN(15) == 0 {
			m.Line("memref.store %s, %s[%s] : memref<6xf64>", m.value(), m.One("%C", "%D"), j)
		}
		y := m.op("arith.addf %s, %s%s : f64", s, m.value(), flags)
		m.Line("scf.yield %s : f64\n    }", y)
		if m.values = m.values[:outer]; term {
			sums[k] = m.op("arith.addf %s, %s%s : f64", v, sums[k], flags)
			m.values = m.values[:outer]
		} else {
			sums[k] = v
		}
	}
}

// program is a function of some sums of numbers that are small and whole: no order rounds.
func (m *sumWriter) program() string {
	m.values = []string{"%a"}
	sums := []string{"%s0", "%s1"}
	fmt.Fprintf(m, "  %%r:2 = scf.for %%i = %%c0 to %s step %%c1 iter_args(%%s0 = %%a, %%s1 = %%none) -> (f64, f64) {\n", m.One("%n", "%c5"))
	for range 2 + m.IntN(6) {
		m.one(sums)
	}
	k := max(0, m.IntN(8)-6)
	m.Line("scf.yield %s, %s : f64, f64\n  }", sums[k], sums[1-k])
	return `func.func @f(%A: memref<6x6xf64>, %B: memref<6xf64>, %C: memref<6xf64>, %D: memref<6xf64> {llvm.noalias}, %n: index, %a: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %none = arith.constant -0.0 : f64
  %one = arith.constant 1.0 : f64
` + m.String() + "  return %r#0, %r#1 : f64, f64\n}\n"
}

// Random loops with sums give the same numbers and leave the same memory when sums have got nests of their own.
func TestRandomSums(t *testing.T) {
	most, changed := *loops, 0
	if testing.Short() {
		most /= 10
	}
	for seed := range most {
		m := &sumWriter{Writer: irtest.NewWriter(*loopSeed+uint64(seed), 19)}
		src := m.program()
		before := built.Parse(t, src, text.Options{})
		after := built.Through(t, before, "loop-interchange{sums=true over=1}")
		if fixpoint.Fingerprint(after) == fixpoint.Fingerprint(before) {
			continue
		}
		changed++
		for _, n := range []int{0, 4} {
			args := fmt.Sprintf("[[[1,2,3,1,0,1],[2,0,1,1,2,1],[1,1,0,0,1,2],[0,3,1,2,1,1],[1,0,2,1,1,0],[2,1,0,1,3,0]], [1,0,2,1,1,1], [0,1,1,2,0,1], [1,1,1,0,0,2], %d, 2]", n)
			if got, want := built.Run(t, after, "f", args), built.Run(t, before, "f", args); got != want {
				t.Fatalf("seed %d, of n = %d: %s, want %s\n%s\n%s", seed, n, got, want, src, text.String(after, text.PrintOptions{}))
			}
		}
	}
	if t.Logf("%d of %d are changed", changed, most); changed < most/10 {
		t.Errorf("%d of %d are changed", changed, most)
	}
}
