package random

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var owned = flag.Int("owned", 400, "how many random programs have their memory freed by free-buffers")

// ownedLines are the pipelines that such programs go through. What is marked by the program
// is freed by each of them.
var ownedLines = []string{
	"free-buffers", "free-buffers{all=true}", "free-buffers,free-buffers", "canonicalize,free-buffers,sroa,mem2reg,canonicalize",
	"reuse-buffers,free-buffers", "inline,reuse-buffers,free-buffers,licm", "licm,lower{to=scf},sroa,mem2reg,licm,reuse-buffers,free-buffers,lower{to=llvm}",
}

// A program whose allocations nobody frees does the same after free-buffers has freed them,
// touches nothing that is freed, and leaves nothing but what it returns: each block of a
// program in which the pass keeps nothing for itself.
func TestOwners(t *testing.T) {
	t.Parallel()
	var clean, all, in, shared, hoisted atomic.Int64
	each(t, *owned, func(ctx *ir.Context, seed uint64) error {
		src := ownedProgram(seed)
		g, err := parse(ctx, src, false)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, src)
		}
		var want [3]string
		for n := range want {
			if want[n], _, err = runOwned(g, interp.Options{}, int64(n)); err != nil {
				return fmt.Errorf("as it is: %w\n%s", err, src)
			}
		}
		r := rand.New(rand.NewPCG(seed, 3))
		for k, line := range ownedLines {
			h, m, err := free(g, line)
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", line, err, src)
			}
			kept := m.Stats("free-buffers", "kept")
			in.Add(int64(m.Stats("reuse-buffers", "in-place")))
			shared.Add(int64(m.Stats("reuse-buffers", "shared")))
			hoisted.Add(int64(m.Stats("reuse-buffers", "hoisted")))
			opts := interp.Options{}
			if k%2 == 1 {
				opts.Schedule = &ir.ScheduleOptions{Shuffle: r.IntN}
			}
			for n := range want {
				got, left, err := runOwned(h, opts, int64(n))
				if err == nil && got == want[n] && left >= 0 && (left == 0 || kept > 0) {
					continue
				}
				text, _ := print(h, false)
				return fmt.Errorf("%s of %d gives %s, %v, and leaves %d blocks, want %s\n%s\n%s", line, n, got, err, left, want[n], src, text)
			}
			if all.Add(1); kept == 0 {
				clean.Add(1)
			}
		}
		return nil
	})
	t.Logf("of %d programs %d have no block that the pass keeps; %d allocations in place, %d shared, %d hoisted", all.Load(), clean.Load(), in.Load(), shared.Load(), hoisted.Load())
	if clean.Load() < all.Load()/3 {
		t.Errorf("the pass frees all memory of only %d of %d programs", clean.Load(), all.Load())
	}
}

// free puts a program through a pipeline with free-buffers.
func free(g *ir.Graph, line string) (*ir.Graph, *pass.Manager, error) {
	pl, err := pass.Parse(line, lowering.AllPasses())
	if err != nil {
		return nil, nil, err
	}
	m := &pass.Manager{VerifyEach: true, Count: true}
	h, err := m.Run(context.Background(), g, pl)
	return h, m, err
}

// runOwned runs @f and shows what it gives, and counts the blocks that are left besides the
// one that it returns.
func runOwned(g *ir.Graph, opts interp.Options, n int64) (string, int64, error) {
	opts.Fuel = 1 << 22
	m, err := interp.New(g, opts)
	if err != nil {
		return "", 0, err
	}
	x := ownedArg(g.Ctx)
	before := m.Heap()
	r, err := m.Call("f", []ir.Val{{Bits: uint64(n)}, {Ref: x}})
	if err != nil {
		return "", 0, err
	}
	out, mine, err := showOwned(r, x)
	return out, m.Heap().Since(before).Kept() - mine, err
}

// ownedArg is the caller's memory.
func ownedArg(c *ir.Context) *interp.MemRef {
	b := interp.NewBuffer(c, ir.Index, 2, false)
	b.Store(0, ir.Val{Bits: 5})
	b.Store(1, ir.Val{Bits: 7})
	return &interp.MemRef{Buf: b, Sizes: []int64{2}, Strides: []int64{1}}
}

