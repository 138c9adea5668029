package density

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Interp is the engine that is always there.
type Interp struct{ Options interp.Options }

// Name is that of -engine.
func (Interp) Name() string { return "eval" }

// Load compiles for the interpreter.
func (e Interp) Load(g *ir.Graph, setup, name string, args []Arg) (Func, error) {
	m, err := interp.New(g, e.Options)
	if err != nil {
		return nil, err
	}
	f, err := m.Resolve(name)
	if err != nil {
		return nil, err
	}
	frame, err := NewFrame(args)
	if err != nil {
		return nil, err
	}
	l := &loaded{m: m, f: f, frame: frame, out: make([]ir.Val, 3)}
	if setup == "" {
		return l, nil
	}
	s, err := m.Resolve(setup)
	if err != nil {
		return nil, err
	}
	frame.In()
	return l, m.InvokeTo(s, frame.Vals, l.out)
}

type loaded struct {
	m     *interp.Machine
	f     *interp.Function
	frame *Frame
	out   []ir.Val
}

// Call runs the function on the memory of the arguments.
func (l *loaded) Call() (Outcome, error) {
	l.frame.In()
	if err := l.m.InvokeTo(l.f, l.frame.Vals, l.out); err != nil {
		return Outcome{}, err
	}
	return OutcomeOf(l.out), nil
}

// Close does nothing: the collector takes it.
func (l *loaded) Close() error { return nil }
