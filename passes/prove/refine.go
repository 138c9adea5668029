package prove

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// A Question is whether a function may stand for another, of one module or of two.
type Question struct {
	Module   *ir.Graph
	Src, Tgt string // names of functions of equal types
	// NoPoison has no argument be poison, as that of a public function never is.
	NoPoison bool
}

// A Counterexample is arguments on which the functions differ.
type Counterexample struct {
	Args     []string // as they are written in a program, or "poison"; elements of a vector between brackets
	Src, Tgt string   // what each does
}

func (x *Counterexample) String() string {
	return fmt.Sprintf("on (%s): @src gives %s, and @tgt %s", strings.Join(x.Args, ", "), x.Src, x.Tgt)
}

// Refines proves that Tgt may stand for Src: the answer is nil, or arguments on which it may not. An error, *Unsupported if
// it is about an op, says that nothing is known.
func Refines(q Question) (*Counterexample, error) {
	bodies := Bodies(q.Module)
	src, tgt := bodies[q.Src], bodies[q.Tgt]
	for name, g := range map[string]*ir.Graph{q.Src: src, q.Tgt: tgt} {
		if g == nil {
			return nil, fmt.Errorf("there is no function @%s with a body", name)
		}
	}
	p := &proof{Circuit: circuit.New(), ctx: q.Module.Ctx}
	if err := p.arguments(src, tgt, q.NoPoison); err != nil {
		return nil, err
	}
	var err error
	if p.src, err = p.translate(bodies, q.Src); err != nil {
		return nil, err
	}
	if p.tgt, err = p.translate(bodies, q.Tgt); err != nil {
		return nil, err
	}
	if len(p.src.results) != len(p.tgt.results) {
		return nil, fmt.Errorf("@%s has %d results, and @%s %d", q.Src, len(p.src.results), q.Tgt, len(p.tgt.results))
	}
	for i := range p.src.results {
		if a, b := src.Type(src.Yields(ir.Root)[i]), tgt.Type(tgt.Yields(ir.Root)[i]); a != b {
			return nil, fmt.Errorf("result %d of @%s and of @%s have different types", i, q.Src, q.Tgt)
		}
	}
	return p.search(), nil
}

// A proof has both functions on the same arguments.
type proof struct {
	*circuit.Circuit
	ctx      *ir.Context
	args     []Value
	src, tgt outcome
}

// outcome is what a function does.
type outcome struct {
	undefined circuit.Bit
	results   []Value
	choices   []circuit.Bit
}

func (p *proof) arguments(src, tgt *ir.Graph, noPoison bool) error {
	a, b := src.Params(ir.Root), tgt.Params(ir.Root)
	if len(a) != len(b) {
		return fmt.Errorf("the functions have %d and %d arguments", len(a), len(b))
	}
	for i, v := range a {
		t := src.Type(v)
		if t != tgt.Type(b[i]) {
			return fmt.Errorf("argument %d has different types in the two functions", i)
		}
		w, lanes, err := shape(p.ctx, t)
		if err != nil {
			return fmt.Errorf("argument %d: %w", i, err)
		}
		x := make(Value, lanes)
		for k := range x {
			if x[k] = (Lane{p.Inputs(w), circuit.False}); !noPoison {
				x[k].Poison = p.Input()
			}
		}
		p.args = append(p.args, x)
	}
	return nil
}

func (p *proof) translate(bodies map[string]*ir.Graph, name string) (outcome, error) {
	e := &encoder{Circuit: p.Circuit, rows: rows, bodies: bodies, path: circuit.True}
	out, err := e.call(name, p.args)
	return outcome{e.undefined, out, e.choices}, err
}

// wrong is where src and tgt, with what src chose, show that tgt may not stand for src.
func (p *proof) wrong(src outcome) circuit.Bit {
	differ := circuit.False
	for i, x := range src.results {
		for k, a := range x {
			b := p.tgt.results[i][k]
			differ = p.Or(differ, p.And(a.Poison.Not(), p.Or(b.Poison, p.Equal(a.Bits, b.Bits).Not())))
		}
	}
	return p.And(src.undefined.Not(), p.Or(p.tgt.undefined, differ))
}

// search looks for arguments, and choices of tgt, on which no choice of src does what tgt does. A choice of src that
// answers one candidate is asked of all later ones (counterexample-guided instantiation: Janota and others 2012).
func (p *proof) search() *Counterexample {
	wrong := p.wrong(p.src)
	if len(p.src.choices) == 0 {
		m, found := p.Solve(wrong)
		return p.counterexample(m, found)
	}
	none := make(map[circuit.Bit]circuit.Bit, len(p.src.choices))
	for _, b := range p.src.choices {
		none[b] = circuit.False
	}
	against := p.Substitute(wrong, none)
	for {
		m, found := p.Solve(against)
		if !found {
			return nil
		}
		known := map[circuit.Bit]circuit.Bit{}
		for b := range p.AllInputs {
			known[b] = circuit.Of(m[b])
		}
		for _, b := range p.src.choices {
			delete(known, b)
		}
		answer, ok := p.Solve(p.Substitute(wrong, known).Not())
		if !ok {
			return p.counterexample(m, true)
		}
		chosen := map[circuit.Bit]circuit.Bit{}
		for _, b := range p.src.choices {
			chosen[b] = circuit.Of(answer[b])
		}
		against = p.And(against, p.Substitute(wrong, chosen))
	}
}

func (p *proof) counterexample(m circuit.Model, found bool) *Counterexample {
	if !found {
		return nil
	}
	out := &Counterexample{Src: p.describe(m, p.src), Tgt: p.describe(m, p.tgt)}
	for _, x := range p.args {
		out.Args = append(out.Args, p.show(m, x))
	}
	return out
}

func (p *proof) describe(m circuit.Model, o outcome) string {
	if p.Value(m, o.undefined)[0] {
		return "undefined behaviour"
	}
	var out []string
	for _, x := range o.results {
		out = append(out, p.show(m, x))
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

func (p *proof) show(m circuit.Model, x Value) string {
	var out []string
	for _, l := range x {
		n, w := p.Number(m, l.Bits), len(l.Bits)
		switch signed := ir.IntVal(int64(n), w).Int(w); {
		case p.Value(m, l.Poison)[0]:
			out = append(out, "poison")
		case w == 1:
			out = append(out, fmt.Sprint(n == 1))
		default:
			out = append(out, fmt.Sprint(signed))
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return "[" + strings.Join(out, ", ") + "]"
}
