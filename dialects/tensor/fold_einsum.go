package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Rules on einsums: what only renames, repeats or leaves out indices becomes part of the spec.
var einsumFolds = []ir.Fold{
	{Of: Einsum, Rule: "an einsum of a transpose is one of its operand", Do: foldTransposed},
	{Of: Einsum, Rule: "an einsum of a reshape that only adds or drops extents of 1 is one of its operand", Do: foldOnes},
	{Of: Einsum, Rule: "I M = M, for a constant I", Do: foldIdentity},
	{Of: Einsum, Rule: "D M, for a constant diagonal matrix D, scales M", Do: foldDiagonal},
	{Of: Einsum, Rule: "an einsum of one operand that sums nothing is a transpose", Do: foldRenamed},
	{Of: Einsum, Rule: "the indices of an einsum have their names by their order", Do: foldNames},
}

// specOf is the spec of an einsum that is being built.
func specOf(c *ir.Call) *Spec {
	var shapes [][]int64
	for i := range c.Args {
		shapes = append(shapes, Shape(c.Ctx(), c.ArgType(i)))
	}
	s, err := ParseSpec(c.Ctx().AttrInfo(c.Get("spec")).Str, shapes...)
	if err != nil {
		panic("ten.einsum: " + err.Error()) // inferEinsum has read it
	}
	return s
}

func foldTransposed(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	i := slices.IndexFunc(c.Args, func(x ir.Value) bool { return g.Def(x) == Transpose })
	if i < 0 {
		return 0
	}
	s := specOf(c)
	from := make([]int, len(s.In[i]))
	for d, at := range perm(g, c.Args[i]) {
		from[at] = s.In[i][d]
	}
	s.In[i] = from
	args := slices.Clone(c.Args)
	args[i] = g.Args(c.Args[i])[0]
	return BuildEinsumOf(b, s, c.Type, args...)
}

// foldIdentity: of a constant identity with indices x and y, of which y is summed over and another operand has
// it, only y = x is left. Products with its zeros are not taken.
func foldIdentity(b *ir.Builder, c *ir.Call) ir.Value {
	for i := range c.Args {
		s, ones, ok := onDiagonal(c, i)
		if !ok || !ones {
			continue
		}
		x := s.In[i][0]
		s.In = slices.Delete(s.In, i, i+1)
		if !slices.ContainsFunc(s.In, func(in []int) bool { return slices.Contains(in, x) }) {
			continue
		}
		return BuildEinsumOf(b, s, c.Type, slices.Delete(slices.Clone(c.Args), i, i+1)...)
	}
	return 0
}

// foldDiagonal: of another constant diagonal matrix the diagonal is left. Products with the zeros beside it are not
// taken.
func foldDiagonal(b *ir.Builder, c *ir.Call) ir.Value {
	for i := range c.Args {
		s, _, ok := onDiagonal(c, i)
		if !ok {
			continue
		}
		elem, n := Elem(c.Ctx(), c.ArgType(i)), Shape(c.Ctx(), c.ArgType(i))[0]
		all, _ := c.Const(i)
		var diagonal ir.Vector
		for k := range n {
			diagonal = append(diagonal, all.Ref.(ir.Vector)[k*(n+1)])
		}
		s.In[i] = s.In[i][:1]
		args := slices.Clone(c.Args)
		args[i] = b.Const(c.Ctx().Tensor([]int64{n}, elem), ir.Val{Ref: diagonal})
		return BuildEinsumOf(b, s, c.Type, args...)
	}
	return 0
}

// onDiagonal is the spec of an einsum in which the two indices of operand i are one, which is right for a constant
// matrix with zeros beside its diagonal of which not both indices are kept; ones says that those on it are 1.
func onDiagonal(c *ir.Call, i int) (s *Spec, ones, ok bool) {
	if len(c.Args) < 2 {
		return nil, false, false
	}
	ones, ok = diagonal(c, i)
	if !ok {
		return nil, false, false
	}
	s = specOf(c)
	x, y := s.In[i][0], s.In[i][1]
	if slices.Contains(s.Out, y) {
		x, y = y, x
	}
	if x == y || x == Stretched || y == Stretched || slices.Contains(s.Out, y) {
		return nil, false, false
	}
	for k, in := range s.In {
		s.In[k] = slices.Clone(in)
		for d := range in {
			if in[d] == y {
				s.In[k][d] = x
			}
		}
	}
	return s, ones, true
}

