package reduce

import (
	"github.com/irc-lang/irc/ir"
)

// Smaller lists the programs of a lower score that one step of any rule makes of
// a program in the given form.
func Smaller(ctx *ir.Context, src string, generic bool, valid func(*ir.Graph) error) (out []string) {
	r := &reducer{ctx: ctx, generic: generic, lawful: true, opts: Options{Valid: valid}}
	g, ok := r.parse(src)
	if !ok {
		return nil
	}
	r.g, r.score, r.best = g, score(g), src
	p := newProgram(g)
	for _, s := range p.sites {
		steps := []step{}
		if s.droppable() {
			steps = append(steps, one(s, edit{kind: drop}))
		}
		for _, rule := range []rule{bodies, symbols, signatures, cuts, substitutes, uses, attributes} {
			steps = append(steps, rule(p, s)...)
		}
		for _, st := range steps {
			if c, ok := r.build(st); ok {
				out = append(out, c.text)
			}
		}
	}
	return out
}
