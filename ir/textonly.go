package ir

import "fmt"

// NoMeaning says, in Infer, that the op is right and that this system gives it no meaning: a cast to a tensor of unknown rank.
// The op becomes its text-only twin, which has another OpDef: no fold, lowering, engine or interface knows that, so none has to
// look out for it, and an engine that meets it says why. Infer goes on: what is wrong is wrong, and the type is what it returns.
// The first
// reason is kept. An op that has a meaning when it is made again is the op itself again.
func (c *Call) NoMeaning(format string, args ...any) {
	if c.why == "" {
		c.why = fmt.Sprintf(format, args...)
	}
}

// Written returns the op that d is written as: d itself, but of a text-only twin the op that it is the twin of.
func (d *OpDef) Written() *OpDef {
	if d.twinOf != nil {
		return d.twinOf
	}
	return d
}

var twins = map[*OpDef]*OpDef{} // under the lock of defs

// twin is the op as text only. What it reads, writes and keeps is what the op does.
func (d *OpDef) twin() *OpDef {
	if d.twinOf != nil || d.Has(TextOnly) {
		return d
	}
	defs.mu.Lock()
	t := twins[d]
	defs.mu.Unlock()
	if t != nil {
		return t
	}
	more := *d
	more.id, more.twinOf = 0, d
	more.Traits |= TextOnly
	more.Eval, more.Traps, more.Overwrites = nil, nil, nil
	if !more.Has(Terminator) {
		more.Traits |= Partial // an engine stops where it is reached
	}
	return defineTwin(d, &more)
}

// defineTwin keeps one twin of an op, whoever comes first.
func defineTwin(d, t *OpDef) *OpDef {
	defs.mu.Lock()
	defer defs.mu.Unlock()
	if old := twins[d]; old != nil {
		return old
	}
	define(t)
	twins[d] = t
	return t
}

// inferAs asks Infer of the op that d is written as; as is that op, or its twin if it has no meaning.
func inferAs(c *Call) (t Type, as *OpDef, err error) {
	as, c.why = c.Def.Written(), ""
	if as.Infer == nil {
		return c.Type, as, nil
	}
	if t, err = as.Infer(c); err == nil && c.why != "" {
		as = as.twin()
	}
	return t, as, err
}

// WhyTextOnly says why a text-only op has no meaning, or "" where it never has one.
func (c *Call) WhyTextOnly() string {
	if _, _, err := inferAs(c); err != nil {
		return ""
	}
	return c.why
}

// LeftOver is the error for an op that no rule lowers on the way to somewhere. An op that is text only is named in its place, if
// there is one: no rule knows that, and what handed on its operands is left over with it.
func (g *Graph) LeftOver(v Value, on string) *OpError {
	e := &OpError{Msg: "is left over by " + on + ": no rule lowers it"}
	found := false
	for w := range ScheduleOf(g).All() {
		if !found && g.Def(w).Has(TextOnly) {
			v, found = w, true
		}
	}
	if found {
		e.Msg = "is text only: it is read, checked and printed, and cannot be compiled"
		if why := CallsOf(g).Of(v).WhyTextOnly(); why != "" {
			e.Msg = "is text only here, and cannot be compiled: it " + why
		}
	}
	e.Op = g.Def(v).Name
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}
