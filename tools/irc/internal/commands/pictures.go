package commands

import (
	"fmt"
	"path/filepath"

	"github.com/irc-lang/irc/dialects/poly/simplify"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/buffers"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/reductions"
	"github.com/irc-lang/irc/tools/irc/internal/lifetimes"
	"github.com/irc-lang/irc/tools/irc/internal/polyhedra"
)

// drawing are the passes that show what a picture is made of.
var drawing = []*pass.Info{reductions.Info, buffers.ArenaInfo}

// pictures are what passes showed: reductions that were simplified along a vector, and plans of memory.
type pictures struct {
	statements []polyhedra.Statement
	plans      []*buffers.Plan
}

// add notes what a pass shows.
func (d *pictures) add(x any) {
	switch x := x.(type) {
	case *reductions.Simplified:
		d.simplified(x)
	case *buffers.Plan:
		d.plans = append(d.plans, x)
	}
}

// simplified notes the steps of a reduction that have a vector.
func (d *pictures) simplified(r *reductions.Simplified) {
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

// drawShown writes the picture of plans of memory or, where there are none, of what was simplified. -D gives parameters of that their
// values; others get small ones.
func (s *session) drawShown(name string, d *pictures) error {
	if len(d.plans) > 0 {
		return s.Write([]byte(lifetimes.SVG(filepath.Base(name)+", memory", d.plans)))
	}
	if len(d.statements) == 0 {
		return diag.Errorf(diag.Span{}, "no reduction is simplified along a vector, no memory is planned, and there is nothing to draw").WithFix("leave -emit=%s out for what the passes say", s.EmitKind().Name)
	}
	params, err := s.drawnParams()
	if err != nil {
		return err
	}
	p := polyhedra.Picture{Title: filepath.Base(name) + ", reductions simplified", Statements: d.statements, Params: params}
	return s.Write([]byte(p.SVG()))
}
