package interp

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// compiler turns the schedule of one function into code.
//
// A frame is: constants | results and parameters of all regions | windows. An
// op's window is where its operands are put together. Windows nest as regions
// do: an op's regions start theirs behind the op's own, so an op keeps its
// operands while its regions run; ops side by side share.
type compiler struct {
	m      *Machine
	f      *Function
	g      *ir.Graph
	s      *ir.Schedule
	calls  ir.Calls
	slot   []int32 // of each node's first result; 0 for none yet
	next   int32   // slots given out
	win    int32   // largest window end, relative to the first window
	consts []ir.Val
}

const noSlot = -1

// Check refuses a function that does not run anywhere: see ir.CheckTypes.
func (m *Machine) Check(f *Function) error {
	if f.Graph == nil {
		return nil // its callers are refused
	}
	return ir.CheckTypes(f.outer, f.op)
}

func (m *Machine) compile(f *Function) error {
	if err := m.Check(f); err != nil {
		return err
	}
	g := f.Graph
	c := &compiler{m: m, f: f, g: g, s: ir.NewSchedule(g, *m.opts.Schedule), calls: ir.CallsOf(g), slot: make([]int32, g.Len())}
	for i := range c.slot {
		c.slot[i] = noSlot
	}
	c.constants()
	body, err := c.region(ir.Root, 0)
	if err != nil {
		return err
	}
	c.shift(body)
	f.body, f.consts, f.slots = body, c.consts, int(c.next+c.win)
	return nil
}

// constants gives the first slots to the constants that have a value.
func (c *compiler) constants() {
	for v := range c.s.All() {
		if c.slot[v] != noSlot || !c.g.Def(v).Has(ir.ConstantLike) {
			continue
		}
		if x, ok := c.g.Const(v); ok {
			c.slot[v] = c.next
			c.next++
			c.consts = append(c.consts, x)
		}
	}
}

// give returns n new slots for a node of type t.
func (c *compiler) give(v ir.Value, n int) int32 {
	if c.slot[v] == noSlot { // a copy of a node elsewhere shares its slots
		c.slot[v] = c.next
		c.next += int32(n)
	}
	if t := c.g.Type(v); n > 1 || n == 1 && !c.scalar(t) {
		c.f.keepsRefs = true
	}
	return c.slot[v]
}

func (c *compiler) scalar(t ir.Type) bool {
	k := c.g.Ctx.Info(t).Kind
	return k == ir.KindInteger || k == ir.KindFloat || k == ir.KindIndex
}

// of returns the slot of an operand.
func (c *compiler) of(v ir.Value) (int32, error) {
	n, i, _ := c.g.Projection(v)
	if c.slot[n] == noSlot {
		return 0, fmt.Errorf("%s is used before it has a value", c.g.Name(n))
	}
	return c.slot[n] + int32(i), nil
}

