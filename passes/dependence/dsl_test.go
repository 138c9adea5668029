package dependence

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// program reads a program for tests, one statement a line:
//
//	FLAGS | WHERE | TARGETS <- READS
//
// Flags: decl, op, init, out, uniform, inc. Where: `if a`, `if !a`, `if k==0`,
// `if i<5`, `for i 0 2` (i from 0, below 2), `for i 0 n`. Targets and reads are x,
// x[0], x[i+1], x[i,?], x[0:2]; a read may carry ignore:, skip:, any:, trigger:, fresh:,
// cond: (a container), idx: (an index) or not0: (all but element 0) before it and @1
// after it (the argument's number). A line `param x y` declares parameters, `shape x
// 2 3` extents and `requires GROUP` goes with the statement before it. A "?" is an
// index or condition that is not known.
func program(t testing.TB, text string) *Program {
	t.Helper()
	p := &Program{Name: "test"}
	vars := map[string]*Variable{}
	variable := func(name string) *Variable {
		if vars[name] == nil {
			vars[name] = &Variable{Name: name}
			p.Variables = append(p.Variables, vars[name])
		}
		return vars[name]
	}
	shared := map[string]*Loop{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line = strings.TrimSpace(line)
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "param":
			for _, n := range f[1:] {
				variable(n).Parameter = true
			}
		case f[0] == "shape":
			for _, n := range f[2:] {
				k, _ := strconv.ParseInt(n, 10, 64)
				variable(f[1]).Shape = append(variable(f[1]).Shape, k)
			}
		case f[0] == "requires":
			g, err := parseGroup(strings.TrimPrefix(line, "requires "), 0)
			if err != nil {
				t.Fatal(err)
			}
			p.Statements[len(p.Statements)-1].Requires = g
		default:
			p.Statements = append(p.Statements, statement(t, line, variable, shared))
		}
	}
	return p
}

func statement(t testing.TB, line string, variable func(string) *Variable, shared map[string]*Loop) *Statement {
	parts := strings.Split(line, "|")
	if len(parts) != 3 {
		t.Fatalf("%q has no three parts", line)
	}
	s := &Statement{Text: strings.TrimSpace(parts[2])}
	for _, f := range strings.Fields(parts[0]) {
		switch f {
		case "decl":
			s.Declares = true
		case "op":
			s.Operator = true
		case "init":
			s.Initializer = true
		case "out":
			s.Output = true
		case "uniform":
			s.Uniform = true
		case "inc":
			s.Increment = true
		default:
			t.Fatalf("flag %q", f)
		}
	}
	s.Domain = where(t, parts[1], shared)
	targets, reads, _ := strings.Cut(parts[2], "<-")
	for _, w := range strings.Fields(targets) {
		a := access(t, w, variable)
		a.Write, a.Domain = true, s.Domain
		s.Accesses = append(s.Accesses, a)
	}
	for _, r := range strings.Fields(reads) {
		var notes []string
		for strings.Contains(r, ":") && !strings.Contains(r[:strings.Index(r, ":")], "[") {
			note, rest, _ := strings.Cut(r, ":")
			notes, r = append(notes, note), rest
		}
		r, arg, _ := strings.Cut(r, "@")
		a := access(t, r, variable)
		a.Domain = s.Domain
		a.Arg, _ = strconv.Atoi(arg)
		for _, n := range notes {
			annotate(t, &a, n)
		}
		s.Accesses = append(s.Accesses, a)
	}
	return s
}

func annotate(t testing.TB, a *Access, note string) {
	switch note {
	case "ignore":
		a.Ignore = true
	case "skip":
		a.SkipIfUniform = true
	case "any":
		a.SkipIfUniform, a.AnyItem = true, true
	case "trigger":
		a.Trigger = true
	case "fresh":
		a.Fresh = true
	case "cond":
		a.Role = Container
	case "idx":
		a.Role = Index
	case "not0":
		zero := At(presburger.Number(0))
		a.Except = &zero
	default:
		t.Fatalf("note %q", note)
	}
}

var compare = regexp.MustCompile(`^(\w+)(==|<|>)(-?\w+)$`)

func where(t testing.TB, text string, shared map[string]*Loop) (d Domain) {
	f := strings.Fields(text)
	for len(f) > 0 {
		if f[0] == "for" {
			lo, hi := sumOf(f[2]), sumOf(f[3])
			l := shared[strings.Join(f[1:4], " ")]
			if l == nil {
				l = &Loop{Index: f[1], Name: f[1], Lo: &lo, Hi: &hi, Step: 1}
				shared[strings.Join(f[1:4], " ")] = l
			}
			d.Loops = append(d.Loops, l)
			f = f[4:]
			continue
		}
		c, negated := strings.CutPrefix(f[1], "!")
		var x Cond
		switch m := compare.FindStringSubmatch(c); {
		case c == "?":
			x = Unknown()
		case m == nil:
			x = Holds(c)
		case m[2] == "==":
			x = Eq(sumOf(m[1]), sumOf(m[3]))
		case m[2] == "<":
			x = Ge(sumOf(m[3]), sumOf(m[1]).Plus(1, presburger.Number(1)))
		default:
			x = Ge(sumOf(m[1]), sumOf(m[3]).Plus(1, presburger.Number(1)))
		}
		if negated {
			x = Not(x)
		}
		d.Conds = append(d.Conds, x)
		f = f[2:]
	}
	return d
}

func access(t testing.TB, text string, variable func(string) *Variable) Access {
	name, subs, indexed := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	a := Access{Var: variable(name)}
	if !indexed {
		return a
	}
	for _, s := range strings.Split(subs, ",") {
		lo, hi, part := strings.Cut(s, ":")
		switch {
		case s == "?":
			a.Subs = append(a.Subs, Any())
		case part:
			a.Subs = append(a.Subs, Sub{true, sumOf(lo), sumOf(hi)})
		default:
			a.Subs = append(a.Subs, At(sumOf(s)))
		}
	}
	return a
}

// sumOf reads sums such as 2i-1, i+j, n.
func sumOf(text string) presburger.Sum {
	out := presburger.Number(0)
	for _, m := range regexp.MustCompile(`([+-]?)(\d*)([a-z]*)`).FindAllStringSubmatch(text, -1) {
		if m[0] == "" {
			continue
		}
		n := int64(1)
		if m[2] != "" {
			n, _ = strconv.ParseInt(m[2], 10, 64)
		}
		if m[1] == "-" {
			n = -n
		}
		if m[3] == "" {
			out = out.Plus(1, presburger.Number(n))
		} else {
			out = out.Plus(n, presburger.Variable(m[3]))
		}
	}
	return out
}

// spelt writes the dependences of a statement as the cases do: "D{S0} O{K1,S2(i: -1)}".
func spelt(i *Info) string {
	var out []string
	for _, k := range Kinds() {
		if on := i.On(k); len(on) > 0 {
			out = append(out, fmt.Sprintf("%s{%s}", k.Letter(), strings.Join(on, ",")))
		}
	}
	if i.IsOutput {
		out = append(out, "output")
	}
	if i.IsUniform && !i.Declares {
		out = append(out, "uniform")
	}
	return strings.Join(out, " ")
}
