package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// lowerPack copies memory that may be written to while the tensor is used: a tensor is what the memory held when it was packed.
func (d down) lowerPack(n ir.Node) ir.Value {
	switch {
	case tensor.IsKept(n):
		return 0
	case !tensor.IsCopied(n) && !d.isOverwritten(n):
		return d.given(d.known(d.Of(n.Arg(0))))
	}
	from := d.known(d.Of(n.Arg(0)))
	var extents []ir.Value
	for i := range tensor.Shape(d.B.Ctx(), n.Type()) {
		extents = append(extents, d.B.Op(memref.Dim, from, d.B.Index(int64(i))))
	}
	own := d.alloc(n.Type(), extents)
	d.B.Op(memref.Copy, from, own)
	d.e.Remark(n, "the memory is written to later: the tensor has a copy of it")
	return d.given(own)
}

// isOverwritten reports a pack whose memory, under its name or as a view, is written to or freed behind it, or, where the tensor goes into
// the next round of a loop, in that loop; or by who called the function, where the function returns the tensor.
func (p *plan) isOverwritten(n ir.Node) bool {
	root := n.Arg(0)
	for {
		view, ok := ir.As[ir.ViewLike](root)
		if !ok {
			break
		}
		root = n.Graph().NodeOf(view.Source)
	}
	at := p.s.Place(n.Old())
	own := n.Graph().IsOp(root.Old()) && p.s.Place(root.Old()) == at
	if d := root.Def(); d != memref.Alloc && d != memref.Alloca && p.isReturned(n) {
		return true
	}
	return p.isWrittenBehind(root, n, at != ir.Root && !own && isHanded(n))
}

// isReturned reports a tensor, or memory of it, that the function may return, under these extents or others: itself, or as what a region gives.
func (p *plan) isReturned(n ir.Node) bool {
	g := n.Graph()
	return slices.ContainsFunc(n.Users(), func(u ir.Node) bool {
		if u.Def().Has(ir.Terminator) {
			r := p.s.Place(u.Old())
			return r == ir.Root || p.isReturned(g.NodeOf(g.Owner(r)))
		}
		view, ok := ir.As[ir.ViewLike](u)
		same := u.Def() == tensor.Reshape || u.Def() == tensor.Unpack || !g.IsOp(u.Old()) || ok && view.Source == n.Old()
		return same && p.isReturned(u)
	})
}

// isHanded reports a tensor whose memory, under these extents or others, is handed on.
func isHanded(n ir.Node) bool {
	return slices.ContainsFunc(n.Users(), func(u ir.Node) bool {
		return u.Def() == tensor.Unpack || u.Def().Has(ir.Terminator) || u.Def() == tensor.Reshape && isHanded(u)
	})
}

// isWrittenBehind looks at what uses memory and its views.
func (p *plan) isWrittenBehind(memory, n ir.Node, handed bool) bool {
	return slices.ContainsFunc(memory.Users(), func(u ir.Node) bool {
		if view, ok := ir.As[ir.ViewLike](u); ok && view.Source == memory.Old() {
			return p.isWrittenBehind(u, n, handed)
		}
		return p.writes(u) && (handed || p.isBehind(u, n))
	})
}

// writes reports an op that changes or ends memory, or hands it to what may.
func (p *plan) writes(u ir.Node) bool {
	if p.effects == nil {
		p.effects = u.Graph().Effects()
	}
	return slices.ContainsFunc(p.effects(u.Old()), ir.Effect.Writes)
}

// isBehind reports an op that stands, with what is around it, behind another in the innermost region around both.
func (p *plan) isBehind(u, n ir.Node) bool {
	g := u.Graph()
	around := map[ir.Region]ir.Value{}
	for v := n.Old(); v != 0; {
		r := p.s.Place(v)
		if around[r] = v; r == ir.Root {
			break
		}
		v = g.Owner(r)
	}
	v := u.Old()
	for around[p.s.Place(v)] == 0 {
		v = g.Owner(p.s.Place(v))
	}
	body := p.s.Body(p.s.Place(v))
	return slices.Index(body, v) > slices.Index(body, around[p.s.Place(v)])
}
