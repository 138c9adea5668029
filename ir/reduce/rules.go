package reduce

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

func one(s site, e edit) step { return step{s: e} }

// unused drops what nothing uses but what is unused too.
func unused(p *program, s site) []step {
	if !p.idle[s] || !s.droppable() {
		return nil
	}
	return []step{one(s, edit{kind: drop})}
}

// bodies puts a body in the place of its op, skips the op as a loop without
// iterations, empties a body, and takes away a region.
func bodies(p *program, s site) (out []step) {
	regions := s.g.Regions(s.v)
	if len(regions) == 0 {
		return nil
	}
	if s.droppable() {
		for i, r := range regions {
			if s.g.HasBlock(r) {
				out = append(out, one(s, edit{kind: inline, n: i}))
			}
		}
		if len(s.types()) > 0 && len(s.args()) >= len(s.types()) {
			out = append(out, one(s, edit{kind: skip}))
		}
	}
	for i, r := range regions {
		if !s.g.HasBlock(r) {
			continue
		}
		empty := step{}
		for _, in := range p.inner[region{s.g, r}] {
			if in.droppable() {
				empty[in] = edit{kind: drop}
			}
		}
		out = append(out, empty, one(s, edit{kind: unblock, n: i}), one(s, edit{kind: cut, cut: &cutting{regions: []int{i}}}))
	}
	return out
}

// symbols drops a function or a global with all that name it.
func symbols(p *program, s site) []step {
	name := s.symbol()
	if name == "" || !s.droppable() {
		return nil
	}
	out := one(s, edit{kind: drop})
	for _, u := range p.users[name] {
		if !u.droppable() {
			return nil
		}
		out[u] = edit{kind: drop}
	}
	return []step{out}
}

// substitutes proposes what may stand for an op: constants, an operand.
func substitutes(p *program, s site) []step {
	if s.def().Has(ir.ConstantLike) {
		return copies(p, s)
	}
	if !s.droppable() || len(s.types()) == 0 {
		return nil
	}
	out := []step{one(s, edit{kind: constant})}
	if len(s.types()) == 1 {
		for i, a := range s.args() {
			if s.g.Type(a) == s.g.Type(s.v) {
				out = append(out, one(s, edit{kind: operand, n: i}))
			}
		}
	}
	return out
}

// copies drops a constant that is there further up.
func copies(_ *program, s site) []step {
	if !s.droppable() || !s.def().Has(ir.ConstantLike) {
		return nil
	}
	return []step{one(s, edit{kind: same})}
}

// uses lets an op use what depends on less.
func uses(_ *program, s site) (out []step) {
	for i, a := range s.args() {
		if rank(s.g, a) > 1 {
			out = append(out, one(s, edit{kind: use, n: i}))
		}
	}
	return out
}

// plainest leaves out all discardable attributes of an op.
func plainest(_ *program, s site) []step {
	if _, attrs := s.named(); len(attrs) > 0 {
		return []step{one(s, edit{kind: plain})}
	}
	return nil
}

// attributes leaves out each attribute, or makes it simpler.
func attributes(p *program, s site) []step {
	out := plainest(p, s)
	props, attrs := s.named()
	for _, e := range slices.Concat(props, attrs) {
		out = append(out, one(s, edit{kind: set, name: e.Name}))
		for _, x := range simpler(s.g.Ctx, e.Value) {
			out = append(out, one(s, edit{kind: set, name: e.Name, attr: x}))
		}
	}
	return out
}

// simpler lists attributes of the same kind and type that weigh less: 0, 1 and half
// of a number, one number for all elements, a dictionary without one entry.
func simpler(c *ir.Context, a ir.Attr) (out []ir.Attr) {
	info := *c.AttrInfo(a)
	switch info.Kind {
	case ir.AttrInt:
		if info.Big != nil {
			return nil
		}
		for _, n := range []int64{0, 1, info.Int / 2} {
			x := info
			x.Int = n
			out = append(out, c.Attr(x))
		}
	case ir.AttrFloat:
		x := ir.BitsToFloat(info.Bits, info.Type)
		out = append(out, c.FloatAttr(0, info.Type), c.FloatAttr(1, info.Type))
		if half := float64(int64(x / 2)); x == x && half != 0 && half != x {
			out = append(out, c.FloatAttr(half, info.Type))
		}
	case ir.AttrDense:
		if size := c.ElemSize(c.Info(info.Type).Elem); size > 0 && len(info.Str) >= size {
			info.Splat = true
			for _, s := range []string{string(make([]byte, size)), info.Str[:size]} {
				info.Str = s
				out = append(out, c.Attr(info))
			}
		}
	case ir.AttrDict:
		for i := range info.Dict {
			x := info
			x.Dict = slices.Delete(slices.Clone(info.Dict), i, i+1)
			out = append(out, c.Attr(x))
		}
	case ir.AttrArray:
		for i, e := range info.List {
			for _, y := range simpler(c, e) {
				x := info
				x.List = slices.Clone(info.List)
				x.List[i] = y
				out = append(out, c.Attr(x))
			}
		}
	}
	return slices.DeleteFunc(out, func(x ir.Attr) bool { return weighAttr(c, x) >= weighAttr(c, a) })
}
