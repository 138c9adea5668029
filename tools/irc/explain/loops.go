package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/roofline"
)

// Loops is what there is to say of the loops of a program.
type Loops struct {
	Target string  `json:"target"`
	Cores  int     `json:"cores"`
	Nests  []*Nest `json:"nests"`

	src *diag.Source
}

// A Nest is an outermost loop as it is written, with all that is in it.
type Nest struct {
	Function   string     `json:"function"`
	Line       int        `json:"line"`
	Loops      []NestLoop `json:"loops"`
	Passes     []string   `json:"passes"`               // what they say of it
	Operations string     `json:"operations,omitempty"` // by the parameters, with the type of the numbers
	Read       string     `json:"read_bytes,omitempty"`
	Written    string     `json:"written_bytes,omitempty"`
	Left       string     `json:"not_counted,omitempty"` // of it, or why nothing is
	Bound      *Bound     `json:"bound,omitempty"`       // where the parameters are known

	params []string // names in the source
	work   *roofline.Work
	last   int // line
}

// A NestLoop is one of a nest.
type NestLoop struct {
	Line     int    `json:"line"`
	Depth    int    `json:"depth"`
	Op       string `json:"op"`
	Index    string `json:"index,omitempty"` // as the source calls it
	Parallel bool   `json:"parallel"`
	Why      string `json:"why,omitempty"` // it is not
}

// A Bound is what a nest takes at least.
type Bound struct {
	Seconds    float64 `json:"seconds"`
	By         string  `json:"by"`
	Operations float64 `json:"operations"`
	Bytes      float64 `json:"bytes"`
	Compute    float64 `json:"seconds_of_operations"`
	Move       float64 `json:"seconds_of_memory"` // the longest, of all caches
}

