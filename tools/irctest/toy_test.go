package irctest

import (
	"maps"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	dsp "github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
)

// toy is a dialect on i32 and on memory of it. A fault is a mistake of its author, by name; "" is none.
func toy(fault string) *ir.Dialect {
	has := func(name string) bool { return fault == name }
	var traits [2]ir.Trait // of div and of mix
	if !has("a trap that Partial does not say") {
		traits[0] = ir.Partial
	}
	if has("Commutative, which it is not") {
		traits[1] = ir.Commutative
	}
	calls := int32(0)
	mix := binary("toy.mix", traits[1], func(x, y int32) (int32, error) {
		if has("an Eval that remembers") {
			calls++
			return 3*x + y + calls, nil
		}
		return 3*x + y, nil
	})
	if has("an Infer that panics") {
		mix.Infer = func(c *ir.Call) (ir.Type, error) { return c.ArgType(2), nil }
	}
	div := binary("toy.div", traits[0], func(x, y int32) (int32, error) {
		if y == 0 {
			return 0, ir.Trapf("toy.div by zero")
		}
		return int32(uint32(x) / uint32(y)), nil
	})
	half := unary("toy.half", func(x int32) int32 { return x / 2 })
	if has("poison that Clean denies") {
		half.Eval = func(_ *ir.Call, a []ir.Val) (ir.Val, error) {
			if a[0].Bits&1 != 0 {
				return ir.Val{Ref: ir.Poison}, nil
			}
			return ir.IntVal(int64(int32(a[0].Bits)/2), 32), nil
		}
	}
	clamp := unary("toy.clamp", func(x int32) int32 { return min(max(x, 0), 255) })
	if has("a value wider than its type") {
		clamp.Eval = func(_ *ir.Call, a []ir.Val) (ir.Val, error) {
			return ir.Val{Bits: uint64(min(max(int64(int32(a[0].Bits)), 0), 255)) | 1<<40}, nil
		}
	}
	step := ir.Define(&ir.OpDef{Name: "toy.step", Doc: "x + by.", Args: []string{"x"}, Attrs: []string{"by"}, Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 1 || c.ArgType(0) != ir.I32 || c.Get("by") == 0 {
			return 0, c.Errorf("takes an i32 and has an attribute by")
		}
		return ir.I32, nil
	}, Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
		by, _ := c.Ctx().Number(c.Get("by"))
		return ir.IntVal(int64(int32(a[0].Bits))+int64(by), 32), nil
	}})
	d := &ir.Dialect{Name: "toy", Doc: "For tests.", Clean: true, Ops: []*ir.OpDef{mix, div, half, clamp, step}}
	d.Folds = toyFolds(has, mix, div, half, clamp)
	d.Cleanups = []ir.Cleanup{{Of: mix, Rule: "mix(x, y), once used = 3 x + y", Do: func(m *ir.Mirror, n ir.Node) ir.Value {
		if len(n.Users()) != 1 {
			return 0
		}
		x, y := m.Of(n.Arg(0)), m.Of(n.Arg(1))
		if has("a cleanup with operands exchanged") {
			x, y = y, x
		}
		return m.Op(arith.Addi, m.Op(arith.Muli, x, m.B.Const(ir.I32, ir.Val{Bits: 3})), y)
	}}}
	memory, rules := toyMemory(has, d)
	maps.Copy(rules, toyRules(has, mix, div, half, clamp, step))
	d.Tables = []any{memory, lower.Table{{Level: "arith", Rules: rules}}, lower.Order{"arith": "scf"}, toySyntax(has, mix, step)}
	if has("two tables of one kind") {
		d.Tables = append(d.Tables, lower.Table{})
	}
	return d
}

func binary(name string, traits ir.Trait, eval func(x, y int32) (int32, error)) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: "Of two numbers.", Args: []string{"x", "y"}, Traits: traits, Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 2 || c.ArgType(0) != ir.I32 || c.ArgType(1) != ir.I32 {
			return 0, c.Errorf("takes two i32")
		}
		return ir.I32, nil
	}, Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) {
		z, err := eval(int32(a[0].Bits), int32(a[1].Bits))
		return ir.IntVal(int64(z), 32), err
	}})
}

func unary(name string, eval func(x int32) int32) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: "Of a number.", Args: []string{"x"}, Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 1 || c.ArgType(0) != ir.I32 {
			return 0, c.Errorf("takes an i32")
		}
		return ir.I32, nil
	}, Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ir.IntVal(int64(eval(int32(a[0].Bits))), 32), nil }})
}

