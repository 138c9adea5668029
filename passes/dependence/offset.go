package dependence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// An Offset says for one loop around both ends of a dependence how many iterations
// before (below zero) or after (above) the read the element is written.
type Offset struct {
	Loop *Loop
	// Constant says that it is Value wherever the dependence holds.
	Constant bool
	Value    int64
	// What there is while all loops further out are in the same iteration.
	Before, Same, After bool

	guessed bool // something of the accesses is not known
}

// String is "-1", "+1", "0", or the signs there are: "-0", "-0+" ...
func (o Offset) String() string {
	switch {
	case o.Constant && o.Value == 0:
		return "0"
	case o.Constant:
		return fmt.Sprintf("%+d", o.Value)
	}
	var b strings.Builder
	for i, there := range []bool{o.Before, o.Same, o.After} {
		if there {
			b.WriteByte("-0+"[i])
		}
	}
	if b.Len() == 0 {
		return "*" // it varies, in different iterations of the loops further out
	}
	return b.String()
}

// Forward reports that a loop that runs upwards, in an iteration of those around it,
// has written what is read: no offset is above zero.
func (o Offset) Forward() bool { return !o.After }

// offsets finds the offsets of a dependence of s on t, or nil if no loop is around
// both.
func (a *analysis) offsets(s, t *Statement, k Class) (out []Offset) {
	found := false
	for i := range s.Accesses {
		x := &s.Accesses[i]
		if x.Write || x.Ignore || x.Role == Container {
			continue
		}
		for j := range t.Accesses {
			w := &t.Accesses[j]
			if w.Write && w.Var == x.Var && a.class[w.Var][t] == k && a.known.overlap(w, x, true) {
				o := offsetsOf(w, x)
				if found {
					o = join(out, o)
				}
				out, found = o, true
			}
		}
	}
	return out
}

// join unites the offsets of two pairs of accesses, in the loops around both.
func join(a, b []Offset) []Offset {
	n := 0
	for n < len(a) && n < len(b) && a[n].Loop == b[n].Loop {
		n++
	}
	if n == 0 {
		return nil
	}
	a = a[:n]
	for i := range a {
		a[i].Constant = a[i].Constant && b[i].Constant && a[i].Value == b[i].Value
		a[i].guessed = a[i].guessed || b[i].guessed
		a[i].Before, a[i].Same, a[i].After = a[i].Before || b[i].Before, a[i].Same || b[i].Same, a[i].After || b[i].After
	}
	return a
}

// shared lists the loops around both accesses.
func shared(w, x *Access) []*Loop {
	n := 0
	for n < len(w.Domain.Loops) && n < len(x.Domain.Loops) && w.Domain.Loops[n] == x.Domain.Loops[n] {
		n++
	}
	return w.Domain.Loops[:n]
}

// offsetsOf asks the integer sets for write minus read in each shared loop.
func offsetsOf(w, x *Access) []Offset {
	loops := shared(w, x)
	if len(loops) == 0 {
		return nil
	}
	q := newQuery()
	dims := dimsOf(w, x)
	cs, written := q.instance(w.Domain, true)
	cs = append(cs, q.touches(w, dims)...)
	more, read := q.instance(x.Domain, true)
	cs = append(append(cs, more...), q.touches(x, dims)...)
	var names []string
	for k := range loops {
		names = append(names, fmt.Sprintf("o%d", k))
		cs = append(cs, same(presburger.Variable(names[k]), presburger.Variable(written[k]).Minus(presburger.Variable(read[k]))))
	}
	// What remains of the pairs are the offsets: they are found once, and each question is about them.
	all, err := q.set(names, presburger.Exists(slices.Concat(written, read, dims), presburger.And(cs...)))
	ask := func(extra ...presburger.Formula) (presburger.Set, error) {
		if err != nil {
			return all, err
		}
		s, err := q.set(names, extra...)
		if err != nil {
			return s, err
		}
		return all.Intersect(s)
	}
	out := make([]Offset, len(loops))
	var outer []presburger.Formula
	for k, l := range loops {
		o, at := &out[k], presburger.Variable(names[k])
		o.Loop, o.guessed = l, !w.exact() || !x.exact()
		there := func(f presburger.Formula) bool { return some(ask(append(slices.Clip(outer), f)...)) }
		o.Before = there(below(at, presburger.Number(0)))
		o.Same = there(presburger.Zero(at))
		o.After = there(below(presburger.Number(0), at))
		o.Value, o.Constant = theOne(ask, k, at)
		outer = append(outer, presburger.Zero(at))
	}
	return out
}

// theOne finds the only value of offset k, which at is, if there is just one.
func theOne(ask func(...presburger.Formula) (presburger.Set, error), k int, at presburger.Sum) (int64, bool) {
	s, err := ask()
	if err != nil {
		return 0, false
	}
	p, ok, err := s.Sample()
	if err != nil || !ok {
		return 0, false
	}
	n, ok := p.Coords[k].Int64()
	return n, ok && !some(ask(presburger.Nonzero(at.Minus(presburger.Number(n)))))
}
