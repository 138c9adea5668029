package lower

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir"
)

// A factor whose parameter is the inverse of a matrix is a factor of that matrix, of a law that
// has it as it is: dmnorm(mu, inverse(S)) = dmnorm.vcov(mu, S). The matrix is factored where it
// would be inverted, and its inverse factored then. The inverse itself stays for what else reads it.

// A factor is what a bugs.multivariate is lowered as.
type factor struct {
	law   *family.Law
	parts []ops.Part[ir.Value]
}

// inverses finds the parameters that are inverses. assigns are the ops that write a declaration
// or a temporary.
type inverses struct {
	*model
	assigns map[ir.Value][]ir.Value
}

// rewrite is the law and the parts of a bugs.multivariate.
func (n inverses) rewrite(v ir.Value) factor {
	out := factor{law: lawOf(n.g, v), parts: n.partsOf(v)}
	other := prob.OfInverse(out.law)
	if other == nil {
		return out
	}
	at := 1 + out.law.Joint.Matrix.Param
	if p, ok := n.inverted(v, out.parts[at]); ok {
		out.law, out.parts[at] = other, p
	}
	return out
}

// inverted is the part that is inverted to make part p of op v.
func (n inverses) inverted(v ir.Value, p ops.Part[ir.Value]) (ops.Part[ir.Value], bool) {
	made, moved := n.made(p.Array), map[ir.Value]ir.Value{}
	if made != 0 && n.g.Def(made) == ops.Assign {
		if p, made, moved = n.copied(p, made); made == 0 {
			return p, false
		}
	}
	if made == 0 || n.g.Def(made) != ops.Compute || n.g.Ctx.AttrInfo(n.g.Attr(made, "name")).Str != "inverse" {
		return p, false
	}
	parts := n.partsOf(made)
	out, in := parts[0], parts[1]
	if !slices.Equal(out.Bounds, p.Bounds) || !slices.Equal(out.Ranged, p.Ranged) {
		return p, false
	}
	if n.g.Def(in.Array) == ops.Temporary && (len(moved) > 0 || !n.staysFor(v, in.Array, made)) {
		return p, false
	}
	in.Bounds = slices.Clone(in.Bounds)
	for i, b := range in.Bounds {
		if to, ok := moved[b]; ok {
			in.Bounds[i] = to
		} else if !n.around(v, n.placeOf(b)) {
			return p, false
		}
	}
	return in, true
}

// made is the only op that writes an array that has no other elements; 0 if there is no such op.
func (n inverses) made(array ir.Value) ir.Value {
	def := n.g.Def(array)
	if def != ops.Temporary && (def != ops.LogicalVar || n.g.Attr(array, "given") != 0 || n.g.Attr(array, "holes") != 0) {
		return 0
	}
	if w := n.assigns[array]; len(w) == 1 {
		return w[0]
	}
	return 0
}

// copied is the part of a temporary that an assignment, element by element in loops of its own, copies to
// part p, and the op that makes the temporary, 0 if it is no such copy. moved says which loop variables
// of the copy are which indices of p.
func (n inverses) copied(p ops.Part[ir.Value], assign ir.Value) (from ops.Part[ir.Value], made ir.Value, moved map[ir.Value]ir.Value) {
	g := n.g
	args := g.Args(assign)
	read, at := args[0], args[2:]
	if g.Def(read) != ops.Read || g.Attr(assign, "link") != 0 {
		return p, 0, nil
	}
	from = ops.Part[ir.Value]{Array: g.Args(read)[0]}
	made, moved = n.made(from.Array), map[ir.Value]ir.Value{}
	if made == 0 || g.Def(made) != ops.Compute {
		return p, 0, nil
	}
	r := n.s.Place(assign)
	var own []ir.Value // the variables of the loops around the copy, from the inside
	for r != n.s.Place(made) {
		if r == ir.Root || g.Def(g.Owner(r)) != ops.For {
			return p, 0, nil
		}
		own = append(own, g.Params(r)[0])
		r = n.s.Place(g.Owner(r))
	}
	var inner []ir.Value
	for d, i := range at {
		lo, hi := p.Bounds[2*d], p.Bounds[2*d+1]
		loop, _, isParam := g.Param(i)
		switch {
		case p.Ranged[d]:
			if !isParam || !slices.Contains(own, i) || !slices.Equal(g.Args(g.Owner(loop)), []ir.Value{lo, hi}) {
				return p, 0, nil
			}
			inner, from.Bounds, from.Ranged = append(inner, i), append(from.Bounds, lo, hi), append(from.Ranged, true)
		case i == lo:
		case isParam && loop != ir.Root && !n.isChecked(lo) && !slices.Contains(own, i):
			moved[i] = lo
		default:
			return p, 0, nil
		}
	}
	if len(inner) != len(own) || !slices.Equal(inner, g.Args(read)[1:]) {
		return p, 0, nil
	}
	return from, made, moved
}

// staysFor says that a temporary that op `made` reads is not written again before op v: its writers,
// of which each writes once where made runs once, stand beside made, and so does v.
func (n inverses) staysFor(v, array, made ir.Value) bool {
	r := n.s.Place(made)
	for _, w := range n.assigns[array] {
		if !n.around(w, r) {
			return false
		}
	}
	return n.around(v, r)
}

// placeOf is the region where a value is made.
func (n inverses) placeOf(v ir.Value) ir.Region {
	if r, _, ok := n.g.Param(v); ok {
		return r
	}
	if _, ok := n.g.Const(v); ok {
		return ir.Root
	}
	return n.s.Place(v)
}

// around says that region r is that of op v or around it.
func (n inverses) around(v ir.Value, r ir.Region) bool {
	at := n.s.Place(v)
	for at != r && at != ir.Root {
		at = n.s.Place(n.g.Owner(at))
	}
	return at == r
}
