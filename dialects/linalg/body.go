package linalg

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A term is what one point computes: an element, or a function of terms.
type term struct {
	fn   string // "in", "out" or a function
	in   int    // the number of an input
	args []*term
}

// readTerm reads `add(out, mul(cast(in0), cast(in1)))`.
func readTerm(s string) *term {
	t, _ := readTermAt(s)
	return t
}

func readTermAt(s string) (t *term, rest string) {
	n := strings.IndexAny(s, "(,)")
	if n < 0 {
		n = len(s)
	}
	name := strings.TrimSpace(s[:n])
	t, rest = &term{fn: name}, s[n:]
	if strings.HasPrefix(name, "in") && len(name) == 3 {
		t.fn, t.in = "in", int(name[2]-'0')
	}
	if !strings.HasPrefix(rest, "(") {
		return t, rest
	}
	for rest[0] != ')' {
		var arg *term
		arg, rest = readTermAt(rest[1:])
		t.args = append(t.args, arg)
	}
	return t, rest[1:]
}

// A scalar is a function of numbers by their type: the op for floats, for integers and for truth values; nil is none.
type scalar struct{ float, integer, truth *ir.OpDef }

var scalars = map[string]scalar{
	"add": {arith.Addf, arith.Addi, arith.Ori}, "sub": {arith.Subf, arith.Subi, nil}, "mul": {arith.Mulf, arith.Muli, arith.Andi},
	"div": {arith.Divf, arith.Divsi, nil}, "div_unsigned": {nil, arith.Divui, nil}, "powf": {math.Powf, nil, nil},
	"max": {arith.Maximumf, arith.Maxsi, arith.Maxsi}, "min": {arith.Minimumf, arith.Minsi, arith.Minsi},
	"max_signed": {arith.Maximumf, arith.Maxsi, arith.Maxsi}, "min_signed": {arith.Minimumf, arith.Minsi, arith.Minsi},
	"max_unsigned": {arith.Maximumf, arith.Maxui, arith.Maxui}, "min_unsigned": {arith.Minimumf, arith.Minui, arith.Minui},
	"exp": {math.Exp, nil, nil}, "log": {math.Log, nil, nil}, "abs": {math.Absf, nil, nil}, "ceil": {math.Ceil, nil, nil},
	"floor": {math.Floor, nil, nil}, "negf": {arith.Negf, nil, nil}, "round": {math.Round, nil, nil}, "sqrt": {math.Sqrt, nil, nil},
	"rsqrt": {math.Rsqrt, nil, nil}, "tanh": {math.Tanh, nil, nil}, "erf": {math.Erf, nil, nil},
}

// A point is where a term is computed.
type point struct {
	b        *ir.Builder
	in       []ir.Value
	out      ir.Value
	fun      string // the function of elemwise_unary and elemwise_binary
	unsigned bool   // that cast takes integers for such
}

// value computes a term; the error says which function takes no such numbers.
func (p *point) value(t *term) (ir.Value, error) {
	var args []ir.Value
	for _, a := range t.args {
		v, err := p.value(a)
		if err != nil {
			return 0, err
		}
		args = append(args, v)
	}
	fn := t.fn
	if fn == "fun" {
		fn = p.fun
	}
	switch fn {
	case "in":
		return p.in[t.in], nil
	case "out":
		return p.out, nil
	case "cast":
		return p.cast(args[0], p.unsigned)
	case "cast_unsigned":
		return p.cast(args[0], true)
	case "square", "reciprocal":
		t := p.b.Graph().Type(args[0])
		if !p.b.Ctx().IsFloat(t) {
			return 0, fmt.Errorf("does not compute %s of elements of type %s", fn, quote(p.b.Ctx(), t))
		}
		if fn == "square" {
			return p.apply("mul", args[0], args[0])
		}
		return p.apply("div", arith.ConstFloat(p.b, t, 1), args[0])
	case "select":
		return p.choose(args)
	case "i32":
		return p.convert(args[0], ir.I32, false)
	case "f64":
		return p.convert(args[0], ir.F64, false)
	}
	if v := p.leaf(fn); v != 0 {
		return v, nil
	}
	return p.apply(fn, args...)
}

