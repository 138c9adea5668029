package prove

import (
	"errors"
	"fmt"
	"iter"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// An encoder translates one function and what it calls.
type encoder struct {
	*circuit.Circuit
	rows      Table
	bodies    map[string]*ir.Graph
	undefined circuit.Bit // the program has undefined behaviour
	path      circuit.Bit // what is translated runs
	choices   []choice    // of freezes, in order
	depth     int         // calls
	ops       int         // that were translated

	g      *ir.Graph
	s      *ir.Schedule
	values map[ir.Value]Value // by the node that gives several, and by index behind it
	parts  map[ir.Value][]Value
}

// A choice is a number that an op may choose where a bit is true.
type choice struct {
	where circuit.Bit
	bits  []circuit.Bit
}

const (
	// maxCalls are nested; recursion ends there.
	maxCalls = 64
	// maxOps are translated: functions that call others twice, many deep, would never be done.
	maxOps = 1 << 16
	// maxGates of a circuit, of both functions, take some hundred megabytes with their clauses.
	maxGates = 1 << 21
)

// affordable refuses to make a circuit too large.
func (e *encoder) affordable() error {
	if e.ops > maxOps || e.Size() > maxGates {
		return fmt.Errorf("with it there are more than %d ops or %d gates, which is too much to decide", maxOps, maxGates)
	}
	return nil
}

// Bodies are the functions of a module by name.
func Bodies(module *ir.Graph) map[string]*ir.Graph {
	out := map[string]*ir.Graph{}
	for n := range functions(module) {
		out[funcs.NameOf(n.Graph(), n.Old())] = n.Graph().Children(n.Old())[0]
	}
	return out
}

// Lookup is the op that defines a function of a module.
func Lookup(module *ir.Graph, name string) (n ir.Node, ok bool) {
	for n := range functions(module) {
		if funcs.NameOf(n.Graph(), n.Old()) == name {
			return n, true
		}
	}
	return n, false
}

// functions yields the ops that define functions with a body.
func functions(module *ir.Graph) iter.Seq[ir.Node] {
	return func(yield func(ir.Node) bool) {
		for g := range module.Nested() {
			for _, v := range g.Members(ir.Root) {
				if g.IsOp(v) && g.Def(v) == funcs.Func && len(g.Children(v)) == 1 && g.Children(v)[0].HasBlock(ir.Root) && !yield(g.NodeOf(v)) {
					return
				}
			}
		}
	}
}

// call translates a function.
func (e *encoder) call(name string, args []Value) ([]Value, error) {
	g := e.bodies[name]
	switch {
	case g == nil:
		return nil, fmt.Errorf("there is no body of @%s", name)
	case e.depth == maxCalls:
		return nil, fmt.Errorf("@%s is called more than %d deep; proofs do not follow recursion", name, maxCalls)
	case len(g.Params(ir.Root)) != len(args):
		return nil, fmt.Errorf("@%s takes %d arguments", name, len(g.Params(ir.Root)))
	}
	return e.run(g, args)
}

// run translates the body of a function.
func (e *encoder) run(g *ir.Graph, args []Value) ([]Value, error) {
	outer := *e
	e.depth++
	e.g, e.s, e.values, e.parts = g, ir.ScheduleOf(g), map[ir.Value]Value{}, map[ir.Value][]Value{}
	out, err := e.region(ir.Root, args)
	e.depth, e.g, e.s, e.values, e.parts = outer.depth, outer.g, outer.s, outer.values, outer.parts
	return out, err
}

// region translates what stands in a region and gives the operands of its terminator.
func (e *encoder) region(r ir.Region, params []Value) ([]Value, error) {
	for i, p := range e.g.Params(r) {
		e.values[p] = params[i]
	}
	for _, v := range e.s.Body(r) {
		if err := e.op(v); err != nil {
			return nil, err
		}
	}
	return e.all(e.g.Yields(r))
}

// op translates an op.
func (e *encoder) op(v ir.Value) error {
	def := e.g.Def(v)
	e.ops++
	switch err := e.affordable(); {
	case err != nil:
		return e.unsupported(v, err)
	case def.Has(ir.Terminator):
		return nil
	}
	if def.Has(ir.ConstantLike) {
		out, err := e.constant(v)
		e.values[v] = out
		return err
	}
	args, err := e.all(e.g.Args(v))
	if err != nil {
		return err
	}
	o := &Op{Circuit: e.Circuit, Ctx: e.g.Ctx, Def: def, Attr: e.g.AttrsOf(v), Args: args, Types: e.g.Ctx.Results(e.g.Type(v)),
		regions: e.g.Regions(v), e: e}
	for _, a := range e.g.Args(v) {
		o.ArgTypes = append(o.ArgTypes, e.g.Type(a))
	}
	out, err := o.results()
	if err != nil {
		return e.unsupported(v, err)
	}
	if len(out) == 1 {
		e.values[v] = out[0]
	}
	e.parts[v] = out
	return nil
}

// results asks the row of the op.
func (o *Op) results() ([]Value, error) {
	meaning := o.e.rows[o.Def]
	if meaning == nil {
		if d := o.Ctx.DialectOf(o.Def); d != nil {
			meaning = ir.Table[Table](d)[o.Def]
		}
	}
	if meaning == nil {
		return nil, o.unknown()
	}
	for _, t := range o.Types {
		if _, _, err := shape(o.Ctx, t); err != nil {
			return nil, err
		}
	}
	return meaning(o)
}

// unknown says why nothing is proven of an op without a row: of one on integers alone nobody has said what it means.
func (o *Op) unknown() error {
	onIntegers := o.Regions() == 0 && o.Def.Effects == nil && len(o.Args) > 0
	for _, t := range o.Types {
		_, _, err := shape(o.Ctx, t)
		onIntegers = onIntegers && err == nil
	}
	if onIntegers {
		return errors.New("proofs have no meaning of it; a dialect gives one by prove.Table (docs/prove.md)")
	}
	return errors.New("proofs are of integers, without memory, floats and loops")
}

// unsupported is the error of an op that cannot be translated; that of an op inside it stays.
func (e *encoder) unsupported(v ir.Value, err error) error {
	var inner *ir.OpError
	if errors.As(err, &inner) {
		return err
	}
	out := &ir.OpError{Op: e.g.Def(v).Name, Msg: "cannot be proven: " + err.Error()}
	if locs := e.g.LocsOf(v); len(locs) > 0 {
		out.Loc = locs[0]
	}
	return out
}

// all are the values of operands, in order.
func (e *encoder) all(vs []ir.Value) (out []Value, err error) {
	for _, v := range vs {
		x, err := e.value(v)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// value is what was translated; a constant or another node that stands nowhere is translated when it is used.
func (e *encoder) value(v ir.Value) (Value, error) {
	node, i, several := e.g.Projection(v)
	if several {
		return e.parts[node][i], nil
	}
	if x, ok := e.values[v]; ok {
		return x, nil
	}
	if err := e.op(v); err != nil {
		return nil, err
	}
	return e.values[v], nil
}

// constant is a number that is known, or a vector of such.
func (e *encoder) constant(v ir.Value) (Value, error) {
	w, lanes, err := shape(e.g.Ctx, e.g.Type(v))
	if err != nil {
		return nil, e.unsupported(v, err)
	}
	x, ok := e.g.Const(v)
	if !ok {
		return nil, e.unsupported(v, fmt.Errorf("its value is not known"))
	}
	out := make(Value, lanes)
	for i := range out {
		lane := x
		if vec, ok := x.Ref.(ir.Vector); ok {
			lane = vec[i]
		}
		out[i] = Lane{circuit.Const(w, lane.Bits), circuit.Of(lane.IsPoison())}
	}
	return out, nil
}