// isConst reports a constant operand.
func isConst(c *ir.Call, i int, n uint64) bool {
	v, ok := c.Const(i)
	return ok && !v.IsPoison() && v.Bits == n
}

func toyFolds(has func(string) bool, mix, div, half, clamp *ir.OpDef) []ir.Fold {
	unlisted := unary("toy.other", func(x int32) int32 { return x })
	return []ir.Fold{
		{Of: mix, Rule: "mix(0, y) = y", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			switch {
			case has("a fold on the wrong operand") && isConst(c, 1, 0):
				return c.Args[0]
			case has("an op that is not listed") && isConst(c, 0, 0):
				return b.Op(unlisted, c.Args[1])
			case isConst(c, 0, 0):
				return c.Args[1]
			}
			return 0
		}},
		{Of: div, Rule: "x / 1 = x", Do: func(_ *ir.Builder, c *ir.Call) ir.Value {
			if isConst(c, 1, 1) || has("a fold without its condition") && c.Args[0] == c.Args[1] {
				return c.Args[0]
			}
			return 0
		}},
		{Of: clamp, Rule: "clamp(clamp(x)) = clamp(x)", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			if d := b.Graph().Def(c.Args[0]); d == clamp || has("a fold of another op, too") && d == half {
				return c.Args[0]
			}
			return 0
		}},
	}
}

// toyMemory adds ops with effects to a dialect.
func toyMemory(has func(string) bool, d *ir.Dialect) (interp.Table, ir.Rules) {
	cell := func(c *ir.Call, types ...int) bool {
		for _, i := range types {
			if i >= len(c.Args) || c.Ctx().Info(c.ArgType(i)).Kind != ir.KindMemRef || c.Ctx().Info(c.ArgType(i)).Elem != ir.I32 || len(c.Ctx().Info(c.ArgType(i)).Shape) != 1 {
				return false
			}
		}
		return true
	}
	effects := func(fault string, f func(c *ir.Call) []ir.Effect) func(c *ir.Call) []ir.Effect {
		if has(fault) {
			return nil
		}
		return f
	}
	put := ir.Define(&ir.OpDef{Name: "toy.put", Doc: "Writes the first element.", Args: []string{"x", "to"}, Traits: ir.NoCapture | ir.Partial, Harmless: ir.First,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 2 || c.ArgType(0) != ir.I32 || !cell(c, 1) {
				return 0, c.Errorf("takes an i32 and memory")
			}
			return ir.Void, nil
		}, Effects: effects("a write that is not declared", memref.WritesArg(1))})
	get := ir.Define(&ir.OpDef{Name: "toy.get", Doc: "Reads the first element.", Args: []string{"from"}, Traits: ir.NoCapture | ir.Partial, Poisons: ir.Always,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 1 || !cell(c, 0) {
				return 0, c.Errorf("takes memory")
			}
			return ir.I32, nil
		}, Effects: effects("a read that is not declared", memref.ReadsArg(0))})
	move := ir.Define(&ir.OpDef{Name: "toy.move", Doc: "Copies the first element.", Args: []string{"from", "to"}, Traits: ir.NoCapture | ir.Partial,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 2 || !cell(c, 0, 1) {
				return 0, c.Errorf("takes two memories")
			}
			return ir.Void, nil
		}, Effects: func(c *ir.Call) []ir.Effect {
			from, to := c.Args[0], c.Args[1]
			if has("a write of the wrong operand") {
				from, to = to, from
			}
			return []ir.Effect{{Kind: ir.Read, On: c.Builder().ResourceOf(from)}, {Kind: ir.Write, On: c.Builder().ResourceOf(to)}}
		}})
	say := ir.Define(&ir.OpDef{Name: "toy.say", Doc: "Prints.", Args: []string{"x"}, Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 1 || c.ArgType(0) != ir.I32 {
			return 0, c.Errorf("takes an i32")
		}
		return ir.Void, nil
	}, Effects: effects("output that is not declared", func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} })})
	d.Ops = append(d.Ops, put, get, move, say)
	at := func(v ir.Val) (*interp.MemRef, int, error) {
		r, err := interp.AsMemRef(v)
		if err != nil {
			return nil, 0, err
		}
		i, err := r.At([]ir.Val{{}})
		return r, i, err
	}
	store := func(to, v ir.Val) error {
		r, i, err := at(to)
		if err == nil {
			r.Buf.Store(i, v)
		}
		return err
	}
	load := func(from ir.Val) (ir.Val, error) {
		r, i, err := at(from)
		if err != nil {
			return ir.Val{}, err
		}
		return r.Buf.Load(i), nil
	}
	zero := func(m *ir.Mirror) ir.Value { return m.B.Index(0) }
	return interp.Table{
			put: func(_ *interp.Machine, _ *interp.Op, a, _ []ir.Val) error { return store(a[1], a[0]) },
			get: func(_ *interp.Machine, _ *interp.Op, a, out []ir.Val) (err error) {
				out[0], err = load(a[0])
				return err
			},
			move: func(_ *interp.Machine, _ *interp.Op, a, _ []ir.Val) error {
				v, err := load(a[0])
				if err != nil {
					return err
				}
				return store(a[1], v)
			},
			say: func(m *interp.Machine, _ *interp.Op, a, _ []ir.Val) error {
				m.Emit(interp.Printed{Val: a[0], Type: ir.I32})
				return nil
			},
		}, ir.Rules{
			put: func(m *ir.Mirror, n ir.Node) ir.Value {
				return m.Op(memref.Store, m.Of(n.Arg(0)), m.Of(n.Arg(1)), zero(m))
			},
			get: func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(memref.Load, m.Of(n.Arg(0)), zero(m)) },
			move: func(m *ir.Mirror, n ir.Node) ir.Value {
				return m.Op(memref.Store, m.Op(memref.Load, m.Of(n.Arg(0)), zero(m)), m.Of(n.Arg(1)), zero(m))
			},
			say: func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(dsp.Print, m.Of(n.Arg(0))) },
		}
}

