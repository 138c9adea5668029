package irctest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// trace watches a run: what each op of a dialect does is compared with what its definition says.
type trace struct {
	d     *ir.Dialect
	ops   map[*ir.OpDef]bool
	stack []*frame
	found *fault
	rows  map[*interp.Op]rows
	seen  []probe // operands of the ops that ran, each once
	busy  bool    // memory is looked at by the test itself
	laws  map[*ir.OpDef]int
	salt  uint64 // of random operands: the same once the program is reduced
}

// frame is an op that is running.
type frame struct {
	op     *interp.Op
	args   []ir.Val
	frees  []bool // which of the memories of args are freed
	allocs int64

	regions []regionRuns // nil if none ran
	touches []touch      // the first ones, where it has a row of accesses
}

func newTrace(d *ir.Dialect, in input) *trace {
	t := &trace{d: d, ops: map[*ir.OpDef]bool{}, laws: map[*ir.OpDef]int{}, rows: map[*interp.Op]rows{}}
	for _, a := range in {
		t.salt = t.salt*31 + a.Bits
	}
	return t
}

func (t *trace) fault() *fault { return t.found }

func (t *trace) options() interp.Options {
	return interp.Options{Hook: t.hook, Wrap: t.wrap, Watch: t, Output: t.output}
}

func (t *trace) mine(def *ir.OpDef) bool { return slices.Contains(t.d.Ops, def) }

// say notes the first fault.
func (t *trace) say(o *interp.Op, format string, args ...any) {
	if t.found == nil {
		t.found = &fault{kind: o.Def.Name + " is not as it is defined", what: fmt.Sprintf(format, args...)}
	}
}

// lawsAnOp bounds how often an op's Eval is asked in a run.
const lawsAnOp = 8

func (t *trace) hook(o *interp.Op) {
	if !t.mine(o.Def) {
		return
	}
	t.ops[o.Def] = true
	if o.Def.Eval != nil && t.laws[o.Def] < lawsAnOp {
		t.laws[o.Def]++
		t.evalLaws(o)
	}
}

// wrap watches the function of an op.
func (t *trace) wrap(def *ir.OpDef, f interp.Func) interp.Func {
	mine := t.mine(def)
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		fr := &frame{op: o, args: slices.Clone(args), allocs: m.Heap().Allocs}
		for _, a := range args {
			r, ok := a.Ref.(*interp.MemRef)
			fr.frees = append(fr.frees, ok && r.Buf.Freed)
		}
		t.stack = append(t.stack, fr)
		if _, met := t.rows[o]; mine && !met {
			t.seen = append(t.seen, probesOf(o)...)
			t.rowsOf(o)
		}
		err := f(m, o, args, out)
		t.stack = t.stack[:len(t.stack)-1]
		if !mine || t.found != nil {
			return err
		}
		t.busy = true
		defer func() { t.busy = false }()
		if len(o.Regions) == 0 {
			t.after(m, fr, out, err)
		} else if err == nil {
			t.afterRegions(fr)
		}
		if err == nil {
			t.afterAccesses(fr)
		}
		return err
	}
}

// after looks at what an op without regions has done.
func (t *trace) after(m *interp.Machine, fr *frame, out []ir.Val, err error) {
	o := fr.op
	if ir.IsTrap(err) && !mayTrap(o) && !o.G.IsPinned(o.V) {
		t.say(o, "it traps (%v), and is not Partial: it may run where the program does not run it", err)
	}
	if err != nil {
		return
	}
	for k, a := range fr.args {
		if r, ok := a.Ref.(*interp.MemRef); ok && r.Buf.Freed && !fr.frees[k] && !o.Declares(k, ir.Free) {
			t.say(o, "it frees the memory of operand %d, and its Effects have no such Free", k)
		}
	}
	if m.Heap().Allocs > fr.allocs && !o.Def.Has(ir.Unique) && !ir.Implements[ir.CallLike](o.G.Ctx, o.Def) {
		t.say(o, "it allocates memory, and is not Unique: two of them become one")
	}
	poison := slices.ContainsFunc(fr.args, hasPoison)
	for i, v := range out {
		if o.G.Ctx.IsTensor(o.G.Ctx.Results(o.G.Type(o.V))[i]) && !v.IsPoison() {
			continue // a whole whose elements may be poison, which shows where they are taken out
		}
		if hasPoison(v) && !poison && !mayPoison(t.d, o) && !readsMemory(fr.args) {
			t.say(o, "it gives poison although no operand is, which Clean or Poisons deny")
		}
	}
}

// readsMemory reports that an operand is memory, in which poison may be.
func readsMemory(args []ir.Val) bool {
	return slices.ContainsFunc(args, func(v ir.Val) bool { _, ok := v.Ref.(*interp.MemRef); return ok })
}

func hasPoison(v ir.Val) bool {
	lanes, _ := v.Ref.(ir.Vector)
	return v.IsPoison() || slices.ContainsFunc(lanes, hasPoison)
}

func mayTrap(o *interp.Op) bool {
	if o.Def.Traps != nil {
		return o.Def.Traps(o.Call)
	}
	return o.Def.Has(ir.Partial)
}

func mayPoison(d *ir.Dialect, o *interp.Op) bool {
	if o.Def.Poisons != nil {
		return o.Def.Poisons(o.Call)
	}
	return !d.Clean && !o.Def.Has(ir.Clean)
}

