package bugs

import "github.com/irc-lang/irc/dialects/bugs/syntax"

// parents lists the unknown elements that an element depends on, by evaluating what
// its definition reads.
func (b *builder) parents(e element) []element {
	s := b.m.definer(e)
	by := e.v.assignedBy(e.k)
	if s.Sample != nil {
		by = e.v.drawnBy(e.k)
	}
	f := newFrame(b.m, s)
	f.at = s.at(int(by.iter))
	var out []element
	s.refs(func(r *syntax.Ref, level int) {
		v := b.m.bind[r].v
		if r == s.LHS || v == nil || level != len(s.Loops) {
			return
		}
		_ = f.each(r, v, true, func(k int) error { // depend met its errors
			if c := v.ClassAt(k); c == Logical || c == Parameter {
				out = append(out, element{v, k})
			}
			return nil
		})
	})
	return out
}
