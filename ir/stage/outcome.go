package stage

import "runtime"

// An outcome is how a run ends, and why. It ends at the first reason, by ending its goroutine: nothing of the function goes on
// after that but deferred calls, of which nothing is recorded.
type outcome struct {
	dead    bool
	ended   bool // by what is said here; else the function ended its goroutine itself
	err     error
	split   *site       // that is to be told apart
	grown   []*Prophecy // since which the function is to be run again
	gathers bool        // what is required together
}

// stop ends the goroutine.
func (o *outcome) stop() {
	o.dead, o.ended = true, true
	runtime.Goexit()
}

// fail ends the session with an error.
func (o *outcome) fail(err error) {
	o.err = err
	o.stop()
}

// grow ends the run if what a prophecy has told was wrong, now or when all that is required together is known.
func (o *outcome) grow(p *Prophecy) {
	if len(p.reads) > 0 {
		o.grown = append(o.grown, p)
	}
	if len(o.grown) > 0 && !o.gathers {
		o.stop()
	}
}

// gather has what f requires told at once.
func (o *outcome) gather(f func()) {
	o.gathers = true
	f()
	o.gathers = false
	if len(o.grown) > 0 && !o.dead {
		o.stop()
	}
}
