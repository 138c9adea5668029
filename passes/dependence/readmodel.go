package dependence

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// model adds what a statement of a BUGS model reads and defines. All are updates; an
// observed node is read, and the statement an output: it is what the model is asked
// about.
func (b *builder) model(n ir.Node) {
	args := b.g.Args(n.Old())
	switch n.Def() {
	case ops.Assign:
		b.value(args[0], Value, facts{})
		b.target(args[1], args[2:])
		b.st.Text = b.spellElement(args[1], args[2:]) + " <- " + b.spell(args[0], 0)
	case ops.Stochastic:
		seg := b.g.Ctx.Ints(n.Attr("operandSegmentSizes"))
		k := 1 + int(seg[1])
		b.node(n, args[0], func(write bool) {
			if write {
				b.target(args[0], args[1:k])
			} else {
				b.read(args[0], args[1:k], Value, facts{})
			}
		})
		for _, a := range args[k : len(args)-int(seg[len(seg)-1])] { // the mask says what is known, and is no variable
			b.value(a, Value, facts{})
		}
		b.st.Text = b.spellElement(args[0], args[1:k]) + " ~ " + stringAttr(n, "dist") + "(" + b.spellAll(args[k:k+int(seg[2])], 0) + ")"
	case ops.Multivariate:
		b.multivariate(n, args)
	case ops.Compute:
		b.compute(n, args)
	}
	b.st.Operator = true
}

// node defines the node of a stochastic statement, or reads it if all of it is data.
func (b *builder) node(n ir.Node, array ir.Value, access func(write bool)) {
	observed := stringAttr(n, "observed")
	b.st.Output = observed != "none"
	access(observed != "all")
}

func (b *builder) multivariate(n ir.Node, args []ir.Value) {
	mask := stringAttr(n, "observed") == "mask"
	names := b.parts(args, func(i int, rest []ir.Value) bool {
		if i == 0 {
			b.node(n, args[0], func(write bool) { b.last().Write = write })
		}
		return mask && len(rest) == 0 // the mask says what is known, and is no variable
	})
	b.st.Text = names[0] + " ~ " + stringAttr(n, "dist") + "(" + strings.Join(names[1:], ", ") + ")"
}

// compute writes its first part.
func (b *builder) compute(n ir.Node, args []ir.Value) {
	names := b.parts(args, func(i int, _ []ir.Value) bool {
		if i == 0 {
			b.last().Write = true
		}
		return false
	})
	b.st.Text = names[0] + " <- " + stringAttr(n, "name") + "(" + strings.Join(names[1:], ", ") + ")"
}

func (b *builder) last() *Access { return &b.st.Accesses[len(b.st.Accesses)-1] }

// parts reads operands that are numbers, or arrays with two bounds for each dimension,
// and lists how they are written. After each it calls f with its number and what is
// left; if f says so, the part is forgotten.
func (b *builder) parts(args []ir.Value, f func(i int, rest []ir.Value) bool) (names []string) {
	for i := 0; len(args) > 0; i++ {
		v, rank := args[0], 0
		if isMemref(b.g, v) {
			rank = len(b.g.Ctx.Info(b.g.Type(v)).Shape)
		}
		bounds := args[1 : 1+2*rank]
		args = args[1+2*rank:]
		before := len(b.st.Accesses)
		if !isMemref(b.g, v) {
			b.value(v, Value, facts{})
			names = append(names, b.spell(v, 0))
			continue
		}
		b.part(v, bounds, Value, facts{})
		name := b.last().String()
		if f(i, args) {
			b.st.Accesses = b.st.Accesses[:before]
			continue
		}
		names = append(names, name)
	}
	return names
}

// part reads a rectangular part of an array: bounds are a lowest and a highest index
// by dimension. Its access is the last one added.
func (b *builder) part(m ir.Value, bounds []ir.Value, role Role, f facts) {
	for _, i := range bounds {
		b.value(i, Index, facts{})
	}
	x, w := b.root(m)
	a := Access{Var: x, Domain: b.st.Domain}
	for k := 0; w == nil && k+1 < len(bounds); k += 2 {
		lo, ok := b.affine(bounds[k])
		hi, both := b.affine(bounds[k+1])
		a.Subs = append(a.Subs, Sub{ok && both, lo, hi})
	}
	b.note(a, role, f)
}

