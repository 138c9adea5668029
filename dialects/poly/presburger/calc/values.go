package calc

import (
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// Vectors are integer vectors, such as the basis of a space of directions.
type Vectors [][]p.Int

// String writes { [1, 0], [0, 2] }.
func (v Vectors) String() string {
	if len(v) == 0 {
		return "{ }"
	}
	var out []string
	for _, x := range v {
		out = append(out, tupleText("", x))
	}
	return "{ " + strings.Join(out, ", ") + " }"
}

// A List is several answers, a line each.
type List []string

// String joins the lines.
func (l List) String() string {
	if len(l) == 0 {
		return "none"
	}
	return strings.Join(l, "\n")
}

// isFunction reports a value that is a function and nothing else.
func isFunction(v any) bool {
	switch v.(type) {
	case p.PwAff, p.PwMultiAff:
		return true
	}
	return false
}

// multi converts to a function: a map has to be single-valued.
func multi(v any) (p.PwMultiAff, error) {
	switch x := v.(type) {
	case p.PwMultiAff:
		return x, nil
	case p.PwAff:
		return x.PwMultiAff(), nil
	case p.Map:
		return x.AsPwMultiAff()
	}
	return p.PwMultiAff{}, errKinds{}
}

// single converts to a function of one value.
func single(v any) (p.PwAff, error) {
	if f, ok := v.(p.PwAff); ok {
		return f, nil
	}
	f, err := multi(v)
	if err != nil {
		return p.PwAff{}, err
	}
	return f.AsPwAff()
}

// constants turns a number beside a function into that function everywhere that the
// other is defined.
func constants(args []any) ([]any, error) {
	out := append([]any(nil), args...)
	for i, a := range args {
		n, ok := a.(p.Int)
		if !ok {
			continue
		}
		for _, b := range args {
			if f, err := multi(b); err == nil {
				c, err := p.ValOnDomain(f.Domain(), p.Rat{Num: n, Den: p.NewInt(1)})
				if err != nil {
					return nil, err
				}
				out[i] = c
				break
			}
		}
	}
	return out, nil
}

// singles calls an operation on functions of one value; numbers are constant ones.
func singles(f func(fs []p.PwAff) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		args, err := constants(args)
		if err != nil {
			return nil, err
		}
		fs := make([]p.PwAff, len(args))
		for i, a := range args {
			if fs[i], err = single(a); err != nil {
				return nil, err
			}
		}
		return f(fs)
	}
}

// pf1 and its like adapt methods.
func pf1(f func(p.PwAff) p.PwAff) func([]any) (any, error) {
	return singles(func(fs []p.PwAff) (any, error) { return f(fs[0]), nil })
}

func pf2[A any](f func(a, b p.PwAff) (A, error)) func([]any) (any, error) {
	return singles(func(fs []p.PwAff) (any, error) { return f(fs[0], fs[1]) })
}

func pf3(f func(a, b, c p.PwAff) (p.PwAff, error)) func([]any) (any, error) {
	return singles(func(fs []p.PwAff) (any, error) { return f(fs[0], fs[1], fs[2]) })
}

// multi1 calls an operation on a function to tuples.
func multi1[A any](f func(p.PwMultiAff) (A, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		g, err := multi(args[0])
		if err != nil {
			return nil, err
		}
		return f(g)
	}
}

// multis2 calls an operation on two functions to tuples.
func multis2[A any](f func(a, b p.PwMultiAff) (A, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		args, err := constants(args)
		if err != nil {
			return nil, err
		}
		a, err := multi(args[0])
		if err != nil {
			return nil, err
		}
		b, err := multi(args[1])
		if err != nil {
			return nil, err
		}
		return f(a, b)
	}
}

// withSet calls an operation on a function and a set.
func withSet(f func(p.PwMultiAff, p.Set) (p.PwMultiAff, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		s, ok := args[1].(p.Set)
		if !ok {
			return nil, errKinds{}
		}
		g, err := multi(args[0])
		if err != nil {
			return nil, err
		}
		return f(g, s)
	}
}

// withNumber calls an operation on a function of one value and a number.
func withNumber(f func(p.PwAff, p.Int) (p.PwAff, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		n, ok := args[1].(p.Int)
		if !ok {
			return nil, errKinds{}
		}
		g, err := single(args[0])
		if err != nil {
			return nil, err
		}
		return f(g, n)
	}
}

// orFunction is another call where an argument is a function and nothing else.
func orFunction(sets, functions func([]any) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		for _, a := range args {
			if isFunction(a) {
				return functions(args)
			}
		}
		return sets(args)
	}
}
