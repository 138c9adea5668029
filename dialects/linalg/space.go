package linalg

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// A space is a row's loops and subscripts, read.
type space struct {
	loops    []string   // nil: as many as the output has dimensions
	operands [][]string // subscripts as text, of the inputs and the output
}

// readSpace reads `m n k: (m, k) (k, n) -> (m, n)`.
func readSpace(s string) space {
	head, tail, _ := strings.Cut(s, ":")
	var x space
	if head != "..." {
		x.loops = strings.Fields(head)
	}
	for _, part := range strings.Split(tail, "(")[1:] {
		inside, _, _ := strings.Cut(part, ")")
		var subs []string
		for _, e := range strings.Split(inside, ",") {
			if e = strings.TrimSpace(e); e != "" {
				subs = append(subs, e)
			}
		}
		x.operands = append(x.operands, subs)
	}
	return x
}

// windows is how many dimensions a window has: how many strides and dilations there are.
func (x space) windows() (n int) {
	for i, name := range []string{"s0", "s1", "s2"} {
		if strings.Contains(strings.Join(slices.Concat(x.operands...), " "), name) {
			n = i + 1
		}
	}
	return n
}

// structure is the space for operands of these ranks, with numbers for strides and dilations. Where an op works element by
// element, an operand of rank 0, or a number, gives the same to each.
func (x space) structure(ranks []int, strides, dilations []int64) *Structure {
	loops, rank := x.loops, ranks[len(ranks)-1]
	if loops != nil {
		rank = len(loops)
	}
	s := &Structure{Inputs: len(x.operands) - 1, Args: len(x.operands), Reduction: make([]bool, rank)}
	for i, subs := range x.operands {
		m := &expr.Map{Dims: rank}
		for _, sub := range subs {
			if sub == "..." && ranks[i] == 0 {
				break
			}
			if sub == "..." {
				m = expr.Identity(rank)
				break
			}
			m.Results = append(m.Results, subscript(sub, loops, strides, dilations))
		}
		s.Maps = append(s.Maps, m)
	}
	for d := range s.Reduction {
		s.Reduction[d] = !slices.ContainsFunc(s.Maps[s.Inputs].Results, func(e *expr.Expr) bool { return e.Op == expr.OpDim && e.N == int64(d) })
	}
	return s
}

// subscript reads `o*s0 + k*d0`.
func subscript(text string, loops []string, strides, dilations []int64) *expr.Expr {
	var sum *expr.Expr
	for _, part := range strings.Split(text, "+") {
		name, factor, _ := strings.Cut(strings.TrimSpace(part), "*")
		e := expr.Dim(slices.Index(loops, name))
		if factor != "" {
			from := strides
			if factor[0] == 'd' {
				from = dilations
			}
			e = expr.Mul(e, expr.Const(from[factor[1]-'0']))
		}
		if sum == nil {
			sum = e
		} else {
			sum = expr.Add(sum, e)
		}
	}
	return sum.Simplify()
}

// window reads strides or dilations, ones where there are none; ok is false if it is no list of so many positive numbers.
func window(c *ir.Context, a ir.Attr, n int) (out []int64, ok bool) {
	if a == 0 {
		return slices.Repeat([]int64{1}, n), true
	}
	if c.KindOf(a) != ir.AttrDense {
		return nil, false
	}
	info := c.Info(c.AttrInfo(a).Type)
	if len(info.Shape) != 1 || info.Shape[0] != int64(n) || info.Elem != ir.I64 {
		return nil, false
	}
	elems := c.Elems(a)
	for i := range n {
		e := int64(elems[min(i, len(elems)-1)])
		if e <= 0 {
			return nil, false
		}
		out = append(out, e)
	}
	return out, true
}
