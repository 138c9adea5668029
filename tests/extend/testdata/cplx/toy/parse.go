package toy

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/cli"
)

// Toy is the language: functions of arrays, whose shapes nobody writes.
//
//	def main() {
//	  var a<2, 3> = [1, 2, 3, 4, 5, 6];
//	  print(transpose(a) * transpose(a));
//	}
var Toy = &cli.Input{Name: "toy", What: "a program in Toy", Extensions: []string{".toy"}, Comment: "#", Read: read}

// read makes a module of the functions of a source.
func read(ctx *ir.Context, src *diag.Source, _ cli.ReadOptions) (g *ir.Graph, list diag.List) {
	p := &parser{src: src, module: ir.NewBuilder(ctx), functions: map[string]function{}}
	for _, m := range heading.FindAllStringSubmatchIndex(src.Text, -1) {
		p.functions[src.Text[m[2]:m[3]]] = function{arity: len(word.FindAllString(src.Text[m[4]:m[5]], -1))}
	}
	defer func() {
		switch wrong := recover().(type) {
		case nil:
		case mistake:
			g, list = nil, diag.List{wrong.d}
		default:
			panic(wrong)
		}
	}()
	for p.next(); p.token != ""; {
		p.function()
	}
	b := ir.NewBuilder(ctx)
	b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{p.module.Finish()}})
	return b.Finish(), nil
}

var (
	heading = regexp.MustCompile(`\bdef\s+(\w+)\s*\(([^)]*)\)`)
	word    = regexp.MustCompile(`\w+`)
	lexeme  = regexp.MustCompile(`^(?:\s|#[^\n]*)*([A-Za-z_]\w*|[0-9]+(?:\.[0-9]+)?|\S|$)`)
)

// function is what a call has to know of one.
type function struct{ arity int }

// A mistake is what the parser panics with: it reads no further than the first.
type mistake struct{ d *diag.Diagnostic }

// parser reads with one token in hand.
type parser struct {
	src       *diag.Source
	start, at int // of the token, and behind it
	token     string
	module, b *ir.Builder
	functions map[string]function
	names     map[string]ir.Value
}

func (p *parser) next() (was string) {
	was = p.token
	m := lexeme.FindStringSubmatchIndex(p.src.Text[p.at:])
	p.start, p.at = p.at+m[2], p.at+m[3]
	p.token = p.src.Text[p.start:p.at]
	return was
}

// fail ends reading.
func (p *parser) fail(from, to int, format string, args ...any) {
	panic(mistake{diag.Errorf(p.src.Span(from, to), format, args...)})
}

func (p *parser) take(token string) bool {
	if p.token != token {
		return false
	}
	p.next()
	return true
}

func (p *parser) want(token, where string) {
	if !p.take(token) {
		p.fail(p.start, max(p.at, p.start+1), "'%s' is wanted %s, not '%s'", token, where, p.token)
	}
}

func (p *parser) name() string {
	if !word.MatchString(p.token) {
		p.fail(p.start, max(p.at, p.start+1), "a name is wanted, not '%s'", p.token)
	}
	return p.next()
}

// function is def name(parameters) { statements }. One that nobody may call from outside has arrays of any shape.
func (p *parser) function() {
	p.want("def", "before a function")
	at := p.start
	name := p.name()
	var params []string
	for p.want("(", "behind the name of a function"); p.token != ")"; p.take(",") {
		params = append(params, p.name())
	}
	p.want(")", "behind the parameters")
	c := p.module.Ctx()
	in := slices.Repeat([]ir.Type{unshaped(c)}, len(params))
	p.b, p.names = ir.NewBuilder(c), map[string]ir.Value{}
	for i, name := range params {
		p.names[name] = p.b.Param(in[i])
	}
	p.want("{", "before the body of a function")
	var result []ir.Value
	for p.token != "}" {
		result = append(result, p.statement()...)
		p.want(";", "behind a statement")
	}
	p.want("}", "behind the body of a function")
	visibility, out := "private", []ir.Type{}
	if name == "main" {
		visibility = ""
	}
	for range result {
		out = append(out, unshaped(c))
	}
	if len(result) > 1 || name == "main" && len(in)+len(out) > 0 {
		p.fail(at, at+len(name), "a function returns one array, at its end, and main takes and returns none")
	}
	p.b.Op(funcs.Return, result...)
	p.module.Must(ir.Call{Def: funcs.Func, Attr: funcs.Props(c, name, visibility, in, out), Graphs: []*ir.Graph{p.b.Finish()}, Loc: ir.Loc(at + 1)})
}

// statement is one of three; it gives what a function returns.
func (p *parser) statement() []ir.Value {
	switch {
	case p.take("return"):
		return []ir.Value{p.cast(p.sum(), unshaped(p.b.Ctx()))}
	case p.take("print"):
		at := p.start
		p.want("(", "behind print")
		x := p.sum()
		p.b.Loc = ir.Loc(at + 1)
		p.b.Op(Print, x)
		p.want(")", "behind what is printed")
	case p.take("var"):
		name := p.name()
		var shape []int64
		if p.take("<") {
			for p.token != ">" {
				shape = append(shape, p.integer())
				p.take(",")
			}
			p.want(">", "behind a shape")
		}
		p.want("=", "behind the name of an array")
		at := p.start
		x := p.sum()
		if shape != nil {
			x = p.reshape(at, x, shape)
		}
		p.names[name] = x
	default:
		p.fail(p.start, max(p.at, p.start+1), "a statement is var, print or return")
	}
	return nil
}

