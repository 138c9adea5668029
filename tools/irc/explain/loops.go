package explain

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/roofline"
)

// Loops is what there is to say of the loops of a program.
type Loops struct {
	Target string  `json:"target"`
	Nests  []*Nest `json:"nests"`

	src   *diag.Source
	cores int
	args  []string // of the one function, where the source is no text of graphs

	others []Measured // loops of no nest
}

// Code is what loops compute with.
type Code struct {
	Lanes int    `json:"lanes"` // of vectors; 1 are scalars
	Type  string `json:"type"`  // of numbers
	Lines []int  `json:"lines"` // of what is computed so
	Why   string `json:"why,omitempty"`
}

// A Nest is an outermost loop as it is written, with all that is in it.
type Nest struct {
	Function   string     `json:"function"`
	Line       int        `json:"line"`
	Loops      []NestLoop `json:"loops"`
	Cores      int        `json:"cores"`                // that share its iterations, or those of loops in it
	Code       []Code     `json:"code"`                 // what LLVM makes of it
	Passes     []string   `json:"passes"`               // what they say of it
	Operations string     `json:"operations,omitempty"` // by the parameters, with the type of the numbers
	Read       string     `json:"read_bytes,omitempty"`
	Written    string     `json:"written_bytes,omitempty"`
	NotCounted string     `json:"not_counted,omitempty"` // of it, or why nothing is
	Bound      *Bound     `json:"bound,omitempty"`       // where the parameters are known

	Measured *Measured `json:"measured,omitempty"` // with run -time-kernels

	params []string // names in the source, one for each of work
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

	last int // line
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

// NewLoops is an empty report of a source. If that is no text of graphs, args are the names of its function's arguments.
func NewLoops(src *diag.Source, t *target.Target, args ...string) *Loops {
	return &Loops{Target: t.Name, cores: t.Cores, Nests: []*Nest{}, src: src, args: args}
}

// Uncounted reports a nest of which it is not known what it does.
func (l *Loops) Uncounted() bool {
	return slices.ContainsFunc(l.Nests, func(n *Nest) bool { return n.work == nil })
}

// Inlined counts a nest by what it is where functions are put in the place of their calls, if it is not counted yet.
func (l *Loops) Inlined(n *roofline.Nest) {
	i := slices.IndexFunc(l.Nests, func(x *Nest) bool { return x.work == nil && x.Function == n.Function && x.Line == n.Line })
	if i < 0 || n.Err != nil {
		return
	}
	before := l.Nests[i]
	l.Add(n)
	at := len(l.Nests) - 1
	l.Nests[i], l.Nests = l.Nests[at], l.Nests[:at]
	l.Nests[i].last = before.last
}

// isOverCollections reports a loop of which more is known where it is one over memory.
func (n *Nest) isOverCollections() bool { return strings.HasPrefix(n.Loops[0].Op, "loop.") }

// Above reports loops of a level above those over memory, or none: then an order of equations makes them.
func (l *Loops) Above() bool {
	return len(l.Nests) == 0 || slices.ContainsFunc(l.Nests, (*Nest).isOverCollections)
}

// Lowered counts loops over collections, or equations, by the loops over memory that are made of them for one core.
func (l *Loops) Lowered(list []*roofline.Nest) {
	if len(l.Nests) == 0 {
		l.scheduled(list)
		return
	}
	for i, was := range l.Nests {
		if !was.isOverCollections() {
			continue
		}
		var made []*roofline.Nest
		for _, n := range list {
			if n.Function == was.Function && was.Line <= n.Line && n.Line <= was.last {
				made = append(made, n)
			}
		}
		if len(made) != 1 || made[0].Err != nil {
			was.NotCounted, was.Loops[0].Why = "what the loops over memory move that it becomes is not counted", "becomes several loops over memory, or one with a table of groups"
			continue
		}
		l.Add(made[0])
		last := len(l.Nests) - 1
		out := l.Nests[last]
		out.Line, out.last = was.Line, was.last
		was.Loops[0].Parallel, was.Loops[0].Why = out.Loops[0].Parallel, out.Loops[0].Why
		out.Loops = was.Loops
		l.Nests[i], l.Nests = out, l.Nests[:last]
	}
}

// scheduled adds the loops of equations, those once of which there are versions.
func (l *Loops) scheduled(list []*roofline.Nest) {
	for _, n := range list {
		if n.Err != nil {
			continue
		}
		l.Add(n)
		last := len(l.Nests) - 1
		out := l.Nests[last]
		if slices.ContainsFunc(l.Nests[:last], func(x *Nest) bool {
			return x.Line == out.Line && x.Operations == out.Operations && x.Read == out.Read && x.Written == out.Written
		}) {
			l.Nests = l.Nests[:last]
		}
	}
}

// Add adds a nest that was counted.
func (l *Loops) Add(n *roofline.Nest) {
	name := SourceNames(l.src)
	out := &Nest{Function: n.Function, Line: n.Line, Cores: 1, Code: []Code{}, Passes: []string{}, work: n.Work}
	args := l.args
	if n.Function != "" && args == nil {
		args = name.Params(n.Owner.Graph(), n.Owner.Old())
	}
	for _, x := range n.Loops {
		row := NestLoop{Line: x.Line, Depth: x.Depth, Op: n.Graph.Def(x.At).Name, Index: indexName(n.Graph, l.src, x.At, 0), Parallel: x.Carries == nil, last: l.lastLine(n.Graph, x.At)}
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
	out.last = out.Loops[0].last
	l.Nests = append(l.Nests, out)
	if n.Err != nil {
		out.NotCounted = n.Err.Error()
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
	out.Operations, out.Read, out.Written, out.NotCounted = n.Work.Does(n.Graph.Ctx, called), n.Work.Read.Text(called), n.Work.Written.Text(called), n.Work.NotCounted
}

// lastLine is that of the last op of a loop.
func (l *Loops) lastLine(g *ir.Graph, loop ir.Value) (last int) {
	s := ir.ScheduleOf(g)
	var walk func(v ir.Value)
	walk = func(v ir.Value) {
		if at, ok := offset(g, v); ok {
			line, _ := l.src.Position(at)
			last = max(last, line)
		}
		for _, r := range g.Regions(v) {
			for _, op := range s.Body(r) {
				walk(op)
			}
		}
	}
	walk(loop)
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

// nest is the one that a line is in.
func (l *Loops) nest(line int) *Nest {
	for _, n := range l.Nests {
		if n.Line <= line && line <= n.last {
			return n
		}
	}
	return nil
}

// Shared notes in a program as it is lowered which loops the cores share: a loop belongs where what it accesses does.
func (l *Loops) Shared(g *ir.Graph) {
	s := ir.ScheduleOf(g)
	var mark func(v ir.Value)
	mark = func(v ir.Value) {
		if at, ok := offset(g, v); ok {
			line, _ := l.src.Position(at)
			if n := l.nest(line); n != nil {
				n.Cores = l.cores
			}
		}
		for _, r := range g.Regions(v) {
			for _, op := range s.Body(r) {
				if a, ok := ir.As[ir.AccessLike](g.NodeOf(op)); ok && len(a.Accesses) > 0 || len(g.Regions(op)) > 0 {
					mark(op)
				}
			}
		}
	}
	for v := range s.All() {
		for _, c := range g.Children(v) {
			l.Shared(c)
		}
		if x, ok := ir.As[ir.LoopLike](g.NodeOf(v)); ok && x.Parallel {
			mark(v)
		}
	}
}

// Code notes what LLVM makes of loops by what stands in them: of a line what is widest, since vectors leave some rounds to
// other loops.
func (l *Loops) Code(widths map[ir.Loc]llvm.Width) {
	best := map[int]llvm.Width{}
	for at, w := range widths {
		line, _ := l.src.Position(int(at) - 1)
		if w.Type != "" && w.Lanes > best[line].Lanes {
			best[line] = w
		}
	}
	for _, line := range slices.Sorted(maps.Keys(best)) {
		n := l.nest(line)
		if n == nil {
			continue
		}
		w := Code{Lanes: best[line].Lanes, Type: typeName(best[line].Type)}
		if w.Lanes == 1 {
			w.Why = n.noVectors(line)
		}
		i := slices.IndexFunc(n.Code, func(c Code) bool { return c.Lanes == w.Lanes && c.Type == w.Type && c.Why == w.Why })
		if i < 0 {
			i = len(n.Code)
			n.Code = append(n.Code, w)
		}
		n.Code[i].Lines = append(n.Code[i].Lines, line)
	}
}

// noVectors is why what stands on a line is computed one by one.
func (n *Nest) noVectors(line int) string {
	for _, x := range slices.Backward(n.Loops) {
		switch {
		case line < x.Line || line > x.last:
		case x.Parallel:
			return "LLVM makes none of it"
		default:
			return fmt.Sprintf("the iterations of the loop at line %d need one another", x.Line)
		}
	}
	return ""
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
		b, err := n.work.At(at, t, n.Cores)
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
		for _, c := range n.Code {
			fmt.Fprintf(&b, "      code    %s\n", c.text())
		}
		if l.cores > 1 {
			fmt.Fprintf(&b, "      cores   %d\n", n.Cores)
		}
		for _, p := range n.Passes {
			fmt.Fprintf(&b, "      %s\n", p)
		}
		if n.work == nil {
			fmt.Fprintf(&b, "      not counted: %s\n", n.NotCounted)
			continue
		}
		fmt.Fprintf(&b, "      does    %s\n      moves   %s bytes in, %s out\n", n.Operations, n.Read, n.Written)
		if n.NotCounted != "" {
			fmt.Fprintf(&b, "      but     %s\n", n.NotCounted)
		}
		if n.Bound != nil {
			fmt.Fprintf(&b, "      bound   %s\n", n.Bound.text(n.Cores))
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

// typeName is what MLIR calls a type of numbers.
func typeName(llvm string) string {
	switch llvm {
	case "double":
		return "f64"
	case "float":
		return "f32"
	case "half":
		return "f16"
	case "bfloat":
		return "bf16"
	}
	return llvm
}

func (c Code) text() string {
	if c.Lanes == 1 {
		return fmt.Sprintf("one %s at a time: %s; %s", c.Type, lines(c.Lines), c.Why)
	}
	return fmt.Sprintf("vectors of %d x %s: %s", c.Lanes, c.Type, lines(c.Lines))
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
