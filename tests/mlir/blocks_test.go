package mlir_test

import (
	"flag"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/cfg"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
)

var graphs = flag.Int("graphs", 75, "how many random functions of several blocks are compared with MLIR")

// Functions of several blocks, as MLIR runs them, do what the ifs and loops do that they are read as: reducible and
// irreducible, with block arguments, memory, switches and several returns. A cell of memory is their fuel.
func TestBlocksSameAsMLIR(t *testing.T) {
	c := child(t)
	values, irreducible, several := 0, 0, 0
	for done := 0; done < *graphs && !t.Failed(); done += 250 {
		var all strings.Builder
		n := min(250, *graphs-done)
		for i := range n {
			f := randomBlocks(*firstSeed+uint64(done+i), fmt.Sprintf("f%d", i))
			all.WriteString(f.text)
			if f.irreducible() {
				irreducible++
			}
			if f.leaves > 1 {
				several++
			}
		}
		m := native(t, c, compileByMLIR(t, []string{all.String()}, nil))
		g, err := parse(newContext(), "blocks.mlir", all.String(), false)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := llvm.Text(g, llvm.Options{Dispatchers: 1}) // as blocks again
		if err != nil {
			t.Fatal(err)
		}
		threaded := native(t, c, ours+thunks(ours))
		run, err := interp.New(g, interp.Options{Fuel: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for k := range 4 {
				seed := *firstSeed + uint64(done+i)
				a, b := uint64(k*k*1009)+seed, uint64(k)<<40-seed*7
				p := &irtest.Program{Entry: fmt.Sprintf("f%d", i), Args: []irtest.Arg{{Bits: a}, {Bits: b}}, Types: []string{"i64"}}
				want, err := runNative(t, c, m, p, 1)
				if err != nil {
					t.Fatal(err)
				}
				got, err := run.Call(p.Entry, []ir.Val{{Bits: a}, {Bits: b}})
				if err != nil || got[0].Bits != want[0] {
					t.Errorf("seed %d: @f%d(%d, %d) = %v, %v; by MLIR %d\n%s", seed, i, a, b, got, err, want[0], randomBlocks(seed, "f").text)
					break
				}
				back, err := runNative(t, c, threaded, p, 1)
				if err != nil || back[0] != want[0] {
					t.Errorf("seed %d: @f%d(%d, %d) = %v, %v as blocks again; by MLIR %d\n%s", seed, i, a, b, back, err, want[0], randomBlocks(seed, "f").text)
					break
				}
				values++
			}
		}
		for _, m := range []*jit.Module{m, threaded} {
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d functions, %d of them irreducible, %d with several returns; %d values compared", *graphs, irreducible, several, values)
	if irreducible < *graphs/10 || several < *graphs/10 {
		t.Error("the test tests little")
	}
}

// blocksText is a function that is made.
type blocksText struct {
	*rand.Rand
	text   string
	g      *cfg.Graph // block 0 is the entry, which ends with a branch to block 1
	args   []int      // of a block
	defs   [][]string // of a block
	fuel   []bool     // a block looks at the fuel, in a block before its branch
	leaves int
	up     []int
	next   int
	b      strings.Builder
}

// irreducible tells whether a retreating edge goes to a block that does not dominate.
func (f *blocksText) irreducible() bool {
	order := cfg.Order(f.g)
	at := make([]int, len(f.g.Blocks))
	for i, b := range order {
		at[b] = i
	}
	for _, b := range order {
		for _, e := range f.g.Blocks[b].Succs {
			if e.To == cfg.Leave || at[e.To] > at[b] {
				continue
			}
			above := b
			for above != e.To && above > 0 {
				above = f.up[above]
			}
			if above != e.To {
				return true
			}
		}
	}
	return false
}

func randomBlocks(seed uint64, name string) *blocksText {
	f := &blocksText{Rand: rand.New(rand.NewSource(int64(seed)))}
	n := 2 + f.Intn(10)
	if f.Intn(20) == 0 {
		n *= 8
	}
	f.g = &cfg.Graph{Blocks: []cfg.Block{{Succs: []cfg.Edge{{To: 1}}}}}
	f.args, f.defs, f.fuel = make([]int, n+1), make([][]string, n+1), make([]bool, n+1)
	wild := f.Float64()
	for b := 1; b <= n; b++ {
		f.args[b] = f.Intn(3)
		x := cfg.Block{}
		for range []int{0, 1, 1, 2, 2, 2, 2, 3}[f.Intn(8)] {
			to := 1 + f.Intn(n)
			if f.Float64() > wild {
				to = min(n, max(1, b+1+f.Intn(3)-f.Intn(4)/3*3))
			}
			f.fuel[b] = f.fuel[b] || to <= b
			x.Succs = append(x.Succs, cfg.Edge{To: to})
		}
		if len(x.Succs) == 0 {
			f.leaves++
		}
		f.g.Blocks = append(f.g.Blocks, x)
	}
	f.up = cfg.Dominators(f.g)
	fmt.Fprintf(&f.b, "func.func @%s(%%a: i64, %%b: i64) -> i64 {\n", name)
	f.b.WriteString("  %m = memref.alloca() : memref<8xi64>\n")
	for i := range 8 {
		fmt.Fprintf(&f.b, "  %%i%d = arith.constant %d : index\n  %%c%d = arith.constant %d : i64\n", i, i, i, f.Intn(100))
		fmt.Fprintf(&f.b, "  memref.store %%c%d, %%m[%%i%d] : memref<8xi64>\n", i, i)
	}
	f.b.WriteString("  %zero = arith.constant 0 : i64\n  %one = arith.constant 1 : i64\n  %full = arith.constant 40 : i64\n  memref.store %full, %m[%i7] : memref<8xi64>\n")
	f.defs[0] = []string{"%a", "%b", "%c1", "%c2"}
	f.b.WriteString("  cf.br " + f.to(0, 1) + "\n")
	head := f.b.String()
	texts := make([]string, n+1)
	order := cfg.Order(f.g)
	for b := 1; b <= n; b++ { // what cannot be reached comes last
		if !slices.Contains(order, b) {
			order = append(order, b)
		}
	}
	for _, b := range order[1:] {
		f.b.Reset()
		f.block(b)
		texts[b] = f.b.String()
	}
	f.b.Reset()
	f.b.WriteString(head)
	for _, b := range f.Perm(n) {
		f.b.WriteString(texts[b+1])
	}
	f.b.WriteString("^out(%r: i64):\n")
	f.leave("%r")
	f.b.WriteString("}\n")
	f.text = f.b.String()
	return f
}

// value is the name of a value that is there in a block.
func (f *blocksText) value(b int) string {
	var all []string
	for at := b; ; at = f.up[at] {
		all = append(all, f.defs[at]...)
		if at <= 0 || f.up[at] < 0 {
			break
		}
	}
	all = append(all, f.defs[0]...)
	return all[f.Intn(min(len(all), 2+f.Intn(len(all))))]
}

func (f *blocksText) to(from, to int) string {
	args := make([]string, f.args[to])
	for i := range args {
		args[i] = f.value(from)
	}
	if len(args) == 0 {
		return fmt.Sprintf("^bb%d", to)
	}
	return fmt.Sprintf("^bb%d(%s : %s)", to, strings.Join(args, ", "), strings.Join(slices.Repeat([]string{"i64"}, len(args)), ", "))
}

// op writes an op with a new result of a block.
func (f *blocksText) op(b int, format string, args ...any) string {
	v := fmt.Sprintf("%%v%d", f.next)
	f.next++
	fmt.Fprintf(&f.b, "  %s = %s\n", v, fmt.Sprintf(format, args...))
	if b >= 0 {
		f.defs[b] = append([]string{v}, f.defs[b]...)
	}
	return v
}

// block writes a block.
func (f *blocksText) block(b int) {
	fmt.Fprintf(&f.b, "^bb%d", b)
	for i := range f.args[b] {
		if i == 0 {
			f.b.WriteString("(")
		} else {
			f.b.WriteString(", ")
		}
		v := fmt.Sprintf("%%p%d_%d", b, i)
		fmt.Fprintf(&f.b, "%s: i64", v)
		f.defs[b] = append(f.defs[b], v)
	}
	if f.args[b] > 0 {
		f.b.WriteString(")")
	}
	f.b.WriteString(":\n")
	for range f.Intn(3) {
		switch cell := f.Intn(7); f.Intn(4) {
		case 0:
			fmt.Fprintf(&f.b, "  memref.store %s, %%m[%%i%d] : memref<8xi64>\n", f.value(b), cell)
		case 1:
			f.op(b, "memref.load %%m[%%i%d] : memref<8xi64>", cell)
		default:
			f.op(b, "arith.%s %s, %s : i64", []string{"addi", "muli", "xori"}[f.Intn(3)], f.value(b), f.value(b))
		}
	}
	if f.fuel[b] {
		had := f.op(-1, "memref.load %%m[%%i7] : memref<8xi64>")
		left := f.op(-1, "arith.subi %s, %%one : i64", had)
		fmt.Fprintf(&f.b, "  memref.store %s, %%m[%%i7] : memref<8xi64>\n", left)
		more := f.op(-1, "arith.cmpi sgt, %s, %%zero : i64", left)
		fmt.Fprintf(&f.b, "  cf.cond_br %s, ^go%d, ^out(%s : i64)\n^go%d:\n", more, b, f.value(b), b)
	}
	f.branch(b)
}

func (f *blocksText) branch(b int) {
	succs := f.g.Blocks[b].Succs
	switch len(succs) {
	case 0:
		f.leave(f.value(b))
	case 1:
		fmt.Fprintf(&f.b, "  cf.br %s\n", f.to(b, succs[0].To))
	case 2:
		bits := f.op(-1, "arith.andi %s, %%one : i64", f.value(b))
		cond := f.op(-1, "arith.cmpi %s, %s, %%zero : i64", []string{"eq", "ne"}[f.Intn(2)], bits)
		fmt.Fprintf(&f.b, "  cf.cond_br %s, %s, %s\n", cond, f.to(b, succs[0].To), f.to(b, succs[1].To))
	default:
		three := f.op(-1, "arith.constant 3 : i64")
		on := f.op(-1, "arith.remsi %s, %s : i64", f.value(b), three)
		fmt.Fprintf(&f.b, "  cf.switch %s : i64, [default: %s, -1: %s, 2: %s]\n", on, f.to(b, succs[0].To), f.to(b, succs[1].To), f.to(b, succs[2].To))
	}
}

// leave returns a value mixed with what is in memory.
func (f *blocksText) leave(v string) {
	for i := range 7 {
		x := f.op(-1, "memref.load %%m[%%i%d] : memref<8xi64>", i)
		y := f.op(-1, "arith.muli %s, %%full : i64", v)
		v = f.op(-1, "arith.xori %s, %s : i64", y, x)
	}
	fmt.Fprintf(&f.b, "  return %s : i64\n", v)
}
