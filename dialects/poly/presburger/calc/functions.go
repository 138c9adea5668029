package calc

import (
	"fmt"
	"sort"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// A Function is one row of the table of functions.
type Function struct {
	Name, Args, Doc string
	call            func(args []any) (any, error)
}

// errKinds says that the arguments do not fit.
type errKinds struct{}

func (errKinds) Error() string { return "the arguments do not fit" }

// on1 takes a set or a map.
func on1(s func(p.Set) (any, error), m func(p.Map) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		switch x := args[0].(type) {
		case p.Set:
			if s != nil {
				return s(x)
			}
		case p.Map:
			if m != nil {
				return m(x)
			}
		}
		return nil, errKinds{}
	}
}

// on2 takes two sets or two maps.
func on2(s func(x, y p.Set) (any, error), m func(x, y p.Map) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		switch x := args[0].(type) {
		case p.Set:
			if y, ok := args[1].(p.Set); ok && s != nil {
				return s(x, y)
			}
		case p.Map:
			if y, ok := args[1].(p.Map); ok && m != nil {
				return m(x, y)
			}
		}
		return nil, errKinds{}
	}
}

func any1[A, B any](f func(A) (B, error)) func(A) (any, error) {
	return func(a A) (any, error) { return f(a) }
}

func any2[A, B, C any](f func(A, B) (C, error)) func(A, B) (any, error) {
	return func(a A, b B) (any, error) { return f(a, b) }
}

func sure1[A, B any](f func(A) B) func(A) (any, error) {
	return func(a A) (any, error) { return f(a), nil }
}

func sure2[A, B, C any](f func(A, B) C) func(A, B) (any, error) {
	return func(a A, b B) (any, error) { return f(a, b), nil }
}