func (p *parser) reshape(at int, x ir.Value, shape []int64) ir.Value {
	t, err := arrayType.Make(p.b.Ctx(), array{p.b.Ctx().DenseArray(ir.I64, shape...)})
	if err != nil {
		p.fail(at, p.start, "an array %v", err)
	}
	p.b.Loc = ir.Loc(at + 1)
	v, err := p.b.Make(ir.Call{Def: Reshape, Args: []ir.Value{x}, Type: t})
	if err != nil {
		p.fail(at, p.start, "the shape has another number of elements")
	}
	return v
}

func (p *parser) integer() int64 {
	n, err := strconv.ParseInt(p.token, 10, 32)
	if err != nil {
		p.fail(p.start, max(p.at, p.start+1), "a whole number is wanted, not '%s'", p.token)
	}
	p.next()
	return n
}

// cast has an array of a type, which forgets its shape or has it already.
func (p *parser) cast(x ir.Value, t ir.Type) ir.Value {
	return p.b.Must(ir.Call{Def: Cast, Args: []ir.Value{x}, Type: t})
}

// binary reads operands with an operator between them.
func (p *parser) binary(op string, def *ir.OpDef, operand func() ir.Value) ir.Value {
	x := operand()
	for p.token == op {
		at := p.start
		p.next()
		y := operand()
		p.b.Loc = ir.Loc(at + 1)
		v, err := p.b.Make(ir.Call{Def: def, Args: []ir.Value{x, y}})
		if err != nil {
			p.fail(at, at+1, "%v", err)
		}
		x = v
	}
	return x
}

func (p *parser) sum() ir.Value {
	return p.binary("+", Add, func() ir.Value { return p.binary("*", Mul, p.factor) })
}

// factor is an array that is written, a name, a call, or a sum in parentheses.
func (p *parser) factor() ir.Value {
	at := p.start
	switch {
	case p.token == "[":
		return p.literal()
	case p.take("("):
		x := p.sum()
		p.want(")", "behind a sum in parentheses")
		return x
	}
	name := p.name()
	if p.take("(") {
		return p.call(at, name)
	}
	x := p.names[name]
	if x == 0 {
		p.fail(at, at+len(name), "there is no array %s", name)
	}
	return x
}

// call is of transpose or of a function of the program, to which an array goes without its shape.
func (p *parser) call(at int, name string) ir.Value {
	var args []ir.Value
	for p.token != ")" {
		args = append(args, p.sum())
		p.take(",")
	}
	p.want(")", "behind the arguments of a call")
	f, known := p.functions[name]
	if name == "transpose" {
		f, known = function{1}, true
	}
	switch {
	case !known:
		p.fail(at, at+len(name), "there is no function %s", name)
	case len(args) != f.arity:
		p.fail(at, p.start, "%s takes %d arrays, and here are %d", name, f.arity, len(args))
	}
	p.b.Loc = ir.Loc(at + 1)
	if name == "transpose" {
		return p.b.Op(Transpose, args...)
	}
	for i := range args {
		args[i] = p.cast(args[i], unshaped(p.b.Ctx()))
	}
	return p.b.Result(funcs.CallTo(p.b, name, []ir.Type{unshaped(p.b.Ctx())}, args...), 0)
}

// literal is a list of numbers, or of such lists of one length.
func (p *parser) literal() ir.Value {
	at := p.start
	var elems []ir.Val
	shape := p.list(&elems, 0)
	c := p.b.Ctx()
	if ir.Elements(shape) != int64(len(elems)) || len(shape) > 2 || len(elems) == 0 {
		p.fail(at, p.start, "an array has one or two dimensions, rows of one length, and numbers in it")
	}
	p.b.Loc = ir.Loc(at + 1)
	t := c.Tensor(shape, ir.F64)
	return p.b.OpAttr(Constant, c.With(0, "value", ir.DenseAttr(c, t, elems...)))
}

// list reads a list, and gives the shape of it by its first elements.
func (p *parser) list(elems *[]ir.Val, depth int) (shape []int64) {
	p.want("[", "before the numbers of an array")
	n := int64(0)
	var inner []int64
	for ; p.token != "]" && depth < 3; p.take(",") {
		if n++; p.token == "[" {
			inner = p.list(elems, depth+1)
			continue
		}
		x, err := strconv.ParseFloat(p.token, 64)
		if err != nil {
			p.fail(p.start, max(p.at, p.start+1), "a number is wanted, not '%s'", p.token)
		}
		p.next()
		*elems = append(*elems, ir.FloatVal(x, ir.F64))
	}
	p.want("]", "behind the numbers of an array")
	return append([]int64{n}, inner...)
}