// showOwned shows results, and says how many blocks they are that the argument is not.
func showOwned(r []ir.Val, x *interp.MemRef) (string, int64, error) {
	out, mine := fmt.Sprint(r[0].Bits), int64(0)
	if len(r) > 1 {
		m, err := interp.AsMemRef(r[1])
		if err != nil {
			return "", 0, err
		}
		if m.Buf != x.Buf {
			mine = 1
		}
		for i := range 2 {
			at, err := m.At([]ir.Val{{Bits: uint64(i)}})
			if err != nil {
				return "", 0, err
			}
			out += fmt.Sprint(" ", m.Buf.Load(at).Bits)
		}
	}
	for i := range 2 {
		out += fmt.Sprint(" ", x.Buf.Load(i).Bits)
	}
	return out, mine, nil
}

// The same as native code.
func TestOwnersLLVM(t *testing.T) {
	t.Parallel()
	e, why, err := engine.New(context.Background(), "auto", engine.Options{CountHeap: true})
	if err != nil {
		t.Fatal(err)
	}
	if e.Name() != "llvm" {
		t.Skip("random programs are compiled: needs libLLVM (libllvm19): " + why)
	}
	defer e.Close()
	each(t, *owned/10, func(ctx *ir.Context, seed uint64) error {
		src := ownedProgram(seed)
		g, err := parse(ctx, src, false)
		if err != nil {
			return err
		}
		h, m, err := free(g, "reuse-buffers,free-buffers")
		if err != nil {
			return err
		}
		ps, err := e.Prepare(context.Background(), h)
		if err != nil {
			return err
		}
		defer ps[0].Close()
		for n := range int64(4) {
			want, _, err := runOwned(g, interp.Options{}, n)
			if err != nil {
				return err
			}
			before, err := engine.Heap(context.Background(), ps[0])
			if err != nil {
				return err
			}
			x := ownedArg(ctx)
			r, _, err := ps[0].Call(context.Background(), "f", []ir.Val{{Bits: uint64(n)}, {Ref: x}})
			if err != nil {
				return fmt.Errorf("%w\n%s", err, src)
			}
			got, mine, err := showOwned(r, x)
			if err != nil {
				return err
			}
			after, err := engine.Heap(context.Background(), ps[0])
			if err != nil {
				return err
			}
			left := after.Since(before).Kept() - mine
			if got != want || left < 0 || left > 0 && m.Stats("free-buffers", "kept") == 0 {
				return fmt.Errorf("of %d: gives %s and leaves %d blocks, want %s\n%s", n, got, left, want, src)
			}
		}
		return nil
	})
}

// ownedProgram is the text of a random program of functions that allocate and never free.
func ownedProgram(seed uint64) string {
	p := &owners{r: rand.New(rand.NewPCG(seed, 11)), returns: seed%3 > 0, lends: seed%4 == 0}
	p.line("func.func @f(%%n: index, %%x: memref<?xindex>) -> (index%s) {", map[bool]string{true: ", memref<?xindex>"}[p.returns])
	p.line("%%c0 = arith.constant 0 : index")
	p.line("%%c1 = arith.constant 1 : index")
	p.line("%%c2 = arith.constant 2 : index")
	p.mems, p.nums = []string{"%x"}, []string{"%n", "%c1", "%c2"}
	p.alloc()
	p.body(4+p.r.IntN(10), 3)
	sum := p.num()
	for range 2 {
		p.read(p.mem())
		sum = p.def("arith.addi %s, %s : index", sum, p.nums[len(p.nums)-1])
	}
	if p.returns {
		p.line("return %s, %s : index, memref<?xindex>", sum, p.mem())
	} else {
		p.line("return %s : index", sum)
	}
	p.line("}")
	for _, name := range slices.Sorted(maps.Keys(ownedHelpers)) {
		if strings.Contains(p.b.String(), "@"+name+"(") {
			p.b.WriteString(ownedHelpers[name])
		}
	}
	return p.b.String()
}

