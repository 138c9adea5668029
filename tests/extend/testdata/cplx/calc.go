package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/cli"
)

// Calc is an input language: functions of numbers, one a line.
//
//	area(w, h) = w * h + 1
//	main(r)    = area(r, 2) / 3
var Calc = &cli.Input{Name: "calc", What: "a calculation", Extensions: []string{".calc"}, Comment: "#",
	Sniff: header.MatchString, Read: readCalc}

var header = regexp.MustCompile(`(?m)^(\w+)\(([\w, ]*)\)\s*=`)

// readCalc makes a module of the functions of a source.
func readCalc(ctx *ir.Context, src *diag.Source, _ cli.ReadOptions) (*ir.Graph, diag.List) {
	p := &calc{src: src, module: ir.NewBuilder(ctx), arity: map[string]int{}}
	for _, m := range header.FindAllStringSubmatch(src.Text, -1) {
		p.arity[m[1]] = len(strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' }))
	}
	at := 0
	for line := range strings.Lines(src.Text) {
		p.at, p.end = at, at+len(strings.TrimRight(line, " \r\n"))
		if p.peek() != 0 && p.peek() != '#' {
			p.function()
		}
		at += len(line)
	}
	b := ir.NewBuilder(ctx)
	b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{p.module.Finish()}})
	return b.Finish(), p.list
}

// calc reads a line at a time: from at, an offset in the source, to end.
type calc struct {
	src     *diag.Source
	at, end int
	failed  bool // in this line
	list    diag.List
	module  *ir.Builder
	b       *ir.Builder // of the function
	arity   map[string]int
	names   map[string]ir.Value
}

// function is name(parameters) = expression.
func (p *calc) function() {
	start := p.at
	m := header.FindStringSubmatch(p.src.Text[p.at:p.end])
	if m == nil {
		p.report(start, p.end, "a line is a function, such as twice(x) = 2 * x")
		return
	}
	params := strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
	in := make([]ir.Type, len(params))
	for i := range in {
		in[i] = ir.F64
	}
	p.module.Loc = ir.Loc(start + 1) // diagnostics about the op show this place
	funcs.Define(p.module, m[1], in, []ir.Type{ir.F64}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		p.b, p.names, p.failed = b, map[string]ir.Value{}, false
		for i, name := range params {
			p.names[name] = args[i]
		}
		p.at += len(m[0])
		v := p.sum()
		if c := p.peek(); c != 0 {
			v = p.fail(p.at, p.at+1, "%q follows an expression", c)
		}
		return []ir.Value{v}
	})
}

// report notes what is wrong, and where.
func (p *calc) report(from, to int, format string, args ...any) {
	p.list = append(p.list, diag.Errorf(p.src.Span(from, to), format, args...))
}

// fail reports, and goes to the end of the line, which has a value all the same.
func (p *calc) fail(from, to int, format string, args ...any) ir.Value {
	if !p.failed {
		p.report(from, to, format, args...)
	}
	p.at, p.failed = p.end, true
	return arith.ConstF64(p.b, 0)
}

// peek skips spaces and is the next character, or 0 at the end.
func (p *calc) peek() byte {
	for p.at < p.end && p.src.Text[p.at] == ' ' {
		p.at++
	}
	if p.at == p.end {
		return 0
	}
	return p.src.Text[p.at]
}

// binary reads operands with operators between them, from left to right.
func (p *calc) binary(ops map[byte]func(*ir.Builder, ir.Value, ir.Value) ir.Value, operand func() ir.Value) ir.Value {
	v := operand()
	for {
		op, at := ops[p.peek()], p.at
		if op == nil {
			return v
		}
		p.at++
		w := operand()
		p.b.Loc = ir.Loc(at + 1)
		v = op(p.b, v, w)
	}
}

func (p *calc) sum() ir.Value {
	return p.binary(map[byte]func(*ir.Builder, ir.Value, ir.Value) ir.Value{'+': arith.AddF, '-': arith.SubF}, p.product)
}

func (p *calc) product() ir.Value {
	return p.binary(map[byte]func(*ir.Builder, ir.Value, ir.Value) ir.Value{'*': arith.MulF, '/': arith.DivF}, p.factor)
}

var word = regexp.MustCompile(`^[\w.]+`)

// factor is a number, a parameter, a call or a sum in parentheses.
func (p *calc) factor() ir.Value {
	c, start := p.peek(), p.at
	if c == '(' {
		p.at++
		return p.closed(p.sum())
	}
	w := word.FindString(p.src.Text[p.at:p.end])
	p.at += len(w)
	p.b.Loc = ir.Loc(start + 1)
	if x, err := strconv.ParseFloat(w, 64); err == nil {
		return arith.ConstF64(p.b, x)
	}
	n, isFunction := p.arity[w]
	switch v := p.names[w]; {
	case w == "":
		return p.fail(start, start+1, "a number or a name is wanted here")
	case v != 0:
		return v
	case isFunction && p.peek() == '(':
		return p.call(start, w, n)
	}
	return p.fail(start, p.at, "there is no %s", w)
}

// closed wants the parenthesis behind a value.
func (p *calc) closed(v ir.Value) ir.Value {
	if p.peek() != ')' {
		return p.fail(p.at, p.at+1, "')' is wanted here")
	}
	p.at++
	return v
}

func (p *calc) call(start int, name string, arity int) ir.Value {
	var args []ir.Value
	for p.at++; p.peek() != ')' && p.peek() != 0; {
		args = append(args, p.sum())
		if p.peek() == ',' {
			p.at++
		}
	}
	if p.closed(0); len(args) != arity {
		return p.fail(start, p.at, "%s takes %d numbers, and here are %d", name, arity, len(args))
	}
	p.b.Loc = ir.Loc(start + 1)
	return p.b.Result(funcs.CallTo(p.b, name, []ir.Type{ir.F64}, args...), 0)
}
