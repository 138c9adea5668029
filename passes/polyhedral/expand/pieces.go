package expand

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A piece is a unit where each of its accesses is of one array.
type piece struct {
	domain presburger.Set
	write  home
	reads  []home
}

// maxPieces bounds the statements that one becomes.
const maxPieces = 32

// pieces splits a unit.
func (x *expansion) pieces(u *unit) []piece {
	list := []piece{{domain: u.domain}}
	list = divide(list, u.write, false, func(p piece, h home) piece { p.write = h; return p })
	for _, r := range u.reads {
		list = divide(list, r, true, func(p piece, h home) piece {
			// Pieces that come from one share their reads so far: the clipped slice makes append copy
			// them.
			p.reads = append(p.reads[:len(p.reads):len(p.reads)], h)
			return p
		})
		if len(list) > maxPieces {
			panic(unwind.Failed(refuse("what %s reads has too many different sources", u.tuple)))
		}
	}
	return list
}

// divide splits pieces by what an access may access. Where a read reads nothing, any array will do.
func divide(list []piece, homes []home, partial bool, with func(p piece, h home) piece) (out []piece) {
	for _, p := range list {
		rest := p.domain
		for i, h := range homes {
			part := p.domain
			// With one home there is nothing to divide by.
			if len(homes) > 1 {
				part = unwind.Must(p.domain.Intersect(h.at.Domain()))
				rest = unwind.Must(rest.Subtract(h.at.Domain()))
			}
			if partial && i == len(homes)-1 && len(homes) > 1 {
				part = part.Union(rest)
			}
			part = unwind.Must(part.Coalesce())
			if empty, err := part.IsEmpty(); err != nil {
				panic(unwind.Failed(err))
			} else if empty {
				continue
			}
			q := with(p, h)
			q.domain = part
			out = append(out, q)
		}
	}
	return out
}
