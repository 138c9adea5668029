package order

import (
	"errors"
	"math/big"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
)

// maxTurns bounds the code that an Interleaving may have.
const maxTurns = 64

// takeTurns finds an affine schedule of a component: iteration i of statement s runs at
// time a_s*i + c_s, times differ between instances that depend on each other (but
// for those of one iteration of a loop whose inner loops order them), and the later
// one has the later time (Feautrier's one-dimensional schedules, with the
// a_s chosen first). It becomes a loop over time, whose body has one turn for each
// residue of the time at which a statement runs, cut where a statement begins or
// ends: no test remains. nil if there is none.
func (o *Orderer) takeTurns(k *Component) []model.Item {
	if len(k.Stmts) > maxTurns {
		return nil
	}
	t := &schedule{o: o, f: eval.NewFrame(o.Builder.Model, nil), component: k, pos: Numbered(k.Stmts), n: len(k.Stmts), within: o.within(k)}
	if !t.bounds() || !t.relations() || !t.slopes() {
		return nil
	}
	// Relations give only quotients of slopes (neighbours), so either sign may be right.
	for _, sign := range []int{1, -1} {
		for i := range t.a {
			t.a[i] *= sign
		}
		if t.times() {
			return t.items()
		}
	}
	return nil
}

// A schedule runs instance i of statement s at time n*a[s]*i + c[s]: the times of takeTurns, scaled by n so that n
// statements can follow each other within one.
type schedule struct {
	o         *Orderer
	f         *eval.Frame
	component *Component
	pos       map[*model.Statement]int
	n         int
	lo, hi    []int // iterations of each statement
	a, c      []int
	rels      []relation
	within    map[*model.Statement][]*model.Dependence // on itself, in one iteration, if inner loops respect it
}

// within lists the dependences of statements of a component on themselves that one
// iteration of its loop has, where the loops inside have an order for them.
func (o *Orderer) within(k *Component) map[*model.Statement][]*model.Dependence {
	out := map[*model.Statement][]*model.Dependence{}
	for _, d := range k.Deps {
		if d.From == d.To {
			out[d.To] = append(out[d.To], o.inner([]*model.Dependence{d}, k.level)...)
		}
	}
	for s, deps := range out {
		if _, err := o.Components(Scope{[]*model.Statement{s}, k.level + 1, deps}); err != nil || len(deps) == 0 {
			delete(out, s)
		}
	}
	return out
}

// body is a statement in the loops inside of that of its component.
func (t *schedule) body(s *model.Statement) []model.Item {
	sc := Scope{[]*model.Statement{s}, t.component.level + 1, t.within[s]}
	cs, err := t.o.Arrange(sc)
	if err != nil {
		panic("bugs: an inner loop that was found to have an order has none")
	}
	said := len(t.o.why)
	items := t.o.Merge(cs, sc)
	t.o.why = t.o.why[:said] // this is tried, perhaps several times
	return items
}

// A relation is the pairs (i, j) of iterations of two statements for which lo(j) <=
// p*i + q <= hi(j) in each of its parts: j reads what i defines.
type relation struct {
	from, to int
	parts    []relationPart
	pairs    presburger.Set
}

// relationPart: lo(j) = r*j + s, hi(j) = u*j + v.
type relationPart struct{ p, q, r, s, u, v int }

// bounds finds the iterations, which must not depend on loops around.
func (t *schedule) bounds() bool {
	for _, s := range t.component.Stmts {
		lo, hi, ok := t.f.ConstantBounds(s, t.component.level)
		if !ok {
			return false
		}
		t.lo, t.hi = append(t.lo, lo), append(t.hi, hi)
	}
	return true
}

// relations finds for each read of what the component defines which iterations it pairs.
// A dimension of the subscripts that is not affine constrains nothing.
func (t *schedule) relations() bool {
	for _, d := range t.component.Deps {
		d.To.Refs(func(r *syntax.Ref, level int) {
			if r == d.To.LHS || t.f.Model.Bindings[r].Var != d.Var || level != len(d.To.Loops) {
				return
			}
			rel := relation{from: t.pos[d.From], to: t.pos[d.To]}
			t.pair(&rel, d.From, d.To, r)
			rel.pairs = t.set(rel)
			if empty, err := rel.pairs.IsEmpty(); err != nil || !empty {
				t.rels = append(t.rels, rel)
			}
		})
	}
	return len(t.rels) > 0
}

// pair fills the parts of a relation.
func (t *schedule) pair(rel *relation, from, to *model.Statement, r *syntax.Ref) {
	l := t.component.level
	for d := range from.Var.Dims {
		if len(r.Indices) == 0 || len(from.LHS.Indices) == 0 {
			return // the whole of it
		}
		left, top, ok := t.f.AffineSpan(from.LHS.Indices[d], from.Var, d)
		lo, hi, ok2 := t.f.AffineSpan(r.Indices[d], from.Var, d)
		if !ok || !ok2 || !sameOuter(left, top, lo, hi, l) {
			continue
		}
		if left.At(l) != top.At(l) || left.Const != top.Const {
			continue // a part of an array is defined at once
		}
		rel.parts = append(rel.parts, relationPart{left.At(l), left.Const, lo.At(l), lo.Const, hi.At(l), hi.Const})
	}
}