// diagonal reports an operand that is a constant matrix of zeros but for the diagonal, and whether all there are 1.
func diagonal(c *ir.Call, i int) (ones, ok bool) {
	shape := Shape(c.Ctx(), c.ArgType(i))
	if len(shape) != 2 || shape[0] != shape[1] || shape[0] < 2 {
		return false, false
	}
	v, ok := c.Const(i)
	elems, isVec := v.Ref.(ir.Vector)
	if !ok || !isVec {
		return false, false
	}
	elem := Elem(c.Ctx(), c.ArgType(i))
	ones = true
	for k, x := range elems {
		if x.Ref != nil {
			return false, false
		}
		f, n := read(c.Ctx(), x, elem)
		switch value := f + float64(n); {
		case int64(k)/shape[1] == int64(k)%shape[1]:
			ones = ones && value == 1
		case value != 0:
			return false, false
		}
	}
	return ones, true
}

// foldOnes: a dimension of extent 1 that a reshape drops is one that the einsum sums over; one that it adds is an index
// that it need not have, unless nothing else says it.
func foldOnes(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	for i, x := range c.Args {
		if g.Def(x) != Reshape {
			continue
		}
		from, to := Shape(c.Ctx(), g.Type(g.Args(x)[0])), Shape(c.Ctx(), c.ArgType(i))
		s := specOf(c)
		in, ok := throughOnes(s, i, from, to)
		if !ok {
			continue
		}
		s.In[i] = in
		args := slices.Clone(c.Args)
		args[i] = g.Args(x)[0]
		return BuildEinsumOf(b, s, c.Type, args...)
	}
	return 0
}

// throughOnes are the indices of operand i of an einsum before a reshape that only adds and drops extents of 1.
func throughOnes(s *Spec, i int, from, to []int64) (in []int, ok bool) {
	if isOpen(from) || isOpen(to) || len(s.Names)+len(from) > len(alphabet) {
		return nil, false
	}
	d := 0 // in to
	skip := func() {
		for ; d < len(to) && to[d] == 1; d++ {
			if s.In[i][d] == Stretched {
				continue
			}
			elsewhere := !slices.Contains(s.Out, s.In[i][d])
			for k, other := range s.In {
				elsewhere = elsewhere || k != i && slices.Contains(other, s.In[i][d])
			}
			ok = ok && elsewhere
		}
	}
	ok = true
	for _, n := range from {
		if n == 1 {
			in = append(in, len(s.Names))
			s.Names, s.Extents = append(s.Names, "one"), append(s.Extents, 1)
			continue
		}
		skip()
		if d == len(to) || to[d] != n {
			return nil, false
		}
		in = append(in, s.In[i][d])
		d++
	}
	skip()
	return in, ok && d == len(to)
}

func foldRenamed(b *ir.Builder, c *ir.Call) ir.Value {
	s := specOf(c)
	if len(c.Args) != 1 || len(s.Out) != len(s.In[0]) || len(s.Names) != len(s.Out) || slices.Contains(s.In[0], Stretched) ||
		Elem(c.Ctx(), c.Type) != Elem(c.Ctx(), c.ArgType(0)) {
		return 0
	}
	order, shape := make([]int64, len(s.Out)), Shape(c.Ctx(), c.ArgType(0))
	for d, x := range s.Out {
		order[d] = int64(slices.Index(s.In[0], x))
		if shape[order[d]] != Shape(c.Ctx(), c.Type)[d] {
			return 0 // the type says more
		}
	}
	return BuildTranspose(b, c.Args[0], order...)
}

// foldNames makes one of einsums that differ in names.
func foldNames(b *ir.Builder, c *ir.Call) ir.Value {
	s := specOf(c)
	if s.Compact().String() == c.Ctx().AttrInfo(c.Get("spec")).Str {
		return 0
	}
	return BuildEinsumOf(b, s, c.Type, c.Args...)
}
