package vector

import (
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Print is vector.print.
var Print = ir.Define(&ir.OpDef{
	Name: "vector.print", Doc: "Prints a value as MLIR's own runner does, or text, and then punctuation.",
	Args: []string{"source?"}, Attrs: []string{"punctuation", "stringLiteral"}, Infer: takes(0, 1, inferPrint),
	Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }})

func inferPrint(c *ir.Call) (ir.Type, error) {
	x := c.Ctx()
	word := punctuationOf(c)
	if _, ok := behind[word]; !ok {
		return 0, c.Errorf("prints newline, no_punctuation, comma, open or close, not %q", word)
	}
	if s := c.Get("stringLiteral"); s != 0 {
		switch {
		case x.AttrInfo(s).Kind != ir.AttrString:
			return 0, c.Errorf("requires attribute 'stringLiteral' to be a string")
		case len(c.Args) == 1 || word != "newline":
			return 0, c.Errorf("prints a string alone: a value and punctuation are ops of their own")
		}
	}
	if len(c.Args) == 1 {
		if elem := x.ElemOrSelf(c.ArgType(0)); x.Info(c.ArgType(0)).Kind != ir.KindVector && !isNumber(x, elem) {
			return 0, c.Errorf("prints a number or a vector, not %s", quote(c, c.ArgType(0)))
		}
	}
	return ir.Void, nil
}

func isNumber(c *ir.Context, t ir.Type) bool {
	k := c.Info(t).Kind
	return k == ir.KindInteger || k == ir.KindIndex || k == ir.KindFloat
}

// behind is what each punctuation prints.
var behind = map[string]string{"no_punctuation": "", "newline": "\n", "comma": ", ", "open": "( ", "close": " )"}

func punctuationOf(c *ir.Call) string {
	a := c.Get("punctuation")
	if a == 0 {
		return "newline"
	}
	return strings.TrimSuffix(strings.TrimPrefix(c.Ctx().AttrInfo(a).Str, "vector.punctuation<"), ">")
}

func runPrint(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	c := o.G.Ctx
	var out []byte
	if a := o.Call.Get("stringLiteral"); a != 0 { // behind which nothing is printed
		m.Emit(interp.Printed{Kind: interp.PrintText, Text: c.AttrInfo(a).Str})
		return nil
	}
	if len(args) == 1 {
		t := o.Call.ArgType(0)
		lanes, isVector := args[0].Ref.(ir.Vector)
		switch {
		case isVector:
			out, _ = appendLanes(out, c, c.Info(t).Elem, lanes, shapeOf(c, t))
		case c.Info(t).Kind == ir.KindVector:
			return tooLong
		default:
			out = appendNumber(out, c, args[0], t)
		}
	}
	out = append(out, behind[punctuationOf(o.Call)]...)
	m.Emit(interp.Printed{Kind: interp.PrintText, Text: string(out)})
	return nil
}

// appendLanes spells a vector of a shape in parentheses, one pair for each of its dimensions and one where it
// has none, and gives the lanes that are left.
func appendLanes(out []byte, c *ir.Context, elem ir.Type, lanes ir.Vector, shape []int64) ([]byte, ir.Vector) {
	n := int64(1)
	if len(shape) > 0 {
		n = shape[0]
	}
	out = append(out, "( "...)
	for i := range n {
		if i > 0 {
			out = append(out, ", "...)
		}
		if len(shape) > 1 {
			out, lanes = appendLanes(out, c, elem, lanes, shape[1:])
			continue
		}
		out, lanes = appendNumber(out, c, lanes[0], elem), lanes[1:]
	}
	return append(out, " )"...), lanes
}

// appendNumber spells a number as C's printf does: six digits of floats, booleans as 0 and 1, an index without a sign.
func appendNumber(out []byte, c *ir.Context, v ir.Val, t ir.Type) []byte {
	info := c.Info(t)
	switch {
	case v.IsPoison():
		return append(out, "poison"...)
	case info.Kind == ir.KindFloat:
		return appendFloat(out, v.Float(t))
	case info.Kind == ir.KindIndex, info.Sign == ir.Unsigned, info.Width == 1:
		return strconv.AppendUint(out, v.Bits, 10)
	}
	return strconv.AppendInt(out, v.Int(info.Width), 10)
}

func appendFloat(out []byte, x float64) []byte {
	if math.Signbit(x) {
		out, x = append(out, '-'), -x
	}
	switch {
	case math.IsNaN(x):
		return append(out, "nan"...)
	case math.IsInf(x, 1):
		return append(out, "inf"...)
	}
	return strconv.AppendFloat(out, x, 'g', 6, 64)
}
