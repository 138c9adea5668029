package ir

import (
	"errors"
	"fmt"
)

// A Call is an op about to be made, as folds, Infer and Effects see it.
type Call struct {
	Def     *OpDef
	Args    []Value
	Attr    Attr // an AttrProps, or 0
	Regions []Region
	Graphs  []*Graph // of an isolated op, instead of Regions
	Type    Type     // of the result; NoType before Infer unless the text gives it
	Loc     Loc      // 0 stands for the Builder's

	b       *Builder
	lookups int    // of LastWrite before it
	traps   bool   // it may trap itself, regions aside
	why     string // it has no meaning: see NoMeaning
	nothing Value  // what stands for it once it cancels a write, see cancels
}

// Ctx returns the context.
func (c *Call) Ctx() *Context { return c.b.g.Ctx }

// Graph returns the graph that the operands belong to.
func (c *Call) Graph() *Graph { return c.b.g }

// Builder returns the builder, for effects that ask it about memory.
func (c *Call) Builder() *Builder { return c.b }

// mayTrap reports that the op itself, regions aside, may trap where it stands.
func (c *Call) mayTrap() bool {
	return c.Def.Traits&Partial != 0 && (c.Def.Traps == nil || c.Def.Traps(c))
}

// ArgType returns the type of operand i.
func (c *Call) ArgType(i int) Type { return c.b.g.nodes[c.Args[i]].typ }

// Get returns an attribute of the op by name, or 0.
func (c *Call) Get(name string) Attr { return c.Ctx().Get(c.Attr, name) }

// Const returns the value of operand i if it is a constant.
func (c *Call) Const(i int) (Val, bool) { return c.b.g.Const(c.Args[i]) }

// An OpError says what is wrong with an op.
type OpError struct {
	Op  string
	Loc Loc
	Msg string
	// Author says that the definition of the op is wrong, not the program.
	Author bool
}

// AuthorError is what a panic says of the definition of an op, on whichever goroutine it was
// raised; nil if it is another panic.
func AuthorError(recovered any) *OpError {
	err, _ := recovered.(error)
	if e := (*OpError)(nil); errors.As(err, &e) && e.Author {
		return e
	}
	return nil
}

func (e *OpError) Error() string { return fmt.Sprintf("'%s' op %s", e.Op, e.Msg) }

func (c *Call) errorf(format string, args ...any) error {
	return &OpError{Op: c.Def.Name, Loc: c.Loc, Msg: fmt.Sprintf(format, args...)}
}

// Errorf makes the error that Infer returns for a wrong op.
func (c *Call) Errorf(format string, args ...any) error { return c.errorf(format, args...) }

// Calls gives the nodes of a finished graph as the calls that made them, for
// whoever asks Infer or Eval outside of a build.
type Calls struct{ b *Builder }

// CallsOf returns the calls of a finished graph. Nothing can be built through them.
func CallsOf(g *Graph) Calls {
	return Calls{&Builder{g: g, scopes: []scope{{region: Root}}}}
}

// Of returns a node as a call.
func (w Calls) Of(v Value) *Call {
	g := w.b.g
	c := &Call{Def: g.Def(v), Args: g.Args(v), Attr: g.nodes[v].attr, Regions: g.Regions(v), Graphs: g.Children(v), Type: g.nodes[v].typ, b: w.b}
	if ls := g.LocsOf(v); len(ls) > 0 {
		c.Loc = ls[0]
	}
	return c
}

// Segments splits the operands of an op in n as its operandSegmentSizes say.
func (c *Call) Segments(n int) ([][]Value, error) {
	sizes := c.Ctx().Ints(c.Get("operandSegmentSizes"))
	if len(sizes) != n {
		return nil, c.Errorf("'operandSegmentSizes' must have %d elements, has %d", n, len(sizes))
	}
	out, rest := make([][]Value, n), c.Args
	for i, k := range sizes {
		if k < 0 || k > int64(len(rest)) {
			return nil, c.Errorf("'operandSegmentSizes' do not add up to its %d operands", len(c.Args))
		}
		out[i], rest = rest[:k], rest[k:]
	}
	if len(rest) != 0 {
		return nil, c.Errorf("'operandSegmentSizes' do not add up to its %d operands", len(c.Args))
	}
	return out, nil
}

// Segments splits the operands of an op as its operandSegmentSizes say, which Call.Segments checked when it was built.
func (g *Graph) Segments(v Value) (out [][]Value) {
	rest := g.Args(v)
	for _, n := range g.Ctx.Ints(g.Attr(v, "operandSegmentSizes")) {
		out, rest = append(out, rest[:n]), rest[n:]
	}
	return out
}
