package placement_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var (
	programsN    = flag.Int("programs", 40, "how many random programs with transfers are run, of each kind of extents")
	programsSeed = flag.Uint64("seed", 1, "the seed of the first one")
)

// Extents are what a random program says of the extents of its memories.
type extents int

const (
	numbers extents = iota // all are 5
	shared                 // all are allocated with the same value
	open                   // nothing: those of arguments differ
)

// A program is a random one with parallel loops, which become kernels, and loops of the host over the same memory.
type program struct {
	*irtest.Writer
	all []string
	extents
	memory string // its type
}

func (p *program) any() string { return p.One(p.all...) }

// each is a loop over elements, parallel or not, that stores what body makes of an element, unless it is "".
func (p *program) each(parallel bool, upper string, body func(i string)) {
	i := p.Name()
	if parallel {
		p.Line("scf.parallel (%s) = (%%c0) to (%s) step (%%c1) {", i, upper)
		body(i)
		p.Line("scf.reduce\n}")
		return
	}
	p.Line("scf.for %s = %%c0 to %s step %%c1 {", i, upper)
	body(i)
	p.Line("}")
}

// element is a load of x[i].
func (p *program) element(x, i string) string {
	v := p.Name()
	p.Line("%s = memref.load %s[%s] : %s", v, x, i, p.memory)
	return v
}

func (p *program) sum(x, y string) string {
	v := p.Name()
	p.Line("%s = arith.addi %s, %s : i32", v, x, y)
	return v
}

func (p *program) store(v, x, i string) { p.Line("memref.store %s, %s[%s] : %s", v, x, i, p.memory) }

// statement is an access of either side, a loop or a branch.
func (p *program) statement(depth int) {
	x, y := p.any(), p.any()
	parallel := p.IntN(2) == 0
	upper := p.One("%n", "%n", "%c2")
	switch k := p.IntN(9); {
	case k == 0: // x is overwritten
		p.each(parallel, upper, func(i string) { p.store("%seven", x, i) })
	case k < 3 && x != y: // by y
		p.each(parallel, upper, func(i string) { p.store(p.element(y, i), x, i) })
	case k < 5:
		p.each(parallel, upper, func(i string) { p.store(p.sum(p.element(x, i), p.element(y, i)), x, i) })
	case k == 5: // read on the host
		p.each(false, p.One("%n", "%zero"), func(i string) { p.store(p.element(x, i), "%out", i) })
	case k == 6:
		if p.IntN(2) == 0 {
			p.store("%seven", x, "%c1")
		} else if x != y && p.extents != open { // which would trap
			p.Line("memref.copy %s, %s : %s to %s", x, y, p.memory, p.memory)
		}
	case depth > 0:
		p.nested(depth - 1)
	}
}

// nested are statements in a loop of few rounds, or in a branch that some rounds take. A kernel is among them: what there is on
// the host alone would be one access, of which a part may not happen.
func (p *program) nested(depth int) {
	at := p.Name()
	c := p.Name()
	if p.IntN(3) > 0 {
		p.Line("scf.for %s = %%c0 to %s step %%c1 {", at, p.One("%c2", "%three", "%zero"))
		p.statements(depth, 1+p.IntN(3))
		p.Line("}")
		return
	}
	p.Line("%s = memref.load %%k[%%c%d] : memref<?xi32>", at, p.IntN(3))
	p.Line("%s = arith.trunci %s : i32 to i1\nscf.if %s {", c, at, c)
	p.statements(depth, 1+p.IntN(2))
	if p.IntN(2) == 0 {
		p.Line("} else {")
		p.statements(depth, 1)
	}
	p.Line("}")
}

func (p *program) statements(depth, n int) {
	for range n {
		p.statement(depth)
	}
	p.each(true, "%n", func(i string) { p.store(p.sum(p.element("%a", i), "%seven"), "%a", i) })
}

