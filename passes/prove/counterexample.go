package prove

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// A Counterexample is arguments on which the functions differ.
type Counterexample struct {
	Names    []string // of the arguments, if they have some
	Args     []Number // elements of a vector one behind the other, if there are some
	Src, Tgt string   // what each does; Src is "" where it may choose, and never does what @tgt does
	Chosen   []Number // what freezes of @tgt gave for poison, in order
}

// A Number is an argument: of each lane its bits, or that it is poison.
type Number []struct {
	Bits   uint64
	Poison bool
	Width  int
}

func (x *Counterexample) String() string {
	args := make([]string, len(x.Args))
	for i, a := range x.Args {
		args[i] = a.String()
		if i < len(x.Names) {
			args[i] = x.Names[i] + " = " + args[i]
		}
	}
	on := "on (" + strings.Join(args, ", ") + ")"
	if len(args) == 0 {
		on = "always"
	}
	out := fmt.Sprintf("%s @src gives %s, and @tgt %s", on, x.Src, x.Tgt)
	if x.Src == "" {
		out = fmt.Sprintf("%s @tgt gives %s, which @src never gives", on, x.Tgt)
	}
	for i, n := range x.Chosen {
		out += []string{" where freeze chooses ", ", "}[min(i, 1)] + fmt.Sprint(n)
	}
	return out
}

// String writes it as a program does: signed, and truth values in words.
func (n Number) String() string {
	out := make([]string, len(n))
	for i, l := range n {
		switch {
		case l.Poison:
			out[i] = "poison"
		case l.Width == 1:
			out[i] = fmt.Sprint(l.Bits == 1)
		default:
			out[i] = fmt.Sprint(ir.IntVal(int64(l.Bits), l.Width).Int(l.Width))
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// counterexample reads a model. What src does is left out where it may choose: the model has no choice of it that matters.
func (p *proof) counterexample(m circuit.Model) *Counterexample {
	out := &Counterexample{Src: p.describe(m, p.src), Tgt: p.describe(m, p.tgt)}
	if len(p.any) > 0 {
		out.Src = ""
	}
	for _, x := range p.args {
		out.Args = append(out.Args, p.number(m, x))
	}
	for _, c := range p.tgt.choices {
		if p.Value(m, c.where)[0] {
			out.Chosen = append(out.Chosen, p.number(m, Value{{Bits: c.bits}}))
		}
	}
	return out
}

// describe says what a function does under a model.
func (p *proof) describe(m circuit.Model, o outcome) string {
	if p.Value(m, o.undefined)[0] {
		return "undefined behaviour"
	}
	out := make([]string, len(o.results))
	for i, x := range o.results {
		out[i] = p.number(m, x).String()
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

// number reads a value of a model.
func (p *proof) number(m circuit.Model, x Value) Number {
	out := make(Number, len(x))
	for i, l := range x {
		out[i].Bits, out[i].Poison, out[i].Width = p.Number(m, l.Bits), p.Value(m, l.Poison)[0], len(l.Bits)
	}
	return out
}

// Calls are the functions @call_src and @call_tgt, which call @src and @tgt of the types of a body on the arguments.
func (x *Counterexample) Calls(body *ir.Graph) string {
	var b, args strings.Builder
	var names, in, out, results []string
	for i, v := range body.Params(ir.Root) {
		t := text.TypeString(body.Ctx, body.Type(v))
		names, in = append(names, fmt.Sprintf("%%x%d", i)), append(in, t)
		x.Args[i].define(&args, names[i], t)
	}
	yields := body.Yields(ir.Root)
	for i, v := range yields {
		out, results = append(out, text.TypeString(body.Ctx, body.Type(v))), append(results, fmt.Sprintf("%%r#%d", i))
	}
	left := fmt.Sprintf("%%r:%d = ", len(out))
	switch len(out) {
	case 0:
		left = ""
	case 1:
		left, results[0] = "%r = ", "%r"
	}
	given := strings.Join(out, ", ")
	gives := given
	if len(out) != 1 {
		gives = "(" + given + ")"
	}
	for _, name := range []string{"src", "tgt"} {
		fmt.Fprintf(&b, "func.func @call_%s() -> %s {\n%s  %sfunc.call @%s(%s) : (%s) -> %s\n  return", name, gives, args.String(), left, name,
			strings.Join(names, ", "), strings.Join(in, ", "), gives)
		if len(out) > 0 {
			fmt.Fprintf(&b, " %s : %s", strings.Join(results, ", "), given)
		}
		b.WriteString("\n}\n")
	}
	return b.String()
}

// define writes the ops that make a number of a type.
func (n Number) define(b *strings.Builder, name, typ string) {
	if !strings.HasPrefix(typ, "vector<") {
		n.lane(b, 0, name, typ)
		return
	}
	elem := "index"
	if !strings.HasSuffix(typ, "xindex>") {
		elem = strings.TrimSuffix(typ[strings.LastIndexByte(typ, 'x')+1:], ">")
	}
	lanes := make([]string, len(n))
	for i := range n {
		lanes[i] = fmt.Sprintf("%s_%d", name, i)
		n.lane(b, i, lanes[i], elem)
	}
	fmt.Fprintf(b, "  %s = vector.from_elements %s : %s\n", name, strings.Join(lanes, ", "), typ)
}

// lane writes the op that makes one number. A truth value has no type behind it: so the text form has it.
func (n Number) lane(b *strings.Builder, i int, name, typ string) {
	if n[i].Poison {
		fmt.Fprintf(b, "  %s = ub.poison : %s\n", name, typ)
		return
	}
	if typ == "i1" {
		fmt.Fprintf(b, "  %s = arith.constant %v\n", name, n[i:i+1])
		return
	}
	fmt.Fprintf(b, "  %s = arith.constant %v : %s\n", name, n[i:i+1], typ)
}
