package prove

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// A Lane is an integer, its lowest bit first, or poison.
type Lane struct {
	Bits   []circuit.Bit
	Poison circuit.Bit
}

// A Value is an integer, of one lane, or a vector.
type Value []Lane

// A Table is the table of a dialect (in Dialect.Tables) with what its ops mean to a circuit.
type Table map[*ir.OpDef]Meaning

// A Meaning gives the results of an op.
type Meaning func(o *Op) ([]Value, error)

// An Op is one op of a function that is translated.
type Op struct {
	*circuit.Circuit
	Ctx      *ir.Context
	Def      *ir.OpDef
	Attr     ir.Attr
	Args     []Value
	ArgTypes []ir.Type
	Types    []ir.Type // of the results

	regions []ir.Region
	e       *encoder
}

// Trap says that the op is undefined behaviour where a bit is true.
func (o *Op) Trap(where circuit.Bit) { o.e.undefined = o.Or(o.e.undefined, o.And(o.e.path, where)) }

// Choose is a number of some bits that the op may choose where a bit is true, another each time it runs.
func (o *Op) Choose(width int, where circuit.Bit) []circuit.Bit {
	bits := o.Inputs(width)
	o.e.choices = append(o.e.choices, choice{o.And(o.e.path, where), bits})
	return bits
}

// Regions is how many regions the op has.
func (o *Op) Regions() int { return len(o.regions) }

// Run is what a region yields that runs where a bit is true.
func (o *Op) Run(region int, where circuit.Bit, params ...Value) ([]Value, error) {
	outer := o.e.path
	o.e.path = o.And(outer, where)
	out, err := o.e.region(o.regions[region], params)
	o.e.path = outer
	return out, err
}

// Call is what a function gives.
func (o *Op) Call(name string) ([]Value, error) { return o.e.call(name, o.Args) }

// If merges two lists of values.
func (o *Op) If(where circuit.Bit, a, b []Value) []Value {
	out := make([]Value, len(a))
	for i := range a {
		out[i] = make(Value, len(a[i]))
		for k, x := range a[i] {
			y := b[i][k]
			out[i][k] = Lane{o.IfWord(where, x.Bits, y.Bits), o.Circuit.If(where, x.Poison, y.Poison)}
		}
	}
	return out
}

// Each is the Meaning of an op that does the same to all lanes of vectors, where poison in gives poison out.
func Each(f func(o *Op, x []Lane) Lane) Meaning {
	return EachLane(func(o *Op, x []Lane) Lane {
		out := f(o, x)
		for _, a := range x {
			out.Poison = o.Or(out.Poison, a.Poison)
		}
		return out
	})
}

// EachLane is Each of an op that says itself when it is poison.
func EachLane(f func(o *Op, x []Lane) Lane) Meaning {
	return func(o *Op) ([]Value, error) {
		n := 0
		for _, a := range o.Args {
			n = max(n, len(a))
		}
		out := make(Value, n)
		for i := range out {
			if err := o.e.affordable(); err != nil {
				return nil, err
			}
			x := make([]Lane, len(o.Args))
			for k, a := range o.Args {
				x[k] = a[min(i, len(a)-1)]
			}
			out[i] = f(o, x)
		}
		return []Value{out}, nil
	}
}

// shape is the width and the number of the integers of a type.
func shape(c *ir.Context, t ir.Type) (width, lanes int, err error) {
	info := c.Info(t)
	lanes = 1
	if info.Kind == ir.KindVector {
		for _, n := range info.Shape {
			lanes = int(min(ir.Times(int64(lanes), n), maxLanes+1))
		}
		if slices.Contains(info.Scalable, true) || lanes < 1 || lanes > maxLanes {
			return 0, 0, fmt.Errorf("proofs are of vectors of 1 to %d elements", maxLanes)
		}
		info = c.Info(info.Elem)
	}
	if info.Kind != ir.KindInteger && info.Kind != ir.KindIndex || info.Width < 1 || info.Width > 64 {
		return 0, 0, fmt.Errorf("proofs are of integers of 1 to 64 bits, and vectors of them")
	}
	return info.Width, lanes, nil
}

// maxLanes of a vector are translated: as many as any rule between lanes needs to show what it does.
const maxLanes = 64
