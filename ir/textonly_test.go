package ir

import (
	"strings"
	"testing"
)

// half is an op that has a meaning for integers alone.
var half = Define(&OpDef{Name: "h.half", Infer: func(c *Call) (Type, error) {
	if c.ArgType(0) != I64 {
		c.NoMeaning("halves numbers of type %d", c.ArgType(0))
		c.NoMeaning("a second reason")
	}
	return c.ArgType(0), nil
}, Eval: func(_ *Call, a []Val) (Val, error) { return Val{Bits: a[0].Bits / 2}, nil }})

var halfDialect = &Dialect{Name: "h", Ops: []*OpDef{half},
	Folds:  []Fold{{Of: half, Rule: "half of itself", Do: func(_ *Builder, c *Call) Value { return c.Args[0] }}},
	Tables: []any{Interface[Unit]{half: func(Node) Unit { return Unit{} }}}}

// An op without a meaning is its text-only twin: it is of the same name and dialect, nothing folds it or knows what it is, and
// it may not move. Made again with a meaning it is itself.
func TestNoMeaning(t *testing.T) {
	c := NewContext(tDialect, halfDialect)
	b := NewBuilder(c)
	p := b.Op(tPure)
	f := b.Must(Call{Def: Define(&OpDef{Name: "h.float", Infer: gives(F64)})})
	if b.Op(half, p) != p {
		t.Error("the op with a meaning does not fold")
	}
	v := b.Op(half, f)
	g := b.Graph()
	def := g.Def(v)
	switch {
	case def == half || def.Written() != half || def.Name != "h.half" || !def.Has(TextOnly|Partial) || def.Eval != nil || c.DialectOf(def) != halfDialect:
		t.Errorf("the twin is %+v", def)
	case g.Type(v) != F64:
		t.Errorf("its type is %d", g.Type(v))
	case b.Op(half, f) != v && g.Def(b.Op(half, f)) != def:
		t.Error("a second twin")
	}
	if w := b.Must(Call{Def: def, Args: []Value{p}}); w != p {
		t.Error("a twin that has a meaning is not the op itself")
	}
	b.Op(tPrint, v)
	g = b.Finish()
	if err := Verify(g); err != nil {
		t.Error(err)
	}
	if _, ok := As[Unit](g.NodeOf(v)); ok {
		t.Error("the twin has an interface")
	}
	if why := CallsOf(g).Of(v).WhyTextOnly(); !strings.HasPrefix(why, "halves numbers") {
		t.Errorf("the reason is %q", why)
	}
	left := g.LeftOver(v, "phase x")
	if left.Error() != "'h.half' op is text only here, and cannot be compiled: it "+CallsOf(g).Of(v).WhyTextOnly() {
		t.Errorf("what is left over is told as %v", left)
	}
	again := Rewrite(c, ScheduleOf(g), nil, nil)
	n := 0
	for v := range ScheduleOf(again).All() {
		if again.Def(v) == def {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d twins in a copy", n)
	}
}