func toyRules(has func(string) bool, mix, div, half, clamp, step *ir.OpDef) ir.Rules {
	i32 := func(m *ir.Mirror, n uint64) ir.Value { return m.B.Const(ir.I32, ir.Val{Bits: n}) }
	return ir.Rules{
		mix: func(m *ir.Mirror, n ir.Node) ir.Value {
			x, y := m.Of(n.Arg(0)), m.Of(n.Arg(1))
			if has("a rule with operands exchanged") {
				x, y = y, x
			}
			if has("a rule that is found to be wrong") {
				panic(&ir.OpError{Op: "toy.mix", Author: true, Msg: "is rewritten wrongly"})
			}
			if has("a rule that may overflow") {
				flags := m.B.Ctx().Props([]ir.NamedAttr{{Name: "overflowFlags", Value: nsw(m.B.Ctx())}}, nil)
				return m.B.OpAttr(arith.Addi, flags, m.Op(arith.Muli, x, i32(m, 3)), y)
			}
			return m.Op(arith.Addi, m.Op(arith.Muli, x, i32(m, 3)), y)
		},
		div: func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(arith.Divui, m.Of(n.Arg(0)), m.Of(n.Arg(1))) },
		half: func(m *ir.Mirror, n ir.Node) ir.Value {
			if has("a rule that rounds another way") {
				return m.Op(arith.Shrsi, m.Of(n.Arg(0)), i32(m, 1))
			}
			return m.Op(arith.Divsi, m.Of(n.Arg(0)), i32(m, 2))
		},
		clamp: func(m *ir.Mirror, n ir.Node) ir.Value {
			return m.Op(arith.Minsi, m.Op(arith.Maxsi, m.Of(n.Arg(0)), i32(m, 0)), i32(m, 255))
		},
		step: func(m *ir.Mirror, n ir.Node) ir.Value {
			by, _ := m.B.Ctx().Number(n.Attr("by"))
			return m.Op(arith.Addi, m.Of(n.Arg(0)), i32(m, by&0xFFFF_FFFF))
		},
	}
}

func nsw(c *ir.Context) ir.Attr { return c.OpaqueAttr("arith.overflow<nsw>") }

func toySyntax(has func(string) bool, mix, step *ir.OpDef) text.Syntax {
	mixed := "$x `,` $y attr-dict `:` type($x)"
	if has("a format without attributes") {
		mixed = "$x `,` $y `:` type($x)"
	}
	stepped := "$x `by` $by attr-dict `:` type($x)"
	if has("a format that cannot be read") {
		stepped = "$x `by` $by `by` attr-dict `:` type($x)"
	}
	return text.Syntax{
		mix:  {Format: mixed},
		step: {Format: stepped, Attrs: map[string]text.AttrForm{"by": text.Number(ir.I64)}},
	}
}