// ownedHelpers borrow memory, return new memory, what they are given, or one of both.
var ownedHelpers = map[string]string{"sum": `
func.func private @sum(%m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c0] : memref<?xindex>
  memref.store %a, %m[%c1] : memref<?xindex>
  return %a : index
}
`, "new": `
func.func private @new(%v: index) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = memref.alloc(%c2) {memref.owned} : memref<?xindex>
  memref.store %v, %t[%c0] : memref<?xindex>
  memref.store %c1, %t[%c1] : memref<?xindex>
  return %t : memref<?xindex>
}
`, "same": `
func.func private @same(%m: memref<?xindex>) -> memref<?xindex> {
  return %m : memref<?xindex>
}
`, "either": `
func.func private @either(%c: i1, %m: memref<?xindex>, %v: index) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r = scf.if %c -> (memref<?xindex>) {
    %t = memref.alloc(%c2) {memref.owned} : memref<?xindex>
    memref.copy %m, %t : memref<?xindex> to memref<?xindex>
    memref.store %v, %t[%c0] : memref<?xindex>
    scf.yield %t : memref<?xindex>
  } else {
    scf.yield %m : memref<?xindex>
  }
  return %r : memref<?xindex>
}
`}

// owners prints a program.
type owners struct {
	r          *rand.Rand
	b          strings.Builder
	mems, nums []string // in scope
	names      int
	returns    bool
	lends      bool // to functions that may give it back under another name
}

func (p *owners) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

func (p *owners) name() string { p.names++; return fmt.Sprintf("%%v%d", p.names) }

