package notation

import (
	"errors"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Sum is a constant and multiples of variables.
type Sum struct {
	Const int64
	Terms []Term
}

// A Term is a multiple of a variable, which is known by its name.
type Term struct {
	Times int64
	Var   string
}

// Number is a sum of no variables.
func Number(n int64) Sum { return Sum{Const: n} }

// Variable is a sum of one.
func Variable(name string) Sum { return Sum{Terms: []Term{{1, name}}} }

// Plus is s + k t, with a term for each variable in order of the names.
func (s Sum) Plus(k int64, t Sum) Sum {
	out := Sum{Const: s.Const + k*t.Const, Terms: slices.Clone(s.Terms)}
	for _, x := range t.Terms {
		out.Terms = append(out.Terms, Term{k * x.Times, x.Var})
	}
	slices.SortStableFunc(out.Terms, func(x, y Term) int { return strings.Compare(x.Var, y.Var) })
	terms := out.Terms[:0]
	for _, x := range out.Terms {
		if n := len(terms); n > 0 && terms[n-1].Var == x.Var {
			terms[n-1].Times += x.Times
		} else {
			terms = append(terms, x)
		}
	}
	out.Terms = slices.DeleteFunc(terms, func(x Term) bool { return x.Times == 0 })
	return out
}

// Minus is s - t.
func (s Sum) Minus(t Sum) Sum { return s.Plus(-1, t) }

// IsNumber reports a sum of no variables.
func (s Sum) IsNumber() (n int64, ok bool) { return s.Const, len(s.Terms) == 0 }

// Equal reports that two sums are the same.
func (s Sum) Equal(t Sum) bool {
	n, ok := s.Minus(t).IsNumber()
	return ok && n == 0
}

// A Formula says something of integers that variables stand for. The zero Formula is
// true. It is what the text of a set has behind the colon, without a text.
type Formula struct {
	op   logic
	sum  Sum      // of a comparison
	vars []string // that exist
	sub  []Formula
}

type logic uint8

const (
	allOf logic = iota
	oneOf
	notOf
	someOf
	isZero
	isNonNeg
)

// Zero says that a sum is 0.
func Zero(s Sum) Formula { return Formula{op: isZero, sum: s} }

// NonNeg says that a sum is at least 0.
func NonNeg(s Sum) Formula { return Formula{op: isNonNeg, sum: s} }

// Nonzero says that a sum is not 0.
func Nonzero(s Sum) Formula {
	return Or(NonNeg(s.Minus(Number(1))), NonNeg(Number(-1).Minus(s)))
}

// And says all of several things; of none it is true.
func And(fs ...Formula) Formula { return Formula{op: allOf, sub: fs} }

// Or says one of several things; of none it is false.
func Or(fs ...Formula) Formula { return Formula{op: oneOf, sub: fs} }

// Not is the negation.
func Not(f Formula) Formula { return Formula{op: notOf, sub: []Formula{f}} }

// Exists says that there are integers for some variables with which f holds. They hide
// variables of the same name.
func Exists(vars []string, f Formula) Formula {
	return Formula{op: someOf, vars: vars, sub: []Formula{f}}
}

// Where is the set of the points of a tuple for which a formula holds.
func Where(budget lp.Allowance, params []string, t *union.Tuple, f Formula) (r *union.Relation, err error) {
	bad, failed := unwind.Catch[*SyntaxError](func() {
		r, err = lp.Run(budget, func(w *lp.Work) *union.Relation {
			p := &parser{toks: []token{{}}, names: slices.Concat(params, t.Names()), work: w}
			r := &union.Relation{Params: slices.Clone(params)}
			r.Put(union.Space{Out: t}, conj.Simplified(f.conjs(p))...)
			return r
		})
	})
	if failed {
		return nil, errors.New("presburger: " + bad.Msg)
	}
	return r, err
}

// conjs is a formula over the names in scope, as parser's formulas are.
func (f Formula) conjs(p *parser) []*conj.Conj {
	p.enter()
	defer p.leave()
	switch f.op {
	case allOf:
		out := []*conj.Conj{conj.Universe(len(p.names))}
		for _, s := range f.sub {
			out = p.meetAll(out, s.conjs(p))
		}
		return out
	case oneOf:
		var out []*conj.Conj
		for _, s := range f.sub {
			out = append(out, s.conjs(p)...)
			p.limit(len(out))
		}
		return out
	case notOf:
		return p.complement(f.sub[0].conjs(p))
	case someOf:
		outer := len(p.names)
		p.names = append(p.names, f.vars...)
		if len(p.names) > maxVars {
			p.fail(p.peek(), "more than %d variables", maxVars)
		}
		cs := f.sub[0].conjs(p)
		p.names = p.names[:outer]
		return conj.ProjectAll(cs, outer, len(f.vars))
	}
	if p.rows++; p.rows > maxRows {
		p.fail(p.peek(), "more than %d comparisons", maxRows)
	}
	c := conj.Universe(len(p.names))
	r := c.Row()
	r[0] = lp.NewInt(f.sum.Const)
	for _, t := range f.sum.Terms {
		i := p.find(t.Var)
		r[1+i] = r[1+i].Add(lp.NewInt(t.Times))
	}
	if f.op == isZero {
		c.Eq = []lp.Row{r}
	} else {
		c.Ge = []lp.Row{r}
	}
	return []*conj.Conj{c}
}

// find is the innermost variable of a name.
func (p *parser) find(name string) int {
	for i := len(p.names) - 1; i >= 0; i-- {
		if p.names[i] == name {
			return i
		}
	}
	p.fail(p.peek(), "unknown variable %s", name)
	return 0
}
