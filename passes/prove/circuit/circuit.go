// Package circuit computes with bits that are not known.
//
// A Circuit is a graph of and-gates whose edges may negate (an and-inverter graph: Kuehlmann and others 2002). A bit is an
// edge; equal gates are one, and a gate of known bits is none, so that most of what cancels is gone before a solver looks.
// A vector of bits is an integer, its lowest bit first. Solve asks for inputs that make a bit true.
package circuit

// A Bit is the output of a gate or an input, negated if it is odd. Its negation is Not.
type Bit int32

// The bits that are known.
const (
	False Bit = 0
	True  Bit = 1
)

// Not is the negation.
func (b Bit) Not() Bit { return b ^ 1 }

// Of is the bit that is known.
func Of(b bool) Bit {
	if b {
		return True
	}
	return False
}

// A gate is the conjunction of two bits, or an input, where they are the same.
type gate struct{ a, b Bit }

// A Circuit holds gates; those that a gate reads stand before it. Make it by New.
type Circuit struct {
	gates []gate
	made  map[gate]Bit
}

// New is a circuit without inputs.
func New() *Circuit { return &Circuit{gates: make([]gate, 1), made: map[gate]Bit{}} }

// Size is how many gates and inputs there are.
func (c *Circuit) Size() int { return len(c.gates) - 1 }

func (c *Circuit) add(g gate) Bit {
	c.gates = append(c.gates, g)
	return Bit(2 * (len(c.gates) - 1))
}

// Input is a bit that may be anything.
func (c *Circuit) Input() Bit { return c.add(gate{}) }

// Inputs are n of them.
func (c *Circuit) Inputs(n int) []Bit {
	out := make([]Bit, n)
	for i := range out {
		out[i] = c.Input()
	}
	return out
}

func (c *Circuit) isInput(b Bit) bool { return c.gates[b>>1] == gate{} }

// And is true where both are.
func (c *Circuit) And(a, b Bit) Bit {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == False || a == b.Not():
		return False
	case a == True || a == b:
		return b
	}
	g := gate{a, b}
	if out, ok := c.made[g]; ok {
		return out
	}
	out := c.add(g)
	c.made[g] = out
	return out
}

// Or is true where one is.
func (c *Circuit) Or(a, b Bit) Bit { return c.And(a.Not(), b.Not()).Not() }

// Xor is true where they differ.
func (c *Circuit) Xor(a, b Bit) Bit {
	return c.Or(c.And(a, b.Not()), c.And(a.Not(), b))
}

// If is a where cond is true, else b.
func (c *Circuit) If(cond, a, b Bit) Bit {
	if a == b {
		return a
	}
	return c.Or(c.And(cond, a), c.And(cond.Not(), b))
}

// All is true where all are.
func (c *Circuit) All(bits ...Bit) Bit {
	out := True
	for _, b := range bits {
		out = c.And(out, b)
	}
	return out
}

// Any is true where one is.
func (c *Circuit) Any(bits ...Bit) Bit {
	out := False
	for _, b := range bits {
		out = c.Or(out, b)
	}
	return out
}

// A Model says which inputs are true. Inputs that it does not know are false.
type Model map[Bit]bool

// Value is a bit under a model.
func (c *Circuit) Value(m Model, bits ...Bit) []bool {
	known := make([]bool, len(c.gates))
	for i, g := range c.gates {
		if b := Bit(2 * i); i > 0 {
			known[i] = m[b]
			if (g != gate{}) {
				known[i] = known[g.a>>1] != (g.a&1 == 1) && known[g.b>>1] != (g.b&1 == 1)
			}
		}
	}
	out := make([]bool, len(bits))
	for i, b := range bits {
		out[i] = known[b>>1] != (b&1 == 1)
	}
	return out
}

// Number is an integer of at most 64 bits under a model.
func (c *Circuit) Number(m Model, bits []Bit) (n uint64) {
	for i, b := range c.Value(m, bits...) {
		if b {
			n |= 1 << i
		}
	}
	return n
}

// AllInputs yields the inputs.
func (c *Circuit) AllInputs(yield func(Bit) bool) {
	for i := 1; i < len(c.gates); i++ {
		if b := Bit(2 * i); c.isInput(b) && !yield(b) {
			return
		}
	}
}

// Substitute is a bit with other bits in place of some inputs.
func (c *Circuit) Substitute(b Bit, to map[Bit]Bit) Bit {
	done := make([]Bit, b>>1+1)
	for i := 1; i < len(done); i++ {
		g := c.gates[i]
		switch other, ok := to[Bit(2*i)]; {
		case ok:
			done[i] = other
		case g == gate{}:
			done[i] = Bit(2 * i)
		default:
			done[i] = c.And(done[g.a>>1]^g.a&1, done[g.b>>1]^g.b&1)
		}
	}
	return done[b>>1] ^ b&1
}