func (p *program) text() string {
	p.all = []string{"%a", "%b", "%t"}
	p.memory = "memref<?xi32>"
	size := "(%n)"
	head := "%n = memref.dim %arg, %c0 : memref<?xi32>\n"
	if p.extents == numbers {
		p.memory, size, head = "memref<5xi32>", "()", "%n = arith.constant 5 : index\n"
	}
	if p.extents == open {
		head = strings.ReplaceAll(head, "%arg", "%a") // %b has more
	}
	names := [...]string{"%a", "%b"}
	if p.extents == shared {
		names = [...]string{"%arg", "%brg"}
		for _, x := range []string{"%a", "%b"} {
			p.Line("%s = memref.alloc%s : %s", x, size, p.memory)
			p.Line("memref.copy %srg, %s : %s to %s", x, x, p.memory, p.memory)
		}
	}
	p.Line("%%t = memref.alloc%s : %s", size, p.memory)
	p.each(false, "%n", func(i string) { p.store("%seven", "%t", i) })
	p.statements(2, 4+p.IntN(5))
	for _, x := range []string{"%a", "%b"} {
		if p.extents == shared {
			p.Line("memref.copy %s, %srg : %s to %s\nmemref.dealloc %s : %s", x, x, p.memory, p.memory, x, p.memory)
		}
	}
	p.each(false, "%n", func(i string) { p.store(p.element("%t", i), "%out", i) })
	p.Line("memref.dealloc %%t : %s", p.memory)
	return fmt.Sprintf(`func.func @main(%[2]s: %[1]s {llvm.noalias}, %[3]s: %[1]s {llvm.noalias}, %%k: memref<?xi32> {llvm.noalias}, %%out: %[1]s {llvm.noalias}, %%zero: index, %%three: index) {
%%c0 = arith.constant 0 : index
%%c1 = arith.constant 1 : index
%%c2 = arith.constant 2 : index
%%seven = arith.constant 7 : i32
`, p.memory, names[0], names[1]) + head + p.String() + "return\n}\n"
}

// A step is what one op did to a memory.
type step struct {
	onDevice      bool
	elements      int          // of the memory
	read, written map[int]bool // read before written
}

func (s *step) needs() bool { return len(s.read) > 0 || len(s.written) < s.elements }

// A tracer notes what ops do to memory, a launch or a loop without launches at once.
type tracer struct {
	within bool // an op that is one step
	launch bool
	now    map[*interp.Memory]*step
	steps  map[*interp.Memory][]*step
	own    map[*interp.Memory]bool // allocated by the program
	all    int64                   // bytes that move if all arguments of a launch do, before it and behind it
}

func newTracer() *tracer {
	return &tracer{now: map[*interp.Memory]*step{}, steps: map[*interp.Memory][]*step{}, own: map[*interp.Memory]bool{}}
}

func (c *tracer) Begin(*interp.Op)   {}
func (c *tracer) Iteration([]ir.Val) {}
func (c *tracer) End()               {}

func (c *tracer) Access(b *interp.Buffer, i int, write bool) {
	s := c.now[b.Memory]
	if s == nil {
		s = &step{onDevice: c.launch, elements: b.Len(), read: map[int]bool{}, written: map[int]bool{}}
		c.now[b.Memory] = s
		c.steps[b.Memory] = append(c.steps[b.Memory], s)
	}
	if write {
		s.written[i] = true
	} else if !s.written[i] {
		s.read[i] = true
	}
}

func hasLaunch(g *ir.Graph, v ir.Value) bool {
	for _, r := range g.Regions(v) {
		for _, w := range g.Members(r) {
			if g.Def(w) == device.Launch || hasLaunch(g, w) {
				return true
			}
		}
	}
	return false
}

func (c *tracer) Wrap(def *ir.OpDef, f interp.Func) interp.Func {
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		_, loop := ir.As[ir.LoopLike](o.G.NodeOf(o.V))
		_, access := ir.As[ir.AccessLike](o.G.NodeOf(o.V))
		one := !c.within && (def == device.Launch || access || loop && !hasLaunch(o.G, o.V))
		if one {
			c.within, c.launch, c.now = true, def == device.Launch, map[*interp.Memory]*step{}
		}
		if def == device.Launch {
			c.everything(args)
		}
		err := f(m, o, args, out)
		if one {
			c.within, c.launch = false, false
		}
		if def == memref.Alloc {
			if r, ok := out[0].Ref.(*interp.MemRef); ok {
				c.own[r.Buf.Memory] = true
			}
		}
		return err
	}
}

