package irtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// Config says what programs look like.
type Config struct {
	Ops   int  // about how many ops; 0 stands for 40
	Traps bool // allow division by zero and indices out of bounds
	Name  string
	// NoPrint leaves special.print out: the program is one that MLIR compiles.
	NoPrint bool
}

// Program is a random program and arguments for its last function.
type Program struct {
	Seed  uint64
	Text  string // a module in generic form
	Entry string // the function to call
	Args  []Arg
	Types []string // of the results
}

// Arg is one argument: a scalar as raw bits, or a memref's elements.
type Arg struct {
	Type  string // "i32", "f64", "memref<8xi32>" ...
	Bits  uint64
	Elems []uint64
}

// New makes the program of a seed.
func New(seed uint64, cfg Config) *Program {
	if cfg.Ops == 0 {
		cfg.Ops = 40
	}
	g := &gen{r: rand.New(rand.NewPCG(seed, 0x1c)), cfg: cfg}
	return g.program(seed)
}

type function struct {
	name        string
	args, types []string
}

// value is an SSA name in scope.
type value struct{ name, typ string }

// memory is a memref in scope; its extent is a power of two.
type memory struct {
	name, elem string
	size       int
}

type gen struct {
	r      *rand.Rand
	cfg    Config
	b      strings.Builder
	indent int
	next   int
	vals   []value
	mems   []memory
	funcs  []function
	budget int
	loops  int
}

var (
	ints    = []string{"i1", "i8", "i16", "i32", "i64", "index"}
	floats  = []string{"f32", "f64"}
	scalars = append(append([]string{}, ints...), floats...)
)

func (g *gen) pick(s []string) string { return s[g.r.IntN(len(s))] }
func (g *gen) chance(p float64) bool  { return g.r.Float64() < p }

func (g *gen) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("  ", g.indent))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *gen) name() string {
	g.next++
	return fmt.Sprintf("%%v%d", g.next)
}

func (g *gen) program(seed uint64) *Program {
	g.line(`"builtin.module"() ({`)
	g.indent++
	n := 1 + g.r.IntN(3)
	for i := range n {
		name := fmt.Sprintf("%sf%d", g.cfg.Name, i)
		g.function(name, max(6, g.cfg.Ops/n))
	}
	g.indent--
	g.line(`}) : () -> ()`)
	f := g.funcs[len(g.funcs)-1]
	p := &Program{Seed: seed, Text: g.b.String(), Entry: f.name, Types: f.types}
	for _, t := range f.args {
		p.Args = append(p.Args, g.arg(t))
	}
	return p
}

func (g *gen) arg(t string) Arg {
	a := Arg{Type: t}
	if rest, ok := strings.CutPrefix(t, "memref<8x"); ok {
		for range 8 {
			a.Elems = append(a.Elems, g.bits(strings.TrimSuffix(rest, ">")))
		}
		return a
	}
	a.Bits = g.bits(t)
	return a
}

var widths = map[string]uint{"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}

// bits returns a random pattern, often a corner.
func (g *gen) bits(t string) uint64 {
	switch t {
	case "f64":
		return math.Float64bits(g.float())
	case "f32":
		return uint64(math.Float32bits(float32(g.float())))
	}
	n := g.integer(t)
	if w := widths[t]; w < 64 {
		return uint64(n) & (1<<w - 1)
	}
	return uint64(n)
}

func (g *gen) integer(t string) int64 {
	w := widths[t]
	corners := []int64{0, 1, -1, 2, 7, 1<<(w-1) - 1, -1 << (w - 1), 3, -5}
	if g.chance(0.6) {
		return corners[g.r.IntN(len(corners))]
	}
	return int64(g.r.Uint64()) >> g.r.IntN(60)
}

func (g *gen) float() float64 {
	corners := []float64{0, 1, -1, 0.5, 2, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1e30, -1e-30, 3.25, math.SmallestNonzeroFloat64, 16777217, math.NaN()}
	if g.chance(0.5) {
		return corners[g.r.IntN(len(corners))]
	}
	return g.r.NormFloat64() * 100
}

func (g *gen) function(name string, budget int) {
	f := function{name: name}
	g.vals, g.mems, g.budget = nil, nil, budget
	var params []string
	for i := range 2 + g.r.IntN(4) {
		t := g.pick(scalars)
		if g.chance(0.25) {
			e := g.pick([]string{"i32", "f64", "i64"})
			t = "memref<8x" + e + ">"
			g.mems = append(g.mems, memory{fmt.Sprintf("%%a%d", i), e, 8})
		} else {
			g.vals = append(g.vals, value{fmt.Sprintf("%%a%d", i), t})
		}
		f.args = append(f.args, t)
		params = append(params, fmt.Sprintf("%%a%d: %s", i, t))
	}
	for range 1 + g.r.IntN(3) {
		f.types = append(f.types, g.pick(scalars))
	}
	g.line(`"func.func"() <{function_type = (%s) -> (%s), sym_name = %q}> ({`, strings.Join(f.args, ", "), strings.Join(f.types, ", "), name)
	g.line(`^bb0(%s):`, strings.Join(params, ", "))
	g.indent++
	for g.budget > 0 {
		g.statement(0)
	}
	g.terminator("func.return", f.types)
	g.indent--
	g.line(`}) : () -> ()`)
	g.funcs = append(g.funcs, f)
}

// terminator ends a region with values of the given types.
func (g *gen) terminator(op string, types []string) {
	var names []string
	for _, t := range types {
		names = append(names, g.value(t))
	}
	g.line(`%q(%s) : (%s) -> ()`, op, strings.Join(names, ", "), strings.Join(types, ", "))
}

// value returns the name of a value of a type, a new constant if need be.
func (g *gen) value(t string) string {
	var have []string
	for _, v := range g.vals {
		if v.typ == t {
			have = append(have, v.name)
		}
	}
	if len(have) > 0 && g.chance(0.85) {
		if n := len(have); g.chance(0.5) { // recent ones, so that chains grow
			return have[n-1-g.r.IntN(min(3, n))]
		}
		return have[g.r.IntN(len(have))]
	}
	return g.constant(t)
}

func (g *gen) constant(t string) string {
	v := g.name()
	lit := ""
	switch {
	case t == "i1":
		lit = g.pick([]string{"true", "false"})
	case widths[t] > 0:
		n := g.integer(t)
		if w := widths[t]; w < 64 {
			n = n << (64 - w) >> (64 - w)
		}
		lit = fmt.Sprintf("%d : %s", n, t)
	case t == "f64":
		lit = fmt.Sprintf("0x%016X : f64", g.bits(t))
	default:
		lit = fmt.Sprintf("0x%08X : f32", g.bits(t))
	}
	g.line(`%s = "arith.constant"() <{value = %s}> : () -> %s`, v, lit, t)
	g.vals = append(g.vals, value{v, t})
	return v
}

// def prints an op with one result and puts it in scope.
func (g *gen) def(t, format string, args ...any) string {
	v := g.name()
	g.line("%s = %s", v, fmt.Sprintf(format, args...))
	g.vals = append(g.vals, value{v, t})
	return v
}

// binary prints an op on two operands of type t.
func (g *gen) binary(op, props, t, x, y string) string {
	return g.def(t, `%q(%s, %s)%s : (%s, %s) -> %s`, op, x, y, props, t, t, t)
}
