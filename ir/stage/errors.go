package stage

import "fmt"

// An Error is what is wrong with a staged function, at a place in its source.
type Error struct {
	Stack int32 // where: Session.Frames; -1 if nowhere
	Other int32 // another place that has to do with it, or -1
	What  string
	Fix   string
}

func (e *Error) Error() string { return e.What }

func wrong(stack, other int32, fix, format string, args ...any) *Error {
	return &Error{stack, other, fmt.Sprintf(format, args...), fix}
}

// A Misuse is what a front panics with where no run is at hand: it is an Error at the place that panics.
type Misuse struct{ What, Fix string }

func (m Misuse) Error() string { return "stage: " + m.What + ": " + m.Fix }
