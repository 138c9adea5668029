package sdr

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
)

// A peer is what a benchmark in C is given and what it computes, by name.
type peer map[string][]float64

// compilePeer compiles a benchmark; without a C compiler the test is skipped. The compiler
// must not contract a product and a sum: the equations do not.
func compilePeer(t *testing.T, name string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), name)
	for _, cc := range []string{"cc", "gcc", "clang-19", "clang"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		c := exec.Command(cc, "-w", "-O1", "-ffp-contract=off", "-D_GNU_SOURCE", `-DPEER="`+name+`.c"`, "-DPEER_"+name, "-o", program, "testdata/dump.c", "-lm")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cc, err, out)
		}
		return program
	}
	t.Skip("equations beside C: needs a C compiler")
	return ""
}

// runPeer runs a benchmark of some sizes.
func runPeer(t *testing.T, program string, sizes []int) peer {
	t.Helper()
	args := []string{"dump"}
	for _, n := range sizes {
		args = append(args, strconv.Itoa(n))
	}
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	p := peer{}
	for line := range bytes.Lines(out) {
		words := strings.Fields(string(line))
		elems := make([]float64, len(words)-2)
		for i, w := range words[2:] {
			if elems[i], err = strconv.ParseFloat(w, 64); err != nil {
				t.Fatal(err)
			}
		}
		p[words[0]] = elems
	}
	return p
}

// arguments are those of a program of equations: parameters, inputs with the peer's data,
// outputs with none.
func arguments(t *testing.T, c *ir.Context, in equations.Interface, params map[string]int, p peer) (args []ir.Val) {
	t.Helper()
	values := map[string]presburger.Int{}
	for _, name := range in.Params {
		n, ok := params[name]
		if !ok {
			if len(p[name]) != 1 {
				t.Fatalf("the parameter %s has no value", name)
			}
			n = int(p[name][0])
		}
		values[name] = presburger.NewInt(int64(n))
		args = append(args, ir.IntVal(int64(n), 64))
	}
	for _, a := range in.Arrays {
		sizes, err := poly.Sizes(a.Extent, values)
		if err != nil {
			t.Fatal(err)
		}
		n := 1
		for _, s := range sizes {
			n *= int(s)
		}
		if len(p[a.Name]) != n {
			t.Fatalf("%s has %d elements, and the peer's %d", a.Name, n, len(p[a.Name]))
		}
		buf := interp.NewBuffer(c, a.Type, n, false)
		if !a.Output {
			for i, x := range p[a.Name] {
				if c.IsFloat(a.Type) {
					buf.Store(i, ir.FloatVal(x, a.Type))
				} else {
					buf.Store(i, ir.IntVal(int64(x), c.Info(a.Type).Width))
				}
			}
		}
		strides, _, _ := interp.RowMajor(sizes)
		args = append(args, ir.Val{Ref: &interp.MemRef{Buf: buf, Sizes: sizes, Strides: strides}})
	}
	return args
}

// output is an output as numbers.
func output(c *ir.Context, v ir.Val) (out []float64) {
	b := v.Ref.(*interp.MemRef).Buf
	for i := range b.Len() {
		x := b.Load(i)
		if c.IsFloat(b.Elem) {
			out = append(out, x.Float(b.Elem))
		} else {
			out = append(out, float64(x.Int(c.Info(b.Elem).Width)))
		}
	}
	return out
}

// readExample reads a program of the examples.
func readExample(t *testing.T, c *ir.Context, name string) (*ir.Graph, equations.Interface) {
	t.Helper()
	file := filepath.Join("../../examples/eq", name+".eq")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	src := diag.NewSource(file, string(text))
	g, list := equations.Read(c, src)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	in, list := equations.InterfaceOf(src)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return g, in
}

// distinct says how many values there are.
func distinct(xs []float64) int {
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return len(slices.Compact(xs))
}
