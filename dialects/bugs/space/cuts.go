package space

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
)

// Nodes says how many of the nodes of a statement have something.
type Nodes uint8

const (
	NoNode Nodes = iota
	someNodes
	allNodes
)

// cutLimits says which nodes of a statement have limits by intervals whose cuts are data.
type cutLimits struct{ Lower, Upper Nodes }

func (u *Unconstrained) cutLimits(s *model.Statement) (out cutLimits) {
	if eval.Intervals(u.Model)[s.Var] == nil {
		return out
	}
	kept, below, above := 0, 0, 0
	s.EachElement(func(i, k int) bool {
		if u.keeps(s, i) {
			lo, hi := eval.Within(u.Model, u.data, s.Var, k)
			kept++
			below += int(function.Truth(!math.IsInf(lo, -1)))
			above += int(function.Truth(!math.IsInf(hi, 1)))
		}
		return true
	})
	count := func(n int) Nodes {
		switch n {
		case 0:
			return NoNode
		case kept:
			return allNodes
		}
		return someNodes
	}
	return cutLimits{count(below), count(above)}
}

// unknownCuts warns of intervals that limit no node of a statement: those whose cuts are
// nodes, and those of elements of a vector.
func (u *Unconstrained) unknownCuts(pl *Plan) (list diag.List) {
	of, said := eval.Intervals(u.Model)[pl.Stmt.Var], map[*model.Statement]bool{}
	if of == nil {
		return nil
	}
	pl.Stmt.EachElement(func(i, k int) bool {
		if pl.Stmt.Var.ClassAt(k) != model.Parameter {
			return true
		}
		for _, x := range of[k] {
			cuts, why := x.Stmt.Sample.Args[1], "depend on nodes"
			if pl.Joint {
				why = "are those of elements of a " + pl.Stmt.Sample.Dist + " vector"
			} else if eval.FromData(u.Model, cuts) {
				continue
			}
			if !said[x.Stmt] {
				said[x.Stmt] = true
				d := diag.Warningf(cuts.Span(), "the cuts of %s %s, and do not limit %s on the unconstrained scale: on their wrong side its density is 0", x.Stmt.Var.Name, why, pl.Stmt.Var.Name)
				if d.WithFix("instead of %s ~ dinterval(...) write C(lower, upper) at the distribution of %s: its limits may be nodes", x.Stmt.Var.Name, pl.Stmt.Var.Name); pl.Joint {
					d.WithFix("draw the elements of %s one by one, each given those before it", pl.Stmt.Var.Name)
				}
				list = append(list, d)
			}
		}
		return true
	})
	return list
}