func (c *compiler) slots(vs []ir.Value) ([]int32, error) {
	out := make([]int32, len(vs))
	for i, v := range vs {
		var err error
		if out[i], err = c.of(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// region compiles a region whose windows start at win.
func (c *compiler) region(r ir.Region, win int32) (*Code, error) {
	code := &Code{g: c.g, Region: r, Params: len(c.g.Params(r)), win: win}
	for _, p := range c.g.Params(r) {
		code.params = append(code.params, c.give(p, 1))
	}
	body := c.s.Body(r)
	code.ops = make([]Op, 0, len(body))
	for _, v := range body {
		if c.g.Def(v).Has(ir.ConstantLike) && c.slot[v] != noSlot && c.slot[v] < int32(len(c.consts)) {
			continue
		}
		o, err := c.op(v, win)
		if err != nil {
			return nil, err
		}
		if v == c.g.Term(r) {
			code.Term, code.yields = &o, o.slots
			continue
		}
		code.ops = append(code.ops, o)
	}
	code.cost = int64(len(code.ops)) + 1
	return code, nil
}

func (c *compiler) op(v ir.Value, win int32) (Op, error) {
	g := c.g
	o := Op{G: g, V: v, Def: g.Def(v), Call: c.calls.Of(v), win: win}
	var err error
	if o.slots, err = c.slots(g.Args(v)); err != nil {
		return o, err
	}
	end := win + int32(len(o.slots))
	c.win = max(c.win, end)
	for _, r := range g.Regions(v) {
		code, err := c.region(r, end)
		if err != nil {
			return o, err
		}
		o.Regions = append(o.Regions, code)
	}
	o.nout = int32(g.Results(v))
	o.out = c.give(v, int(o.nout))
	c.meaning(&o)
	return o, nil
}

// meaning finds how an op runs. One that cannot fails when it is reached, not
// before: it may stand where the program never comes.
func (c *compiler) meaning(o *Op) {
	known := c.m.meaningOf(o.Def)
	o.takesPoison = known.takesPoison
	if o.Def.Has(ir.Terminator) {
		return
	}
	if o.Def.Eval != nil && len(o.Regions) == 0 {
		o.eval = o.Def.Eval
		if known.checked {
			o.eval = c.m.checkedEval(o.Def, o)
		}
		return
	}
	if o.fn = known.run; o.fn != nil {
		return
	}
	if o.Def.Has(ir.ConstantLike) {
		o.fn = largeConstant
		if !slices.ContainsFunc(c.g.NodeOf(o.V).Users(), func(u ir.Node) bool { return !c.m.meaningOf(u.Def()).takesPacked }) {
			o.fn = packedConstant
		}
		return
	}
	o.fn = cannotRun
}

// largeConstant makes a value that folds do not compute with once, when it is reached.
func largeConstant(m *Machine, o *Op, _, out []ir.Val) error {
	a := o.Call.Get("value")
	if a == 0 {
		return cannotRun(m, o, nil, nil)
	}
	x, err := m.Global(constantKey{a}, func() (any, error) {
		if err := m.fits(a); err != nil {
			return nil, err
		}
		return m.Ctx.WholeVal(a)
	})
	var no *ir.NoElements
	switch {
	case errors.As(err, &no):
		return &Unsupported{Reason: no.Reason, Fix: no.Fix}
	case errors.Is(err, ir.ErrNoValue):
		return &Unsupported{Reason: "has a value that cannot be computed with", Fix: "use numbers of up to 64 bits, and tensors or vectors of known shape"}
	case err != nil:
		return err
	}
	out[0] = x.(ir.Val)
	return nil
}

// packedConstant is largeConstant for ops that take the elements where they are.
func packedConstant(m *Machine, o *Op, args, out []ir.Val) error {
	x, err := m.Ctx.PackedVal(o.Call.Get("value"))
	if err != nil {
		return largeConstant(m, o, args, out) // which says why not
	}
	out[0] = x
	return nil
}

// constantKey is the key of a constant's value in a machine.
type constantKey struct{ value ir.Attr }

// fits asks whether there is memory for a constant as a value.
func (m *Machine) fits(a ir.Attr) error {
	if _, n, ok := strided.RowMajor(m.Ctx.Info(m.Ctx.TypeOf(a)).Shape); ok {
		b, err := m.Alloc(ir.I64, 3*n) // of each the bits and a reference
		if err != nil {
			return err
		}
		return m.Free(b)
	}
	return nil
}

func cannotRun(_ *Machine, o *Op, _, _ []ir.Val) error {
	u := &Unsupported{Reason: "cannot be run", Fix: "`irc dialects` lists the ops that run"}
	switch {
	case !o.Def.Registered():
		u.Reason = "is not registered: nothing is known of what it does"
	case o.Def.Has(ir.TextOnly):
		u.Reason = "is text only: it is read, checked and printed, but does not run"
		if why := o.Call.WhyTextOnly(); why != "" {
			u.Reason = "is text only here, and does not run: it " + why
		}
	}
	return u
}

// shift moves the windows behind the slots, whose number is known only now.
func (c *compiler) shift(code *Code) {
	code.win += c.next
	for i := range code.ops {
		c.shiftOp(&code.ops[i])
	}
	if code.Term != nil {
		c.shiftOp(code.Term)
	}
}

func (c *compiler) shiftOp(o *Op) {
	o.win += c.next
	for _, r := range o.Regions {
		c.shift(r)
	}
}
