package affine_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
)

// maker writes random functions of affine nests over one memory of 64 numbers; the symbols are
// the arguments, the second of which is positive.
type maker struct {
	*irtest.Writer
	dims  []string // the indices in scope
	carry []string // values
}

// expr writes an expression of the dimensions and two symbols, named by these functions.
func (m *maker) expr(depth int, dim func() string, sym func(int) string) string {
	if depth == 0 || m.IntN(4) == 0 {
		switch m.IntN(5) {
		case 0:
			return fmt.Sprint(m.IntN(9) - 3)
		case 1:
			return sym(m.IntN(2))
		}
		return dim()
	}
	x := m.expr(depth-1, dim, sym)
	switch m.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s) floordiv %d", x, 1+m.IntN(5))
	case 1:
		return fmt.Sprintf("(%s) ceildiv %d", x, 1+m.IntN(5))
	case 2:
		return fmt.Sprintf("(%s) mod %d", x, 1+m.IntN(9))
	case 3:
		return fmt.Sprintf("(%s) * %d", x, m.IntN(7)-3)
	case 4:
		return fmt.Sprintf("(%s) floordiv %s", x, sym(1))
	}
	return fmt.Sprintf("%s %s (%s)", x, []string{"+", "-"}[m.IntN(2)], m.expr(depth-1, dim, sym))
}

// mapped writes n expressions as a map or set with its operands.
func (m *maker) mapped(n, depth int, open, mid, each string) string {
	var es, names []string
	for range n {
		es = append(es, m.expr(depth, func() string {
			if len(m.dims) == 0 {
				return "1"
			}
			return fmt.Sprintf("d%d", m.IntN(len(m.dims)))
		}, func(i int) string { return fmt.Sprintf("s%d", i) })+each)
	}
	for i := range m.dims {
		names = append(names, fmt.Sprintf("d%d", i))
	}
	return fmt.Sprintf("%s<(%s)[s0, s1] %s (%s)>(%s)[%%n, %%k]", open, strings.Join(names, ", "), mid, strings.Join(es, ", "), strings.Join(m.dims, ", "))
}

func (m *maker) place() string {
	return "(" + m.expr(2, func() string {
		if len(m.dims) == 0 {
			return "1"
		}
		return m.dims[m.IntN(len(m.dims))]
	}, func(i int) string { return []string{"symbol(%n)", "symbol(%k)"}[i] }) + ") mod 64"
}

func (m *maker) value() string { return m.carry[m.IntN(len(m.carry))] }

func (m *maker) body(depth int) {
	dims, carry := len(m.dims), len(m.carry)
	m.Indent++
	for range 1 + m.IntN(3) {
		m.op(depth)
	}
	m.Indent--
	m.dims = m.dims[:dims]
	m.carry = m.carry[:max(carry, 1)]
}

func (m *maker) op(depth int) {
	kind := m.IntN(9)
	if depth == 0 {
		kind %= 5
	}
	v := m.Name()
	switch kind {
	case 0, 1:
		m.Line("%s = affine.load %%m[%s] : memref<64xindex>", v, m.place())
		m.carry = append(m.carry, v)
	case 2:
		m.Line("affine.store %s, %%m[%s] : memref<64xindex>", m.value(), m.place())
	case 3:
		m.Line("%s = affine.apply %s", v, m.mapped(1, 3, "affine_map", "->", ""))
		m.carry = append(m.carry, v)
	case 4:
		m.Line("%s = affine.%s %s", v, []string{"min", "max"}[m.IntN(2)], m.mapped(1+m.IntN(3), 2, "affine_map", "->", ""))
		m.carry = append(m.carry, v)
	case 5:
		m.Line("affine.if %s {", m.mapped(1+m.IntN(2), 2, "affine_set", ":", []string{" >= 0", " == 0"}[min(m.IntN(4), 1)^1]))
		m.body(depth - 1)
		if m.IntN(2) == 0 {
			m.Line("} else {")
			m.body(depth - 1)
		}
		m.Line("}")
	case 6:
		m.parallel(v)
	default:
		i, a, y := m.Name(), m.Name(), m.Name()
		m.Line("%s = affine.for %s = max %s to min %s step %d iter_args(%s = %s) -> index {", v, i,
			m.mapped(1+m.IntN(2), 2, "affine_map", "->", ""), m.mapped(1+m.IntN(2), 2, "affine_map", "->", ""), 1+m.IntN(3), a, m.value())
		kept := len(m.carry)
		m.dims, m.carry = append(m.dims, i), append(m.carry, a)
		m.body(depth - 1)
		m.Line("  %s = arith.addi %s, %s : index", y, a, i)
		m.Line("  affine.yield %s : index", y)
		m.Line("}")
		m.dims, m.carry = m.dims[:len(m.dims)-1], append(m.carry[:kept], v)
	}
}

