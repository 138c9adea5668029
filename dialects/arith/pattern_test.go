package arith

import (
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
)

// infix are the signs of ops between their operands.
var infix = map[*ir.OpDef]string{
	Addi: "+", Subi: "-", Muli: "*", Andi: "&", Ori: "|", Xori: "^", Shli: "<<", Shrui: ">>", Shrsi: ">>",
	Divui: "/", Divsi: "/", Ceildivui: "/", Ceildivsi: "/", Floordivsi: "/", Remui: "mod", Remsi: "mod",
	Addf: "+", Subf: "-", Mulf: "*", Divf: "/",
}

// said writes a term as rules of the dialect are written.
func said(of *ir.OpDef, t *ir.Term, top bool) string {
	def := t.Def
	if def == nil {
		def = of
	}
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		args[i] = said(of, a, false)
	}
	between := func(s string) string {
		if top {
			return s
		}
		return "(" + s + ")"
	}
	switch {
	case t.Var > 0:
		return [...]string{"", "x", "y", "z", "v"}[t.Var]
	case t.Var < 0:
		return [...]string{"", "c1", "c2"}[-t.Var]
	case t.Is != nil && strings.Contains(t.Text, " "):
		if strings.HasPrefix(t.Text, "-(") {
			return t.Text
		}
		return between(t.Text)
	case t.Is != nil:
		return t.Text
	case def == ub.Poison:
		return "poison"
	case def == Xori && t.Args[1] == ones:
		return "~" + args[0]
	case def == Negf && args[0][0] == '-':
		return "-(" + args[0] + ")"
	case def == Negf:
		return "-" + args[0]
	case def == Select:
		return between(args[0] + " ? " + args[1] + " : " + args[2])
	case infix[def] != "":
		return between(args[0] + " " + infix[def] + " " + args[1])
	}
	name := def.Name[len("arith."):]
	if strings.HasPrefix(name, "max") || strings.HasPrefix(name, "min") {
		name = name[:3]
	}
	if t.Text != "" {
		name += "{" + t.Text + "}"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// flags are those that infix ops of a left side ask for.
func flags(of *ir.OpDef, t *ir.Term) (out []string) {
	def := t.Def
	if def == nil {
		def = of
	}
	if t.Text != "" && (infix[def] != "" || def == Negf) {
		out = append(out, t.Text)
	}
	for _, a := range t.Args {
		if a.Args != nil {
			out = append(out, flags(of, a)...)
		}
	}
	return out
}

// sentence is what a pattern says.
func sentence(of *ir.OpDef, p *ir.Pattern) string {
	var out []string
	for ; p != nil; p = p.Or {
		s := said(of, p.From, true) + " = " + said(of, p.To, true)
		if f := flags(of, p.From); len(f) > 0 {
			s += " if " + strings.Join(f, ", ")
		}
		if p.Where != nil {
			s += " where " + p.Where.Text
		}
		out = append(out, s)
	}
	return of.Name[len("arith."):] + ": " + strings.Join(out, " and ")
}

// needs is what a pattern wants among the operands.
func needs(of *ir.OpDef, p *ir.Pattern) ir.Operands {
	var out ir.Operands
	for i, a := range p.From.Args {
		def := a.Def
		if def == nil && a.Args != nil {
			def = of
		}
		switch {
		case def != nil:
			out |= ir.MadeBy(def)
		case a.Var <= 0:
			out |= ir.Constant
		case slices.Contains(p.From.Args[:i], a):
			out |= ir.Same
		}
	}
	return out
}

// Of the folds at least 60 in a hundred are patterns. What one says in words is what it does, and its needs are no more
// than the pattern's and no less, but for what flags of operands say.
func TestFoldsArePatterns(t *testing.T) {
	patterns := 0
	for _, f := range folds {
		if f.Is == nil {
			continue
		}
		patterns++
		want := sentence(f.Of, f.Is)
		if strings.HasSuffix(f.Rule, "poison in, poison out") {
			want = f.Of.Name[len("arith."):] + ": poison in, poison out" // by ub.Strict
		}
		if f.Rule != want {
			t.Errorf("a rule says %q, and its pattern %q", f.Rule, want)
		}
		for p := f.Is; p != nil; p = p.Or {
			if n := needs(f.Of, p); f.Needs&^n != 0 || n&^f.Needs&^ir.Same != 0 {
				t.Errorf("%s: needs %b, and the pattern wants %b", f.Rule, f.Needs, n)
			}
		}
	}
	share := 100 * patterns / len(folds)
	t.Logf("%d of %d folds are patterns, %d%%", patterns, len(folds), share)
	if share < 60 {
		t.Errorf("%d of %d folds are patterns", patterns, len(folds))
	}
}

// What terms compute is what their text says.
func TestComputedNumbers(t *testing.T) {
	for _, c := range []struct {
		t    *ir.Term
		want func(a, b uint64) uint64
	}{
		{plus, func(a, b uint64) uint64 { return a + b }}, {minus, func(a, b uint64) uint64 { return a - b }},
		{minusFirst, func(a, b uint64) uint64 { return b - a }}, {minusBoth, func(a, b uint64) uint64 { return -(a + b) }},
		{bothBits, func(a, b uint64) uint64 { return a & b }}, {eitherBits, func(a, b uint64) uint64 { return a | b }},
		{unequalBits, func(a, b uint64) uint64 { return a ^ b }},
	} {
		if got, ok := c.t.Is(ir.I64, 64, []uint64{12, 10}); !ok || got != c.want(12, 10) {
			t.Errorf("%s of 12 and 10 is %d", c.t.Text, got)
		}
	}
	for w, want := range map[int][3]uint64{1: {1, 1, 0}, 4: {15, 8, 7}, 64: {1<<64 - 1, 1 << 63, 1<<63 - 1}} {
		for i, n := range []*ir.Term{ones, least, greatest} {
			if got, ok := n.Is(ir.I64, w, nil); !ok || got != want[i] {
				t.Errorf("%s of %d bits is %d", n.Text, w, got)
			}
		}
	}
	if _, ok := signedOne.Is(ir.I1, 1, nil); ok {
		t.Error("in i1 1 is -1")
	}
}