// leaf is the index of a loop or a number, or 0.
func (p *point) leaf(word string) ir.Value {
	if d, ok := strings.CutPrefix(word, "index"); ok {
		return p.b.OpAttr(Index, p.b.Ctx().Props([]ir.NamedAttr{{Name: "dim", Value: p.b.Ctx().IntAttr(int64(d[0]-'0'), ir.I64)}}, nil))
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return p.b.Const(ir.I64, ir.Val{Bits: uint64(n)})
	}
	if x, err := strconv.ParseFloat(word, 64); err == nil {
		return arith.ConstFloat(p.b, ir.F64, x)
	}
	return 0
}

func (p *point) choose(args []ir.Value) (ir.Value, error) {
	g := p.b.Graph()
	if g.Type(args[0]) != ir.I1 || g.Type(args[1]) != g.Type(args[2]) {
		return 0, fmt.Errorf("chooses by elements of type i1 between two of one type, not by %s between %s and %s",
			quote(p.b.Ctx(), g.Type(args[0])), quote(p.b.Ctx(), g.Type(args[1])), quote(p.b.Ctx(), g.Type(args[2])))
	}
	return arith.Choose(p.b, args[0], args[1], args[2]), nil
}

func (p *point) apply(fn string, args ...ir.Value) (ir.Value, error) {
	c, t := p.b.Ctx(), p.b.Graph().Type(args[0])
	if c.Info(t).Kind == ir.KindComplex {
		return p.complex(fn, args)
	}
	for _, a := range args[1:] {
		if u := p.b.Graph().Type(a); u != t {
			return 0, fmt.Errorf("computes %s of elements of one type, not of %s and %s: only ops that say so convert", fn, quote(c, t), quote(c, u))
		}
	}
	f := scalars[fn]
	op := f.integer
	switch {
	case c.IsFloat(t):
		op = f.float
	case t == ir.I1:
		op = f.truth
	case !c.IsInt(t):
		op = nil
	}
	if op == nil {
		return 0, fmt.Errorf("does not compute %s of elements of type %s", fn, quote(c, t))
	}
	call := ir.Call{Def: op, Args: args}
	for _, name := range op.Attrs {
		switch name {
		case "fastmath":
			call.Attr = arith.FastMathProps(c, 0)
		case "overflowFlags":
			call.Attr = arith.OverflowProps(c, 0)
		}
	}
	return p.b.Must(call), nil
}

// complex makes an op of MLIR's dialect complex, which is unknown here: the op that it stands in is text only (see foreign).
func (p *point) complex(fn string, args []ir.Value) (ir.Value, error) {
	c, g := p.b.Ctx(), p.b.Graph()
	t := g.Type(args[0])
	if !slices.Contains([]string{"add", "sub", "mul", "div"}, fn) || g.Type(args[len(args)-1]) != t {
		return 0, fmt.Errorf("does not compute %s of elements of type %s", fn, quote(c, t))
	}
	def, err := c.Unregistered("complex." + fn)
	if err != nil {
		return 0, err
	}
	return p.b.Must(ir.Call{Def: def, Args: args, Attr: arith.FastMathProps(c, 0), Type: t}), nil
}

// foreign reports a region with an op that is unknown here.
func foreign(g *ir.Graph, r ir.Region) bool {
	return slices.ContainsFunc(g.Members(r), func(v ir.Value) bool { return g.IsOp(v) && !g.Def(v).Registered() })
}

// cast converts to the type of the output's elements.
func (p *point) cast(v ir.Value, unsigned bool) (ir.Value, error) {
	return p.convert(v, p.b.Graph().Type(p.out), unsigned)
}

