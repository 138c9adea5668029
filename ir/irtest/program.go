package irtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Config says what programs look like.
type Config struct {
	Ops   int  // about how many ops; 0 stands for 40
	Depth int  // most regions in one another; 0 stands for 3
	Funcs int  // how many functions; 0 stands for one to three
	Traps bool // allow division by zero and indices out of bounds
	Name  string
	// NoPrint leaves special.print out: the program is one that MLIR compiles.
	NoPrint bool
	// Wide adds what needs more of an engine: views, memory that aliases, globals,
	// vectors, recursion, parallel loops.
	Wide bool
	// Vars adds variables in memory, loops that count in them, and loops that carry
	// what hardly changes.
	Vars bool
	// Poison allows overflow where flags forbid it and memory that was not written.
	Poison bool
	// Guarded adds conditions, bounds, indices and divisors that are poison unless a guard around
	// them holds, or frozen: the program is defined. Of functions that others call it makes some
	// private.
	Guarded bool
	// Narrow adds bf16, f16 and integers of odd widths.
	Narrow bool
	// Sizes adds allocations and views of sizes near 2^32, 2^61 and 2^63, whose products do not
	// fit. Most trap.
	Sizes bool
	// Unknown adds ops of no dialect, numbered by the attribute "id" in order: a
	// program that cannot run.
	Unknown bool
	// Statements are ops of other dialects; Share is how probable one is where a statement
	// stands.
	Statements []Statement
	Share      float64
	Constants  float64 // how probable a constant is as an operand of one
	// StraightLine makes one function of Statements on its arguments, without control.
	StraightLine bool
	// NoMemory leaves memory out, but where Statements need it.
	NoMemory bool
	// Types keeps numbers to these types, where any of a kind are among them.
	Types []string
}

// Program is a random program and arguments for its last function.
type Program struct {
	Seed  uint64
	Text  string // a module in generic form
	Entry string // the function to call
	Args  []Arg
	Types []string // of the results
	IDs   int      // how many unknown ops there are
	Sizes bool     // it has sizes whose products do not fit
}

// Arg is one argument: a scalar as raw bits, or a memref.
type Arg struct {
	Type  string // "i32", "f64", "memref<8xi32>" ...
	Bits  uint64
	Elem  string   // of a memref
	Elems []uint64 // its buffer
	// Same is the number, from 1, of the earlier argument whose buffer this one
	// shares; 0 is none.
	Same           int
	Offset         int
	Sizes, Strides []int
}

// Memory makes the memref that an argument is, with a buffer of its own: what shares that of another (Same) is given it
// by the caller.
func (a *Arg) Memory(m *interp.Machine, elem ir.Type) (*interp.MemRef, error) {
	r, err := m.NewMemRef(elem, int64(len(a.Elems)))
	if err != nil {
		return nil, err
	}
	for i, x := range a.Elems {
		r.Buf.Store(i, ir.Val{Bits: x})
	}
	r.Buf.Static = true
	r.Offset, r.Sizes, r.Strides = int64(a.Offset), nil, nil
	for i := range a.Sizes {
		r.Sizes = append(r.Sizes, int64(a.Sizes[i]))
		r.Strides = append(r.Strides, int64(a.Strides[i]))
	}
	return r, nil
}

// Refines reports that values, each as text, are allowed where want is what the program means: equal by a rule
// of the caller's, but for "poison", in whose place anything may come.
func Refines(got, want []string, equal func(got, want string) bool) bool {
	return slices.EqualFunc(got, want, func(g, w string) bool { return w == "poison" || equal(g, w) })
}

// New makes the program of a seed.
func New(seed uint64, cfg Config) *Program {
	if cfg.Ops == 0 {
		cfg.Ops = 40
	}
	g := &gen{Writer: NewWriter(seed, 0x1c), cfg: cfg, palette: plain}
	if cfg.Narrow {
		g.palette = narrow(g.Rand)
	}
	if len(cfg.Types) > 0 {
		g.palette = g.palette.only(cfg.Types)
	}
	g.ready(cfg.Statements)
	if cfg.StraightLine {
		return g.straight(seed)
	}
	return g.program(seed)
}

type function struct {
	name        string
	args, types []string
	mems        []memory // those among args, by position; others are empty
	noalias     bool     // its memrefs do not alias
	counter     bool     // the first argument is how deep it recurses
}

// value is an SSA name in scope.
type value struct{ name, typ string }

type gen struct {
	*Writer
	palette
	cfg     Config
	vals    []value
	mems    []memory
	vars    []value // memory of one number; typ is that of the number
	funcs   []function
	globals []memory
	budget  int
	loops   int
	writes  bool // in the iterations of a parallel loop that writes memory
	safe    int  // how many of mems outlive the loop around; below 0, all
	body0   int  // where those of the body under way start
	origins int
	ids     int

	// Of cfg.Statements: those that can be written, their weights together, what makes values of types of other
	// dialects, and these types.
	foreign []*Statement
	weights int
	makers  map[string][]*Statement
	exotic  []string
}

// terminator ends a region with values of the given types.
func (g *gen) terminator(op string, types []string) {
	var names []string
	if !slices.ContainsFunc(types, isMemory) && g.cfg.Wide {
		g.free()
	}
	for _, t := range types {
		names = append(names, g.value(t))
	}
	g.Line(`%q(%s) : (%s) -> ()`, op, strings.Join(names, ", "), strings.Join(types, ", "))
}

// value returns the name of a value of a type, a new constant if need be.
func (g *gen) value(t string) string {
	if isMemory(t) {
		return g.memoryOf(t, true)
	}
	var have []string
	for _, v := range g.vals {
		if v.typ == t {
			have = append(have, v.name)
		}
	}
	if len(have) > 0 && g.Chance(0.85) {
		if n := len(have); g.Chance(0.5) { // recent ones, so that chains grow
			return have[n-1-g.IntN(min(3, n))]
		}
		return have[g.IntN(len(have))]
	}
	return g.constant(t)
}

func (g *gen) constant(t string) string {
	v := g.Name()
	lit := ""
	switch {
	case g.makers[t] != nil || strings.HasPrefix(t, "vector") && !strings.HasPrefix(t, "vector<4x"):
		return g.made(t)
	case strings.HasPrefix(t, "vector"):
		lit = g.dense(t)
	case t == "i1":
		lit = g.One("true", "false")
	case widths[t] > 0:
		n := g.integer(t)
		if w := widths[t]; w < 64 {
			n = n << (64 - w) >> (64 - w)
		}
		lit = fmt.Sprintf("%d : %s", n, t)
	default:
		lit = g.element(t) + " : " + t
	}
	g.Line(`%s = "arith.constant"() <{value = %s}> : () -> %s`, v, lit, t)
	g.vals = append(g.vals, value{v, t})
	return v
}

// def prints an op with one result and puts it in scope.
func (g *gen) def(t, format string, args ...any) string {
	v := g.Name()
	g.Line("%s = %s", v, fmt.Sprintf(format, args...))
	g.vals = append(g.vals, value{v, t})
	return v
}

// binary prints an op on two operands of type t.
func (g *gen) binary(op, props, t, x, y string) string {
	return g.def(t, `%q(%s, %s)%s : (%s, %s) -> %s`, op, x, y, props, t, t, t)
}
