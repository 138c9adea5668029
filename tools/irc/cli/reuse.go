package cli

import (
	"fmt"
	"path/filepath"

	"github.com/irc-lang/irc/dialects/poly/simplify"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/polyhedral/reductions"
	"github.com/irc-lang/irc/tools/irc/polyhedra"
)

// A reuseDrawer draws the reductions that were simplified along a vector.
type reuseDrawer struct{ statements []polyhedra.Statement }

// add notes the steps of a reduction that have a vector.
func (d *reuseDrawer) add(x any) {
	r, ok := x.(*reductions.Simplified)
	if !ok {
		return
	}
	n := 0
	for _, st := range r.Steps {
		if st.Vector == nil {
			continue
		}
		name := r.Statement
		if n++; n > 1 {
			name = fmt.Sprintf("%s, %d", name, n)
		}
		d.statements = append(d.statements, polyhedra.Statement{Name: name, Domain: st.Domain, Reuse: reuseOf(st)})
	}
}

// reuseOf is what is drawn of a step.
func reuseOf(st *simplify.Step) *polyhedra.Reuse {
	out := &polyhedra.Reuse{Vector: st.Vector, What: fmt.Sprintf("%s, %s -> %s", st.What, st.Before, st.After), Added: st.New, Removed: st.Gone}
	dashes := map[simplify.Boundary]polyhedra.Dash{simplify.Strong: polyhedra.Dashed, simplify.Weak: polyhedra.Dotted}
	for _, f := range st.Facets {
		note := string(f.Boundary)
		if f.Idle() {
			note += ", no answer beyond it"
		}
		out.Facets = append(out.Facets, polyhedra.Facet{Where: f.Where, Equation: f.String(), Label: string(f.Label), Note: note, Dash: dashes[f.Boundary], Pale: f.Idle()})
	}
	return out
}

// drawReuse writes the picture of what was simplified. -D gives parameters their values; others
// get small ones.
func (s *session) drawReuse(name string, d *reuseDrawer) error {
	if len(d.statements) == 0 {
		return diag.Errorf(diag.Span{}, "no reduction is simplified along a vector, and there is nothing to draw").WithFix("leave -emit=%s out for what the passes say", s.emitKind().Name)
	}
	params, err := s.drawnParams()
	if err != nil {
		return err
	}
	p := polyhedra.Picture{Title: filepath.Base(name) + ", reductions simplified", Statements: d.statements, Params: params}
	return s.write([]byte(p.SVG()))
}
