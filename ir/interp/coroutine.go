package interp

import (
	"errors"
	"iter"

	"github.com/irc-lang/irc/ir"
)

// running is the state of what runs on a machine, as opposed to the machine's own:
// memory, budgets, output. Each coroutine has one.
type running struct {
	fn     *Function // that is running
	frame  []ir.Val  // of it
	stack  stack
	depth  int       // calls under way
	held   int       // values in the frames of the calls under way
	nest   int       // regions under way, in all calls
	scoped []*Buffer // stack memory, that of the innermost scope last
	locals map[any]any
	pause  func() bool // of a coroutine: stops it; false says that it is given up
}

// A Coroutine is work of a machine that can stop in the middle: Pause ends a
// Resume, and the next one goes on from there. Coroutines share the memory and the
// budgets of their machine, and only one runs at a time.
type Coroutine struct {
	m    *Machine
	own  running // while it does not run
	next func() (struct{}, bool)
	stop func()
	err  error
}

var errGivenUp = errors.New("a coroutine is given up")

// smallStack is the first chunk of a coroutine's stack: there may be thousands.
const smallStack = 1 << 6

// Coroutine makes a coroutine of work that starts with the first Resume.
func (m *Machine) Coroutine(work func() error) *Coroutine {
	c := &Coroutine{m: m, own: running{fn: m.fn, depth: m.depth, nest: m.nest, stack: stack{first: smallStack}}}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		m.pause = func() bool { return yield(struct{}{}) }
		c.err = work()
	})
	return c
}

// Resume runs the coroutine until it pauses or ends; paused says which.
func (c *Coroutine) Resume() (paused bool, err error) {
	c.swap()
	defer c.swap() // also when something panics
	_, paused = c.next()
	return paused, c.err
}

// Stop ends a coroutine that is paused, and one that has not begun.
func (c *Coroutine) Stop() {
	c.swap()
	defer c.swap()
	c.stop()
}

func (c *Coroutine) swap() { c.m.running, c.own = c.own, c.m.running }

// Pause stops the coroutine that is running until it is resumed; ok is false if
// none is running. The error ends the coroutine: return it.
func (m *Machine) Pause() (ok bool, err error) {
	if m.pause == nil {
		return false, nil
	}
	if !m.pause() {
		return true, errGivenUp
	}
	return true, nil
}

// Local is Global for state of what is running: a coroutine has its own.
func (m *Machine) Local(key any, make func() any) any {
	x, ok := m.locals[key]
	if !ok {
		if m.locals == nil {
			m.locals = map[any]any{}
		}
		x = make()
		m.locals[key] = x
	}
	return x
}
