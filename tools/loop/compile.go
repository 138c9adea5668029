package loop

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/lowering"
)

// compiler makes the ops of expressions. An expression has one value in a region and those
// inside of it.
type compiler struct {
	b      *ir.Builder
	names  []string
	args   []ir.Value
	scopes []*scope // that are open
	places *ir.Places
}

// A scope has the values of the expressions that belong to a region.
type scope struct{ values map[*node]ir.Value }

// here is the innermost scope.
func (c *compiler) here() *scope { return c.scopes[len(c.scopes)-1] }

// inside refuses an expression of a row or of a group where that is not at hand.
func (c *compiler) inside(s *scope) {
	if !slices.Contains(c.scopes, s) {
		fail("an expression of a row, of a group or of its key is used outside of the function that was given it: it has no value there; a sum over the rows has")
	}
}

func (c *compiler) argument(name string) ir.Value {
	i := slices.Index(c.names, name)
	if i < 0 {
		fail("the query reads the input %q, which Compile was not given; it was given %s", name, list(c.names))
	}
	return c.args[i]
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	quoted := lists.Map(names, func(n string) string { return fmt.Sprintf("%q", n) })
	return strings.Join(quoted, ", ")
}

// value is the value of an expression.
func (c *compiler) value(n *node) ir.Value {
	if n == nil {
		fail("an expression has no value: it was declared and not set")
	}
	for _, s := range c.scopes {
		if v, ok := s.values[n]; ok {
			return v
		}
	}
	around := c.b.Loc
	c.b.Loc = n.place(c.places)
	v := n.build(c)
	c.b.Loc = around
	c.here().values[n] = v
	return v
}

func (c *compiler) values(list []Expr) []ir.Value {
	return lists.Map(list, func(x Expr) ir.Value { return c.value(x.made()) })
}

func (c *compiler) index(n Num[int64]) ir.Value {
	return arith.Cast(c.b, arith.IndexCast, c.value(n.node), ir.Index)
}

// within makes what belongs to a region that is open.
func within[R any](c *compiler, f func() R) R {
	c.scopes = append(c.scopes, &scope{map[*node]ir.Value{}})
	out := f()
	c.scopes = c.scopes[:len(c.scopes)-1]
	return out
}

// A result is what a program gives: an array of rows, or the expressions of one row.
type result struct {
	*shape
	array *node
	row   []Expr
}

// tabular is a Query of any rows.
type tabular interface {
	Input
	shape() *shape
}

func resultOf(x any) result {
	if q, ok := x.(tabular); ok {
		return result{shape: q.shape(), array: q.made()}
	}
	s := shapeOf(reflect.TypeOf(x))
	return result{shape: s, row: s.exprs(x)}
}

// An input is an argument of a program.
type input struct {
	*shape
	name  string
	array bool
}

func inputsOf(list []Input) (out []input) {
	var names []string
	for _, x := range list {
		in := input{name: x.made().input}
		if in.name == "" {
			fail("argument %d of the program is computed: inputs are what From and Param made", len(out))
		}
		if slices.Contains(names, in.name) {
			fail("two inputs are named %q", in.name)
		}
		if q, ok := x.(tabular); ok {
			in.shape, in.array = q.shape(), true
		} else {
			in.shape = shapeOf(reflect.TypeOf(x))
		}
		names, out = append(names, in.name), append(out, in)
	}
	return out
}

// typeIn is the type of an input's value.
func (in input) typeIn(c *ir.Context) ir.Type {
	if in.array {
		return loop.Array(c, in.elem(c))
	}
	return in.elem(c)
}

// entry is the name of the function that a query becomes.
const entry = "main"

// module makes the function of a query.
func module(ctx *ir.Context, r result, inputs []input) (g *ir.Graph, err error) {
	err = mistakes(func() error {
		g = moduleOf(ctx, r, inputs)
		return nil
	})
	return g, err
}

func moduleOf(ctx *ir.Context, r result, inputs []input) *ir.Graph {
	c := &compiler{places: ctx.NewPlaces()}
	types := make([]ir.Type, len(inputs))
	for i, in := range inputs {
		c.names = append(c.names, in.name)
		types[i] = in.typeIn(ctx)
	}
	m := ir.NewBuilder(ctx)
	funcs.Function(m, entry, types, func(b *ir.Builder, args []ir.Value) []ir.Value {
		c.b, c.args = b, args
		return within(c, func() []ir.Value {
			if r.array != nil {
				return []ir.Value{c.value(r.array)}
			}
			return c.values(r.row)
		})
	})
	b := ir.NewBuilder(ctx)
	b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{m.Finish()}})
	return b.Finish()
}

// mistakes makes a mistake in a query an error.
func mistakes(f func() error) (err error) {
	op, wrong := unwind.Catch[*ir.OpError](func() {
		if x, failed := unwind.Catch[failure](func() { err = f() }); failed {
			err = x.error
		}
	})
	if wrong {
		return fmt.Errorf("loop: %w", op)
	}
	return err
}

// Compile makes a program of a query, of an expression or of a struct of such; R is []S for a
// query of rows like S, and of one value or row its plain type. The inputs are the arguments of
// the program, in this order. The program is native code where there is libLLVM; Engine says which it is.
func Compile[R any](ctx context.Context, x any, inputs ...Input) (*Program[R], error) {
	return CompileOn[R](ctx, engine.Auto, x, inputs...)
}

// CompileOn is Compile for an engine: engine.Eval, engine.LLVM or engine.Auto. It is an error, too, where the engine is not there.
func CompileOn[R any](ctx context.Context, kind *engine.Kind, x any, inputs ...Input) (p *Program[R], err error) {
	p = &Program[R]{}
	if err := p.prepare(x, inputs); err != nil {
		return nil, err
	}
	g, err := module(ir.NewContext(dialects.All...), p.result, p.inputs)
	if err != nil {
		return nil, err
	}
	p.whole = g
	if p.e, _, err = kind.Start(ctx, engine.Options{}); err != nil {
		return nil, err
	}
	if err := p.compile(ctx); err != nil {
		return nil, errors.Join(err, p.e.Close())
	}
	return p, nil
}

// prepare looks at what goes in and comes out.
func (p *Program[R]) prepare(x any, inputs []Input) error {
	return mistakes(func() error {
		p.result = resultOf(x)
		p.inputs = inputsOf(inputs)
		p.out = p.result.plain(reflect.TypeFor[R](), p.result.array != nil, "the result of the query")
		return nil
	})
}

// compile takes the program down and makes it ready.
func (p *Program[R]) compile(ctx context.Context) error {
	low, err := lowering.Compile(ctx, p.whole, p.e.Target())
	if err != nil {
		return err
	}
	list, err := p.e.Prepare(ctx, low)
	if err != nil {
		return err
	}
	p.p = list[0]
	m, err := interp.New(low, interp.Options{})
	if err != nil {
		return err
	}
	if p.low, err = m.Resolve(entry); err != nil {
		return err
	}
	whole, err := interp.New(p.whole, interp.Options{})
	if err != nil {
		return err
	}
	f, err := whole.Resolve(entry)
	p.types = f.Results
	return err
}
