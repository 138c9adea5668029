package calc

import (
	"strconv"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/presburger/closure"
)

// A Closure is what holds a transitive closure, or the powers of a map. Functions take it
// for the map.
type Closure struct {
	Map   p.Map
	Exact bool // it is the closure itself
}

// String writes the map; what follows it is a comment to a calculator.
func (c Closure) String() string {
	if c.Exact {
		return c.Map.String() + " # exact"
	}
	return c.Map.String() + " # not proved exact: it may have more pairs"
}

// closureFunctions are those on any number of steps.
var closureFunctions = []Function{
	{"transitive_closure", "m", "what one step or more lead from and to, and whether this is exact; also R^+", steps(closure.Of)},
	{"power", "m", "each number of steps related to the pairs that they lead from and to, and whether this is exact", steps(closure.Power)},
}

func steps(f func(p.Map) (p.Map, bool)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		m, err := asMaps(args)
		if err != nil {
			return nil, err
		}
		t, exact := f(m[0])
		return Closure{t, exact}, nil
	}
}

// plainMap is the map of a closure, and any other value as it is.
func plainMap(v any) any {
	if c, ok := v.(Closure); ok {
		return c.Map
	}
	return v
}

// maxPower bounds the exponent of a map.
const maxPower = 1000

// raised reads the exponents behind a term: R^+ is the transitive closure, R^3 three
// steps, R^-1 the inverse.
func (r *reader) raised(v any) (any, error) {
	for {
		r.space()
		at := r.at
		if !r.accept("^") {
			return v, nil
		}
		var err error
		if r.accept("+") {
			v, err = r.call(at, "transitive_closure", []any{v})
		} else {
			v, err = r.power(at, v)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (r *reader) power(at int, v any) (any, error) {
	r.space()
	start := r.at
	if r.peek() == '-' {
		r.at++
	}
	for digit(r.peek()) {
		r.at++
	}
	n, err := strconv.Atoi(r.line[start:r.at])
	if err != nil || n == 0 || n > maxPower || n < -maxPower {
		return nil, r.fail(start, "expected + or a number of steps, not 0 and at most %d, after ^", maxPower)
	}
	if _, ok := plainMap(v).(p.Map); !ok || n < 0 { // what is no map is refused here
		if v, err = r.call(at, "inverse", []any{v}); err != nil {
			return nil, err
		}
		n = max(n, -n)
	}
	out := v
	for range n - 1 {
		if out, err = r.call(at, "compose", []any{out, v}); err != nil {
			return nil, err
		}
	}
	return out, nil
}
