package lower

import "errors"

// refusal is what Refuse panics with.
type refusal struct{ error }

// Unwrap gives the error.
func (r refusal) Unwrap() error { return r.error }

// Refuse ends a lowering from inside of a rule: the program asks for what the rule cannot do.
// The error, an *ir.OpError of the op, is the user's.
func Refuse(err error) { panic(refusal{err}) }

// Refusals runs a lowering and returns the error that a rule has refused with.
func Refusals(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, _ := r.(error)
			var refused refusal
			if !errors.As(e, &refused) { // on a goroutine of a rewrite it is wrapped
				panic(r)
			}
			err = refused.error
		}
	}()
	return f()
}
