package explain

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A Report compares the program as written (read verbatim) with the schedule of its
// graph, by the places in the source that ops come from.
type Report struct {
	Functions []Graph  `json:"functions"`
	Removed   []Op     `json:"removed"`
	Order     []string `json:"order,omitempty"` // of the statements of a model
	Remarks   []Remark `json:"remarks"`
	Kernels   *Kernels `json:"kernels,omitempty"`
	Model     *Model   `json:"model,omitempty"`

	src     *diag.Source
	written *program
	past    *history
}

// A Graph is a function, or what else has a graph of its own.
type Graph struct {
	Name string `json:"name"`
	Ops  []Op   `json:"ops"`

	isWritten bool // the source has it
}

// An Op is one of the schedule, or one of the source that is gone.
type Op struct {
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

	became bool // an op of another name than the one that is written
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

// A Remark is what a pass says of what it did.
type Remark struct {
	Pass string `json:"pass"`
	Text string `json:"text"`
}

// New is an empty report of a source. It listens to what happens in the context from
// now on, so that it is to be made before the source is read.
func New(ctx *ir.Context, src *diag.Source) *Report {
	return &Report{Functions: []Graph{}, Removed: []Op{}, Remarks: []Remark{}, src: src, written: &program{src: src}, past: watchHistory(ctx, src)}
}

// Written notes the ops of the source, which was read verbatim, in another context.
func (r *Report) Written(raw *ir.Graph) { r.written = readAsWritten(r.src, raw) }

// Remark notes what a pass says.
func (r *Report) Remark(pass, text string) { r.Remarks = append(r.Remarks, Remark{pass, text}) }

// Place explains the settled graph that the source became; passes says that some ran.
func (r *Report) Place(g *ir.Graph, passes bool) {
	x := &explainer{src: r.src, written: r.written, past: r.past, own: map[int]bool{}, joined: map[int]int{}, out: r, passes: passes}
	x.graph(g, "")
	r.Removed = x.removed()
}