// sameOuter reports that subscripts agree in the variables of the loops outside of a
// level, which have the same values there, and have none of those inside.
func sameOuter(left, top, lo, hi model.Affine, level int) bool {
	for _, x := range []model.Affine{left, top, lo, hi} {
		for l := range max(level, len(x.Coef)) {
			if l < level && x.At(l) != left.At(l) || l > level && x.At(l) != 0 {
				return false
			}
		}
	}
	return true
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// slopes chooses the a_s: where j reads what i = (r*j + ...)/p defines, the two stay
// together in time if a_to = a_from * r/p. A statement without a loop has none.
func (t *schedule) slopes() bool {
	ratio := make([]*big.Rat, t.n)
	for first := range ratio {
		if ratio[first] != nil || t.once(first) {
			continue
		}
		ratio[first] = big.NewRat(1, 1)
		for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
			x := queue[0]
			t.neighbours(x, func(y int, f *big.Rat) {
				if ratio[y] == nil && !t.once(y) {
					ratio[y] = f.Mul(f, ratio[x])
					queue = append(queue, y)
				}
			})
		}
	}
	scale := big.NewInt(1)
	for _, r := range ratio {
		if r != nil {
			g := new(big.Int).GCD(nil, nil, scale, r.Denom())
			scale.Mul(scale, new(big.Int).Div(r.Denom(), g))
		}
	}
	t.a = make([]int, t.n)
	for i, r := range ratio {
		if r != nil {
			x := new(big.Rat).Mul(r, new(big.Rat).SetInt(scale))
			if x.Num().BitLen() > 16 {
				return false
			}
			t.a[i] = int(x.Num().Int64())
		}
	}
	return true
}

func (t *schedule) once(i int) bool { return t.component.level >= len(t.component.Stmts[i].Loops) }

// neighbours calls f with what a statement is related to and the quotient of slopes.
func (t *schedule) neighbours(x int, f func(y int, q *big.Rat)) {
	for _, rel := range t.rels {
		for _, p := range rel.parts {
			r := p.u
			if r == 0 {
				r = p.r
			}
			if p.p == 0 || r == 0 {
				continue
			}
			if rel.from == x {
				f(rel.to, big.NewRat(int64(r), int64(p.p)))
			} else if rel.to == x {
				f(rel.from, big.NewRat(int64(p.p), int64(r)))
			}
		}
	}
}

// times solves c_to >= c_from + 1 - min(a_to*j - a_from*i) as longest paths. Times
// are in units of 1/n: so many statements can follow each other at one.
func (t *schedule) times() bool {
	t.c = make([]int, t.n)
	type bound struct{ from, to, gap int }
	var bounds []bound
	for _, rel := range t.rels {
		least, any, err := t.least(rel)
		if err != nil {
			return false
		}
		if !any {
			continue
		}
		gap := 1 - t.n*least
		if rel.from == rel.to && t.within[t.component.Stmts[rel.to]] != nil {
			gap-- // what one iteration needs of itself, its inner loops do
		}
		bounds = append(bounds, bound{rel.from, rel.to, gap})
	}
	for round := 0; ; round++ {
		changed := false
		for _, e := range bounds {
			if x := t.c[e.from] + e.gap; x > t.c[e.to] {
				t.c[e.to], changed = x, true
			}
		}
		if !changed {
			break
		}
		// A longest path has fewer than n edges: after more rounds some cycle of bounds has no solution.
		if round > t.n {
			return false
		}
	}
	return true
}

// least is the minimum of a_to*j - a_from*i over a relation. any is false if there are no pairs:
// pairs lie within bounds, so a set that has some has a minimum.
func (t *schedule) least(rel relation) (least int, any bool, err error) {
	at, err := presburger.AffOf(rel.pairs, ints(0, -t.a[rel.from], t.a[rel.to]), presburger.NewInt(1), nil)
	if err != nil {
		return 0, false, err
	}
	o, err := rel.pairs.MinVal(at)
	if err != nil || o.Status != presburger.Optimal {
		return 0, false, err
	}
	n, ok := o.Value.Num.Int64()
	if !ok {
		return 0, false, errors.New("bugs: a time of more than 64 bits")
	}
	return int(n), true, nil
}

// set is the pairs of iterations of two statements in all parts of a relation.
func (t *schedule) set(rel relation) presburger.Set {
	x, y := rel.from, rel.to
	b := presburger.Basic{Out: presburger.NewTuple("", "i", "j")}
	b.Ge = append(b.Ge, ints(-t.lo[x], 1, 0), ints(t.hi[x], -1, 0), ints(-t.lo[y], 0, 1), ints(t.hi[y], 0, -1))
	for _, p := range rel.parts {
		b.Ge = append(b.Ge, ints(p.q-p.s, p.p, -p.r), ints(p.v-p.q, -p.p, p.u))
	}
	return presburger.SetOf(b)
}

func ints(xs ...int) []presburger.Int {
	return lists.Map(xs, func(x int) presburger.Int { return presburger.NewInt(int64(x)) })
}
