package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/lists"
)

// String writes the tree as C, with min, max, floord (division rounded down) and mod
// (never negative) as functions.
func (b *Block) String() string {
	var p printer
	p.block(b, 0)
	return p.String()
}

type printer struct{ strings.Builder }

func (p *printer) line(depth int, format string, args ...any) {
	p.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

func (p *printer) block(b *Block, depth int) {
	for _, n := range b.Nodes {
		p.node(n, depth)
	}
}

// body writes what a line with a brace opens.
func (p *printer) body(b *Block, depth int, format string, args ...any) {
	if isOne(b) {
		p.line(depth, format, args...)
		p.block(b, depth+1)
		return
	}
	p.line(depth, format+" {", args...)
	p.block(b, depth+1)
	p.line(depth, "}")
}

// isOne reports that a block is one statement of C; a mark is a comment before its body.
func isOne(b *Block) bool {
	if len(b.Nodes) != 1 {
		return false
	}
	m, ok := b.Nodes[0].(*Mark)
	return !ok || isOne(m.Body)
}

func (p *printer) node(n Node, depth int) {
	switch n := n.(type) {
	case *Block:
		p.line(depth, "{")
		p.block(n, depth+1)
		p.line(depth, "}")
	case *For:
		i, cond := n.Iterator, ""
		if len(n.Upper) > 0 {
			cond = i + " <= " + Text(apply(Min, n.Upper...))
		}
		p.body(n.Body, depth, "for (int %s = %s; %s; %s += %d)", i, Text(apply(Max, n.Lower...)), cond, i, n.Stride)
	case *If:
		if n.Else == nil {
			p.body(n.Then, depth, "if (%s)", Text(n.Cond))
			break
		}
		p.line(depth, "if (%s) {", Text(n.Cond))
		p.block(n.Then, depth+1)
		p.line(depth, "} else {")
		p.block(n.Else, depth+1)
		p.line(depth, "}")
	case *User:
		args := lists.Map(n.Args, Text)
		p.line(depth, "%s(%s);", n.Statement, strings.Join(args, ", "))
	case *Mark:
		p.line(depth, "// %s", strconv.Quote(n.Name))
		p.block(n.Body, depth)
	}
}

// Precedences of C, loosest first.
const (
	loosest = iota
	orLevel
	andLevel
	equalLevel
	compareLevel
	sumLevel
	productLevel
	atom
)

// Text writes an expression as C.
func Text(e Expr) string { return text(e, loosest) }

func text(e Expr, level int) string {
	s, own := "", atom
	switch e := e.(type) {
	case Int:
		s = strconv.FormatInt(int64(e), 10)
		if e < 0 {
			own = sumLevel
		}
	case Name:
		s = string(e)
	case *Op:
		s, own = e.text()
	}
	if own < level {
		return "(" + s + ")"
	}
	return s
}

func (e *Op) text() (s string, level int) {
	infix := func(op string, level int) (string, int) {
		parts := make([]string, len(e.Args))
		for i, a := range e.Args {
			l := level
			if i > 0 || level == compareLevel || level == equalLevel {
				l++
			}
			parts[i] = text(a, l)
		}
		return strings.Join(parts, op), level
	}
	switch e.Operator {
	case Add:
		return infix(" + ", sumLevel)
	case Sub:
		if e.Args[0] == Int(0) {
			return "-" + text(e.Args[1], productLevel), sumLevel
		}
		return infix(" - ", sumLevel)
	case Mul:
		return infix(" * ", productLevel)
	case Eq:
		if m, ok := e.Args[0].(*Op); ok && m.Operator == Mod && e.Args[1] == Int(0) {
			return text(m.Args[0], productLevel) + " % " + text(m.Args[1], atom) + " == 0", equalLevel
		}
		return infix(" == ", equalLevel)
	case Ge:
		return infix(" >= ", compareLevel)
	case Le:
		return infix(" <= ", compareLevel)
	case And:
		return infix(" && ", andLevel)
	case Or:
		return infix(" || ", orLevel)
	case Select:
		return text(e.Args[0], orLevel) + " ? " + text(e.Args[1], orLevel) + " : " + text(e.Args[2], orLevel), loosest
	}
	name := map[Operator]string{FloorDiv: "floord", Mod: "mod", Min: "min", Max: "max"}[e.Operator]
	args := lists.Map(e.Args, Text)
	return name + "(" + strings.Join(args, ", ") + ")", atom
}
