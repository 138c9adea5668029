package prove

import (
	"fmt"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// An encoder translates one function and what it calls.
type encoder struct {
	*circuit.Circuit
	rows      Table
	bodies    map[string]*ir.Graph
	undefined circuit.Bit   // the program has undefined behaviour
	path      circuit.Bit   // what is translated runs
	choices   []circuit.Bit // of freezes
	depth     int           // calls

	g      *ir.Graph
	s      *ir.Schedule
	values map[ir.Value]Value // by the node that gives several, and by index behind it
	parts  map[ir.Value][]Value
}

// maxCalls are nested; recursion ends there.
const maxCalls = 64

// Bodies are the functions of a module by name.
func Bodies(module *ir.Graph) map[string]*ir.Graph {
	out := map[string]*ir.Graph{}
	for g := range module.Nested() {
		for _, v := range g.Members(ir.Root) {
			if g.IsOp(v) && g.Def(v) == funcs.Func && len(g.Children(v)) == 1 && g.Children(v)[0].HasBlock(ir.Root) {
				out[funcs.NameOf(g, v)] = g.Children(v)[0]
			}
		}
	}
	return out
}

// call translates a function.
func (e *encoder) call(name string, args []Value) ([]Value, error) {
	g := e.bodies[name]
	switch {
	case g == nil:
		return nil, fmt.Errorf("there is no body of @%s", name)
	case e.depth == maxCalls:
		return nil, fmt.Errorf("@%s is called more than %d deep; proofs do not follow recursion", name, maxCalls)
	}
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
	if def.Has(ir.Terminator) {
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
		return &Unsupported{Op: def.Name, Loc: firstLoc(e.g, v), Err: err}
	}
	if len(out) == 1 {
		e.values[v] = out[0]
	}
	e.parts[v] = out
	return nil
}

// results asks the row of the op.
func (o *Op) results() ([]Value, error) {
	rule := o.e.rows[o.Def]
	if rule == nil {
		for _, d := range o.Ctx.Dialects() {
			if r := ir.Table[Table](d)[o.Def]; r != nil {
				rule = r
			}
		}
	}
	if rule == nil {
		return nil, fmt.Errorf("proofs know nothing of it: they are of integers, without memory, floats and loops")
	}
	for _, t := range o.Types {
		if _, _, err := shape(o.Ctx, t); err != nil {
			return nil, err
		}
	}
	return rule(o)
}

func firstLoc(g *ir.Graph, v ir.Value) ir.Loc {
	if locs := g.LocsOf(v); len(locs) > 0 {
		return locs[0]
	}
	return 0
}

// Unsupported is an op that proofs know nothing of.
type Unsupported struct {
	Op  string
	Loc ir.Loc
	Err error
}

func (u *Unsupported) Error() string { return fmt.Sprintf("'%s' op: %v", u.Op, u.Err) }

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

func (e *encoder) constant(v ir.Value) (Value, error) {
	w, lanes, err := shape(e.g.Ctx, e.g.Type(v))
	if err != nil {
		return nil, &Unsupported{Op: e.g.Def(v).Name, Loc: firstLoc(e.g, v), Err: err}
	}
	x, ok := e.g.Const(v)
	if !ok {
		return nil, &Unsupported{Op: e.g.Def(v).Name, Loc: firstLoc(e.g, v), Err: fmt.Errorf("its value is not known")}
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
