// Package equations reads systems of equations (.eq) for the command line, and gives them their data.
package equations

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// Input is the kind of input.
var Input = &cli.Input{Name: "eq", What: "a system of equations", Extensions: []string{".eq"}, Comment: "#", Sniff: startsProgram, Read: readEquations, Bind: bindEquations, Arguments: equationArguments,
	Flags: append([]string{"data", "D"}, cli.ProgramFlags...)}

// startsProgram reports a text that begins as a program of equations does.
var startsProgram = regexp.MustCompile(`^(\s|#.*\n|//.*\n)*program\s+\w+\s*\(`).MatchString

// readEquations reads a program of equations.
func readEquations(ctx *ir.Context, src *diag.Source, _ cli.ReadOptions) (*ir.Graph, diag.List) {
	return equations.Read(ctx, src)
}

// equationArguments are the names of the parameters, and of the inputs and outputs, of a program that is right.
func equationArguments(src *diag.Source) (params, arrays []string) {
	in, _ := equations.InterfaceOf(src)
	for _, a := range in.Arrays {
		arrays = append(arrays, a.Name)
	}
	return in.Params, arrays
}

// bindEquations gives the parameters of a program their values, its inputs their data and
// its outputs room.
func bindEquations(ctx *ir.Context, src *diag.Source, files []*diag.Source, given map[string]string) (*cli.Bound, diag.List) {
	in, list := equations.InterfaceOf(src)
	if list.Err() != nil {
		return nil, list
	}
	b := &binding{ctx: ctx, in: in, params: map[string]presburger.Int{}, data: input.NewData(), width: memoryHere(), out: &cli.Bound{Entry: in.Name}}
	b.read(files)
	b.parameters(given)
	if b.list.Err() == nil {
		b.context()
	}
	if b.list.Err() == nil {
		for _, a := range in.Arrays {
			b.argument(a)
		}
	}
	return b.out, b.list
}

// memoryHere is what the machine has, in bytes.
func memoryHere() int64 {
	if n := target.Host().Memory; n > 0 {
		return n
	}
	return 1 << 36
}

type binding struct {
	ctx    *ir.Context
	in     equations.Interface
	params map[string]presburger.Int
	data   *input.Data
	width  int64 // bytes that arrays may still take
	out    *cli.Bound
	list   diag.List
}

func (b *binding) fail(at diag.Span, fix, format string, args ...any) {
	d := diag.Errorf(at, format, args...)
	d.Fix = fix
	b.list = append(b.list, d)
}

func (b *binding) read(files []*diag.Source) {
	for _, f := range files {
		d, more := input.ParseData(f, input.DetectKind(f.Name, f.Text))
		b.list = append(b.list, more...)
		if more.Err() != nil {
			continue
		}
		for _, n := range d.Names {
			b.data.Set(n, d.Span(n), d.Get(n))
		}
	}
}

// parameters takes those of -D, or else of the data.
func (b *binding) parameters(given map[string]string) {
	for _, p := range b.in.Params {
		text, ok := given[p]
		switch a := b.data.Get(p); {
		case ok:
		case a != nil && len(a.Values) == 1 && a.IsInt:
			text = strconv.FormatFloat(a.Values[0], 'f', -1, 64)
		default:
			b.fail(diag.Span{}, fmt.Sprintf("give it: -D %s=100", p), "the parameter %s of the program has no value", p)
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			b.fail(diag.Span{}, "", "-D %s=%s is no integer of 64 bits", p, text)
			continue
		}
		b.params[p] = presburger.NewInt(n)
		b.out.Args, b.out.Names = append(b.out.Args, ir.IntVal(n, 64)), append(b.out.Names, "")
		b.out.Inputs = append(b.out.Inputs, "")
	}
	for _, p := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(b.in.Params, p) {
			d := fmt.Sprintf("its parameters are %s", strings.Join(b.in.Params, ", "))
			if near := diag.Nearest(p, b.in.Params); near != "" {
				d = "did you mean " + near + "?"
			}
			b.fail(diag.Span{}, d, "the program has no parameter %s", p)
		}
	}
}

