package lower

import "github.com/irc-lang/irc/ir/unwind"

// refusal is what Refuse panics with.
type refusal struct{ error }

// Unwrap gives the error.
func (r refusal) Unwrap() error { return r.error }

// Refuse ends a lowering from inside of a rule: the program asks for what the rule cannot do.
// The error, an *ir.OpError of the op, is the user's.
func Refuse(err error) { panic(refusal{err}) }

// Refusals runs a lowering and returns the error that a rule has refused with.
func Refusals(f func() error) (err error) {
	if r, refused := unwind.Catch[refusal](func() { err = f() }); refused {
		return r.error
	}
	return err
}