func (m *maker) parallel(v string) {
	i, x, y, r := m.Name(), m.Name(), m.Name(), m.Name()
	m.Line("%s = affine.parallel (%s) = (max(0, symbol(%%n) - 3)) to (min(symbol(%%n) + 5, 20)) step (%d) reduce (\"%s\") -> i64 {", r, i, 1+m.IntN(3), []string{"addi", "muli", "andi", "ori"}[m.IntN(4)])
	m.Line("  %s = affine.load %%m[(%s + symbol(%%k)) mod 64] : memref<64xindex>", x, i)
	m.Line("  %s = arith.index_cast %s : index to i64", y, x)
	m.Line("  affine.yield %s : i64", y)
	m.Line("}")
	m.Line("%s = arith.index_cast %s : i64 to index", v, r)
	m.carry = append(m.carry, v)
}

// program writes one function: it fills memory, runs nests and sums up what is left.
func program(seed uint64, name string) string {
	m := &maker{Writer: irtest.NewWriter(14, seed), carry: []string{"%n"}}
	m.Indent = 1
	fmt.Fprintf(m, "func.func @%s(%%n: index, %%k: index) -> index {\n", name)
	m.Line("%%m = memref.alloc() : memref<64xindex>")
	m.Line("affine.for %%i = 0 to 64 {\n    affine.store %%i, %%m[%%i] : memref<64xindex>\n  }")
	m.body(3)
	m.Line("%%z = arith.constant 0 : index")
	m.Line("%%sum = affine.for %%i = 0 to 64 iter_args(%%a = %%z) -> index {")
	m.Line("  %%x = affine.load %%m[%%i] : memref<64xindex>\n    %%p = affine.apply affine_map<(d0) -> (d0 * 3 + 1)>(%%i)")
	m.Line("  %%y = arith.muli %%x, %%p : index\n    %%b = arith.addi %%a, %%y : index\n    affine.yield %%b : index\n  }")
	m.Line("memref.dealloc %%m : memref<64xindex>\n  return %%sum : index\n}")
	return m.String()
}

// Random nests give the same as they are written, as they are built, and lowered by irc and by
// MLIR. What leaves 64 bits on the way is left out: it has no meaning.
func TestRandomNests(t *testing.T) {
	const n = 120
	var all strings.Builder
	for i := range n {
		all.WriteString(program(uint64(i), fmt.Sprintf("f%d", i)))
	}
	c := context()
	written := memtest.Parse(t, c, all.String(), text.Options{Verbatim: true})
	built := memtest.Parse(t, c, all.String(), text.Options{})
	lowered := memtest.Rewrite(t, built, affine.Lowerings)
	if s := memtest.Text(lowered); strings.Contains(s, "affine.") {
		t.Fatalf("something affine is left:\n%s", s)
	}
	graphs := map[string]*ir.Graph{"built": built, "lowered": lowered}
	if opt, err := exec.LookPath("mlir-opt-19"); err == nil {
		cmd := exec.Command(opt, "-lower-affine")
		cmd.Stdin = strings.NewReader(memtest.Text(built))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("mlir-opt-19: %v\n%s", err, err.(*exec.ExitError).Stderr)
		}
		graphs["lowered by MLIR"] = memtest.Parse(t, c, string(out), text.Options{Verbatim: true})
	} else {
		t.Log("mlir-opt-19 is not there: its lowering is not compared")
	}
	traps := 0
	for i := range n {
		for _, args := range [][2]int64{{7, 3}, {-5, 1}, {19, 4}} {
			f := fmt.Sprintf("f%d", i)
			a := []ir.Val{{Bits: uint64(args[0])}, {Bits: uint64(args[1])}}
			want := memtest.Outcome(t, written, f, a...)
			if strings.Contains(want, "trap: ") {
				traps++
				continue
			}
			for name, g := range graphs {
				if got := memtest.Outcome(t, g, f, a...); got != want {
					t.Fatalf("@%s%v %s gives %q, as written %q:\n%s", f, args, name, got, want, program(uint64(i), f))
				}
			}
		}
	}
	if traps > n/4 {
		t.Errorf("%d of %d runs trap", traps, 3*n)
	}
}