// output is told what is printed.
func (t *trace) output(interp.Printed) {
	if len(t.stack) == 0 {
		return
	}
	if o := t.stack[len(t.stack)-1].op; t.mine(o.Def) && len(o.Regions) == 0 && !o.Declares(-1, ir.Write) {
		t.say(o, "it prints, and its Effects do not write ir.IO")
	}
}

// Begin, Iteration and End are of a Watcher.
func (t *trace) Begin(*interp.Op) {}

// Iteration is of a Watcher.
func (t *trace) Iteration([]ir.Val) {}

// End is of a Watcher.
func (t *trace) End() {}

// Access is told what is done to memory, of which the innermost op is the author.
func (t *trace) Access(b *interp.Buffer, i int, write bool) {
	if len(t.stack) == 0 || t.found != nil || t.busy {
		return
	}
	fr := t.stack[len(t.stack)-1]
	if !t.mine(fr.op.Def) {
		return
	}
	if len(fr.touches) < mostCells && t.rowsOf(fr.op).accesses != nil {
		fr.touches = append(fr.touches, touch{b, i, write})
	}
	if len(fr.op.Regions) > 0 {
		return
	}
	kind, what := ir.Read, "reads"
	if write {
		kind, what = ir.Write, "writes"
	}
	of := -1
	for k, v := range fr.args {
		if r, ok := v.Ref.(*interp.MemRef); !ok || r.Buf.Memory != b.Memory {
			continue
		}
		if of = k; fr.op.Declares(k, kind) {
			return // of operands that are the same memory one is enough
		}
	}
	if of >= 0 {
		t.say(fr.op, "it %s the memory of operand %d, and its Effects do not say so", what, of)
	}
}

// evalLaws asks the Eval of an op about random operands of its types.
func (t *trace) evalLaws(o *interp.Op) {
	c, g := o.G.Ctx, o.G
	r := source{rand.New(rand.NewPCG(t.salt, uint64(t.laws[o.Def]))), 4}
	var args []ir.Val
	for _, a := range g.Args(o.V) {
		x, ok := random(r, c, g.Type(a))
		if !ok || x.inMemory() {
			return
		}
		v, err := x.val(c, nil, g.Type(a))
		if err != nil {
			return
		}
		args = append(args, v)
	}
	before := t.shown(o, args)
	v, err := o.Def.Eval(o.Call, slices.Clone(args))
	w, again := o.Def.Eval(o.Call, slices.Clone(args))
	results := c.Results(g.Type(o.V))
	switch {
	case before != t.shown(o, args):
		t.say(o, "its Eval changes its operands: %s", before)
	case (err == nil) != (again == nil):
		t.say(o, "its Eval of %s fails once, and once not: %v, %v", before, err, again)
	case ir.IsTrap(err) && !o.Def.Has(ir.Partial): // Traps looks at the operands in the program
		t.say(o, "its Eval of %s traps (%v), and it is not Partial: it may run where the program does not run it", before, err)
	case err != nil || len(results) != 1:
		return
	}
	if t.found != nil {
		return
	}
	out := fmt.Sprint(show(c, v, results[0]))
	switch why := illFormed(c, v, results[0]); {
	case why != "":
		t.say(o, "its Eval of %s gives no value of type %s: %s", before, text.TypeString(c, results[0]), why)
	case out != fmt.Sprint(show(c, w, results[0])):
		t.say(o, "its Eval of %s gives %s, and then %v", before, out, show(c, w, results[0]))
	case hasPoison(v) && o.Def.Poisons == nil && !mayPoison(t.d, o):
		t.say(o, "its Eval of %s gives poison, which Clean or Poisons deny", before)
	case o.Def.Has(ir.Commutative) && len(args) >= 2:
		args[0], args[1] = args[1], args[0]
		x, err := o.Def.Eval(o.Call, args)
		if now := fmt.Sprint(show(c, x, results[0])); err == nil && now != out {
			t.say(o, "its Eval of %s gives %s and with the operands exchanged %s: it is not Commutative", before, out, now)
		}
	}
}

func (t *trace) shown(o *interp.Op, args []ir.Val) string {
	var out []string
	for i, a := range o.G.Args(o.V) {
		out = append(out, show(o.G.Ctx, args[i], o.G.Type(a))...)
	}
	return fmt.Sprint(out)
}

// illFormed says what is wrong with a value of a type; "" if nothing is, or nothing is known of the type.
func illFormed(c *ir.Context, v ir.Val, t ir.Type) string {
	info := c.Info(t)
	scalar := info.Kind == ir.KindInteger || info.Kind == ir.KindIndex || info.Kind == ir.KindFloat
	switch {
	case v.IsPoison():
		return ""
	case scalar && v.Ref != nil:
		return fmt.Sprintf("its Ref is a %T", v.Ref)
	case scalar && info.Width < 64 && v.Bits>>info.Width != 0:
		return fmt.Sprintf("its bits are %#x", v.Bits)
	case info.Kind == ir.KindVector && info.Scalable == nil:
		lanes, ok := v.Ref.(ir.Vector)
		if ok && int64(len(lanes)) != ir.Elements(info.Shape) {
			return fmt.Sprintf("it has %d elements", len(lanes))
		}
		for _, l := range lanes {
			if why := illFormed(c, l, info.Elem); why != "" {
				return why
			}
		}
	}
	return ""
}
