package wide

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Mode is what numbers are.
type Mode struct {
	// Exact numbers have 256 bits; else they are f64.
	Exact bool
	// Error is the relative size of an error, of either sign, that each operation makes which rounds. Errors are drawn by Rand.
	Error float64
	// Least is the same for what is next to 0: an absolute size.
	Least float64
	Rand  *rand.Rand
	// Most is the largest number; what is larger is infinite.
	Most float64
}

// Value is a number, an integer or memory.
type Value struct {
	val    ir.Val // of an integer, and of a float in f64
	wide   number // of a float in an exact run
	memory *memory
}

// Machine runs the functions of a module.
type Machine struct {
	functions map[string]*function
}

// Run is a run of a function: what it has decided so far.
type Run struct {
	Mode
	Decisions uint64 // a digest
	machine   *Machine
}

// function is a compiled one.
type function struct {
	slots     int
	constants []constant
	body      *code
}

type constant struct {
	slot int
	val  ir.Val
	wide number
}

// code is a compiled region.
type code struct {
	params []int
	steps  []step
	yields []int
}

// A step runs an op: it reads and fills slots.
type step func(r *Run, slots []Value)

// New compiles the functions of a module that have a body. It panics for an op that it does not know, once that is to run.
func New(g *ir.Graph) *Machine {
	m := &Machine{map[string]*function{}}
	for n := range g.All() {
		if c := n.Children(); symbols.Of(n) != "" && len(c) == 1 && c[0].HasBlock(ir.Root) {
			m.functions[symbols.Of(n)] = compile(c[0])
		}
	}
	return m
}

// Start is a run that has decided nothing.
func (m *Machine) Start(mode Mode) *Run { return &Run{Mode: mode, machine: m} }

// Call runs a function.
func (r *Run) Call(name string, args ...Value) []Value {
	f := r.machine.functions[name]
	if f == nil {
		panic("no function @" + name)
	}
	slots := make([]Value, f.slots)
	for _, c := range f.constants {
		slots[c.slot] = Value{val: c.val}
		if r.Exact {
			slots[c.slot].wide = c.wide
		}
	}
	return f.body.run(r, slots, args...)
}

// run runs a region. The values are good until it runs again.
func (c *code) run(r *Run, slots []Value, args ...Value) []Value {
	for i, p := range c.params {
		slots[p] = args[i]
	}
	for _, s := range c.steps {
		s(r, slots)
	}
	out := make([]Value, len(c.yields))
	for i, y := range c.yields {
		out[i] = slots[y]
	}
	return out
}

// Float is a number of f64 as a value.
func (r *Run) Float(x float64) Value {
	if r.Exact {
		v := Value{}
		if !math.IsNaN(x) {
			v.wide = numberOf(x)
		}
		return v
	}
	return Value{val: ir.F64Val(x)}
}

// Wide is a number of any precision as a value of an exact run.
func Wide(x number) Value { return Value{wide: x} }

// Index is an index as a value.
func Index(n int64) Value { return Value{val: ir.IntVal(n, 64)} }

// Number is a value as a number; nil is NaN.
func (r *Run) Number(v Value) number {
	if r.Exact {
		return v.wide
	}
	if x := v.val.F64(); !math.IsNaN(x) {
		return new(big.Float).SetFloat64(x)
	}
	return nil
}

// decide notes a decision.
func (r *Run) decide(d int) { r.Decisions = (r.Decisions ^ uint64(d+3)) * 0x9E3779B97F4A7C15 >> 1 }

// rounded is a result of f64 with an error.
func (r *Run) rounded(x float64) float64 {
	switch {
	case math.Abs(x) > r.Most:
		return math.Copysign(math.Inf(1), x)
	case r.Error == 0 || math.IsNaN(x):
		return x
	}
	by := func() float64 { return 2*r.Rand.Float64() - 1 }
	return x*(1+r.Error*by()) + r.Least*by()
}

func unknown(g *ir.Graph, v ir.Value) step {
	name := g.Name(v)
	return func(*Run, []Value) { panic(fmt.Sprintf("wide knows no %s", name)) }
}
