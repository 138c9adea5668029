package ir

// A small dialect to test the graph with.

func gives(t Type) func(*Call) (Type, error) {
	return func(*Call) (Type, error) { return t, nil }
}

func given(c *Call) (Type, error) { return c.Type, nil }

var (
	tConst = Define(&OpDef{Name: "t.const", Attrs: []string{"value"}, Traits: ConstantLike, Infer: given})
	tAdd   = Define(&OpDef{Name: "t.add", Traits: Commutative, Infer: gives(I64), Eval: func(c *Call, a []Val) (Val, error) {
		return Val{Bits: a[0].Bits + a[1].Bits}, nil
	}})
	tDiv = Define(&OpDef{Name: "t.div", Traits: Partial, Infer: gives(I64), Traps: func(c *Call) bool {
		v, ok := c.Const(1)
		return !ok || v.Bits == 0
	}})
	tPure  = Define(&OpDef{Name: "t.p", Attrs: []string{"n"}, Infer: gives(I64)})
	tPrint = Define(&OpDef{Name: "t.print", Infer: gives(Void), Effects: func(*Call) []Effect { return []Effect{{Write, IO}} }})
	tAlloc = Define(&OpDef{Name: "t.alloc", Traits: Unique, Infer: func(c *Call) (Type, error) { return c.Ctx().OpaqueType("t.ref"), nil }})
	tLoad  = Define(&OpDef{Name: "t.load", Traits: NoCapture, Infer: gives(I64), Effects: func(c *Call) []Effect {
		return []Effect{{Read, c.Builder().ResourceOf(c.Args[0])}}
	}})
	tStore = Define(&OpDef{Name: "t.store", Traits: NoCapture, Infer: gives(Void), Effects: func(c *Call) []Effect {
		return []Effect{{Write, c.Builder().ResourceOf(c.Args[1])}}
	}, Overwrites: func(c *Call, prev Value) bool {
		return c.Graph().Def(prev).Name == "t.store" && c.Graph().Args(prev)[1] == c.Args[1]
	}})
	tYield = Define(&OpDef{Name: "t.yield", Traits: Terminator, Infer: gives(Void)})
	tIf    = Define(&OpDef{Name: "t.if", Body: Branch, Infer: given})
	tLoop  = Define(&OpDef{Name: "t.loop", Body: Loop, Infer: given})
	tFunc  = Define(&OpDef{Name: "t.func", Traits: Symbol | Isolated, Infer: gives(Void)})

	tDialect = &Dialect{Name: "t", Clean: true, Ops: []*OpDef{tConst, tAdd, tDiv, tPure, tPrint, tAlloc, tLoad, tStore, tYield, tIf, tLoop, tFunc},
		Folds: []Fold{
			{Of: tAdd, Rule: "x + 0 = x", Do: func(b *Builder, c *Call) Value {
				if v, ok := c.Const(1); ok && v.Bits == 0 {
					return c.Args[0]
				}
				return 0
			}},
			{Of: tLoad, Rule: "load after store = stored value", Do: func(b *Builder, c *Call) Value {
				w := b.LastWrite(b.ResourceOf(c.Args[0]))
				if b.Graph().Def(w) == tStore && b.Graph().Args(w)[1] == c.Args[0] {
					return b.Graph().Args(w)[0]
				}
				return 0
			}},
			{Of: tIf, Rule: "if true", Do: func(b *Builder, c *Call) Value {
				if v, ok := c.Const(0); ok && v.Bits == 1 {
					return b.Pack(b.Splice(c.Regions[0], nil)...)
				}
				return 0
			}},
		}}
)

type tb struct{ *Builder }

func newTB() tb { return tb{NewBuilder(NewContext(tDialect))} }

// Param adds a parameter that is never poison.
func (t tb) Param(typ Type) Value {
	p := t.Builder.Param(typ)
	t.SetClean(p)
	return p
}

func (t tb) n(x int64) Value { return t.Const(I64, Val{Bits: uint64(x)}) }
func (t tb) p(name string, args ...Value) Value {
	c := t.Ctx()
	return t.OpAttr(tPure, c.Props([]NamedAttr{{Name: "n", Value: c.StringAttr(name)}}, nil), args...)
}
func (t tb) yield(vs ...Value) { t.Op(tYield, vs...) }
func (t tb) cond(c Value, typ Type, then, els func()) Value {
	r1 := t.Region(Branch, nil, func([]Value) { then() })
	r2 := t.Region(Branch, nil, func([]Value) { els() })
	return t.Must(Call{Def: tIf, Args: []Value{c}, Regions: []Region{r1, r2}, Type: typ})
}
func (t tb) loop(typ Type, body func(i Value), args ...Value) Value {
	r := t.Region(Loop, []Type{I64}, func(a []Value) { body(a[0]) })
	return t.Must(Call{Def: tLoop, Args: args, Regions: []Region{r}, Type: typ})
}

// show prints a schedule as one line: names of the ops, regions in braces.
func show(g *Graph, opts ScheduleOptions) string {
	s := NewSchedule(g, opts)
	var body func(r Region) string
	body = func(r Region) string {
		out := ""
		for _, v := range s.Body(r) {
			if g.Def(v) == tConst || g.Def(v) == tYield {
				continue
			}
			name := g.Def(v).Name[2:]
			if a := g.Attr(v, "n"); a != 0 {
				name = g.Ctx.AttrInfo(a).Str
			}
			if out != "" {
				out += " "
			}
			out += name
			for _, in := range g.Regions(v) {
				out += "{" + body(in) + "}"
			}
		}
		return out
	}
	return body(Root)
}
