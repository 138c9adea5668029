package lower

import (
	"fmt"
	"slices"
	"strconv"
)

// An Option is a choice that a user of the pass lower has: `lower{to=level name=value}`. Choice makes one, which a
// Lowering lists. Two lowerings may share one.
type Option struct {
	Name, Doc string
	value     any // its default: a bool, int, float64 or string
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
	if e.values != nil {
		if v, ok := e.values.of[s.Name]; ok {
			return v.(T)
		}
	}
	return s.value.(T)
}

// Default is what the option is where nobody sets it: a bool, int, float64 or string, for whoever prints it.
func (o Option) Default() any { return o.value }

// Values are what a user has set options to. nil is none.
type Values struct{ of map[string]any }

// Set reads the value of an option as its type says. The error says what it wants.
func (v *Values) Set(o Option, text string) error {
	if v.of == nil {
		v.of = map[string]any{}
	}
	var err error
	what := ""
	switch o.value.(type) {
	case bool:
		what = "true or false"
		v.of[o.Name], err = strconv.ParseBool(text)
	case int:
		what = "a whole number"
		v.of[o.Name], err = strconv.Atoi(text)
	case float64:
		what = "a number"
		v.of[o.Name], err = strconv.ParseFloat(text, 64)
	default:
		v.of[o.Name] = text
	}
	if err != nil {
		delete(v.of, o.Name)
		return fmt.Errorf("wants %s, not %q", what, text)
	}
	return nil
}

// Has reports that an option of a name is set.
func (v *Values) Has(name string) bool { return v.of[name] != nil }
