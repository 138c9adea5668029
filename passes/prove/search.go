package prove

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/passes/prove/circuit"
)

// search looks for arguments, and choices of tgt, on which no choice of src does what tgt does.
func (p *proof) search() (*Answer, error) {
	wrong := p.wrong()
	out := &Answer{Bits: p.width(), Method: Rewriting}
	if wrong == circuit.False {
		return out, nil
	}
	// Choices of src are quantified the other way round: there must be one, where all of tgt must be among them.
	for _, c := range p.src.choices {
		p.any = append(p.any, c.bits...)
	}
	find := p.instantiate
	_, poison := p.free()
	if out.Method = SAT; out.Bits+len(p.any) <= p.budget.bits() && len(poison) <= maxPatterns {
		out.Method, find = Enumeration, p.enumerate
	}
	m, found, err := find(wrong)
	if err != nil {
		return nil, err
	}
	if found {
		out.Counter = p.counterexample(m)
	}
	return out, nil
}

// maxPatterns is up to how many arguments each pattern of poison is tried by itself: it makes a circuit of its own.
const maxPatterns = 6

// free are the inputs that an answer gives: all but what src chooses. The bits of an argument and its poison are apart.
func (p *proof) free() (bits, poison []circuit.Bit) {
	of := map[circuit.Bit]bool{}
	for _, x := range p.args {
		for _, l := range x {
			of[l.Poison] = true
		}
	}
	for b := range p.AllInputs {
		switch {
		case of[b]:
			poison = append(poison, b)
		case !slices.Contains(p.any, b):
			bits = append(bits, b)
		}
	}
	return bits, poison
}

// width is how many bits there are beside poison.
func (p *proof) width() int {
	bits, _ := p.free()
	return len(bits)
}

// enumerate looks at all inputs. What bits poison has nobody sees: they are 0 then, so that poison is one more value of an
// argument and no more bit.
func (p *proof) enumerate(wrong circuit.Bit) (circuit.Model, bool, error) {
	// One circuit for each pattern: with poison known most of it folds away, and what is left has no bit for poison.
	bits, poison := p.free()
	for set := range uint64(1) << len(poison) {
		known, hidden := map[circuit.Bit]circuit.Bit{}, map[circuit.Bit]bool{}
		for i, b := range poison {
			known[b] = circuit.Of(set>>i&1 == 1)
		}
		for _, x := range p.args {
			for _, l := range x {
				if known[l.Poison] == circuit.True {
					for _, b := range l.Bits {
						hidden[b], known[b] = true, circuit.False
					}
				}
			}
		}
		left := slices.DeleteFunc(slices.Clone(bits), func(b circuit.Bit) bool { return hidden[b] })
		m, found, err := p.Enumerate(p.ctx, p.Substitute(wrong, known), left, p.any)
		if err != nil || found {
			for b, is := range known {
				m[b] = is == circuit.True
			}
			return m, found, err
		}
	}
	return nil, false, nil
}

// instantiate asks the solver. A choice of src that answers one candidate is asked of all later ones
// (counterexample-guided instantiation: Janota and others 2012).
func (p *proof) instantiate(wrong circuit.Bit) (circuit.Model, bool, error) {
	solve := func(goal circuit.Bit) (circuit.Model, bool, error) { return p.Solve(p.ctx, goal, p.budget.conflicts()) }
	if len(p.any) == 0 {
		return solve(wrong)
	}
	chosen := make(map[circuit.Bit]circuit.Bit, len(p.any))
	for _, b := range p.any {
		chosen[b] = circuit.False
	}
	against := p.Substitute(wrong, chosen)
	for {
		m, found, err := solve(against)
		if err != nil || !found {
			return nil, false, err
		}
		known := map[circuit.Bit]circuit.Bit{}
		for b := range p.AllInputs {
			known[b] = circuit.Of(m[b])
		}
		maps.DeleteFunc(known, func(b, _ circuit.Bit) bool { return slices.Contains(p.any, b) })
		answer, ok, err := solve(p.Substitute(wrong, known).Not())
		if err != nil || !ok {
			return m, err == nil, err
		}
		for _, b := range p.any {
			chosen[b] = circuit.Of(answer[b])
		}
		against = p.And(against, p.Substitute(wrong, chosen))
	}
}
