// Package unwind ends a deep recursion at once: a parser or an emitter that cannot go on panics with a value of a
// type of its own, and whoever began it catches that type and nothing else (Catch). A computation whose every step may
// fail, as one with sets, ends in the same way with the error of the step (Must, To).
package unwind

import "errors"

// Catch runs f. A panic with a value of type E, or with an error that wraps one (that of a worker of ir.Parallel),
// ends f and is returned; any other goes on.
func Catch[E any](f func()) (thrown E, caught bool) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if thrown, caught = r.(E); caught {
			return
		}
		if err, ok := r.(error); ok {
			if caught = as(err, &thrown); caught {
				return
			}
		}
		panic(r)
	}()
	f()
	return thrown, false
}

// as is errors.As for a type that may be no error.
func as[E any](err error, to *E) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if e, ok := err.(any).(E); ok {
			*to = e
			return true
		}
	}
	return false
}
