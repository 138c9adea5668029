package stage

import "fmt"

// An Error is what is wrong with a staged function, at a place in its source.
type Error struct {
	Stack int32 // where: Session.Frames; -1 if nowhere
	Other int32 // another place that has to do with it, or -1
	What  string
	Fix   string
	Paths bool // paths meet there on which the host holds different things, and no static that ended is known to be why
}

func (e *Error) Error() string { return e.What }

func wrong(stack, other int32, fix, format string, args ...any) *Error {
	return &Error{Stack: stack, Other: other, What: fmt.Sprintf(format, args...), Fix: fix}
}

// meets is the error of paths that meet while the host holds different things.
func (s *Session) meets(stack, other int32, fix, what string) *Error {
	e := wrong(stack, other, fix, "%s", what)
	if ended := s.states.endedApart(); ended != "" {
		e.Fix = ended + ": call its Done later; or " + fix
	} else {
		e.Paths = true
	}
	return e
}

// endless is the error of a place that one execution comes to twice, with no condition between.
func endless(n *Node) *Error {
	return wrong(n.Stack, -1, "make what the host's loop counts a Static: then each of its rounds is staged for itself", "a loop of the host is staged as one that never ends")
}

// A Misuse is what a front panics with where no run is at hand: it is an Error at the place that panics.
type Misuse struct{ What, Fix string }

func (m Misuse) Error() string { return "stage: " + m.What + ": " + m.Fix }
