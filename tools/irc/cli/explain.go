package cli

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// explained is the report of `irc explain`. It compares the program as written
// (read verbatim) with the schedule of its graph, by the places in the source
// that ops come from.
type explained struct {
	Functions []explainedGraph `json:"functions"`
	Removed   []explainedOp    `json:"removed"`
	Order     []string         `json:"order,omitempty"` // of the statements of a model
	Remarks   []remark         `json:"remarks"`
	Model     *ModelReport     `json:"model,omitempty"`

	src     *diag.Source
	written *program
}

type explainedGraph struct {
	Name string        `json:"name"`
	Ops  []explainedOp `json:"ops"`
}

// explainedOp is an op of the schedule, or one of the source that is gone.
type explainedOp struct {
	Op        string  `json:"op"`
	Line      int     `json:"line"`
	Column    int     `json:"column"`
	Depth     int     `json:"depth"`     // regions around it in its function
	Was       int     `json:"was_depth"` // as it was written
	Outcome   string  `json:"outcome"`   // one of the outcomes
	Frequency float64 `json:"frequency,omitempty"`
	Home      int     `json:"home_line,omitempty"`  // of the innermost op around it that it needs; 0 is none
	Users     []int   `json:"user_lines,omitempty"` // of what uses it
	Shared    []int   `json:"shared,omitempty"`     // lines of the other ops that it stands for
	SameAs    int     `json:"same_as,omitempty"`    // line of the op that it was shared with
	Why       string  `json:"why"`
}

// What can become of an op.
const (
	kept        = "kept"
	hoisted     = "hoisted" // out of a loop
	raised      = "raised"  // out of a region that is no loop
	sunk        = "sunk"
	moved       = "moved" // both
	made        = "made"  // by a rule or pass, from nothing in the source
	shared      = "shared"
	folded      = "folded"
	overwritten = "overwritten"
	dead        = "dead"
)

type remark struct {
	Pass string `json:"pass"`
	Text string `json:"text"`
}

// explain says where each op stands and why, and what became of the others; of a
// model, with neither passes nor -v, what statisticians want to know.
func explain(s *session) error {
	src, kind, err := s.input()
	if err != nil {
		return err
	}
	emit := s.str("emit")
	if picture := emit == "dot" || emit == "svg"; emit != "ir" && (!picture || !s.flag("deps")) {
		return usagef("`irc -emit="+emit+"` writes the program itself", "`irc explain` writes a report; with -deps also -emit=dot and -emit=svg")
	}
	if s.flag("deps") {
		return s.dependences(src, kind)
	}
	p, err := s.pipeline(src)
	if err != nil {
		return err
	}
	ctx := s.newContext()
	past := watchHistory(ctx, src)
	out := &explained{Functions: []explainedGraph{}, Removed: []explainedOp{}, Remarks: []remark{}, src: src, written: &program{src: src}}
	g, list, err := s.explainable(ctx, out, kind)
	if err != nil {
		return err
	}
	for _, d := range list {
		fmt.Fprintln(s.stderr, d)
	}
	if list.Err() != nil {
		return errSaid
	}
	m := s.manager()
	m.Print = s.printer(src)
	m.Remark = func(name, text string) { out.Remarks = append(out.Remarks, remark{name, text}) }
	if g, err = m.Run(s.ctx, g, p); err != nil {
		s.keepFailure(err)
		return s.placed(ctx, src, err)
	}
	x := &explainer{src: src, written: out.written, past: past, own: map[int]bool{}, out: out, passes: len(p.Steps) > 0}
	x.graph(ir.Settle(g), "")
	out.Removed = x.removed()
	if s.flag("json") {
		return s.writeJSON(out)
	}
	if out.Model != nil && !s.flag("v") && len(p.Steps) == 0 {
		return s.write([]byte(out.Model.text()))
	}
	return s.write([]byte(out.text()))
}

// explainable reads the source and notes what is written in it.
func (s *session) explainable(ctx *ir.Context, out *explained, kind string) (*ir.Graph, diag.List, error) {
	if kind == kindBUGS {
		m, err := s.model(ctx, out.src)
		if err != nil {
			return nil, nil, err
		}
		out.Order = m.Facts().Order
		out.Model = m.Report()
		if out.Model.Hoisted, err = s.hoisted(m.Graph(), out.Model.Statements); err != nil {
			return nil, nil, err
		}
		g, err := s.start(m)
		if err == nil {
			err = s.showStages(out.src)
		}
		return g, m.Warnings(), err
	}
	g, list := s.parseIR(ctx, out.src)
	if g != nil {
		raw, _ := text.Parse(s.newContext(), out.src, text.Options{Verbatim: true, AllowUnregistered: s.flag("allow-unregistered-dialect")})
		if raw != nil {
			out.written = readAsWritten(out.src, raw)
		}
	}
	return g, list, nil
}