// context: what the program says of its parameters has to hold.
func (b *binding) context() {
	ok, err := b.in.Context.Contains(nil, b.params)
	if err != nil || ok {
		return
	}
	at := lists.Map(b.in.Params, func(p string) string { return p + " = " + b.params[p].String() })
	b.fail(diag.Span{}, "", "%s is not what the program says of its parameters: %s", strings.Join(at, ", "), b.in.Context)
}

// argument makes the memory of an input or output.
func (b *binding) argument(a equations.Argument) {
	sizes, err := poly.Sizes(a.Extent, b.params)
	if err != nil {
		b.fail(a.Span, "", "the size of %s: %v", a.Name, err)
		return
	}
	x := b.data.Get(a.Name)
	if !a.Output && !b.isGiven(a, x, sizes) {
		return
	}
	strides, n, ok := strided.RowMajor(sizes)
	bytes := max(int64(b.ctx.ElemSize(a.Type)), 1)
	if !ok || n > b.width/bytes {
		b.fail(a.Span, "", "%s has the sizes %v, and this machine has not as much memory", a.Name, sizes)
		return
	}
	b.width -= n * bytes
	buf := interp.NewBuffer(b.ctx, a.Type, int(n), false)
	b.out.Args = append(b.out.Args, ir.Val{Ref: &interp.MemRef{Buf: buf, Sizes: sizes, Strides: strides}})
	if a.Output {
		b.out.Names, b.out.Inputs = append(b.out.Names, a.Name), append(b.out.Inputs, "")
		return
	}
	b.out.Names, b.out.Inputs = append(b.out.Names, ""), append(b.out.Inputs, a.Name)
	for i, v := range x.Values {
		if x.IsMissing(i) {
			b.fail(b.data.Span(a.Name), "", "%s has a missing value, element %d", a.Name, i)
			return
		}
		w, ok := b.element(a.Type, v)
		if !ok {
			b.fail(b.data.Span(a.Name), "", "%v is no value of an array of %s", v, typeName(a.Type))
			return
		}
		buf.Store(i, w)
	}
}

// isGiven reports an input that has data of its sizes.
func (b *binding) isGiven(a equations.Argument, x *input.Array, sizes []int64) bool {
	switch {
	case x == nil:
		b.fail(a.Span, "give it with -data", "the input %s has no data", a.Name)
		return false
	case !sameSizes(x, sizes):
		b.fail(b.data.Span(a.Name), "", "%s has the sizes %v, and here are %v", a.Name, sizes, x.Dims)
		return false
	}
	return true
}

func typeName(t ir.Type) string {
	return map[ir.Type]string{ir.F64: "f64", ir.F32: "f32", ir.I64: "i64", ir.I32: "i32", ir.I1: "i1"}[t]
}

func sameSizes(x *input.Array, sizes []int64) bool {
	if len(x.Dims) == 0 && len(x.Values) == 1 {
		return lists.All(sizes, func(s int64) bool { return s == 1 })
	}
	// An empty list does not say how many dimensions it has.
	if len(x.Values) == 0 {
		return slices.Contains(sizes, 0)
	}
	return slices.EqualFunc(x.Dims, sizes, func(a int, b int64) bool { return int64(a) == b })
}

// maxExact is the greatest integer of which files of data have each one below, too.
const maxExact = 1 << 53

// element makes a number a value of a type; integers must be whole, exact and fit.
func (b *binding) element(t ir.Type, v float64) (ir.Val, bool) {
	if b.ctx.IsFloat(t) {
		return ir.FloatVal(v, t), true
	}
	w := b.ctx.Info(t).Width
	n := int64(v)
	return ir.IntVal(n, w), float64(n) == v && -maxExact < n && n < maxExact && (ir.IntVal(n, w).Int(w) == n || w == 1 && n == 1)
}
