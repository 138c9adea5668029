package explain

import (
	"strings"

	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// program is a source as it is written: its ops, by their offsets.
type program struct {
	src       *diag.Source
	ops       map[int]*writtenOp
	functions map[string]bool
}

// frame is a region around an op: one of the op at an offset.
type frame struct {
	at    int
	index int
	kind  ir.RegionKind
	op    string
	name  string // that people have for the region, or ""
}

type writtenOp struct {
	at       int
	name     string // of its op
	function string
	path     []frame // outermost first
	users    []int
	def      *ir.OpDef
}

// readAsWritten notes the ops of a graph that was read verbatim.
func readAsWritten(src *diag.Source, g *ir.Graph) *program {
	p := &program{src, map[int]*writtenOp{}, map[string]bool{}}
	p.graph(g, "")
	return p
}

func (p *program) graph(g *ir.Graph, function string) {
	s := ir.ScheduleOf(g)
	for v := range s.All() {
		if at, ok := offset(g, v); ok {
			w := &writtenOp{at: at, name: g.Def(v).Name, function: function, path: pathOf(g, s, v), def: g.Def(v)}
			p.ops[at] = w
			for _, a := range g.Args(v) {
				n, _, _ := g.Projection(a)
				if from, ok := offset(g, n); ok && p.ops[from] != nil {
					p.ops[from].users = append(p.ops[from].users, at)
				}
			}
		}
		for _, c := range g.Children(v) {
			name := nameOf(g.NodeOf(v))
			p.functions[name] = true
			p.graph(c, name)
		}
	}
}

// offset is where the op of a node begins in the source.
func offset(g *ir.Graph, v ir.Value) (int, bool) {
	if ls := g.LocsOf(v); len(ls) > 0 && ls[0]&ir.LocAttr == 0 {
		return int(ls[0]) - 1, true
	}
	return 0, false
}

// pathOf lists the regions around a node.
func pathOf(g *ir.Graph, s *ir.Schedule, v ir.Value) []frame { return pathTo(g, s, s.Place(v)) }

func pathTo(g *ir.Graph, s *ir.Schedule, r ir.Region) (out []frame) {
	for r != ir.Root {
		owner := g.Owner(r)
		at, ok := offset(g, owner)
		if !ok {
			at = -1
		}
		f := frame{at: at, kind: g.KindOf(r), op: g.Def(owner).Name}
		for i, in := range g.Regions(owner) {
			if in == r {
				f.index, f.name = i, g.Ctx.RegionName(g.Def(owner), i)
			}
		}
		out = append([]frame{f}, out...)
		r = s.Place(owner)
	}
	return out
}

// nameOf is how the report calls the graph of an isolated op; a module has none.
func nameOf(n ir.Node) string {
	if sym := symbols.Of(n); sym != "" || n.Def() == builtin.Module {
		return sym
	}
	return n.Def().Name
}

// line is the line of an offset.
func (p *program) line(at int) int {
	line, _ := p.src.Position(at)
	return line
}

// result is the name that the results of the op at an offset have in the source,
// or "".
func (p *program) result(at int) string {
	begin := strings.LastIndexByte(p.src.Text[:at], '\n') + 1
	left, found := strings.CutSuffix(strings.TrimRight(p.src.Text[begin:at], " \t"), "=")
	if i := strings.LastIndexByte(left, '%'); found && i >= 0 {
		name, _, _ := strings.Cut(strings.TrimRight(left[i:], " \t"), ":")
		return name
	}
	return ""
}

// region is how people call a region: "the loop at line 7".
func (p *program) region(f frame) string {
	what := "a region"
	switch {
	case f.kind == ir.Loop:
		what = "the loop"
	case f.kind == ir.Branch && f.name != "":
		what = "the " + f.name + " branch"
	case f.kind == ir.Branch:
		what = "a branch"
	case f.kind == ir.Lambda:
		what = "the function value"
	}
	if f.at < 0 {
		return what + " of " + f.op
	}
	return what + " at line " + itoa(p.line(f.at))
}
