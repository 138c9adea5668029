package unwind

// A failure carries an error to the function that gives it back.
type failure struct{ err error }

func (f failure) Error() string { return f.err.Error() }

// Failed is what to panic with where a computation ends with an error; see To.
func Failed(err error) error { return failure{err} }

// Check ends a computation of which a step failed.
func Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Must is the result of a step, which ends the computation if it failed.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Must2 is Must of two results.
func Must2[T, U any](v T, w U, err error) (T, U) {
	Check(err)
	return v, w
}

// To is deferred by the function that begins a computation whose steps may fail by Check or Must: it gives their error
// back as its own. A computation with sets, of which each step may take too much work, reads as its formulas do.
func To(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	case error:
		var f failure
		if !as(r, &f) {
			panic(r)
		}
		*err = f.err
	default:
		panic(r)
	}
}