func (p *owners) def(format string, args ...any) string {
	v := p.name()
	p.line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

func (p *owners) num() string { return p.nums[p.r.IntN(len(p.nums))] }

// mem picks memory, that of late rather than the first.
func (p *owners) mem() string {
	if n := len(p.mems); p.r.IntN(2) == 0 {
		return p.mems[n-1-p.r.IntN(min(n, 2))]
	}
	return p.mems[p.r.IntN(len(p.mems))]
}

func (p *owners) cond() string { return p.def("arith.cmpi ult, %s, %s : index", p.num(), p.num()) }

func (p *owners) add(m string) { p.mems = append(p.mems, m) }

func (p *owners) alloc() {
	v := p.num()
	m := p.def("memref.alloc(%%c2) {memref.owned} : memref<?xindex>")
	p.line("memref.store %s, %s[%%c0] : memref<?xindex>", v, m)
	p.line("memref.store %s, %s[%%c1] : memref<?xindex>", p.num(), m)
	p.add(m)
}

func (p *owners) read(m string) {
	p.nums = append(p.nums, p.def("memref.load %s[%s] : memref<?xindex>", m, []string{"%c0", "%c1"}[p.r.IntN(2)]))
}

// scoped runs f and forgets what it defined.
func (p *owners) scoped(f func()) {
	m, n := len(p.mems), len(p.nums)
	f()
	p.mems, p.nums = p.mems[:m], p.nums[:n]
}

func (p *owners) body(n, depth int) {
	for range n {
		p.statement(depth)
	}
}

func (p *owners) statement(depth int) {
	switch k := p.r.IntN(20); {
	case k >= 16:
		p.elements(k >= 18)
	case k < 2:
		p.alloc()
	case k < 4:
		p.read(p.mem())
	case k < 5:
		v := p.num()
		p.line("memref.store %s, %s[%%c0] : memref<?xindex>", v, p.mem())
	case k < 6:
		m := p.def("memref.reinterpret_cast %s to offset: [0], sizes: [2], strides: [1] : memref<?xindex> to memref<2xindex>", p.mem())
		p.add(p.def("memref.cast %s : memref<2xindex> to memref<?xindex>", m))
	case k < 7:
		c := p.cond()
		p.add(p.def("arith.select %s, %s, %s : memref<?xindex>", c, p.mem(), p.mem()))
	case k < 9:
		p.call()
	case depth == 0:
	case k < 10:
		p.others(depth - 1)
	case k < 12:
		p.conditional(depth - 1)
	case k < 15:
		p.loop(depth - 1)
	default:
		p.while(depth - 1)
	}
}

// elements prints a loop that makes new memory of old, element by element: of those that
// follow, mostly, or of others; of all, or of those that pass a filter.
func (p *owners) elements(filter bool) {
	from := p.mem()
	if p.r.IntN(2) == 0 {
		p.alloc()
		from = p.mems[len(p.mems)-1]
	}
	to := p.def("memref.alloc(%%c2) {memref.owned} : memref<?xindex>")
	if p.r.IntN(8) > 0 || filter {
		p.line("memref.store %s, %s[%%c0] : memref<?xindex>", p.num(), to)
		p.line("memref.store %s, %s[%%c1] : memref<?xindex>", p.num(), to)
	}
	if p.r.IntN(3) > 0 && !filter {
		to = p.def("memref.alloc(%%c2) {memref.owned} : memref<?xindex>")
	}
	i, j, v := p.name(), p.name(), p.name()
	lower := []string{"%c0", "%c1"}[p.r.IntN(2)]
	p.line("%s = scf.for %s = %s to %%c2 step %%c1 iter_args(%s = %%c0) -> (index) {", v, i, lower, j)
	read := func() string {
		at := []string{i, i, i, i, "%c0", "%c1"}[p.r.IntN(6)]
		switch k := p.r.IntN(6); {
		case k == 0 && lower == "%c1":
			at = p.def("arith.subi %s, %%c1 : index", i)
		case k == 1: // the one after it, or the first
			at = p.def("arith.addi %s, %%c1 : index", i)
			at = p.def("arith.remui %s, %%c2 : index", at)
		}
		return p.def("memref.load %s[%s] : memref<?xindex>", from, at)
	}
	x := read()
	y := p.def("arith.addi %s, %s : index", x, i)
	if filter {
		c := p.def("arith.cmpi ult, %s, %s : index", x, p.num())
		p.line("%s = scf.if %s -> (index) {", j+"n", c)
		p.line("memref.store %s, %s[%s] : memref<?xindex>", y, to, j)
		p.line("%s = arith.addi %s, %%c1 : index", j+"p", j)
		p.line("scf.yield %s : index\n} else {\nscf.yield %s : index\n}", j+"p", j)
		p.line("scf.yield %s : index", j+"n")
	} else {
		p.line("memref.store %s, %s[%s] : memref<?xindex>", y, to, i)
		if p.r.IntN(3) == 0 {
			z := read()
			p.line("memref.store %s, %s[%s] : memref<?xindex>", z, to, i)
		}
		p.line("scf.yield %s : index", j)
	}
	p.line("}")
	if lower == "%c1" {
		p.line("memref.store %s, %s[%%c0] : memref<?xindex>", p.num(), to)
	}
	p.add(to)
}

func (p *owners) call() {
	switch k := p.r.IntN(12); {
	default:
		p.nums = append(p.nums, p.def("func.call @sum(%s) : (memref<?xindex>) -> index", p.mem()))
	case k < 6:
		p.add(p.def("func.call @new(%s) : (index) -> memref<?xindex>", p.num()))
	case k == 6 && p.lends:
		p.add(p.def("func.call @same(%s) : (memref<?xindex>) -> memref<?xindex>", p.mem()))
	case k == 7 && p.lends:
		c := p.cond()
		p.add(p.def("func.call @either(%s, %s, %s) : (i1, memref<?xindex>, index) -> memref<?xindex>", c, p.mem(), p.num()))
	}
}

// many are n texts with commas in between.
func many(n int, f func(i int) string) string {
	var out []string
	for i := range n {
		out = append(out, f(i))
	}
	return strings.Join(out, ", ")
}

// results names the results of an op of n memories and adds them.
func (p *owners) results(v string, n int) {
	for i := range n {
		if n == 1 {
			p.add(v)
		} else {
			p.add(fmt.Sprintf("%s#%d", v, i))
		}
	}
}

func types(n int) string { return many(n, func(int) string { return "memref<?xindex>" }) }

func (p *owners) conditional(depth int) {
	c, v, n := p.cond(), p.name(), 1+p.r.IntN(2)
	p.line("%s:%d = scf.if %s -> (%s) {", v, n, c, types(n))
	for i := range 2 {
		p.scoped(func() {
			p.body(p.r.IntN(4), depth)
			p.line("scf.yield %s : %s", many(n, func(int) string { return p.mem() }), types(n))
		})
		p.line("}%s", []string{" else {", ""}[i])
	}
	p.results(v, n)
}

// others prints an op with regions that is none of the usual: a choice among three, a region
// that runs once, or rounds in any order, which hand nothing on.
func (p *owners) others(depth int) {
	yield := func(end string) {
		p.scoped(func() {
			p.body(p.r.IntN(3), depth)
			p.line("%s %s : memref<?xindex>", end, p.mem())
		})
	}
	switch v, at := p.name(), p.num(); p.r.IntN(4) {
	case 0:
		p.line("%s = scf.index_switch %s -> memref<?xindex>", v, at)
		for i := range 3 {
			p.line("%s {", []string{"case 0", "case 2", "default"}[i])
			yield("scf.yield")
			p.line("}")
		}
		p.add(v)
	case 1:
		p.line("%s = scf.execute_region -> memref<?xindex> {", v)
		yield("scf.yield")
		p.line("}")
		p.add(v)
	case 2:
		p.line("%s = memref.alloca_scope -> (memref<?xindex>) {", v)
		yield("memref.alloca_scope.return")
		p.line("}")
		p.add(v)
	default:
		p.line("scf.parallel (%s) = (%%c0) to (%%n) step (%%c1) {", v)
		p.scoped(func() {
			p.body(1+p.r.IntN(3), 0)
			p.line("scf.reduce")
		})
		p.line("}")
	}
}

func (p *owners) loop(depth int) {
	v, n := p.name(), 1+p.r.IntN(2)
	var params []string
	for range n {
		params = append(params, p.name())
	}
	p.line("%s:%d = scf.for %s = %%c0 to %s step %%c1 iter_args(%s) -> (%s) {", v, n, p.name(), []string{"%n", "%c2"}[p.r.IntN(2)],
		many(n, func(i int) string { return params[i] + " = " + p.mem() }), types(n))
	p.scoped(func() {
		p.mems = append(p.mems, params...)
		p.body(1+p.r.IntN(4), depth)
		p.line("scf.yield %s : %s", many(n, func(int) string { return p.mem() }), types(n))
	})
	p.line("}")
	p.results(v, n)
}

// while counts down by a number that it carries.
func (p *owners) while(depth int) {
	v, k, l, n := p.name(), p.name(), p.name(), 1+p.r.IntN(2)
	params := make([]string, 2*n)
	for i := range params {
		params[i] = p.name()
	}
	p.line("%s:%d = scf.while (%s = %%n, %s) : (index, %s) -> (index, %s) {", v, n+1, k,
		many(n, func(i int) string { return params[i] + " = " + p.mem() }), types(n), types(n))
	p.scoped(func() {
		p.mems = append(p.mems, params[:n]...)
		p.body(p.r.IntN(3), depth)
		c := p.def("arith.cmpi ugt, %s, %%c0 : index", k)
		p.line("scf.condition(%s) %s, %s : index, %s", c, k, many(n, func(int) string { return p.mem() }), types(n))
	})
	p.line("} do {")
	p.line("^bb0(%s: index, %s):", l, many(n, func(i int) string { return params[n+i] + ": memref<?xindex>" }))
	p.scoped(func() {
		p.mems = append(p.mems, params[n:]...)
		p.body(p.r.IntN(3), depth)
		d := p.def("arith.subi %s, %%c1 : index", l)
		p.line("scf.yield %s, %s : index, %s", d, many(n, func(int) string { return p.mem() }), types(n))
	})
	p.line("}")
	for i := range n {
		p.add(fmt.Sprintf("%s#%d", v, i+1))
	}
}