// setFunctions are those on sets and maps; Args has a letter each: s set, m map, x
// either, f function, e map or function, g set or function, o any of these, n number,
// w word, t schedule tree or map.
var setFunctions = []Function{
	{"intersect", "xx", "what is in both", on2(any2(p.Set.Intersect), any2(p.Map.Intersect))},
	{"union", "xx", "what is in one of them", on2(sure2(p.Set.Union), sure2(p.Map.Union))},
	{"subtract", "xx", "what is in the first and not in the second", on2(any2(p.Set.Subtract), any2(p.Map.Subtract))},
	{"complement", "x", "what is not in it", on1(any1(p.Set.Complement), any1(p.Map.Complement))},
	{"product", "xx", "pairs of points", on2(sure2(p.Set.Product), sure2(p.Map.Product))},
	{"flat_product", "ss", "concatenated points", on2(sure2(p.Set.FlatProduct), nil)},
	{"gist", "ox", "the first, simplified where the second holds", orFunction(on2(any2(p.Set.Gist), any2(p.Map.Gist)), withSet(p.PwMultiAff.Gist))},
	{"coalesce", "o", "fewer conjunctions for the same points", orFunction(on1(any1(p.Set.Coalesce), any1(p.Map.Coalesce)), multi1(p.PwMultiAff.Coalesce))},
	{"remove_redundancies", "x", "without constraints that the others imply", on1(any1(p.Set.RemoveRedundancies), any1(p.Map.RemoveRedundancies))},
	{"detect_equalities", "x", "with its equations explicit", on1(any1(p.Set.DetectEqualities), any1(p.Map.DetectEqualities))},
	{"make_disjoint", "x", "conjunctions with no point in common", on1(any1(p.Set.MakeDisjoint), any1(p.Map.MakeDisjoint))},
	{"lexmin", "x", "the lexicographically least point, by parameters and domain", on1(any1(p.Set.LexMin), any1(p.Map.LexMin))},
	{"lexmax", "x", "the lexicographically greatest point", on1(any1(p.Set.LexMax), any1(p.Map.LexMax))},
	{"domain", "e", "what is related to something", orFunction(on1(nil, sure1(p.Map.Domain)), multi1(func(f p.PwMultiAff) (p.Set, error) { return f.Domain(), nil }))},
	{"range", "m", "what something is related to", on1(nil, sure1(p.Map.Range))},
	{"inverse", "m", "the sides exchanged", on1(nil, sure1(p.Map.Inverse))},
	{"deltas", "m", "differences of the two sides", on1(nil, sure1(p.Map.Deltas))},
	{"wrap", "m", "a set of pairs", on1(nil, sure1(p.Map.Wrap))},
	{"unwrap", "s", "a map of a set of pairs", on1(any1(p.Set.Unwrap), nil)},
	{"identity", "s", "each point related to itself", on1(sure1(p.Set.Identity), nil)},
	{"lex_lt", "ss", "points of the first related to greater ones of the second", on2(sure2(p.Set.LexLT), nil)},
	{"lex_le", "ss", "the same, or equal ones", on2(sure2(p.Set.LexLE), nil)},
	{"compose", "mm", "the first after the second", on2(nil, any2(p.Map.Compose))},
	{"apply", "sm", "images of the points of a set", mixed(func(s p.Set, m p.Map) (any, error) { return s.Apply(m) })},
	{"card", "x", "the number of points by the parameters", on1(any1(p.Set.Card), any1(p.Map.Card))},
	{"is_empty", "x", "no point at all", on1(any1(p.Set.IsEmpty), any1(p.Map.IsEmpty))},
	{"is_equal", "oo", "the same points, or the same domains and values", orFunction(on2(any2(p.Set.IsEqual), any2(p.Map.IsEqual)), multis2(p.PwMultiAff.IsEqual))},
	{"is_subset", "xx", "every point of the first is one of the second", on2(any2(p.Set.IsSubset), any2(p.Map.IsSubset))},
	{"is_disjoint", "ss", "no point in common", on2(any2(p.Set.IsDisjoint), nil)},
	{"is_bounded", "s", "finite for all values of the parameters", on1(any1(p.Set.IsBounded), nil)},
	{"is_single_valued", "m", "relates each point to one at most", on1(nil, any1(p.Map.IsSingleValued))},
	{"is_injective", "m", "relates no two points to one", on1(nil, any1(p.Map.IsInjective))},
	{"is_bijective", "m", "single-valued and injective", on1(nil, any1(p.Map.IsBijective))},
	{"project", "snn", "without dimensions: the first, and how many", project},
	{"fix", "xwn", "a parameter with a value", fix},
	{"sample", "s", "some point", on1(sample, nil)},
	{"generators", "x", "vertices, rays and lines of the rational relaxation of each conjunction", on1(generators(p.Set.Generators), generators(p.Map.Generators))},
	{"coefficients", "s", "coefficients of the affine functions that are at least 0 on it: the constant, parameters, dimensions", on1(any1(p.Set.Coefficients), nil)},
	{"points", "s", "all points, of a bounded set without free parameters", on1(points, nil)},
}

func mixed(f func(p.Set, p.Map) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		s, ok1 := args[0].(p.Set)
		m, ok2 := args[1].(p.Map)
		if !ok1 || !ok2 {
			return nil, errKinds{}
		}
		return f(s, m)
	}
}

func project(args []any) (any, error) {
	s, ok1 := args[0].(p.Set)
	first, ok2 := args[1].(p.Int)
	n, ok3 := args[2].(p.Int)
	if !ok1 || !ok2 || !ok3 {
		return nil, errKinds{}
	}
	a, _ := first.Int64()
	b, _ := n.Int64()
	return s.ProjectOut(int(a), int(b))
}

func fix(args []any) (any, error) {
	name, ok1 := args[1].(word)
	v, ok2 := args[2].(p.Int)
	if !ok1 || !ok2 {
		return nil, errKinds{}
	}
	switch x := args[0].(type) {
	case p.Set:
		return x.FixParam(string(name), v), nil
	case p.Map:
		return x.FixParam(string(name), v), nil
	}
	return nil, errKinds{}
}

