package lower

import (
	"fmt"
	"slices"
)

// An Option is a choice that a user of the pass lower has: `lower{to=level name=value}`. Choice makes one, which a
// Lowering lists. Two lowerings may share one.
type Option struct {
	Name, Doc string // as users write it, and a line for `irc dialects`
	value     any    // its default: a bool, int, float64 or string
}

// A Setting is an Option whose value has a Go type.
type Setting[T bool | int | float64 | string] struct{ Option }

// Choice makes an option with a default: a package variable, by which rules ask for its value.
func Choice[T bool | int | float64 | string](name string, value T, doc string) Setting[T] {
	return Setting[T]{Option{Name: name, Doc: doc, value: value}}
}

// In is the value that holds for a graph. It panics if the lowering does not list the option.
func (s Setting[T]) In(e *Env) T {
	if !slices.ContainsFunc(e.row.Options, func(o Option) bool { return o.Name == s.Name }) {
		panic(fmt.Sprintf("lower: a lowering to %s asks for the option %q, which it does not declare", e.row.Level, s.Name))
	}
	if v, ok := e.values[s.Name]; ok {
		return v.(T)
	}
	return s.value.(T)
}

// Default is what the option is where nobody sets it: a bool, int, float64 or string, for whoever prints it.
func (o Option) Default() any { return o.value }
