package expand

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
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
func (x *expansion) pieces(u *unit) ([]piece, error) {
	list := []piece{{domain: u.domain}}
	var err error
	if list, err = divide(list, u.write, false, func(p piece, h home) piece { p.write = h; return p }); err != nil {
		return nil, err
	}
	for _, r := range u.reads {
		if list, err = divide(list, r, true, func(p piece, h home) piece {
			p.reads = append(p.reads[:len(p.reads):len(p.reads)], h)
			return p
		}); err != nil {
			return nil, err
		}
		if len(list) > maxPieces {
			return nil, refuse("what %s reads has too many different sources", u.tuple)
		}
	}
	return list, nil
}

// divide splits pieces by what an access may access. Where a read reads nothing, any array will do.
func divide(list []piece, homes []home, partial bool, with func(p piece, h home) piece) (out []piece, err error) {
	for _, p := range list {
		rest := p.domain
		for i, h := range homes {
			part := p.domain
			if len(homes) > 1 {
				if part, err = p.domain.Intersect(h.at.Domain()); err == nil {
					rest, err = rest.Subtract(h.at.Domain())
				}
				if err != nil {
					return nil, err
				}
			}
			if partial && i == len(homes)-1 && len(homes) > 1 {
				part = part.Union(rest)
			}
			if part, err = part.Coalesce(); err != nil {
				return nil, err
			}
			if empty, err := part.IsEmpty(); err != nil {
				return nil, err
			} else if empty {
				continue
			}
			q := with(p, h)
			q.domain = part
			out = append(out, q)
		}
	}
	return out, nil
}
