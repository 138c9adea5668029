package pass

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass/mliropt"
)

// A Pipeline is what -passes says: steps that run one after the other.
type Pipeline struct {
	Steps []Step // in this order; none is a pipeline that does nothing
}

// A Step is a pass, an end, a repetition of steps, or steps for the graphs of some ops.
type Step struct {
	Info *Info // of a pass or an end
	Pass Pass  // with its options; nil of an end and of nested steps
	End  End   // what takes the program over; nil of all others

	repeat bool   // Steps run until nothing changes
	anchor string // Steps run on the graph of each op of this name; of any op is the graph at hand
	steps  []Step

	span diag.Span     // of a pass, in the text that was parsed
	mlir *mliropt.Pass // whose options it is written with, or nil
}

// The anchors: ops whose graphs a pipeline can be run on.
const (
	anchorFunc   = "func.func"
	anchorModule = "builtin.module"
	anchorAny    = "any"
)

var anchors = map[string]string{
	"func": anchorFunc, "func.func": anchorFunc, "module": anchorModule, "builtin.module": anchorModule, "any": anchorAny,
}

// anchorOf finds the op that a name before a parenthesis stands for: any that has
// a dialect, unless it is one of ours misspelt.
func anchorOf(name string) string {
	if a := anchors[name]; a != "" {
		return a
	}
	if dialect, op, dot := strings.Cut(name, "."); dot && dialect != "" && op != "" && diag.Nearest(name, []string{anchorFunc, anchorModule}) == "" {
		return name
	}
	return ""
}

// Rooted writes the pipeline as mlir-opt does, with the op around it that the
// whole program is.
func (p *Pipeline) Rooted() string { return root(p.String()) }

// root puts the op around a pipeline that the whole program is.
func root(pipeline string) string { return anchorModule + "(" + pipeline + ")" }

// unroot leaves out what stands around a whole pipeline: the program itself.
func unroot(steps []Step) []Step {
	for len(steps) == 1 && (steps[0].anchor == anchorModule || steps[0].anchor == anchorAny) {
		steps = steps[0].steps
	}
	return steps
}

// String writes the pipeline with all options; Parse reads it again.
func (p *Pipeline) String() string { return join(p.Steps) }

func join(steps []Step) string {
	parts := lists.Map(steps, func(s Step) string { return s.String() })
	return strings.Join(parts, ",")
}

func (s Step) String() string {
	switch {
	case s.repeat:
		return "repeat(" + join(s.steps) + ")"
	case s.anchor != "":
		return s.anchor + "(" + join(s.steps) + ")"
	}
	return spell(s.Info, s.settings())
}

// settings is the pass or the end.
func (s Step) settings() any {
	if s.End != nil {
		return s.End
	}
	return s.Pass
}

// End is what takes the program over at the end of the pipeline, or nil.
func (p *Pipeline) End() End {
	if n := len(p.Steps); n > 0 {
		return p.Steps[n-1].End
	}
	return nil
}

// Then is the pipeline with steps after its own, but before its end, whose place that of
// the others takes if they have one.
func (p *Pipeline) Then(more *Pipeline) *Pipeline {
	n := len(p.Steps)
	if p.End() != nil {
		n--
	}
	if more.End() != nil {
		return &Pipeline{slices.Concat(p.Steps[:n], more.Steps)}
	}
	return &Pipeline{slices.Concat(p.Steps[:n], more.Steps, p.Steps[n:])}
}

// Each calls f for every pass of the pipeline, in order, and at last for its end, with no Pass.
func (p *Pipeline) Each(f func(*Info, Pass)) { each(p.Steps, f) }

func each(steps []Step, f func(*Info, Pass)) {
	for _, s := range steps {
		if s.Info != nil {
			f(s.Info, s.Pass)
		}
		each(s.steps, f)
	}
}

// Check reports the first pass whose options name what these dialects do not have.
// The error is as that of Parse.
func (p *Pipeline) Check(dialects []*ir.Dialect) error { return check(p.Steps, dialects) }

func check(steps []Step, dialects []*ir.Dialect) error {
	for _, s := range steps {
		if c, ok := s.Pass.(contextChecker); ok {
			if err := c.CheckIn(ir.NewContext(dialects...)); err != nil {
				return diag.Errorf(s.span, "pass %q: %v", s.Info.Name, err).WithFix("%s", usage(s.Info))
			}
		}
		if err := check(s.steps, dialects); err != nil {
			return err
		}
	}
	return nil
}

// usage shows how a pass is written.
func usage(info *Info) string {
	opts := info.Options()
	if len(opts) == 0 {
		return fmt.Sprintf("%s has no options", info.Name)
	}
	parts := lists.Map(opts, func(o Option) string { return o.Usage() })
	return fmt.Sprintf("usage: %s{%s}", info.Name, strings.Join(parts, " "))
}