// longest is how many letters of a statement a table shows.
const longest = 44

func clip(s string) string {
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}

// infix are ops that people write between their operands.
var infix = map[*ir.OpDef]string{arith.Addf: "+", arith.Addi: "+", arith.Subf: "-", arith.Subi: "-",
	arith.Mulf: "*", arith.Muli: "*", arith.Divf: "/", arith.Divsi: "/"}

// deepestText is how deep an expression is spelt.
const deepestText = 6

// spell writes a value as an expression.
func (r *reader) spell(v ir.Value, depth int) string {
	n, i, many := r.g.Projection(v)
	switch {
	case r.vars[v] != nil:
		return r.vars[v].Name
	case r.results[n] != nil:
		return r.results[n].Name
	case isMemref(r.g, v):
		return r.spellElement(v, nil)
	case depth > deepestText:
		return "…"
	}
	if a, ok := r.affine(v); ok && len(a.Terms) > 0 || !r.g.IsOp(n) {
		return r.spellAffine(v, a)
	}
	if c, ok := r.g.Const(v); ok && c.Ref == nil {
		if r.g.Ctx.Info(r.g.Type(v)).Kind == ir.KindFloat {
			return fmt.Sprint(c.Float(r.g.Type(v)))
		}
		return fmt.Sprint(c.Int(width(r.g, v)))
	}
	if read, ok := reading(r.g.NodeOf(n)); ok {
		return r.spellElement(read.Memory, read.Indices)
	}
	if call, ok := callOf(r.g.NodeOf(n)); ok {
		return r.spellCall(call, depth)
	}
	args, def := r.g.Args(n), r.g.Def(n)
	switch {
	case len(r.g.Regions(n)) > 0:
		return r.spellRegions(n, depth)
	case def == ops.IndexOf || def == arith.IndexCast:
		return r.spell(args[0], depth+1)
	case def == ops.Reduce:
		return stringAttr(r.g.NodeOf(n), "kind") + "(" + r.spell(args[0], depth+1) + "[])"
	case def == ops.Function || def == ops.Apply:
		return stringAttr(r.g.NodeOf(n), "name") + "(" + r.spellAll(args, depth+1) + ")"
	case infix[def] != "" && len(args) == 2:
		x, y := r.spell(args[0], depth+1), r.spell(args[1], depth+1)
		if depth > 0 {
			return "(" + x + " " + infix[def] + " " + y + ")"
		}
		return x + " " + infix[def] + " " + y
	case many:
		return fmt.Sprintf("%s#%d", def.Name, i)
	}
	_, short, _ := strings.Cut(def.Name, ".")
	return short + "(" + r.spellAll(args, depth+1) + ")"
}

func (r *reader) spellCall(c ir.CallLike, depth int) string {
	return c.Callee + "(" + r.spellAll(c.Operands, depth+1) + ")"
}

// spellRegions writes what the regions of an op yield.
func (r *reader) spellRegions(n ir.Value, depth int) string {
	parts := lists.Map(r.g.Regions(n), func(in ir.Region) string { return r.spellAll(r.g.Yields(in), depth+1) })
	_, short, _ := strings.Cut(r.g.Def(n).Name, ".")
	return short + " {" + strings.Join(parts, "; ") + "}"
}

// spellAffine writes an expression with the loops' own names.
func (r *reader) spellAffine(v ir.Value, a presburger.Sum) string {
	if len(a.Terms) == 0 {
		return "carried"
	}
	return spell(a, r.loopsKnown)
}

func (r *reader) spellAll(vs []ir.Value, depth int) string {
	parts := lists.Map(vs, func(v ir.Value) string { return r.spell(v, depth) })
	return strings.Join(parts, ", ")
}

func (r *reader) spellElement(m ir.Value, indices []ir.Value) string {
	x, w := r.root(m)
	if x == nil {
		return "?"
	}
	if w != nil {
		a := r.element(m, indices, Domain{Loops: r.loopsKnown})
		return a.String()
	}
	if len(indices) == 0 {
		return x.Name
	}
	return x.Name + "[" + r.spellAll(indices, 1) + "]"
}