func tupleText(name string, x []p.Int) string {
	parts := make([]string, len(x))
	for i, v := range x {
		parts[i] = v.String()
	}
	return name + "[" + strings.Join(parts, ", ") + "]"
}

func sample(s p.Set) (any, error) {
	x, ok, err := s.Sample()
	if err != nil || !ok {
		return "none: the set is empty", err
	}
	var params []string
	for _, name := range s.Params() {
		params = append(params, fmt.Sprintf("%s = %s", name, x.Params[name]))
	}
	text := tupleText(x.Tuple, x.Coords)
	if len(params) > 0 {
		text += " with " + strings.Join(params, ", ")
	}
	return text, nil
}

// generators lists those of each conjunction in a line.
func generators[T any](of func(T) ([]p.Generators, error)) func(T) (any, error) {
	return func(x T) (any, error) {
		gs, err := of(x)
		out := List{}
		for _, g := range gs {
			out = append(out, g.String())
		}
		return out, err
	}
}

// mostPoints bounds what points lists.
const mostPoints = 100_000

func points(s p.Set) (any, error) {
	seq, err := s.Points()
	if err != nil {
		return nil, err
	}
	var out []string
	for x := range seq {
		if len(out) == mostPoints {
			return nil, fmt.Errorf("more than %d points", mostPoints)
		}
		out = append(out, tupleText("", x))
	}
	return strings.Join(out, " "), nil
}

// Functions lists what a line may call, by name.
func Functions() []Function {
	out := append([]Function(nil), functions...)
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

var kinds = map[byte]string{'s': "a set", 'm': "a map", 'x': "a set or map", 'n': "a number", 'w': "a name",
	'f': "a function", 'e': "a map or function", 'g': "a set or function", 'o': "a set, map or function", 't': "a schedule tree or map"}

// Signature writes the arguments: "a set, a number".
func (f Function) Signature() string {
	var out []string
	for i := range len(f.Args) {
		out = append(out, kinds[f.Args[i]])
	}
	return strings.Join(out, ", ")
}

func (r *reader) call(at int, name string, args []any) (any, error) {
	for _, f := range functions {
		if f.Name != name {
			continue
		}
		if len(args) != len(f.Args) {
			return nil, r.fail(at, "%s takes %d arguments (%s), not %d", name, len(f.Args), f.Signature(), len(args))
		}
		for i, a := range args {
			if w, ok := a.(word); ok && f.Args[i] != 'w' {
				return nil, r.fail(at, "%s has no value; `%s := ...` gives it one", w, w)
			}
		}
		for i, a := range args {
			args[i] = plainMap(a)
		}
		v, err := f.call(args)
		if _, ok := err.(errKinds); ok {
			return nil, r.fail(at, "%s takes %s, two of a kind where it takes either, not %s", name, f.Signature(), describe(args))
		}
		if err != nil {
			return nil, &Error{at, strings.TrimPrefix(err.Error(), "presburger: ")}
		}
		return v, nil
	}
	msg := fmt.Sprintf("unknown function %s", name)
	if near := nearest(name); near != "" {
		msg += "; is it " + near + "?"
	}
	return nil, &Error{at, msg}
}

func describe(args []any) string {
	var out []string
	for _, a := range args {
		switch a.(type) {
		case p.Set:
			out = append(out, "a set")
		case p.Map:
			out = append(out, "a map")
		case p.PwAff, p.PwMultiAff:
			out = append(out, "a function")
		case p.Int:
			out = append(out, "a number")
		case Tree:
			out = append(out, "a schedule tree")
		case bool:
			out = append(out, "a truth value")
		case word:
			out = append(out, "a name")
		default:
			out = append(out, "an answer")
		}
	}
	return strings.Join(out, " and ")
}

// nearest is the function that shares most with a name, or nothing.
func nearest(name string) string {
	best, score := "", 0
	for _, f := range functions {
		n := 0
		for n < len(name) && n < len(f.Name) && name[n] == f.Name[n] {
			n++
		}
		if n > score {
			best, score = f.Name, n
		}
	}
	if score < 3 {
		return ""
	}
	return best
}
