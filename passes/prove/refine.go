package prove

import (
	"context"
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// A Function is a graph whose root has the parameters and yields the results, and the functions that it may call, by name.
type Function struct {
	Body  *ir.Graph
	Calls map[string]*ir.Graph
}

// A Question is whether @tgt may stand for @src. The functions have equal types, of one context or of two.
type Question struct {
	Src, Tgt Function
	// NoPoison has no argument be poison, as that of a public function never is.
	NoPoison bool
	// Arguments, if there are some, make the arguments, and say where the question is asked: what a rule knows of its
	// constants. nil stands for any arguments.
	Arguments func(c *circuit.Circuit) (args []Value, where circuit.Bit)
	Budget    Budget
}

// A Budget bounds how long an answer is looked for. What is 0 is the default.
type Budget struct {
	Bits      int // of arguments, up to which all are looked at; less than 0: SAT alone
	Conflicts int // that the SAT solver may meet beyond
}

// The default budget. 2^24 arguments, 64 at once, take a second or two; 100,000 conflicts take half a minute.
const (
	defaultBits      = 24
	defaultConflicts = 100_000
)

func (b Budget) bits() int {
	if b.Bits == 0 {
		return defaultBits
	}
	return b.Bits
}

func (b Budget) conflicts() int {
	if b.Conflicts == 0 {
		return defaultConflicts
	}
	return b.Conflicts
}

// An Answer is what is known of a question.
type Answer struct {
	Bits    int             // of the arguments, and of what freezes of @tgt choose
	Method  Method          // how it was found
	Counter *Counterexample // nil: it is proven
}

// A Method is a way to an answer.
type Method string

// The methods: circuits that are equal gate by gate need no search.
const (
	Rewriting   Method = "equal circuits"
	Enumeration Method = "all arguments"
	SAT         Method = "SAT"
)

// Undecided says that the budget did not suffice: nothing is known.
type Undecided struct {
	Width int // of a rule
	Bits  int // of the arguments
	Why   error
}

func (u *Undecided) Error() string {
	at := ""
	if u.Width > 0 {
		at = fmt.Sprintf(" at width %d", u.Width)
	}
	return fmt.Sprintf("undecided%s: there are %d bits of arguments, and %v", at, u.Bits, u.Why)
}

func (u *Undecided) Unwrap() error { return u.Why }

// Refines answers a question. An error says that nothing is known: *ir.OpError if it is about an op, *Undecided if the budget
// did not suffice or the context ended.
func Refines(ctx context.Context, q Question) (*Answer, error) {
	p := &proof{Circuit: circuit.New(), ctx: ctx, budget: q.Budget, where: circuit.True}
	err := p.arguments(q)
	if err != nil {
		return nil, err
	}
	if p.src, err = p.translate(q.Src); err != nil {
		return nil, err
	}
	if p.tgt, err = p.translate(q.Tgt); err != nil {
		return nil, err
	}
	if err := sameShapes("result", p.src.results, p.tgt.results); err != nil {
		return nil, err
	}
	answer, err := p.search()
	if err != nil {
		err = &Undecided{Bits: p.width(), Why: err}
	}
	return answer, err
}

// A proof has both functions on the same arguments.
type proof struct {
	*circuit.Circuit
	ctx      context.Context
	budget   Budget
	args     []Value
	where    circuit.Bit // the arguments are asked about
	src, tgt outcome
	any      []circuit.Bit // what freezes of src choose
}

// outcome is what a function does.
type outcome struct {
	undefined circuit.Bit
	results   []Value
	choices   []choice
}

// arguments are shared by both functions: the question is about equal ones. Nothing is known of them, unless the question
// makes them.
func (p *proof) arguments(q Question) error {
	if q.Arguments != nil {
		p.args, p.where = q.Arguments(p.Circuit)
		return nil
	}
	src, err := shapes(q.Src.Body)
	if err != nil {
		return err
	}
	tgt, err := shapes(q.Tgt.Body)
	if err != nil {
		return err
	}
	for _, x := range tgt {
		for i := range x {
			if x[i].Bits = p.Inputs(len(x[i].Bits)); !q.NoPoison {
				x[i].Poison = p.Input()
			}
		}
	}
	p.args = tgt
	return sameShapes("argument", src, tgt)
}

// shapes are values of the types of the parameters.
func shapes(g *ir.Graph) (out []Value, err error) {
	for i, v := range g.Params(ir.Root) {
		w, lanes, err := shape(g.Ctx, g.Type(v))
		if err != nil {
			return nil, fmt.Errorf("argument #%d is of type %s; %w", i, text.TypeString(g.Ctx, g.Type(v)), err)
		}
		x := make(Value, lanes)
		for k := range x {
			x[k].Bits = make([]circuit.Bit, w)
		}
		out = append(out, x)
	}
	return out, nil
}

// sameShapes refuses values of different numbers, widths or lanes.
func sameShapes(what string, src, tgt []Value) error {
	if len(src) != len(tgt) {
		return fmt.Errorf("@src has %d %ss, and @tgt has %d", len(src), what, len(tgt))
	}
	for i, x := range src {
		if y := tgt[i]; len(x) != len(y) || len(x[0].Bits) != len(y[0].Bits) {
			return fmt.Errorf("%s #%d of @src and of @tgt have different types", what, i)
		}
	}
	return nil
}

// translate gives what a function does on the arguments, as bits of the circuit that both share: what both compute alike is
// one gate, and cancels before anything is searched.
func (p *proof) translate(f Function) (outcome, error) {
	e := &encoder{Circuit: p.Circuit, rows: rows(), bodies: f.Calls, path: circuit.True}
	out, err := e.run(f.Body, p.args)
	return outcome{e.undefined, out, e.choices}, err
}

// wrong is where tgt does what src, with what it chose, does not.
func (p *proof) wrong() circuit.Bit {
	differ := circuit.False
	for i, x := range p.src.results {
		for k, a := range x {
			b := p.tgt.results[i][k]
			differ = p.Or(differ, p.And(a.Poison.Not(), p.Or(b.Poison, p.Equal(a.Bits, b.Bits).Not())))
		}
	}
	return p.All(p.where, p.src.undefined.Not(), p.Or(p.tgt.undefined, differ))
}