// argument is how passes call an argument of a function.
var argument = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%arg\d+\b`) })

// NewLoops is an empty report of a source.
func NewLoops(src *diag.Source, t *target.Target, cores int) *Loops {
	return &Loops{Target: t.Name, Cores: cores, Nests: []*Nest{}, src: src}
}

// Add adds a nest that was counted.
func (l *Loops) Add(n *roofline.Nest) {
	name := SourceNames(l.src)
	out := &Nest{Function: n.Function, Line: n.Line, Passes: []string{}, work: n.Work}
	var args []string
	if n.Function != "" {
		args = name.Params(n.Owner.Graph(), n.Owner.Old())
	}
	for _, x := range n.Loops {
		row := NestLoop{Line: x.Line, Depth: x.Depth, Op: n.Graph.Def(x.At).Name, Index: indexName(n.Graph, l.src, x.At, 0), Parallel: x.Carries == nil}
		if x.Carries != nil {
			row.Why = argument().ReplaceAllStringFunc(x.Carries.Error(), func(text string) string {
				if i, _ := strconv.Atoi(text[len("%arg"):]); i < len(args) {
					return "%" + args[i]
				}
				return text
			})
		}
		out.Loops = append(out.Loops, row)
	}
	out.last = l.lastLine(n)
	l.Nests = append(l.Nests, out)
	if n.Err != nil {
		out.Left = n.Err.Error()
		return
	}
	for i, v := range n.Work.Values {
		p := n.Work.Params[i]
		if s := name.Name(n.Graph, v); s != "" {
			p = s
		} else if r, k, ok := n.Graph.Param(v); ok && r == ir.Root && k < len(args) {
			p = args[k]
		}
		out.params = append(out.params, p)
	}
	called := func(p string) string { return out.params[slices.Index(n.Work.Params, p)] }
	out.Operations, out.Read, out.Written, out.Left = n.Work.Does(n.Graph.Ctx, called), n.Work.Read.Text(called), n.Work.Written.Text(called), n.Work.Left
}

// lastLine is that of the last op of a nest.
func (l *Loops) lastLine(n *roofline.Nest) int {
	g, last := n.Graph, n.Line
	var walk func(v ir.Value)
	s := ir.ScheduleOf(g)
	walk = func(v ir.Value) {
		for _, r := range g.Regions(v) {
			for _, op := range s.Body(r) {
				if at, ok := offset(g, op); ok {
					line, _ := l.src.Position(at)
					last = max(last, line)
				}
				walk(op)
			}
		}
	}
	walk(n.Loop)
	return last
}

// Remark notes what a pass says, if it is of a nest.
func (l *Loops) Remark(pass, text string) {
	for _, n := range l.Nests {
		for line := n.Line; line <= n.last; line++ {
			if rest, ok := strings.CutPrefix(text, fmt.Sprintf("line %d: ", line)); ok {
				n.Passes = append(n.Passes, fmt.Sprintf("%s, line %d: %s", pass, line, rest))
			}
		}
	}
}

// Params lists what the sizes of loops are called.
func (l *Loops) Params() (out []string) {
	for _, n := range l.Nests {
		out = append(out, n.params...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Bounded reports a nest whose sizes are all given, so that its time has a bound.
func (l *Loops) Bounded(sizes map[string]int64) bool {
	return slices.ContainsFunc(l.Nests, func(n *Nest) bool { return n.values(sizes) != nil })
}

// values are those of the parameters of a nest; nil if one is not given, or nothing is counted.
func (n *Nest) values(sizes map[string]int64) map[string]presburger.Int {
	if n.work == nil {
		return nil
	}
	out := map[string]presburger.Int{}
	for i, p := range n.params {
		k, ok := sizes[p]
		if !ok {
			return nil
		}
		out[n.work.Params[i]] = presburger.NewInt(k)
	}
	return out
}

// Bound finds what each nest whose sizes are given takes at least on a target.
func (l *Loops) Bound(sizes map[string]int64, t *target.Target) error {
	for _, n := range l.Nests {
		at := n.values(sizes)
		if at == nil {
			continue
		}
		b, err := n.work.At(at, t, l.Cores)
		if err != nil {
			return err
		}
		n.Bound = &Bound{b.Seconds, b.By, b.Work, b.Bytes, b.Compute, slices.Max(append(b.Move, 0))}
	}
	return nil
}

// Text is the report for people.
func (l *Loops) Text() string {
	var b strings.Builder
	function := "-"
	for _, n := range l.Nests {
		if n.Function != function {
			function = n.Function
			fmt.Fprintf(&b, "@%s\n", function)
		}
		for _, x := range n.Loops {
			fmt.Fprintf(&b, "%4d  %s%s%s: %s\n", x.Line, strings.Repeat("  ", x.Depth), x.Op, index(x.Index), x.judged())
		}
		for _, p := range n.Passes {
			fmt.Fprintf(&b, "      %s\n", p)
		}
		if n.work == nil {
			fmt.Fprintf(&b, "      not counted: %s\n", n.Left)
			continue
		}
		fmt.Fprintf(&b, "      does    %s\n      moves   %s bytes in, %s out\n", n.Operations, n.Read, n.Written)
		if n.Left != "" {
			fmt.Fprintf(&b, "      but     %s\n", n.Left)
		}
		if n.Bound != nil {
			fmt.Fprintf(&b, "      bound   %s\n", n.Bound.text(l.Cores))
		}
	}
	if len(l.Nests) == 0 {
		return "there are no loops\n"
	}
	return b.String()
}

func index(name string) string {
	if name == "" {
		return ""
	}
	return " %" + name
}

func (x NestLoop) judged() string {
	if x.Parallel {
		return "parallel"
	}
	return "not parallel: it " + x.Why
}

// text says the bound on a line.
func (b *Bound) text(cores int) string {
	on := "one core"
	if cores > 1 {
		on = fmt.Sprintf("%d cores", cores)
	}
	why := "for its operations"
	if b.By != "operations" {
		why = "for what comes from " + b.By
	}
	return fmt.Sprintf("%s on %s, %s: %.3g of them take %s, %.3g bytes %s", Duration(b.Seconds), on, why, b.Operations, Duration(b.Compute), b.Bytes, Duration(b.Move))
}

// Duration writes seconds with three digits.
func Duration(s float64) string {
	switch {
	case s == 0:
		return "0 s"
	case s < 1e-6:
		return fmt.Sprintf("%.3g ns", s*1e9)
	case s < 1e-3:
		return fmt.Sprintf("%.3g us", s*1e6)
	case s < 1:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.3g s", s)
}