// everything counts what a launch is given, in and out.
func (c *tracer) everything(args []ir.Val) {
	seen := map[*interp.Memory]bool{}
	for _, a := range args {
		if r, ok := a.Ref.(*interp.MemRef); ok && !seen[r.Buf.Memory] {
			seen[r.Buf.Memory] = true
			c.all += 2 * 4 * int64(r.Buf.Len())
		}
	}
}

// least is how many whole copies the trace of a memory takes: the best of all that could be made before each step.
func least(steps []*step, own bool) int64 {
	type state struct{ host, there bool }
	const far = 1 << 30
	cost := map[state]int64{{true, false}: 0}
	if !own {
		steps = append(steps, &step{read: map[int]bool{0: true}}) // the caller sees it at the end
	}
	for _, s := range steps {
		next := map[state]int64{}
		keep := func(at state, n int64) {
			if old, ok := next[at]; !ok || n < old {
				next[at] = n
			}
		}
		for at, n := range cost {
			for range 2 { // as it is, and after a copy
				holds := at.host
				if s.onDevice {
					holds = at.there
				}
				if holds || !s.needs() {
					after := at
					if len(s.written) > 0 {
						after = state{!s.onDevice, s.onDevice}
					}
					keep(after, n)
				}
				at, n = state{true, true}, n+1
			}
		}
		cost = next
	}
	best := int64(far)
	for _, n := range cost {
		best = min(best, n)
	}
	return best
}

// run runs a program as it is, with what it would take, and with transfers.
func (p *program) run(t *testing.T, seed uint64) (moved, best, all int64, src string) {
	src = p.text()
	g := built.Through(t, built.Parse(t, src, text.Options{}), "outline-kernels{block=4}")
	more := ""
	if p.extents == open {
		more = ", 6, 7"
	}
	args := fmt.Sprintf("[[1, 2, 3, 4, 5], [1, 2, 3, 4, 5%s], [%d, %d, %d], [0, 0, 0, 0, 0], 0, 3]", more, seed&1, seed>>1&1, seed>>2&1)
	c := newTracer()
	want, err := built.Interpret(g, "main", args, interp.Options{Watch: c, Wrap: c.Wrap})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	for m, s := range c.steps {
		best += 4 * int64(s[0].elements) * least(s, c.own[m])
	}
	placed := built.Through(t, g, []string{"place-transfers", "place-transfers,mem2reg"}[seed%2])
	moves := transfers.New()
	got, err := built.Interpret(placed, "main", args, interp.Options{Watch: moves, Wrap: moves.Wrap})
	if err != nil || got != want {
		t.Fatalf("seed %d: %v\n%s\ngot  %s\nwant %s", seed, err, src, got, want)
	}
	n := moves.Counts()
	return n.In.Bytes + n.Out.Bytes, best, c.all, src
}

// Results are those of the program without transfers. What moves is the least that any order of whole copies moves, as a search
// over all of them says of the trace of a run, where extents are seen to be equal; where they are not, it is no more
// than if each launch moved its arguments in and out.
func TestRandomTransfers(t *testing.T) {
	for _, kind := range []extents{numbers, shared, open} {
		var moved, best, all int64
		for i := range uint64(*programsN) {
			seed := *programsSeed + i
			p := &program{Writer: irtest.NewWriter(seed, 11), extents: kind}
			m, b, a, src := p.run(t, seed)
			if m > a || m < b || kind != open && m != b {
				t.Fatalf("seed %d, extents %d: %d bytes move; the least is %d, all are %d\n%s", seed, kind, m, b, a, src)
			}
			moved, best, all = moved+m, best+b, all+a
		}
		t.Logf("extents %d: %d bytes move; the least are %d, all are %d", kind, moved, best, all)
	}
}
