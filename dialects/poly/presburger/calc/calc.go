// Package calc evaluates expressions on integer sets, a line at a time:
//
//	A := [N] -> { [i] : 0 <= i < N }
//	subtract(A, { [i] : i mod 2 = 0 })
//	A * { [i] : i >= 5 }
//
// A literal is a set or map in isl's notation, or within pw_aff(...) a function;
// operations are those of package presburger (Functions lists them), and + - * for
// union, subtract and intersect, of functions for add, sub and mul; R^+ is the transitive
// closure of a map, R^2 two steps of it, R^-1 its inverse. A single-valued
// map is taken for a function where one is wanted, a number for a constant one.
// A name keeps a value for the lines after it. Text from # on is a comment.
package calc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// An Error is a mistake in a line.
type Error struct {
	Offset int // in the line, in bytes
	Msg    string
}

// Error returns the message; the caller shows the line.
func (e *Error) Error() string { return e.Msg }

// A Calculator keeps the values of names.
type Calculator struct {
	// Budget bounds the work of one operation; 0 is presburger.DefaultBudget.
	Budget int64

	names map[string]any
}

// Eval evaluates one line: a Set, Map, PwAff, PwMultiAff, Count, Optimum, Complexity,
// Vectors, List, Tree, bool, Int, string or nil, which is nothing to print.
func (c *Calculator) Eval(line string) (any, error) {
	r := &reader{line: line, calc: c}
	r.space()
	if r.at == len(line) {
		return nil, nil
	}
	start := r.at
	if name := r.name(); name != "" {
		if r.accept(":=") {
			v, err := r.whole()
			if err != nil {
				return nil, err
			}
			if c.names == nil {
				c.names = map[string]any{}
			}
			c.names[name] = v
			return nil, nil
		}
	}
	r.at = start
	return r.whole()
}

// reader reads one line.
type reader struct {
	line  string
	at    int
	depth int
	calc  *Calculator
	// functions says that literals are functions, not maps.
	functions bool
}

func (r *reader) fail(at int, format string, args ...any) error {
	return &Error{at, fmt.Sprintf(format, args...)}
}

func (r *reader) space() {
	for r.at < len(r.line) && strings.ContainsRune(" \t\r", rune(r.line[r.at])) {
		r.at++
	}
	if r.at < len(r.line) && r.line[r.at] == '#' {
		r.at = len(r.line)
	}
}

func (r *reader) accept(s string) bool {
	r.space()
	if strings.HasPrefix(r.line[r.at:], s) {
		r.at += len(s)
		return true
	}
	return false
}

func letter(c byte) bool { return c == '_' || 'a' <= c|32 && c|32 <= 'z' }

func digit(c byte) bool { return '0' <= c && c <= '9' }

// name reads a name, or nothing.
func (r *reader) name() string {
	r.space()
	start := r.at
	for r.at < len(r.line) && (letter(r.line[r.at]) || r.at > start && digit(r.line[r.at])) {
		r.at++
	}
	return r.line[start:r.at]
}

// whole reads an expression up to the end of the line.
func (r *reader) whole() (any, error) {
	v, err := r.expr()
	if err != nil {
		return nil, err
	}
	r.accept(";")
	r.space()
	if r.at < len(r.line) {
		return nil, r.fail(r.at, "expected the end of the line, not %q", r.rest())
	}
	return v, nil
}

func (r *reader) rest() string {
	if s := r.line[r.at:]; len(s) <= 20 {
		return s
	}
	return r.line[r.at:r.at+20] + "..."
}

// expr reads terms with + and - between, * binding closer.
func (r *reader) expr() (any, error) {
	if r.depth++; r.depth > p.MaxNesting {
		return nil, r.fail(r.at, "nested more than %d deep", p.MaxNesting)
	}
	defer func() { r.depth-- }()
	v, err := r.product()
	for err == nil {
		at := r.at
		switch {
		case r.accept("+"):
			v, err = r.binary(at, "union", v, r.product)
		case r.accept("-"):
			v, err = r.binary(at, "subtract", v, r.product)
		default:
			return v, nil
		}
	}
	return nil, err
}

func (r *reader) product() (any, error) {
	v, err := r.factor()
	for err == nil {
		at := r.at
		if !r.accept("*") {
			return v, nil
		}
		v, err = r.binary(at, "intersect", v, r.factor)
	}
	return nil, err
}

func (r *reader) binary(at int, op string, x any, right func() (any, error)) (any, error) {
	y, err := right()
	if err != nil {
		return nil, err
	}
	if isFunction(x) || isFunction(y) {
		op = map[string]string{"union": "add", "subtract": "sub", "intersect": "mul"}[op]
	}
	return r.call(at, op, []any{x, y})
}

// factor reads a term and the exponents behind it.
func (r *reader) factor() (any, error) {
	v, err := r.term()
	if err != nil {
		return nil, err
	}
	return r.raised(v)
}

func (r *reader) term() (any, error) {
	r.space()
	at := r.at
	switch c := r.peek(); {
	case c == '{' || c == '[':
		return r.literal()
	case c == '(':
		r.at++
		v, err := r.expr()
		if err == nil && !r.accept(")") {
			err = r.fail(r.at, "expected \")\"")
		}
		return v, err
	case c == '-' || digit(c):
		r.at++
		for digit(r.peek()) {
			r.at++
		}
		n, err := strconv.ParseInt(r.line[at:r.at], 10, 64)
		if err != nil {
			return nil, r.fail(at, "%q is no number of 64 bits", r.line[at:r.at])
		}
		return p.NewInt(n), nil
	case letter(c):
		name := r.name()
		if r.accept("(") {
			outer := r.functions
			r.functions = name == "pw_aff" || name == "pw_multi_aff"
			args, err := r.args()
			r.functions = outer
			if err != nil {
				return nil, err
			}
			return r.call(at, name, args)
		}
		if v, ok := r.calc.names[name]; ok {
			return v, nil
		}
		return word(name), nil
	}
	return nil, r.fail(at, "expected a set, a map, a name or a function, not %q", r.rest())
}

// word is a name without a value, such as that of a parameter.
type word string

func (r *reader) peek() byte {
	if r.at < len(r.line) {
		return r.line[r.at]
	}
	return 0
}

// literal reads [params] -> { ... }.
func (r *reader) literal() (any, error) {
	start, depth := r.at, 0
	for r.at < len(r.line) {
		c := r.line[r.at]
		r.at++
		if c == '{' {
			depth++
		}
		if c == '}' {
			if depth--; depth <= 0 {
				break
			}
		}
	}
	text := r.line[start:r.at]
	v, err := r.read(text)
	var s *p.SyntaxError
	if errors.As(err, &s) {
		return nil, &Error{start + s.Offset, s.Msg}
	}
	if err != nil {
		return nil, &Error{start, err.Error()}
	}
	return v, nil
}

func (r *reader) read(text string) (any, error) {
	if r.functions {
		f, err := p.ParsePwMultiAff(text)
		return f.WithBudget(r.calc.Budget), err
	}
	s, m, isMap, err := p.Parse(text)
	if err != nil {
		return nil, err
	}
	if isMap {
		return m.WithBudget(r.calc.Budget), nil
	}
	return s.WithBudget(r.calc.Budget), nil
}

func (r *reader) args() (out []any, err error) {
	if r.accept(")") {
		return nil, nil
	}
	for {
		v, err := r.expr()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		if r.accept(")") {
			return out, nil
		}
		if !r.accept(",") {
			return nil, r.fail(r.at, "expected \",\" or \")\", not %q", r.rest())
		}
	}
}
