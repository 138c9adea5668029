package emit

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir"
)

// multivariate makes the op of a statement whose distribution is of arrays.
func (e *Emitter) multivariate(s *model.Statement, j *family.Joint) {
	if d := eval.CanBeBounded(s); d != nil {
		panic(d)
	}
	c := e.Builder.Ctx()
	p := partEmitter{e: e.exprs}
	p.add(e.exprs.mem[s.Var], s.Var, s.LHS, true)
	for i, a := range s.Sample.Args {
		if j.Args[i] == 0 {
			p.args = append(p.args, e.exprs.scalar(a))
			continue
		}
		e.exprs.ranked(a, j.Args[i]).part(&p)
	}
	limits := e.jointLimits(s, &p)
	obs, mask := e.observed(s)
	if mask != 0 {
		p.add(mask, s.Var, s.LHS, true)
	}
	props := append([]ir.NamedAttr{{Name: "dist", Value: c.StringAttr(s.Dist.Name)}, {Name: "name", Value: c.StringAttr(s.Var.Name)},
		{Name: "observed", Value: c.StringAttr(obs)}, {Name: "ranges", Value: c.DenseArray(ir.I32, p.ranges...)}}, limits...)
	v := e.Builder.Must(ir.Call{Def: ops.Multivariate, Args: p.args, Loc: ir.Loc(s.Span().Start + 1), Attr: e.props(props)})
	if ops.MatrixRows(e.Builder.Graph(), v) > ops.MaxRows {
		panic(function.Unsupported(s.Sample.DistAt, fmt.Sprintf("%s of more than %d rows", s.Sample.Dist, ops.MaxRows)))
	}
}

// jointLimits adds the bounds of a node to its operands, and tells them by attributes.
func (e *Emitter) jointLimits(s *model.Statement, p *partEmitter) []ir.NamedAttr {
	bd := s.Sample.Bound
	if bd == nil {
		return nil
	}
	truncated, d := eval.Truncates(e.Source, s)
	if d != nil {
		panic(d)
	}
	c := e.Builder.Ctx()
	var has [2]int64
	for i, x := range []syntax.Expr{bd.Lower, bd.Upper} {
		if x != nil {
			has[i] = 1
			p.args = append(p.args, e.exprs.scalar(x))
		}
	}
	out := []ir.NamedAttr{{Name: "limits", Value: c.DenseArray(ir.I32, has[:]...)}}
	if truncated {
		out = append(out, ir.NamedAttr{Name: "truncated", Value: c.UnitAttr()})
	}
	return out
}

// partEmitter collects the operands of bugs.multivariate.
type partEmitter struct {
	e      *expressions
	args   []ir.Value
	ranges []int64
}

// add adds a part of an array. Without indices it is the whole, and on the left side
// the only element.
func (p *partEmitter) add(mem ir.Value, v *model.Var, r *syntax.Ref, left bool) {
	e := p.e
	p.args = append(p.args, mem)
	for d, n := range v.Dims {
		lo, ranged := e.b.Index(1), int64(1)
		hi := e.b.Index(int64(n))
		if len(r.Indices) == 0 && left {
			ranged = 0
		}
		if len(r.Indices) > 0 {
			switch x := r.Indices[d].(type) {
			case *syntax.All:
			case *syntax.Range:
				if !eval.FromData(e.model, x) {
					panic(function.Unsupported(x.Span(), "a part of an array that depends on a node"))
				}
				lo, hi = e.index(x.From), e.index(x.To)
			default:
				lo = e.index(x)
				hi, ranged = lo, 0
			}
		}
		p.args = append(p.args, lo, hi)
		p.ranges = append(p.ranges, ranged)
	}
}
