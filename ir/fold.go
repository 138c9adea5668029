package ir

// maxFoldDepth bounds rules that ask for what other rules make: two that undo each other are the author's mistake, not a hang.
const maxFoldDepth = 500

// Folds reports that ops are normalised as they are built: a front may leave out what a rule would.
func (b *Builder) Folds() bool { return !b.plain && !b.g.verbatim }

// fold returns an equal node, or 0.
func (b *Builder) fold(c *Call) Value {
	if b.plain || c.Def.Traits&(ConstantLike|Opaque) != 0 {
		return 0
	}
	facts, constants := b.operands(c.Args)
	if constants && c.Def.Eval != nil && len(c.Args) > 0 && len(c.Regions) == 0 {
		if v := b.foldConstants(c); v != 0 {
			return v
		}
	}
	folds := b.Ctx().FoldsOf(c.Def)
	if len(folds) == 0 {
		return 0
	}
	if b.depth > maxFoldDepth {
		panic("ir: folds of " + c.Def.Name + " do not end")
	}
	b.depth++
	b.trial++
	v := b.firstFold(folds, facts, c)
	b.depth--
	if b.trial--; b.trial == 0 {
		b.attempted = b.attempted[:0]
	}
	return v
}

// operands finds what is to be known of operands before any rule is asked, and whether all are constants.
func (b *Builder) operands(args []Value) (facts Operands, constants bool) {
	all := uint16(flagConst)
	for i, a := range args {
		rec := &b.g.nodes[a]
		facts |= madeByOp(rec.op)
		if all &= rec.flags; rec.flags&flagConst != 0 {
			facts |= Constant
		}
		if i > 2 || i > 0 && (a == args[i-1] || a == args[0]) { // of more than three it is not looked for
			facts |= Same
		}
	}
	return facts, all != 0
}

// firstFold returns what the first rule that applies makes of an op, or 0.
func (b *Builder) firstFold(folds []Fold, facts Operands, c *Call) Value {
	for i := range folds {
		needed := folds[i].Needs&^facts == 0
		if !needed && !b.g.Ctx.AskAll {
			continue
		}
		made := len(b.attempted)
		v := folds[i].Do(b, c)
		if v == 0 {
			b.noteTried(made)
			continue
		}
		if !needed {
			panic("ir: rule \"" + folds[i].Rule + "\" of " + c.Def.Name + " applies although what it needs is not there")
		}
		if b.g.nodes[v].typ != c.Type {
			panic("ir: rule \"" + folds[i].Rule + "\" of " + c.Def.Name + " changes the type")
		}
		if b.missing != nil {
			return v // only asked
		}
		b.fired(folds[i].Rule, c.Loc, v)
		return v
	}
	return 0
}

// fired notes that a rule made an op into v.
func (b *Builder) fired(rule string, at Loc, v Value) {
	if _, ok := b.Ctx().fired.Load(rule); !ok {
		b.Ctx().fired.Store(rule, true)
	}
	b.watch(Event{Kind: Folded, At: at, Rule: rule, Value: v})
}

func (b *Builder) foldConstants(c *Call) Value {
	vals := make([]Val, 0, len(c.Args))
	for i := range c.Args {
		v, ok := c.Const(i)
		if !ok {
			return 0
		}
		vals = append(vals, v)
	}
	out, err := c.Def.Eval(c, vals)
	if err != nil {
		return 0 // a trap stays where it is
	}
	a := b.Ctx().AttrOf(out, c.Type)
	if a == 0 || b.Ctx().constantOf(c.Type) == nil {
		return 0
	}
	v := b.ConstAttr(c.Type, a)
	b.watch(Event{Kind: Folded, At: c.Loc, Value: v})
	return v
}

// A Cleanup is a normalising rule that needs to know who uses an op, which a fold cannot:
// what is built has no users yet. It runs where a graph is rebuilt to be cleaned up (the pass
// canonicalize and others), and asks the old graph: Node.Users, Node.UsedResults, Uses. It
// returns what stands for the op, or 0. Rule says in a line what it does.
type Cleanup struct {
	Of   *OpDef
	Rule string
	Do   func(m *Mirror, n Node) Value
}

// Cleanups are the dialects' rules of that kind, for a Rewrite. Of several for one op those
// of the lower dialect are asked first, and of one dialect the first.
func (c *Context) Cleanups() Rules { return c.cleanups }

func (c *Context) addCleanups(d *Dialect) {
	for _, x := range d.Cleanups {
		if c.cleanups == nil {
			c.cleanups = Rules{}
		}
		before := c.cleanups[x.Of]
		c.cleanups[x.Of] = func(m *Mirror, n Node) Value {
			if before != nil {
				if v := before(m, n); v != 0 {
					return v
				}
			}
			v := x.Do(m, n)
			if v != 0 {
				m.B.fired(x.Rule, n.g.loc(n.v), v)
			}
			return v
		}
	}
}
