package loops

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// combines are the ops by which values may be combined in any order; of those of floats, the ones that round only where
// they are allowed to.
var combines = map[*ir.OpDef]bool{arith.Addi: true, arith.Muli: true, arith.Andi: true, arith.Ori: true, arith.Xori: true, arith.Maxsi: true, arith.Minsi: true,
	arith.Maxui: true, arith.Minui: true}

// combinesFloats are the ops of floats that round: their order is free under fastmath<reassoc> alone.
var combinesFloats = map[*ir.OpDef]bool{arith.Addf: true, arith.Mulf: true}

// picks are the ops of floats that give one of their operands: no order rounds.
var picks = map[*ir.OpDef]bool{arith.Maximumf: true, arith.Minimumf: true, arith.Maxnumf: true, arith.Minnumf: true}

// accumulates checks that carried value k of a loop is what it carries, combined with something: op(op(p, x), y), with
// one op whose order is free, of which nothing is used for something else. Conditionals may leave out some of it. It gives
// one of the ops that combine, or the parameter if there is none. Differences op(p, x) count if subtracts holds.
func (f *function) accumulates(loop ir.Value, k int, subtracts bool) (ir.Value, error) {
	l, _ := ir.As[ir.LoopLike](f.g.NodeOf(loop))
	param, yield := l.Carried[k], f.g.Yields(l.Body)[k]
	c := &chain{function: f, loop: loop, k: k, param: param, by: param, subtracts: subtracts, seen: map[ir.Value]bool{}, ifs: map[ir.Value]int{}}
	if err := c.follow(yield); err != nil {
		return 0, err
	}
	return c.by, c.onlyThere(yield)
}

// A chain are the values that a loop makes of one that it carries.
type chain struct {
	*function
	loop, param, by ir.Value // by is an op that combines, or the parameter
	k               int
	subtracts       bool              // what is carried less something is a sum too
	seen            map[ir.Value]bool // that is or has in it what is carried
	ifs             map[ir.Value]int  // conditionals, and which result of them
}

// follow goes back from a value to what is carried.
func (c *chain) follow(at ir.Value) error {
	g := c.g
	if at == c.param || c.seen[at] {
		return nil
	}
	c.seen[at] = true
	_, _, isParam := g.Param(at)
	n, i, ok := g.Projection(at)
	if !ok {
		n, i = at, 0
	}
	d := g.Def(n)
	no := fmt.Errorf("carries a value from each iteration to the next: %s, in %s", c.carried(n), c.at(c.loop))
	switch {
	case isParam:
		return no
	// A condition that depends on what is carried would make the order of the iterations matter.
	case d == arith.Select && !c.reaches(g.Args(n)[0], c.param):
		if err := c.follow(g.Args(n)[1]); err != nil {
			return err
		}
		return c.follow(g.Args(n)[2])
	case d == scf.If && !c.reaches(g.Args(n)[0], c.param):
		// A conditional has one result in the chain: two of them would carry two values.
		if k, twice := c.ifs[n]; twice && k != i {
			return no
		}
		c.ifs[n] = i
		for _, r := range g.Regions(n) {
			if err := c.follow(g.Yields(r)[i]); err != nil {
				return err
			}
		}
		return nil
	case !combines[d] && !combinesFloats[d] && !picks[d] && !(d == arith.Subf && c.subtracts), c.by != c.param && d != g.Def(c.by):
		return no
	}
	if err := c.anyOrder(c.loop, at); err != nil {
		return err
	}
	// One op stands for the whole chain where partial results are combined, so that all have its flags.
	if c.by != c.param && g.AttrsOf(at) != g.AttrsOf(c.by) {
		return fmt.Errorf("combines values by ops of different flags: %s and %s, in %s", c.carried(at), c.carried(c.by), c.at(c.loop))
	}
	c.by = at
	args := g.Args(at)
	// One operand alone has what is carried: with both it counts twice, with none it is lost. A difference
	// has it on the left.
	switch x, y := c.reaches(args[0], c.param), c.reaches(args[1], c.param); {
	case x == y, y && d == arith.Subf:
		return no
	case x:
		return c.follow(args[0])
	default:
		return c.follow(args[1])
	}
}

// onlyThere checks that nothing on the way is used for something else.
func (c *chain) onlyThere(yield ir.Value) error {
	if c.by == c.param && yield == c.param {
		return nil
	}
	for v := range c.seen {
		if err := c.usedIn(v); err != nil {
			return err
		}
	}
	return c.usedIn(c.param)
}

// usedIn checks that a value on the way has no use that is not on the way.
func (c *chain) usedIn(v ir.Value) error {
	g := c.g
	n, _, ok := g.Projection(v)
	if !ok {
		n = v
	}
	for _, u := range g.NodeOf(n).Users() {
		w := u.Old()
		for i, a := range g.Args(w) {
			if a == v && !c.seen[w] && !c.carriesOn(w, i) {
				return fmt.Errorf("carries a value from each iteration to the next, which %s uses too, in %s", c.at(w), c.at(c.loop))
			}
		}
	}
	return nil
}

// carriesOn reports a terminator whose operand is the value of the chain that a conditional of it, or the loop, gives.
func (c *chain) carriesOn(w ir.Value, operand int) bool {
	if !c.g.Def(w).Has(ir.Terminator) {
		return false
	}
	owner := c.g.Owner(c.s.Place(w))
	if owner == c.loop {
		return operand == c.k
	}
	i, ok := c.ifs[owner]
	return ok && i == operand
}

// anyOrder checks that an op that combines may do so in another order than that of the iterations.
func (f *function) anyOrder(loop, at ir.Value) error {
	d, attrs := f.g.Def(at), f.g.AttrsOf(at)
	switch {
	case combines[d] && arith.OverflowOf(f.g.Ctx, attrs) != 0:
		return fmt.Errorf("adds up in the order of its iterations: %s promises that no sum on the way wraps", f.at(at))
	case (combinesFloats[d] || d == arith.Subf) && arith.FastMathOf(f.g.Ctx, attrs)&arith.Reassoc == 0:
		return fmt.Errorf("adds up floats in the order of its iterations: %s is not flagged fastmath<reassoc>", f.at(at))
	}
	return nil
}

// carried names a value in a message: a parameter has no op whose place can be shown.
func (f *function) carried(v ir.Value) string {
	if _, _, isParam := f.g.Param(v); isParam {
		return "another one that it carries"
	}
	return f.at(v)
}

// reaches reports that a value needs another.
func (f *function) reaches(v, param ir.Value) bool {
	seen := map[ir.Value]bool{}
	var walk func(v ir.Value) bool
	walk = func(v ir.Value) bool {
		if v == param {
			return true
		}
		if v < param || seen[v] { // operands come before what is made of them
			return false
		}
		seen[v] = true
		if n, _, ok := f.g.Projection(v); ok {
			return walk(n)
		}
		for _, a := range f.g.Args(v) {
			if walk(a) {
				return true
			}
		}
		for _, r := range f.g.Regions(v) {
			for _, op := range f.s.Body(r) {
				if walk(op) {
					return true
				}
			}
		}
		return false
	}
	return walk(v)
}