func (p *point) convert(v ir.Value, to ir.Type, unsigned bool) (ir.Value, error) {
	c := p.b.Ctx()
	from := p.b.Graph().Type(v)
	switch {
	case from == to:
		return v, nil
	case from == ir.Index && to == ir.I32:
		return arith.Cast(p.b, arith.IndexCast, v, to), nil
	}
	if from == ir.Index || to == ir.Index || !c.IsInt(from) && !c.IsFloat(from) || !c.IsInt(to) && !c.IsFloat(to) {
		return 0, fmt.Errorf("does not convert elements of type %s to %s", quote(c, from), quote(c, to))
	}
	wide, narrow := c.Info(from).Width < c.Info(to).Width, c.Info(from).Width > c.Info(to).Width
	pick := func(signed, without *ir.OpDef) *ir.OpDef {
		if unsigned {
			return without
		}
		return signed
	}
	var op *ir.OpDef
	switch {
	case c.IsFloat(from) && c.IsFloat(to) && wide:
		op = arith.Extf
	case c.IsFloat(from) && c.IsFloat(to) && narrow:
		op = arith.Truncf
	case c.IsFloat(from) && c.IsInt(to):
		op = pick(arith.Fptosi, arith.Fptoui)
	case c.IsInt(from) && c.IsFloat(to):
		op = pick(arith.Sitofp, arith.Uitofp)
	case wide:
		op = pick(arith.Extsi, arith.Extui)
	case narrow:
		op = arith.Trunci
	}
	if op == nil {
		return 0, fmt.Errorf("does not convert elements of type %s to %s", quote(c, from), quote(c, to))
	}
	return arith.Cast(p.b, op, v, to), nil
}

// buildBody makes the region of a named op: the error says what it cannot do with such elements.
func (n *namedOp) buildBody(b *ir.Builder, attr ir.Attr, types []ir.Type) (ir.Region, error) {
	c := b.Ctx()
	elems := lists.Map(types, func(t ir.Type) ir.Type { return elemOf(c, t) })
	b.Open(ir.Loop, elems...)
	params := b.Params(b.Current())
	last := len(params) - 1
	p := &point{b: b, in: params[:last], out: params[last], fun: n.fun(), unsigned: enumWord(c, c.Get(attr, "cast")) == "cast_unsigned"}
	if f := enumWord(c, c.Get(attr, "fun")); f != "" {
		p.fun = f
	}
	v, err := p.value(n.body())
	if err == nil {
		if have, want := b.Graph().Type(v), elems[last]; have != want {
			err = fmt.Errorf("gives elements of type %s, and its output has %s", quote(c, have), quote(c, want))
		} else {
			b.Op(Yield, v)
		}
	}
	return b.Close(), err
}

// enumWord is the word of #linalg.unary_fn<exp>, or "".
func enumWord(c *ir.Context, a ir.Attr) string {
	if a == 0 || c.KindOf(a) != ir.AttrOpaque {
		return ""
	}
	_, word, _ := strings.Cut(c.AttrInfo(a).Str, "<")
	return strings.TrimSuffix(word, ">")
}

// sameBody reports that two regions compute the same of their parameters.
func sameBody(g *ir.Graph, x, y ir.Region) bool {
	xs, ys := g.Yields(x), g.Yields(y)
	if len(xs) != len(ys) || len(g.Params(x)) != len(g.Params(y)) {
		return false
	}
	for i := range xs {
		if !sameValue(g, xs[i], ys[i]) {
			return false
		}
	}
	return true
}

func sameValue(g *ir.Graph, x, y ir.Value) bool {
	if x == y {
		return true
	}
	_, i, ok := g.Param(x)
	if _, j, also := g.Param(y); ok || also {
		return ok && also && i == j
	}
	xs, ys := g.Args(x), g.Args(y)
	if g.Def(x) != g.Def(y) || g.AttrsOf(x) != g.AttrsOf(y) || g.Type(x) != g.Type(y) || len(xs) != len(ys) || len(g.Regions(x))+len(g.Regions(y)) > 0 {
		return false
	}
	for i := range xs {
		if !sameValue(g, xs[i], ys[i]) {
			return false
		}
	}
	return true
}
