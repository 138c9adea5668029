package dependence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/depend"
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

// offsetsOf asks for write minus read in each shared loop.
func offsetsOf(w, x *Access) []Offset {
	loops := shared(w, x)
	if len(loops) == 0 {
		return nil
	}
	signs := slices.Repeat([]depend.Sign{depend.Mixed}, len(loops)) // where the question is too large
	p, err := pairOf(x, w, true)
	if err == nil {
		signs = p.Carried(p.a, p.b, len(loops))
	}
	out := make([]Offset, len(loops))
	for k, l := range loops {
		there := func(s depend.Sign) bool { return signs[k]&s != 0 }
		o := Offset{Loop: l, guessed: !w.exact() || !x.exact(), Before: there(depend.Negative), Same: there(depend.Zero), After: there(depend.Positive)}
		if err == nil {
			o.Value, o.Constant = p.Constant(p.a, p.b, k)
		}
		out[k] = o
	}
	return out
}
